//! The list of operations: the public contract of the product.

use super::{
    AnyOutput, Attach, Carry, CheckSecret, CommitAll, Create, Delete, Detach, Diff, Get, Log,
    MoveRow, Operation, Page, Purge, Put, Query, Revert, Rollback, Show, Sweep, Transact, Update,
};
use crate::operation::{Commit, Committed, Differences, PurgeReport, Snapshot, SweepReport};
use crate::row::Row;
use crate::wire::Members;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// The version of the list below. It rises when an operation or a member goes or changes its meaning; what is only added
/// does not raise it.
pub const CONTRACT_VERSION: u32 = 1;

/// Whether an operation reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It changes nothing.
    Read,
    /// It changes rows.
    Write,
}

/// An operation of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperationEntry {
    /// Its name.
    pub name: &'static str,
    /// Whether it reads or writes.
    pub mode: Mode,
    /// What it does, in one sentence.
    pub about: &'static str,
}

/// An operation that changes rows: it can have a token and be tried without writing.
pub trait Write: Operation {}

/// An operation that changes nothing.
pub trait Read: Operation {}

/// A write of one row that is there: it can be made on the condition that the row has certain values.
pub trait Conditional: Write {}

macro_rules! operations {
    ($($name:literal: $kind:ident => $output:ty, $variant:ident, $mode:ident, $about:literal;)+) => {
        /// Any operation.
        #[derive(Clone, Debug, PartialEq)]
        pub enum AnyOperation {
            $(
                #[doc = $about]
                $kind($kind),
            )+
        }

        /// All operations, in the order in which they are documented.
        pub const OPERATIONS: &[OperationEntry] = &[
            $(OperationEntry { name: $name, mode: Mode::$mode, about: $about },)+
        ];

        impl AnyOperation {
            /// The operation's name.
            #[must_use]
            pub const fn name(&self) -> &'static str {
                match self {
                    $(Self::$kind(_) => $name,)+
                }
            }

            fn parse(name: &str, text: &str) -> Option<Result<Self, serde_json::Error>> {
                match name {
                    $($name => Some(serde_json::from_str::<$kind>(text).map(Self::$kind)),)+
                    _ => None,
                }
            }
        }

        impl Serialize for AnyOperation {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Self::$kind(operation) => operation.serialize(serializer),)+
                }
            }
        }

        $(
            impl From<$kind> for AnyOperation {
                fn from(operation: $kind) -> Self {
                    Self::$kind(operation)
                }
            }

            impl Operation for $kind {
                type Output = $output;
                const NAME: &'static str = $name;

                fn take_output(output: AnyOutput) -> Option<$output> {
                    match output {
                        AnyOutput::$variant(output) => Some(output),
                        _ => None,
                    }
                }
            }

            impl $mode for $kind {}
        )+
    };
}

operations! {
    "create": Create => Row, Row, Write, "A new row.";
    "get": Get => Row, Row, Read, "The row with a key.";
    "update": Update => Row, Row, Write, "Some attributes of a row changed.";
    "put": Put => Row, Row, Write, "A new row, or the row that is there made equal to it.";
    "delete": Delete => Row, Row, Write, "A row deleted, with everything that goes with it.";
    "attach": Attach => Row, Row, Write, "Two rows related.";
    "detach": Detach => Row, Row, Write, "Two rows no longer related.";
    "move": MoveRow => Row, Row, Write, "A move of the model.";
    "query": Query => Page, Page, Read, "The rows of an access pattern.";
    "check_secret": CheckSecret => bool, Flag, Read, "Whether a text is the one that a hashed attribute was made of.";
    "transact": Transact => Vec<Row>, Rows, Write, "Several writes, all or none.";
    "commit": Commit => Committed, Committed, Write, "A new revision of a repository.";
    "commit_all": CommitAll => Committed, Committed, Write, "New revisions of several repositories, all or none.";
    "log": Log => Page, Page, Read, "The revisions of a repository.";
    "show": Show => Snapshot, Snapshot, Read, "The rows of a revision.";
    "diff": Diff => Differences, Differences, Read, "What two revisions differ in.";
    "rollback": Rollback => Row, Row, Write, "The head of a repository moved to another revision.";
    "revert": Revert => Committed, Committed, Write, "A new revision with the rows of an old one.";
    "carry": Carry => Committed, Committed, Write, "Rows of one repository's head committed to another.";
    "sweep": Sweep => SweepReport, SweepReport, Write, "What commits left that never finished, deleted.";
    "purge": Purge => PurgeReport, PurgeReport, Write, "Everything of an owner deleted.";
}

impl Conditional for Update {}
impl Conditional for Put {}
impl Conditional for Delete {}
impl Conditional for Detach {}

impl AnyOperation {
    /// Reads an operation of JSON: an object in which exactly one member is the name of an operation.
    pub fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        let Members(members): Members<&RawValue> = serde_json::from_str(text)?;
        let known = |name: &str| OPERATIONS.iter().any(|entry| entry.name == name);
        let mut names = members.keys().filter(|name| known(name));
        let (name, second) = (names.next(), names.next());
        if let (Some(name), Some(second)) = (name, second) {
            let message = format!("it names two operations, `{name}` and `{second}`");
            return Err(serde_json::Error::custom(message));
        }
        match name.and_then(|name| Self::parse(name, text)) {
            Some(operation) => operation,
            None => {
                let names: Vec<_> = OPERATIONS.iter().map(|entry| entry.name).collect();
                let given: Vec<_> = members.keys().map(String::as_str).collect();
                Err(serde_json::Error::custom(format!(
                    "none of its members ({}) names an operation: {}",
                    given.join(", "),
                    names.join(", ")
                )))
            }
        }
    }
}

impl AnyOperation {
    /// What it is about: an entity, a pattern, a move, a repository.
    pub fn subject(&self) -> &str {
        match self {
            Self::Create(Create { entity, .. })
            | Self::Get(Get { entity, .. })
            | Self::Update(Update { entity, .. })
            | Self::Put(Put { entity, .. })
            | Self::Delete(Delete { entity, .. })
            | Self::Attach(Attach { entity, .. })
            | Self::Detach(Detach { entity, .. })
            | Self::CheckSecret(CheckSecret { entity, .. }) => entity,
            Self::MoveRow(MoveRow { name, .. }) | Self::Carry(Carry { name, .. }) => name,
            Self::Query(query) => &query.pattern,
            Self::Transact(_) => "transaction",
            Self::CommitAll(CommitAll { commits }) => commits
                .first()
                .map_or("commit", |commit| commit.repository.as_str()),
            Self::Commit(Commit { repository, .. })
            | Self::Log(Log { repository, .. })
            | Self::Show(Show { repository, .. })
            | Self::Diff(Diff { repository, .. })
            | Self::Rollback(Rollback { repository, .. })
            | Self::Revert(Revert { repository, .. })
            | Self::Sweep(Sweep { repository, .. }) => repository,
            Self::Purge(_) => "purge",
        }
    }

    /// Whether it goes on from a cursor.
    pub(crate) const fn has_cursor(&self) -> bool {
        match self {
            Self::Query(query) => query.after.is_some(),
            Self::Log(log) => log.after.is_some(),
            _ => false,
        }
    }

    /// Whether it writes rows: a token can name a call of it, and the model's templates must be those of the store.
    pub(crate) const fn writes_rows(&self) -> bool {
        match self {
            Self::Create(_)
            | Self::Update(_)
            | Self::Put(_)
            | Self::Delete(_)
            | Self::Attach(_)
            | Self::Detach(_)
            | Self::MoveRow(_)
            | Self::Transact(_)
            | Self::Commit(_)
            | Self::CommitAll(_)
            | Self::Carry(_)
            | Self::Rollback(_)
            | Self::Revert(_) => true,
            Self::Get(_)
            | Self::Query(_)
            | Self::CheckSecret(_)
            | Self::Log(_)
            | Self::Show(_)
            | Self::Diff(_)
            | Self::Sweep(_)
            | Self::Purge(_) => false,
        }
    }

    /// Whether it is a write of one row by its key, which can demand what the row has.
    pub const fn is_conditional(&self) -> bool {
        matches!(
            self,
            Self::Update(_) | Self::Put(_) | Self::Delete(_) | Self::Detach(_)
        )
    }
}

impl<'de> Deserialize<'de> for AnyOperation {
    /// Works with serde_json's own readers, because numbers are taken as their digits.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Self::from_json(raw.get()).map_err(D::Error::custom)
    }
}
