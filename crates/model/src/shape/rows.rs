//! What a move makes of rows that go along: `{row.PK}` and its like.

use super::{Variables, Vocabulary, pattern};
use crate::model::{EntityId, Key, KeyPlace, Model, MoveKind, Way};
use monotable_language::Language;
use std::collections::BTreeMap;

/// For each entity that a move makes of the rows that go along, what they had as keys: those of the entities that
/// are known to go along. Sort keys can be anything, because rows that the model does not know go along too.
pub(super) fn moved(
    model: &Model,
    vocabulary: &Vocabulary<'_>,
) -> BTreeMap<(usize, String), Language> {
    let mut rows = BTreeMap::new();
    for movement in &model.moves {
        let MoveKind::To {
            rest: Some(rest), ..
        } = &movement.kind
        else {
            continue;
        };
        let table = model.table(model.entity(*rest).table);
        let mut add = |name: &str, language: Language| {
            rows.insert((rest.index(), name.to_owned()), language);
        };
        let carried = carried(model, movement.of);
        add(
            &table.hash.value,
            hashes(model, vocabulary, &carried, KeyPlace::Primary),
        );
        if let Some(range) = &table.range {
            add(&range.value, Language::nonempty_text());
        }
        for (position, index) in table.indexes.iter().enumerate() {
            add(
                &index.hash.value,
                hashes(model, vocabulary, &carried, KeyPlace::Index(position)),
            );
            for name in index.attributes().skip(1) {
                add(&name.value, Language::nonempty_text());
            }
        }
    }
    rows
}

/// The entities that go along with a row: those of the patterns it owns, but itself.
pub fn carried(model: &Model, of: EntityId) -> Vec<EntityId> {
    let mut carried = Vec::new();
    for id in &model.entity(of).owns {
        let Some(access) = model.access.get(id.index()) else {
            continue;
        };
        if matches!(access.way, Way::Query { .. } | Way::Get { .. }) {
            carried.extend(access.returns.iter().filter(|id| **id != of));
        }
    }
    carried
}

fn hashes(
    model: &Model,
    vocabulary: &Vocabulary<'_>,
    entities: &[EntityId],
    place: KeyPlace,
) -> Language {
    let mut union = Language::nothing();
    for id in entities {
        let entity = model.entity(*id);
        let layouts = entity.layouts.iter().flat_map(|layout| &layout.keys);
        let at_place = |key: &&Key| key.place == place;
        for key in entity.keys.iter().chain(layouts).filter(at_place) {
            let mut variables = Variables::default();
            union =
                union.union(&pattern(&key.hash, id.index(), vocabulary, &mut variables).language());
        }
    }
    if union.is_empty() {
        // Nothing is known of them.
        Language::nonempty_text()
    } else {
        union
    }
}
