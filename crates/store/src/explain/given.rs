//! What a caller gives with an operation.

use crate::operation::{
    AnyOperation, Attach, Carry, CheckSecret, CommitAll, Create, Delete, Detach, Diff, Get, Log,
    MoveRow, Options, Purge, Put, Revert, Rollback, Show, Sweep, Transact, Update,
};
use crate::operation::{At, Commit, Parent};
use monotable_item::{AttributeValue, Item};
use std::collections::BTreeSet;

/// Texts, numbers and flags that the caller knows, because it gave them.
#[derive(Clone, Debug, Default)]
pub(super) struct GivenValues {
    /// As they were given, and trimmed and in lower case, because keys show many values so.
    texts: BTreeSet<String>,
    flags: BTreeSet<bool>,
}

impl GivenValues {
    pub(super) fn new(operation: &AnyOperation, options: &Options, known: Vec<Item>) -> Self {
        let mut given = Self::default();
        given.add_operation(operation);
        given.add_item(&options.expected);
        known.iter().for_each(|item| given.add_item(item));
        given
    }

    /// Whether a text, or a number as text, was given, or is how a key shows what was given. How a stored value is spelled
    /// otherwise is not known to whoever gave another spelling of it.
    pub(super) fn has_text(&self, text: &str) -> bool {
        self.texts.contains(text)
    }

    pub(super) fn has_flag(&self, flag: Option<bool>) -> bool {
        flag.is_some_and(|flag| self.flags.contains(&flag))
    }

    fn add_operation(&mut self, operation: &AnyOperation) {
        match operation {
            AnyOperation::Create(Create { values, .. })
            | AnyOperation::Put(Put { values, .. })
            | AnyOperation::Attach(Attach { values, .. }) => self.add_item(values),
            AnyOperation::Get(Get { key, .. })
            | AnyOperation::Delete(Delete { key, .. })
            | AnyOperation::Detach(Detach { key, .. })
            | AnyOperation::CheckSecret(CheckSecret { key, .. }) => self.add_item(key),
            AnyOperation::Update(Update { key, change, .. }) => {
                for item in [key, &change.set, &change.add, &change.append] {
                    self.add_item(item);
                }
            }
            AnyOperation::MoveRow(MoveRow {
                key, set: values, ..
            })
            | AnyOperation::Carry(Carry { key, values, .. }) => {
                self.add_item(key);
                self.add_item(values);
            }
            AnyOperation::Query(query) => self.add_item(&query.parameters),
            AnyOperation::Transact(Transact { operations }) => {
                operations.iter().for_each(|one| self.add_operation(one));
            }
            AnyOperation::Commit(commit) => self.add_commit(commit),
            AnyOperation::CommitAll(CommitAll { commits }) => {
                commits.iter().for_each(|one| self.add_commit(one))
            }
            AnyOperation::Log(Log { key, .. }) | AnyOperation::Sweep(Sweep { key, .. }) => {
                self.add_item(key);
            }
            AnyOperation::Show(show) => self.add_show(show),
            AnyOperation::Diff(diff) => self.add_diff(diff),
            AnyOperation::Rollback(rollback) => self.add_rollback(rollback),
            AnyOperation::Revert(revert) => self.add_revert(revert),
            AnyOperation::Purge(Purge { owner }) => self.add_item(owner),
        }
    }

    fn add_commit(&mut self, commit: &Commit) {
        self.add_item(&commit.key);
        self.add_item(&commit.values);
        self.add_parent(&commit.parent);
        commit
            .changes
            .iter()
            .for_each(|one| self.add_operation(one));
    }

    fn add_show(&mut self, show: &Show) {
        self.add_item(&show.key);
        self.add_at(&show.at);
        show.under.iter().for_each(|id| self.add_text(id));
    }

    fn add_diff(&mut self, diff: &Diff) {
        self.add_item(&diff.key);
        self.add_at(&diff.from);
        self.add_at(&diff.to);
    }

    fn add_rollback(&mut self, rollback: &Rollback) {
        self.add_item(&rollback.key);
        self.add_text(&rollback.to);
        rollback.from.iter().for_each(|from| self.add_text(from));
    }

    fn add_revert(&mut self, revert: &Revert) {
        self.add_item(&revert.key);
        self.add_at(&revert.to);
        self.add_item(&revert.values);
        self.add_parent(&revert.parent);
    }

    fn add_at(&mut self, at: &At) {
        match at {
            At::Head => {}
            At::Revision(text) | At::Time(text) => self.add_text(text),
        }
    }

    fn add_parent(&mut self, parent: &Parent) {
        match parent {
            Parent::Head | Parent::None => {}
            Parent::Is(text) | Parent::Rebased(text) => self.add_text(text),
        }
    }

    fn add_item(&mut self, item: &Item) {
        for (_, value) in item.iter() {
            self.add_value(value);
        }
    }

    fn add_value(&mut self, value: &AttributeValue) {
        match value {
            AttributeValue::S(text) => self.add_text(text),
            AttributeValue::N(number) => self.add_text(&number.to_string()),
            AttributeValue::Bool(flag) => {
                self.flags.insert(*flag);
            }
            AttributeValue::L(values) => values.iter().for_each(|one| self.add_value(one)),
            AttributeValue::M(values) => self.add_item(values),
            AttributeValue::Ss(texts) => texts.iter().for_each(|text| self.add_text(text)),
            AttributeValue::Ns(numbers) => numbers
                .iter()
                .for_each(|number| self.add_text(&number.to_string())),
            AttributeValue::B(_) | AttributeValue::Bs(_) | AttributeValue::Null => {}
        }
    }

    fn add_text(&mut self, text: &str) {
        let trimmed = text.trim();
        self.texts.insert(trimmed.to_lowercase());
        for spelling in [text, trimmed] {
            self.texts.insert(spelling.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_spelling_of_what_was_given_is_not_known() {
        let mut given = GivenValues::default();
        given.add_item(&Item::new().with("Email", " Ada@example.com"));
        for known in [" Ada@example.com", "Ada@example.com", "ada@example.com"] {
            assert!(given.has_text(known), "{known}");
        }
        assert!(!given.has_text("ADA@example.com"));
    }
}
