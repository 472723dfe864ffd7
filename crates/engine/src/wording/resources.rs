//! AWS's words about resources of other accounts and regions. They were recorded on AWS in October 2026, in the notes of a
//! controller for Kubernetes, and in issues of Terraform's provider; the others are marked as ours.

use super::INVALID;
use crate::ops::ACCOUNT;
use monotable_api::Error;

pub(crate) fn foreign_region(arn: &str) -> Error {
    Error::validation(format_args!(
        "1 validation error detected: Invalid AWS region in '{arn}'"
    ))
}

pub(crate) fn foreign_partition(arn: &str) -> Error {
    Error::validation(format_args!(
        "1 validation error detected: Invalid AWS partition in '{arn}'"
    ))
}

/// AWS names the caller. Who asks is not known here, and is the account.
pub(crate) fn foreign_account(arn: &str, action: &str) -> Error {
    Error::AccessDeniedException {
        message: format!(
            "User: arn:aws:iam::{ACCOUNT}:root is not authorized to perform: dynamodb:{action} on resource: {arn} because no \
             resource-based policy allows the dynamodb:{action} action"
        ),
    }
}

pub(crate) fn foreign_tagged_resource(arn: &str) -> Error {
    Error::validation(format_args!(
        "Invalid TableArn: Invalid ResourceArn provided as input {arn}"
    ))
}

pub(crate) fn foreign_policy_resource(arn: &str) -> Error {
    Error::validation(format_args!("{INVALID} Invalid resource Arn: {arn}"))
}

/// Policies.
pub(crate) fn stream_of_policy_not_found(table: &str, label: &str) -> Error {
    Error::not_found(format_args!(
        "Requested resource not found: Stream: {label} not found for Table: {table}"
    ))
}

/// Policies, and the source of a restore.
pub(crate) fn resource_of_other_account() -> Error {
    Error::validation(
        "This action is only supported by accounts that match the resource owner’s account.",
    )
}

/// Exports.
pub(crate) fn access_is_denied() -> Error {
    Error::AccessDeniedException {
        message: "Access is denied".into(),
    }
}
