//! What a policy is attached to.

use crate::{Error, StreamArn, TableName, resource_arn};

/// What a policy is attached to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PolicyResource {
    /// A table; the policy is about its indexes, too.
    Table(TableName),
    /// A stream.
    Stream(StreamArn),
}

impl PolicyResource {
    /// What an ARN names, once its constraints hold.
    pub(crate) fn parse(arn: &str) -> Result<Self, Error> {
        match StreamArn::parse(arn) {
            Ok(stream) => Ok(Self::Stream(stream)),
            Err(_) => resource_arn::table(arn).map(Self::Table),
        }
    }

    /// The ARN as the request gave it.
    pub fn given(&self) -> &str {
        match self {
            Self::Table(table) => table.given(),
            Self::Stream(stream) => stream.as_str(),
        }
    }
}
