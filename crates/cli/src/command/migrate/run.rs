//! `monotable migrate run`: the phases of a plan.

use super::listing;
use super::versions::{VersionArguments, Versions};
use crate::command::verify::{SpillArguments, count};
use crate::confirmation::confirm;
use crate::exit::{Failure, done, note};
use crate::output::print;
use crate::progress::Progress;
use crate::rows::Opened;
use crate::target::{Place, TargetArguments};
use clap::{Args, ValueHint};
use jiff::Timestamp;
use monotable_migrate::PhaseName;
use monotable_operations::{
    Journal, MigrationOptions, MigrationReport, Migrator, OldPrograms, StoreIdentity,
};
use monotable_store::Store;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

const EXAMPLES: &str = "\
Examples:
  $ monotable migrate run old.toml new.toml --dry-run
  $ monotable migrate run old.toml new.toml --backup before
  $ monotable migrate run old.toml new.toml --old-stopped
  $ monotable migrate run old.toml new.toml --old-stopped --clean-up

Without --old-stopped only those phases are done that programs of the old version bear: rows are looked at, backed up,
indexes are made, and rows are written anew if the plan proves that both versions read them. Run it again with --old-stopped
when they have ended. A run that was killed is run again, and goes on where it was.";

/// Take the rows of a store from one version of its model to another
///
/// A backup is written first. Each phase can be done twice, and the last one verifies every row with the new version.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct RunMigration {
    #[command(flatten)]
    versions: VersionArguments,

    /// Programs of the old version have ended, and none will begin
    #[arg(long)]
    old_stopped: bool,

    /// At the end, delete rows and guards that only the old version knows, and drop indexes that the new one does not know
    #[arg(long, requires = "old_stopped")]
    clean_up: bool,

    /// The folder for the backup, which must be empty or not there
    #[arg(long, value_name = "DIR", default_value = "before-migration", value_hint = ValueHint::DirPath)]
    backup: PathBuf,

    /// Write no backup: there is one already
    #[arg(long, conflicts_with = "backup")]
    no_backup: bool,

    /// The file that says how far the migration is
    #[arg(long, value_name = "FILE", default_value = "migration.journal", value_hint = ValueHint::FilePath)]
    journal: PathBuf,

    /// The name of the first table, as a confirmation; asked for on anything but a store of this machine
    #[arg(long, value_name = "TABLE")]
    confirm: Option<String>,

    /// Read every row with the new version, say what would be written, and write nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    target: TargetArguments,
}

impl RunMigration {
    pub(super) async fn run(self) -> Result<(), Failure> {
        let versions = self.versions.load()?;
        if versions.plan.differences.is_empty() {
            done("nothing that rows or programs notice differs; there is nothing to do");
            return Ok(());
        }
        if !versions.plan.refusals.is_empty() {
            print(listing::show(&versions.plan, None).as_bytes())?;
            return Err(Failure::usage(
                "there is no way from the old version to the new one; nothing was written",
            ));
        }
        let opened = Opened::open_as_it_is(versions.old.clone(), self.target.clone()).await?;
        let new = Store::new(versions.new.clone(), Arc::clone(&opened.dynamo));
        let migrator = Migrator::new(&opened.store, &new, &versions.plan);
        let progress = Mutex::new(Progress::new());
        let watch = |phase: PhaseName, items: u64| {
            let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
            progress.at(format_args!("{}: {items} items", phase.name()));
        };
        if self.dry_run {
            let found = migrator.inspect(&watch).await?;
            drop(progress);
            return tell_inspection(&versions, &found);
        }
        let identity = StoreIdentity::read(&opened.place, &opened.store).await?;
        let mut journal = Journal::open(&self.journal, &subject(&versions, &identity))?;
        if journal.is_begun() {
            note("an earlier run has begun; this one goes on where it was");
        }
        let table = versions
            .new
            .tables()
            .next()
            .map(|(_, table)| table.physical.clone())
            .unwrap_or_default();
        confirm(
            &opened.place,
            "a migration writes rows anew",
            &table,
            self.confirm.as_deref(),
        )?;
        let spill = SpillArguments::open(None)?;
        let folder = self.backup_folder(&journal)?;
        let is_served = !self.no_backup && !matches!(opened.place, Place::Store(_) | Place::Memory);
        let options = MigrationOptions {
            old_programs: if self.old_stopped {
                OldPrograms::Stopped
            } else {
                OldPrograms::Running
            },
            backup: folder.as_deref(),
            on_demand: is_served.then_some("before-migration"),
            cleans_up: self.clean_up,
            verify: spill.options(),
            now: Timestamp::now(),
        };
        let ran = migrator.run(&mut journal, &options, &watch).await;
        drop(progress);
        let report = ran?;
        if is_served && report.phases.contains(&PhaseName::Backup) {
            tell_backups(&report, &self.backup);
        }
        conclude(&report, &self.journal)
    }

    /// Where the backup goes. One that was cut off is written anew beside it.
    fn backup_folder(&self, journal: &Journal) -> Result<Option<PathBuf>, Failure> {
        if self.no_backup || journal.is_done(PhaseName::Backup) {
            return Ok(None);
        }
        let is_free = |folder: &Path| {
            std::fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none())
        };
        if is_free(&self.backup) || !journal.is_begun() {
            return Ok(Some(self.backup.clone()));
        }
        let named =
            (2..100).map(|number| PathBuf::from(format!("{}-{number}", self.backup.display())));
        let free = named.into_iter().find(|folder| is_free(folder));
        let help = "name another folder with --backup";
        free.map(Some)
            .ok_or_else(|| Failure::usage("there is no room for the backup").help(help))
    }
}

/// Says which backups there are, and of which moment.
fn tell_backups(report: &MigrationReport, folder: &Path) {
    for arn in &report.backups {
        note(format_args!("the server has made the backup {arn}"));
    }
    if report.backups.is_empty() {
        let folder = folder.display();
        note(format_args!(
            "the server makes no backups of its own, and the one in {folder} does not show one moment: what others wrote while it was read may be in it or not"
        ));
    }
}

/// What a journal is about.
fn subject(versions: &Versions, store: &StoreIdentity) -> String {
    let digest = |text: &String| {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        format!("{:016x}", hasher.finish())
    };
    let [old, new] = &versions.texts;
    format!(
        "{} from {} to {} on {store} with the tables {}",
        versions.new.name,
        digest(old),
        digest(new),
        store.tables.join(", ")
    )
}

fn tell_inspection(
    versions: &Versions,
    found: &monotable_operations::MigrationInspection,
) -> Result<(), Failure> {
    print(listing::show(&versions.plan, None).as_bytes())?;
    if found.refused.is_empty() {
        let (items, due) = (count(found.items, "item"), count(found.due, "row"));
        done(format_args!(
            "{items} read: {due} would be written anew, beside what the plan says of guards, counters and derived rows"
        ));
        return Ok(());
    }
    let mut failure = Failure::violations(format_args!(
        "the new version refuses {}",
        count(found.refused.len() as u64, "row")
    ));
    for refused in found.refused.iter().take(20) {
        failure = failure.because(refused);
    }
    Err(failure)
}

fn conclude(report: &MigrationReport, journal: &Path) -> Result<(), Failure> {
    let written = count(report.written, "row");
    if report.waits_for_switch {
        done(format_args!(
            "{written} written; everything is done that programs of the old version bear"
        ));
        note("when they have ended, run it again with --old-stopped");
        return Ok(());
    }
    done(format_args!(
        "{written} written; every row is as the new version says"
    ));
    if report.phases.contains(&PhaseName::CleanUp) {
        done(format_args!(
            "{} of the old version deleted",
            count(report.deleted, "item")
        ));
        Journal::forget(journal)?;
    }
    Ok(())
}
