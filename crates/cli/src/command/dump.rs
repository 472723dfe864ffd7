//! `monotable dump`: the rows of a model in a file.

use super::backup::destination::Destination;
use super::load::Format;
use crate::exit::{Failure, done, note};
use crate::rows::{ModelArguments, NameKind, Opened, Use, refuse_name};
use crate::target::TargetArguments;
use clap::{Args, ValueHint};
use monotable_operations::Dumper;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  $ monotable dump -m model.toml rows.jsonl
  $ monotable dump -m model.toml --entity Tree trees.csv
  $ monotable dump -m model.toml --entity Tree --format csv";

/// Write the rows of a model to a file: JSON lines or CSV, such as `load` takes
///
/// What the store makes itself (times, counters, computed attributes) and secrets are not written, and neither are rows
/// that nobody creates, such as revisions and audit entries: `backup` writes everything as it is stored.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Dump {
    #[command(flatten)]
    model: ModelArguments,

    /// The file, which is written whole or not at all; - is stdout
    #[arg(default_value = "-", value_hint = ValueHint::FilePath)]
    file: PathBuf,

    /// Rows of this entity only
    #[arg(long)]
    entity: Option<String>,

    /// How rows are written; CSV is of one entity [default: csv if the file ends so, else jsonl]
    #[arg(long, value_enum)]
    format: Option<Format>,

    #[command(flatten)]
    target: TargetArguments,
}

impl Dump {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let model = self.model.find()?.load()?;
        if let Some(entity) = &self.entity
            && model.entity_named(entity).is_none()
        {
            return Err(refuse_name(
                NameKind::Entity,
                entity,
                &NameKind::Entity.list(&model),
                &model,
            ));
        }
        let format = self.format.unwrap_or_else(|| Format::guess(&self.file));
        if format == Format::Csv && self.entity.is_none() {
            return Err(Failure::usage("CSV has the rows of one entity")
                .help("name it with --entity, or write --format jsonl"));
        }
        let opened = Opened::open_long(model.into_model(), self.target, Use::Old).await?;
        let mut destination = Destination::new(&self.file)?;
        let sender = opened.store.sender();
        let mut dumper = Dumper::new(&opened.store, &sender);
        if let Some(entity) = &self.entity {
            dumper = dumper.entity(entity);
        }
        let model = opened.store.model();
        let only = self
            .entity
            .as_deref()
            .and_then(|entity| model.entity_named(entity));
        let report = match (format, only) {
            (Format::Csv, Some((_, entity))) => dumper.write_csv(entity, &mut destination).await,
            _ => dumper.write_json(&mut destination).await,
        };
        let report = destination.finish(report.map_err(Failure::from))?;
        for (entity, rows) in &report.left_out {
            note(format_args!(
                "{rows} rows of {entity} are not written: nobody creates such rows; `backup` has them"
            ));
        }
        if !report.secrets.is_empty() {
            note(format_args!(
                "secrets are not written: {}",
                report.secrets.join(", ")
            ));
        }
        done(format_args!(
            "{} rows of {} written",
            report.rows, opened.place
        ));
        Ok(())
    }
}
