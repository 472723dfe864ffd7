//! The host of DynamoDB in a region. AWS is several clouds, its partitions, each with its own domain.

use super::Variant;

struct Partition {
    /// What the names of its regions begin with.
    prefix: &'static str,
    domain: &'static str,
    dual_stack_domain: &'static str,
}

const fn partition(
    prefix: &'static str,
    domain: &'static str,
    dual_stack_domain: &'static str,
) -> Partition {
    Partition {
        prefix,
        domain,
        dual_stack_domain,
    }
}

const AWS: Partition = partition("", "amazonaws.com", "api.aws");

const OTHERS: &[Partition] = &[
    partition("cn-", "amazonaws.com.cn", "api.amazonwebservices.com.cn"),
    partition("eusc-", "amazonaws.eu", "api.amazonwebservices.eu"),
    partition("us-iso-", "c2s.ic.gov", "api.aws.ic.gov"),
    partition("us-isob-", "sc2s.sgov.gov", "api.aws.scloud"),
    partition("eu-isoe-", "cloud.adc-e.uk", "api.cloud-aws.adc-e.uk"),
    partition("us-isof-", "csp.hci.ic.gov", "api.aws.hci.ic.gov"),
];

pub(super) fn host(region: &str, variant: Variant) -> String {
    let others = OTHERS.iter();
    let partition = others
        .into_iter()
        .find(|partition| region.starts_with(partition.prefix))
        .unwrap_or(&AWS);
    let domain = if variant.dual_stack {
        partition.dual_stack_domain
    } else {
        partition.domain
    };
    format!("{}.{region}.{domain}", service(region, variant))
}

/// The government's regions answer FIPS requests at their usual endpoint.
fn service(region: &str, variant: Variant) -> &'static str {
    let government = region.starts_with("us-gov-") && !variant.dual_stack;
    if variant.fips && !government {
        "dynamodb-fips"
    } else {
        "dynamodb"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIPS: Variant = Variant {
        fips: true,
        dual_stack: false,
    };
    const DUAL_STACK: Variant = Variant {
        fips: false,
        dual_stack: true,
    };
    const BOTH: Variant = Variant {
        fips: true,
        dual_stack: true,
    };

    #[test]
    fn hosts_as_aws_lists_them() {
        for (region, variant, expected) in [
            (
                "us-east-1",
                Variant::default(),
                "dynamodb.us-east-1.amazonaws.com",
            ),
            (
                "cn-north-1",
                Variant::default(),
                "dynamodb.cn-north-1.amazonaws.com.cn",
            ),
            (
                "us-iso-east-1",
                Variant::default(),
                "dynamodb.us-iso-east-1.c2s.ic.gov",
            ),
            (
                "us-isob-east-1",
                Variant::default(),
                "dynamodb.us-isob-east-1.sc2s.sgov.gov",
            ),
            (
                "eusc-de-east-1",
                Variant::default(),
                "dynamodb.eusc-de-east-1.amazonaws.eu",
            ),
            ("us-west-2", FIPS, "dynamodb-fips.us-west-2.amazonaws.com"),
            (
                "us-gov-west-1",
                FIPS,
                "dynamodb.us-gov-west-1.amazonaws.com",
            ),
            ("us-gov-west-1", BOTH, "dynamodb-fips.us-gov-west-1.api.aws"),
            ("eu-west-1", DUAL_STACK, "dynamodb.eu-west-1.api.aws"),
            (
                "cn-north-1",
                DUAL_STACK,
                "dynamodb.cn-north-1.api.amazonwebservices.com.cn",
            ),
            ("us-east-1", BOTH, "dynamodb-fips.us-east-1.api.aws"),
        ] {
            assert_eq!(host(region, variant), expected);
        }
    }
}
