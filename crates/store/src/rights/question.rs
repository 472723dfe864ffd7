//! What is asked: a right to a change, and the rules of the model that decide it.

use super::allow::Side;
use crate::profile::in_predicate;
use crate::record::Record;
use crate::scope::Scope;
use monotable_model::model::{Entity, EntityId, Predicate};
use std::collections::BTreeSet;

/// What a caller wants to do with a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Right {
    Read,
    Create,
    Update,
    Delete,
    /// A row goes, or loses a reference, because what it refers to is deleted.
    Cascade,
    /// A row becomes one of another entity, from where it can be taken back.
    MoveAway,
    /// It becomes what it was.
    MoveBack,
}

impl Right {
    /// What was tried, for people.
    pub(super) const fn action(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Create => "create",
            Self::Update | Self::MoveBack => "update",
            Self::Delete | Self::Cascade | Self::MoveAway => "delete",
        }
    }

    /// The rule of the entity that a row before or after a change is of.
    fn rule(self, entity: &Entity, side: Side, clears: bool) -> Option<&Predicate> {
        let allow = &entity.allow;
        match self {
            Self::Read => allow.read.as_ref(),
            Self::Create => allow.create.as_ref(),
            Self::Update | Self::MoveBack => allow.update.as_ref(),
            Self::Delete => allow.delete.as_ref(),
            Self::Cascade => allow.cascade.as_ref().or(if clears {
                allow.update.as_ref()
            } else {
                allow.delete.as_ref()
            }),
            // The row of the other entity is new.
            Self::MoveAway => match side {
                Side::Old => allow.delete.as_ref(),
                Side::New => allow.create.as_ref(),
            },
        }
    }

    /// The name of the rule in the model that is asked of a row of an entity.
    pub(super) const fn rule_name(self, entity: &Entity, clears: bool) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Create => "create",
            Self::Update | Self::MoveBack => "update",
            Self::Delete | Self::MoveAway => "delete",
            Self::Cascade if entity.allow.cascade.is_some() => "cascade",
            Self::Cascade => {
                if clears {
                    "update"
                } else {
                    "delete"
                }
            }
        }
    }

    /// The right that grants must give, of the old place of the row and of the new one.
    pub(super) const fn granted_as(self, clears: bool) -> &'static str {
        match self {
            Self::Read => "READ",
            Self::Create | Self::Update | Self::MoveBack => "WRITE",
            Self::Delete | Self::MoveAway => "DELETE",
            Self::Cascade => {
                if clears {
                    "WRITE"
                } else {
                    "DELETE"
                }
            }
        }
    }
}

/// A question: may the caller make of the old row the new one? A create has no old row, a delete no new one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question<'r> {
    pub(crate) right: Right,
    pub(crate) old: Option<&'r Record>,
    pub(crate) new: Option<&'r Record>,
}

impl<'r> Question<'r> {
    /// May the caller see this row?
    pub(crate) const fn read(row: &'r Record) -> Self {
        Self {
            right: Right::Read,
            old: Some(row),
            new: Some(row),
        }
    }

    pub(crate) const fn create(new: &'r Record) -> Self {
        Self {
            right: Right::Create,
            old: None,
            new: Some(new),
        }
    }

    pub(crate) const fn update(old: &'r Record, new: &'r Record) -> Self {
        Self {
            right: Right::Update,
            old: Some(old),
            new: Some(new),
        }
    }

    pub(crate) const fn delete(old: &'r Record) -> Self {
        Self {
            right: Right::Delete,
            old: Some(old),
            new: None,
        }
    }

    /// The delete that an update comes to: it gives the row another time at which the table deletes it.
    pub(super) fn expiring(&self, scope: &Scope) -> Option<Self> {
        let (old, new) = (self.old?, self.new?);
        let entity = scope.entity(new.entity);
        let ttl = scope.model().table(entity.table).ttl.as_ref()?;
        let mut attributes = entity.attributes.iter();
        let attribute = attributes.find(|attribute| attribute.stored == ttl.value)?;
        let name = &attribute.name.value;
        let (before, after) = (old.values.get(name), new.values.get(name));
        let is_asked = self.right == Right::Update && after.is_some() && before != after;
        is_asked.then(|| Self::delete(old))
    }

    /// The row by which people know what is asked.
    pub(super) fn subject(&self) -> Option<&'r Record> {
        self.old.or(self.new)
    }

    pub(super) const fn clears(&self) -> bool {
        self.new.is_some()
    }
}

/// Which rows of a change are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    Both,
    /// The new row is not worked out yet: what may still be allowed passes.
    Old,
    /// The new row is not worked out yet, and only what is allowed whatever it will be passes.
    OldForSure,
}

/// The rules that decide a question, each with the row that it is asked of.
pub(super) fn rules<'s>(
    scope: &'s Scope,
    question: &Question<'_>,
    known: Known,
) -> Vec<(&'s Predicate, Side)> {
    let rule = |row: Option<&Record>, side: Side| {
        let entity = scope.entity(row?.entity);
        let rule = question.right.rule(entity, side, question.clears())?;
        Some((rule, side))
    };
    let old = rule(question.old, Side::Old);
    // Both rows of a read are the one that is read.
    let new = match (question.right, known) {
        (Right::Read, _) | (_, Known::Old | Known::OldForSure) => None,
        (_, Known::Both) => rule(question.new, Side::New),
    };
    old.into_iter().chain(new).collect()
}

/// The attributes of a row that a rule was decided by: a write demands that they are what was read.
pub(crate) fn decided_by(
    scope: &Scope,
    entity: EntityId,
    right: Right,
    clears: bool,
) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    if scope.asks_rights() {
        let entity = scope.entity(entity);
        if let Some(rule) = right.rule(entity, Side::Old, clears) {
            in_predicate(rule, &mut names);
        }
        names.retain(|name| entity.attribute(name).is_some());
    }
    names
}
