//! The page: which screen an address names.

use crate::activity::{Activity, CallRecord, Watched};
use crate::address::{Words, read_segment};
use crate::asset;
use crate::bill::{Bill, Billed};
use crate::census::Census;
use crate::context::{Context, Events};
use crate::editor::Editor;
use crate::event_stream::{self, MOST_STREAMS};
use crate::meter::Metered;
use crate::mode::Mode;
use crate::part::signin;
use crate::proof::{ModelSource, Proof};
use crate::reply;
use crate::reply::EVENT_STREAM;
use crate::screen;
use crate::write;
use http::header::{ACCEPT, HOST};
use http::{Method, StatusCode};
use jiff::Timestamp;
use monotable_api::Dynamo;
use monotable_rest::{Request, Response, Rest};
use monotable_store::{Store, Verification};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use tokio::sync::Semaphore;

/// Where the page begins.
pub const HOME: &str = "/ui/";

/// What pages of other origins cannot send without being asked, so that a write can only come from our own modules.
const OWN_HEADER: &str = "monotable-workbench";

/// So many pages are rendered at once. A page of large rows takes their size several times over, outside of the budget for answers.
const ROOMS: usize = 2;

/// The page of a server. Clones are handles of the same one.
#[derive(Clone)]
pub struct Workbench {
    shared: Arc<Shared>,
}

struct Shared {
    mode: Mode,
    /// The command that runs, as people type it.
    command: String,
    /// Where the data is, as people say it.
    place: String,
    /// What leads other programs to tables elsewhere.
    remote_option: Option<String>,
    dynamo: Arc<dyn Dynamo>,
    /// What is paid for the data; none if it is in this process, where looking costs nothing.
    bill: Option<Bill>,
    activity: Activity,
    proofs: RwLock<BTreeMap<String, Arc<Proof>>>,
    censuses: Mutex<BTreeMap<String, (u64, Arc<Census>)>>,
    /// Held while tables are counted: readers who come meanwhile use that count.
    counting: tokio::sync::Mutex<()>,
    /// Pages that may be rendered at once: a page of large rows takes many megabytes until it is sent.
    rooms: Semaphore,
    /// Pages that are told what happens.
    listeners: Arc<Semaphore>,
    is_closed: AtomicBool,
    /// Held while the file of a model is changed: two pages do not do so at once.
    files: tokio::sync::Mutex<()>,
    editor: RwLock<Editor>,
    verified: Mutex<BTreeMap<String, Arc<Verified>>>,
}

/// Where tables elsewhere are.
#[derive(Clone, Debug)]
pub struct RemotePlace {
    /// As people call it.
    pub name: String,
    /// The option with which the AWS CLI finds it: `--region eu-central-1`.
    pub option: String,
}

/// What the last verification of a model found.
#[derive(Debug)]
pub(crate) struct Verified {
    pub(crate) at: Timestamp,
    pub(crate) outcome: Result<Verification, String>,
}

impl std::fmt::Debug for Workbench {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workbench")
            .field("mode", &self.shared.mode)
            .finish_non_exhaustive()
    }
}

impl Workbench {
    /// A page that shows what is in a DynamoDB. `command` and `place` are words for people: what runs, and where the data is.
    #[must_use]
    pub fn new(mode: Mode, command: &str, place: &str, dynamo: Arc<dyn Dynamo>) -> Self {
        Self::with_bill(mode, command, place, dynamo, None, None)
    }

    /// A page over a DynamoDB elsewhere, whose owner is paid for every request: nothing is read that the reader did not ask for, and
    /// the page says what was used.
    #[must_use]
    pub fn over_remote(
        mode: Mode,
        command: &str,
        place: RemotePlace,
        dynamo: Arc<dyn Dynamo>,
    ) -> Self {
        let bill = Bill::default();
        let billed = Arc::new(Billed::new(dynamo, bill.clone()));
        let option = Some(place.option);
        Self::with_bill(mode, command, &place.name, billed, Some(bill), option)
    }

    fn with_bill(
        mode: Mode,
        command: &str,
        place: &str,
        dynamo: Arc<dyn Dynamo>,
        bill: Option<Bill>,
        remote_option: Option<String>,
    ) -> Self {
        Self {
            shared: Arc::new(Shared {
                mode,
                command: command.to_owned(),
                place: place.to_owned(),
                remote_option,
                dynamo,
                bill,
                activity: Activity::default(),
                proofs: RwLock::default(),
                censuses: Mutex::default(),
                counting: tokio::sync::Mutex::default(),
                rooms: Semaphore::new(ROOMS),
                listeners: Arc::new(Semaphore::new(MOST_STREAMS)),
                is_closed: AtomicBool::new(false),
                files: tokio::sync::Mutex::default(),
                editor: RwLock::default(),
                verified: Mutex::default(),
            }),
        }
    }

    /// Whether a path is one of the page's.
    #[must_use]
    pub fn handles(&self, path: &str) -> bool {
        self.shared.mode != Mode::Off
            && path
                .strip_prefix("/ui")
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// Where a browser is led that asks for the server itself; none if there is no page.
    #[must_use]
    pub fn home(&self) -> Option<&'static str> {
        (self.shared.mode != Mode::Off).then_some(HOME)
    }

    /// The calls of the server, to be noted by whoever answers them.
    #[must_use]
    pub fn activity(&self) -> &Activity {
        &self.shared.activity
    }

    /// A DynamoDB whose requests are listed as calls. Without a page nothing is noted.
    #[must_use]
    pub fn watch(&self, dynamo: Arc<dyn Dynamo>) -> Arc<dyn Dynamo> {
        match self.shared.mode {
            Mode::Off => dynamo,
            Mode::On | Mode::ReadOnly => {
                Arc::new(Watched::new(dynamo, self.shared.activity.clone()))
            }
        }
    }

    /// A store whose requests are noted beside the call that sends them. Without a page nothing is noted.
    #[must_use]
    pub fn watch_store(&self, store: Store) -> Store {
        match self.shared.mode {
            Mode::Off => store,
            Mode::On | Mode::ReadOnly => {
                let meter = self.shared.activity.meter.clone();
                let bill = self.shared.bill.clone();
                store.through(|dynamo| {
                    let dynamo = match bill {
                        Some(bill) => Arc::new(Billed::new(dynamo, bill)),
                        None => dynamo,
                    };
                    Arc::new(Metered::new(dynamo, meter))
                })
            }
        }
    }

    /// Shows these texts of models from now on.
    pub fn publish(&self, sources: Vec<ModelSource>) {
        let mut proofs = self
            .shared
            .proofs
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        for source in sources {
            let known = proofs.get(&source.name);
            if known.is_none_or(|known| known.source.text != source.text) {
                proofs.insert(source.name.clone(), Arc::new(Proof::new(source)));
            }
        }
    }

    /// Proves what was published, so that the first reader does not wait for it.
    pub fn prove(&self) {
        let proofs: Vec<_> = {
            let proofs = self
                .shared
                .proofs
                .read()
                .unwrap_or_else(PoisonError::into_inner);
            proofs.values().cloned().collect()
        };
        for proof in proofs {
            proof.reading();
        }
    }

    pub(crate) fn proof(&self, model: &str) -> Option<Arc<Proof>> {
        let proofs = self
            .shared
            .proofs
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        proofs.get(model).cloned()
    }

    /// Opens files of models in another editor than the usual one.
    pub fn use_editor(&self, editor: Editor) {
        let mut known = self
            .shared
            .editor
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        *known = editor;
    }

    pub(crate) fn editor(&self) -> Editor {
        let known = self.shared.editor.read();
        known.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Ends what lasts, so that the server can end.
    pub fn close(&self) {
        self.shared.is_closed.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.shared.is_closed.load(Ordering::Relaxed)
    }

    /// When each model was read last.
    pub(crate) fn list_saved(&self) -> Vec<String> {
        let proofs = self
            .shared
            .proofs
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        let saved = proofs.values().map(|proof| proof.saved.as_millisecond());
        saved.map(|saved| saved.to_string()).collect()
    }

    /// Tells a page what happens from now on, or, if it asks for no stream or too many listen, what has happened so far.
    fn tell_events(&self, request: &Request) -> Response {
        let wanted = request.headers.get(ACCEPT);
        let is_stream = wanted.is_some_and(|wanted| wanted == EVENT_STREAM);
        let place = Arc::clone(&self.shared.listeners).try_acquire_owned();
        match place {
            Ok(place) if is_stream => reply::events(event_stream::tell(self.clone(), place)),
            _ => reply::json(&event_stream::write_events(&Events::read(self))),
        }
    }

    pub(crate) async fn lock_files(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.shared.files.lock().await
    }

    pub(crate) fn mode(&self) -> Mode {
        self.shared.mode
    }

    pub(crate) fn command(&self) -> &str {
        &self.shared.command
    }

    pub(crate) fn place(&self) -> &str {
        &self.shared.place
    }

    /// The option with which the AWS CLI finds the tables, for a reader who came by this address.
    pub(crate) fn aws_option(&self, host: &str) -> String {
        let option = self.shared.remote_option.clone();
        option.unwrap_or_else(|| format!("--endpoint-url http://{host}"))
    }

    /// What is paid for the data; none if it is in this process.
    pub(crate) fn bill(&self) -> Option<&Bill> {
        self.shared.bill.as_ref()
    }

    pub(crate) fn dynamo(&self) -> &Arc<dyn Dynamo> {
        &self.shared.dynamo
    }

    /// What is in the tables of a model, counted anew if something was written since; and the number of writes before the count.
    pub(crate) async fn census(&self, model: &str, store: &Store) -> (u64, Arc<Census>) {
        if self.shared.bill.is_some() {
            let (_, writes) = self.shared.activity.count();
            return (writes, Arc::default());
        }
        if let Some(known) = self.find_census(model) {
            return known;
        }
        let _counting = self.shared.counting.lock().await;
        if let Some(known) = self.find_census(model) {
            return known;
        }
        let (_, writes) = self.shared.activity.count();
        let census = Arc::new(Census::take(store, &self.shared.dynamo).await);
        let mut known = self
            .shared
            .censuses
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        known.insert(model.to_owned(), (writes, Arc::clone(&census)));
        (writes, census)
    }

    /// What a caller with rights of its own is told: counts and samples are of rows of everybody, so there are none.
    pub(crate) fn census_of_caller(&self) -> (u64, Arc<Census>) {
        let (_, writes) = self.shared.activity.count();
        let census = match self.shared.bill {
            Some(_) => Census::default(),
            None => Census::withheld(),
        };
        (writes, Arc::new(census))
    }

    /// The count that is known, if it is still good.
    fn find_census(&self, model: &str) -> Option<(u64, Arc<Census>)> {
        let (_, writes) = self.shared.activity.count();
        let known = self
            .shared
            .censuses
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let (counted_at, census) = known.get(model)?;
        let is_good = *counted_at == writes || census.is_fresh();
        is_good.then(|| (*counted_at, Arc::clone(census)))
    }

    /// What the last verification of a model found.
    pub(crate) fn verified(&self, model: &str) -> Option<Arc<Verified>> {
        let known = self
            .shared
            .verified
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        known.get(model).cloned()
    }

    pub(crate) fn note_verification(&self, model: &str, verified: Verified) {
        let mut known = self
            .shared
            .verified
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        known.insert(model.to_owned(), Arc::new(verified));
    }

    /// Notes a call of the page itself.
    pub(crate) fn note(&self, call: CallRecord) {
        self.shared.activity.note(call);
    }

    /// Answers a request below `/ui`, on the models of the API.
    pub async fn answer(&self, rest: &Rest, request: &Request) -> Response {
        let path = request.path.strip_prefix("/ui").unwrap_or_default();
        let segments: Vec<String> = path
            .split('/')
            .filter(|segment| !segment.is_empty())
            .map(read_segment)
            .collect();
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        if let ["assets", _, name] = segments.as_slice() {
            return match asset::find(name) {
                Some(asset) => reply::file(asset.content_type, asset.text),
                None => reply::html(
                    StatusCode::NOT_FOUND,
                    maud::html! { "There is no such file." },
                ),
            };
        }
        if path.is_empty() {
            return reply::redirect(HOME);
        }
        // It is never closed, so there is always a room at last.
        let _room = self.shared.rooms.acquire().await;
        let words = Words::parse(&request.query);
        match self.decide(rest, request, words, &segments).await {
            Ok(response) | Err(response) => response,
        }
    }

    async fn decide(
        &self,
        rest: &Rest,
        request: &Request,
        words: Words,
        segments: &[&str],
    ) -> Result<Response, Response> {
        let host = request
            .headers
            .get(HOST)
            .and_then(|host| host.to_str().ok());
        let mut context = Context {
            bench: self,
            rest,
            words,
            host: host.unwrap_or("127.0.0.1:8000").to_owned(),
            events: Events::read(self),
            open: None,
        };
        // Without a proof nobody learns which models there are: the page asks for one, and nothing else is on it.
        if let Some(refused) = rest.screen(request).await {
            let status = refused.status;
            return Err(reply::html(status, signin::page(status)));
        }
        let [first, below @ ..] = segments else {
            return Ok(screen::home::show(&context, request).await);
        };
        match (*first, below) {
            ("activity", []) => return Ok(screen::activity::show(&context, request).await),
            ("events", []) => return Ok(self.tell_events(request)),
            _ => {}
        }
        let opened = Context::open(self, rest, first, &context.words, request).await;
        context.open = opened.map_err(|refused| {
            let status = refused.status;
            if status == StatusCode::UNAUTHORIZED {
                return reply::html(status, signin::page(status));
            }
            screen::missing::show_refusal(&context, refused)
        })?;
        // What is shown is as old as its oldest part.
        if let Some(open) = &context.open {
            context.events.writes = context.events.writes.min(open.counted_at);
        }
        let Some(open) = &context.open else {
            return Err(screen::missing::show(
                &context,
                "There is no such model here",
            ));
        };
        if request.method == Method::POST {
            if !request.headers.contains_key(OWN_HEADER) {
                return Err(reply::html(
                    StatusCode::FORBIDDEN,
                    maud::html! { "Only the page itself may send this: it has the header " (OWN_HEADER) "." },
                ));
            }
            return Ok(write::answer(&context, open, request, below).await);
        }
        Ok(match below {
            [] => reply::redirect(&open.link(&["patterns"]).to_string()),
            ["patterns"] => screen::patterns::show(&context, open, None).await,
            ["patterns", name] => screen::patterns::show(&context, open, Some(name)).await,
            ["items", at @ ..] => screen::items::show(&context, open, at).await,
            ["entities"] => screen::entities::show(&context, open, None).await,
            ["entities", name] => screen::entities::show(&context, open, Some(name)).await,
            ["model"] => screen::model::show_text(&context, open).await,
            ["model", "try"] => screen::model::show_trial(&context, open),
            ["model", "keys"] => screen::model::show_keys(&context, open),
            ["model", "rules"] => screen::model::show_rules(&context, open),
            ["model", "relations.svg"] => {
                reply::picture(monotable_describe::relations_svg(open.model()))
            }
            ["repositories"] => screen::repositories::show(&context, open, None).await,
            ["repositories", name] => screen::repositories::show(&context, open, Some(name)).await,
            ["find"] => screen::palette::show(&context, open),
            _ => screen::missing::show(&context, "There is no such screen"),
        })
    }
}
