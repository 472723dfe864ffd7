//! `monotable check`: what is wrong with models.

mod advice;
mod form;
mod rules;

use crate::exit::{Failure, done, tell};
use crate::findings::{Findings, Record, Tally};
use crate::model_file::{ModelFile, is_stdin};
use crate::rows::find_file;
use clap::{Args, ValueHint};
use form::Form;
use monotable_model::diagnostic::Code;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  $ monotable check
  $ monotable check --deny-warnings --output json model.toml
  $ monotable check - < model.toml
  $ monotable check --explain same_key

Findings for people go to stderr, as compilers do it; --output json and jsonl go to stdout. The exit code is
253 if a model has errors (or warnings, with --deny-warnings) or a file cannot be read.";

/// Check models: errors and warnings with their place, the reason and a counterexample
///
/// Every file is checked, also if one before it is bad or cannot be read.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Check {
    /// The models: files, - for stdin, or names of demo models [default: $MONOTABLE_MODEL, or ./model.toml]
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,

    /// Fail on warnings too
    #[arg(long)]
    deny_warnings: bool,

    /// Say what a rule means and what to do, and check nothing: M014, or same_key
    #[arg(long, value_name = "RULE", value_parser = rules::parse)]
    #[arg(conflicts_with_all = ["files", "rules"])]
    explain: Option<Code>,

    /// List all rules, and check nothing
    #[arg(long, conflicts_with = "files")]
    rules: bool,

    /// Form of the findings
    #[arg(long, value_name = "FORM", default_value = "table")]
    output: Form,
}

impl Check {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.explain {
            Some(code) => rules::explain(code, self.output),
            None if self.rules => rules::list(self.output),
            None => self.check(),
        }
    }

    fn check(mut self) -> Result<(), Failure> {
        if self.files.is_empty() {
            self.files.push(find_file(None)?);
        }
        if self.files.iter().filter(|file| is_stdin(file)).count() > 1 {
            return Err(Failure::usage("stdin can be read only once"));
        }
        let mut tally = Tally::default();
        let mut records = Vec::new();
        for file in &self.files {
            match ModelFile::read(file) {
                Ok(file) => {
                    let findings = Findings::of(file);
                    tally.add(&findings);
                    records.extend(self.show(&findings));
                }
                Err(failure) => {
                    tally.add_unreadable();
                    tell(&failure);
                }
            }
        }
        self.output.print_all(&records)?;
        match tally.failure(self.deny_warnings) {
            Some(failure) => Err(failure),
            None => {
                self.conclude(&tally);
                Ok(())
            }
        }
    }

    /// Shows findings to people at once; those for programs are printed together.
    fn show(&self, findings: &Findings) -> Vec<Record> {
        let records = match self.output {
            Form::Table => {
                findings.show();
                Vec::new()
            }
            Form::Json | Form::Jsonl => findings.records(),
        };
        findings.note_other_kind();
        records
    }

    /// Programs see by the exit code that all is well.
    fn conclude(&self, tally: &Tally) {
        if self.output == Form::Table {
            done(tally);
        }
    }
}
