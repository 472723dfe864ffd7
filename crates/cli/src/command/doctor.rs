//! `monotable doctor`: a damaged store, examined and copied without what is damaged.

use crate::exit::{Failure, done};
use crate::notation::Notation;
use crate::output::{OutputArguments, print, visible};
use crate::progress::Progress;
use crate::target::{StoreArguments, explain_open, warn_of_exposure};
use clap::Args;
use monotable_engine::{
    DataLoss, Doctor, DoctorError, Examination, LostRange, OpenError, UnknownRows,
};
use serde_json::{Value, json};
use std::fmt::Write;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  $ monotable doctor --store ./data
  $ monotable doctor --store ./data --repair ./data-repaired
  $ monotable doctor --store ./data --output json

No process may have the store open. Everything is read: the format, the note of how far writes were acknowledged, the
journals batch by batch, every table file block by block, and every index is held against its table. The store is not
changed; only if nothing is damaged, the mark goes that keeps a store with a damaged file from taking writes.

--repair writes a copy beside the store, which appears under its name when it is whole. One flipped bit or byte is
mostly found out and costs nothing. Where rows are lost, the range is named by the rows at its ends (rows of a table
are in the order of a hash of their partition key), and rows of the range of which only an older version is left
are left out and named: a copy never has an older version of a row. Entries of indexes are worked out anew.

A store that can only be read is examined, too; what keeps `serve` from opening it is printed, and the exit code is 253.

The exit code is 0 if nothing is damaged and 1 if something is, also after a repair.";

/// Find damage in a store that is closed, and copy the store without it
///
/// What is damaged is printed, and what is lost by it.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DoctorCommand {
    /// Write a repaired copy to this folder, which must not be there yet
    #[arg(long, value_name = "OUT")]
    repair: Option<PathBuf>,

    /// Repair although rows are lost that cannot be named: the copy may have older versions of them
    #[arg(long, requires = "repair")]
    accept_unknown: bool,

    #[command(flatten)]
    output: OutputArguments,

    #[command(flatten)]
    store: StoreArguments,
}

impl DoctorCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let store = self.store.directory();
        find_store(&store)?;
        warn_of_exposure(&store);
        let mut progress = Progress::new();
        let mut files = 0;
        let mut doctor = Doctor::new(&store, |path| {
            files += 1;
            progress.at(format_args!("reading file {files}: {}", path.display()));
        });
        let examined = match &self.repair {
            None => doctor.examine(),
            Some(out) => {
                let unknown = if self.accept_unknown {
                    UnknownRows::Accept
                } else {
                    UnknownRows::Refuse
                };
                doctor.repair(out, unknown)
            }
        };
        drop(doctor);
        drop(progress);
        let examined = examined.map_err(explain)?;
        if self.output.is_text(Notation::Plain) {
            print(describe(&examined).as_bytes())?;
        } else {
            let text = serde_json::to_string_pretty(&to_json(&examined));
            print(format!("{}\n", text.map_err(Failure::other)?).as_bytes())?;
        }
        if let Some(out) = &self.repair {
            done(format_args!(
                "repaired copy: {} with {} items; put it in the place of {} when you have looked at it",
                out.display(),
                examined.items,
                store.display()
            ));
        }
        if examined.is_sound() {
            return match examined.obstacles.first() {
                None => Ok(()),
                Some(obstacle) => Err(Failure::configuration(obstacle)),
            };
        }
        let found = Failure::violations(format_args!("{} is damaged", store.display()));
        Err(match self.repair {
            Some(_) => found,
            None => found.help(format_args!(
                "restore a backup, or get a copy without what is damaged: monotable doctor --store {} --repair OUT",
                store.display()
            )),
        })
    }
}

/// Fails if there is no store in the folder, or nobody may look.
fn find_store(store: &Path) -> Result<(), Failure> {
    let data = store.join("data");
    match std::fs::metadata(&data) {
        Ok(folder) if folder.is_dir() => Ok(()),
        Err(source) if source.kind() == ErrorKind::PermissionDenied => {
            Err(explain_open(OpenError::Io { path: data, source }))
        }
        _ => {
            let missing = Failure::configuration(format_args!("no store at {}", store.display()));
            Err(missing.help("name one with --store DIR"))
        }
    }
}

fn explain(error: DoctorError) -> Failure {
    match error {
        DoctorError::Open(error) => explain_open(error),
        DoctorError::Occupied { .. } => Failure::usage(error),
        DoctorError::UnknownRows { .. } => Failure::violations(error),
        error => Failure::other(error),
    }
}

const fn name_loss(loss: DataLoss) -> &'static str {
    match loss {
        DataLoss::Nothing => "nothing",
        DataLoss::Rows => "rows",
        DataLoss::Unknown => "unknown",
    }
}

fn describe(examined: &Examination) -> String {
    let mut text = String::new();
    let mut line = |what: std::fmt::Arguments<'_>| {
        let _ = writeln!(text, "{}", visible(&what.to_string()));
    };
    for damage in &examined.damages {
        let (path, what) = (damage.path.display(), &damage.what);
        line(format_args!("damaged: {path}: {what}"));
    }
    for lost in &examined.lost {
        line(format_args!("{}", describe_lost(lost)));
    }
    for what in &examined.contradictions {
        line(format_args!("contradiction: {what}"));
    }
    for key in &examined.left_out {
        line(format_args!(
            "left out: {key}, of which a newer version may be lost"
        ));
    }
    for obstacle in &examined.obstacles {
        line(format_args!("cannot be opened: {obstacle}"));
    }
    line(format_args!(
        "{} table files, {} items, {} index entries: {}",
        examined.files,
        examined.items,
        examined.entries,
        if examined.is_sound() {
            "nothing is damaged"
        } else {
            "damaged"
        }
    ));
    text
}

fn describe_lost(lost: &LostRange) -> String {
    let LostRange { path, from, to, .. } = lost;
    if lost.is_recomputed {
        return format!(
            "worked out anew from the items: {from} to {to}, which was in {}",
            path.display()
        );
    }
    format!(
        "lost: rows from {from} to {to}, which were in {}; {} of them are left in an older version and left out",
        path.display(),
        lost.older_versions
    )
}

fn to_json(examined: &Examination) -> Value {
    let damages = examined.damages.iter().map(|damage| {
        json!({ "file": damage.path, "what": damage.what, "loss": name_loss(damage.loss) })
    });
    let lost = examined.lost.iter().map(|lost| {
        json!({
            "file": lost.path,
            "from": lost.from,
            "to": lost.to,
            "recomputed": lost.is_recomputed,
            "olderVersions": lost.older_versions,
        })
    });
    json!({
        "sound": examined.is_sound(),
        "damages": damages.collect::<Vec<_>>(),
        "lost": lost.collect::<Vec<_>>(),
        "contradictions": examined.contradictions,
        "leftOut": examined.left_out,
        "obstacles": examined.obstacles,
        "files": examined.files,
        "items": examined.items,
        "entries": examined.entries,
    })
}
