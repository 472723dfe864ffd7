//! What is wrong with a model: drawn below its text for people, or as records for programs.

mod drawing;
mod lines;
mod record;
mod tally;

pub(crate) use record::Record;
pub(crate) use tally::Tally;

use crate::exit::{self, Failure};
use crate::model_file::ModelFile;
use lines::Lines;
use monotable_model::Reading;
use monotable_model::diagnostic::{Code, Diagnostic};
use monotable_model::model::Model;
use std::io::Write;

/// A model file and what the check of it found.
#[derive(Debug)]
pub(crate) struct Findings {
    file: ModelFile,
    model: Option<Model>,
    diagnostics: Vec<Diagnostic>,
}

impl Findings {
    /// Checks a model.
    pub(crate) fn of(file: ModelFile) -> Self {
        let Reading { model, diagnostics } = monotable_check::check(&file.text);
        Self {
            file,
            model,
            diagnostics,
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.file.name
    }

    /// The model, if it can be used.
    pub(crate) fn usable(&self) -> Option<&Model> {
        let has_errors = self.diagnostics.iter().any(Diagnostic::is_error);
        self.model.as_ref().filter(|_| !has_errors)
    }

    /// The model and its text. A model with errors is refused with all of them, drawn on stderr.
    pub(crate) fn into_usable(self) -> Result<(Model, ModelFile), Failure> {
        if self.usable().is_some()
            && let Self {
                file,
                model: Some(model),
                ..
            } = self
        {
            return Ok((model, file));
        }
        self.show();
        self.note_other_kind();
        Err(Failure::configuration(Tally::of(&self)))
    }

    /// Draws all of them on stderr.
    pub(crate) fn show(&self) {
        let lines = Lines::of(&self.file.text);
        for diagnostic in &self.diagnostics {
            let drawing = drawing::draw(&lines, &self.file.name, diagnostic);
            // Whether anybody reads stderr does not change what is wrong.
            let _ = writeln!(anstream::stderr(), "{drawing}\n");
        }
    }

    /// All of them for programs.
    pub(crate) fn records(&self) -> Vec<Record> {
        let lines = Lines::of(&self.file.text);
        let record = |diagnostic| Record::new(&lines, &self.file.name, diagnostic);
        self.diagnostics.iter().map(record).collect()
    }

    /// Says so if the file seems to be no model at all.
    pub(crate) fn note_other_kind(&self) {
        let is_bad = |found: &Diagnostic| found.code == Code::BadToml;
        if !self.diagnostics.iter().any(is_bad) {
            return;
        }
        if let Some(kind) = self.file.other_kind() {
            exit::note(format_args!(
                "{} looks like {kind}; a model is TOML and begins with `monotable = 1`",
                self.file.name
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monotable_model::span::Span;

    #[test]
    fn a_model_with_errors_is_not_usable_even_if_it_was_understood() {
        let name = "m".to_owned();
        let text =
            "monotable = 1\nmodel = \"m\"\n[table.Main]\nkey = [\"PK\", \"SK\"]\n".to_owned();
        let mut findings = Findings::of(ModelFile { name, text });
        assert!(findings.usable().is_some(), "{findings:?}");
        let error = Diagnostic::new(Code::SameKey, Span::default(), "proven wrong");
        findings.diagnostics.push(error);
        assert!(findings.usable().is_none());
    }
}
