//! An operation as a state machine without IO.
//!
//! An operation is written as an `async` function that awaits answers from its [`Steps`]; the compiler makes the state
//! machine of it. [`Machine::step`] runs it up to the next requests and gives them out. Who sends them, when, and how
//! often, is not its business: a test makes the answers up, `explain` prints them, a program of another language sends
//! them. The store itself does not step: its operations await the executor.

use crate::errands::Hashing;
use crate::error::Error;
use crate::execute::Executor;
use crate::isolation::PartitionGate;
use crate::request::Outgoing;
use crate::sending::Answer;
use monotable_api::{Error as ServiceError, Request};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context, Poll, Waker};

/// What an operation wants next.
#[derive(Debug)]
pub enum Step<T> {
    /// These requests sent, all at once, and their answers in this order.
    Send(Vec<Request>),
    /// A pause, because others changed what it had read; this is its so-many-th.
    Wait(u32),
    /// Nothing more.
    Done(Result<T, Error>),
}

/// What goes in and out of an operation that is stepped.
#[derive(Debug, Default)]
struct Exchange {
    requests: Option<Vec<Request>>,
    pause: Option<u32>,
    answers: Option<Vec<Answer>>,
}

/// How requests leave an operation.
enum Port {
    /// They are sent at once, by the operation itself.
    Direct(Arc<Executor>),
    /// Somebody steps the operation and answers them.
    Stepped(Arc<Mutex<Exchange>>),
}

/// A request that was sent.
enum Sent<'s, T, F, R> {
    /// Or was not: the caller may not touch what it touches.
    Refused(Box<T>),
    Direct(F),
    Stepped(&'s Mutex<Exchange>, R),
}

/// The operation's own end: it sends requests by this.
pub(crate) struct Steps {
    port: Port,
    /// What the operation may touch; everything if there is none.
    gate: OnceLock<PartitionGate>,
    /// The first partition that it asked for and may not touch.
    refused: OnceLock<String>,
}

impl std::fmt::Debug for Steps {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Steps").finish_non_exhaustive()
    }
}

/// An operation that goes from requests to requests.
pub struct Machine<T> {
    operation: Pin<Box<dyn Future<Output = Result<T, Error>> + Send>>,
    exchange: Arc<Mutex<Exchange>>,
}

impl<T> std::fmt::Debug for Machine<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Machine").finish_non_exhaustive()
    }
}

impl<T> Machine<T> {
    pub(crate) fn new<F>(operation: impl FnOnce(Steps) -> F) -> Self
    where
        F: Future<Output = Result<T, Error>> + Send + 'static,
    {
        let exchange = Arc::default();
        let steps = Steps::new(Port::Stepped(Arc::clone(&exchange)));
        let operation = Box::pin(operation(steps));
        Self {
            operation,
            exchange,
        }
    }

    /// Goes on with the answers to what was sent last; the first step has none.
    pub fn step(&mut self, answers: Vec<Answer>) -> Step<T> {
        lock(&self.exchange).answers = Some(answers);
        let mut context = Context::from_waker(Waker::noop());
        if let Poll::Ready(result) = self.operation.as_mut().poll(&mut context) {
            return Step::Done(result);
        }
        let mut exchange = lock(&self.exchange);
        match (exchange.requests.take(), exchange.pause.take()) {
            (Some(requests), _) => Step::Send(requests),
            (None, pause) => Step::Wait(pause.unwrap_or(0)),
        }
    }
}

impl Steps {
    const fn new(port: Port) -> Self {
        Self {
            port,
            gate: OnceLock::new(),
            refused: OnceLock::new(),
        }
    }

    /// Sends requests by itself.
    pub(crate) fn direct(executor: &Arc<Executor>) -> Self {
        Self::new(Port::Direct(Arc::clone(executor)))
    }

    /// Sends nothing: nobody would answer.
    pub(crate) fn without_sending() -> Self {
        Self::new(Port::Stepped(Arc::default()))
    }

    /// From here on requests are held against what the caller may touch.
    pub(crate) fn guard(&self, gate: PartitionGate) {
        self.gate.get_or_init(|| gate);
    }

    /// What was not sent, because the caller may not touch it.
    pub(crate) fn refused(&self) -> Option<String> {
        self.refused.get().cloned()
    }

    /// Sends a request for each of these, and waits for all their answers. If the caller may not touch what one of them
    /// touches, none is sent. A request is made anew when it is sent again.
    pub(crate) async fn send<'t, T: Sync>(
        &self,
        asked: &'t [T],
        make: impl Fn(&'t T) -> Outgoing<'t> + Send + Sync,
    ) -> Vec<Answer> {
        match asked {
            [] => Vec::new(),
            [one] => vec![self.call(|| make(one)).await],
            asked => Box::pin(self.send_many(asked, make)).await,
        }
    }

    async fn send_many<'t, T: Sync>(
        &self,
        asked: &'t [T],
        make: impl Fn(&'t T) -> Outgoing<'t> + Send + Sync,
    ) -> Vec<Answer> {
        let requests: Vec<_> = asked.iter().map(&make).collect();
        if let Some(denied) = requests.iter().find_map(|request| self.refuse(request)) {
            return requests.iter().map(|_| denied.clone()).collect();
        }
        let requests = requests.into_iter().map(Outgoing::into_request);
        match &self.port {
            Port::Direct(executor) => executor.answer_all(requests).await,
            Port::Stepped(exchange) => {
                ask(exchange, requests.collect());
                answered(exchange).await
            }
        }
    }

    /// Sends one request, which is made anew when it is sent again.
    pub(crate) fn call<'s>(
        &'s self,
        make: impl Fn() -> Outgoing<'s> + Send + Sync + 's,
    ) -> impl Future<Output = Answer> + Send + 's {
        self.ask(make, |answer| answer)
    }

    /// Sends one request, and gives what `read` makes of its answer. An answer has room for those of all operations, so it is
    /// read where it arrives and not handed on.
    pub(crate) fn ask<'s, T: Send + 's>(
        &'s self,
        make: impl Fn() -> Outgoing<'s> + Send + Sync + 's,
        read: impl FnOnce(Answer) -> T + Send + 's,
    ) -> impl Future<Output = T> + Send + 's {
        let sent = self.begin(make, read);
        async move {
            match sent {
                Sent::Refused(denied) => *denied,
                Sent::Direct(answer) => answer.await,
                Sent::Stepped(exchange, read) => read(first(answered(exchange).await)),
            }
        }
    }

    /// Sends a request before anything waits for it, so that nobody has to keep room for it.
    fn begin<'s, T: Send + 's, R: FnOnce(Answer) -> T + Send + 's>(
        &'s self,
        make: impl Fn() -> Outgoing<'s> + Send + Sync + 's,
        read: R,
    ) -> Sent<'s, T, impl Future<Output = T> + Send + 's, R> {
        let request = make();
        if let Some(denied) = self.refuse(&request) {
            return Sent::Refused(Box::new(read(denied)));
        }
        let request = request.into_request();
        match &self.port {
            Port::Direct(executor) => {
                let again = move || make().into_request();
                Sent::Direct(executor.answer_made(request, again, read))
            }
            Port::Stepped(exchange) => {
                ask(exchange, vec![request]);
                Sent::Stepped(exchange, read)
            }
        }
    }

    /// Whether a host may be told to hash.
    pub(crate) fn hands_out(&self) -> bool {
        match &self.port {
            Port::Direct(executor) => executor.hands_out(),
            Port::Stepped(_) => false,
        }
    }

    /// The hash that a host makes of a text; none if it makes none.
    pub(crate) async fn hash(&self, hashing: Hashing) -> Option<String> {
        match &self.port {
            Port::Direct(executor) => executor.hash(hashing).await,
            Port::Stepped(_) => None,
        }
    }

    /// Lets others go first.
    pub(crate) async fn wait(&self, attempt: u32) {
        match &self.port {
            Port::Direct(executor) => executor.pause_before(attempt).await,
            Port::Stepped(exchange) => {
                {
                    let mut exchange = lock(exchange);
                    exchange.pause = Some(attempt);
                    exchange.answers = None;
                }
                answered(exchange).await;
            }
        }
    }

    /// The answer to a request that touches what the caller may not.
    fn refuse(&self, request: &Outgoing<'_>) -> Option<Answer> {
        let refused = self.gate.get()?.find_refused(request.touches())?;
        let message = self.refused.get_or_init(|| refused).clone();
        Some(Answer::first(Err(ServiceError::AccessDeniedException {
            message,
        })))
    }
}

fn lock(exchange: &Mutex<Exchange>) -> MutexGuard<'_, Exchange> {
    exchange.lock().unwrap_or_else(PoisonError::into_inner)
}

fn ask(exchange: &Mutex<Exchange>, requests: Vec<Request>) {
    let mut exchange = lock(exchange);
    exchange.requests = Some(requests);
    exchange.answers = None;
}

async fn answered(exchange: &Mutex<Exchange>) -> Vec<Answer> {
    std::future::poll_fn(|_| match lock(exchange).answers.take() {
        Some(answers) => Poll::Ready(answers),
        None => Poll::Pending,
    })
    .await
}

fn first(answers: Vec<Answer>) -> Answer {
    let missing = || Answer::first(Err(ServiceError::internal("the executor did not answer")));
    answers.into_iter().next().unwrap_or_else(missing)
}
