//! `monotable put`: writes items, or one row of a model.
//!
//! The input of items is read twice. First every item in it is checked: nothing is written if one of them is bad,
//! and every bad one is reported with its line. Then the items are written in batches.

mod batches;
mod rules;

use crate::exit::{Failure, done};
use crate::input::Input;
use crate::notation::NotationArguments;
use crate::output::OutputArguments;
use crate::progress::Progress;
use crate::rows::{Call, CallerArguments, InputValues, RowCommand, Verb, WriteArguments};
use crate::table_keys::TableKeys;
use crate::target::TargetArguments;
use batches::{Batches, Patience};
use clap::{Args, ValueHint};

use rules::Rules;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  $ monotable put Music '{\"Artist\": \"Nina Simone\", \"Song\": \"Feeling Good\", \"Released\": 1965}'
  $ echo '{\"Artist\": \"Nina Simone\", \"Song\": \"Sinnerman\", \"Released\": 1965}' | monotable put Music -
  $ monotable scan Music --ddb-json --output jsonl > music.jsonl
  $ monotable put Music --file music.jsonl --ddb-json
  $ monotable put -m model.toml User UserId=mary Email=mary@example.com PasswordHash='The Mechanism of the Heavens'";

const USAGE: &str = "\
monotable put [OPTIONS] <TABLE> <ITEM>
       monotable put [OPTIONS] <TABLE> --file <FILE>
       monotable put [OPTIONS] -m <FILE> <ENTITY> [NAME=VALUE]...";

/// How many bad items are told one by one.
const MOST_PROBLEMS: usize = 20;

/// Write items, replacing those with the same keys, or with -m one row of a model
///
/// Many items come one per line (JSON Lines) or as a JSON array, as `scan` prints them. If one of them
/// is bad, nothing is written. With -m a row is created, or the row there is made equal to it, and shown:
/// everything that the model says about it is kept.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, override_usage = USAGE)]
pub(crate) struct Put {
    /// The table; with -m the entity
    table: String,

    /// The item as JSON, or - to read items from stdin; with -m the row's attributes, NAME=VALUE each, or a
    /// JSON object; without any, a JSON object on stdin
    #[arg(required_unless_present_any = ["file", "model"], conflicts_with = "file")]
    item: Option<String>,

    #[arg(value_name = "NAME=VALUE", requires = "model", hide = true)]
    more: Vec<String>,

    /// Read items from this file
    #[arg(long, value_name = "FILE", conflicts_with = "model")]
    file: Option<PathBuf>,

    /// A row of this model; - is stdin
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    model: Option<PathBuf>,

    /// Read the row's attributes as a JSON object from this file; - is stdin
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(requires = "model", conflicts_with = "item")]
    json: Option<PathBuf>,

    /// Only if an attribute of the row there has this value; a name alone: only if it has none
    #[arg(long, value_name = "NAME=VALUE", requires = "model")]
    expect: Vec<String>,

    #[command(flatten)]
    notation: NotationArguments,

    #[command(flatten)]
    output: OutputArguments,

    #[command(flatten)]
    write: WriteArguments,

    #[command(flatten)]
    caller: CallerArguments,

    #[command(flatten)]
    target: TargetArguments,
}

impl Put {
    pub(crate) async fn run(mut self) -> Result<(), Failure> {
        match self.model.take() {
            Some(model) => self.row(model).await,
            None if self.output.is_given() => Err(Failure::usage(
                "--output is for the row of a model: add -m FILE",
            )),
            None => self.items().await,
        }
    }

    async fn row(self, model: PathBuf) -> Result<(), Failure> {
        let notation = self.notation.notation();
        let words = self.item.into_iter().chain(self.more).collect();
        let given = InputValues::read_row(words, self.json, &model, notation)?;
        let mut asked = RowCommand::new(Verb::Put, self.table, given).written(self.write);
        asked.expect = self.expect;
        let call = Call {
            model,
            caller: self.caller,
            notation,
            output: self.output,
            target: self.target,
        };
        call.run(asked).await
    }

    async fn items(self) -> Result<(), Failure> {
        // All of stdin before the store is opened: it may come from a `scan` of the same store.
        let mut input = Input::open(self.item, self.file)?;
        let dynamo = self.target.open().await?;
        let keys = TableKeys::describe(&*dynamo, &self.table).await?;
        let rules = Rules::new(&self.table, &keys, self.notation.notation());
        check(&mut input, &rules)?;

        let mut batches = Batches::new(dynamo, self.table.clone(), keys.key, Patience::default());
        let mut progress = Progress::new();
        for given in input.items()? {
            let given =
                given.map_err(|problem| changed(&problem.to_string(), batches.written()))?;
            let item = rules.read(&given.text);
            let item = item.map_err(|problem| changed(&problem, batches.written()))?;
            batches.push(given.line, item).await?;
            progress.at(format_args!("{} items written", batches.written()));
        }
        let written = batches.finish().await?;
        drop(progress);
        done(format_args!(
            "{written} {} written to {}",
            noun(written),
            self.table
        ));
        Ok(())
    }
}

/// Reads all of the input and refuses it if an item in it is bad.
fn check(input: &mut Input, rules: &Rules<'_>) -> Result<(), Failure> {
    let mut problems = Vec::new();
    let mut bad: u64 = 0;
    let mut all: u64 = 0;
    for given in input.items()? {
        all += 1;
        let problem = match given {
            Ok(given) => match rules.read(&given.text) {
                Ok(_) => continue,
                Err(problem) => format!("line {}: {problem}", given.line),
            },
            Err(problem) => problem.to_string(),
        };
        bad += 1;
        if problems.len() < MOST_PROBLEMS {
            problems.push(problem);
        }
    }
    match (bad, all) {
        (0, 0) => Err(input.refuse("there is no item in the input")),
        (0, _) => Ok(()),
        (bad, all) => Err(refusal(input, problems, bad, all)),
    }
}

fn refusal(input: &Input, problems: Vec<String>, bad: u64, all: u64) -> Failure {
    let told = problems.len() as u64;
    let what = format!(
        "{bad} of {all} {} cannot be written; nothing was written",
        noun(all)
    );
    let mut failure = problems
        .into_iter()
        .fold(input.refuse(what), Failure::because);
    if bad > told {
        failure = failure.because(format_args!("and {} more", bad - told));
    }
    failure
}

/// The input was good a moment ago.
fn changed(problem: &str, written: u64) -> Failure {
    Failure::other("the input changed while it was read")
        .because(problem)
        .because(format_args!("{written} {} written before", noun(written)))
}

const fn noun(count: u64) -> &'static str {
    if count == 1 { "item" } else { "items" }
}
