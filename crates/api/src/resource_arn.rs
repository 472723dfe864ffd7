//! `ResourceArn`: the table that tags and policies belong to.

use crate::constraint::{Constraints, Path};
use crate::{Error, TableName, wording};

/// Longest ARN, in characters.
const MAX_ARN_CHARS: usize = 1283;

/// Checks the constraints of the member.
pub(crate) fn constrain(constraints: &mut Constraints, given: &Option<String>) {
    let path = Path::Root("resourceArn");
    if let Some(arn) = constraints.required(path, given) {
        constraints.text_length(path, arn, 1..=MAX_ARN_CHARS);
    }
}

/// The table that an ARN names, once its constraints hold. Unlike other members, this one takes no bare name.
pub(crate) fn table(arn: &str) -> Result<TableName, Error> {
    match TableName::parse(arn) {
        Ok(table) if table.given() != table.as_str() => Ok(table),
        _ if arn.starts_with("arn:") => Err(Error::validation(wording::arn_of_something_else(arn))),
        _ => Err(Error::validation(wording::no_resource_arn(arn))),
    }
}
