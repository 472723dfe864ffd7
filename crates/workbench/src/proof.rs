//! The texts of models, and what the checker says about them.

use crate::value::counted;
use monotable_check::check;
use monotable_model::Reading;
use monotable_model::diagnostic::Diagnostic;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// The text of a model, as its author wrote it.
#[derive(Clone, Debug)]
pub struct ModelSource {
    /// The name of the model that is served.
    pub name: String,
    /// The file, as people call it.
    pub file: String,
    /// What `monotable -m` takes to mean this model.
    pub argument: String,
    /// The file itself, if the page may change it and editors of this machine can open it.
    pub path: Option<PathBuf>,
    /// The text. While it has errors, the store runs an earlier one.
    pub text: String,
}

/// A text with what was found about it. It is proved when somebody looks.
#[derive(Debug)]
pub(crate) struct Proof {
    pub(crate) source: ModelSource,
    pub(crate) saved: jiff::Timestamp,
    reading: OnceLock<Arc<Reading>>,
}

impl Proof {
    pub(crate) fn new(source: ModelSource) -> Self {
        Self {
            source,
            saved: jiff::Timestamp::now(),
            reading: OnceLock::new(),
        }
    }

    /// What the checker says.
    pub(crate) fn reading(&self) -> &Reading {
        self.reading
            .get_or_init(|| Arc::new(check(&self.source.text)))
    }

    /// Tells this text from others, for forms that mean what was shown.
    pub(crate) fn mark(&self) -> String {
        let mut hasher = DefaultHasher::new();
        self.source.text.hash(&mut hasher);
        format!("{:016x}", hasher.finish())
    }

    /// Errors and warnings.
    pub(crate) fn tally(&self) -> Tally {
        Tally::new(self.findings())
    }

    /// The findings, in the order of the text.
    pub(crate) fn findings(&self) -> &[Diagnostic] {
        &self.reading().diagnostics
    }
}

/// How many findings there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
}

impl Tally {
    pub(crate) fn new(findings: &[Diagnostic]) -> Self {
        let errors = findings.iter().filter(|found| found.is_error()).count();
        Self {
            errors,
            warnings: findings.len() - errors,
        }
    }
}

/// `2 errors, 1 warning`, or `none`.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let errors = counted(self.errors, "error");
        let warnings = counted(self.warnings, "warning");
        match (self.errors, self.warnings) {
            (0, 0) => f.write_str("no findings"),
            (0, _) => f.write_str(&warnings),
            (_, 0) => f.write_str(&errors),
            _ => write!(f, "{errors}, {warnings}"),
        }
    }
}
