//! What the command line asks of the rows of a model, as an operation of the store.

use super::input_values::InputValues;
use super::paging::Paging;
use super::words::KindOf;
use super::{kinds, words};
use crate::exit::Failure;
use crate::versions::{Asking, Declared, DryRunArguments};
use clap::{Args, ValueEnum};
use monotable_item::Item;
use monotable_model::model::Model;
use monotable_store::{
    AnyOperation, Attach, Carry, Change, CommitAll, Create, Delete, Detach, Get, MoveRow, Options,
    Put, Query, Update,
};

/// What is done.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    /// A new row
    Create,
    /// The row with a key
    Get,
    /// Some attributes of a row changed
    Update,
    /// A new row, or the row there is made equal to it
    Put,
    /// A row deleted, with everything that goes with it
    Delete,
    /// Two rows related
    Attach,
    /// Two rows no longer related
    Detach,
    /// A move of the model
    Move,
    /// The rows of an access pattern
    Query,
    /// A new revision of a repository
    Commit,
    /// The revisions of a repository
    Log,
    /// The rows of a revision
    Show,
    /// What two revisions differ in
    Diff,
    /// The head moved to another revision
    Rollback,
    /// A new revision with the rows of an old one
    Revert,
    /// A carry of the model
    Carry,
    /// What commits left that never finished, deleted
    Sweep,
}

/// Secrets that are hashed already.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct HashArguments {
    /// A secret that is stored hashed, given as its bcrypt hash; may be given several times
    ///
    /// As NAME=VALUE it would be the secret itself, and be hashed.
    #[arg(long = "set-hash", value_name = "NAME=HASH", requires = "model")]
    pub(crate) given: Vec<String>,
}

/// What changes in a row.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ChangeArguments {
    /// A new value of an attribute
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,

    #[command(flatten)]
    pub(crate) hashes: HashArguments,

    /// An attribute that goes
    #[arg(long, value_name = "NAME")]
    pub(crate) unset: Vec<String>,

    /// A number that is added to the attribute's
    #[arg(long, value_name = "NAME=NUMBER")]
    pub(crate) add: Vec<String>,

    /// An element for the end of the attribute's list
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) append: Vec<String>,
}

/// How a write is made.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct WriteArguments {
    /// A name of this call: said again within a day, nothing happens again
    #[arg(long, value_name = "TEXT", requires = "model")]
    pub(crate) token: Option<String>,

    /// Read and decide, but write nothing
    ///
    /// What only the write finds out is not seen, as a row that is there already.
    #[arg(long, requires = "model")]
    pub(crate) dry_run: bool,
}

impl From<DryRunArguments> for WriteArguments {
    fn from(arguments: DryRunArguments) -> Self {
        Self {
            token: None,
            dry_run: arguments.dry_run,
        }
    }
}

/// An operation as the command line asks for it.
#[derive(Clone, Debug)]
pub(crate) struct RowCommand {
    pub(crate) verb: Verb,
    /// The entity, the move, the pattern, the repository or the carry.
    pub(crate) name: String,
    pub(crate) given: InputValues,
    pub(crate) change: ChangeArguments,
    pub(crate) expect: Vec<String>,
    pub(crate) paging: Paging,
    pub(crate) write: WriteArguments,
    pub(crate) is_consistent: bool,
    /// What else is asked of a repository.
    pub(crate) asking: Asking,
}

impl Verb {
    /// Whether it makes rows where there may be nothing yet.
    pub(crate) const fn begins(self) -> bool {
        matches!(self, Self::Create | Self::Put | Self::Attach | Self::Commit)
    }

    /// Whether a row that it makes may be given as one JSON object.
    pub(crate) const fn takes_row(self) -> bool {
        matches!(self, Self::Create | Self::Put | Self::Attach)
    }

    /// Whether a call can have a name of its own.
    pub(crate) const fn takes_token(self) -> bool {
        matches!(
            self,
            Self::Create
                | Self::Update
                | Self::Put
                | Self::Delete
                | Self::Attach
                | Self::Detach
                | Self::Move
                | Self::Commit
                | Self::Rollback
                | Self::Revert
                | Self::Carry
        )
    }

    /// Whether it may take along any number of rows.
    pub(crate) const fn is_long(self) -> bool {
        matches!(
            self,
            Self::Delete | Self::Move | Self::Commit | Self::Revert | Self::Carry | Self::Sweep
        )
    }

    /// Whether it is about a repository.
    pub(crate) const fn is_versioned(self) -> bool {
        matches!(
            self,
            Self::Commit
                | Self::Log
                | Self::Show
                | Self::Diff
                | Self::Rollback
                | Self::Revert
                | Self::Carry
                | Self::Sweep
        )
    }

    /// Whether revisions stand among its words.
    pub(crate) const fn names_revisions(self) -> bool {
        matches!(self, Self::Diff | Self::Rollback | Self::Revert)
    }
}

impl RowCommand {
    /// With nothing but a name and what is given.
    pub(crate) fn new(verb: Verb, name: impl Into<String>, given: InputValues) -> Self {
        Self {
            verb,
            name: name.into(),
            given,
            change: ChangeArguments::default(),
            expect: Vec::new(),
            paging: Paging::default(),
            write: WriteArguments::default(),
            is_consistent: false,
            asking: Asking::default(),
        }
    }

    /// Written like this.
    #[must_use]
    pub(crate) fn written(mut self, write: WriteArguments) -> Self {
        self.write = write;
        self
    }

    /// The operation, with its values of the kinds that the model says.
    pub(crate) fn operation(&self, model: &Model) -> Result<AnyOperation, Failure> {
        let entity = self.name.clone();
        let given = self.given.item(&*self.kinds(model))?;
        let hashes = &self.change.hashes.given;
        Ok(match self.verb {
            Verb::Create => AnyOperation::Create(Create {
                entity,
                values: words::add_hashes(given, hashes)?,
            }),
            Verb::Get => AnyOperation::Get(Get { entity, key: given }),
            Verb::Update => AnyOperation::Update(Update {
                entity,
                key: given,
                change: self.change(model)?,
            }),
            Verb::Put => AnyOperation::Put(Put {
                entity,
                values: words::add_hashes(given, hashes)?,
            }),
            Verb::Delete => AnyOperation::Delete(Delete { entity, key: given }),
            Verb::Attach => AnyOperation::Attach(Attach {
                entity,
                values: given,
            }),
            Verb::Detach => AnyOperation::Detach(Detach { entity, key: given }),
            Verb::Move => AnyOperation::MoveRow(MoveRow {
                name: entity,
                key: given,
                set: words::item(&self.change.set, &*self.kinds(model))?,
            }),
            Verb::Query => AnyOperation::Query(Query {
                pattern: entity,
                parameters: given,
                limit: self.paging.limit,
                after: self.paging.cursor.clone(),
                descending: self.paging.is_descending.then_some(true),
            }),
            Verb::Commit => {
                let said = self.said(model, &entity)?;
                AnyOperation::CommitAll(CommitAll {
                    commits: self.asking.commits(model, &entity, given, said)?,
                })
            }
            Verb::Carry => {
                let to = Declared::of_carry(model, &entity).map(|(_, to)| to);
                let log = to.map_or("", |to| &to.repository.name.value);
                AnyOperation::Carry(Carry {
                    values: self.said(model, log)?,
                    name: entity,
                    key: given,
                })
            }
            Verb::Log => self.asking.log(entity, given, &self.paging).into(),
            Verb::Show => self.asking.show(entity, given)?.into(),
            Verb::Diff => self.asking.diff(entity, given)?.into(),
            Verb::Rollback => self.asking.rollback(entity, given)?.into(),
            Verb::Revert => {
                let said = self.said(model, &entity)?;
                self.asking.revert(entity, given, said)?.into()
            }
            Verb::Sweep => self.asking.sweep(entity, given).into(),
        })
    }

    /// What a new revision of a repository says.
    fn said(&self, model: &Model, repository: &str) -> Result<Item, Failure> {
        words::item(&self.change.set, &kinds::of_revision(model, repository))
    }

    /// How it is carried out.
    pub(crate) fn options(&self, model: &Model) -> Result<Options, Failure> {
        Ok(Options {
            expected: words::expected(&self.expect, &*self.kinds(model))?,
            token: self.write.token.clone(),
            consistent: self.is_consistent,
            dry_run: self.write.dry_run,
            ..Options::default()
        })
    }

    fn kinds<'m>(&self, model: &'m Model) -> Box<KindOf<'m>> {
        match self.verb {
            Verb::Query => Box::new(kinds::of_pattern(model, &self.name)),
            Verb::Move => Box::new(kinds::of_move(model, &self.name)),
            Verb::Carry => {
                let from = Declared::of_carry(model, &self.name).map(|(from, _)| from);
                let head = from.map_or("", |from| &from.repository.name.value);
                Box::new(kinds::of_repository(model, head))
            }
            verb if verb.is_versioned() => Box::new(kinds::of_repository(model, &self.name)),
            _ => Box::new(kinds::of_entity(model, &self.name)),
        }
    }

    fn change(&self, model: &Model) -> Result<Change, Failure> {
        let kind_of = self.kinds(model);
        let ChangeArguments {
            set,
            hashes,
            unset,
            add,
            append,
        } = &self.change;
        Ok(Change {
            set: words::add_hashes(words::item(set, &*kind_of)?, &hashes.given)?,
            unset: unset.clone(),
            add: words::item(add, &*kind_of)?,
            append: words::elements(append, &*kind_of)?,
        })
    }
}
