//! What the command line asks of the rows of a model, as an operation of the store.

use super::caller::CallerArguments;
use super::input_values::InputValues;
use super::model::LoadedModel;
use super::paging::Paging;
use super::problems::Problems;
use super::vocabulary::Vocabulary;
use super::{names, refusal, words};
use crate::exit::Failure;
use crate::versions::{Asking, Declared};
use clap::Args;
use monotable_item::Item;
use monotable_model::model::Model;
use monotable_store::{
    AnyOperation, Attach, Carry, Change, CommitAll, Create, Delete, Detach, Get, MoveRow, Options,
    Put, Query, Update,
};

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    #[arg(long = "set-hash", value_name = "NAME=HASH")]
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
    /// A name for this call: if it is made again with the same name within a day, it changes nothing
    #[arg(long, value_name = "TEXT")]
    pub(crate) token: Option<String>,
}

/// An operation that is ready to be carried out, unless something is wrong with its words.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) operation: AnyOperation,
    pub(super) options: Options,
    pub(super) problems: Problems,
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

    /// The operation, if nothing is wrong with its name and its words.
    pub(crate) async fn check(
        &self,
        model: &LoadedModel,
        caller: &CallerArguments,
    ) -> Result<Prepared, Failure> {
        names::check_name(self.verb, &self.name, model)?;
        let prepared = self.prepare(model)?;
        if prepared.problems.is_empty() {
            Ok(prepared)
        } else {
            Err(refusal::refuse_words(prepared, model, caller).await)
        }
    }

    /// The operation and how it is carried out, with values of the kinds that the model says.
    fn prepare(&self, model: &Model) -> Result<Prepared, Failure> {
        let mut problems = Problems::default();
        let operation = self.operation(model, &mut problems)?;
        let expected = words::read_expected(&self.expect, &self.vocabulary(model), &mut problems);
        let options = Options {
            expected,
            token: self.write.token.clone(),
            consistent: self.is_consistent,
            ..Options::default()
        };
        Ok(Prepared {
            operation,
            options,
            problems,
        })
    }

    fn operation(&self, model: &Model, problems: &mut Problems) -> Result<AnyOperation, Failure> {
        let entity = self.name.clone();
        let mut given = self.given.read(&self.vocabulary(model), problems);
        Ok(match self.verb {
            Verb::Create => {
                words::add_hashes(&mut given, &self.change.hashes.given, problems);
                AnyOperation::Create(Create {
                    entity,
                    values: given,
                })
            }
            Verb::Get => AnyOperation::Get(Get { entity, key: given }),
            Verb::Update => AnyOperation::Update(Update {
                entity,
                key: given,
                change: self.change(model, problems),
            }),
            Verb::Put => {
                words::add_hashes(&mut given, &self.change.hashes.given, problems);
                AnyOperation::Put(Put {
                    entity,
                    values: given,
                })
            }
            Verb::Delete => AnyOperation::Delete(Delete { entity, key: given }),
            Verb::Attach => AnyOperation::Attach(Attach {
                entity,
                values: given,
            }),
            Verb::Detach => AnyOperation::Detach(Detach { entity, key: given }),
            Verb::Move => AnyOperation::MoveRow(MoveRow {
                name: entity,
                key: given,
                set: words::read_item(&self.change.set, &self.vocabulary(model), problems),
            }),
            Verb::Query => AnyOperation::Query(Query {
                pattern: entity,
                parameters: given,
                limit: self.paging.limit,
                after: self.paging.cursor.clone(),
                descending: self.paging.is_descending.then_some(true),
            }),
            Verb::Commit => {
                let said = self.said(model, &entity, problems);
                AnyOperation::CommitAll(CommitAll {
                    commits: self.asking.commits(model, &entity, given, said)?,
                })
            }
            Verb::Carry => {
                let to = Declared::of_carry(model, &entity).map(|(_, to)| to);
                let log = to.map_or("", |to| &to.repository.name.value);
                AnyOperation::Carry(Carry {
                    values: self.said(model, log, problems),
                    name: entity,
                    key: given,
                })
            }
            Verb::Log => self.asking.log(entity, given, &self.paging).into(),
            Verb::Show => self.asking.show(entity, given)?.into(),
            Verb::Diff => self.asking.diff(entity, given)?.into(),
            Verb::Rollback => self.asking.rollback(entity, given)?.into(),
            Verb::Revert => {
                let said = self.said(model, &entity, problems);
                self.asking.revert(entity, given, said)?.into()
            }
            Verb::Sweep => self.asking.sweep(entity, given).into(),
        })
    }

    /// What a new revision of a repository says.
    fn said(&self, model: &Model, repository: &str, problems: &mut Problems) -> Item {
        let vocabulary = Vocabulary::of_revision(model, repository);
        words::read_item(&self.change.set, &vocabulary, problems)
    }

    fn vocabulary<'m>(&self, model: &'m Model) -> Vocabulary<'m> {
        match self.verb {
            Verb::Query => Vocabulary::of_pattern(model, &self.name),
            Verb::Move => Vocabulary::of_move(model, &self.name),
            Verb::Carry => {
                let from = Declared::of_carry(model, &self.name).map(|(from, _)| from);
                let head = from.map_or("", |from| &from.repository.name.value);
                Vocabulary::of_repository(model, head)
            }
            verb if verb.is_versioned() => Vocabulary::of_repository(model, &self.name),
            _ => Vocabulary::of_entity(model, &self.name),
        }
    }

    fn change(&self, model: &Model, problems: &mut Problems) -> Change {
        let vocabulary = self.vocabulary(model);
        let ChangeArguments {
            set,
            hashes,
            unset,
            add,
            append,
        } = &self.change;
        let mut set = words::read_item(set, &vocabulary, problems);
        words::add_hashes(&mut set, &hashes.given, problems);
        Change {
            set,
            unset: unset.clone(),
            add: words::read_item(add, &vocabulary, problems),
            append: words::read_elements(append, &vocabulary, problems),
        }
    }
}
