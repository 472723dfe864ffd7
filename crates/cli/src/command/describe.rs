//! `monotable describe`: a model as a document.

use crate::destination;
use crate::exit::{Failure, done, note};
use crate::findings::{Findings, Tally};
use crate::model_file::ModelFile;
use crate::output::print;
use crate::rows::find_file;
use clap::{Args, ValueEnum, ValueHint};
use monotable_model::model::Model;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  $ monotable describe > model.md
  $ monotable describe model.toml --out model.html";

/// Print a model as a document: its tables, entities, keys and access patterns
///
/// A model with errors is not described: the errors are shown as `check` shows them.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Describe {
    /// The model: a file, - for stdin, or the name of a demo model [default: $MONOTABLE_MODEL, or ./model.toml]
    #[arg(value_hint = ValueHint::FilePath)]
    model: Option<PathBuf>,

    /// Format of the document [default: html if --out ends so, otherwise markdown]
    #[arg(long)]
    format: Option<Format>,

    /// Write it to this file, whole or not at all
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: Option<PathBuf>,
}

/// A format of documents.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// For repositories and wikis
    Markdown,
    /// A page for browsers
    Html,
}

impl Format {
    /// What the name of the file says.
    fn of(out: Option<&Path>) -> Self {
        let ending = out.and_then(Path::extension);
        let is_html = |ending: &str| ["html", "htm"].contains(&ending);
        let ending = ending.and_then(|ending| ending.to_str());
        if ending.is_some_and(is_html) {
            Self::Html
        } else {
            Self::Markdown
        }
    }

    fn document(self, model: &Model) -> String {
        match self {
            Self::Markdown => monotable_describe::markdown(model),
            Self::Html => monotable_describe::html(model),
        }
    }
}

impl Describe {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let model = find_file(self.model.as_deref())?;
        let findings = Findings::of(ModelFile::read(&model)?);
        let tally = Tally::of(&findings);
        let Some(usable) = findings.usable() else {
            findings.show();
            findings.note_other_kind();
            return Err(Failure::configuration(tally));
        };
        let format = self
            .format
            .unwrap_or_else(|| Format::of(self.out.as_deref()));
        let document = format.document(usable);
        if tally.has_warnings() {
            note(format_args!("{tally}; `monotable check` shows them"));
        }
        match &self.out {
            None => print(document.as_bytes()),
            Some(out) => write_document(out, &model, &document, findings.name()),
        }
    }
}

fn write_document(out: &Path, model: &Path, document: &str, name: &str) -> Result<(), Failure> {
    if destination::is_same(out, model) {
        let what = format_args!("--out {} is the model itself", out.display());
        return Err(Failure::usage(what));
    }
    destination::write(out, document.as_bytes()).map_err(|error| {
        Failure::other(format_args!("cannot write {}", out.display())).caused_by(&error)
    })?;
    done(format_args!("described {name} in {}", out.display()));
    Ok(())
}
