//! The two versions of a model that a migration is about.

use crate::exit::Failure;
use crate::model_file::ModelFile;
use crate::rows::{EnvironmentArguments, load_model};
use clap::{Args, ValueHint};
use monotable_migrate::{Plan, bridge_layouts, write_bridge};
use monotable_model::model::Model;
use std::path::PathBuf;

/// Both versions, as the command line names them.
#[derive(Args, Debug)]
pub(super) struct VersionArguments {
    /// The model that the rows of today were written with
    #[arg(value_name = "OLD", value_hint = ValueHint::FilePath)]
    old: PathBuf,

    /// The model that they are to be read and written with
    #[arg(value_name = "NEW", value_hint = ValueHint::FilePath)]
    new: PathBuf,

    #[command(flatten)]
    environment: EnvironmentArguments,
}

/// Both versions, and the way from one to the other.
pub(super) struct Versions {
    pub(super) old: Model,
    pub(super) new: Model,
    pub(super) plan: Plan,
    /// The new version as it writes the old keys; none if no key has changed.
    pub(super) bridge: Option<String>,
    /// The texts, by which a journal knows them again.
    pub(super) texts: [String; 2],
}

impl VersionArguments {
    /// Reads both, and plans.
    pub(super) fn load(&self) -> Result<Versions, Failure> {
        let (old, old_file) = load_model(&self.old, &self.environment)?;
        let (new, new_file) = load_model(&self.new, &self.environment)?;
        let layouts = bridge_layouts(&old, &new);
        let bridge = (!layouts.is_empty()).then(|| write_bridge(&new_file.text, &layouts));
        let mut bridge_model = bridge.as_deref().and_then(read_bridge);
        if let Some(model) = &mut bridge_model {
            self.environment.rename_tables(model)?;
        }
        let plan = Plan::new(&old, &new, bridge_model.as_ref());
        Ok(Versions {
            old,
            new,
            plan,
            bridge: bridge.filter(|_| bridge_model.is_some()),
            texts: [text(old_file), text(new_file)],
        })
    }
}

fn text(file: ModelFile) -> String {
    file.text
}

/// The new version with the old keys; none if its patterns cannot be asked of them.
fn read_bridge(text: &str) -> Option<Model> {
    monotable_check::check(text).model
}
