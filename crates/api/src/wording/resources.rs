//! Words about tags and policies of a table, as others recorded them of AWS in October 2026.

pub(crate) const TOO_MANY_TAGS: &str =
    "Number of Tags exceed the current limit for the provided ResourceArn";
pub(crate) const NO_TAGS: &str = "Atleast one Tag needs to be provided as Input.";
pub(crate) const NO_TAG_KEYS: &str = "Atleast one Tag Key needs to be provided as Input.";
/// Ours: AWS has never been seen to give a token for tags.
pub(crate) const UNKNOWN_NEXT_TOKEN: &str = "Invalid NextToken";

pub(crate) const POLICY_IS_NO_JSON: &str = "This policy contains invalid Json";
pub(crate) const POLICY_IS_NO_POLICY: &str = "This text appears not to be a policy";
pub(crate) const POLICY_WITHOUT_STATEMENTS: &str =
    "Could not parse the policy: Statement is empty!";
pub(crate) const REPEATED_STATEMENT_ID: &str = "The Statement Ids in the policy are not unique";
pub(crate) const LARGE_POLICY: &str = invalid!("Maximum policy size of 20480 bytes exceeded");
pub(crate) const UNBOUNDED_POLICY: &str = "Resource-based policy grants unbounded access in one or more elements. \
     Please revise the policy to ensure least-privilege form of access";

pub(crate) fn invalid_policy(flaw: &str) -> String {
    format!("One or more parameter values were invalid: Invalid policy document: {flaw}")
}

/// AWS names the place. Here it is always the end of the text, which is AWS's place for `{}`.
pub(crate) fn policy_syntax(text: &str) -> String {
    let line = text.lines().count().max(1);
    let column = text.lines().last().map_or(0, |line| line.chars().count()) + 1;
    format!("Syntax error at position ({line},{column})")
}

pub(crate) fn missing_policy_field(name: &str) -> String {
    format!("Missing required field {name}")
}

/// IAM's words; nobody has noted DynamoDB's.
pub(crate) fn invalid_effect(effect: &str) -> String {
    format!("Invalid effect: {effect}")
}

pub(crate) fn invalid_actions(actions: &[&str]) -> String {
    let quoted: Vec<String> = actions
        .iter()
        .map(|action| format!("\"{action}\""))
        .collect();
    format!(
        "The following action names are invalid: {}",
        quoted.join(", ")
    )
}

pub(crate) fn policy_resource_of_other_kind(relative: &str, arn: &str) -> String {
    format!("The relative-id \"{relative}\" is invalid for ARN \"{arn}\"")
}

/// IAM's words; nobody has noted DynamoDB's.
pub(crate) fn policy_resource_is_no_arn(resource: &str) -> String {
    format!("Resource {resource} must be in ARN format or \"*\".")
}

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

pub(crate) fn repeated_tag_key(key: &str) -> String {
    format!("Duplicate Tag Keys provided as input: Duplicate Tag Key found {key}")
}

pub(crate) fn arn_of_something_else(arn: &str) -> String {
    format!(
        "One or more parameter values were invalid: Provided Arn is not a DynamoDB resource arn: {arn}"
    )
}

pub(crate) fn arn_of_index(arn: &str) -> String {
    format!(
        "One or more parameter values were invalid: Invalid resource arn provided, only table or stream is accepted. \
         Provided resource arn: {arn}"
    )
}

pub(crate) fn no_arn(given: &str) -> String {
    format!("One or more parameter values were invalid: ARNs must start with 'arn:': {given}")
}
