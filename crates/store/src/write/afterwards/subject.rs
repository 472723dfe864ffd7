//! What an operation is about, as its caller has said it.

use crate::change::{Direction, find_direction};
use crate::mechanism::audit::AuditedAction;
use crate::operation::{
    AnyOperation, Attach, Create, Delete, Detach, Get, MoveRow, Put, Transact, Update,
};
use crate::pattern;
use crate::scope::Scope;
use monotable_item::Item;
use monotable_model::model::{Access, EntityId, Move, Way};

/// A row that an operation is about.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    pub(super) entity: EntityId,
    /// The entity whose row it is now: rows that were moved away are noted as what they were.
    pub(super) stands: EntityId,
    pub(super) verb: AuditedAction,
    /// A new row's attributes, or those of a key.
    pub(super) given: Item,
    /// The attributes are a key.
    pub(super) is_key: bool,
    /// The row may be there already.
    pub(super) is_put: bool,
}

/// The rows that an operation is about; none if it is about none that could be watched.
pub(super) fn list_subjects(scope: &Scope, operation: &AnyOperation) -> Vec<Subject> {
    let named = |entity: &str, verb: AuditedAction, given: &Item, is_key: bool| {
        let entity = scope.entity_named(entity).ok();
        let subject = entity.map(|entity| Subject {
            entity,
            stands: entity,
            verb,
            given: given.clone(),
            is_key,
            is_put: matches!(operation, AnyOperation::Put(Put { .. })),
        });
        subject.into_iter().collect::<Vec<_>>()
    };
    match operation {
        AnyOperation::Create(Create { entity, values })
        | AnyOperation::Attach(Attach { entity, values })
        | AnyOperation::Put(Put { entity, values }) => {
            named(entity, AuditedAction::Create, values, false)
        }
        AnyOperation::Get(Get { entity, key }) => named(entity, AuditedAction::Read, key, true),
        AnyOperation::Update(Update { entity, key, .. }) => {
            named(entity, AuditedAction::Update, key, true)
        }
        AnyOperation::Delete(Delete { entity, key })
        | AnyOperation::Detach(Detach { entity, key }) => {
            named(entity, AuditedAction::Delete, key, true)
        }
        AnyOperation::MoveRow(MoveRow { name, key, .. }) => {
            let mut moves = scope.model().moves.iter();
            let found = moves.find_map(|declared| Some((declared.of, find_move(declared, name)?)));
            let Some((of, (stands, verb))) = found else {
                return Vec::new();
            };
            let mut subjects = named(scope.name(of), verb, key, true);
            for subject in &mut subjects {
                subject.stands = stands.unwrap_or(of);
            }
            subjects
        }
        AnyOperation::Transact(Transact { operations }) => operations
            .iter()
            .flat_map(|operation| list_subjects(scope, operation))
            .collect(),
        AnyOperation::Query(query) => match single(scope, &query.pattern) {
            Some(entity) => named(
                scope.name(entity),
                AuditedAction::Read,
                &query.parameters,
                true,
            ),
            None => Vec::new(),
        },
        // Passwords that are tried, and versioned rows, which have a log.
        AnyOperation::CheckSecret(_)
        | AnyOperation::Commit(_)
        | AnyOperation::CommitAll(_)
        | AnyOperation::Log(_)
        | AnyOperation::Show(_)
        | AnyOperation::Diff(_)
        | AnyOperation::Rollback(_)
        | AnyOperation::Revert(_)
        | AnyOperation::Sweep(_)
        | AnyOperation::Carry(_)
        | AnyOperation::Purge(_) => Vec::new(),
    }
}

/// Whose row an operation of a move finds, if not that of the entity that moves, and what it does.
fn find_move(declared: &Move, name: &str) -> Option<(Option<EntityId>, AuditedAction)> {
    let Some(other) = find_direction(declared, name) else {
        return (declared.name.value == name).then_some((None, AuditedAction::Update));
    };
    Some(match other.direction {
        Direction::Back => (Some(other.to), AuditedAction::Update),
        Direction::Purge => (Some(other.to), AuditedAction::Delete),
        Direction::Away => (None, AuditedAction::Delete),
    })
}

/// The entity of a pattern that gets one row of one entity.
fn single(scope: &Scope, pattern: &str) -> Option<EntityId> {
    let access = pattern::find_pattern(scope, pattern).ok()?;
    match access.returns.as_slice() {
        [entity] if gets(access) => Some(*entity),
        _ => None,
    }
}

/// Whether a pattern is a get: of one row, by its key or by a unique value. What lists rows views none of them.
pub(super) fn gets(access: &Access) -> bool {
    access.one || matches!(access.way, Way::Get { .. } | Way::Through { .. })
}
