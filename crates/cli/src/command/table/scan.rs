//! `monotable table scan`: all items of a table or index.

use crate::exit::Failure;
use crate::pages::{PagedRequest, Pages, Rest};
use crate::reading::{ReadingArguments, note_rest};
use crate::table_keys::{Key, TableKeys};
use crate::target::TargetArguments;
use clap::Args;
use monotable_api::{Dynamo, ScanInput};
use monotable_item::{EncodedItem, limits};
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

const EXAMPLES: &str = "\
Examples:
  $ monotable table scan Music
  $ monotable table scan Music --filter 'Released > :from' --values '{\":from\": 1960}' --output jsonl
  $ monotable table scan Music --segments 4 --ddb-json --output jsonl > music.jsonl";

/// Pages that wait to be printed, per segment.
const WAITING_PAGES: usize = 1;

/// Show all items of a table or index
///
/// Items are read and printed page by page, in no particular order.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Scan {
    /// The table
    table: String,

    /// Read this many parts of the table at the same time
    #[arg(
        long,
        value_name = "COUNT",
        default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(limits::MAX_SEGMENTS)),
        conflicts_with = "start_key"
    )]
    segments: u32,

    #[command(flatten)]
    reading: ReadingArguments,

    #[command(flatten)]
    target: TargetArguments,
}

impl Scan {
    pub(super) async fn run(self) -> Result<(), Failure> {
        let mut scan = ScanInput::new(&self.table);
        scan.index_name.clone_from(&self.reading.index);
        scan.filter_expression.clone_from(&self.reading.filter);
        scan.projection_expression
            .clone_from(&self.reading.projection);
        scan.expression_attribute_values = self.reading.values()?;
        scan.expression_attribute_names = self.reading.names()?;
        scan.consistent_read = self.reading.consistent.then_some(true);

        let dynamo = self.target.open().await?;
        let keys = TableKeys::describe(&*dynamo, &self.table).await?;
        let page_key = keys.page_key(self.reading.index.as_deref())?;
        scan.exclusive_start_key = self.reading.start(&page_key)?.map(Into::into);
        let rest = match self.segments {
            1 => in_order(dynamo, scan, page_key, &self.reading).await?,
            segments => in_parallel(dynamo, scan, page_key, &self.reading, segments).await?,
        };
        note_rest(&rest, self.reading.notation())
    }
}

async fn in_order(
    dynamo: Arc<dyn Dynamo>,
    scan: ScanInput,
    page_key: Key,
    reading: &ReadingArguments,
) -> Result<Rest, Failure> {
    let mut printer = reading.printer(&page_key);
    let mut pages = Pages::new(dynamo, PagedRequest::Scan(scan), page_key, reading.limit);
    while let Some(items) = pages.next().await? {
        printer.page(&items)?;
    }
    printer.finish()?;
    Ok(pages.rest())
}

/// Each segment is read by a task; their pages are printed as they come.
async fn in_parallel(
    dynamo: Arc<dyn Dynamo>,
    scan: ScanInput,
    page_key: Key,
    reading: &ReadingArguments,
    segments: u32,
) -> Result<Rest, Failure> {
    let (sender, mut received) = mpsc::channel(WAITING_PAGES);
    let mut tasks = JoinSet::new();
    for index in 0..segments {
        let segment = PagedRequest::Scan(scan.clone().segment(index, segments));
        let pages = Pages::new(
            Arc::clone(&dynamo),
            segment,
            page_key.clone(),
            reading.limit,
        );
        tasks.spawn(send_pages(pages, sender.clone()));
    }
    drop(sender);

    let mut printer = reading.printer(&page_key);
    let mut remaining = reading.limit.map_or(usize::MAX, |limit| limit as usize);
    let mut rest = Rest::Nothing;
    while let Some(page) = received.recv().await {
        let mut items: Vec<EncodedItem> = page?;
        if items.len() > remaining {
            items.truncate(remaining);
            rest = Rest::Unknown;
        }
        remaining -= items.len();
        printer.page(&items)?;
        if rest == Rest::Unknown {
            break;
        }
    }
    printer.finish()?;
    Ok(rest)
}

/// Nobody receives any more once enough was printed.
async fn send_pages(mut pages: Pages, sender: mpsc::Sender<Result<Vec<EncodedItem>, Failure>>) {
    while let Some(page) = pages.next().await.transpose() {
        let is_last = page.is_err();
        if sender.send(page).await.is_err() || is_last {
            return;
        }
    }
}
