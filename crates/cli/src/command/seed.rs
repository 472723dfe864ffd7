//! `monotable seed`: rows to begin with.

use crate::command::verify::count;
use crate::exit::{Failure, done, note};
use crate::progress::Progress;
use crate::rows::{ModelArguments, Opened, Use};
use crate::sample::{find_sample, read_sample};
use crate::target::TargetArguments;
use clap::{Args, ValueHint};
use monotable_operations::Generator;
use monotable_store::Store;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

const EXAMPLES: &str = "\
Examples:
  $ monotable seed -m yggdrasil --store ./sample
  $ monotable seed -m model.toml --store ./made-up --count 100 --seed 7";

/// Fill a store with sample data, or with rows that are made up
///
/// Sample data are the operations of a file, one on each line; without a name the file `sample.jsonl` beside the model, or
/// those of a demo model. With --count rows are made up: names, times and references that the model allows. Either way
/// everything goes through the model. Makes the embedded store and its tables if they are missing.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Seed {
    #[command(flatten)]
    model: ModelArguments,

    /// The operations
    #[arg(value_hint = ValueHint::FilePath, conflicts_with = "count")]
    file: Option<PathBuf>,

    /// Make so many rows up
    #[arg(long, value_name = "ROWS")]
    count: Option<u64>,

    /// A number from which all rows follow, except ids and times that the store makes
    #[arg(long, value_name = "NUMBER", default_value_t = 1, requires = "count")]
    seed: u64,

    /// Carry everything out in an empty store in memory, say what it was, and write nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    target: TargetArguments,
}

impl Seed {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let source = self.model.find()?;
        let model = source.load()?.into_model();
        let sample = match (self.count, &self.file) {
            (Some(_), _) => None,
            (None, Some(file)) => Some(read_sample(file)?),
            (None, None) => Some(find_sample(source.path())?),
        };
        let opened = if self.dry_run {
            note("--dry-run: an empty store in memory takes the rows; nothing else is written");
            Opened::in_memory(model).await?
        } else {
            Opened::open(model, self.target, Use::New).await?
        };
        if let Some(sample) = sample {
            let operations = sample.apply(&opened.store).await?;
            let operations = count(operations as u64, "operation");
            done(format_args!(
                "{operations} carried out {}",
                opened.place.locate()
            ));
            return Ok(());
        }
        generate(&opened.store, self.count.unwrap_or_default(), self.seed).await
    }
}

async fn generate(store: &Store, rows: u64, seed: u64) -> Result<(), Failure> {
    let progress = Mutex::new(Progress::new());
    let generator = Generator::new(store, seed);
    let report = generator
        .generate(rows, &|made| {
            let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
            progress.at(format_args!("{made} of {rows} rows created"));
        })
        .await;
    drop(progress);
    let report = report?;
    for (entity, reason) in &report.given_up {
        note(format_args!("no further rows of {entity}: {reason}"));
    }
    if report.total() < rows {
        let what = format_args!(
            "{} of {rows} could be made up",
            count(report.total(), "row")
        );
        return Err(Failure::other(what).help(
            "the notes say why; sample data (`sample.jsonl`) can have operations of every kind",
        ));
    }
    for (entity, made) in &report.rows {
        done(format_args!("{} of {entity}", count(*made, "row")));
    }
    done(format_args!("{} created", count(report.total(), "row")));
    Ok(())
}
