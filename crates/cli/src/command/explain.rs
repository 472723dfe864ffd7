//! `monotable explain`: the requests of an operation.

mod rounds;

use crate::exit::{Failure, note};
use crate::model_file::is_stdin;
use crate::notation::NotationArguments;
use crate::output::{print, visible};
use crate::rows::{
    Asked, CallerArguments, ChangeArguments, Given, ModelArguments, Opened, Paging, Use, Verb,
    WriteArguments, usable,
};
use crate::target::TargetArguments;
use clap::Args;
use monotable_store::{Error, ErrorKind};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  $ monotable explain -m model.toml query children_of_person UserId=ada ParentId=george --limit 10
  $ monotable explain -m model.toml update Person UserId=ada PersonId=ada --set LastName=Lovelace
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

    /// The entity, the move or the access pattern
    name: String,

    /// What it is given, NAME=VALUE each, or one JSON object
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

impl Explain {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        self.refuse_strangers()?;
        let model = usable(&self.model.model)?;
        let asked = self.asked()?;
        let operation = asked.operation(&model)?;
        let options = asked.options(&model)?;
        let opened = match self.in_memory {
            true => Opened::in_memory(model).await?,
            false => Opened::open(model, self.target, Use::Pretended).await?,
        };
        let (opened, _) = match asked.verb {
            Verb::Query => opened.with_cursors()?,
            _ => (opened, false),
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

    fn asked(&self) -> Result<Asked, Failure> {
        let notation = self.notation.notation();
        let words = self.words.clone();
        let given = match self.operation.begins() {
            true => Given::of_row(words, self.json.clone(), &self.model.model, notation)?,
            false => Given::words(words, notation)?,
        };
        Ok(Asked {
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
            ..Asked::new(self.operation, &self.name, given)
        })
    }

    /// An option that the operation does not have would be ignored without a word.
    fn refuse_strangers(&self) -> Result<(), Failure> {
        use Verb::{Delete, Detach, Get, Move, Put, Query, Update};
        let is_one_of = |verbs: &[Verb]| verbs.contains(&self.operation);
        let change = &self.change;
        let options = [
            ("--set", !change.set.is_empty(), is_one_of(&[Update, Move])),
            ("--unset", !change.unset.is_empty(), is_one_of(&[Update])),
            ("--add", !change.add.is_empty(), is_one_of(&[Update])),
            ("--append", !change.append.is_empty(), is_one_of(&[Update])),
            (
                "--expect",
                !self.expect.is_empty(),
                is_one_of(&[Update, Put, Delete, Detach]),
            ),
            ("--json", self.json.is_some(), self.operation.begins()),
            ("--limit", self.limit.is_some(), is_one_of(&[Query])),
            ("--cursor", self.cursor.is_some(), is_one_of(&[Query])),
            ("--descending", self.descending, is_one_of(&[Query])),
            ("--consistent", self.consistent, is_one_of(&[Get, Query])),
            ("--token", self.token.is_some(), !self.operation.reads()),
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
