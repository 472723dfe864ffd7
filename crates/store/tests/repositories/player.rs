//! An operation that is carried out one request at a time.

use monotable_api::{Dynamo, Request};
use monotable_store::{Answer, AnyOperation, AnyOutput, Error, Machine, Options, Step, Store};
use std::collections::VecDeque;

pub(crate) struct Player {
    machine: Machine<AnyOutput>,
    open: VecDeque<Request>,
    answers: Vec<Answer>,
    ended: Option<Result<AnyOutput, Error>>,
}

impl Player {
    #[allow(dead_code, reason = "not every test that shares this needs it")]
    pub(crate) fn new(store: &Store, operation: AnyOperation) -> Self {
        Self::with(store, operation, Options::default())
    }

    pub(crate) fn with(store: &Store, operation: AnyOperation, options: Options) -> Self {
        let mut player = Self {
            machine: store.machine(operation, options),
            open: VecDeque::new(),
            answers: Vec::new(),
            ended: None,
        };
        player.step();
        player
    }

    /// Goes on to the next requests.
    fn step(&mut self) {
        while self.open.is_empty() && self.ended.is_none() {
            match self.machine.step(std::mem::take(&mut self.answers)) {
                Step::Send(requests) => self.open.extend(requests),
                Step::Wait(_) => {}
                Step::Done(result) => self.ended = Some(result),
            }
        }
    }

    /// Sends one request.
    pub(crate) async fn advance(&mut self, dynamo: &dyn Dynamo) {
        if let Some(request) = self.open.pop_front() {
            let answer = dynamo.call(request).await;
            self.answers.push(Answer::first(answer));
            self.step();
        }
    }

    pub(crate) fn outcome(&mut self) -> Option<Result<AnyOutput, Error>> {
        self.ended.take()
    }

    pub(crate) async fn finish(mut self, dynamo: &dyn Dynamo) -> Result<AnyOutput, Error> {
        while self.ended.is_none() {
            self.advance(dynamo).await;
        }
        self.ended.unwrap()
    }
}
