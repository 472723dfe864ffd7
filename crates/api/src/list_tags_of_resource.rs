//! ListTagsOfResource: the tags of a table. They fit one page.

use crate::constraint::Constraints;
use crate::structure::structure;
use crate::{Error, TableName, Tag, resource_arn, wording};

structure! {
    /// A ListTagsOfResource request.
    pub struct ListTagsOfResourceInput {
        /// The table, by ARN.
        resource_arn: String,
        /// Where to go on. No page has one, so none is known.
        next_token: String,
    }

    /// A ListTagsOfResource answer.
    pub struct ListTagsOfResourceOutput {
        /// The tags.
        tags: Vec<Tag>,
        /// Where to go on: never.
        next_token: String,
    }
}

/// A ListTagsOfResource request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidListTagsOfResource {
    /// The table.
    pub table: TableName,
}

impl ListTagsOfResourceInput {
    /// Lists the tags of a table.
    pub fn new(arn: impl Into<String>) -> Self {
        Self {
            resource_arn: Some(arn.into()),
            ..Self::default()
        }
    }

    /// Checks everything that can be judged without the table.
    pub fn validate(self) -> Result<ValidListTagsOfResource, Error> {
        let mut constraints = Constraints::default();
        resource_arn::constrain(&mut constraints, &self.resource_arn);
        let table = resource_arn::table(&constraints.finish(self.resource_arn)?)?;
        if self.next_token.is_some() {
            return Err(Error::validation(wording::UNKNOWN_NEXT_TOKEN));
        }
        Ok(ValidListTagsOfResource { table })
    }
}
