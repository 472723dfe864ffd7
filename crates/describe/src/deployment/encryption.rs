//! Whose keys encrypt a table.

use serde_json::{Value, json};
use std::str::FromStr;

/// Whose keys encrypt a table at rest. There is no table that is not encrypted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Encryption {
    /// Keys that DynamoDB owns: what a table has of which nothing is said.
    #[default]
    Owned,
    /// The key `aws/dynamodb` of the account, in KMS.
    Managed,
    /// A key of the account's own in KMS, by its ARN.
    Key(String),
}

impl Encryption {
    /// CloudFormation's `SSESpecification`.
    pub(super) fn specification(&self) -> Value {
        match self {
            Self::Owned => json!({ "SSEEnabled": false }),
            Self::Managed => json!({ "SSEEnabled": true, "SSEType": "KMS" }),
            Self::Key(arn) => {
                json!({ "SSEEnabled": true, "SSEType": "KMS", "KMSMasterKeyId": arn })
            }
        }
    }
}

impl FromStr for Encryption {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "owned" => Ok(Self::Owned),
            "managed" => Ok(Self::Managed),
            arn if is_key(arn) => Ok(Self::Key(arn.to_owned())),
            _ => Err(
                "whose keys: owned (DynamoDB's), managed (aws/dynamodb of the account), or the ARN of a key, \
                 as arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"
                    .to_owned(),
            ),
        }
    }
}

fn is_key(arn: &str) -> bool {
    let parts: Vec<&str> = arn.splitn(6, ':').collect();
    let [prefix, partition, service, region, account, resource] = parts.as_slice() else {
        return false;
    };
    let named = [partition, region, account];
    let id = resource.strip_prefix("key/");
    *prefix == "arn"
        && *service == "kms"
        && named.iter().all(|part| !part.is_empty())
        && id.is_some_and(|id| !id.is_empty())
}
