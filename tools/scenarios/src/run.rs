//! A script, run on a target.

mod calls;
mod raw;
mod repositories;

pub(crate) use calls::{page_json, shown};

use crate::expectation::{self, Answer};
use crate::faults::Faulty;
use crate::rest::RestClient;
use crate::script::{self, Entry};
use crate::statement::Statement;
use crate::target::{Opened, Target};
use crate::variables::Variables;
use monotable_api::Dynamo;
use monotable_item::Item;
use monotable_model::compiled::CompiledModel;
use monotable_model::model::Model;
use monotable_store::{AnyOperation, Host, Options, Retry, Store};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// A script that did not pass.
#[derive(Debug)]
pub struct Failure {
    line: usize,
    problem: String,
}

impl Failure {
    /// Something beside the lines of the script.
    pub(crate) const fn outside(problem: String) -> Self {
        Self { line: 0, problem }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

/// How often a read is tried until it is what is expected: indexes lag.
const LOOKS: u32 = 40;

/// Where the clock stands at the beginning: 2025-11-18T12:00:00Z.
const BEGINNING: i64 = 1_763_467_200_000_000;

/// What a script has going.
pub(crate) struct Runner {
    opened: Opened,
    target: Target,
    /// What the store runs on; none for the machine itself.
    host: Option<Arc<dyn Host>>,
    faulty: Arc<Faulty<Arc<dyn Dynamo>>>,
    models: std::path::PathBuf,
    text: String,
    settings: Item,
    principal: Option<Item>,
    tenant: Option<String>,
    clock: Arc<AtomicI64>,
    /// The model's own store, of nobody; none until it is asked for.
    bound: Option<Store>,
    store: Option<Store>,
    /// How the store is called over HTTP, on the target that does so.
    rest: Option<RestClient>,
    variables: Variables,
    backups: BTreeMap<String, Vec<u8>>,
}

/// What a script has left behind.
pub struct Played {
    /// The model's store, of nobody; none if the script names no model.
    pub store: Option<Store>,
    /// What the store stands on.
    pub dynamo: Arc<dyn Dynamo>,
    /// Whether items were written beside the store.
    pub is_planted: bool,
    /// What keeps the target going.
    _opened: Opened,
}

/// Runs a script on a new target. `models` is the folder with the models.
pub async fn run_file(path: &Path, models: &Path, target: Target) -> Result<(), Failure> {
    play_file(path, models, target).await.map(drop)
}

/// Runs a script on a new target, and gives back what is there at its end.
pub async fn play_file(path: &Path, models: &Path, target: Target) -> Result<Played, Failure> {
    play(path, models, target, None).await
}

/// Runs a script in memory, on a host whose chance counts: the same script leaves the same items behind.
pub(crate) async fn play_on(
    path: &Path,
    models: &Path,
    host: Arc<dyn Host>,
) -> Result<Played, Failure> {
    play(path, models, Target::Memory, Some(host)).await
}

async fn play(
    path: &Path,
    models: &Path,
    target: Target,
    host: Option<Arc<dyn Host>>,
) -> Result<Played, Failure> {
    let outside = Failure::outside;
    let text = std::fs::read_to_string(path).map_err(|error| outside(error.to_string()))?;
    let entries = script::parse(&text).map_err(|error| Failure {
        line: error.line,
        problem: error.problem,
    })?;
    let clock = Arc::new(AtomicI64::new(BEGINNING));
    let opened = target.open(&clock).await.map_err(outside)?;
    let faulty = Arc::new(Faulty::new(Arc::clone(&opened.dynamo)));
    let mut runner = Runner {
        opened,
        target,
        host,
        faulty,
        models: models.to_path_buf(),
        text: String::new(),
        settings: Item::new(),
        principal: None,
        tenant: None,
        clock,
        bound: None,
        store: None,
        rest: None,
        variables: Variables::default(),
        backups: BTreeMap::new(),
    };
    runner.all(&entries).await?;
    Ok(Played {
        store: runner.bound.clone(),
        dynamo: Arc::clone(&runner.opened.dynamo),
        is_planted: text
            .lines()
            .any(|line| line.trim_start().starts_with("load ")),
        _opened: runner.opened,
    })
}

impl Runner {
    async fn all(&mut self, entries: &[Entry]) -> Result<(), Failure> {
        for entry in entries {
            let result = match entry.text.split_whitespace().next() {
                Some("for") => Box::pin(self.repeated(entry)).await,
                Some("parallel") => self.side_by_side(entry).await,
                _ => self.one(entry).await.map_err(|problem| Failure {
                    line: entry.line,
                    problem: format!("{}\n    {problem}", entry.text),
                }),
            };
            result?;
        }
        Ok(())
    }

    /// `for i in 1..5`: what is inside, with `$i`.
    async fn repeated(&mut self, entry: &Entry) -> Result<(), Failure> {
        let (name, from, to) = range(entry)?;
        for number in from..=to {
            self.variables.set(&name, Value::from(number));
            self.all(&entry.inside).await?;
        }
        Ok(())
    }

    /// `parallel i in 1..5`: calls at the same time; what is expected is expected of the list of their answers.
    async fn side_by_side(&mut self, entry: &Entry) -> Result<(), Failure> {
        let fail = |problem: String| Failure {
            line: entry.line,
            problem,
        };
        let (name, from, to) = range(entry)?;
        let mut calls = Vec::new();
        for number in from..=to {
            self.variables.set(&name, Value::from(number));
            for inside in &entry.inside {
                let (operation, options) = self.assembled(inside).map_err(fail)?;
                let store = self.store().map_err(fail)?.clone();
                let rest = self.rest.clone();
                calls.push(tokio::spawn(async move {
                    calls::call(&store, rest.as_ref(), operation, options).await
                }));
            }
        }
        let mut answers = Vec::new();
        for call in calls {
            let answer = call.await.map_err(|error| fail(error.to_string()))?;
            answers.push(answer.kept());
        }
        let answer = Answer::Value(Value::Array(answers));
        expectation::check(&answer, &entry.expected, &self.variables).map_err(fail)
    }

    async fn one(&mut self, entry: &Entry) -> Result<(), String> {
        let statement = Statement::parse(&entry.text, &self.variables)?;
        let reads = matches!(
            statement.word.as_str(),
            "get" | "query" | "log" | "show" | "diff"
        );
        let mut looks = 0;
        let answer = loop {
            let answer = self.answer(&statement, entry).await?;
            let checked = expectation::check(&answer, &entry.expected, &self.variables);
            looks += 1;
            match checked {
                Ok(()) => break answer,
                Err(_) if reads && looks < LOOKS => {
                    tokio::time::sleep(Duration::from_millis(1)).await
                }
                Err(problem) => return Err(problem),
            }
        };
        if let Some(name) = &statement.kept_as {
            self.variables.set(name, answer.kept());
        }
        Ok(())
    }

    async fn answer(&mut self, statement: &Statement, entry: &Entry) -> Result<Answer, String> {
        if let Some(answer) = self.surroundings(statement)? {
            return Ok(answer);
        }
        if let Some(answer) = raw::answer(self, statement).await? {
            return Ok(answer);
        }
        let (operation, options) = self.assembled(entry)?;
        let store = self.store()?.clone();
        let rest = self.rest.clone();
        Ok(calls::call(&store, rest.as_ref(), operation, options).await)
    }

    /// The operation of a statement, with those inside it.
    fn assembled(&mut self, entry: &Entry) -> Result<(AnyOperation, Options), String> {
        let statement = Statement::parse(&entry.text, &self.variables)?;
        let inside = self.operations(&entry.inside)?;
        calls::operation(&statement, inside)
    }

    /// The operations inside a block, loops unrolled.
    fn operations(&mut self, entries: &[Entry]) -> Result<Vec<AnyOperation>, String> {
        let mut operations = Vec::new();
        for entry in entries {
            if entry.text.starts_with("for ") {
                let (name, from, to) = range(entry).map_err(|failure| failure.problem)?;
                for number in from..=to {
                    self.variables.set(&name, Value::from(number));
                    operations.extend(self.operations(&entry.inside)?);
                }
                continue;
            }
            operations.push(self.assembled(entry)?.0);
        }
        Ok(operations)
    }

    /// Statements that change what the script runs in.
    fn surroundings(&mut self, statement: &Statement) -> Result<Option<Answer>, String> {
        let done = Ok(Some(Answer::Value(Value::Null)));
        match statement.word.as_str() {
            "model" => {
                let path = self.models.join(statement.word_at(0)?).join("model.toml");
                self.text =
                    std::fs::read_to_string(&path).map_err(|error| format!("{path:?}: {error}"))?;
                self.renew_client();
                done
            }
            "patch" => {
                let old = statement
                    .json_at(0)?
                    .as_str()
                    .unwrap_or_default()
                    .to_owned();
                let new = statement
                    .json_at(1)?
                    .as_str()
                    .unwrap_or_default()
                    .to_owned();
                if !self.text.contains(&old) {
                    return Err(format!("the model has no {old:?}"));
                }
                self.text = self.text.replace(&old, &new);
                self.renew_client();
                done
            }
            "setting" => {
                self.settings = crate::json::to_item(statement.json_at(0)?)?;
                self.renew_client();
                done
            }
            "as" => {
                self.principal = if statement.has("store") {
                    None
                } else {
                    Some(crate::json::to_item(statement.json_at(0)?)?)
                };
                self.store = None;
                done
            }
            "tenant" => {
                self.tenant = match statement.word_at(0)? {
                    "none" => None,
                    id => Some(id.to_owned()),
                };
                self.store = None;
                done
            }
            "at" => {
                let text = statement.word_at(0)?;
                let time =
                    monotable_model::compiled::Instant::parse(text).map_err(|e| e.to_string())?;
                let before = self.clock.swap(time.to_micros(), Ordering::SeqCst);
                if time.to_micros() < before {
                    self.renew_client();
                }
                done
            }
            "after" => {
                let text = statement.word_at(0)?;
                let millis = text
                    .strip_suffix("ms")
                    .and_then(|number| number.parse::<i64>().ok());
                let millis = millis.ok_or_else(|| format!("`{text}` is no time such as 2ms"))?;
                self.clock.fetch_add(millis * 1_000, Ordering::SeqCst);
                done
            }
            "let" => {
                let value = statement.json_at(1)?.clone();
                self.variables.set(statement.word_at(0)?, value);
                done
            }
            "fault" => {
                let count = statement.word_at(1).ok().and_then(|word| word.parse().ok());
                self.faulty.set(statement.word_at(0)?, count.unwrap_or(1))?;
                done
            }
            "requests" => Ok(Some(Answer::Value(Value::from(self.faulty.requests())))),
            "largest" => Ok(Some(Answer::Value(Value::from(self.faulty.largest())))),
            _ => Ok(None),
        }
    }

    /// The next call opens the store anew. A store's clock never goes back and its settings never change, so a script that
    /// does either goes on as another process.
    fn renew_client(&mut self) {
        self.bound = None;
        self.store = None;
    }

    /// The store of the model as it is now.
    fn store(&mut self) -> Result<&Store, String> {
        if self.store.is_none() {
            let mut store = self.bound()?;
            self.rest = (self.target == Target::Rest).then(|| {
                RestClient::new(store.clone(), self.principal.clone(), self.tenant.clone())
            });
            if let Some(principal) = &self.principal {
                store = store.as_principal(principal.clone());
            }
            if let Some(tenant) = &self.tenant {
                store = store.tenant(tenant.clone());
            }
            self.store = Some(store);
        }
        self.store.as_ref().ok_or_else(|| "no store".to_owned())
    }

    /// The model's own store. Checking and compiling a large model takes longer than most scripts.
    fn bound(&mut self) -> Result<Store, String> {
        if let Some(bound) = &self.bound {
            return Ok(bound.clone());
        }
        let model = checked_model(&self.text).ok_or("the model does not pass its check")?;
        let retry = Retry {
            attempts: 12,
            base: Duration::from_millis(1),
            cap: Duration::from_millis(20),
        };
        let clock = Arc::clone(&self.clock);
        let bound = self.bind(model)?.with_retry(retry).with_secret([7; 32]);
        let bound = bound
            .with_clock(move || clock.load(Ordering::SeqCst))
            .with_settings(self.settings.clone());
        self.bound = Some(bound.clone());
        Ok(bound)
    }

    /// A store of a model. On disk it is bound from the bytes of the compiled model, which must mean the same as its text.
    fn bind(&self, model: Model) -> Result<Store, String> {
        let dynamo = Arc::clone(&self.faulty);
        if let Some(host) = &self.host {
            return Ok(Store::with_host(model, dynamo, Arc::clone(host)));
        }
        if self.target != Target::Disk {
            return Ok(Store::new(model, dynamo));
        }
        let bytes = CompiledModel::new(model).to_bytes();
        let bytes = bytes.map_err(|problem| problem.to_string())?;
        Store::from_bytes(&bytes, dynamo).map_err(|error| error.to_string())
    }
}

/// A model that was checked; none if it does not pass.
type CheckedModel = Arc<OnceLock<Option<Model>>>;

/// The model of a text, checked once in a process: scripts of one model run side by side, on several targets.
fn checked_model(text: &str) -> Option<Model> {
    static KNOWN: Mutex<BTreeMap<String, CheckedModel>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let cell = Arc::clone(known.entry(text.to_owned()).or_default());
    drop(known);
    let model = cell.get_or_init(|| monotable_check::check(text).model);
    model.clone()
}

/// `for i in 1..5` in its parts.
fn range(entry: &Entry) -> Result<(String, i64, i64), Failure> {
    let words: Vec<&str> = entry.text.split_whitespace().collect();
    let ends = words.get(3).and_then(|range| range.split_once(".."));
    let ends = ends.and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    match (words.get(1), words.get(2), ends) {
        (Some(name), Some(&"in"), Some((from, to))) => Ok(((*name).to_owned(), from, to)),
        _ => Err(Failure {
            line: entry.line,
            problem: "a block begins with `for i in 1..5` or `parallel i in 1..5`".to_owned(),
        }),
    }
}
