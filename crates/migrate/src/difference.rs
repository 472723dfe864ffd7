//! What differs between two versions of a model, and what that means for rows and programs.

use serde::Serialize;
use std::collections::BTreeMap;

/// One difference between two versions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// What differs, by its names in the model: `Order`, `Order.total`, `Order.GSI1`, `[tenant]`.
    pub subject: String,
    /// Which part of the model it is.
    pub kind: DifferenceKind,
    /// The difference, in a sentence.
    pub what: String,
    /// What programs of the new version find in rows that the old one wrote.
    pub stored_rows: Finding,
    /// What programs of the old version, which still run, make of rows that the new one writes.
    pub old_programs: Finding,
}

/// Which part of a model differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DifferenceKind {
    /// A table or its settings.
    Table,
    /// An index of a table.
    Index,
    /// An entity, or how its rows are told.
    Entity,
    /// A key of an entity, in the table or in an index.
    Key,
    /// An attribute.
    Attribute,
    /// A unique value.
    Claim,
    /// A reference, or a counter of referring rows.
    Reference,
    /// Rows that follow from others.
    Derived,
    /// Rules, rights and operations.
    Rule,
    /// An access pattern.
    Pattern,
    /// How tenants are kept apart.
    Tenant,
}

impl DifferenceKind {
    /// Its name, for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Index => "index",
            Self::Entity => "entity",
            Self::Key => "key",
            Self::Attribute => "attribute",
            Self::Claim => "unique value",
            Self::Reference => "reference",
            Self::Derived => "derived rows",
            Self::Rule => "rule",
            Self::Pattern => "pattern",
            Self::Tenant => "tenant",
        }
    }
}

/// What one side makes of the other's rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "finding", rename_all = "snake_case")]
pub enum Finding {
    /// All of them are read and written as its own.
    Works {
        /// Why.
        proof: String,
    },
    /// They are, once rows were written anew.
    Backfill {
        /// What is written.
        work: Work,
        /// The entities whose rows are.
        rows: Vec<String>,
        /// In a sentence.
        why: String,
        /// What programs of the old version do to the rows as long as they run; none if they do no harm.
        meanwhile: Option<Counterexample>,
    },
    /// A row is not.
    Breaks {
        /// The row, and who fails on it.
        counterexample: Counterexample,
        /// Whether such a row must be there.
        decided_by: DecidedBy,
        /// What to do about it.
        remedy: String,
    },
    /// Neither is proved. A run looks at the rows that are there.
    Unproven {
        /// Why.
        why: String,
        /// What to do about it.
        remedy: String,
    },
}

/// What a backfill writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// Rows, as the new version writes them.
    Rows,
    /// Guards of unique values.
    Guards,
    /// Counters.
    Counters,
    /// Rows that follow from others.
    Derived,
    /// Tables and indexes alone: DynamoDB fills an index by itself.
    Tables,
    /// What only the old version knows is deleted, at the end.
    Deletion,
    /// What the store remembers of key templates.
    Templates,
}

/// Whether a refuted row must be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DecidedBy {
    /// Every row is refused, or the store refuses the model.
    Model,
    /// Some rows are, if there are such: a run looks for them before it writes anything.
    Rows,
}

/// A row, and who fails on it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Counterexample {
    /// The row.
    pub row: RowExample,
    /// A second row, if one alone does not fail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beside: Option<RowExample>,
    /// The pattern or operation.
    pub used_by: String,
    /// What happens.
    pub what: String,
}

/// A row that the model can have, with the key that the code of the store renders.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RowExample {
    /// Its entity.
    pub entity: String,
    /// Partition and sort key; of an index, if the counterexample is about one. Empty if the key cannot be rendered from the row alone.
    pub key: Vec<String>,
    /// Its attributes, by the names of its version.
    pub values: BTreeMap<String, serde_json::Value>,
}

/// A difference in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Rows of each version are read and written by both.
    Compatible,
    /// Rows have to be written anew.
    Backfill,
    /// It is not known; the rows decide.
    Unproven,
    /// There is a row on which one of the versions fails.
    Breaks,
}

impl Verdict {
    /// As people read it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Compatible => "compatible",
            Self::Backfill => "needs a backfill",
            Self::Unproven => "not proved",
            Self::Breaks => "breaks",
        }
    }
}

impl Difference {
    /// The worse of the two findings.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.stored_rows.verdict().max(self.old_programs.verdict())
    }
}

impl Finding {
    /// In one word.
    #[must_use]
    pub const fn verdict(&self) -> Verdict {
        match self {
            Self::Works { .. } => Verdict::Compatible,
            Self::Backfill { .. } => Verdict::Backfill,
            Self::Unproven { .. } => Verdict::Unproven,
            Self::Breaks { .. } => Verdict::Breaks,
        }
    }

    pub(crate) fn works(proof: impl Into<String>) -> Self {
        Self::Works {
            proof: proof.into(),
        }
    }

    pub(crate) fn unproven(why: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::Unproven {
            why: why.into(),
            remedy: remedy.into(),
        }
    }

    /// Rows that are written anew without harm by programs of the old version.
    pub(crate) fn backfill(work: Work, entity: &str, why: impl Into<String>) -> Self {
        Self::Backfill {
            work,
            rows: vec![entity.to_owned()],
            why: why.into(),
            meanwhile: None,
        }
    }

    /// What programs of the old version do until they end.
    pub(crate) fn while_old_runs(self, counterexample: Counterexample) -> Self {
        match self {
            Self::Backfill {
                work, rows, why, ..
            } => Self::Backfill {
                work,
                rows,
                why,
                meanwhile: Some(counterexample),
            },
            other => other,
        }
    }

    /// Every such row is refused.
    pub(crate) fn breaks(counterexample: Counterexample, remedy: impl Into<String>) -> Self {
        Self::Breaks {
            counterexample,
            decided_by: DecidedBy::Model,
            remedy: remedy.into(),
        }
    }

    /// Such a row is refused, if there is one.
    pub(crate) fn breaks_rows(counterexample: Counterexample, remedy: impl Into<String>) -> Self {
        Self::Breaks {
            counterexample,
            decided_by: DecidedBy::Rows,
            remedy: remedy.into(),
        }
    }
}
