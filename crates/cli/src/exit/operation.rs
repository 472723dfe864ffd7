//! Why an operation on a whole store ended.

use super::Failure;
use monotable_operations::Error;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Store(error) => Self::from(error),
            Error::Service(error) => Self::from(error),
            Error::File { path, source } => {
                Self::other(format_args!("cannot use {}", path.display())).caused_by(&source)
            }
            Error::Refused { what, help } => Self::other(what).help(help),
        }
    }
}
