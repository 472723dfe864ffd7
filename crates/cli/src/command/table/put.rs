//! `monotable table put`: writes items to a table.
//!
//! The input is read twice. First every item in it is checked: nothing is written if one of them is bad,
//! and every bad one is reported with its line. Then the items are written in batches.

mod batches;
mod rules;

use crate::exit::{Failure, done};
use crate::input::Input;
use crate::notation::NotationArguments;
use crate::progress::Progress;
use crate::table_keys::TableKeys;
use crate::target::TargetArguments;
use batches::{Batches, Patience};
use clap::Args;

use rules::Rules;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  $ monotable table put Music '{\"Artist\": \"Nina Simone\", \"Song\": \"Feeling Good\", \"Released\": 1965}'
  $ echo '{\"Artist\": \"Nina Simone\", \"Song\": \"Sinnerman\", \"Released\": 1965}' | monotable table put Music -
  $ monotable table scan Music --ddb-json --output jsonl > music.jsonl
  $ monotable table put Music --file music.jsonl --ddb-json";

/// How many bad items are told one by one.
const MOST_PROBLEMS: usize = 20;

/// Write items to a table, replacing those with the same keys
///
/// Many items come one per line (JSON Lines) or as a JSON array, as `monotable table scan` prints them. If one of
/// them is bad, nothing is written.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Put {
    /// The table
    table: String,

    /// The item as JSON, or - to read items from stdin
    #[arg(required_unless_present = "file", conflicts_with = "file")]
    item: Option<String>,

    /// Read items from this file
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,

    #[command(flatten)]
    notation: NotationArguments,

    #[command(flatten)]
    target: TargetArguments,
}

impl Put {
    pub(super) async fn run(self) -> Result<(), Failure> {
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
