//! Expressions of all kinds, and the predicates of models, which share their parser.

use crate::flaw::{Flaw, demand};
use monotable_expr::predicate::Predicate;
use monotable_expr::{Condition, ExpressionKind, KeyCondition, Placeholders, Projection, Update};
use monotable_item::{AttributeValue, EncodedItem, Item};
use std::collections::{BTreeMap, BTreeSet};

/// Every placeholder of the text has a value. What parses runs on items without a panic, and leaves whole items.
pub(crate) fn check(input: &[u8]) -> Result<(), Flaw> {
    let Ok(text) = std::str::from_utf8(input) else {
        return Ok(());
    };
    check_predicate(text)?;
    let names = bind_names(text);
    let values = bind_values(text);
    let items = [EncodedItem::default(), sample_item()];
    let mut placeholders = Placeholders::new(&names, &values);
    let _ = placeholders.check_keys();
    for kind in [ExpressionKind::Condition, ExpressionKind::Filter] {
        if let Ok(condition) = Condition::parse(kind, text, &mut placeholders) {
            for item in &items {
                let _ = condition.matches(item.view());
            }
        }
    }
    if let Ok(condition) = KeyCondition::parse(text, &mut placeholders) {
        let _ = condition.check_shape();
        let _ = condition.resolve(&["a"], &["b"]);
    }
    for item in &items {
        if let Ok(projection) = Projection::parse(text, &mut placeholders) {
            check_projection(&projection, item)?;
        }
        if let Ok(update) = Update::parse(text, &mut placeholders) {
            check_update(&update, item)?;
        }
    }
    let _ = placeholders.check_all_used();
    Ok(())
}

/// A projection is a part of the item.
fn check_projection(projection: &Projection, item: &EncodedItem) -> Result<(), Flaw> {
    let part = projection.project(item.view());
    let (tree, whole) = (part.to_item(), item.to_item());
    let is_part = tree.iter().all(|(name, _)| whole.get(name).is_some());
    demand(part.is_well_formed() && is_part, || {
        format!("{projection:?} makes {tree:?} of {whole:?}")
    })
}

/// An update leaves a whole item, in which everything is as before that it does not name.
fn check_update(update: &Update, item: &EncodedItem) -> Result<(), Flaw> {
    let Ok(updated) = update.apply(item.view()) else {
        return Ok(());
    };
    let (before, after) = (item.to_item(), updated.item.to_item());
    demand(updated.item.is_well_formed(), || {
        format!("{update:?} makes a damaged item: {after:?}")
    })?;
    let named: BTreeSet<&str> = update.attributes().collect();
    for (name, value) in before
        .iter()
        .filter(|(name, _)| !named.contains(name.as_str()))
    {
        demand(after.get(name) == Some(value), || {
            format!("{update:?} changed {name}: {before:?} became {after:?}")
        })?;
    }
    Ok(())
}

/// A predicate is the same after it was printed and parsed.
fn check_predicate(text: &str) -> Result<(), Flaw> {
    let Ok(predicate) = Predicate::parse(text) else {
        return Ok(());
    };
    let printed = predicate.to_string();
    let again = Predicate::parse(&printed)
        .map_err(|error| Flaw::new(format!("{printed:?} was printed, and {error}")))?;
    let twice = again.to_string();
    demand(printed == twice, || {
        format!("{text:?} is printed as {printed:?}, and that as {twice:?}")
    })
}

/// The words that begin with this sign.
fn placeholders(text: &str, sign: char) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (_, rest) in text.match_indices(sign).map(|(at, _)| text.split_at(at)) {
        let length = rest
            .char_indices()
            .skip(1)
            .find(|(_, letter)| !letter.is_alphanumeric() && *letter != '_')
            .map_or(rest.len(), |(at, _)| at);
        found.extend(rest.get(..length).map(str::to_owned));
    }
    found
}

/// Names of the sample, in turn.
fn bind_names(text: &str) -> BTreeMap<String, String> {
    let attributes = ["a", "b", "c", "d", "e", "f"].iter().cycle();
    let names = placeholders(text, '#').into_iter();
    names
        .zip(attributes)
        .map(|(name, to)| (name, (*to).to_owned()))
        .collect()
}

/// Values of different types, in turn.
fn bind_values(text: &str) -> EncodedItem {
    let mut values = Item::new();
    let texts: BTreeSet<String> = ["x".to_owned(), "y".to_owned()].into();
    for (index, name) in placeholders(text, ':').into_iter().enumerate() {
        let value = match index % 5 {
            0 => AttributeValue::from(7),
            1 => AttributeValue::from("x"),
            2 => AttributeValue::L(vec![AttributeValue::from(1)]),
            3 => AttributeValue::Ss(texts.clone()),
            _ => AttributeValue::from(Item::new().with("b", 2)),
        };
        values.insert(name, value);
    }
    EncodedItem::from(values)
}

fn sample_item() -> EncodedItem {
    let deep = Item::new()
        .with("b", 1)
        .with("c", AttributeValue::L(vec![AttributeValue::Null]));
    let list = vec![
        AttributeValue::from(1),
        AttributeValue::from("x"),
        AttributeValue::from(deep.clone()),
    ];
    EncodedItem::from(
        Item::new()
            .with("a", 41)
            .with("b", "x")
            .with("c", AttributeValue::L(list))
            .with("d", deep)
            .with("e", AttributeValue::Ss(["x".to_owned()].into()))
            .with("f", true),
    )
}
