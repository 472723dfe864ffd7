//! `monotable migrate plan`: what differs, and the way.

use super::listing;
use super::versions::VersionArguments;
use crate::exit::{Failure, done};
use crate::output::print;
use crate::rows::Opened;
use crate::target::TargetArguments;
use clap::{Args, ValueEnum, ValueHint};
use monotable_migrate::{Estimate, Plan};
use monotable_operations::Migrator;
use monotable_store::Store;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;

const EXAMPLES: &str = "\
Examples:
  $ monotable migrate plan old.toml new.toml
  $ monotable migrate plan old.toml new.toml --output json
  $ monotable migrate plan old.toml new.toml --measure
  $ monotable migrate plan old.toml new.toml --bridge beside.toml

Each difference has a verdict: compatible (each version reads and writes the rows of the other), needs a backfill, not
proved, or breaks, with a row and who fails on it. The exit code is 2 if there is no way from OLD to NEW.";

/// Compare two versions of a model, and say how tables that are full get from one to the other
///
/// Reads the two files and nothing else, unless --measure is given.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct PlanMigration {
    #[command(flatten)]
    versions: VersionArguments,

    /// The form of the plan
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Text)]
    output: Form,

    /// Read the tables, and say what the backfill costs
    #[arg(long)]
    measure: bool,

    /// Write the model with which programs of the new version run beside the old ones: it reads both keys, and writes the old one
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    bridge: Option<PathBuf>,

    #[command(flatten)]
    target: TargetArguments,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// For people
    Text,
    /// One JSON object
    Json,
}

#[derive(Serialize)]
struct Document<'p> {
    #[serde(flatten)]
    plan: &'p Plan,
    estimate: Option<&'p Estimate>,
}

impl PlanMigration {
    pub(super) async fn run(self) -> Result<(), Failure> {
        let versions = self.versions.load()?;
        let estimate = if self.measure {
            let opened = Opened::open_as_it_is(versions.old.clone(), self.target).await?;
            let new = Store::new(versions.new.clone(), Arc::clone(&opened.dynamo));
            let migrator = Migrator::new(&opened.store, &new, &versions.plan);
            let sizes = migrator.measure().await?;
            Some(Estimate::new(&versions.plan.differences, &sizes))
        } else {
            None
        };
        match self.output {
            Form::Text => print(listing::show(&versions.plan, estimate.as_ref()).as_bytes())?,
            Form::Json => {
                let document = Document {
                    plan: &versions.plan,
                    estimate: estimate.as_ref(),
                };
                let mut text =
                    serde_json::to_vec_pretty(&document).map_err(std::io::Error::from)?;
                text.push(b'\n');
                print(&text)?;
            }
        }
        if let Some(file) = &self.bridge {
            let Some(bridge) = &versions.bridge else {
                return Err(Failure::usage(
                    "no key has changed, or a changed key has no layout for the old one: there is no bridge",
                ));
            };
            std::fs::write(file, bridge)?;
            done(format_args!("{} written", file.display()));
        }
        match versions.plan.refusals.len() {
            0 => Ok(()),
            count => Err(Failure::usage(format_args!(
                "there is no way from the old version to the new one: {count} of the differences break stored rows"
            ))
            .help("change the new version as the plan says")),
        }
    }
}
