//! The rows of an access pattern, page by page.

use super::model::LoadedModel;
use super::refusal::refuse_values;
use crate::exit::{Failure, note};
use clap::Args;
use monotable_model::model::{Access, Way};
use monotable_store::{AnyOperation, AnyOutput, Options, Page, Store};

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
pub(crate) struct CursorArguments {
    /// Go on where the page before ended, as its note says
    #[arg(long, value_name = "CURSOR", allow_hyphen_values = true)]
    pub(crate) cursor: Option<String>,

    /// All rows, also of a pattern that gives them out in pages
    #[arg(long, conflicts_with = "limit")]
    pub(crate) all: bool,
}

/// What shows pages.
pub(crate) trait PageSink {
    /// One more page.
    fn page(&mut self, page: Page) -> Result<(), Failure>;

    /// The rest; a cursor if there are more rows.
    fn finish(self, cursor: Option<&str>) -> Result<(), Failure>;
}

/// Shows the rows of a pattern, or a log.
pub(super) async fn print(
    store: &Store,
    model: &LoadedModel,
    mut operation: AnyOperation,
    options: Options,
    is_all: bool,
    mut sink: impl PageSink,
) -> Result<(), Failure> {
    let most = page_limit(store, &operation);
    if let (true, Some((limit @ None, _))) = (is_all, part(&mut operation)) {
        *limit = most;
    }
    loop {
        let page = page(store, model, &operation, &options).await?;
        let next = page.cursor.clone();
        sink.page(page)?;
        match (next, part(&mut operation)) {
            (Some(next), Some((_, cursor))) if is_all => *cursor = Some(next),
            (next, _) => return end(sink, next),
        }
    }
}

/// The limit and the cursor of what has pages.
const fn part(operation: &mut AnyOperation) -> Option<(&mut Option<usize>, &mut Option<String>)> {
    match operation {
        AnyOperation::Query(query) => Some((&mut query.limit, &mut query.after)),
        AnyOperation::Log(log) => Some((&mut log.limit, &mut log.after)),
        _ => None,
    }
}

async fn page(
    store: &Store,
    model: &LoadedModel,
    operation: &AnyOperation,
    options: &Options,
) -> Result<Page, Failure> {
    let outcome = store.run(operation.clone(), options.clone()).await;
    match outcome.map_err(|error| refuse_values(error, model))? {
        AnyOutput::Page(page) => Ok(page),
        AnyOutput::Differences(_) => Err(Failure::usage("this pattern compares two revisions")
            .help("`monotable diff` shows what they differ in")),
        other => Err(Failure::bug(format_args!(
            "a query was answered by {other:?}"
        ))),
    }
}

fn end(sink: impl PageSink, next: Option<String>) -> Result<(), Failure> {
    sink.finish(next.as_deref())?;
    if let Some(cursor) = next {
        note(format_args!("there may be more rows: --cursor {cursor}"));
    }
    Ok(())
}

/// What can be read in parts is: the rest is read as a whole for each part of it.
fn page_limit(store: &Store, operation: &AnyOperation) -> Option<usize> {
    let AnyOperation::Query(query) = operation else {
        return Some(PAGE);
    };
    let is_plain = |access: &Access| {
        let is_arranged =
            !access.sort.is_empty() || !access.distinct.is_empty() || access.distinct_pairs;
        matches!(access.way, Way::Query { .. }) && !is_arranged
    };
    let (_, access) = store.model().pattern_named(&query.pattern)?;
    (is_plain(access) && access.limit.is_none()).then_some(PAGE)
}
