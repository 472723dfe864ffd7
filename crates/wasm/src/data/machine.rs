//! One call, from errand to errand.

use super::body::{AnswerBody, CallMode, ContextBody, OptionsBody, StartBody};
use super::opened::OpenStore;
use super::task::Task;
use super::{Ended, failure, number, output};
use monotable_api::{Error as ServiceError, OperationName, Request};
use monotable_store::{
    AnyOperation, Delivery, Driver, Errand, Error, ErrorKind, Options, Reply, Report, RequestFacts,
    Store, decode_response, encode_request,
};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A call that has begun.
pub(super) struct Machine {
    driver: Driver<Outcome>,
    opened: Arc<OpenStore>,
    /// What each errand under way is.
    under_way: BTreeMap<u64, UnderWay>,
    /// A write may have been carried out.
    may_have_written: bool,
}

/// An errand that the host was told of.
#[derive(Clone, Copy)]
enum UnderWay {
    Pause,
    Hash,
    Request(OperationName),
}

/// What a call ends with.
type Outcome = Result<String, Error>;

/// What follows from a step.
pub(super) enum Next {
    /// Errands, as the elements of a JSON list.
    Do(Vec<u8>),
    Ended(Ended),
    Broken(String),
}

impl Machine {
    /// A call that was not begun; the problem is that the operation is none.
    pub(super) fn new(opened: &Arc<OpenStore>, body: StartBody<'_>) -> Result<Self, String> {
        let task = Task::parse(body.operation.get())?;
        let operation = match task {
            Some(_) => None,
            None => {
                let read = AnyOperation::from_json(body.operation.get());
                Some(read.map_err(|problem| problem.to_string())?)
            }
        };
        let store = enter(&opened.store, &body.context);
        let known = Arc::clone(opened);
        let driver = match (task, operation) {
            (Some(task), _) => Driver::new(&store, |store| task.carry_out(store, known)),
            (None, Some(mut operation)) => {
                let (mode, mut options) = read_options(body.options, body.context);
                let compiled = opened.store.compiled();
                number::read_texts(compiled, &mut operation, &mut options.expected);
                Driver::new(&store, move |store| async move {
                    call(store, known, operation, options, mode).await
                })
            }
            (None, None) => return Err("nothing to do".to_owned()),
        };
        Ok(Self {
            driver,
            opened: Arc::clone(opened),
            under_way: BTreeMap::new(),
            may_have_written: false,
        })
    }

    /// What the host's answers mean; the problem is what it has done wrong.
    pub(super) fn read_answers(
        &mut self,
        answers: Vec<AnswerBody<'_>>,
    ) -> Result<Vec<Report>, String> {
        answers
            .iter()
            .map(|answer| self.read_answer(answer))
            .collect()
    }

    fn read_answer(&mut self, answer: &AnswerBody<'_>) -> Result<Report, String> {
        let id = answer.id;
        let Some(sent) = self.under_way.remove(&id) else {
            return Err(format!("errand {id} is not under way"));
        };
        let delivery = match (sent, answer) {
            (
                UnderWay::Hash,
                AnswerBody {
                    hash: Some(hash), ..
                },
            ) => Delivery::Hashed(hash.clone()),
            (UnderWay::Pause | UnderWay::Hash, _) => Delivery::Paused,
            (UnderWay::Request(operation), AnswerBody { ok: Some(ok), .. }) => {
                Delivery::Answered(decode_response(operation, ok.get().as_bytes()))
            }
            (
                _,
                AnswerBody {
                    error: Some(error),
                    status,
                    ..
                },
            ) => {
                let status = status.ok_or_else(|| format!("errand {id}: an error has a status"))?;
                Delivery::Answered(Err(ServiceError::from_body(status, error.get().as_bytes())))
            }
            (
                _,
                AnswerBody {
                    lost: Some(lost), ..
                },
            ) => Delivery::Lost(lost.clone()),
            (
                _,
                AnswerBody {
                    unsent: Some(unsent),
                    ..
                },
            ) => Delivery::Unsent(unsent.clone()),
            (_, AnswerBody { again: true, .. }) => Delivery::Again,
            _ => {
                return Err(format!(
                    "errand {id} was a request: its answer has `ok`, `error`, `lost`, `unsent` or `again`"
                ));
            }
        };
        if matches!(sent, UnderWay::Request(operation) if is_write(operation)) {
            self.may_have_written |= answer.unsure || may_be_done(&delivery);
        }
        Ok(Report {
            id,
            delivery,
            unsure: answer.unsure,
        })
    }

    /// Goes on with reports.
    pub(super) fn step(&mut self, reports: Vec<Report>) -> Next {
        match self.driver.step(reports) {
            Reply::Done(Ok(done)) => Next::Ended(Ended::Done(done)),
            Reply::Done(Err(error)) => {
                let is_cut_off = matches!(error.kind(), ErrorKind::Retryable | ErrorKind::Fatal);
                let unsure = is_cut_off && self.may_have_written;
                let model = self.opened.store.model();
                Next::Ended(Ended::Failed(failure::describe(model, &error, unsure)))
            }
            Reply::Do(errands) => {
                let mut text = Vec::new();
                for errand in errands {
                    if let Err(problem) = self.write_errand(&mut text, errand) {
                        return Next::Broken(problem.to_string());
                    }
                }
                Next::Do(text)
            }
        }
    }

    fn write_errand(&mut self, text: &mut Vec<u8>, errand: Errand) -> Result<(), ServiceError> {
        let operation = errand.request.as_ref().map(Request::operation);
        let under_way = match (operation, &errand.hash) {
            (Some(operation), _) => UnderWay::Request(operation),
            (None, Some(_)) => UnderWay::Hash,
            (None, None) => UnderWay::Pause,
        };
        self.under_way.insert(errand.id, under_way);
        if !text.is_empty() {
            text.push(b',');
        }
        text.extend(format!(r#"{{"id":{}"#, errand.id).bytes());
        if !errand.after.is_zero() {
            text.extend(format!(r#","after":{}"#, errand.after.as_millis()).bytes());
        }
        if let (Some(request), Some(operation)) = (&errand.request, operation) {
            text.extend(format!(r#","send":"{operation}","input":"#).bytes());
            text.extend(encode_request(request)?);
            if is_write(operation) {
                text.extend(br#","write":true"#);
            }
        }
        if let Some(hash) = &errand.hash {
            let hash = json!({ "text": hash.text, "salt": hash.salt });
            text.extend(format!(r#","hash":{hash}"#).bytes());
        }
        text.push(b'}');
        Ok(())
    }
}

/// The store as the caller may see it.
fn enter(store: &Store, context: &ContextBody) -> Store {
    let mut store = store.clone();
    if let Some(program) = &context.program {
        store = store.as_program(program.clone());
    }
    if let Some(principal) = &context.principal {
        store = store.as_principal(principal.clone());
    }
    if let Some(tenant) = &context.tenant {
        store = store.tenant(tenant);
    }
    store
}

fn read_options(options: OptionsBody, context: ContextBody) -> (CallMode, Options) {
    let read = Options {
        expected: options.expecting,
        token: options.token,
        identity: None,
        consistent: options.consistent || context.consistent,
        dry_run: options.mode == CallMode::DryRun,
        request: RequestFacts {
            ip: context.ip,
            source: context.source,
        },
    };
    (options.mode, read)
}

async fn call(
    store: Store,
    opened: Arc<OpenStore>,
    operation: AnyOperation,
    options: Options,
    mode: CallMode,
) -> Outcome {
    match mode {
        CallMode::Run | CallMode::DryRun => {
            let pattern = match &operation {
                AnyOperation::Query(query) => Some(query.pattern.clone()),
                _ => None,
            };
            let output = store.run(operation, options).await?;
            output::show(&opened, pattern.as_deref(), output)
        }
        CallMode::Explain => {
            let explanation = store.explain(operation, options).await;
            Ok(output::show_explanation(store.model(), &explanation))
        }
        CallMode::Requests => {
            let planned = store.plan_requests(operation, options).await?;
            Ok(output::show_requests(&planned))
        }
    }
}

const fn is_write(operation: OperationName) -> bool {
    matches!(
        operation,
        OperationName::PutItem
            | OperationName::UpdateItem
            | OperationName::DeleteItem
            | OperationName::BatchWriteItem
            | OperationName::TransactWriteItems
    )
}

/// Whether a write with this report may have been carried out.
const fn may_be_done(delivery: &Delivery) -> bool {
    match delivery {
        Delivery::Answered(Ok(_)) | Delivery::Lost(_) => true,
        Delivery::Answered(Err(error)) => matches!(
            error,
            ServiceError::InternalServerError { .. } | ServiceError::ServiceUnavailable { .. }
        ),
        Delivery::Unsent(_) | Delivery::Again | Delivery::Paused | Delivery::Hashed(_) => false,
    }
}
