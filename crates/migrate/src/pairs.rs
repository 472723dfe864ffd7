//! Which entities of two versions have the same rows.
//!
//! Entities of one name belong together. Entities with names that are new belong to those whose rows they have, by keys and discriminators: an
//! entity was renamed, or split. One whose name is gone belongs to whoever has its rows now; several may belong to one, which then merges them.

use crate::recognition::{RecognitionVerdict, recognise};
use monotable_model::model::{Entity, EntityId, Key, Model};

/// An entity of the old version, and one of the new version that has rows of it.
#[derive(Clone, Copy)]
pub(crate) struct Pair<'m> {
    pub(crate) old_id: EntityId,
    pub(crate) old: &'m Entity,
    pub(crate) new_id: EntityId,
    pub(crate) new: &'m Entity,
}

/// How the entities of two versions belong together.
pub(crate) struct Pairs<'m> {
    pub(crate) pairs: Vec<Pair<'m>>,
    /// Entities of the old version whose rows nobody has.
    pub(crate) removed: Vec<(EntityId, &'m Entity)>,
    /// Entities of the new version that have no rows yet.
    pub(crate) added: Vec<(EntityId, &'m Entity)>,
}

impl<'m> Pairs<'m> {
    pub(crate) fn new(old: &'m Model, new: &'m Model) -> Self {
        let mut pairs: Vec<Pair<'m>> = Vec::new();
        let mut removed = Vec::new();
        for (old_id, entity) in old.stored() {
            let successors = successors(old, (old_id, entity), new);
            if successors.is_empty() {
                removed.push((old_id, entity));
            }
            pairs.extend(successors.into_iter().map(|(new_id, successor)| Pair {
                old_id,
                old: entity,
                new_id,
                new: successor,
            }));
        }
        let is_new = |id: EntityId| !pairs.iter().any(|pair| pair.new_id == id);
        let added = new.stored().filter(|(id, _)| is_new(*id)).collect();
        Self {
            pairs,
            removed,
            added,
        }
    }

    /// The entities of the new version that rows of an old one become.
    pub(crate) fn of_old(&self, id: EntityId) -> Vec<Pair<'m>> {
        let pairs = self.pairs.iter();
        pairs.filter(|pair| pair.old_id == id).copied().collect()
    }

    /// The entities of the old version whose rows a new one has.
    pub(crate) fn of_new(&self, id: EntityId) -> Vec<Pair<'m>> {
        let pairs = self.pairs.iter();
        pairs.filter(|pair| pair.new_id == id).copied().collect()
    }
}

/// Who has the rows of an entity now.
fn successors<'m>(
    old: &Model,
    (id, entity): (EntityId, &Entity),
    new: &'m Model,
) -> Vec<(EntityId, &'m Entity)> {
    let is_known = |other: &Entity| {
        old.entity_named(&other.name.value)
            .is_some_and(|(_, known)| known.is_stored())
    };
    let named = new
        .stored()
        .find(|(_, other)| other.name.value == entity.name.value);
    let has_fresh = new.stored().any(|(_, other)| !is_known(other));
    if let (Some(named), false) = (named, has_fresh) {
        return vec![named];
    }
    let recognition = recognise(old, id, new);
    let takers = recognition.takers.iter().map(|id| (*id, new.entity(*id)));
    let mut found: Vec<_> = takers
        .filter(|(taker, other)| match named {
            Some((named, _)) => *taker == named || !is_known(other),
            None => true,
        })
        .collect();
    if let Some((named_id, named)) = named
        && !found.iter().any(|(id, _)| *id == named_id)
        && (found.is_empty() || !matches!(recognition.verdict, RecognitionVerdict::ByOne))
    {
        found.insert(0, (named_id, named));
    }
    if !found.is_empty() {
        return found;
    }
    let alike: Vec<_> = new
        .stored()
        .filter(|(_, other)| has_same_key((old, entity), (new, other)))
        .collect();
    let (kept, fresh): (Vec<_>, Vec<_>) = alike.into_iter().partition(|(_, other)| is_known(other));
    // Names that are new take the rows over; if there are none, one that was there merges them.
    if fresh.is_empty() { kept } else { fresh }
}

fn has_same_key((old, a): (&Model, &Entity), (new, b): (&Model, &Entity)) -> bool {
    let text = |key: Option<&Key>| {
        key.map(|key| {
            key.templates()
                .map(|template| template.text.clone())
                .collect::<Vec<_>>()
        })
    };
    old.table(a.table).name.value == new.table(b.table).name.value
        && text(a.primary()) == text(b.primary())
}
