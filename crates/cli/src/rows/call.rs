//! One operation, from the command line to what is printed.

use super::caller::CallerArguments;
use super::opened::{Opened, Use};
use super::page_printer::PagePrinter;
use super::paging::PageSink;
use super::row_command::{RowCommand, Verb};
use super::{paging, usable};
use crate::exit::{Failure, note};
use crate::notation::{Notation, NotationArguments};
use crate::output::OutputArguments;
use crate::target::TargetArguments;
use crate::versions::{Answer, Declared, LogLines, refused};
use clap::Args;
use monotable_item::EncodedItem;
use monotable_model::model::Model;
use monotable_store::{AnyOperation, AnyOutput, Options, Store};
use std::path::PathBuf;

/// What every command on rows takes.
#[derive(Args, Clone, Debug)]
pub(crate) struct RowArguments {
    #[command(flatten)]
    pub(crate) caller: CallerArguments,

    #[command(flatten)]
    pub(crate) notation: NotationArguments,

    #[command(flatten)]
    pub(crate) output: OutputArguments,

    #[command(flatten)]
    pub(crate) target: TargetArguments,
}

/// Everything around an operation.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) model: PathBuf,
    pub(crate) caller: CallerArguments,
    pub(crate) notation: Notation,
    pub(crate) output: OutputArguments,
    pub(crate) target: TargetArguments,
}

impl Call {
    /// With what every command takes.
    pub(crate) fn new(model: PathBuf, arguments: RowArguments) -> Self {
        Self {
            model,
            caller: arguments.caller,
            notation: arguments.notation.notation(),
            output: arguments.output,
            target: arguments.target,
        }
    }

    /// Runs the operation and prints its rows.
    pub(crate) async fn run(self, asked: RowCommand) -> Result<(), Failure> {
        let model = usable(&self.model)?;
        // What is wrong with the words is said before a store is made.
        let operation = asked.operation(&model)?;
        let options = asked.options(&model)?;
        let opened = if asked.verb.is_long() {
            Opened::open_long(model, self.target, usage(&asked)).await?
        } else {
            Opened::open(model, self.target, usage(&asked)).await?
        };
        let store = self.caller.applied(opened.store)?;
        drop(opened.dynamo);
        let (output, notation) = (self.output, self.notation);
        match asked.verb {
            Verb::Query | Verb::Log => {
                let pages = Pages {
                    store: &store,
                    options,
                    is_all: asked.paging.is_all,
                };
                pages.print(operation, &asked, output, notation).await
            }
            _ => {
                let outcome = store.run(operation, options).await;
                let outcome = outcome.map_err(|error| refused(&asked, error))?;
                let model = store.model().clone();
                // With it goes the line that says how far it is.
                drop(store);
                print(&model, outcome, &asked, output, notation)?;
                if asked.write.dry_run {
                    note("--dry-run: nothing was written");
                }
                Ok(())
            }
        }
    }
}

/// What is asked for page by page.
struct Pages<'s> {
    store: &'s Store,
    options: Options,
    is_all: bool,
}

impl Pages<'_> {
    async fn print(
        self,
        operation: AnyOperation,
        asked: &RowCommand,
        output: OutputArguments,
        notation: Notation,
    ) -> Result<(), Failure> {
        let model = self.store.model();
        let name = &asked.name;
        if asked.verb == Verb::Query {
            let printer = PagePrinter::of_pattern(model, name, output, notation);
            return self.shown(operation, printer).await;
        }
        // A log without a limit is read to its end.
        let pages = Self {
            is_all: self.is_all || asked.paging.limit.is_none(),
            ..self
        };
        match Declared::named(model, name) {
            Some(declared) if asked.asking.is_drawn || output.is_text(notation) => {
                let lines = LogLines::new(declared, asked.asking.is_drawn);
                pages.shown(operation, lines).await
            }
            _ => {
                let printer = PagePrinter::of_log(model, name, output, notation);
                pages.shown(operation, printer).await
            }
        }
    }

    async fn shown(self, operation: AnyOperation, sink: impl PageSink) -> Result<(), Failure> {
        let Self {
            store,
            options,
            is_all,
        } = self;
        paging::print(store, operation, options, is_all, sink).await
    }
}

fn print(
    model: &Model,
    outcome: AnyOutput,
    asked: &RowCommand,
    output: OutputArguments,
    notation: Notation,
) -> Result<(), Failure> {
    match outcome {
        AnyOutput::Row(row) => {
            let leading = key_names(model, &row.entity);
            let printer = output.printer(notation, leading);
            printer.one(&EncodedItem::from(&row.values))
        }
        outcome => {
            let answer = Answer {
                model,
                declared: Declared::named(model, &asked.name),
                asking: &asked.asking,
                output,
                notation,
            };
            answer.print(outcome)
        }
    }
}

fn usage(asked: &RowCommand) -> Use {
    match asked.write.dry_run {
        true => Use::Pretended,
        false if asked.verb.begins() => Use::New,
        false => Use::Old,
    }
}

/// The attributes by which a row is known come first.
pub(crate) fn key_names(model: &Model, entity: &str) -> Vec<String> {
    let entity = model.entity_named(entity).map(|(_, entity)| entity);
    let names = entity
        .map(|entity| entity.key_attributes())
        .unwrap_or_default();
    names.into_iter().map(str::to_owned).collect()
}
