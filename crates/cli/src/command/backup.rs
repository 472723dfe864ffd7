//! `monotable backup`: every item of a model's tables, in files.

pub(super) mod destination;
mod on_demand;

use crate::command::verify::count;
use crate::exit::{Failure, done, note};
use crate::model_file::is_stdin;
use crate::rows::{ModelArguments, Opened, Use};
use crate::target::{Place, TargetArguments};
use clap::{Args, ValueHint};
use destination::Destination;
use jiff::Timestamp;
use monotable_operations::BackupWriter;
use std::io;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  $ monotable backup -m model.toml saved
  $ monotable backup -m model.toml backup.jsonl
  $ monotable backup -m model.toml > backup.jsonl
  $ monotable backup -m model.toml --on-demand before-release > backups

A folder has the layout of AWS's exports to S3: AWSDynamoDB/ID/manifest-summary.json for each table, with the data files and
checksums that it lists. AWS imports it, and `restore` reads AWS's. A name that ends in .jsonl, and stdout, get one
line for each item instead.";

/// Write every item of a model's tables to a folder in AWS's export layout, or to a file, one per line
///
/// Items are as they are stored. The backup of an embedded store shows one moment. That of a server does not: what others write
/// while it is read may be in it or not. --on-demand asks the server for a backup of its own, which shows one moment of each
/// table, and so does an export to S3 (ExportTableToPointInTime), which `restore` reads.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Backup {
    #[command(flatten)]
    model: ModelArguments,

    /// The folder, which must be empty or not there; or a file that ends in .jsonl, which is written whole or not at all; - is stdout
    #[arg(default_value = "-", value_hint = ValueHint::AnyPath, conflicts_with = "on_demand")]
    to: PathBuf,

    /// Have the target make a backup of its own of each table, with this name
    #[arg(long, value_name = "NAME")]
    on_demand: Option<String>,

    /// Read everything and say how many items there are; write nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    target: TargetArguments,
}

impl Backup {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let model = self.model.find()?.load()?.into_model();
        let opened = Opened::open_long(model, self.target, Use::Old).await?;
        if let Some(name) = &self.on_demand {
            return on_demand::create(&opened, name, self.dry_run).await;
        }
        if self.dry_run {
            let place = opened.place;
            drop(opened.dynamo);
            let items = opened.store.backup(&mut io::sink()).await?;
            drop(opened.store);
            let items = count(items, "item");
            done(format_args!("would write {items} of {place}"));
            return Ok(());
        }
        if is_lines(&self.to) {
            write_lines(opened, &self.to).await
        } else {
            write_folder(&opened, &self.to).await
        }
    }
}

/// Whether a backup is lines of JSON, and not a folder.
fn is_lines(path: &Path) -> bool {
    let is_named_so = path
        .extension()
        .is_some_and(|extension| extension == "jsonl");
    let is_device = std::fs::metadata(path).is_ok_and(|old| !old.is_dir());
    is_stdin(path) || is_named_so || is_device
}

async fn write_lines(opened: Opened, file: &Path) -> Result<(), Failure> {
    let place = opened.place;
    drop(opened.dynamo);
    let mut destination = Destination::new(file)?;
    let outcome = opened.store.backup(&mut destination).await;
    drop(opened.store);
    let items = destination.finish(outcome.map_err(Failure::from))?;
    tell_moment(&place);
    let items = count(items, "item");
    done(format_args!("{items} of {place} written"));
    Ok(())
}

/// Says of a server's backup that it does not show one moment.
fn tell_moment(place: &Place) {
    if !matches!(place, Place::Store(_) | Place::Memory) {
        note(
            "it does not show one moment: what others wrote while it was read may be in it or not; --on-demand NAME has the server make a backup that does",
        );
    }
}

async fn write_folder(opened: &Opened, folder: &Path) -> Result<(), Failure> {
    let sender = opened.store.sender();
    let writer = BackupWriter::new(&opened.store, &sender);
    let report = writer.write(folder, Timestamp::now(), &|_| {}).await?;
    tell_moment(&opened.place);
    let items = count(report.items, "item");
    let (place, folder) = (&opened.place, folder.display());
    done(format_args!("{items} of {place} written to {folder}"));
    Ok(())
}
