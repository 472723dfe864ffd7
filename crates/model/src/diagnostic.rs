//! What is wrong with a model: where, why, shown by an example, and what to do.

mod code;
mod fix;

pub use code::{Code, Severity};
pub use fix::{Acceptor, Edit, Fix};

use crate::span::Span;

/// One thing that is wrong with a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which rule it breaks.
    pub code: Code,
    /// Whether the model can be used all the same.
    pub severity: Severity,
    /// One sentence, without the place.
    pub message: String,
    /// The text that is wrong.
    pub span: Span,
    /// Other places that have to do with it.
    pub labels: Vec<Label>,
    /// Concrete keys, items or values that show it; empty if there is nothing to show.
    pub counterexample: Vec<Example>,
    /// What to do about it.
    pub help: Option<String>,
    /// Changes of the text that may remove it. Whether one does is known when the changed text is checked.
    pub fixes: Vec<Fix>,
    /// Whose `accept` takes it out; none if it cannot be accepted.
    pub acceptor: Option<Acceptor>,
}

/// Another place that has to do with a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is there.
    pub text: String,
}

/// A line of a counterexample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// What it is: an entity, a key, a value.
    pub what: String,
    /// The concrete text.
    pub text: String,
}

impl Diagnostic {
    /// Something wrong at `span`, as severe as its code says.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.severity(),
            message: message.into(),
            span,
            labels: Vec::new(),
            counterexample: Vec::new(),
            help: None,
            fixes: Vec::new(),
            acceptor: None,
        }
    }

    /// Adds another place.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// Adds a line to the counterexample.
    #[must_use]
    pub fn example(mut self, what: impl Into<String>, text: impl Into<String>) -> Self {
        self.counterexample.push(Example {
            what: what.into(),
            text: text.into(),
        });
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Says what to do, if there is something to say.
    #[must_use]
    pub fn help_if(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }

    /// Offers a change of the text. The title says what it does, as a button does.
    #[must_use]
    pub fn fix(mut self, title: impl Into<String>, edit: Edit) -> Self {
        self.fixes.push(Fix {
            title: title.into(),
            edit,
        });
        self
    }

    /// Asks for the near name in place of the one that nothing has, if there is one.
    #[must_use]
    pub(crate) fn did_you_mean(self, near: Option<&str>) -> Self {
        let Some(near) = near else { return self };
        let edit = Edit::Replace {
            span: self.span,
            text: near.to_owned(),
        };
        self.help(format!("did you mean `{near}`?"))
            .fix(format!("Write `{near}`"), edit)
    }

    /// With another severity than the usual one.
    #[must_use]
    pub const fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Whether the model cannot be used.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Diagnostics as they are found: none stops the search for others.
#[derive(Debug, Default)]
pub struct Findings {
    found: Vec<Diagnostic>,
}

impl Findings {
    /// One more finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }

    /// An error of this code.
    pub fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.push(Diagnostic::new(code, span, message));
    }

    /// Whether something was found that is an error, and not a warning.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.found.iter().any(Diagnostic::is_error)
    }

    /// In the order of the text.
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.found
            .sort_by_key(|found| (found.span.start, found.code, found.span.end));
        self.found.dedup();
        self.found
    }
}
