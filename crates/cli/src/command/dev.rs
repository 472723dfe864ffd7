//! `monotable dev`: models that are proved, served, and proved again whenever they are saved.

mod changes;
mod project;

use super::serve::Signals;
use crate::exit::{Failure, done};
use crate::interrupt::runtime;
use crate::mounted_models::{MountedModels, refuse_taken_name};
use crate::output::print;
use crate::rows::EnvironmentArguments;
use crate::target::{open_store, warn_of_exposure};
use crate::workbench_argument::{WorkbenchArgument, name_place};
use clap::{Args, ValueHint};
use monotable_api::Dynamo;
use monotable_engine::{Engine, EngineOptions};
use monotable_rest::Rest;
use monotable_server::{Server, ServerOptions};
use monotable_workbench::{Editor, Workbench};
use project::{Others, Project, Rows};
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

    #[command(flatten)]
    workbench: WorkbenchArgument,

    /// The editor that the page opens models in: vscode, vscodium, cursor, windsurf, zed, idea or textmate, or an address of its own
    /// with {file} and {line}
    #[arg(long, value_name = "EDITOR", default_value = "vscode")]
    editor: Editor,
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
        let place = name_place(self.store.as_deref());
        let workbench = self
            .workbench
            .open("monotable dev", &place, Arc::new(engine.clone()));
        workbench.use_editor(self.editor.clone());
        let mounted = MountedModels::new(Rest::new(), workbench.clone());
        let watched = workbench.watch(Arc::new(engine.clone()));
        let server = self.bind(watched, &mounted).await?;
        let page = workbench.clone();
        let mut watch = Watch {
            projects,
            engine: engine.clone(),
            rows,
            mounted,
            workbench,
        };
        watch.look().await;
        if let Some(name) = watch.projects.iter().find_map(Project::taken_name) {
            return Err(refuse_taken_name(name));
        }
        print(watch.greeting(&server).as_bytes())?;
        let watching = tokio::spawn(watch.run());
        let stop = async {
            signals.stop().await;
            page.close();
        };
        server.run(stop).await;
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
            Some(directory) => {
                warn_of_exposure(directory);
                (open_store(directory, EngineOptions::new())?, Rows::Kept)
            }
            None => {
                let engine = Engine::in_memory().map_err(Failure::configuration)?;
                (engine, Rows::Replaceable)
            }
        })
    }

    async fn bind(
        &self,
        dynamo: Arc<dyn Dynamo>,
        mounted: &MountedModels,
    ) -> Result<Server, Failure> {
        let options = ServerOptions::new().port(self.port);
        let options = options.mount(Arc::new(mounted.clone()));
        let bound = options.bind(dynamo);
        bound.await.map_err(Failure::configuration)
    }
}

/// The models, and what they are served from.
struct Watch {
    projects: Vec<Project>,
    engine: Engine,
    rows: Rows,
    mounted: MountedModels,
    workbench: Workbench,
}

impl Watch {
    async fn run(mut self) {
        loop {
            tokio::time::sleep(PACE).await;
            self.look().await;
        }
    }

    /// Reads the models that were saved since they were looked at last, and serves what they have become.
    async fn look(&mut self) {
        let mut is_changed = false;
        let mut news = Vec::new();
        for position in 0..self.projects.len() {
            let others = self.list_others(position);
            if let Some(project) = self.projects.get_mut(position)
                && project.is_due(&others)
            {
                news.extend(project.refresh(&self.engine, self.rows, &others).await);
                is_changed = true;
            }
        }
        if is_changed {
            let served = self.projects.iter().filter_map(Project::store);
            self.mounted
                .replace(served.cloned().fold(Rest::new(), Rest::with_store));
            let sources = self.projects.iter().filter_map(Project::source);
            self.workbench.publish(sources.collect());
        }
        // Not before: whoever reads that the rows are there may ask for them at once.
        for line in news {
            done(line);
        }
    }

    /// What all models but one have that are served.
    fn list_others(&self, position: usize) -> Others {
        let projects = self.projects.iter().enumerate();
        let others = projects.filter(|(other, _)| *other != position);
        Others::new(others.filter_map(|(_, project)| project.store()))
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
            "The workbench is at http://{address}/ for browsers.\n\
             DynamoDB's API is at http://{address}; commands on the models use it with\n  \
             export AWS_ENDPOINT_URL_DYNAMODB=http://{address}\n\
             Save a model and it is proved again. Ctrl-C ends it.\n"
        ));
        text
    }
}
