//! Layouts that are the keys of the old version, and patterns that do not meet rows under them.

use super::PairComparison;
use super::keys::{find_layout, index_name, key_at, stored_text};
use super::moves::shows_same_texts;
use super::patterns::readers;
use monotable_model::model::{Key, Part, Way};

/// The layouts of the new version that are old keys, each once; empty if a changed key has none.
pub(super) fn list_old_layouts(pair: &PairComparison<'_, '_>) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for (place, was, is) in changed_keys(pair) {
        let text = stored_text(pair.whole.old, pair.pair.old.table, was);
        if shows_same_texts(pair, was, is) {
            continue;
        }
        let layout = find_layout(pair.whole.new, pair.pair.new, &place, &text)?;
        names.push(layout.name.value.clone());
    }
    Some(names)
}

/// Keys that both versions have at a place and that differ.
fn changed_keys<'c>(pair: &'c PairComparison<'_, '_>) -> Vec<(String, &'c Key, &'c Key)> {
    let (old, new) = (pair.whole.old, pair.whole.new);
    let keys = pair.pair.new.keys.iter().filter(|key| !key.implied);
    let both = keys.filter_map(|is| {
        let place = index_name(new, pair.pair.new.table, is.place);
        let was = key_at(old, pair.pair.old, &place)?;
        (stored_text(old, pair.pair.old.table, was) != stored_text(new, pair.pair.new.table, is))
            .then_some((place, was, is))
    });
    both.collect()
}

/// Patterns of the new version that do not meet rows under the old keys.
pub(super) fn list_gaps(pair: &PairComparison<'_, '_>) -> Vec<String> {
    let new = pair.whole.new;
    let mut gaps = Vec::new();
    for (_, was, is) in changed_keys(pair) {
        for name in readers(new, pair.pair.new_id, pair.pair.new.table, is.place) {
            let way = new.pattern_named(&name).map(|(_, access)| &access.way);
            if let Some(Way::Query { key, .. }) = way
                && !meets_both(key, was, is)
            {
                gaps.push(name);
            }
        }
    }
    gaps
}

/// Whether a condition selects rows under both keys alike: the same partition, and of the sort key only what both begin with.
fn meets_both(condition: &Key, was: &Key, is: &Key) -> bool {
    let texts = |key: &Key| -> Vec<String> {
        let templates = key.partition_templates();
        templates.map(|template| template.text.clone()).collect()
    };
    let literal = |key: &Key| {
        let first = key
            .range
            .as_ref()
            .and_then(|range| range.parts.first().cloned());
        match first {
            Some(Part::Literal(text)) => text.value,
            _ => String::new(),
        }
    };
    let is_plain = condition
        .range
        .as_ref()
        .is_none_or(|range| matches!(range.parts.as_slice(), [Part::Literal(_)]) && range.open_end);
    let asked = literal(condition);
    let sorts = condition.range.is_none()
        || literal(was).starts_with(&asked) && literal(is).starts_with(&asked);
    texts(was) == texts(is) && texts(condition) == texts(is) && is_plain && sorts
}
