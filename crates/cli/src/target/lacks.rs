//! What a target lacks that others have.

#[cfg(feature = "aws")]
use crate::exit::Failure;
use monotable_store::{Ability, Error, Store};

/// What a server lacks, as variables of the environment say it.
#[cfg(feature = "aws")]
const VARIABLE: &str = "MONOTABLE_WITHOUT";

/// What a target lacks, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lacks {
    declared: Vec<Ability>,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The embedded engine and Amazon's service have everything.
    Whole,
    /// Nobody knows: it is asked.
    #[cfg(feature = "aws")]
    Unknown,
}

impl Lacks {
    /// Of a target that has everything.
    pub(crate) const fn nothing() -> Self {
        Self {
            declared: Vec::new(),
            kind: Kind::Whole,
        }
    }

    /// Of a server that somebody names, and what they say of it.
    #[cfg(feature = "aws")]
    pub(super) fn of_server(declared: Vec<Ability>) -> Result<Self, Failure> {
        let kind = Kind::Unknown;
        let variable = std::env::var(VARIABLE).unwrap_or_default();
        if !declared.is_empty() || variable.is_empty() {
            return Ok(Self { declared, kind });
        }
        let declared: Result<Vec<Ability>, String> = variable.split(',').map(str::parse).collect();
        let declared =
            declared.map_err(|problem| Failure::usage(format_args!("{VARIABLE}: {problem}")))?;
        Ok(Self { declared, kind })
    }

    /// Refuses a model that needs what is missing. Nothing is written.
    pub(crate) async fn refuse(&self, store: &Store) -> Result<(), Error> {
        store.refuse_target_without(&self.declared)?;
        match self.kind {
            Kind::Whole => Ok(()),
            #[cfg(feature = "aws")]
            Kind::Unknown => store.probe_target().await,
        }
    }
}
