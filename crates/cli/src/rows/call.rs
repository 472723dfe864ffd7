//! One operation, from the command line to what is printed.

use super::caller::CallerArguments;
use super::model::{LoadedModel, ModelSource};
use super::opened::{Opened, Use};
use super::page_printer::PagePrinter;
use super::paging::{self, PageSink};
use super::row_command::{Prepared, RowCommand, Verb};
use super::trial::{self, TrialArguments};
use crate::exit::{Failure, note};
use crate::notation::{Notation, NotationArguments};
use crate::output::OutputArguments;
use crate::target::TargetArguments;
use crate::versions::{Answer, Declared, LogLines, refused};
use clap::Args;
use monotable_item::EncodedItem;
use monotable_model::model::Model;
use monotable_store::{AnyOperation, AnyOutput, Options, Store};

/// What every command on rows takes.
#[derive(Args, Clone, Debug)]
pub(crate) struct RowArguments {
    #[command(flatten)]
    pub(crate) trial: TrialArguments,

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
    model: ModelSource,
    rows: RowArguments,
}

/// How long an operation may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// It is done before anybody asks how far it is.
    Short,
    /// It may take along any number of rows, and says how far it is.
    Long,
}

impl RowArguments {
    /// The store as the caller sees it. One that is only tried makes no store, and may be on an empty one in memory.
    pub(crate) async fn open(
        &self,
        model: Model,
        usage: Use,
        work: Work,
    ) -> Result<Store, Failure> {
        let target = self.target.clone();
        let usage = if self.trial.is_trial() {
            Use::Pretended
        } else {
            usage
        };
        let opened = if self.trial.in_memory {
            Opened::in_memory(model).await?
        } else {
            match work {
                Work::Short => Opened::open(model, target, usage).await?,
                Work::Long => Opened::open_long(model, target, usage).await?,
            }
        };
        self.caller.applied(opened.store)
    }
}

impl Call {
    /// With what every command takes.
    pub(crate) const fn new(model: ModelSource, rows: RowArguments) -> Self {
        Self { model, rows }
    }

    /// Runs the operation and prints its rows.
    pub(crate) async fn run(self, asked: RowCommand) -> Result<(), Failure> {
        let model = self.model.load()?;
        // What is wrong with the words is said before a store is made.
        let prepared = asked.check(&model, &self.rows.caller).await?;
        let Prepared {
            operation,
            mut options,
            ..
        } = prepared;
        let RowArguments { trial, output, .. } = &self.rows;
        options.dry_run = trial.is_trial();
        let notation = self.rows.notation.notation();
        let (usage, work) = (usage(asked.verb), work(asked.verb));
        let store = self.rows.open(model.clone(), usage, work).await?;
        if trial.explain {
            return trial::explain(&store, &model, operation, options, output, notation).await;
        }
        let is_dry = trial.dry_run;
        self.answer(store, asked, operation, options, &model)
            .await?;
        if is_dry {
            note("--dry-run: nothing was written");
        }
        Ok(())
    }

    async fn answer(
        self,
        store: Store,
        asked: RowCommand,
        operation: AnyOperation,
        options: Options,
        model: &LoadedModel,
    ) -> Result<(), Failure> {
        let (output, notation) = (self.rows.output, self.rows.notation.notation());
        match asked.verb {
            Verb::Query | Verb::Log => {
                let pages = Pages {
                    store: &store,
                    model,
                    options,
                    is_all: asked.paging.is_all,
                };
                pages.print(operation, &asked, output, notation).await
            }
            _ => {
                let outcome = store.run(operation, options).await;
                let outcome = outcome.map_err(|error| refused(&asked, error, model))?;
                // With it goes the line that says how far it is.
                drop(store);
                print(model, outcome, &asked, output, notation)
            }
        }
    }
}

/// What is asked for page by page.
struct Pages<'s> {
    store: &'s Store,
    model: &'s LoadedModel,
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
        let model = self.model;
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
            model,
            options,
            is_all,
        } = self;
        paging::print(store, model, operation, options, is_all, sink).await
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

const fn usage(verb: Verb) -> Use {
    if verb.begins() { Use::New } else { Use::Old }
}

const fn work(verb: Verb) -> Work {
    if verb.is_long() {
        Work::Long
    } else {
        Work::Short
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
