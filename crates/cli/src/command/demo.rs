//! `monotable demo`: the five models of the repository, filled with sample data and served.

mod stores;
mod tour;

use super::serve::Signals;
use crate::demo_models::{self, DemoModel};
use crate::exit::Failure;
use crate::interrupt::runtime;
use crate::mounted_models::MountedModels;
use crate::output::print;
use crate::target::open_store;
use crate::workbench_argument::{WorkbenchArgument, name_place};
use clap::Args;
use monotable_api::Dynamo;
use monotable_engine::{Engine, EngineOptions};
use monotable_rest::Rest;
use monotable_server::{Server, ServerOptions};
use std::path::PathBuf;
use std::sync::Arc;

const EXAMPLES: &str = "\
Examples:
  $ monotable demo
  $ monotable demo --port 8001
  $ monotable demo --store ./demo      # keeps what you change";

/// Serve five filled stores to look around in, and print a tour to paste
///
/// Yggdrasil (family trees), values (a versioned tree of goals, and daily plans), FormKiQ (documents of several sites),
/// ProcessProof (systems, processes and their records) and authorization (roles and grants), each with sample data.
/// Everything is in memory unless --store names a directory. Ctrl-C ends it.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Demo {
    /// The port to listen on; 0 takes any free one
    #[arg(long, default_value_t = 8000)]
    port: u16,

    /// Keep the data in this directory; it is filled if it is new
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,

    #[command(flatten)]
    workbench: WorkbenchArgument,
}

impl Demo {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let runtime = runtime()?;
        let outcome = runtime.block_on(self.serve());
        runtime.shutdown_background();
        outcome
    }

    async fn serve(self) -> Result<(), Failure> {
        let signals = Signals::listen()?;
        let engine = self.open()?;
        let place = name_place(self.store.as_deref());
        let workbench = self
            .workbench
            .open("monotable demo", &place, Arc::new(engine.clone()));
        let mounted = MountedModels::new(Rest::new(), workbench.clone());
        let watched = workbench.watch(Arc::new(engine.clone()));
        let server = self.bind(watched, &mounted).await?;
        let filled = stores::fill(&engine).await?;
        workbench.publish(demo_models::ALL.iter().map(DemoModel::source).collect());
        let proving = workbench.clone();
        tokio::task::spawn_blocking(move || proving.prove());
        let served = filled.iter().map(|filled| filled.store.clone());
        mounted.replace(served.fold(Rest::new(), Rest::with_store));
        print(tour::render(&filled, server.address()).as_bytes())?;
        let stop = async {
            signals.stop().await;
            workbench.close();
        };
        server.run(stop).await;
        let closed = tokio::task::spawn_blocking(move || engine.close()).await;
        closed.map_err(Failure::bug)
    }

    fn open(&self) -> Result<Engine, Failure> {
        match &self.store {
            Some(directory) => open_store(directory, EngineOptions::new()),
            None => Engine::in_memory().map_err(Failure::configuration),
        }
    }

    /// The port is taken before the stores are filled: whoever has it already is told at once.
    async fn bind(
        &self,
        dynamo: Arc<dyn Dynamo>,
        mounted: &MountedModels,
    ) -> Result<Server, Failure> {
        let options = ServerOptions::new().port(self.port);
        let options = options.mount(Arc::new(mounted.clone()));
        let bound = options.bind(dynamo).await;
        bound.map_err(|error| {
            Failure::configuration(error).help(format_args!(
                "another port will do: monotable demo --port {}",
                self.port.saturating_add(1)
            ))
        })
    }
}
