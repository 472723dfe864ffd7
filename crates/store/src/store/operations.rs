//! The operations of a store, each as a call that can be awaited.

use super::{Call, Store};
use crate::operation::{
    AnyOperation, Attach, Carry, CheckSecret, CommitAll, Create, Delete, Detach, Diff, Get, Log,
    MoveRow, Operation, Purge, Put, Query, Revert, Rollback, Show, Sweep, Transact, Update,
};
use crate::operation::{At, Commit, Parent};
use crate::record::Change;
use monotable_item::Item;
use std::time::Duration;

impl Store {
    /// Calls an operation.
    pub fn call<O: Operation>(&self, operation: O) -> Call<'_, O> {
        Call::new(self, operation)
    }

    /// A new row.
    pub fn create(&self, entity: &str, values: Item) -> Call<'_, Create> {
        let entity = entity.to_owned();
        self.call(Create { entity, values })
    }

    /// The row with a key.
    pub fn get(&self, entity: &str, key: Item) -> Call<'_, Get> {
        let entity = entity.to_owned();
        self.call(Get { entity, key })
    }

    /// Some attributes of a row changed.
    pub fn update(&self, entity: &str, key: Item, change: Change) -> Call<'_, Update> {
        let entity = entity.to_owned();
        self.call(Update {
            entity,
            key,
            change,
        })
    }

    /// A new row, or the row there is made equal to it.
    pub fn put(&self, entity: &str, values: Item) -> Call<'_, Put> {
        let entity = entity.to_owned();
        self.call(Put { entity, values })
    }

    /// A row deleted, with everything that goes with it; the answer is what it was.
    pub fn delete(&self, entity: &str, key: Item) -> Call<'_, Delete> {
        let entity = entity.to_owned();
        self.call(Delete { entity, key })
    }

    /// Two rows related.
    pub fn attach(&self, entity: &str, values: Item) -> Call<'_, Attach> {
        let entity = entity.to_owned();
        self.call(Attach { entity, values })
    }

    /// Two rows no longer related.
    pub fn detach(&self, entity: &str, key: Item) -> Call<'_, Detach> {
        let entity = entity.to_owned();
        self.call(Detach { entity, key })
    }

    /// A move of the model.
    pub fn move_row(&self, name: &str, key: Item, set: Item) -> Call<'_, MoveRow> {
        let name = name.to_owned();
        self.call(MoveRow { name, key, set })
    }

    /// The rows of an access pattern.
    pub fn query(&self, pattern: &str, parameters: Item) -> Call<'_, Query> {
        self.call(Query {
            pattern: pattern.to_owned(),
            parameters,
            ..Query::default()
        })
    }

    /// Several writes, all or none.
    pub fn transact(&self, operations: Vec<AnyOperation>) -> Call<'_, Transact> {
        self.call(Transact { operations })
    }

    /// A new revision of a repository.
    pub fn commit(&self, commit: Commit) -> Call<'_, Commit> {
        self.call(commit)
    }

    /// New revisions of several repositories, all or none.
    pub fn commit_all(&self, commits: Vec<Commit>) -> Call<'_, CommitAll> {
        self.call(CommitAll { commits })
    }

    /// The revisions of a repository, the newest first; its head comes along as `followed`.
    pub fn log(&self, repository: &str, key: Item) -> Call<'_, Log> {
        self.call(Log {
            repository: repository.to_owned(),
            key,
            ..Log::default()
        })
    }

    /// The rows of a revision, without those that have a tombstone.
    pub fn show(&self, repository: &str, key: Item, at: At) -> Call<'_, Show> {
        self.call(Show {
            repository: repository.to_owned(),
            key,
            at,
            ..Show::default()
        })
    }

    /// What relations of a revision lead to from the row with this id, in order.
    pub fn children(&self, repository: &str, key: Item, at: At, id: &str) -> Call<'_, Show> {
        self.call(Show {
            repository: repository.to_owned(),
            key,
            at,
            under: Some(id.to_owned()),
            ..Show::default()
        })
    }

    /// What two revisions differ in.
    pub fn diff(&self, repository: &str, key: Item, from: At, to: At) -> Call<'_, Diff> {
        let repository = repository.to_owned();
        self.call(Diff {
            repository,
            key,
            from,
            to,
        })
    }

    /// The head moved to a revision of the log.
    pub fn rollback(&self, repository: &str, key: Item, to: &str) -> Call<'_, Rollback> {
        self.call(Rollback {
            repository: repository.to_owned(),
            key,
            to: to.to_owned(),
            from: None,
        })
    }

    /// A new revision with the rows of an old one.
    pub fn revert(&self, repository: &str, key: Item, to: At, values: Item) -> Call<'_, Revert> {
        self.call(Revert {
            repository: repository.to_owned(),
            key,
            to,
            values,
            parent: Parent::Head,
        })
    }

    /// What commits left that began so long ago and never finished, deleted.
    pub fn sweep(&self, repository: &str, key: Item, older_than: Duration) -> Call<'_, Sweep> {
        self.call(Sweep {
            repository: repository.to_owned(),
            key,
            older_than,
        })
    }

    /// Rows of one repository's head committed to another.
    pub fn carry(&self, name: &str, key: Item, values: Item) -> Call<'_, Carry> {
        let name = name.to_owned();
        self.call(Carry { name, key, values })
    }

    /// Everything of an owner deleted.
    pub fn purge(&self, owner: Item) -> Call<'_, Purge> {
        self.call(Purge { owner })
    }

    /// Whether a text is the one that a hashed attribute of a row was made of.
    pub fn check_secret(
        &self,
        entity: &str,
        key: Item,
        attribute: &str,
        text: &str,
    ) -> Call<'_, CheckSecret> {
        self.call(CheckSecret {
            entity: entity.to_owned(),
            key,
            attribute: attribute.to_owned(),
            text: text.to_owned(),
        })
    }
}
