//! One operation, from the command line to what is printed.

use super::asked::{Asked, Verb};
use super::caller::CallerArguments;
use super::opened::{Opened, Use};
use super::page_printer::PagePrinter;
use super::{paging, usable};
use crate::exit::{Failure, note};
use crate::notation::{Notation, NotationArguments};
use crate::output::OutputArguments;
use crate::target::TargetArguments;
use clap::Args;
use monotable_item::EncodedItem;
use monotable_model::model::Model;
use monotable_store::{Operation, Outcome, Row, Store};
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
    pub(crate) async fn run(self, asked: Asked) -> Result<(), Failure> {
        let model = usable(&self.model)?;
        // What is wrong with the words is said before a store is made.
        let operation = asked.operation(&model)?;
        let options = asked.options(&model)?;
        // A delete or a move may take along any number of rows.
        let opened = match asked.verb {
            Verb::Delete | Verb::Move => {
                Opened::open_long(model, self.target, usage(&asked)).await?
            }
            _ => Opened::open(model, self.target, usage(&asked)).await?,
        };
        let (opened, has_cursors) = match asked.verb {
            Verb::Query => opened.with_cursors()?,
            _ => (opened, false),
        };
        let store = self.caller.applied(opened.store)?;
        if let Operation::Query(query) = operation {
            let printer =
                PagePrinter::new(store.model(), &query.pattern, self.output, self.notation);
            let is_all = asked.paging.is_all;
            return paging::print(&store, query, options, is_all, has_cursors, printer).await;
        }
        let row = row(&store, operation, options).await?;
        let leading = key_names(store.model(), &row.entity);
        let printer = self.output.printer(self.notation, leading);
        printer.one(&EncodedItem::from(&row.values))?;
        if asked.write.dry_run {
            note("--dry-run: nothing was written");
        }
        Ok(())
    }
}

fn usage(asked: &Asked) -> Use {
    match asked.write.dry_run {
        true => Use::Pretended,
        false if asked.verb.begins() => Use::New,
        false => Use::Old,
    }
}

async fn row(
    store: &Store,
    operation: Operation,
    options: monotable_store::Options,
) -> Result<Row, Failure> {
    match store.run(operation, options).await? {
        Outcome::Row(row) => Ok(row),
        other => Err(Failure::bug(format_args!(
            "a row was expected, not {other:?}"
        ))),
    }
}

/// The attributes by which a row is known come first.
fn key_names(model: &Model, entity: &str) -> Vec<String> {
    let entity = model.entity_named(entity).map(|(_, entity)| entity);
    let names = entity
        .map(|entity| entity.key_attributes())
        .unwrap_or_default();
    names.into_iter().map(str::to_owned).collect()
}
