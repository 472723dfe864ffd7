//! What makes two calls the same: a hash of the operation and its parameters.
//!
//! Values of secret and hashed attributes are left out: a fast hash of a password in the table would undo the slow one.

use super::hexadecimal;
use crate::operation::{
    AnyOperation, Attach, CallIdentity, Carry, CheckSecret, CommitAll, Create, Delete, Detach, Get,
    MoveRow, Purge, Put, Revert, Rollback, Transact, Update,
};
use crate::operation::{At, Commit, Parent};
use crate::record::Change;
use crate::scope::Scope;
use monotable_item::{AttributeValue, EncodedItem, Item};
use monotable_model::model::{Attribute, Entity};
use sha2::{Digest, Sha256};

/// A hash under way. Every part goes in with its length, so that no two calls give the same bytes.
pub(super) struct Fingerprint<'s> {
    scope: &'s Scope,
    hash: Sha256,
}

impl<'s> Fingerprint<'s> {
    pub(super) fn new(scope: &'s Scope) -> Self {
        let hash = Sha256::new();
        Self { scope, hash }
    }

    pub(super) fn finish(self) -> String {
        hexadecimal(&self.hash.finalize())
    }

    pub(super) fn add_identity(&mut self, identity: &CallIdentity) {
        self.add_operation(&identity.operation);
        self.add_expected(&identity.operation, &identity.expected);
        self.add_text(&identity.condition);
    }

    pub(super) fn add_expected(&mut self, operation: &AnyOperation, expected: &Item) {
        self.add_item(Some(operation.subject()), expected);
    }

    pub(super) fn add_operation(&mut self, operation: &AnyOperation) {
        self.add_text(operation.name());
        match operation {
            AnyOperation::Create(Create { entity, values })
            | AnyOperation::Put(Put { entity, values })
            | AnyOperation::Attach(Attach { entity, values }) => {
                self.add_text(entity);
                self.add_item(Some(entity), values);
            }
            AnyOperation::Get(Get { entity, key })
            | AnyOperation::Delete(Delete { entity, key })
            | AnyOperation::Detach(Detach { entity, key })
            | AnyOperation::CheckSecret(CheckSecret { entity, key, .. }) => {
                self.add_key(entity, key)
            }
            AnyOperation::Update(Update {
                entity,
                key,
                change,
            }) => {
                self.add_key(entity, key);
                self.add_change(entity, change);
            }
            AnyOperation::MoveRow(MoveRow { name, key, set }) => {
                self.add_text(name);
                self.add_item(None, key);
                self.add_item(None, set);
            }
            AnyOperation::Query(query) => {
                self.add_text(&query.pattern);
                self.add_item(None, &query.parameters);
            }
            AnyOperation::Transact(Transact { operations }) => self.add_operations(operations),
            AnyOperation::Commit(commit) => self.add_commit(commit),
            AnyOperation::CommitAll(CommitAll { commits }) => {
                self.add_count(commits.len());
                commits.iter().for_each(|commit| self.add_commit(commit));
            }
            AnyOperation::Rollback(rollback) => self.add_rollback(rollback),
            AnyOperation::Revert(revert) => self.add_revert(revert),
            // These take no token.
            AnyOperation::Log(_)
            | AnyOperation::Show(_)
            | AnyOperation::Diff(_)
            | AnyOperation::Sweep(_) => {}
            AnyOperation::Carry(Carry { name, key, values }) => {
                self.add_text(name);
                self.add_item(None, key);
                self.add_item(None, values);
            }
            AnyOperation::Purge(Purge { owner }) => self.add_item(None, owner),
        }
    }

    fn add_operations(&mut self, operations: &[AnyOperation]) {
        self.add_count(operations.len());
        operations.iter().for_each(|one| self.add_operation(one));
    }

    fn add_commit(&mut self, commit: &Commit) {
        self.add_text(&commit.repository);
        self.add_item(None, &commit.key);
        self.add_item(None, &commit.values);
        self.add_parent(&commit.parent);
        self.add_operations(&commit.changes);
    }

    fn add_parent(&mut self, parent: &Parent) {
        let (kind, revision) = match parent {
            Parent::Head => ("head", ""),
            Parent::None => ("none", ""),
            Parent::Is(revision) => ("is", revision.as_str()),
            Parent::Rebased(revision) => ("rebased", revision.as_str()),
        };
        self.add_text(kind);
        self.add_text(revision);
    }

    fn add_rollback(&mut self, rollback: &Rollback) {
        self.add_text(&rollback.repository);
        self.add_item(None, &rollback.key);
        self.add_text(&rollback.to);
        self.add_text(rollback.from.as_deref().unwrap_or_default());
    }

    fn add_revert(&mut self, revert: &Revert) {
        self.add_text(&revert.repository);
        self.add_item(None, &revert.key);
        let (kind, at) = match &revert.to {
            At::Head => ("head", ""),
            At::Revision(revision) => ("revision", revision.as_str()),
            At::Time(time) => ("time", time.as_str()),
        };
        self.add_text(kind);
        self.add_text(at);
        self.add_item(None, &revert.values);
        self.add_parent(&revert.parent);
    }

    /// The key of a row. One that holds a secret counts by what it is in the table, where the answer's address is too.
    fn add_key(&mut self, entity: &str, key: &Item) {
        self.add_text(entity);
        self.add_item(Some(entity), key);
        let declared = self.scope.model().entity_named(entity);
        let Some((id, declared)) = declared else {
            return;
        };
        if key.iter().any(|(name, _)| is_private(declared, name))
            && let Ok(address) = self.scope.address(id, key)
        {
            self.add_text(address.partition_key());
            self.add_text(address.sort_key().unwrap_or_default());
        }
    }

    fn add_change(&mut self, entity: &str, change: &Change) {
        for given in [&change.set, &change.add, &change.append] {
            self.add_item(Some(entity), given);
        }
        self.add_count(change.unset.len());
        change.unset.iter().for_each(|name| self.add_text(name));
    }

    /// Values by the names of the model, without those that are private; what no entity is known of is held against all.
    fn add_item(&mut self, entity: Option<&str>, values: &Item) {
        let model = self.scope.model();
        let known = entity.and_then(|entity| model.entity_named(entity));
        let private = |name: &str| match known {
            Some((_, entity)) => is_private(entity, name),
            None => model.stored().any(|(_, entity)| is_private(entity, name)),
        };
        let mut shown = Item::new();
        for (name, value) in values.iter() {
            let value = if private(name) {
                AttributeValue::Null
            } else {
                value.clone()
            };
            shown.insert(name.clone(), value);
        }
        self.add_bytes(EncodedItem::from(&shown).as_bytes());
    }

    fn add_count(&mut self, count: usize) {
        self.add_bytes(&(count as u64).to_be_bytes());
    }

    fn add_text(&mut self, text: &str) {
        self.add_bytes(text.as_bytes());
    }

    fn add_bytes(&mut self, bytes: &[u8]) {
        self.hash.update((bytes.len() as u64).to_be_bytes());
        self.hash.update(bytes);
    }
}

fn is_private(entity: &Entity, name: &str) -> bool {
    let private = |attribute: &Attribute| attribute.secret.is_some() || attribute.hashed.is_some();
    entity.attribute(name).is_some_and(private)
}
