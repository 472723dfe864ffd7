//! Drafts become transactions, as large as they may be.

use crate::draft::Draft;
use crate::interrupt::Interrupt;
use crate::reader::Reader;

/// Sends a draft; an empty one is nothing.
pub(crate) async fn commit(reader: &Reader<'_>, draft: &mut Draft) -> Result<(), Interrupt> {
    draft.add_late_claims()?;
    if draft.is_empty() {
        return Ok(());
    }
    if !draft.fits() {
        let Some((chunks, mut rest)) = draft.split_followers()? else {
            return Err(draft.too_large().into());
        };
        // What would be refused at the end is refused before anything is written.
        let items = reader.get_many_or_none(&rest.addresses()).await?;
        rest.check_against(&items)?;
        for mut chunk in chunks {
            send(reader, &mut chunk).await?;
        }
        return send(reader, &mut rest).await;
    }
    send(reader, draft).await
}

/// Sends a draft that fits.
async fn send(reader: &Reader<'_>, draft: &mut Draft) -> Result<(), Interrupt> {
    if reader.mode.checks_conditions() {
        let addresses = draft.addresses();
        let mut items = reader.get_many_or_none(&addresses).await?;
        for (address, item) in addresses.iter().zip(&mut items) {
            *item = item.take().or_else(|| draft.assumed(address).cloned());
        }
        draft.check_against(&items)?;
    }
    let token = if draft.is_transaction() {
        reader.fresh_token()?
    } else {
        String::new()
    };
    let request = || draft.request(reader.model(), &token);
    let answer = reader.steps.call(request).await;
    draft.outcome(answer)
}

/// Sends drafts in transactions as large as they may be; each draft stays whole.
pub(crate) async fn commit_in_chunks(
    reader: &Reader<'_>,
    units: impl IntoIterator<Item = Draft>,
) -> Result<(), Interrupt> {
    let mut chunk = Draft::default();
    for unit in units {
        if !chunk.fits_with(&unit) {
            commit(reader, &mut chunk).await?;
            chunk = Draft::default();
        }
        chunk.join(unit)?;
    }
    commit(reader, &mut chunk).await
}
