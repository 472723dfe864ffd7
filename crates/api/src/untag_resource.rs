//! UntagResource: takes tags from a table.

use crate::constraint::{Constraints, Path};
use crate::structure::structure;
use crate::{Error, TableName, resource_arn, tag, wording};

structure! {
    /// An UntagResource request.
    pub struct UntagResourceInput {
        /// The table, by ARN.
        resource_arn: String,
        /// The keys of the tags.
        #[serde(default, deserialize_with = "crate::bounded::list")]
        tag_keys: Vec<String>,
    }

    /// An UntagResource answer, which says nothing.
    pub struct UntagResourceOutput {}
}

/// An UntagResource request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidUntagResource {
    /// The table.
    pub table: TableName,
    /// The keys; that a table has no tag with one of them is no error.
    pub keys: Vec<String>,
}

impl UntagResourceInput {
    /// Takes the tags with these keys from a table.
    pub fn new<K: Into<String>>(arn: impl Into<String>, keys: impl IntoIterator<Item = K>) -> Self {
        Self {
            resource_arn: Some(arn.into()),
            tag_keys: Some(keys.into_iter().map(Into::into).collect()),
        }
    }

    /// Checks everything that can be judged without the table.
    pub fn validate(self) -> Result<ValidUntagResource, Error> {
        let mut constraints = Constraints::default();
        resource_arn::constrain(&mut constraints, &self.resource_arn);
        constraints.required(Path::Root("tagKeys"), &self.tag_keys);
        let (arn, keys) = constraints.finish(self.resource_arn.zip(self.tag_keys))?;
        let table = resource_arn::table(&arn)?;
        if keys.is_empty() {
            return Err(Error::validation(wording::NO_TAG_KEYS));
        }
        for key in &keys {
            tag::check_key(Some(key))?;
        }
        Ok(ValidUntagResource { table, keys })
    }
}
