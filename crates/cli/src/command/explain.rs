//! `monotable explain`: the requests of an operation.

mod rounds;

use crate::exit::{Failure, note};
use crate::model_file::is_stdin;
use crate::notation::{Notation, NotationArguments};
use crate::output::{print, visible};
use crate::rows::{
    CallerArguments, ChangeArguments, InputValues, ModelArguments, Opened, Paging, RowCommand, Use,
    Verb, WriteArguments, usable,
};
use crate::target::TargetArguments;
use crate::versions::{Asking, ChangeSet, CommitArguments, age, split};
use clap::Args;
use monotable_store::{Error, ErrorKind};
use std::path::PathBuf;
use std::time::Duration;

/// How long ago what is swept began.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

const EXAMPLES: &str = "\
Examples:
  $ monotable explain -m model.toml query children_of_person UserId=ada ParentId=george --limit 10
  $ monotable explain -m model.toml update Person UserId=ada PersonId=ada --set LastName=Lovelace
  $ monotable explain -m values.toml commit values userId=ada --set message=x --set source=daily_update \\
      --delete 'ValuesNode {\"nodeId\": \"d1\"}'
  $ monotable explain -m model.toml --in-memory create User UserId=eve Email=eve@example.com PasswordHash=x";

/// Show the requests that an operation sends, as an SDK would send them
///
/// What it reads is read, what it would write is only shown. Requests of one round are sent side by side.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Explain {
    #[command(flatten)]
    model: ModelArguments,

    /// What is done
    operation: Verb,

    /// The entity, the move, the access pattern, the repository or the carry
    name: String,

    /// What it is given, NAME=VALUE each, or one JSON object; words without = are revisions of a repository
    #[arg(value_name = "NAME=VALUE")]
    words: Vec<String>,

    /// Read the attributes of a new row as a JSON object from this file; - is stdin
    #[arg(long, value_name = "FILE", conflicts_with = "words")]
    json: Option<PathBuf>,

    #[command(flatten)]
    change: ChangeArguments,

    /// Only if an attribute has this value; a name alone: only if it has none
    #[arg(long, value_name = "NAME=VALUE")]
    expect: Vec<String>,

    /// At most so many rows of a pattern
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,

    /// Where the page of a pattern begins
    #[arg(long, value_name = "CURSOR", allow_hyphen_values = true)]
    cursor: Option<String>,

    /// The rows of a pattern in descending order
    #[arg(long)]
    descending: bool,

    /// See every write that was acknowledged before
    #[arg(long)]
    consistent: bool,

    /// A name of the call
    #[arg(long, value_name = "TEXT")]
    token: Option<String>,

    #[command(flatten)]
    versions: VersionArguments,

    /// On an empty store in memory
    #[arg(long)]
    #[cfg_attr(feature = "aws", arg(conflicts_with_all = ["store", "endpoint_url", "aws"]))]
    #[cfg_attr(not(feature = "aws"), arg(conflicts_with = "store"))]
    in_memory: bool,

    #[command(flatten)]
    caller: CallerArguments,

    #[command(flatten)]
    notation: NotationArguments,

    #[command(flatten)]
    target: TargetArguments,
}

/// What operations on repositories take.
#[derive(Args, Debug)]
#[command(next_help_heading = "Versioned repositories")]
struct VersionArguments {
    #[command(flatten)]
    commit: CommitArguments,

    /// Rows of this revision, or of the last one up to a time
    #[arg(long, value_name = "REV|TIME")]
    at: Option<String>,

    /// Also rows that were deleted and left a tombstone
    #[arg(long)]
    tombstones: bool,

    /// Only what relations lead to from the row with this id
    #[arg(long, value_name = "ID")]
    under: Option<String>,

    /// A rollback only if the head is this revision
    #[arg(long, value_name = "REV")]
    from: Option<String>,

    /// The oldest revision first
    #[arg(long)]
    oldest_first: bool,

    /// Sweep what began so long ago: 30s, 15m, 2h, 1d [default: 1d]
    #[arg(long, value_name = "AGE", value_parser = age)]
    older_than: Option<Duration>,
}

impl Explain {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        self.refuse_strangers()?;
        let model = usable(&self.model.model)?;
        let asked = self.asked()?;
        let operation = asked.operation(&model)?;
        let options = asked.options(&model)?;
        let opened = if self.in_memory {
            Opened::in_memory(model).await?
        } else {
            Opened::open(model, self.target, Use::Pretended).await?
        };
        let store = self.caller.applied(opened.store)?;
        let explanation = store.explain(operation, options).await;
        print(&rounds::shown(&explanation)?)?;
        match explanation.outcome {
            Err(error) if is_about_rows(&error) => {
                let name = error.kind().name();
                note(format_args!(
                    "with what is stored it ends so: {name}: {}",
                    visible(&error.to_string())
                ));
                Ok(())
            }
            outcome => Ok(outcome.map(drop)?),
        }
    }

    fn asked(&self) -> Result<RowCommand, Failure> {
        let notation = self.notation.notation();
        let (words, revisions) = match self.operation.names_revisions() {
            true => split(self.words.clone()),
            false => (
                self.words.clone(),
                self.versions.at.clone().into_iter().collect(),
            ),
        };
        let given = if self.operation.takes_row() {
            InputValues::read_row(words, self.json.clone(), &self.model.model, notation)?
        } else {
            InputValues::words(words, notation)?
        };
        Ok(RowCommand {
            change: self.change.clone(),
            expect: self.expect.clone(),
            paging: Paging {
                limit: self.limit.map(|limit| limit as usize),
                cursor: self.cursor.clone(),
                is_descending: self.descending,
                is_all: false,
            },
            write: WriteArguments {
                token: self.token.clone(),
                dry_run: true,
            },
            is_consistent: self.consistent,
            asking: self.asking(revisions, notation)?,
            ..RowCommand::new(self.operation, &self.name, given)
        })
    }

    fn asking(&self, revisions: Vec<String>, notation: Notation) -> Result<Asking, Failure> {
        let VersionArguments { commit, .. } = &self.versions;
        let file = commit.changes.as_deref();
        let changes = match self.operation {
            Verb::Commit => ChangeSet::read(&commit.short, file, &self.model.model, notation)?,
            _ => ChangeSet::default(),
        };
        Ok(Asking {
            changes,
            parent: commit.parent(),
            revisions,
            has_tombstones: self.versions.tombstones,
            under: self.versions.under.clone(),
            from: self.versions.from.clone(),
            older_than: self.versions.older_than.unwrap_or(DAY),
            oldest_first: self.versions.oldest_first,
            is_drawn: false,
        })
    }

    /// An option that the operation does not have would be ignored without a word.
    fn refuse_strangers(&self) -> Result<(), Failure> {
        use Verb::{
            Carry, Commit, Delete, Detach, Get, Log, Move, Put, Query, Revert, Rollback, Show,
            Sweep, Update,
        };
        let is_one_of = |verbs: &[Verb]| verbs.contains(&self.operation);
        let (change, versions) = (&self.change, &self.versions);
        let commit = &versions.commit;
        let options = [
            (
                "--set",
                !change.set.is_empty(),
                is_one_of(&[Update, Move, Commit, Revert, Carry]),
            ),
            ("--unset", !change.unset.is_empty(), is_one_of(&[Update])),
            ("--add", !change.add.is_empty(), is_one_of(&[Update])),
            ("--append", !change.append.is_empty(), is_one_of(&[Update])),
            (
                "--expect",
                !self.expect.is_empty(),
                is_one_of(&[Update, Put, Delete, Detach]),
            ),
            ("--json", self.json.is_some(), self.operation.takes_row()),
            ("--limit", self.limit.is_some(), is_one_of(&[Query, Log])),
            ("--cursor", self.cursor.is_some(), is_one_of(&[Query, Log])),
            ("--descending", self.descending, is_one_of(&[Query])),
            ("--consistent", self.consistent, is_one_of(&[Get, Query])),
            (
                "--token",
                self.token.is_some(),
                self.operation.takes_token(),
            ),
            (
                "--parent",
                commit.parent.is_some(),
                is_one_of(&[Commit, Revert]),
            ),
            ("--rebase", commit.rebase.is_some(), is_one_of(&[Commit])),
            ("--first", commit.first, is_one_of(&[Commit])),
            ("--changes", commit.changes.is_some(), is_one_of(&[Commit])),
            (
                "--create, --update and --delete",
                !commit.short.is_empty(),
                is_one_of(&[Commit]),
            ),
            ("--at", versions.at.is_some(), is_one_of(&[Show])),
            ("--tombstones", versions.tombstones, is_one_of(&[Show])),
            ("--under", versions.under.is_some(), is_one_of(&[Show])),
            ("--from", versions.from.is_some(), is_one_of(&[Rollback])),
            ("--oldest-first", versions.oldest_first, is_one_of(&[Log])),
            (
                "--older-than",
                versions.older_than.is_some(),
                is_one_of(&[Sweep]),
            ),
        ];
        let stranger = options
            .iter()
            .find(|(_, is_given, is_known)| *is_given && !is_known);
        match stranger {
            Some((option, ..)) => Err(Failure::usage(format_args!(
                "{option} means nothing to this operation"
            ))),
            None if is_stdin(&self.model.model) && self.json.as_deref().is_some_and(is_stdin) => {
                Err(Failure::usage("stdin can be read only once"))
            }
            None => Ok(()),
        }
    }
}

/// Whether other rows would have let it go on: the requests are those of the operation all the same.
fn is_about_rows(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::NotFound | ErrorKind::Conflict | ErrorKind::Forbidden
    )
}
