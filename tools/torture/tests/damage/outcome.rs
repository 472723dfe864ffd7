//! What becomes of a damaged store.

use crate::store::{Store, acknowledged, read_each, scan};
use monotable_engine::OpenError;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// From best to worst.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It opens, `verify` finds nothing, and everything is there.
    Harmless,
    /// It does not open, and says why.
    Refused(String),
    /// It opens, and `verify` says what is wrong.
    Reported(String),
    /// It opens, `verify` finds nothing, but a read fails.
    Missed(String),
    /// It was told, but with the file as it was before, the store is not what it was before.
    Destroyed(String),
    /// A panic.
    Panicked(String),
    /// It opens, `verify` finds nothing, and something is lost.
    Lost(String),
}

impl Outcome {
    pub(crate) const fn is_right(&self) -> bool {
        matches!(self, Self::Harmless | Self::Refused(_) | Self::Reported(_))
    }

    /// Opens the store and looks at everything.
    pub(crate) fn of(store: &Store) -> Self {
        match catch_unwind(AssertUnwindSafe(|| Self::look(store))) {
            Ok(outcome) => outcome,
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
                Self::Panicked(text.unwrap_or("without words").to_owned())
            }
        }
    }

    /// The same; then puts the damaged file back, after which the store must be good again: who has a
    /// copy of a file must not find that opening has removed the others.
    pub(crate) fn of_damaged(store: &Store, file: &str, original: &[u8]) -> Self {
        let outcome = Self::of(store);
        if !matches!(outcome, Self::Refused(_) | Self::Reported(_)) {
            return outcome;
        }
        if let Err(error) = fs::write(store.file(file), original) {
            return Self::Destroyed(format!("{error}; {outcome:?}"));
        }
        match Self::of(store) {
            Self::Harmless => outcome,
            other => Self::Destroyed(format!("{other:?}; before: {outcome:?}")),
        }
    }

    fn look(store: &Store) -> Self {
        let engine = match store.open() {
            Ok(engine) => engine,
            Err(error) => return Self::Refused(describe(&error)),
        };
        match engine.verify() {
            Err(error) => return Self::Reported(error.to_string()),
            Ok(found) if found.problem_count > 0 => {
                let first = found.problems.first().cloned().unwrap_or_default();
                return Self::Reported(format!("{} problems: {first}", found.problem_count));
            }
            Ok(_) => {}
        }
        let expected = acknowledged();
        for read in [scan, read_each] {
            match read(&engine) {
                Ok(items) if items == expected => {}
                Ok(items) => return Self::Lost(format!("{} of {}", items.len(), expected.len())),
                Err(error) => return Self::Missed(error.to_string()),
            }
        }
        Self::Harmless
    }
}

fn describe(error: &OpenError) -> String {
    let kind = format!("{error:?}");
    let kind = kind.split([' ', '{']).next().unwrap_or_default();
    format!("{kind}: {error}")
}
