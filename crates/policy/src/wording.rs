//! What is said about policies, and what AWS says to requests that they do not allow.

use crate::access::Access;
use crate::condition::OperatorName;
use crate::key::ConditionKey;

pub(crate) const VERSION: &str = "the version must be \"2012-10-17\": write \"Version\": \"2012-10-17\" (older ones have no \
                                  variables, and would take ${...} as text)";

pub(crate) const PRINCIPAL: &str =
    "a policy of an access key has no principal: the key that it is given to is the principal";

/// AWS's words for a request that a statement denies.
pub(crate) fn denied(user: &str, access: &Access) -> String {
    let Access {
        action, resource, ..
    } = access;
    format!(
        "User: {user} is not authorized to perform: dynamodb:{action} on resource: {resource} with an explicit deny in an \
         identity-based policy"
    )
}

/// AWS's words for a request that no statement allows.
pub(crate) fn not_allowed(user: &str, access: &Access) -> String {
    let Access {
        action, resource, ..
    } = access;
    format!(
        "User: {user} is not authorized to perform: dynamodb:{action} on resource: {resource} because no identity-based \
         policy allows the dynamodb:{action} action"
    )
}

pub(crate) fn foreign_action(text: &str) -> String {
    format!("{text:?} is no action of DynamoDB: write dynamodb:NAME, dynamodb:Get* or \"*\"")
}

/// Operations that are authorized as other actions are the likely mistake.
pub(crate) fn unknown_action(name: &str) -> String {
    let stands_for = match name.to_ascii_lowercase().as_str() {
        "transactwriteitems" => Some("PutItem, UpdateItem, DeleteItem and ConditionCheckItem"),
        "transactgetitems" => Some("GetItem"),
        "executestatement" | "batchexecutestatement" | "executetransaction" => {
            Some("PartiQLSelect, PartiQLInsert, PartiQLUpdate and PartiQLDelete")
        }
        _ => None,
    };
    match stands_for {
        Some(actions) => format!(
            "DynamoDB has no action {name}: the operation is authorized as {actions}, which policies name instead"
        ),
        None => format!("DynamoDB has no action {name}"),
    }
}

pub(crate) fn unknown_operator(name: &str) -> String {
    format!(
        "unknown operator {name}: there are String..., Numeric..., Date..., Arn..., Bool, IpAddress, NotIpAddress and Null, \
         with ForAllValues: or ForAnyValue: before and IfExists behind them"
    )
}

pub(crate) fn unknown_key(name: &str) -> String {
    format!("unknown condition key {name} (docs/policies.md lists those that this server knows)")
}

pub(crate) fn several_values(key: &ConditionKey, operator: OperatorName) -> String {
    format!(
        "a request can have several {key}: write ForAllValues:{operator} or ForAnyValue:{operator}"
    )
}

pub(crate) fn variable_without_value(key: &str) -> String {
    format!(
        "${{{key}}} has no value for this access key: give it one (`context.{key} = ...` in the credentials file), or write \
         a default, ${{{key}, 'text'}}"
    )
}
