//! An operation as a state machine without IO.
//!
//! An operation is written as an `async` function that awaits answers from its [`Steps`]; the compiler makes the state
//! machine of it. [`Machine::step`] runs it up to the next requests and gives them out. Who sends them, when, and how
//! often, is not its business: an executor sends them, a test makes the answers up, `explain` prints them.

use crate::error::Error;
use crate::isolation::PartitionGate;
use crate::request::Outgoing;
use monotable_api::{Error as ServiceError, Request, Response};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

/// What was answered to a request.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The answer.
    pub result: Result<Response, ServiceError>,
    /// An earlier attempt may have been carried out without its answer arriving.
    pub unsure: bool,
}

impl Answer {
    /// An answer to the first attempt.
    #[must_use]
    pub const fn first(result: Result<Response, ServiceError>) -> Self {
        let unsure = false;
        Self { result, unsure }
    }
}

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

/// What goes in and out of an operation.
#[derive(Debug, Default)]
struct Port {
    /// What the operation may touch; everything if there is none.
    gate: Option<PartitionGate>,
    /// The first partition that it asked for and may not touch.
    refused: Option<String>,
    requests: Option<Vec<Request>>,
    pause: Option<u32>,
    answers: Option<Vec<Answer>>,
}

/// The operation's own end: it sends requests by this.
#[derive(Clone, Debug, Default)]
pub(crate) struct Steps(Arc<Mutex<Port>>);

/// An operation that goes from requests to requests.
pub struct Machine<T> {
    operation: Pin<Box<dyn Future<Output = Result<T, Error>> + Send>>,
    steps: Steps,
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
        let steps = Steps::default();
        let operation = Box::pin(operation(steps.clone()));
        Self { operation, steps }
    }

    /// Goes on with the answers to what was sent last; the first step has none.
    pub fn step(&mut self, answers: Vec<Answer>) -> Step<T> {
        self.steps.with(|port| port.answers = Some(answers));
        let mut context = Context::from_waker(Waker::noop());
        if let Poll::Ready(result) = self.operation.as_mut().poll(&mut context) {
            return Step::Done(result);
        }
        let (requests, pause) = self
            .steps
            .with(|port| (port.requests.take(), port.pause.take()));
        match (requests, pause) {
            (Some(requests), _) => Step::Send(requests),
            (None, pause) => Step::Wait(pause.unwrap_or(0)),
        }
    }
}

impl Steps {
    fn with<R>(&self, act: impl FnOnce(&mut Port) -> R) -> R {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// From here on requests are held against what the caller may touch.
    pub(crate) fn guard(&self, gate: PartitionGate) {
        self.with(|port| port.gate = Some(gate));
    }

    /// What was not sent, because the caller may not touch it.
    pub(crate) fn refused(&self) -> Option<String> {
        self.with(|port| port.refused.clone())
    }

    /// Sends requests and waits for all their answers. If the caller may not touch what one of them touches, none is
    /// sent.
    pub(crate) async fn send(&self, requests: Vec<Outgoing>) -> Vec<Answer> {
        if requests.is_empty() {
            return Vec::new();
        }
        let refused = self.with(|port| {
            let gate = port.gate.as_ref()?;
            let mut touched = requests.iter().map(Outgoing::touches);
            let refused = touched.find_map(|touched| gate.find_refused(touched))?;
            Some(port.refused.insert(refused).clone())
        });
        if let Some(message) = refused {
            let denied = ServiceError::AccessDeniedException { message };
            let answer = Answer::first(Err(denied));
            return requests.iter().map(|_| answer.clone()).collect();
        }
        self.with(|port| {
            let requests = requests.into_iter().map(Outgoing::into_request);
            port.requests = Some(requests.collect());
            port.answers = None;
        });
        self.answered().await
    }

    /// Sends one request.
    pub(crate) async fn call(&self, request: Outgoing) -> Answer {
        first(self.send(vec![request]).await)
    }

    /// Lets others go first.
    pub(crate) async fn wait(&self, attempt: u32) {
        self.with(|port| {
            port.pause = Some(attempt);
            port.answers = None;
        });
        self.answered().await;
    }

    async fn answered(&self) -> Vec<Answer> {
        std::future::poll_fn(|_| {
            self.with(|port| match port.answers.take() {
                Some(answers) => Poll::Ready(answers),
                None => Poll::Pending,
            })
        })
        .await
    }
}

fn first(answers: Vec<Answer>) -> Answer {
    let missing = || Answer::first(Err(ServiceError::internal("the executor did not answer")));
    answers.into_iter().next().unwrap_or_else(missing)
}
