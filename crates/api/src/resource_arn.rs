//! ARNs of DynamoDB's resources, and `ResourceArn`: what tags and policies belong to.

use crate::constraint::{Constraints, Path};
use crate::{Error, TableName, wording};

/// Longest ARN, in characters.
const MAX_ARN_CHARS: usize = 1283;

/// An ARN of something of DynamoDB's: `arn:PARTITION:dynamodb:REGION:ACCOUNT:RESOURCE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResourceArn<'a> {
    /// `aws`, or another cloud of AWS's.
    pub partition: &'a str,
    /// The region.
    pub region: &'a str,
    /// The account that owns it.
    pub account: &'a str,
    /// What it is, such as `table/NAME`.
    pub resource: &'a str,
}

impl<'a> ResourceArn<'a> {
    /// Reads an ARN.
    pub fn parse(given: &'a str) -> Option<Self> {
        let mut parts = given.splitn(6, ':');
        let ("arn", partition, "dynamodb") = (parts.next()?, parts.next()?, parts.next()?) else {
            return None;
        };
        let arn = Self {
            partition,
            region: parts.next()?,
            account: parts.next()?,
            resource: parts.next()?,
        };
        partition.starts_with("aws").then_some(arn)
    }
}

/// Checks the constraints of the member.
pub(crate) fn constrain(constraints: &mut Constraints, given: &Option<String>) {
    let path = Path::Root("resourceArn");
    if let Some(arn) = constraints.required(path, given) {
        constraints.text_length(path, arn, 1..=MAX_ARN_CHARS);
    }
}

/// The table that an ARN names, once its constraints hold. Unlike other members, this one takes no bare name.
pub(crate) fn table(arn: &str) -> Result<TableName, Error> {
    if !arn.starts_with("arn:") {
        return Err(Error::validation(wording::no_arn(arn)));
    }
    if let Some(table) = TableName::parse_arn(arn) {
        return Ok(table);
    }
    let kind = ResourceArn::parse(arn).and_then(|parsed| parsed.resource.split('/').nth(2));
    Err(Error::validation(match kind {
        Some("index") => wording::arn_of_index(arn),
        _ => wording::arn_of_something_else(arn),
    }))
}
