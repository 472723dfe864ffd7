//! Why a model's rows were not read or written, in the words of the data layer.
//!
//! What no stored row can change is a mistake of usage: names and values that the model refuses. What depends on
//! what is stored, or on the service, is an answer of the service.

use super::{Failure, Kind, advice};
use crate::output::visible;
use monotable_store::{Error, ErrorKind, Failure as Refusal};

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let name = error.kind().name();
        let kind = kind(error.kind());
        match error.failure() {
            Refusal::Validation { entity, errors } => {
                let failure = Self::new(kind, format_args!("{name}: {entity} is refused"));
                let told = errors.iter().map(|error| visible(&error.to_string()));
                told.fold(failure, Self::because)
            }
            Refusal::Retryable { source } => {
                let failure = Self::new(kind, format_args!("{name}: {source}"));
                helped(failure, advice(source))
            }
            Refusal::Fatal { source, hint } => {
                let failure = Self::new(kind, format_args!("{name}: {source}"));
                helped(failure, hint.as_deref().or(advice(source)))
            }
            // Keys of stored rows are in it.
            refusal => {
                let reason = visible(&refusal.to_string());
                match error.declaration() {
                    Some(declared) if declared.message().is_some() => {
                        let message = declared.message().unwrap_or_default();
                        Self::new(kind, format_args!("{name}: {message}"))
                            .because(format_args!("{reason} ({})", declared.path()))
                    }
                    _ => Self::new(kind, format_args!("{name}: {reason}")),
                }
            }
        }
    }
}

const fn kind(of: ErrorKind) -> Kind {
    match of {
        ErrorKind::Validation | ErrorKind::Immutable | ErrorKind::Usage => Kind::Usage,
        ErrorKind::NotFound
        | ErrorKind::Conflict
        | ErrorKind::Forbidden
        | ErrorKind::Integrity
        | ErrorKind::Retryable
        | ErrorKind::Fatal => Kind::Service,
    }
}

fn helped(failure: Failure, help: Option<&str>) -> Failure {
    match help {
        Some(help) => failure.help(help),
        None => failure,
    }
}
