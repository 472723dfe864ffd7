//! What becomes of requests whose refusal is no news: the table may be gone, or its copy may not be whole yet.

use monotable_api::Error;

/// The store has failed, and takes no more.
#[derive(Debug)]
pub(super) struct Stopped;

/// The answer; none if the request was refused.
pub(super) fn unless_refused<T>(answer: Result<T, Error>) -> Result<Option<T>, Stopped> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(Error::InternalServerError { .. }) => Err(Stopped),
        Err(_) => Ok(None),
    }
}
