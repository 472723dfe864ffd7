//! What an operation sends, without its writes being carried out.
//!
//! The machine of the operation is stepped as always. Its reads are sent, because what it writes depends on them, and
//! their consumed capacity is what the service says. Its writes are answered as if they had succeeded, and their units
//! are worked out from the items: table, each index that changes, twice in a transaction.

mod caller_view;
mod given;
mod key_pattern;
mod pretended;
mod shown;
mod units;

use crate::error::Error;
use crate::execute::Executor;
use crate::operation::{AnyOperation, AnyOutput, Options};
use crate::scope::Scope;
use crate::sending::Answer;
use crate::sent::encode_request;
use crate::steps::{Machine, Step};
use caller_view::{CallerView, known_of_caller};
use given::GivenValues;
use monotable_api::{OperationName, Request, Response, ReturnConsumedCapacity};
use monotable_item::EncodedItem;
use monotable_model::compiled::CompiledModel;
use monotable_model::model::Model;
use pretended::answer_write;
use shown::ReadValues;
use std::fmt;

/// The requests of an operation, in the order in which they are sent.
#[derive(Debug)]
pub struct Explanation {
    /// The requests.
    pub requests: Vec<Explained>,
    /// What would come of it.
    pub outcome: Result<AnyOutput, Error>,
}

/// One request.
#[derive(Debug)]
pub struct Explained {
    /// Requests of one round are sent side by side.
    pub round: usize,
    /// What it asks of DynamoDB: `GetItem`.
    pub operation: OperationName,
    /// Its body as JSON. Values that an earlier request has read are shown as such; for a caller, every value that it did
    /// not give is.
    pub body: String,
    /// What it costs, for the table and each index.
    pub units: Vec<Units>,
}

/// A request as it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedRequest {
    /// What it asks of DynamoDB: `GetItem`.
    pub operation: OperationName,
    /// Its body as JSON, with every value.
    pub body: String,
}

/// Capacity units of a table or an index.
#[derive(Clone, Debug, PartialEq)]
pub struct Units {
    /// The table, or the table and the index: `Yggdrasil/GSI1`.
    pub of: String,
    /// Units that are read.
    pub read: f64,
    /// Units that are written.
    pub write: f64,
}

impl Explanation {
    /// All units together: read and written.
    #[must_use]
    pub fn total(&self) -> (f64, f64) {
        let units = self.requests.iter().flat_map(|request| &request.units);
        units.fold((0.0, 0.0), |(read, write), units| {
            (read + units.read, write + units.write)
        })
    }
}

/// What is shown of requests.
#[derive(Debug)]
pub(crate) enum View {
    /// Requests as they are sent: for the program that sends them itself.
    Plain,
    Program(ReadValues),
    Caller(Box<CallerView>),
}

impl View {
    fn show(&self, request: &Request) -> String {
        match self {
            // A request that has no JSON is refused when it is sent.
            Self::Plain => {
                String::from_utf8(encode_request(request).unwrap_or_default()).unwrap_or_default()
            }
            Self::Program(values) => values.show(request),
            Self::Caller(view) => view.show(request),
        }
    }

    /// Of an operation that is refused to a caller, or that shows it nothing, only what follows from its own words is told. What was
    /// read after that, and how large it was, would tell whether there is a row.
    fn conceal(&self, explanation: &mut Explanation) {
        let shows_nothing = match &explanation.outcome {
            Ok(AnyOutput::Page(page)) => page.rows.is_empty() || page.hidden > 0,
            Ok(_) => false,
            Err(_) => true,
        };
        if let (Self::Caller(_), true) = (self, shows_nothing) {
            explanation.requests.retain(|request| request.round == 1);
            for request in &mut explanation.requests {
                request.units.clear();
            }
        }
    }

    fn note(&mut self, model: &Model, request: usize, answer: &Answer) {
        match self {
            Self::Plain => {}
            Self::Program(values) => values.note(model, request, answer),
            Self::Caller(view) => view.note(request, answer),
        }
    }
}

/// The items that a request has read.
fn read_items(response: &Response) -> Vec<&EncodedItem> {
    match response {
        Response::GetItem(output) => output.item.iter().collect(),
        Response::Query(output) => output.items.iter().flatten().collect(),
        Response::BatchGetItem(output) => output.responses.values().flatten().collect(),
        _ => Vec::new(),
    }
}

/// Where the reads of an explanation go.
#[derive(Clone, Copy)]
pub(crate) struct Target<'a> {
    pub(crate) executor: &'a Executor,
    pub(crate) model: &'a CompiledModel,
}

/// Runs an operation with its reads sent and its writes only noted, for what comes of it.
pub(crate) async fn dry_run(
    target: Target<'_>,
    machine: Machine<AnyOutput>,
) -> Result<AnyOutput, Error> {
    let view = View::Program(ReadValues::default());
    run(target, machine, view).await.outcome
}

impl View {
    /// What is shown to whoever asks in this scope.
    pub(crate) fn new(scope: &Scope, operation: &AnyOperation, options: &Options) -> Self {
        if !scope.asks_rights() {
            return Self::Program(ReadValues::new(format!("{operation:?}")));
        }
        let known = known_of_caller(scope);
        let given = GivenValues::new(operation, options, known);
        Self::Caller(Box::new(CallerView::new(scope, given)))
    }
}

/// Whether writes are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sending {
    /// They are only noted, and answered as if they had succeeded.
    Pretended,
    /// They are.
    Live,
}

/// Runs an operation with its reads sent and its writes only noted.
pub(crate) async fn run(
    target: Target<'_>,
    machine: Machine<AnyOutput>,
    view: View,
) -> Explanation {
    carry_out(target, machine, view, Sending::Pretended).await.0
}

/// Runs an operation and notes its requests; the second is how often it began.
pub(crate) async fn carry_out(
    target: Target<'_>,
    mut machine: Machine<AnyOutput>,
    mut view: View,
    sending: Sending,
) -> (Explanation, u32) {
    let mut attempts = 1;
    let mut requests = Vec::new();
    let mut answers = Vec::new();
    let mut round = 0;
    loop {
        answers = match machine.step(std::mem::take(&mut answers)) {
            Step::Done(outcome) => {
                let mut explanation = Explanation { requests, outcome };
                view.conceal(&mut explanation);
                return (explanation, attempts);
            }
            Step::Wait(attempt) => {
                attempts += 1;
                if sending == Sending::Live {
                    target.executor.pause_before(attempt).await;
                }
                Vec::new()
            }
            Step::Send(sent) => {
                round += 1;
                let mut answers = Vec::new();
                let first = requests.len();
                for request in sent {
                    let operation = request.operation();
                    let body = view.show(&request);
                    let pretended = answer_write(target, &request).await;
                    let (answer, units) = match pretended {
                        Some(result) => {
                            let units = units::count_write(target, &request).await;
                            let answer = match sending {
                                Sending::Pretended => Answer::first(result),
                                Sending::Live => target.executor.answer(request).await,
                            };
                            (answer, units)
                        }
                        None => {
                            let asked = asking(request.clone());
                            let answer = target.executor.answer(asked).await;
                            let units = units::count_answer(&answer);
                            (answer, units)
                        }
                    };
                    requests.push(Explained {
                        round,
                        operation,
                        body,
                        units,
                    });
                    answers.push(answer);
                }
                for (position, answer) in answers.iter().enumerate() {
                    view.note(target.model.model(), first + position + 1, answer);
                }
                answers
            }
        };
    }
}

/// A read that also says what it cost.
fn asking(mut request: Request) -> Request {
    let indexes = Some(ReturnConsumedCapacity::Indexes.into());
    match &mut request {
        Request::GetItem(input) => input.return_consumed_capacity = indexes,
        Request::Query(input) => input.return_consumed_capacity = indexes,
        Request::BatchGetItem(input) => input.return_consumed_capacity = indexes,
        _ => {}
    }
    request
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, explained) in self.requests.iter().enumerate() {
            let alone = self
                .requests
                .iter()
                .filter(|other| other.round == explained.round)
                .count()
                == 1;
            let beside = if alone { "" } else { " (side by side)" };
            let name = explained.operation;
            writeln!(f, "{}. {name} {}{beside}", position + 1, explained.body)?;
            for Units { of, read, write } in &explained.units {
                match (*read > 0.0, *write > 0.0) {
                    (true, _) => writeln!(f, "   {of}: {read} read")?,
                    (_, true) => writeln!(f, "   {of}: {write} written")?,
                    (false, false) => {}
                }
            }
        }
        let (read, write) = self.total();
        let count = self.requests.len();
        writeln!(
            f,
            "{count} requests, {read} read units, {write} write units"
        )?;
        match &self.outcome {
            Ok(_) => Ok(()),
            Err(error) => writeln!(f, "ends with {}: {error}", error.kind().name()),
        }
    }
}
