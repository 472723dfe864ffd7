//! Long results as lines of JSON, page after page.
//!
//! A row is a line. What comes beside the rows has a name of its own: `{"$followed": row}`, `{"$unknown": item}`. If there is
//! more than the caller wants, the last line is `{"$cursor": text}`; if a page fails, it is `{"$problem": ..}`.

use crate::call::Call;
use crate::carry_out::refuse;
use crate::json::Plain;
use crate::problem::Problem;
use crate::response::{Response, pack};
use bytes::Bytes;
use futures_util::stream::{self, StreamExt};
use monotable_store::{AnyOperation, AnyOutput, Options, Page, Store};
use serde::Serialize;
use serde_json::value::RawValue;

/// What is left of a result.
struct Rest {
    store: Store,
    operation: AnyOperation,
    options: Options,
    /// How many rows the caller still wants.
    wanted: Option<usize>,
}

/// Where a result is.
enum Position {
    /// A page was read, and its lines are still to be sent.
    Read(Box<Rest>, Page),
    /// The next page is to be read.
    Next(Box<Rest>),
    End,
}

/// The response with all rows. The first page is read before anything is sent, so that a refusal has its own status.
pub(crate) async fn stream(store: Store, call: Call) -> Result<Response, Problem> {
    let Call {
        mut operation,
        options,
        ..
    } = call;
    let wanted = take_limit(&mut operation);
    let rest = Rest {
        store,
        operation,
        options,
        wanted,
    };
    let page = rest.read().await?;
    let first = Position::Read(Box::new(rest), page);
    let pages = stream::unfold(first, |position| async {
        match position {
            Position::Read(rest, page) => Some(send(rest, page)),
            Position::Next(rest) => match rest.read().await {
                Ok(page) => Some(send(rest, page)),
                Err(problem) => {
                    let problem = String::from_utf8(problem.to_json()).unwrap_or_default();
                    let problem = RawValue::from_string(problem).ok();
                    let mut lines = Vec::new();
                    add_line(&mut lines, &Marked("$problem", problem));
                    Some((Bytes::from(lines), Position::End))
                }
            },
            Position::End => None,
        }
    });
    Ok(Response::lines(pages.boxed()))
}

/// In a list without pages a limit is the number of all rows.
fn take_limit(operation: &mut AnyOperation) -> Option<usize> {
    match operation {
        AnyOperation::Query(query) => query.limit,
        AnyOperation::Log(log) => log.limit,
        _ => None,
    }
}

impl Rest {
    async fn read(&self) -> Result<Page, Problem> {
        let result = self.store.run(self.operation.clone(), self.options.clone());
        match result.await {
            Ok(AnyOutput::Page(page)) => Ok(page),
            // A pattern that compares two revisions has no pages.
            Ok(_) => Err(Problem::bad_request(
                "this pattern has no pages; ask for application/json",
            )),
            Err(error) => Err(refuse(self.store.model(), &self.operation, &error)),
        }
    }

    fn go_on_from(&mut self, cursor: String) {
        match &mut self.operation {
            AnyOperation::Query(query) => (query.after, query.limit) = (Some(cursor), self.wanted),
            AnyOperation::Log(log) => (log.after, log.limit) = (Some(cursor), self.wanted),
            _ => {}
        }
    }
}

/// The lines of a page, and where the result is then.
fn send(mut rest: Box<Rest>, page: Page) -> (Bytes, Position) {
    let mut lines = Vec::new();
    for row in &page.rows {
        add_line(&mut lines, &Plain(row));
    }
    for row in &page.followed {
        add_line(&mut lines, &Marked("$followed", Plain(row)));
    }
    for item in &page.unknown {
        add_line(&mut lines, &Marked("$unknown", Plain(item)));
    }
    if let Some(wanted) = &mut rest.wanted {
        *wanted = wanted.saturating_sub(page.rows.len());
    }
    let position = match page.cursor {
        None => Position::End,
        Some(cursor) if rest.wanted == Some(0) => {
            add_line(&mut lines, &Marked("$cursor", cursor));
            Position::End
        }
        Some(cursor) => {
            rest.go_on_from(cursor);
            Position::Next(rest)
        }
    };
    (pack(lines), position)
}

/// A line that is no row: an object with one member whose name begins with a dollar sign.
struct Marked<T>(&'static str, T);

impl<T: Serialize> Serialize for Marked<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(self.0, &self.1)])
    }
}

fn add_line(lines: &mut Vec<u8>, value: &impl Serialize) {
    let length = lines.len();
    // Writing to memory fails only for values without a JSON, which rows do not have.
    match serde_json::to_writer(&mut *lines, value) {
        Ok(()) => lines.push(b'\n'),
        Err(_) => lines.truncate(length),
    }
}
