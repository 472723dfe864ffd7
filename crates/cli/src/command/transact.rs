//! `monotable transact`: several writes, all or none.

use crate::exit::{Failure, note};
use crate::input::Input;
use crate::model_file::is_stdin;
use crate::notation::Notation;
use crate::rows::{
    ENTITY, LoadedModel, ModelArguments, NameKind, RowArguments, Use, Work, WriteArguments,
    explain, refuse_values,
};
use crate::versions::read_write;
use clap::{Args, ValueHint};
use monotable_item::EncodedItem;
use monotable_model::suggest::nearest;
use monotable_store::{AnyOperation, AnyOutput, Options, Row, Transact as Operation};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  $ printf '%s\\n' '{\"create\": \"Tree\", \"values\": {\"UserId\": \"ada\", \"TreeId\": \"noel\", \"TreeName\": \"Noel\"}}' \\
      '{\"update\": \"Tree\", \"key\": {\"UserId\": \"ada\", \"TreeId\": \"king\"}, \"set\": {\"TreeName\": \"King-Noel\"}}' > writes.jsonl
  $ monotable transact writes.jsonl --dry-run
  $ monotable transact writes.jsonl --token first-import
  $ monotable transact --explain < writes.jsonl

A line is one operation, as docs/store.md has them; one JSON array of them will do, too:
  {\"create\": \"ENTITY\", \"values\": {..}}       {\"put\": \"ENTITY\", \"values\": {..}}
  {\"update\": \"ENTITY\", \"key\": {..}, \"set\": {..}, \"unset\": [..], \"add\": {..}, \"append\": {..}}
  {\"delete\": \"ENTITY\", \"key\": {..}}          {\"attach\": \"ENTITY\", \"values\": {..}}
  {\"detach\": \"ENTITY\", \"key\": {..}}
If a line is bad, or one of the operations is refused, nothing is written.";

/// How many bad lines are told one by one.
const MOST_PROBLEMS: usize = 20;

/// Carry out several operations in one transaction, all or none, and show their rows
///
/// Everything that the model declares is kept. An embedded store and its tables are made if they are missing.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Transact {
    #[command(flatten)]
    model: ModelArguments,

    /// The operations, one JSON object per line; - is stdin
    #[arg(default_value = "-", value_hint = ValueHint::FilePath)]
    file: PathBuf,

    #[command(flatten)]
    write: WriteArguments,

    #[command(flatten)]
    rows: RowArguments,
}

impl Transact {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let source = self.model.find()?;
        if is_stdin(&self.file) && source.is_stdin() {
            return Err(Failure::usage("stdin can be read only once"));
        }
        let model = source.load()?;
        let notation = self.rows.notation.notation();
        // Stdin is read before the store is opened, because it may come from a command on the same store.
        let file = (!is_stdin(&self.file)).then(|| self.file.clone());
        let operations = read_operations(Input::open(None, file)?, &model, notation)?;
        let store = self.rows.open(model.clone(), Use::New, Work::Short).await?;
        let operation = AnyOperation::Transact(Operation { operations });
        let RowArguments { trial, output, .. } = &self.rows;
        let options = Options {
            token: self.write.token,
            dry_run: trial.is_trial(),
            ..Options::default()
        };
        if trial.explain {
            return explain(&store, &model, operation, options, output, notation).await;
        }
        let outcome = store.run(operation, options).await;
        let outcome = outcome.map_err(|error| refuse_values(error, &model))?;
        let AnyOutput::Rows(rows) = outcome else {
            return Err(Failure::bug("a transaction is answered by rows"));
        };
        let mut printer = output.printer(notation, vec![ENTITY.to_owned()]);
        let rows: Vec<_> = rows.into_iter().map(show_row).collect();
        printer.page(&rows)?;
        printer.finish()?;
        if trial.dry_run {
            note("--dry-run: nothing was written");
        }
        Ok(())
    }
}

fn show_row(row: Row) -> EncodedItem {
    EncodedItem::from(row.values.with(ENTITY, row.entity))
}

/// Reads all lines; if some are bad, all of those are told.
fn read_operations(
    mut input: Input,
    model: &LoadedModel,
    notation: Notation,
) -> Result<Vec<AnyOperation>, Failure> {
    let mut operations = Vec::new();
    let mut problems = Vec::new();
    for given in input.items()? {
        let read = given
            .map_err(|problem| problem.to_string())
            .and_then(|given| {
                let operation = read_write(&given.text, notation)
                    .and_then(|read| check_entity(read.entity, read.operation, model));
                operation.map_err(|problem| format!("line {}: {problem}", given.line))
            });
        match read {
            Ok(operation) => operations.push(operation),
            Err(problem) => problems.push(problem),
        }
    }
    match (operations.len(), problems.len()) {
        (0, 0) => Err(Failure::other("there is no operation in the input").help(
            "a line is one operation: {\"create\": \"ENTITY\", \"values\": {..}}; `monotable transact --help` has the others",
        )),
        (_, 0) => Ok(operations),
        (good, bad) => Err(refuse(problems, bad, good + bad)),
    }
}

/// A wrong name is told with its line.
fn check_entity(
    entity: String,
    operation: AnyOperation,
    model: &LoadedModel,
) -> Result<AnyOperation, String> {
    if model.entity_named(&entity).is_some() {
        return Ok(operation);
    }
    let known = NameKind::Entity.list(model);
    let near = nearest(&entity, known.iter().copied());
    Err(match near {
        Some(near) => format!("the model has no entity `{entity}`; did you mean `{near}`?"),
        None => format!(
            "the model has no entity `{entity}`; it has {}",
            known.join(", ")
        ),
    })
}

fn refuse(mut problems: Vec<String>, bad: usize, all: usize) -> Failure {
    problems.truncate(MOST_PROBLEMS);
    if bad > MOST_PROBLEMS {
        problems.push(format!("and {} more", bad - MOST_PROBLEMS));
    }
    let what = format!("{bad} of {all} lines cannot be read; nothing was written");
    problems
        .into_iter()
        .fold(Failure::other(what), Failure::because)
}
