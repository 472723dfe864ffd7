//! `monotable infer`: a first model of items.

mod lines;
mod report;
mod table;

use crate::command::import::{name_model, refuse_overwriting, write_model};
use crate::command::verify::count;
use crate::exit::{Failure, note};
use crate::model_file::is_stdin;
use crate::target::TargetArguments;
use clap::{Args, ValueHint};
use monotable_infer::{Sample, infer};
use monotable_operations::BackupFolder;
use monotable_sketch::prove_found;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  $ monotable infer --store ./copy --out found.toml
  $ monotable infer --store ./copy --limit 5000 --name notes
  $ monotable infer saved
  $ monotable infer backup.jsonl --key PK,SK

A folder is one that `backup` or AWS's export to S3 has written. Lines of a file are items in DynamoDB's JSON, alone, below
\"Item\", or as `backup` writes them. What is found is a first draft: names, types and patterns follow from the sample alone.";

/// Make a first model of the items of a table, of an export, or of a file
///
/// Finds tables and indexes, key templates, entities (by an attribute that tells them apart, or by the shape of their keys), types of
/// attributes, candidate access patterns and references. The model is checked, the sample is held against it as `verify` does it, and
/// rows that do not fit are listed.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Infer {
    /// A folder with an export, or a file of items; - is stdin [default: the tables of the target]
    #[arg(value_hint = ValueHint::AnyPath)]
    from: Option<PathBuf>,

    /// Only this table; several are named one after the other [default: all]
    #[arg(long, value_name = "NAME")]
    table: Vec<String>,

    /// The attributes of the primary key of items in files, such as PK,SK [default: those that are named so]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "from")]
    key: Vec<String>,

    /// Look at so many items of each table at most
    #[arg(long, value_name = "ITEMS", default_value_t = 10_000)]
    limit: usize,

    /// Write the model to this file, which must not be there yet [default: stdout]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: Option<PathBuf>,

    /// The name of the model [default: that of the first table]
    #[arg(long)]
    name: Option<String>,

    #[command(flatten)]
    target: TargetArguments,
}

impl Infer {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        refuse_overwriting(self.out.as_deref())?;
        let mut samples = match &self.from {
            Some(from) => self.read_files(from)?,
            None => {
                let dynamo = self.target.clone().open().await?;
                table::read(&*dynamo, &self.table, self.limit).await?
            }
        };
        for sample in &mut samples {
            let is_limited = sample.items.len() >= self.limit;
            sample.remove_own_items();
            tell_limits(sample, is_limited.then_some(self.limit));
        }
        let items: usize = samples.iter().map(|sample| sample.items.len()).sum();
        if items == 0 {
            return Err(Failure::missing("there is no item to find a model in"));
        }
        let first = samples.first().map(|sample| sample.table.name.clone());
        let name = self.name.or(first).unwrap_or_default();
        let mut inference = infer(&name, &samples);
        let proof = prove_found(&mut inference.sketch);
        let made = format!(
            "{} in {}",
            report::summarize(&inference.sketch),
            count(items as u64, "item")
        );
        let fits = match &proof.model {
            Some(_) => Some(report::hold(&proof.text, &samples).await?),
            None => None,
        };
        write_model(self.out.as_deref(), proof.text, &made)?;
        if let Some(fits) = fits {
            report::tell(&fits);
        }
        Ok(())
    }

    fn read_files(&self, from: &Path) -> Result<Vec<Sample>, Failure> {
        if from.is_dir() && !is_stdin(from) {
            return self.read_folder(from);
        }
        let tables = lines::read(from, &name_model(from), self.limit)?;
        self.describe(tables)
    }

    fn read_folder(&self, folder: &Path) -> Result<Vec<Sample>, Failure> {
        let mut tables = Vec::new();
        for table in BackupFolder::open(folder)?.tables {
            let mut items = Vec::new();
            for file in table.files() {
                if items.len() < self.limit {
                    items.extend(table.read_file(file)?);
                }
            }
            items.truncate(self.limit);
            tables.push((table.table, items));
        }
        self.describe(tables)
    }

    /// Finds out what the keys of tables are whose items are all that there is.
    fn describe(&self, tables: lines::Tables) -> Result<Vec<Sample>, Failure> {
        let wanted = tables
            .into_iter()
            .filter(|(name, _)| self.table.is_empty() || self.table.contains(name));
        let mut samples = Vec::new();
        for (name, items) in wanted {
            let table = monotable_infer::guess_table(&name, &items, &self.key);
            let Some(table) = table else {
                return Err(Failure::usage(format_args!(
                    "the items of {name} do not show which attributes are their key"
                ))
                .help("name them: --key PK,SK"));
            };
            samples.push(Sample { table, items });
        }
        Ok(samples)
    }
}

/// Says what the sample of a table does not show.
fn tell_limits(sample: &Sample, limit: Option<usize>) {
    let table = &sample.table.name;
    if let Some(limit) = limit.filter(|_| !sample.items.is_empty()) {
        note(format_args!(
            "the sample of {table} has {limit} items; --limit takes more"
        ));
    }
    let strange = sample.count_strange_keys();
    if strange > 0 {
        let items = count(strange as u64, "item");
        note(format_args!(
            "nothing is found in {items} of {table}, because the key is no text, and keys of a model are texts"
        ));
    }
}
