//! Rows of a repository are written by commits alone.

use crate::error::{Error, Failure};
use crate::session::Session;
use monotable_model::model::EntityId;

/// Refuses writes of versioned rows.
pub(crate) fn refuse_versioned(session: &Session, entity: EntityId) -> Result<(), Error> {
    match session.model().repository_of(entity) {
        None => Ok(()),
        Some(repository) => Err(Failure::Versioned {
            entity: session.name(entity).to_owned(),
            repository: repository.name.value.clone(),
        }
        .into()),
    }
}
