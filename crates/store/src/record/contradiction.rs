//! Rows whose attributes contradict their primary key.
//!
//! Whoever wrote such a row did not use the model. The key counts when it is read, because the row stands there and nowhere
//! else; `verify` reports it, and a change of it is refused, because it would move the row.

use super::Record;
use crate::value;
use monotable_item::{AttributeValue, Item};
use monotable_model::compiled::CompiledModel;
use std::fmt;

/// An attribute of an item that contradicts the item's primary key, which is what the row was read by.
pub(crate) fn find_contradiction(
    model: &CompiledModel,
    record: &Record,
    item: &Item,
) -> Option<Contradiction> {
    let entity = model.model().entity(record.entity);
    let of_key = entity.key_attributes();
    let attributes = of_key.into_iter().filter_map(|name| entity.attribute(name));
    let mut stored = attributes.filter(|attribute| !attribute.key_only);
    stored.find_map(|attribute| {
        let name = &attribute.name.value;
        let said = item.get(&attribute.stored)?;
        let known = record.values.get(name)?;
        let spelled = value::accept(&attribute.kind, said.clone());
        let agrees = said == known || spelled.is_ok_and(|spelled| spelled == *known);
        (!agrees).then(|| Contradiction {
            attribute: name.clone(),
            said: said.clone(),
            in_key: known.clone(),
        })
    })
}

/// An attribute that says something else than the primary key.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Contradiction {
    attribute: String,
    said: AttributeValue,
    in_key: AttributeValue,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            attribute,
            said,
            in_key,
        } = self;
        let (said, in_key) = (PlainText(said), PlainText(in_key));
        write!(
            f,
            "`{attribute}` is {said}, and the primary key says {in_key}"
        )
    }
}

struct PlainText<'v>(&'v AttributeValue);

impl fmt::Display for PlainText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            AttributeValue::S(text) => write!(f, "`{text}`"),
            AttributeValue::N(number) => write!(f, "`{number}`"),
            _ => f.write_str("something else"),
        }
    }
}
