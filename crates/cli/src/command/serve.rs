//! `monotable serve`: the DynamoDB API over HTTP.

mod access_log;
mod auth;
mod cache;
mod certificate;
mod data;
mod descriptors;
mod gauges;
mod logging;
mod models;
mod readiness;
mod rereading;
mod signals;

use crate::access_keys;
use crate::exit::Failure;
use crate::interrupt::runtime;
use crate::output::print;
use crate::rows::{EnvironmentArguments, load_model};
#[cfg(feature = "aws")]
use crate::target::ServedTargetArguments;
use crate::target::{StoreArguments, open_store};
use crate::workbench_argument::{WorkbenchArgument, name_place};
use access_log::AccessLogArguments;
use certificate::TlsArguments;
use clap::{Args, ValueEnum, ValueHint};
use data::Data;
use logging::LogArguments;
use models::{ModelData, ServedModels};
use monotable_engine::{Durability, Engine, EngineOptions, RegionError, Regions, StoreExposure};
use monotable_policy::Scope;
use monotable_server::{AccessLog, Credentials, Limits, Server, ServerOptions};
use monotable_workbench::{ModelSource, Workbench};
use rereading::{Hangup, Rereading};
pub(crate) use signals::Signals;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::sync::Arc;

const EXAMPLES: &str = "\
Examples:
  $ monotable serve
  $ monotable serve --in-memory --port 8001
  $ monotable serve --host 0.0.0.0 --credentials keys.ini
  $ monotable serve --host 0.0.0.0 --credentials keys.ini --tls-cert server.pem --tls-key server.key
  $ monotable serve --regions
  $ monotable serve model.toml --auth auth.toml
  $ monotable serve model.toml --aws --region eu-central-1      # the page and the REST API over tables of Amazon DynamoDB

Any AWS SDK talks to it, with any credentials and any region, once it knows the address:
  export AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8000

All regions have the same data. With --regions each has data of its own, which begins with the first request for it:
  DIR                       the region local, and the data that is served without --regions
  DIR/regions/eu-central-1  the region eu-central-1; a store like any other, for --store

The file of --credentials looks like ~/.aws/credentials:
  [alice]
  aws_access_key_id     = AKIDALICE
  aws_secret_access_key = ...
  policy                = alice.json    # in IAM's JSON; without one the key may do everything

SIGHUP reads the file again, that of --auth and the certificate, and begins the file of --access-log anew after something else has
renamed it. docs/policies.md describes policies; `monotable policy test` tries them.

GET /healthz answers while the server is there, GET /readyz while it can write; else with the reason (503).";

/// Serve the DynamoDB API over HTTP to any AWS SDK
///
/// Ctrl-C or SIGTERM ends it: requests in progress are answered, then the store is closed. A second
/// one ends it at once; what was acknowledged is safe then, too.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Serve {
    /// Models to serve as REST and JSON below /v1, each under its name; docs/rest.md describes it
    #[arg(value_name = "MODEL", value_hint = ValueHint::FilePath, conflicts_with = "regions")]
    models: Vec<PathBuf>,

    #[command(flatten)]
    environment: EnvironmentArguments,

    #[command(flatten)]
    store: StoreArguments,

    #[cfg(feature = "aws")]
    #[command(flatten)]
    elsewhere: ServedTargetArguments,

    /// Keep everything in memory, until the server ends
    #[arg(long, conflicts_with = "store")]
    in_memory: bool,

    /// The port to listen on; 0 takes any free one
    #[arg(long, default_value_t = 8000)]
    port: u16,

    /// The address to listen on; any but this machine's own needs --credentials or --insecure
    #[arg(long, value_name = "ADDRESS", default_value_t = Ipv4Addr::LOCALHOST.into())]
    host: IpAddr,

    /// What an acknowledged write has survived
    #[arg(long, value_enum, default_value_t = Acknowledged::Sync)]
    durability: Acknowledged,

    /// Memory for items and blocks of the disk, in megabytes; an eighth of the machine's, at most 1024, if not given
    #[arg(long, value_name = "MEGABYTES", conflicts_with = "in_memory")]
    cache: Option<u64>,

    /// Give each region that a request is signed for data of its own, for this many regions at most; 16 without a number
    #[arg(
        long,
        value_name = "MOST",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "16",
        value_parser = clap::value_parser!(u16).range(1..=256)
    )]
    regions: Option<u16>,

    /// The folder that stands for S3, for exports and imports: each folder in it is a bucket
    #[arg(long, value_name = "FOLDER")]
    buckets: Option<PathBuf>,

    /// Accept only requests signed with the access keys in this file, as far as its policies allow them
    #[arg(long, value_name = "FILE")]
    credentials: Option<PathBuf>,

    /// Who may call the models: issuers of tokens, keys and limits; without it only this machine may. With it the DynamoDB API
    /// answers only to keys of --credentials
    #[arg(long, value_name = "FILE", requires = "models")]
    auth: Option<PathBuf>,

    #[command(flatten)]
    tls: TlsArguments,

    /// Let anyone who reaches the address read and change everything
    #[arg(long)]
    insecure: bool,

    /// Accept requests for this host name, too; may be given several times
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,

    /// Let pages of this origin use the server from a browser; may be given several times
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<String>,

    /// Memory for requests and answers, in megabytes; those that do not fit wait
    #[arg(
        long,
        value_name = "MEGABYTES",
        default_value_t = 256,
        value_parser = clap::value_parser!(u64).range(1..=1_048_576)
    )]
    memory: u64,

    /// Serve so many connections at once; then those without a request go first [default: what the system allows, at most 8192]
    #[arg(long, value_name = "CONNECTIONS", value_parser = clap::value_parser!(u32).range(1..))]
    max_connections: Option<u32>,

    #[command(flatten)]
    workbench: WorkbenchArgument,

    #[command(flatten)]
    access_log: AccessLogArguments,

    #[command(flatten)]
    log: LogArguments,
}

/// What an acknowledged write has survived.
#[derive(ValueEnum, Clone, Copy, Debug)]
enum Acknowledged {
    /// It is on the disk
    Sync,
    /// It is with the operating system: a power cut can take the last second
    Relaxed,
}

impl From<Acknowledged> for Durability {
    fn from(acknowledged: Acknowledged) -> Self {
        match acknowledged {
            Acknowledged::Sync => Self::Sync,
            Acknowledged::Relaxed => Self::Relaxed,
        }
    }
}

impl Serve {
    pub(crate) fn run(self) -> Result<(), Failure> {
        self.log.install();
        let runtime = runtime()?;
        let outcome = runtime.block_on(self.serve());
        runtime.shutdown_background();
        outcome
    }

    async fn serve(self) -> Result<(), Failure> {
        let signals = Signals::listen()?;
        let access_log = self.access_log.open()?;
        let hangup = Hangup::listen(Rereading {
            credentials: self.credentials.clone(),
            auth: self.auth.clone(),
            scope: self.scope(),
            tls: self.tls.clone(),
            access_log: access_log.clone(),
        })?;
        self.refuse_open_tokens()?;
        let options = self.server_options(access_log)?;
        let data = self.open().await?;
        let is_here = !self.in_memory && !matches!(data, Data::Elsewhere(_));
        let folder = is_here.then(|| self.store.directory());
        let asked = data.clone();
        let mut options = options.readiness(move || readiness::check(&asked, folder.as_deref()));
        let mut served = Vec::new();
        let mut page = None;
        let mut mounted = None;
        let model_data = match &data {
            Data::Shared(engine) => Some(ModelData::Store(engine)),
            Data::Elsewhere(target) => Some(ModelData::Elsewhere(target)),
            Data::Regional(_) => None,
        };
        if let (Some(model_data), false) = (model_data, self.models.is_empty()) {
            let workbench = self.open_workbench(&model_data);
            let models = self.open_models(&model_data, &workbench).await?;
            served = models.names().to_vec();
            page = Some(workbench.clone());
            let mount = models.into_mount(workbench);
            options = options.mount(Arc::new(mount.clone()));
            mounted = Some(mount);
        }
        let shown = page.clone();
        let bound = data.bind(options, page).await;
        let server = bound.map_err(Failure::configuration)?;
        hangup.begin(server.key_holder(), mounted);
        print(self.greeting(&server, &data, &served).as_bytes())?;
        let stop = async {
            signals.stop().await;
            if let Some(page) = shown {
                page.close();
            }
        };
        server.run(stop).await;
        let closed = tokio::task::spawn_blocking(move || data.close()).await;
        closed.map_err(Failure::bug)
    }

    /// Where policies may say that the data are.
    fn scope(&self) -> Scope {
        match self.regions {
            None => Scope::default(),
            Some(_) => Scope {
                region: "*".to_owned(),
                ..Scope::default()
            },
        }
    }

    async fn open_models(
        &self,
        data: &ModelData<'_>,
        workbench: &Workbench,
    ) -> Result<ServedModels, Failure> {
        let models = self.models.iter();
        let models = models.map(|file| load_model(file, &self.environment));
        let models: Result<Vec<_>, _> = models.collect();
        let models = models?;
        let sources = models.iter().map(|(model, file)| ModelSource {
            name: model.name.clone(),
            file: file.name.clone(),
            argument: file.name.clone(),
            path: None,
            text: file.text.clone(),
        });
        workbench.publish(sources.collect());
        let models = models.into_iter().map(|(model, _)| model).collect();
        ServedModels::open(models, data, self.auth.as_deref()).await
    }

    fn open_workbench(&self, data: &ModelData<'_>) -> Workbench {
        let command = "monotable serve";
        match data {
            ModelData::Store(engine) => {
                let folder = self.store.directory();
                let place = name_place((!self.in_memory).then_some(folder.as_path()));
                let dynamo = Arc::new((*engine).clone());
                self.workbench.open(command, &place, dynamo)
            }
            ModelData::Elsewhere(target) => {
                let dynamo = Arc::clone(&target.dynamo);
                self.workbench.open_remote(command, &target.place, dynamo)
            }
        }
    }

    /// Tokens that others can read on the way are anybody's.
    fn refuse_open_tokens(&self) -> Result<(), Failure> {
        let is_open = !self.host.to_canonical().is_loopback() && !self.insecure;
        if self.auth.is_some() && is_open && !self.tls.is_given() {
            let what = format_args!(
                "{} can be reached from other machines, and tokens would go there unencrypted",
                self.host
            );
            return Err(Failure::configuration(what).help(
                "give --tls-cert and --tls-key, listen on 127.0.0.1 behind a proxy with TLS, or say --insecure where the \
                 network is trusted",
            ));
        }
        Ok(())
    }

    fn server_options(&self, access_log: Option<AccessLog>) -> Result<ServerOptions, Failure> {
        let mut options = ServerOptions::new().host(self.host).port(self.port);
        options = options.limits(self.limits()?);
        if let Some(log) = access_log {
            options = options.access_log(log);
        }
        if let Some(certificate) = self.tls.read()? {
            options = options.certificate(certificate);
        }
        if let Some(file) = &self.credentials {
            options = options.credentials(access_keys::read(file, &self.scope())?);
        } else if self.auth.is_some() || self.names_elsewhere() {
            // Tables elsewhere have an API of their own, with keys of their own. Whoever asks callers of the models for a proof does not mean to leave the tables below them open.
            options = options.credentials(Credentials::none());
        }
        if self.insecure {
            options = options.insecure();
        }
        for host in &self.allow_host {
            options = options.allow_host(host);
        }
        for origin in &self.allow_origin {
            options = options.allow_origin(origin);
        }
        Ok(options)
    }

    fn limits(&self) -> Result<Limits, Failure> {
        let memory = self.memory.saturating_mul(1 << 20);
        Ok(Limits {
            bytes_in_flight: usize::try_from(memory).unwrap_or(usize::MAX),
            connections: descriptors::connections(self.max_connections)?,
            ..Limits::default()
        })
    }

    #[cfg(feature = "aws")]
    fn names_elsewhere(&self) -> bool {
        self.elsewhere.named().is_some()
    }

    #[cfg(not(feature = "aws"))]
    const fn names_elsewhere(&self) -> bool {
        false
    }

    async fn open(&self) -> Result<Data, Failure> {
        #[cfg(feature = "aws")]
        if let Some(target) = self.elsewhere.named() {
            return Ok(Data::Elsewhere(target.open().await?));
        }
        let folder = (!self.in_memory).then(|| self.store.directory());
        if let Some(exposure) = folder.and_then(StoreExposure::find) {
            tracing::warn!("{exposure}");
        }
        let mut options = EngineOptions::new().durability(self.durability.into());
        if let Some(folder) = &self.buckets {
            options = options.buckets(folder);
        }
        match self.regions {
            None => self.open_shared(options).map(Data::Shared),
            Some(most) => {
                let opened = self.open_regions(options, most.into());
                let regions = opened.map_err(data::explain)?;
                Ok(Data::Regional(Arc::new(regions)))
            }
        }
    }

    fn open_shared(&self, options: EngineOptions) -> Result<Engine, Failure> {
        if self.in_memory {
            return options.in_memory().map_err(Failure::configuration);
        }
        let options = options.cache_bytes(self.cache_bytes());
        open_store(&self.store.directory(), options)
    }

    /// Every region has an equal part of the cache, so that all of them together take no more than was said.
    fn open_regions(&self, options: EngineOptions, most: usize) -> Result<Regions, RegionError> {
        if self.in_memory {
            return Regions::in_memory(options, most);
        }
        let options = options.cache_bytes(cache::part(self.cache_bytes(), most));
        Regions::open(self.store.directory(), options, most)
    }

    fn cache_bytes(&self) -> u64 {
        let megabytes = self.cache.unwrap_or_else(cache::for_this_machine);
        megabytes.saturating_mul(1 << 20)
    }

    /// The address, where the data is, and what to set.
    fn greeting(&self, server: &Server, data: &Data, models: &[String]) -> String {
        let address = server.address();
        let data = if let Data::Elsewhere(target) = data {
            target.place.locate()
        } else if self.in_memory {
            "in memory, gone when the server ends".to_owned()
        } else {
            format!("in {}", self.store.directory().display())
        };
        let keys = match (&self.credentials, &self.auth) {
            (Some(file), _) => Some(format!("one of the access keys in {}", file.display())),
            (None, None) if !self.names_elsewhere() => Some("any credentials".to_owned()),
            (None, _) => None,
        };
        // An SDK can reach 0.0.0.0 by no address of that name.
        let reached = if address.ip().is_unspecified() {
            format!("127.0.0.1:{}", address.port())
        } else {
            address.to_string()
        };
        let regions = if self.regions.is_some() {
            "any region, each of which has data of its own"
        } else {
            "any region"
        };
        let scheme = server.scheme();
        let mut greeting = format!("Monotable listens on {scheme}{address}, its data is {data}.\n");
        greeting.push_str(&match keys {
            Some(keys) => format!(
                "Point any AWS SDK at it, with {keys} and {regions}:\n  \
                 export AWS_ENDPOINT_URL_DYNAMODB={scheme}{reached}\n"
            ),
            None if self.names_elsewhere() => {
                "The DynamoDB API is closed here: the tables have one of their own.\n".to_owned()
            }
            None => "The DynamoDB API is closed, because --auth is given without --credentials.\n"
                .to_owned(),
        });
        for model in models {
            greeting.push_str(&format!(
                "The model {model} is at {scheme}{reached}/v1/{model}/\n"
            ));
        }
        greeting
    }
}
