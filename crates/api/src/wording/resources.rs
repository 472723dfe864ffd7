//! Words about tags and policies of a table, as others recorded them of AWS in October 2026.

pub(crate) const TOO_MANY_TAGS: &str =
    "Number of Tags exceed the current limit for the provided ResourceArn";
pub(crate) const NO_TAGS: &str = "Atleast one Tag needs to be provided as Input.";
pub(crate) const NO_TAG_KEYS: &str = "Atleast one Tag Key needs to be provided as Input.";
/// Ours: AWS has never been seen to give a token for tags.
pub(crate) const UNKNOWN_NEXT_TOKEN: &str = "Invalid NextToken";

pub(crate) const POLICY_IS_NO_JSON: &str =
    "Invalid policy document: This policy contains invalid Json";
pub(crate) const POLICY_IS_NO_POLICY: &str =
    "Invalid policy document: This text appears not to be a policy";
pub(crate) const POLICY_WITHOUT_STATEMENTS: &str =
    "Invalid policy document: Could not parse the policy: Statement is empty!";
/// The limit is AWS's, the sentence ours.
pub(crate) const LARGE_POLICY: &str =
    "Invalid policy document: The policy exceeds the maximum allowed size of 20480 bytes";

pub(crate) fn invalid_tag_key(key: Option<&str>) -> String {
    format!(
        "The Tag Key provided is invalid, Key: {}",
        key.unwrap_or("null")
    )
}

pub(crate) fn invalid_tag_value(value: Option<&str>) -> String {
    let value = value.unwrap_or("null");
    format!("The Tag Value provided is invalid, Value: {value}")
}

pub(crate) fn reserved_tag_key(key: &str) -> String {
    format!("Tag Key cannot be prefixed with aws:, Key: {key}")
}

/// AWS refuses it in words that nobody has noted.
pub(crate) fn repeated_tag_key(key: &str) -> String {
    format!("One or more parameter values were invalid: Tag Key is duplicated: {key}")
}

pub(crate) fn arn_of_something_else(arn: &str) -> String {
    format!(
        "One or more parameter values were invalid: Provided Arn is not a DynamoDB resource arn: {arn}"
    )
}

pub(crate) fn no_resource_arn(given: &str) -> String {
    format!("Invalid TableArn: Invalid ResourceArn provided as input {given}")
}
