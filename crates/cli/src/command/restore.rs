//! `monotable restore`: the items of a backup.

mod folder;

use crate::command::verify::count;
use crate::confirmation::confirm_full;
use crate::exit::{Failure, done};
use crate::model_file::is_stdin;
use crate::rows::{ModelArguments, Opened, Use};
use crate::target::TargetArguments;
use clap::{Args, ValueHint};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  $ monotable restore -m model.toml --store ./copy saved --verify
  $ monotable restore -m model.toml --store ./copy backup.jsonl
  $ monotable restore -m model.toml --store ./copy < backup.jsonl";

/// Write the items of a backup into a model's tables
///
/// Reads folders that `backup` or AWS's export to S3 has written, and files with one item per line. A folder is checked
/// first: of one that is damaged, or was cut off, nothing is written. Items are written as they are, and replace those
/// with the same keys; `verify` holds them against the model. A restore that was ended is run again, and goes on at the
/// data file it was at (FOLDER.progress knows). Makes the embedded store and its tables if they are missing.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Restore {
    #[command(flatten)]
    model: ModelArguments,

    /// The folder or file; - is stdin
    #[arg(default_value = "-", value_hint = ValueHint::AnyPath)]
    file: PathBuf,

    /// Read the tables afterwards, and prove that they have exactly the items of the backup
    #[arg(long)]
    verify: bool,

    /// The name of a table that has items, as a confirmation that they may be replaced; asked for on anything but a store of this machine
    #[arg(long, value_name = "TABLE")]
    confirm: Option<String>,

    /// Read the file and say how many items would be written; write nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    target: TargetArguments,
}

impl Restore {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let source = self.model.clone().find()?;
        if is_stdin(&self.file) && source.is_stdin() {
            return Err(Failure::usage("stdin can be read only once"));
        }
        let model = source.load()?.into_model();
        if self.file.is_dir() {
            return folder::restore(&self, model).await;
        }
        if self.verify {
            return Err(
                Failure::usage("--verify is for a folder in AWS's export layout")
                    .help("`monotable backup FOLDER` writes one"),
            );
        }
        // A file that is not there must not leave a new store behind.
        let backup = open_backup(&self.file)?;
        if self.dry_run {
            let opened = Opened::open_to_plan(model, self.target).await?;
            let items = count(opened.store.plan_restore(backup)?.items, "item");
            done(format_args!("would write {items} to {}", opened.place));
            return Ok(());
        }
        let opened = Opened::open_long(model, self.target, Use::New).await?;
        confirm_full(&opened, "restoring", self.confirm.as_deref()).await?;
        let place = opened.place;
        drop(opened.dynamo);
        let outcome = opened.store.restore(backup).await;
        drop(opened.store);
        let items = count(outcome?.items, "item");
        done(format_args!("{items} written to {place}"));
        Ok(())
    }
}

fn open_backup(path: &Path) -> Result<Box<dyn BufRead + Send>, Failure> {
    if is_stdin(path) {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    match File::open(path) {
        Ok(file) => Ok(Box::new(BufReader::new(file))),
        Err(error) => {
            let what = format!("cannot read {}", path.display());
            Err(Failure::other(what).caused_by(&error))
        }
    }
}
