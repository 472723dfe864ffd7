//! `monotable copy`: every item of a model's tables, from one DynamoDB to another.

mod follow;

use crate::command::verify::count;
use crate::confirmation::confirm_full;
use crate::exit::{Failure, done, note};
use crate::progress::Progress;
use crate::rows::{ModelArguments, Opened, Use};
use crate::target::{DestinationArguments, Place, Target, TargetArguments};
use clap::{Args, ValueHint};
use monotable_operations::{Copier, CopyOptions, CopyPlace, StoreIdentity};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  $ monotable copy -m model.toml --to-store ./twin --verify
  $ monotable copy -m model.toml --store ./data --to-store ./slow --rate 5000 --progress slow.progress

The target may be any DynamoDB, too: --to-endpoint-url http://127.0.0.1:8001, or --to-aws --to-region eu-west-1.

A copy that was ended is run again, and goes on where it was: the progress file knows. It goes when the copy is whole.";

/// Copy every item of a model's tables from one DynamoDB to another
///
/// Items are copied as they are stored, and replace those with the same keys. The tables of the target are made if they
/// are missing. With --follow, changes of the source are carried over afterwards, until the program is ended or nothing
/// has changed for --idle seconds: then switch the clients over.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Copy {
    #[command(flatten)]
    model: ModelArguments,

    #[command(flatten)]
    to: DestinationArguments,

    /// How many segments of a table are read at once
    #[arg(long, value_name = "COUNT", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=256))]
    segments: u32,

    /// Write at most so many items in a second
    #[arg(long, value_name = "ITEMS")]
    rate: Option<u64>,

    /// Read both sides afterwards, and prove that they have the same items
    #[arg(long)]
    verify: bool,

    /// Carry changes of the source over, as its streams tell them
    #[arg(long)]
    follow: bool,

    /// End when nothing has changed for so long
    #[arg(long, value_name = "SECONDS", requires = "follow")]
    idle: Option<u64>,

    /// The file that says how far the copy is
    #[arg(long, value_name = "FILE", default_value = "copy.progress", value_hint = ValueHint::FilePath)]
    progress: PathBuf,

    /// The name of a table of the target that has items, as a confirmation that they may be replaced; asked for on anything but a store of this machine
    #[arg(long, value_name = "TABLE")]
    confirm: Option<String>,

    /// Say what would be copied where; write nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    target: TargetArguments,
}

impl Copy {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let model = self.model.find()?.load()?.into_model();
        let target = self.to.resolve();
        refuse_one_folder(&self.target, &target)?;
        let from = Opened::open(model.clone(), self.target, Use::Old).await?;
        if self.dry_run {
            let items = from.store.backup(&mut std::io::sink()).await?;
            let items = count(items, "item");
            done(format_args!("would copy {items} of {}", from.place));
            return Ok(());
        }
        let to = Opened::open_target(model, target).await?;
        let source = StoreIdentity::read(&from.place, &from.store).await?;
        let destination = StoreIdentity::read(&to.place, &to.store).await?;
        // One server may have several addresses.
        if source.place == destination.place || source.has_tables_of(&destination) {
            return Err(Failure::usage(format_args!(
                "{source} would be copied to itself"
            )));
        }
        let open = || CopyPlace::open(&self.progress, &source, &destination);
        let begun = open()?;
        if begun.is_begun() {
            note("an earlier run has begun; this one goes on where it was");
        } else {
            confirm_full(&to, "copying", self.confirm.as_deref()).await?;
        }
        // Without a stream it is refused before anything is copied.
        if self.follow {
            monotable_operations::Follower::new(&from.store, &to.store, open()?).await?;
        }
        let options = CopyOptions {
            segments: self.segments,
            rate: self.rate,
        };
        let copier = Copier::new(&from.store, &to.store, options);
        let progress = Mutex::new(Progress::new());
        let watch = |items: u64| {
            let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
            progress.at(format_args!("{items} items copied"));
        };
        let copied = copier.copy(begun, &watch).await;
        drop(progress);
        let copied = copied.map_err(|error| {
            Failure::from(error).because("what was copied stays; run it again to go on")
        })?;
        let items = count(copied, "item");
        done(format_args!("{items} of {source} copied to {destination}"));
        if self.follow {
            let idle = self.idle.map(Duration::from_secs);
            follow::follow(&from.store, &to.store, open()?, idle).await?;
        }
        if self.verify {
            prove(&copier, &source.place, &destination.place).await?;
        }
        Ok(CopyPlace::forget(&self.progress)?)
    }
}

/// A folder is opened once: the second attempt would say that another process has it.
fn refuse_one_folder(from: &TargetArguments, to: &Target) -> Result<(), Failure> {
    let from = from.clone().resolve()?;
    let (Some(source), Some(destination)) = (from.directory(), to.directory()) else {
        return Ok(());
    };
    let is_same = match (source.canonicalize(), destination.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    };
    if !is_same {
        return Ok(());
    }
    let place = Place::Store(source.to_owned());
    Err(Failure::usage(format_args!(
        "{place} would be copied to itself"
    )))
}

async fn prove(copier: &Copier<'_>, source: &str, destination: &str) -> Result<(), Failure> {
    let differences = copier.verify(&|_| {}).await?;
    if differences.is_empty() {
        done(format_args!(
            "{destination} has exactly the items of {source}"
        ));
        return Ok(());
    }
    let what = format_args!("{destination} has other items than {source}");
    let mut failure = Failure::violations(what);
    for difference in differences {
        let (wanted, found) = (difference.wanted.items, difference.found.items);
        let table = difference.table;
        failure = failure.because(if wanted == found {
            format!("{table}: {found} items, of which some have other values")
        } else {
            format!("{table}: {found} items; the source has {wanted}")
        });
    }
    Err(failure.help("if others write to the source, follow them: --follow --idle 5 --verify"))
}
