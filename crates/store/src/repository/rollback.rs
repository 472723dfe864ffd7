//! The head moved to another revision.

use super::commit::add_head;
use super::instance::RepositoryInstance;
use super::log;
use crate::draft::Draft;
use crate::rights::Gate;
use crate::row::Row;
use crate::session::Interrupt;
use crate::token;

/// Moves the head to a revision of the log, if it is still where it was.
pub(super) async fn rollback(
    instance: &RepositoryInstance<'_>,
    to: &str,
    from: Option<&str>,
) -> Result<Row, Interrupt> {
    let session = instance.session;
    let head = instance.visible_head().await?;
    if from.is_some_and(|from| from != head.revision) {
        return Err(instance.moved(Some(&head)));
    }
    let Some(revision) = log::find_visible(instance, to).await? else {
        return Err(instance.unknown(to));
    };
    if head.revision == to {
        token::complete_unchanged(session, std::slice::from_ref(&head.record)).await?;
        let head = Gate::new(session).answer(head.record).await?;
        return Ok(Row::reveal(session.model(), head));
    }
    let mut draft = Draft::default();
    let record = add_head(session, &mut draft, instance, &revision, Some(&head)).await?;
    token::note_answer(session, &mut draft, [&*record])?;
    match session.commit(&mut draft).await {
        Ok(()) => Ok(Row::reveal(session.model(), record)),
        // Someone has committed meanwhile: that is not what the caller wanted to undo.
        Err(Interrupt::Restart) => Err(instance.moved(instance.head().await?.as_ref())),
        Err(stop) => Err(stop),
    }
}
