//! `AttributesToGet`: which attributes a read returns.

use crate::constraint::{Constraints, Path};
use crate::{Error, wording};
use monotable_expr::Projection;
use monotable_expr::tree::DocumentPath;
use monotable_item::limits::MAX_ATTRIBUTE_NAME_BYTES;
use std::collections::BTreeSet;

/// AWS's limit on the length of the list.
const MOST_ATTRIBUTES: usize = 255;

/// Checks the constraints on the list.
pub(crate) fn constrain(
    constraints: &mut Constraints,
    path: Path<'_>,
    names: &Option<Vec<String>>,
) {
    let Some(names) = names else { return };
    constraints.list_length(path, names, 1..=MOST_ATTRIBUTES);
    for (index, name) in names.iter().enumerate() {
        let path = path.element(index);
        constraints.text_length(path, name, 0..=MAX_ATTRIBUTE_NAME_BYTES);
    }
}

/// The projection on the attributes of the list, each of which may be there once.
pub(crate) fn projection(names: &Option<Vec<String>>) -> Result<Option<Projection>, Error> {
    let Some(names) = names else {
        return Ok(None);
    };
    let mut seen = BTreeSet::new();
    if let Some(twice) = names.iter().find(|name| !seen.insert(name.as_str())) {
        return Err(Error::validation(wording::attribute_twice(twice)));
    }
    let paths = names.iter().map(DocumentPath::new).collect();
    Projection::from_paths(paths)
        .map(Some)
        .map_err(Error::validation)
}
