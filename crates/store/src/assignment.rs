//! What assignments of a model give.

use crate::scope::Scope;
use crate::template;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Assigned, Part, Source};

/// What an assignment gives, from values by their names.
pub(crate) fn assigned_value(
    scope: &Scope,
    values: &Item,
    value: &Assigned,
) -> Option<AttributeValue> {
    match value {
        Assigned::Flag(flag) => Some(AttributeValue::Bool(*flag)),
        Assigned::Number(number) => number.parse().ok().map(AttributeValue::N),
        Assigned::Template(template) => {
            // A bare attribute keeps its type.
            if let [Part::Field(field)] = template.parts.as_slice()
                && let [
                    Source::Path {
                        root: None, names, ..
                    },
                ] = field.sources.as_slice()
                && let ([name], true) = (names.as_slice(), field.formats.is_empty())
            {
                return values.get(&name.value).cloned();
            }
            template::render(scope.model(), values, template, &scope.circumstances)
                .map(AttributeValue::S)
        }
    }
}
