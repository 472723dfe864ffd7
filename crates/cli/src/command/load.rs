//! `monotable load`: rows of files, through the model.

use super::create::refused_lines::{Opening, RefusedLines};
use crate::command::verify::count;
use crate::exit::{Failure, done, note, tell};
use crate::model_file::is_stdin;
use crate::progress::Progress;
use crate::rows::{LoadedModel, ModelArguments, NameKind, Opened, Use, refuse_name, refuse_values};
use crate::target::TargetArguments;
use clap::{Args, ValueEnum, ValueHint};
use monotable_model::model::Model;
use monotable_operations::{
    Error, InputRows, LoadReport, LoadSink, Loader, RefusalCause, RefusedRow, Resume, StoreIdentity,
};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const EXAMPLES: &str = "\
Examples:
  $ printf 'UserId,TreeId,TreeName\\nada,elm,Elm\\n' > elm.csv
  $ monotable load -m model.toml --entity Tree elm.csv
  $ echo '{\"$entity\": \"Tree\", \"UserId\": \"ada\", \"TreeId\": \"ash\", \"TreeName\": \"Ash\"}' > ash.jsonl
  $ monotable load -m model.toml ash.jsonl --refused again.jsonl

A line of JSON is a row, with its entity as `$entity` unless --entity names it: {\"$entity\": \"Tree\", \"TreeId\": \"oak\"}. Of
CSV the first line has the names, and an empty field is no value.

A load that was ended can be run again: rows that are there with the same values count as loaded, and the file
FILE.progress beside the input says how far it was. It goes when every line was tried.";

/// Create rows of a model from a file: JSON lines or CSV
///
/// Each row goes through the model for itself: it is checked, its unique values are claimed, and counters count it. A line
/// that is refused is reported with the reason, and the others are loaded. The order of lines does not matter: what is
/// refused because another row is missing is tried again at the end. Makes the embedded store and its tables if they
/// are missing.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Load {
    #[command(flatten)]
    model: ModelArguments,

    /// The file; - is stdin
    #[arg(value_hint = ValueHint::FilePath)]
    file: PathBuf,

    /// The entity of rows that do not say it
    #[arg(long)]
    entity: Option<String>,

    /// How rows are written [default: csv if the file ends so, else jsonl]
    #[arg(long, value_enum)]
    format: Option<Format>,

    /// Write the lines that were refused to this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    refused: Option<PathBuf>,

    /// How many rows are under way at once
    #[arg(long, value_name = "ROWS", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    parallel: u16,

    /// Begin at the first line, whatever an earlier run has done
    #[arg(long)]
    restart: bool,

    /// Decide about every line, and write nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    target: TargetArguments,
}

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A JSON object on each line
    Jsonl,
    /// Comma-separated values; the first line has the names
    Csv,
}

impl Format {
    /// The format that a file's name suggests.
    pub(super) fn guess(file: &Path) -> Self {
        let extension = file.extension();
        if extension.is_some_and(|extension| extension.eq_ignore_ascii_case("csv")) {
            Self::Csv
        } else {
            Self::Jsonl
        }
    }
}

impl Load {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let source = self.model.clone().find()?;
        if is_stdin(&self.file) && source.is_stdin() {
            return Err(Failure::usage("stdin can be read only once"));
        }
        let model = source.load()?;
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
        let shared = Arc::new(Model::clone(&model));
        let rows = self.rows(Arc::clone(&shared))?;
        let usage = if self.dry_run {
            Use::Pretended
        } else {
            Use::New
        };
        let opened = Opened::open(Model::clone(&model), self.target.clone(), usage).await?;
        let identity = StoreIdentity::read(&opened.place, &opened.store).await?;
        let mut resume = self.resume(&identity)?;
        let opening = if resume.done() > 0 {
            note(format_args!(
                "{} lines were tried by an earlier run",
                resume.done()
            ));
            Opening::Appended
        } else {
            Opening::New
        };
        let mut refused = RefusedLines::open_for(self.refused.as_deref(), &self.file, opening)?;
        if let Some(header) = rows.header() {
            refused.keep(header.as_bytes())?;
        }
        let mut sink = Sink {
            refused,
            model: &model,
            progress: Progress::new(),
        };
        let loader = Loader::new(&opened.store)
            .parallel(self.parallel.into())
            .dry_run(self.dry_run);
        let report = loader.load(rows, &mut resume, &mut sink).await;
        drop(sink.progress);
        sink.refused.finish()?;
        let report = report.map_err(|error| {
            Failure::from(error).because("what was loaded is; run it again to go on")
        })?;
        resume.finish().map_err(Failure::from)?;
        conclude(&report, self.dry_run, self.refused.as_deref())
    }

    fn rows(&self, model: Arc<Model>) -> Result<InputRows, Failure> {
        let input: Box<dyn BufRead + Send> = if is_stdin(&self.file) {
            Box::new(BufReader::new(io::stdin()))
        } else {
            if self.file.is_dir() {
                let what = format_args!("{} is a folder", self.file.display());
                return Err(Failure::usage(what)
                    .help("name a file with rows; `restore` reads the folder of a backup"));
            }
            let file = File::open(&self.file).map_err(|error| {
                Failure::other(format_args!("cannot read {}", self.file.display()))
                    .caused_by(&error)
            })?;
            Box::new(BufReader::new(file))
        };
        let format = self.format.unwrap_or_else(|| Format::guess(&self.file));
        Ok(match format {
            Format::Jsonl => InputRows::from_json(input, self.entity.clone()),
            Format::Csv => InputRows::from_csv(input, self.entity.clone(), model),
        })
    }

    /// How far an earlier run was. A pipe can be read only once, and a dry run keeps nothing.
    fn resume(&self, target: &StoreIdentity) -> Result<Resume, Failure> {
        let is_file = std::fs::metadata(&self.file).is_ok_and(|file| file.is_file());
        if self.dry_run || is_stdin(&self.file) || !is_file {
            return Ok(Resume::nothing());
        }
        if self.restart {
            Resume::forget(&self.file)?;
        }
        Ok(Resume::open(&self.file, target)?)
    }
}

struct Sink<'s> {
    refused: RefusedLines,
    model: &'s LoadedModel,
    progress: Progress,
}

impl LoadSink for Sink<'_> {
    fn refuse(&mut self, row: RefusedRow) -> Result<(), Error> {
        self.progress.pause();
        let failure = match row.why {
            RefusalCause::Unreadable(why) => Failure::other(why),
            RefusalCause::Store(error) => refuse_values(error, self.model),
        };
        tell(&failure.at_line(row.line));
        let text = row.text.replace(['\n', '\r'], " ");
        self.refused
            .keep(text.as_bytes())
            .map_err(|failure| Error::Refused {
                what: failure.to_string(),
                help: "name another file with --refused".to_owned(),
            })
    }

    fn progress(&mut self, report: &LoadReport) {
        self.progress.at(format_args!(
            "{} created, {} there already",
            report.created, report.there
        ));
    }
}

fn conclude(report: &LoadReport, dry_run: bool, kept: Option<&Path>) -> Result<(), Failure> {
    let LoadReport {
        created,
        there,
        refused,
    } = report;
    if dry_run {
        note("--dry-run: nothing was written");
    }
    if created + there + refused == 0 {
        return Err(Failure::other("there is no row in the input"));
    }
    let verb = if dry_run { "can be created" } else { "created" };
    let mut told = format!("{} {verb}", count(*created, "row"));
    if *there > 0 {
        told.push_str(&format!(", {there} there already"));
    }
    if *refused == 0 {
        done(told);
        return Ok(());
    }
    let failure = Failure::other(format_args!("{} refused; {told}", count(*refused, "row")));
    Err(match kept {
        Some(file) => failure.help(format_args!(
            "mend the lines in {} and load them from there",
            file.display()
        )),
        None => failure.help("--refused FILE keeps such lines for another try"),
    })
}
