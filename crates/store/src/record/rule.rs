//! What a rule says, and what a row has of it.

use crate::value;
use crate::wire::PlainValue;
use monotable_expr::predicate::Root;
use monotable_expr::tree::PathStep;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Entity, Predicate};

/// How much of a value is shown.
const MOST_CHARACTERS: usize = 60;

/// The rule in the words of the model, and the attributes of the row that it is about. Secrets are not shown, nor are
/// attributes that callers do not see.
pub(crate) fn explain(entity: &Entity, rule: &Predicate, values: &Item) -> String {
    let mut named: Vec<&str> = Vec::new();
    for path in rule.parsed().paths() {
        if let (None | Some(Root::New), [PathStep::Name(name), ..]) = (path.root(), path.steps())
            && !named.contains(&name.as_str())
        {
            named.push(name);
        }
    }
    let shown = named.into_iter().filter_map(|name| {
        let attribute = entity.attribute(name)?;
        let is_hidden = attribute.secret.is_some() || attribute.internal;
        (!is_hidden).then(|| format!("`{name}` is {}", show_value(values.get(name))))
    });
    let shown: Vec<_> = shown.collect();
    let text = rule.to_string();
    if shown.is_empty() {
        format!("wanted is {text}")
    } else {
        format!("wanted is {text}, and {}", shown.join(", "))
    }
}

/// A value as messages show it.
pub(crate) fn show_value(value: Option<&AttributeValue>) -> String {
    let Some(found) = value else {
        return "absent".to_owned();
    };
    let Some(text) = value::show_text(found) else {
        // A list, a map or a set, as its JSON.
        let text = serde_json::to_string(&PlainValue(found)).unwrap_or_default();
        let (beginning, rest) = shorten(&text);
        return format!("{beginning}{rest}");
    };
    if let AttributeValue::N(_) | AttributeValue::Bool(_) = found {
        return text;
    }
    let (beginning, rest) = shorten(&text);
    format!("{beginning:?}{rest}")
}

/// The beginning of a text, and what stands for the rest.
fn shorten(text: &str) -> (String, &'static str) {
    let beginning: String = text.chars().take(MOST_CHARACTERS).collect();
    let rest = if beginning.len() < text.len() {
        "..."
    } else {
        ""
    };
    (beginning, rest)
}
