//! Attributes of rows.

use std::fmt;

/// An attribute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attribute {
    /// Its name in the model.
    pub name: String,
    /// Its type: `text`, `open | done`, `[text]`.
    pub kind: String,
    /// Whether rows may lack it.
    pub optional: bool,
    /// What follows after commas.
    pub clauses: Vec<String>,
    /// What could not be said.
    pub remarks: Vec<String>,
}

impl Attribute {
    /// An attribute of a type.
    #[must_use]
    pub fn new(name: impl Into<String>, kind: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            kind: kind.into(),
            ..Self::default()
        }
    }

    /// One that rows may lack.
    #[must_use]
    pub const fn optional(mut self) -> Self {
        self.optional = true;
        self
    }

    /// With a clause more.
    #[must_use]
    pub fn clause(mut self, clause: impl Into<String>) -> Self {
        self.clauses.push(clause.into());
        self
    }

    /// With a remark more.
    #[must_use]
    pub fn remark(mut self, remark: impl Into<String>) -> Self {
        self.remarks.push(remark.into());
        self
    }

    /// Whether it is text of any form, so that only clauses say which characters it has.
    #[must_use]
    pub fn is_free_text(&self) -> bool {
        let is_text = self.kind == "text" || self.kind.starts_with("text(");
        is_text && !self.has_clause("matches") && !self.has_clause("without")
    }

    /// Whether a clause of this name is there.
    #[must_use]
    pub fn has_clause(&self, name: &str) -> bool {
        let is_it = |clause: &String| clause.split([' ', '=']).next() == Some(name);
        self.clauses.iter().any(is_it)
    }
}

/// As a model writes it.
impl fmt::Display for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kind)?;
        if self.optional {
            f.write_str("?")?;
        }
        for clause in &self.clauses {
            write!(f, ", {clause}")?;
        }
        Ok(())
    }
}
