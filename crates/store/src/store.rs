//! The handle of a model on a DynamoDB.

mod call;
mod explain;
mod operations;
mod own_item;
mod sender;
mod trace;

pub use call::Call;
pub use sender::Sender;

use crate::boxed_future::box_future;
use crate::clock::Clock;
use crate::entropy::Entropy;
use crate::errands::Errands;
use crate::error::Error;
use crate::execute::{Carrier, Executor};
#[cfg(feature = "native")]
use crate::host::NativeHost;
use crate::host::{Host, NoEntropy};
use crate::mechanism::{Statements, find_blind_update};
use crate::operation::{AnyOperation, AnyOutput, Options, RequestFacts};
use crate::profile;
use crate::record::Circumstances;
use crate::repository;
use crate::run;
use crate::runtime::KnownStoreItem;
use crate::runtime::Runtime;
use crate::scope::{Mode, Scope};
use crate::sending::Retry;
use crate::steps::{Machine, Steps};
use monotable_api::Dynamo;
use monotable_item::Item;
use monotable_model::compiled::CompiledModel;
use monotable_model::model::Model;
use std::sync::{Arc, OnceLock};

/// A model on a DynamoDB. A cheap handle: clones share everything.
///
/// Without a principal it is the program's own: row-level rules of the model are not asked. [`Store::as_principal`]
/// gives a handle that asks them for everything it reads and writes.
#[derive(Clone)]
pub struct Store {
    pub(crate) executor: Arc<Executor>,
    pub(crate) runtime: Arc<Runtime>,
    clock: Arc<Clock>,
    entropy: Entropy,
    principal: Option<Item>,
    program: Item,
    request: RequestFacts,
    settings: Item,
    tenant: Option<String>,
    /// What verify knows of the model, from the first time on.
    statements: Arc<OnceLock<Arc<Statements>>>,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store")
            .field("model", &self.model().name)
            .field("tenant", &self.tenant)
            .finish_non_exhaustive()
    }
}

impl Store {
    /// A model on a DynamoDB, with the machine's own clock, chance and timer.
    #[cfg(feature = "native")]
    pub fn new(model: Model, dynamo: impl Dynamo + 'static) -> Self {
        Self::with_host(model, dynamo, Arc::new(NativeHost))
    }

    /// A model on a DynamoDB, with the machine's own clock, chance and timer, from the bytes of
    /// [`CompiledModel::to_bytes`]: the model's text is neither read nor checked again.
    #[cfg(feature = "native")]
    pub fn from_bytes(bytes: &[u8], dynamo: impl Dynamo + 'static) -> Result<Self, Error> {
        let compiled = CompiledModel::from_bytes(bytes);
        let compiled = compiled.map_err(|problem| Error::usage(problem.to_string()))?;
        Ok(Self::bind(compiled, dynamo, Arc::new(NativeHost)))
    }

    /// A model on a DynamoDB, with time, chance and pauses from a host.
    pub fn with_host(model: Model, dynamo: impl Dynamo + 'static, host: Arc<dyn Host>) -> Self {
        Self::bind(CompiledModel::new(model), dynamo, host)
    }

    /// A compiled model on a DynamoDB, with time, chance and pauses from a host.
    // Never inlined: engines of WebAssembly optimise a function that runs long as a whole, which takes the longer the larger it is.
    #[inline(never)]
    pub fn bind(
        compiled: CompiledModel,
        dynamo: impl Dynamo + 'static,
        host: Arc<dyn Host>,
    ) -> Self {
        let entropy = Entropy::from_host(Arc::clone(&host));
        let mut profile = profile::profile_entities(compiled.model());
        for ((id, _), entity) in compiled.model().entities().zip(&mut profile) {
            entity.blind = find_blind_update(&compiled, id, entity);
        }
        let runtime = Runtime {
            compiled: Arc::new(compiled),
            profile: profile.into(),
            own: KnownStoreItem::default(),
        };
        Self {
            entropy,
            clock: Arc::new(Clock::new(Arc::clone(&host))),
            executor: Arc::new(Executor {
                carrier: Carrier::Dynamo(Arc::new(dynamo)),
                host,
                retry: Retry::default(),
            }),
            runtime: Arc::new(runtime),
            principal: None,
            program: Item::new(),
            request: RequestFacts::default(),
            settings: Item::new(),
            tenant: None,
            statements: Arc::default(),
        }
    }

    /// What rows of the model state when they are verified.
    pub(crate) fn statements(&self) -> Arc<Statements> {
        let made = || Arc::new(Statements::new(self.model(), repository::read_intent));
        Arc::clone(self.statements.get_or_init(made))
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &Model {
        self.runtime.compiled.model()
    }

    /// The model with its plans and keys bound.
    #[must_use]
    pub fn compiled(&self) -> &CompiledModel {
        &self.runtime.compiled
    }

    /// A handle whose requests and pauses are errands, and the errands.
    pub(crate) fn with_errands(&self) -> (Self, Arc<Errands>) {
        let errands = Arc::new(Errands::new(Arc::clone(&self.executor.host)));
        let executor = Executor {
            carrier: Carrier::Errands(Arc::clone(&errands)),
            host: Arc::clone(&errands) as Arc<dyn Host>,
            retry: self.executor.retry,
        };
        let store = Self {
            executor: Arc::new(executor),
            ..self.clone()
        };
        (store, errands)
    }

    /// The deployment's choices; others are the model's defaults.
    #[must_use]
    pub fn with_settings(mut self, settings: Item) -> Self {
        self.settings = settings;
        self
    }

    /// This store with something around its DynamoDB, which every request then passes: to count, to delay or to refuse.
    #[must_use]
    pub fn through(mut self, wrap: impl FnOnce(Arc<dyn Dynamo>) -> Arc<dyn Dynamo>) -> Self {
        let executor = Arc::make_mut(&mut self.executor);
        if let Carrier::Dynamo(dynamo) = &executor.carrier {
            executor.carrier = Carrier::Dynamo(wrap(Arc::clone(dynamo)));
        }
        self
    }

    /// How often, and how fast, requests are tried again.
    #[must_use]
    pub fn with_retry(mut self, retry: Retry) -> Self {
        Arc::make_mut(&mut self.executor).retry = retry;
        self
    }

    /// Where the time comes from: microseconds since 1970.
    #[must_use]
    pub fn with_clock(mut self, now: impl Fn() -> i64 + Send + Sync + 'static) -> Self {
        self.clock = Arc::new(Clock::from_function(now));
        self
    }

    /// Where random bytes come from, of which ids, keys and salts are made. Without any the call that needs them fails.
    #[must_use]
    pub fn with_entropy(
        mut self,
        fill: impl Fn(&mut [u8]) -> Result<(), NoEntropy> + Send + Sync + 'static,
    ) -> Self {
        self.entropy = Entropy::new(fill);
        self
    }

    /// The secret that cursors are sealed with, instead of that of the store's own item.
    #[must_use]
    pub fn with_secret(mut self, secret: [u8; 32]) -> Self {
        let runtime = Runtime {
            compiled: Arc::clone(&self.runtime.compiled),
            profile: Arc::clone(&self.runtime.profile),
            own: KnownStoreItem::with_secret(secret),
        };
        self.runtime = Arc::new(runtime);
        self
    }

    /// A handle on this store for a caller: every row-level rule of the model is asked.
    #[must_use]
    pub fn as_principal(&self, principal: Item) -> Self {
        Self {
            principal: Some(principal),
            ..self.clone()
        }
    }

    /// A handle on this store for a program that says who it is: attributes of the model's principal. Templates show them
    /// where there is no caller; no row-level rule is asked.
    #[must_use]
    pub fn as_program(&self, program: Item) -> Self {
        Self {
            program,
            ..self.clone()
        }
    }

    /// Where calls come from that do not say it themselves.
    #[must_use]
    pub fn with_request(mut self, request: RequestFacts) -> Self {
        self.request = request;
        self
    }

    /// A handle on this store for a tenant: every key begins with its prefix.
    #[must_use]
    pub fn tenant(&self, id: impl Into<String>) -> Self {
        Self {
            tenant: Some(id.into()),
            ..self.clone()
        }
    }

    /// Whether calls of both handles are made in one name, in one store.
    pub(crate) fn is_same_caller(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.runtime, &other.runtime)
            && self.principal == other.principal
            && self.program == other.program
            && self.tenant == other.tenant
            && self.settings == other.settings
    }

    /// This store without a tenant: what it reads is of all of them.
    pub(crate) fn without_tenant(&self) -> Self {
        Self {
            tenant: None,
            ..self.clone()
        }
    }

    /// Whether there is a caller, and the model keeps callers apart.
    pub(crate) fn is_isolated(&self) -> bool {
        self.principal.is_some() && self.model().isolation.is_some()
    }

    /// Runs an operation.
    pub async fn run(&self, operation: AnyOperation, options: Options) -> Result<AnyOutput, Error> {
        self.carry_out(&operation, &options).await
    }

    /// The answer of a call that this caller has made before under the token of the options; none if there was no such call. It
    /// is what [`Store::run`] would answer, which makes the call if it was not made before.
    pub async fn find_earlier_answer(
        &self,
        operation: &AnyOperation,
        options: &Options,
    ) -> Result<Option<AnyOutput>, Error> {
        if options.token.is_none() || options.dry_run {
            return Ok(None);
        }
        let mut scope = self.scope(options);
        run::admit(&mut scope, operation, options)?;
        let steps = Steps::direct(&self.executor);
        run::find_earlier_answer(&scope, &steps, operation).await
    }

    /// Runs an operation that the caller keeps. Futures are as large as what they are given by value, and are moved: this is
    /// given nothing.
    pub async fn carry_out(
        &self,
        operation: &AnyOperation,
        options: &Options,
    ) -> Result<AnyOutput, Error> {
        let pretend = options.dry_run;
        if !pretend && operation.writes_rows() && !self.runtime.own.is_compared() {
            box_future(|| self.compare_templates()).await?;
        }
        if pretend {
            box_future(|| self.read_row_history()).await?;
            let machine = self.machine(operation.clone(), options.clone());
            return box_future(|| crate::explain::dry_run(self.target(), machine)).await;
        }
        let mut scope = self.scope(options);
        run::admit(&mut scope, operation, options)?;
        let steps = Steps::direct(&self.executor);
        // Two boxes of the usual sizes are cheaper than one that is larger than allocators keep at hand.
        run::run(&scope, &steps, operation, options).await
    }

    /// An operation as a state machine: who steps it sends its requests.
    #[must_use]
    pub fn machine(&self, operation: AnyOperation, options: Options) -> Machine<AnyOutput> {
        let scope = self.scope(&options);
        Self::stepped(scope, operation, options)
    }

    pub(crate) fn stepped(
        scope: Scope,
        operation: AnyOperation,
        options: Options,
    ) -> Machine<AnyOutput> {
        Machine::new(move |steps| async move {
            let mut scope = scope;
            run::admit(&mut scope, &operation, &options)?;
            run::run(&scope, &steps, &operation, &options).await
        })
    }

    /// What one operation knows. If no tenant is named, it is that of the tenant without a prefix.
    pub(crate) fn scope(&self, options: &Options) -> Scope {
        let bare = || self.model().tenant.as_ref()?.bare.clone();
        self.scope_of_tenant(options, self.tenant.clone().or_else(bare))
    }

    /// What an operation on whole tables knows. If no tenant is named, it is about all of them.
    pub(crate) fn scope_of_whole_tables(&self) -> Scope {
        self.scope_of_tenant(&Options::default(), self.tenant.clone())
    }

    fn scope_of_tenant(&self, options: &Options, tenant: Option<String>) -> Scope {
        let mut circumstances = Circumstances::at_micros(self.clock.now())
            .settings(self.settings.clone())
            .principal(self.principal.as_ref().unwrap_or(&self.program).clone())
            .entropy_from(self.entropy.clone());
        if let Some(tenant) = tenant {
            circumstances = circumstances.tenant(tenant);
        }
        Scope {
            runtime: Arc::clone(&self.runtime),
            has_caller: self.principal.is_some(),
            mode: if options.dry_run {
                Mode::DryRun
            } else {
                Mode::Live
            },
            origin: options.request.clone().or(&self.request),
            token: None,
            changes: None,
            circumstances,
        }
    }
}
