//! Tags of a table.

use crate::constraint::{Constraints, Path};
use crate::structure::structure;
use crate::{Error, wording};

/// Longest key, in characters.
const MAX_KEY_CHARS: usize = 128;
/// Longest value, in characters.
const MAX_VALUE_CHARS: usize = 256;
/// Most tags of a table.
const MAX_TAGS: usize = 50;

structure! {
    /// A name and a value, of the owner's choice.
    pub struct Tag {
        /// The name.
        key: String,
        /// The value.
        value: String,
    }
}

impl Tag {
    /// A tag.
    pub fn new(key: impl Into<String>, value: impl Into<String>) -> Self {
        Self {
            key: Some(key.into()),
            value: Some(value.into()),
        }
    }

    /// Checks how many there are, once the constraints on each of them hold.
    pub(crate) fn check_count(tags: &Option<Vec<Self>>) -> Result<(), Error> {
        match tags {
            Some(tags) if tags.len() > MAX_TAGS => Err(Error::validation(wording::TOO_MANY_TAGS)),
            Some(_) | None => Ok(()),
        }
    }

    pub(crate) fn constrain(tags: &Option<Vec<Self>>, constraints: &mut Constraints) {
        const PATH: Path<'static> = Path::Root("tags");
        for (index, tag) in tags.iter().flatten().enumerate() {
            let path = PATH.element(index);
            if let Some(key) = constraints.required(path.field("key"), &tag.key) {
                constraints.text_length(path.field("key"), key, 1..=MAX_KEY_CHARS);
            }
            if let Some(value) = constraints.required(path.field("value"), &tag.value) {
                constraints.text_length(path.field("value"), value, 0..=MAX_VALUE_CHARS);
            }
        }
    }
}
