//! One cell: mechanisms on things, and a path that drives them. It says which calls are made.

use crate::design::{Design, Role};
use crate::mechanism::{Mechanism, Outcome, State};
use crate::mechanisms::each::Each;
use crate::mechanisms::relations::RELATIONS;
use crate::path::Path;
use monotable_item::Item;
use monotable_store::{
    AnyOperation, Change, Commit, CommitAll, Create, Delete, MoveRow, Put, Update,
};

/// The key of the repository that commits go to.
pub(crate) const REPOSITORY: &str = "2025-01-01";

pub(crate) struct Case {
    pub(crate) mechanisms: Vec<&'static dyn Mechanism>,
    pub(crate) path: &'static Path,
    pub(crate) design: Design,
}

impl Case {
    pub(crate) fn new(mechanisms: &[&'static dyn Mechanism], path: &'static Path) -> Self {
        let mut mechanisms = mechanisms.to_vec();
        // Some paths are about things of a kind.
        let needed: Option<&'static dyn Mechanism> = match path.name {
            "each" => Some(&Each),
            "attach" | "detach" => Some(&RELATIONS),
            _ => None,
        };
        let is_there = |needed: &dyn Mechanism| {
            let related = ["relations", "links", "pairs"];
            mechanisms.iter().any(|known| {
                known.name() == needed.name()
                    || related.contains(&known.name()) && related.contains(&needed.name())
            })
        };
        if let Some(needed) = needed.filter(|needed| !is_there(*needed)) {
            mechanisms.push(needed);
        }
        let versioned = mechanisms.iter().any(|known| known.name() == "history");
        let role = if versioned { Role::Snapshot } else { path.role };
        let mut design = Design::new(role);
        design.spread = mechanisms.iter().any(|known| known.name() == "each");
        (path.declare)(&mut design);
        for mechanism in &mechanisms {
            mechanism.declare(&mut design);
        }
        (path.complete)(&mut design);
        Self {
            mechanisms,
            path,
            design,
        }
    }

    pub(crate) fn has(&self, mechanism: &str) -> bool {
        self.mechanisms
            .iter()
            .any(|known| known.name() == mechanism)
    }

    /// Whether a delete of the path leaves the thing where it is, with a tombstone.
    pub(crate) fn keeps_deleted(&self) -> bool {
        let deletes = [
            "delete",
            "detach",
            "token delete",
            "transact",
            "each",
            "commit",
        ];
        self.has("tombstones") && deletes.contains(&self.path.name)
    }

    pub(crate) fn role(&self) -> Role {
        self.design.role
    }

    /// The values of a thing on the first shelf.
    pub(crate) fn values(&self, thing: u32, state: State) -> Item {
        let title = match state {
            State::First => Some(format!("first {thing}")),
            State::Second => Some(format!("second {thing}")),
            State::Bare => None,
        };
        let mut values = self.name(thing);
        if let Some(title) = title {
            values.insert("title", title);
        }
        for mechanism in &self.mechanisms {
            for (name, value) in mechanism.values(thing, state).iter() {
                values.insert(name.clone(), value.clone());
            }
        }
        if self.role() == Role::Leaf {
            let folder = match state {
                State::First => "a/b",
                State::Second => "a/c",
                State::Bare => "d",
            };
            values.insert("path", format!("{folder}/leaf{thing}"));
        }
        values
    }

    /// What every row of a thing has: its shelf and its id.
    fn name(&self, thing: u32) -> Item {
        let values = Item::new().with("thingId", format!("t{thing}"));
        match self.role() {
            Role::Row | Role::Binned | Role::Derived => values.with("shelfId", "s1"),
            Role::Leaf => values
                .with("shelfId", "s1")
                .with("fileId", format!("f{thing}")),
            Role::Snapshot => values,
        }
    }

    /// What names the row that a caller writes for a thing.
    pub(crate) fn key(&self, thing: u32) -> Item {
        let id = format!("t{thing}");
        let mut key = match self.role() {
            Role::Row | Role::Binned => Item::new().with("shelfId", "s1").with("thingId", id),
            Role::Derived | Role::Snapshot => Item::new().with("thingId", id),
            Role::Leaf => Item::new().with("fileId", format!("f{thing}")),
        };
        if self.writes_things() {
            for mechanism in &self.mechanisms {
                for (name, value) in mechanism.key(thing).iter() {
                    key.insert(name.clone(), value.clone());
                }
            }
        }
        key
    }

    /// Whether callers write things, and not what things follow from.
    fn writes_things(&self) -> bool {
        matches!(self.role(), Role::Row | Role::Binned | Role::Snapshot)
    }

    /// The entity that callers write.
    pub(crate) fn entity(&self) -> String {
        let name = match self.role() {
            Role::Row | Role::Binned | Role::Snapshot => "Thing",
            Role::Derived => "Source",
            Role::Leaf => "File",
        };
        name.to_owned()
    }

    pub(crate) fn create(&self, thing: u32, state: State) -> AnyOperation {
        self.create_with(thing, state, &Item::new())
    }

    /// A create with some other values; null removes one.
    pub(crate) fn create_with(&self, thing: u32, state: State, other: &Item) -> AnyOperation {
        let mut values = self.values(thing, state);
        for (name, value) in other.iter() {
            values.insert(name.clone(), value.clone());
        }
        self.write(AnyOperation::Create(Create {
            entity: self.entity(),
            values,
        }))
    }

    pub(crate) fn put(&self, thing: u32, state: State) -> AnyOperation {
        AnyOperation::Put(Put {
            entity: self.entity(),
            values: self.values(thing, state),
        })
    }

    /// A thing of one state made one of another.
    pub(crate) fn update(&self, thing: u32, from: State, to: State) -> AnyOperation {
        let key = self.key(thing);
        let (old, new) = (self.values(thing, from), self.values(thing, to));
        let mut change = Change::default();
        for (name, value) in new.iter() {
            if old.get(name) != Some(value) && key.get(name).is_none() {
                change.set.insert(name.clone(), value.clone());
            }
        }
        let gone = old.iter().filter(|(name, _)| new.get(name).is_none());
        change.unset = gone.map(|(name, _)| name.clone()).collect();
        self.change(thing, change)
    }

    /// A thing with other values.
    pub(crate) fn set(&self, thing: u32, set: Item) -> AnyOperation {
        let change = Change {
            set,
            ..Change::default()
        };
        self.change(thing, change)
    }

    fn change(&self, thing: u32, change: Change) -> AnyOperation {
        self.write(AnyOperation::Update(Update {
            entity: self.entity(),
            key: self.key(thing),
            change,
        }))
    }

    pub(crate) fn delete(&self, thing: u32) -> AnyOperation {
        self.write(AnyOperation::Delete(Delete {
            entity: self.entity(),
            key: self.key(thing),
        }))
    }

    pub(crate) fn move_thing(&self, name: &str, thing: u32, set: Item) -> AnyOperation {
        let mut key = self.key(thing);
        if ["restore", "purge"].contains(&name) {
            key = Item::new()
                .with("shelfId", "s1")
                .with("thingId", format!("t{thing}"));
        }
        AnyOperation::MoveRow(MoveRow {
            name: name.to_owned(),
            key,
            set,
        })
    }

    /// What things are written by: a commit, if they are versioned.
    fn write(&self, operation: AnyOperation) -> AnyOperation {
        match self.role() {
            Role::Snapshot => self.commit(vec![operation]),
            Role::Row | Role::Binned | Role::Derived | Role::Leaf => operation,
        }
    }

    /// A commit of several changes, which may be commits themselves.
    pub(crate) fn commit(&self, operations: Vec<AnyOperation>) -> AnyOperation {
        self.commit_to(REPOSITORY, operations)
    }

    pub(crate) fn commit_to(
        &self,
        repository: &str,
        operations: Vec<AnyOperation>,
    ) -> AnyOperation {
        let key = Item::new().with("repoId", repository);
        let mut commit = Commit::new("things", key).with("reason", "test");
        for operation in operations {
            match operation {
                AnyOperation::CommitAll(CommitAll { commits }) => {
                    for change in commits.into_iter().flat_map(|commit| commit.changes) {
                        commit = commit.change(change);
                    }
                }
                other => commit = commit.change(other),
            }
        }
        AnyOperation::CommitAll(CommitAll {
            commits: vec![commit],
        })
    }

    /// A thing with what belongs to it.
    pub(crate) fn arrive(&self, thing: u32, state: State) -> Vec<AnyOperation> {
        self.arrive_on(thing, state, "s1")
    }

    pub(crate) fn arrive_on(&self, thing: u32, state: State, shelf: &str) -> Vec<AnyOperation> {
        let mut operations = vec![if shelf == "s1" {
            self.create(thing, state)
        } else {
            self.create_with(thing, state, &Item::new().with("shelfId", shelf))
        }];
        if matches!(self.role(), Role::Row | Role::Binned | Role::Derived) {
            for mechanism in &self.mechanisms {
                operations.extend(mechanism.attendants(thing, shelf));
            }
        }
        operations
    }

    /// So many rows that belong to a thing that they move in several transactions.
    pub(crate) fn crowd(&self, thing: u32, shelf: &str) -> Vec<AnyOperation> {
        let mechanisms = self.mechanisms.iter();
        mechanisms
            .flat_map(|known| known.crowd(thing, shelf))
            .collect()
    }

    /// Everything that its mechanisms can lose and that a repair puts right.
    pub(crate) fn mendable_damages(&self) -> Vec<fn(&mut Vec<Item>)> {
        let damages = self.mechanisms.iter().flat_map(|known| known.damages());
        damages
            .filter(|damage| matches!(damage.outcome, Outcome::Mended))
            .map(|damage| damage.apply)
            .collect()
    }

    /// Shelves, and everything else that things need.
    pub(crate) fn surroundings(&self, shelves: &[&str]) -> Vec<AnyOperation> {
        let mut operations = Vec::new();
        if self.role() != Role::Snapshot {
            for shelf in shelves {
                operations.push(create("Shelf", Item::new().with("shelfId", *shelf)));
            }
        }
        for mechanism in &self.mechanisms {
            operations.extend(mechanism.surroundings(self.role(), self.path.things));
        }
        match self.role() {
            Role::Snapshot if !operations.is_empty() => vec![self.commit(operations)],
            _ => operations,
        }
    }
}

pub(crate) fn create(entity: &str, values: Item) -> AnyOperation {
    AnyOperation::Create(Create {
        entity: entity.to_owned(),
        values,
    })
}

pub(crate) fn delete(entity: &str, key: Item) -> AnyOperation {
    AnyOperation::Delete(Delete {
        entity: entity.to_owned(),
        key,
    })
}
