//! What a model may say and the store does not do yet: refused, so that nothing is left out without a word.

use crate::error::{Error, Failure};
use crate::session::Session;
use monotable_model::model::EntityId;

/// Refuses writes of rows about which the model says something that is not done here.
pub(crate) fn check(session: &Session, entity: EntityId) -> Result<(), Error> {
    if let Some(repository) = session.model().repository_of(entity) {
        return Err(Failure::Versioned {
            entity: session.name(entity).to_owned(),
            repository: repository.name.value.clone(),
        }
        .into());
    }
    match missing(session, entity) {
        Some(what) => Err(Error::usage(format!(
            "{} cannot be written: {what} of the model is not carried out by this version",
            session.name(entity)
        ))),
        None => Ok(()),
    }
}

fn missing(session: &Session, id: EntityId) -> Option<String> {
    let entity = session.entity(id);
    let made = entity.attributes.iter();
    let spread = !entity.each.is_empty();
    let mut made = made
        .filter(|attribute| attribute.top.is_some() || (attribute.position.is_some() && !spread));
    made.next()
        .map(|attribute| format!("`{}`", attribute.name.value))
}
