//! Rows of a repository are written by commits alone.

use crate::error::{Error, Failure};
use crate::scope::Scope;
use monotable_model::model::EntityId;

/// Refuses writes of versioned rows.
pub(crate) fn refuse_versioned(scope: &Scope, entity: EntityId) -> Result<(), Error> {
    match scope.model().repository_of(entity) {
        None => Ok(()),
        Some(repository) => Err(Failure::Versioned {
            entity: scope.name(entity).to_owned(),
            repository: repository.name.value.clone(),
        }
        .into()),
    }
}
