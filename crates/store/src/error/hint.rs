//! What to do about errors of the service.

use monotable_api::Error as ServiceError;

/// Help for an error that is met while setting up.
pub(super) fn find_hint(error: &ServiceError) -> Option<String> {
    let hint = match error {
        ServiceError::ResourceNotFoundException { .. } => {
            "the table or index does not exist there: run `setup` to create it, or check the endpoint and region"
        }
        ServiceError::ValidationException { message } if message.contains("key") => {
            "key attributes are case-sensitive and must be those of the model's table: compare `describe` with the table"
        }
        ServiceError::UnrecognizedClientException { .. } => {
            "these credentials belong to another endpoint: for a local store set its endpoint, for AWS unset it"
        }
        ServiceError::MissingAuthenticationTokenException { .. }
        | ServiceError::IncompleteSignatureException { .. }
        | ServiceError::InvalidSignatureException { .. } => {
            "no usable credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile"
        }
        ServiceError::ExpiredTokenException { .. } => "the reader has ended: sign in again",
        ServiceError::AccessDeniedException { .. } => {
            "the role lacks this action on this table or its indexes"
        }
        _ => return None,
    };
    Some(hint.to_owned())
}
