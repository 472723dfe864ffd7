//! What to do about errors of the service.

use monotable_api::Error as ServiceError;

/// Help for an error that is met while setting up.
pub(super) fn find_hint(error: &ServiceError) -> Option<String> {
    let hint = match error {
        ServiceError::ResourceNotFoundException { .. } => {
            "the table or index does not exist there: run `setup` to create it, or check the endpoint and region"
        }
        ServiceError::ValidationException { message } if message.contains("backfilling") => {
            "the index is still being filled and cannot be read until it is: `setup` waits for it; patterns that read the \
             table itself work meanwhile"
        }
        ServiceError::ValidationException { message }
            if message.contains("the specified index") =>
        {
            "the table lacks an index of the model: run `setup` to make it"
        }
        ServiceError::ValidationException { message } if message.contains("key") => {
            "key attributes are case-sensitive and must be those of the model's table: compare `describe` with the table"
        }
        ServiceError::UnrecognizedClientException { .. } => {
            "these credentials belong to another endpoint: for a local store set its endpoint, for AWS unset it"
        }
        ServiceError::InvalidSignatureException { message }
            if message.contains("Signature expired") || message.contains("not yet current") =>
        {
            "the clock of this machine is wrong: set it, and try again"
        }
        ServiceError::InvalidSignatureException { message } if message.contains("region") => {
            "the request was signed for another region than the endpoint's: name it with --region, or set AWS_REGION"
        }
        ServiceError::MissingAuthenticationTokenException { .. }
        | ServiceError::IncompleteSignatureException { .. }
        | ServiceError::InvalidSignatureException { .. } => {
            "no usable credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile"
        }
        ServiceError::ExpiredTokenException { .. } => {
            "the session of these credentials has expired: sign in again (`aws sso login`), or set new ones"
        }
        ServiceError::AccessDeniedException { .. } => {
            "the role lacks this action on this table or its indexes"
        }
        _ => return None,
    };
    Some(hint.to_owned())
}
