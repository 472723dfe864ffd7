//! Errors of the store as problems.

use super::field::FieldProblem;
use super::{Problem, clash, field};
use http::StatusCode;
use http::header::RETRY_AFTER;
use monotable_api::Error as ServiceError;
use monotable_item::{EncodedItem, Item};
use monotable_model::model::Model;
use monotable_store::{AnyOperation, Clash, Error, ErrorKind, Failure};

/// After how many seconds something that the database could not do is worth another try.
const RETRY_SECONDS: &str = "1";

/// An operation that the store refused.
pub(crate) struct Refused<'r> {
    /// The model whose declarations refuse.
    pub(crate) model: &'r Model,
    /// What was asked for.
    pub(crate) operation: Option<&'r AnyOperation>,
    /// What the store says.
    pub(crate) error: &'r Error,
}

impl From<Refused<'_>> for Problem {
    fn from(refused: Refused<'_>) -> Self {
        let Refused {
            model,
            operation,
            error,
        } = refused;
        let status = find_status(error);
        let mut problem = match operation {
            Some(operation) if is_refused_for_values(error) => {
                Self::new(status, "Validation", describe_values(error, operation))
            }
            _ => Self::new(status, error.kind().name(), error.to_string()),
        };
        let document = &mut problem.document;
        document.message = error.message().map(str::to_owned);
        document.declaration = error.declaration().map(|known| known.path().to_owned());
        match error.failure() {
            Failure::Validation { entity, errors } => {
                document.entity = Some(entity.clone());
                let errors = errors.iter();
                let fields = errors.map(|error| FieldProblem::new(model, error, operation));
                document.errors = fields.collect();
            }
            Failure::NotFound { entity, .. } => document.entity = Some(entity.clone()),
            Failure::Conflict { entity, clash } => {
                document.entity = Some(entity.clone());
                document.clash = Some(clash::describe_clash(clash));
            }
            Failure::Forbidden { entity, .. } | Failure::Versioned { entity, .. } => {
                document.entity = Some(entity.clone());
            }
            _ => {}
        }
        let can_wait = matches!(
            error.failure(),
            Failure::Retryable { .. }
                | Failure::Conflict {
                    clash: Clash::Contended | Clash::Moving { .. },
                    ..
                }
        );
        if can_wait {
            problem = problem.with_header(RETRY_AFTER, RETRY_SECONDS);
        }
        problem
    }
}

fn find_status(error: &Error) -> StatusCode {
    match error.kind() {
        ErrorKind::Validation | ErrorKind::Immutable | ErrorKind::Usage => StatusCode::BAD_REQUEST,
        ErrorKind::NotFound => StatusCode::NOT_FOUND,
        ErrorKind::Conflict => StatusCode::CONFLICT,
        ErrorKind::Forbidden => StatusCode::FORBIDDEN,
        ErrorKind::Integrity => StatusCode::INTERNAL_SERVER_ERROR,
        ErrorKind::Retryable => StatusCode::SERVICE_UNAVAILABLE,
        ErrorKind::Fatal if is_refused_for_values(error) => StatusCode::BAD_REQUEST,
        ErrorKind::Fatal => match error.failure() {
            Failure::NoEntropy => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::BAD_GATEWAY,
        },
    }
}

/// Whether what the caller gave makes a request that DynamoDB takes from nobody: a row or a key that is too large.
fn is_refused_for_values(error: &Error) -> bool {
    matches!(
        error.failure(),
        Failure::Fatal {
            source: ServiceError::ValidationException { .. }
                | ServiceError::ItemCollectionSizeLimitExceededException { .. },
            ..
        }
    )
}

/// What DynamoDB says of values that it does not take, with the largest of them.
fn describe_values(error: &Error, operation: &AnyOperation) -> String {
    let given = field::find_given(operation)
        .into_iter()
        .flat_map(Item::iter);
    let sizes = given.map(|(name, value)| {
        let alone = Item::new().with(name.clone(), value.clone());
        (EncodedItem::from(&alone).size(), name)
    });
    match sizes.max() {
        Some((bytes, name)) => {
            format!("{error}; the largest of the given values is `{name}`, with {bytes} bytes")
        }
        None => error.to_string(),
    }
}
