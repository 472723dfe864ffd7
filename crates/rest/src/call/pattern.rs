//! Parameters of access patterns.

use crate::problem::Problem;
use crate::query::QueryWords;
use crate::word::read_word;
use monotable_item::Item;
use monotable_model::model::{Access, Kind, Mode};
use monotable_store::{AnyOperation, Query};

/// Names of parameters that every pattern has, or that every request may have.
pub(crate) const RESERVED: &[&str] = &[
    "consistent",
    "cursor",
    "descending",
    "dry-run",
    "expecting",
    "explain",
    "limit",
];

/// What stands before a parameter of the model whose name is one of those.
const PREFIX: &str = "parameter.";

/// The name of a pattern's parameter in an address.
pub(crate) fn name_parameter(name: &str) -> String {
    if RESERVED.contains(&name) {
        format!("{PREFIX}{name}")
    } else {
        name.to_owned()
    }
}

/// The query that the words of an address ask for.
pub(super) fn read_query(access: &Access, words: &mut QueryWords) -> Result<AnyOperation, Problem> {
    let limit = words.take_count("limit")?;
    let after = words.take("cursor");
    let descending = words.take_choice("descending")?;
    let mut parameters = Item::new();
    for (word, text) in words.take_rest() {
        let name = match word.strip_prefix(PREFIX) {
            Some(name) if RESERVED.contains(&name) => name.to_owned(),
            _ => word,
        };
        let value = read_word(find_kind(access, &name), &name, text);
        parameters.insert(name, value);
    }
    Ok(AnyOperation::Query(Query {
        pattern: access.name.value.clone(),
        parameters,
        limit,
        after,
        descending,
    }))
}

/// What a parameter holds; none where a text is taken as it is.
fn find_kind<'m>(access: &'m Access, name: &str) -> Option<&'m Kind> {
    let ends = [".from", ".to"];
    let base = ends.iter().find_map(|end| name.strip_suffix(end));
    let mut parameters = access.parameters.iter();
    let found = parameters.find(|parameter| match parameter.mode {
        Mode::Range => base == Some(&parameter.name) || parameter.name == name,
        Mode::Plain | Mode::Optional | Mode::Open => parameter.name == name,
    })?;
    // A beginning of a number need not be one.
    (found.mode != Mode::Open).then_some(&found.kind)
}
