//! The head moved to another revision.

use super::commit::add_head;
use super::instance::RepositoryInstance;
use super::log;
use crate::draft::Draft;
use crate::interrupt::Interrupt;
use crate::rights::Gate;
use crate::row::Row;
use crate::token;
use crate::writer;

/// Moves the head to a revision of the log, if it is still where it was.
pub(super) async fn rollback(
    instance: &RepositoryInstance<'_>,
    to: &str,
    from: Option<&str>,
) -> Result<Row, Interrupt> {
    let reader = instance.reader;
    let head = instance.visible_head().await?;
    if from.is_some_and(|from| from != head.revision) {
        return Err(instance.head_moved(Some(&head)));
    }
    let Some(revision) = log::find_visible(instance, to).await? else {
        return Err(instance.unknown(to));
    };
    if head.revision == to {
        token::complete_unchanged(reader, std::slice::from_ref(&head.record)).await?;
        let head = Gate::new(reader).answer(head.record).await?;
        return Ok(Row::reveal(reader.compiled(), head));
    }
    let mut draft = Draft::default();
    let record = add_head(reader, &mut draft, instance, &revision, Some(&head)).await?;
    token::note_answer(reader, &mut draft, [&*record])?;
    match writer::commit(reader, &mut draft).await {
        Ok(()) => Ok(Row::reveal(reader.compiled(), record)),
        // Someone has committed meanwhile: that is not what the caller wanted to undo.
        Err(Interrupt::Restart) => Err(instance.head_moved(instance.head().await?.as_ref())),
        Err(stop) => Err(stop),
    }
}
