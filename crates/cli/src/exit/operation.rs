//! Why an operation on a whole store ended.

use super::Failure;
use monotable_api::Error as ServiceError;
use monotable_operations::Error;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Store(error) => Self::from(error),
            Error::Service(error @ ServiceError::ResourceNotFoundException { .. }) => {
                Self::from(error).help(
                    "a table of the model does not exist there: run `monotable setup` to create it, or check the endpoint and region",
                )
            }
            Error::Service(error) => Self::from(error),
            Error::File { path, source } => {
                Self::other(format_args!("cannot use {}", path.display())).caused_by(&source)
            }
            Error::Refused { what, help } => Self::other(what).help(help),
        }
    }
}
