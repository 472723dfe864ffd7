//! The argument `--workbench`: whether there is a page, and what it may do.

use crate::target::Place;
use clap::{Args, ValueEnum};
use monotable_api::Dynamo;
use monotable_workbench::{Mode, RemotePlace, Workbench};
use std::sync::Arc;

/// What the page may do.
#[derive(ValueEnum, Clone, Copy, Debug)]
enum WorkbenchChoice {
    /// Show and change rows
    On,
    /// Show rows
    ReadOnly,
    /// There is no page
    Off,
}

/// The page that shows stores to people.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct WorkbenchArgument {
    /// The page at / for browsers; docs/workbench.md describes it [default: on; read-only over a DynamoDB elsewhere]
    #[arg(long, value_enum, value_name = "MODE")]
    workbench: Option<WorkbenchChoice>,
}

impl WorkbenchArgument {
    /// The page of a command whose data is in this process.
    pub(crate) fn open(self, command: &str, place: &str, dynamo: Arc<dyn Dynamo>) -> Workbench {
        Workbench::new(self.mode(WorkbenchChoice::On), command, place, dynamo)
    }

    /// The page of a command whose data is elsewhere, where it costs money and others rely on it.
    pub(crate) fn open_remote(
        self,
        command: &str,
        place: &Place,
        dynamo: Arc<dyn Dynamo>,
    ) -> Workbench {
        let mode = self.mode(WorkbenchChoice::ReadOnly);
        let place = RemotePlace {
            name: place.to_string(),
            option: place.aws_option(),
        };
        Workbench::over_remote(mode, command, place, dynamo)
    }

    fn mode(self, usual: WorkbenchChoice) -> Mode {
        match self.workbench.unwrap_or(usual) {
            WorkbenchChoice::On => Mode::On,
            WorkbenchChoice::ReadOnly => Mode::ReadOnly,
            WorkbenchChoice::Off => Mode::Off,
        }
    }
}

/// Where the data of an engine is, in words.
pub(crate) fn name_place(folder: Option<&std::path::Path>) -> String {
    match folder {
        Some(folder) => format!("embedded store in {}", folder.display()),
        None => "embedded store, in memory".to_owned(),
    }
}
