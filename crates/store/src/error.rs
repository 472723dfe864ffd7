//! What goes wrong, in the words of the model: which declaration refused, and whether trying again helps.

mod declaration;
mod display;
mod hint;

use crate::declaration::Declaration;
use crate::field_error::{FieldError, Problem};
use crate::host::NoEntropy;
use crate::mention::Mention;
use monotable_api::Error as ServiceError;
use monotable_model::model::Model;

/// An operation that was not carried out.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    failure: Box<Failure>,
    declaration: Option<Box<Declaration>>,
    unaudited: Option<Box<Self>>,
}

/// The coarse categories of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// Values are not what the model says.
    Validation,
    /// There is no such row.
    NotFound,
    /// Another row is in the way, or the row is not what the caller expected.
    Conflict,
    /// The caller may not do this.
    Forbidden,
    /// The model says that this never changes.
    Immutable,
    /// What is stored contradicts the model.
    Integrity,
    /// The call may succeed if it is made again later.
    Retryable,
    /// The service refused, and will again.
    Fatal,
    /// There is no such entity, pattern, parameter or operation.
    Usage,
}

/// What refused, and why.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Failure {
    /// Values are not what the model says: everything that is wrong with them.
    Validation {
        /// The entity.
        entity: String,
        /// One for each attribute.
        errors: Vec<FieldError>,
    },
    /// There is no such row.
    NotFound {
        /// The entity.
        entity: String,
        /// What was asked for, in the caller's words; empty if it was not the caller who asked for it.
        key: String,
        /// It is still there, but being deleted.
        deleting: bool,
    },
    /// Another row is in the way, or the row is not what was expected.
    Conflict {
        /// The entity.
        entity: String,
        /// What clashes.
        clash: Clash,
    },
    /// The caller may not do this.
    Forbidden {
        /// The entity.
        entity: String,
        /// What was tried: `update`.
        action: &'static str,
    },
    /// Rows of a repository change by commits only.
    Versioned {
        /// The entity.
        entity: String,
        /// Its repository.
        repository: String,
    },
    /// What is stored contradicts the model.
    Integrity {
        /// How.
        message: String,
    },
    /// The service could not do it now.
    Retryable {
        /// What it said last.
        source: ServiceError,
    },
    /// The service refused.
    Fatal {
        /// What it said.
        source: ServiceError,
        /// What to do.
        hint: Option<String>,
    },
    /// The call itself makes no sense.
    Usage {
        /// Why.
        message: String,
    },
    /// Ids and keys are made of random bytes, and the system gives none.
    NoEntropy,
}

/// What clashes with a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clash {
    /// There is a row with this key.
    Key {
        /// The key; empty if the caller did not name it and may not see the row.
        key: String,
    },
    /// A unique value is taken.
    Unique {
        /// The claim: usually the name of the attribute.
        claim: String,
    },
    /// An attribute does not have the value that the caller expects.
    Expected {
        /// Which.
        attribute: String,
    },
    /// The pair exists with its ends the other way round.
    Mirrored,
    /// The relation would lead from a row back to itself.
    Cycle,
    /// The chain of the relation would become too long.
    TooDeep {
        /// How long it may be.
        depth: usize,
    },
    /// Rows refer to it, and the model does not let them go.
    InUse {
        /// The entity of such a row; empty if the caller may see none of them.
        by: String,
        /// Its reference; empty if the caller may see none of them.
        attribute: String,
    },
    /// A move has begun on it, or on rows that belong to it, and has not ended.
    Moving {
        /// The move; empty if the caller may not see the row that moves.
        name: String,
    },
    /// The head of a repository is not what the caller thinks.
    Head {
        /// The revision that it names; none if nothing was committed yet.
        head: Option<String>,
    },
    /// Others have changed the same rows of a repository since.
    Rebase {
        /// Which.
        rows: Vec<String>,
    },
    /// Others kept changing the row while this was tried.
    Contended,
    /// The row is deleted, but others kept adding rows that refer to it.
    LeftBehind,
    /// The token has named another call of the same caller.
    TokenMismatch {
        /// The operation of that call.
        earlier: String,
        /// The operation of this one.
        now: &'static str,
    },
}

impl Clash {
    /// There is a row with this key.
    pub(crate) fn key(key: Mention) -> Self {
        Self::Key { key: key.into() }
    }
}

impl Error {
    /// Its category.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match &*self.failure {
            Failure::Validation { errors, .. } => {
                let immutable = |error: &FieldError| error.problem == Problem::Immutable;
                if errors.iter().all(immutable) {
                    ErrorKind::Immutable
                } else {
                    ErrorKind::Validation
                }
            }
            Failure::NotFound { .. } => ErrorKind::NotFound,
            Failure::Conflict { .. } => ErrorKind::Conflict,
            Failure::Forbidden { .. } => ErrorKind::Forbidden,
            Failure::Versioned { .. } => ErrorKind::Immutable,
            Failure::Integrity { .. } => ErrorKind::Integrity,
            Failure::Retryable { .. } => ErrorKind::Retryable,
            Failure::Fatal { .. } | Failure::NoEntropy => ErrorKind::Fatal,
            Failure::Usage { .. } => ErrorKind::Usage,
        }
    }

    /// What refused, and why.
    #[must_use]
    pub const fn failure(&self) -> &Failure {
        &self.failure
    }

    /// The declaration of the model that refused. Refused values have one each ([`FieldError::declaration`]).
    #[must_use]
    pub fn declaration(&self) -> Option<&Declaration> {
        self.declaration.as_deref()
    }

    /// What the model itself tells callers whom the declaration refuses.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        self.declaration()?.message()
    }

    /// Why an audit could not note this refusal; none if it did, or no audit notes such.
    #[must_use]
    pub fn unaudited(&self) -> Option<&Self> {
        self.unaudited.as_deref()
    }

    /// What is stored contradicts what a program reads it as.
    #[must_use]
    pub fn contradiction(message: impl Into<String>) -> Self {
        Self::integrity(message)
    }

    /// Adds why an audit could not note the refusal.
    pub(crate) fn unnoted(mut self, why: Self) -> Self {
        self.unaudited = Some(Box::new(why));
        self
    }

    /// Adds the declaration that refuses, where the failure alone does not tell it.
    pub(crate) fn by(mut self, declaration: Declaration) -> Self {
        self.declaration = Some(Box::new(declaration));
        self
    }

    pub(crate) fn validation(entity: &str, errors: Vec<FieldError>) -> Self {
        if errors
            .iter()
            .any(|error| error.problem == Problem::NoEntropy)
        {
            return NoEntropy.into();
        }
        let entity = entity.to_owned();
        Failure::Validation { entity, errors }.into()
    }

    pub(crate) fn conflict(entity: &str, clash: Clash) -> Self {
        let entity = entity.to_owned();
        Failure::Conflict { entity, clash }.into()
    }

    pub(crate) fn not_found(entity: &str, key: Mention) -> Self {
        Failure::NotFound {
            entity: entity.to_owned(),
            key: key.into(),
            deleting: false,
        }
        .into()
    }

    /// A row that is there, and whose delete has begun.
    pub(crate) fn being_deleted(entity: &str, key: Mention) -> Self {
        Failure::NotFound {
            entity: entity.to_owned(),
            key: key.into(),
            deleting: true,
        }
        .into()
    }

    pub(crate) fn integrity(message: impl Into<String>) -> Self {
        let message = message.into();
        Failure::Integrity { message }.into()
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        let message = message.into();
        Failure::Usage { message }.into()
    }

    /// Whether it is about values that are not what the model says.
    pub(crate) fn is_validation(&self) -> bool {
        matches!(&*self.failure, Failure::Validation { .. })
    }

    /// Several refusals as one.
    pub(crate) fn together(refused: Vec<Self>) -> Option<Self> {
        let mut entities: Vec<String> = Vec::new();
        let mut all = Vec::new();
        for error in refused {
            if let Failure::Validation { entity, errors } = *error.failure {
                if !entities.contains(&entity) {
                    entities.push(entity);
                }
                all.extend(errors);
            }
        }
        (!all.is_empty()).then(|| Self::validation(&entities.join(", "), all))
    }

    /// Adds what the model knows of a refusal: which declarations refuse, what the model tells callers then, and which
    /// tables a missing one may be.
    pub(crate) fn explain(mut self, model: &Model) -> Self {
        if self.declaration.is_none() {
            let declaration = declaration::find_declaration(model, &self.failure);
            self.declaration = declaration.map(Box::new);
        }
        if let Failure::Validation { entity, errors } = &mut *self.failure {
            for error in errors
                .iter_mut()
                .filter(|error| error.declaration.is_none())
            {
                let declaration = declaration::find_contradicted(model, entity, error);
                error.declaration = declaration.map(Box::new);
            }
        }
        if let Failure::Fatal {
            source: ServiceError::ResourceNotFoundException { .. },
            hint: Some(hint),
        } = &mut *self.failure
        {
            let tables: Vec<_> = model
                .tables
                .iter()
                .map(|table| table.physical.as_str())
                .collect();
            *hint = format!("{}: {hint}", tables.join(", "));
        }
        self
    }

    /// An error of the service, with help.
    pub(crate) fn service(source: ServiceError) -> Self {
        if source.retryable() {
            return Failure::Retryable { source }.into();
        }
        let hint = hint::find_hint(&source);
        Failure::Fatal { source, hint }.into()
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Self {
            failure: Box::new(failure),
            declaration: None,
            unaudited: None,
        }
    }
}

impl From<NoEntropy> for Error {
    fn from(_: NoEntropy) -> Self {
        Failure::NoEntropy.into()
    }
}

impl ErrorKind {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Validation => "Validation",
            Self::NotFound => "NotFound",
            Self::Conflict => "Conflict",
            Self::Forbidden => "Forbidden",
            Self::Immutable => "Immutable",
            Self::Integrity => "Integrity",
            Self::Retryable => "Retryable",
            Self::Fatal => "Fatal",
            Self::Usage => "Usage",
        }
    }
}

impl std::error::Error for Error {}
