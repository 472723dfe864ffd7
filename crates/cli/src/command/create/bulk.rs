//! Many rows, each created through the model for itself.

use super::refused_lines::RefusedLines;
use crate::exit::{Failure, done, note, tell};
use crate::input::{Input, Unreadable};
use crate::model_file::is_stdin;
use crate::notation::Notation;
use crate::output::Printer;
use crate::progress::Progress;
use crate::rows::{
    LoadedModel, ModelSource, NameKind, RowArguments, Use, Work, explain, key_names, refuse_name,
    refuse_values,
};
use monotable_item::EncodedItem;
use monotable_store::{AnyOperation, AnyOutput, Create, Error, ErrorKind, Options, Store};
use std::path::PathBuf;

/// Rows of one entity, from a file or stdin.
#[derive(Debug)]
pub(super) struct Bulk {
    pub(super) model: ModelSource,
    pub(super) entity: String,
    pub(super) file: PathBuf,
    pub(super) refused: Option<PathBuf>,
    /// Whether the first line that is refused is the last one that is tried.
    pub(super) stops: bool,
    pub(super) rows: RowArguments,
}

/// What has become of the lines so far.
#[derive(Debug, Default)]
struct Tally {
    created: u64,
    refused: u64,
    untried: u64,
}

/// What became of one line.
enum Fate {
    Created,
    /// The model or what is stored does not allow this row.
    Refused(Failure),
    /// Nothing can be written any more, whatever the row.
    Stopped(Failure),
}

/// Creates rows one after another.
struct Creator<'b> {
    bulk: &'b Bulk,
    model: &'b LoadedModel,
    store: Store,
    notation: Notation,
    printer: Option<Printer>,
    /// Why nothing is printed any more. Rows are created all the same: a reader such as `head` that has seen enough does not
    /// decide how many there will be.
    unprinted: Option<Failure>,
}

impl Bulk {
    pub(super) async fn run(self) -> Result<(), Failure> {
        let model = self.model.load()?;
        if model.entity_named(&self.entity).is_none() {
            let known = NameKind::Entity.list(&model);
            let refusal = refuse_name(NameKind::Entity, &self.entity, &known, &model);
            return Err(refusal);
        }
        // All of stdin before the store is opened: it may come from a command on the same store.
        let file = (!is_stdin(&self.file)).then(|| self.file.clone());
        let mut input = Input::open(None, file)?;
        let mut refused = RefusedLines::open(self.refused.as_deref(), &self.file)?;
        let store = self.rows.open(model.clone(), Use::New, Work::Short).await?;
        let notation = self.rows.notation.notation();
        // Rows that nobody asks to see are only counted.
        let output = &self.rows.output;
        let is_shown = output.is_given() && !self.rows.trial.explain;
        let leading = key_names(&model, &self.entity);
        let mut creator = Creator {
            bulk: &self,
            model: &model,
            store,
            notation,
            printer: is_shown.then(|| output.printer(notation, leading)),
            unprinted: None,
        };
        let tally = creator.create_all(&mut input, &mut refused).await?;
        if let Some(printer) = creator.printer.take() {
            creator.unprinted = printer.finish().err();
        }
        refused.finish()?;
        self.conclude(&tally)?;
        creator.unprinted.map_or(Ok(()), Err)
    }

    fn conclude(&self, tally: &Tally) -> Result<(), Failure> {
        let Tally {
            created,
            refused,
            untried,
        } = tally;
        let all = created + refused + untried;
        let trial = self.rows.trial;
        let verb = if trial.is_trial() {
            "can be created"
        } else {
            "created"
        };
        if all == 0 {
            return Err(Failure::other("there is no row in the input"));
        }
        if trial.dry_run {
            note("--dry-run: nothing was written");
        }
        if refused + untried == 0 {
            done(format_args!("{} {verb}", count(*created, &self.entity)));
            return Ok(());
        }
        let what = format!(
            "{refused} of {all} lines refused; {} {verb}",
            count(*created, &self.entity)
        );
        let mut failure = Failure::other(what);
        if *untried > 0 {
            let lines = if *untried == 1 {
                "line was"
            } else {
                "lines were"
            };
            failure = failure.because(format_args!("{untried} {lines} not tried"));
        }
        Err(match &self.refused {
            Some(file) => failure.help(format_args!(
                "mend the lines in {} and create them from there",
                file.display()
            )),
            None => failure.help("--refused FILE keeps such lines for another try"),
        })
    }
}

impl Creator<'_> {
    async fn create_all(
        &mut self,
        input: &mut Input,
        refused: &mut RefusedLines,
    ) -> Result<Tally, Failure> {
        let mut tally = Tally::default();
        let mut progress = Progress::new();
        let mut is_stopped = false;
        for given in input.items()? {
            if is_stopped {
                tally.untried += 1;
                refused.keep(&text_of(&given))?;
                continue;
            }
            let text = text_of(&given);
            let (line, fate) = match given {
                Ok(given) => (given.line, self.create(&given.text).await?),
                Err(problem) => (problem.line, Fate::Refused(Failure::other(&problem.what))),
            };
            match fate {
                Fate::Created => tally.created += 1,
                Fate::Refused(failure) => {
                    tally.refused += 1;
                    is_stopped = self.bulk.stops;
                    refused.keep(&text)?;
                    progress.pause();
                    tell(&failure.at_line(line));
                }
                Fate::Stopped(failure) => {
                    tally.untried += 1;
                    is_stopped = true;
                    refused.keep(&text)?;
                    progress.pause();
                    tell(&failure.at_line(line));
                }
            }
            progress.at(format_args!(
                "{} created, {} refused",
                tally.created, tally.refused
            ));
        }
        Ok(tally)
    }

    /// Creates one row. A failure to print is no failure of the row, nor of the rows after it.
    async fn create(&mut self, text: &str) -> Result<Fate, Failure> {
        let values = match self.notation.read(text) {
            Ok(values) => values.to_item(),
            Err(problem) => return Ok(Fate::Refused(Failure::other(problem))),
        };
        let operation = AnyOperation::Create(Create {
            entity: self.bulk.entity.clone(),
            values,
        });
        let rows = &self.bulk.rows;
        let options = Options {
            dry_run: rows.trial.is_trial(),
            ..Options::default()
        };
        if rows.trial.explain {
            let (model, output) = (self.model, &rows.output);
            let explained = explain(
                &self.store,
                model,
                operation,
                options,
                output,
                self.notation,
            )
            .await;
            return Ok(match explained {
                Ok(()) => Fate::Created,
                Err(failure) => Fate::Refused(failure),
            });
        }
        let row = match self.store.run(operation, options).await {
            Ok(AnyOutput::Row(row)) => row,
            Ok(_) => return Err(Failure::bug("a create is answered by a row")),
            Err(error) if ends_all(&error) => {
                return Ok(Fate::Stopped(refuse_values(error, self.model)));
            }
            Err(error) => return Ok(Fate::Refused(refuse_values(error, self.model))),
        };
        if let Some(printer) = &mut self.printer
            && let Err(failure) = printer.page(&[EncodedItem::from(&row.values)])
        {
            self.printer = None;
            self.unprinted = Some(failure);
        }
        Ok(Fate::Created)
    }
}

/// Whether the next row would not fare better: the service does not answer, or refuses everything.
fn ends_all(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Retryable | ErrorKind::Fatal)
}

fn text_of(given: &Result<crate::input::ItemText, Unreadable>) -> Vec<u8> {
    match given {
        // Between the values of an object a space is as good as a line break.
        Ok(given) => given.text.replace(['\n', '\r'], " ").into_bytes(),
        Err(problem) => problem.bytes.clone(),
    }
}

fn count(count: u64, entity: &str) -> String {
    let rows = if count == 1 { "row" } else { "rows" };
    format!("{count} {rows} of {entity}")
}
