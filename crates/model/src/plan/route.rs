//! Ways from a row to others: to those it refers to, to those that refer to it, and through guards.

use super::key_text::KeyText;
use crate::model::{AccessId, Assignment, EntityId};
use serde::{Deserialize, Serialize};

/// How rows of an entity are found.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct EntityPlan {
    /// The names of its attributes.
    pub attributes: Vec<String>,
    /// Its keys: the primary one first, then those in indexes.
    pub keys: Vec<KeyText>,
    /// Where its rows stand in other layouts: their primary keys.
    pub layouts: Vec<KeyText>,
    /// Its keys in indexes, in those layouts.
    pub layout_indexes: Vec<KeyText>,
    /// Through its claims, by their position; none for a claim without a guard row.
    pub guards: Vec<Option<GuardPlan>>,
    /// From rows that it refers to back to its own, one for each reference.
    pub references: Vec<BackRoute>,
}

impl EntityPlan {
    /// Its primary key.
    #[must_use]
    pub fn primary(&self) -> Option<&KeyText> {
        self.keys.iter().find(|key| key.at.index().is_none())
    }

    /// The keys by which rows may be found of which `by` is known, in the order in which they are tried: the table's own key
    /// comes first, because it is read strongly; an index must show `by`.
    pub fn candidates<'p>(&'p self, by: &str) -> impl Iterator<Item = &'p KeyText> {
        let usable = move |key: &&KeyText| key.at.index().is_none() || key.uses(by);
        self.keys.iter().filter(usable)
    }

    /// The way back by a reference.
    #[must_use]
    pub fn reference(&self, attribute: &str) -> Option<&BackRoute> {
        let mut references = self.references.iter();
        references.find(|route| route.attribute == attribute)
    }
}

/// A value that is known by another name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// The attribute of the row that is looked for.
    pub name: String,
    /// The attribute of the row that is at hand.
    pub from: String,
}

/// From a row to one that it refers to: by its key, else by the guard of its id, else by whatever key shows the id.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RowRoute {
    /// What is looked for.
    pub entity: EntityId,
    /// What the row at hand tells of the other one's key; none if the key cannot be told so.
    pub key: Option<Vec<Given>>,
    /// The claim whose guard leads from an id to its row.
    pub guard: Option<usize>,
    /// The attribute that the reference holds.
    pub id: Option<String>,
}

/// From a row to those that refer to it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BackRoute {
    /// The entity that refers.
    pub entity: EntityId,
    /// Its attribute.
    pub attribute: String,
    /// What it refers to.
    pub target: EntityId,
    /// What the row that is referred to tells of those that refer.
    pub given: Vec<Given>,
    /// The claim whose guard leads to them, by its entity and position. Nothing else is asked then.
    pub guard: Option<(EntityId, usize)>,
    /// The pattern that finds them, where no key does.
    pub via: Option<AccessId>,
    /// Indexes in which rows of other layouts are found, beside those of today.
    pub old_layouts: Vec<KeyText>,
}

/// Through a guard: the guard row, then the row that it belongs to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GuardPlan {
    /// The claim's name.
    pub claim: String,
    /// Where the guard stands.
    pub guard: GuardKey,
    /// What the guard tells of its owner, beside what it was asked with.
    pub tells: Vec<Told>,
    /// The attribute under which the guard holds the owner's sort key, which changes when the owner moves.
    pub sort_key: Option<String>,
}

/// The key of a guard row.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum GuardKey {
    /// A row that is only a guard.
    Row(Box<KeyText>),
    /// A row of an entity.
    Entity {
        /// The entity.
        entity: EntityId,
        /// What its attributes are.
        set: Vec<Assignment>,
    },
}

/// What a guard tells of its owner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// The owner's attribute.
    pub name: String,
    /// Where the guard has it: in the item of a guard row, or in the row of an entity.
    pub held_as: String,
}
