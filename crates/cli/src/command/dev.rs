//! `monotable dev`: models that are proved, served, and proved again whenever they are saved.

mod changes;
mod project;

use super::serve::Signals;
use crate::exit::Failure;
use crate::interrupt::runtime;
use crate::mounted_models::MountedModels;
use crate::output::print;
use crate::rows::EnvironmentArguments;
use crate::target::open_store;
use clap::{Args, ValueHint};
use monotable_engine::{Engine, EngineOptions};
use monotable_rest::Rest;
use monotable_server::{Server, ServerOptions};
use project::{Project, Rows};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Time between two looks at the files.
const PACE: Duration = Duration::from_millis(300);

const EXAMPLES: &str = "\
Examples:
  $ monotable init && monotable dev
  $ monotable dev orders/model.toml stock/model.toml --port 8001
  $ monotable dev --store ./data      # keeps the rows
  $ monotable dev --environment staging";

/// Prove models, serve them, and prove them again whenever they are saved
///
/// The tables of each model are made, and filled with the operations of the file `sample.jsonl` beside it. When a model is
/// saved, its findings are shown as `check` shows them, with what has changed. A model with errors is not served: the
/// version before stays. Rows are in memory unless --store names a directory. If keys change so that stored rows would
/// not be found, rows in memory are made anew from the sample; a directory is left as it is, with what to do about it.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Dev {
    /// The models
    #[arg(value_name = "FILE", default_value = "model.toml", value_hint = ValueHint::FilePath)]
    models: Vec<PathBuf>,

    /// The port to listen on; 0 takes any free one
    #[arg(long, default_value_t = 8000)]
    port: u16,

    /// Keep the rows in this directory
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,

    #[command(flatten)]
    environment: EnvironmentArguments,
}

impl Dev {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let runtime = runtime()?;
        let outcome = runtime.block_on(self.serve());
        runtime.shutdown_background();
        outcome
    }

    async fn serve(self) -> Result<(), Failure> {
        let signals = Signals::listen()?;
        let projects = self.projects()?;
        let (engine, rows) = self.open()?;
        let mounted = MountedModels::new(Rest::new());
        let server = self.bind(&engine, &mounted).await?;
        let mut watch = Watch {
            projects,
            engine: engine.clone(),
            rows,
            mounted,
        };
        watch.look().await;
        print(watch.greeting(&server).as_bytes())?;
        let watching = tokio::spawn(watch.run());
        server.run(signals.stop()).await;
        watching.abort();
        let closed = tokio::task::spawn_blocking(move || engine.close()).await;
        closed.map_err(Failure::bug)
    }

    /// A file that is not there is a mistyped name, unlike one that an editor is just writing.
    fn projects(&self) -> Result<Vec<Project>, Failure> {
        if let Some(missing) = self.models.iter().find(|path| !path.exists()) {
            let what = format_args!("there is no {}", missing.display());
            return Err(Failure::configuration(what)
                .help("`monotable init` writes a small model to begin with"));
        }
        let projects = self.models.iter();
        let projects = projects.map(|path| Project::new(path, self.environment.clone()));
        Ok(projects.collect())
    }

    fn open(&self) -> Result<(Engine, Rows), Failure> {
        Ok(match &self.store {
            Some(directory) => (open_store(directory, EngineOptions::new())?, Rows::Kept),
            None => {
                let engine = Engine::in_memory().map_err(Failure::configuration)?;
                (engine, Rows::Replaceable)
            }
        })
    }

    async fn bind(&self, engine: &Engine, mounted: &MountedModels) -> Result<Server, Failure> {
        let options = ServerOptions::new().port(self.port);
        let options = options.mount(Arc::new(mounted.clone()));
        let bound = options.bind(Arc::new(engine.clone()));
        bound.await.map_err(Failure::configuration)
    }
}

/// The models, and what they are served from.
struct Watch {
    projects: Vec<Project>,
    engine: Engine,
    rows: Rows,
    mounted: MountedModels,
}

impl Watch {
    async fn run(mut self) {
        loop {
            tokio::time::sleep(PACE).await;
            self.look().await;
        }
    }

    /// Reads the models that were saved since they were looked at last.
    async fn look(&mut self) {
        let mut is_changed = false;
        for project in &mut self.projects {
            if project.is_saved_anew() {
                project.refresh(&self.engine, self.rows).await;
                is_changed = true;
            }
        }
        if is_changed {
            let served = self.projects.iter().filter_map(Project::store);
            self.mounted
                .replace(served.cloned().fold(Rest::new(), Rest::with_store));
        }
    }

    fn greeting(&self, server: &Server) -> String {
        let address = server.address();
        let mut text = String::new();
        for store in self.projects.iter().filter_map(Project::store) {
            let name = &store.model().name;
            text.push_str(&format!(
                "{name} is served at http://{address}/v1/{name}/\n"
            ));
        }
        text.push_str(&format!(
            "DynamoDB's API is at http://{address}; commands on the models use it with\n  \
             export AWS_ENDPOINT_URL_DYNAMODB=http://{address}\n\
             Save a model and it is proved again. Ctrl-C ends it.\n"
        ));
        text
    }
}
