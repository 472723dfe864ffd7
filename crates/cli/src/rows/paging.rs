//! The rows of an access pattern, page by page.

use super::page_printer::PagePrinter;
use crate::exit::{Failure, note};
use clap::Args;
use monotable_model::model::{Access, Way};
use monotable_store::{Operation, Options, Outcome, Page, Query, Store};

/// Rows that are read at once when all are wanted.
const PAGE: usize = 1000;

/// Which part of the rows is wanted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Paging {
    pub(crate) limit: Option<usize>,
    pub(crate) cursor: Option<String>,
    pub(crate) is_descending: bool,
    pub(crate) is_all: bool,
}

/// Where to begin and to end.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Rows of a model")]
pub(crate) struct CursorArguments {
    /// Go on where the page before ended, as its note says
    #[arg(
        long,
        value_name = "CURSOR",
        requires = "model",
        allow_hyphen_values = true
    )]
    pub(crate) cursor: Option<String>,

    /// All rows, also of a pattern that gives them out in pages
    #[arg(long, requires = "model", conflicts_with = "limit")]
    pub(crate) all: bool,
}

/// Prints the rows of a pattern; a cursor is only told if it serves later commands.
pub(super) async fn print(
    store: &Store,
    mut query: Query,
    options: Options,
    is_all: bool,
    has_cursors: bool,
    mut printer: PagePrinter,
) -> Result<(), Failure> {
    if query.cursor.is_some() && !has_cursors {
        return Err(Failure::usage("no cursor serves a later command here")
            .help("put a secret into MONOTABLE_CURSOR_KEY before the first page, or use --all"));
    }
    if is_all && query.limit.is_none() {
        query.limit = page_limit(store, &query.pattern);
    }
    loop {
        let page = page(store, &query, &options).await?;
        let next = page.cursor.clone();
        printer.page(page)?;
        match next {
            Some(cursor) if is_all => query.cursor = Some(cursor),
            next => return end(printer, next, has_cursors),
        }
    }
}

async fn page(store: &Store, query: &Query, options: &Options) -> Result<Page, Failure> {
    let operation = Operation::Query(query.clone());
    match store.run(operation, options.clone()).await? {
        Outcome::Page(page) => Ok(page),
        other => Err(Failure::bug(format_args!(
            "a query was answered by {other:?}"
        ))),
    }
}

fn end(printer: PagePrinter, next: Option<String>, has_cursors: bool) -> Result<(), Failure> {
    let told = next.clone().filter(|_| has_cursors);
    printer.finish(told.as_deref())?;
    match (next, told) {
        (None, _) => {}
        (Some(_), Some(cursor)) => note(format_args!("there may be more rows: --cursor {cursor}")),
        (Some(_), None) => note(
            "there may be more rows: --all shows them; with a secret in MONOTABLE_CURSOR_KEY there are cursors",
        ),
    }
    Ok(())
}

/// What can be read in parts is: the rest is read as a whole for each part of it.
fn page_limit(store: &Store, pattern: &str) -> Option<usize> {
    let is_plain = |access: &Access| {
        let is_arranged =
            !access.sort.is_empty() || !access.distinct.is_empty() || access.distinct_pairs;
        matches!(access.way, Way::Query { .. }) && !is_arranged
    };
    let (_, access) = store.model().pattern_named(pattern)?;
    (is_plain(access) && access.limit.is_none()).then_some(PAGE)
}
