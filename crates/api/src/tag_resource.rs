//! TagResource: gives a table tags, in the place of those with the same keys.

use crate::constraint::{Constraints, Path};
use crate::structure::structure;
use crate::{Error, TableName, Tag, resource_arn, wording};

structure! {
    /// A TagResource request.
    pub struct TagResourceInput {
        /// The table, by ARN.
        resource_arn: String,
        /// The tags.
        tags: Vec<Tag>,
    }

    /// A TagResource answer, which says nothing.
    pub struct TagResourceOutput {}
}

/// A TagResource request, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidTagResource {
    /// The table.
    pub table: TableName,
    /// The tags, each with a key of its own.
    pub tags: Vec<Tag>,
}

impl TagResourceInput {
    /// Gives a table these tags.
    pub fn new(arn: impl Into<String>, tags: impl IntoIterator<Item = Tag>) -> Self {
        Self {
            resource_arn: Some(arn.into()),
            tags: Some(tags.into_iter().collect()),
        }
    }

    /// Checks everything that can be judged without the table.
    pub fn validate(self) -> Result<ValidTagResource, Error> {
        let mut constraints = Constraints::default();
        resource_arn::constrain(&mut constraints, &self.resource_arn);
        constraints.required(Path::Root("tags"), &self.tags);
        let (arn, tags) = constraints.finish(self.resource_arn.zip(self.tags))?;
        let table = resource_arn::table(&arn)?;
        if tags.is_empty() {
            return Err(Error::validation(wording::NO_TAGS));
        }
        Tag::check_all(&tags)?;
        Ok(ValidTagResource { table, tags })
    }
}
