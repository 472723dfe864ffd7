//! How many findings there are in how many models.

use super::Findings;
use crate::exit::Failure;
use std::fmt;

/// The sum of a run.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    models: usize,
    models_with_findings: usize,
    unreadable: usize,
    errors: usize,
    warnings: usize,
}

impl Tally {
    /// Of one model.
    pub(crate) fn of(findings: &Findings) -> Self {
        let mut tally = Self::default();
        tally.add(findings);
        tally
    }

    /// One more model.
    pub(crate) fn add(&mut self, findings: &Findings) {
        let all = findings.diagnostics.len();
        let errors = findings.diagnostics.iter().filter(|found| found.is_error());
        let errors = errors.count();
        self.models += 1;
        self.models_with_findings += usize::from(all > 0);
        self.errors += errors;
        self.warnings += all - errors;
    }

    /// One more file that is no text, or not there.
    pub(crate) const fn add_unreadable(&mut self) {
        self.unreadable += 1;
    }

    pub(crate) const fn has_warnings(&self) -> bool {
        self.warnings > 0
    }

    /// What makes the run fail, if anything does.
    pub(crate) fn failure(&self, are_warnings_denied: bool) -> Option<Failure> {
        let failure = || Failure::configuration(self);
        match (self.errors + self.unreadable, self.warnings) {
            (0, 0) => None,
            (0, _) if are_warnings_denied => {
                Some(failure().because("warnings are denied (--deny-warnings)"))
            }
            (0, _) => None,
            _ => Some(failure()),
        }
    }

    fn findings(&self) -> Option<String> {
        let parts = [(self.errors, "error"), (self.warnings, "warning")];
        let parts = parts.into_iter().filter(|(count, _)| *count > 0);
        let found: Vec<String> = parts.map(|(count, noun)| counted(count, noun)).collect();
        let found = match (self.models, found.is_empty()) {
            (0, _) => return None,
            (models, true) => format!("{}: no findings", counted(models, "model")),
            (1, false) => format!("{} in 1 model", found.join(", ")),
            (models, false) => {
                let some = self.models_with_findings;
                format!("{} in {some} of {models} models", found.join(", "))
            }
        };
        Some(found)
    }

    fn rest(&self) -> Option<String> {
        let files = || counted(self.unreadable, "file");
        (self.unreadable > 0).then(|| format!("{} could not be read", files()))
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = self.findings().into_iter().chain(self.rest()).collect();
        f.write_str(&parts.join("; "))
    }
}

fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn says(counts: [usize; 5], expected: &str) {
        let [models, models_with_findings, unreadable, errors, warnings] = counts;
        let tally = Tally {
            models,
            models_with_findings,
            unreadable,
            errors,
            warnings,
        };
        assert_eq!(tally.to_string(), expected);
    }

    #[test]
    fn a_line_for_every_sum() {
        says([5, 0, 0, 0, 0], "5 models: no findings");
        says([1, 0, 0, 0, 0], "1 model: no findings");
        says([5, 1, 0, 2, 3], "2 errors, 3 warnings in 1 of 5 models");
        says([5, 2, 0, 0, 3], "3 warnings in 2 of 5 models");
        says([1, 1, 0, 1, 0], "1 error in 1 model");
        says([0, 0, 1, 0, 0], "1 file could not be read");
        says(
            [1, 1, 2, 0, 1],
            "1 warning in 1 model; 2 files could not be read",
        );
    }
}
