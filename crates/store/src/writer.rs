//! Drafts become transactions, as large as they may be.

use crate::draft::Draft;
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use std::collections::{BTreeMap, BTreeSet};

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

/// Refuses what would be refused on the way, before any of these drafts is written.
pub(crate) async fn refuse_early<'d>(
    reader: &Reader<'_>,
    drafts: impl IntoIterator<Item = &'d Draft>,
) -> Result<(), Interrupt> {
    let mut trials = Vec::new();
    for draft in drafts {
        let mut trial = draft.clone();
        trial.add_late_claims()?;
        trials.push((trial.addresses(), trial));
    }
    let places = trials.iter().flat_map(|(places, _)| places.iter().cloned());
    let places: Vec<_> = places.collect::<BTreeSet<_>>().into_iter().collect();
    let items = reader.get_many_or_none(&places).await?;
    let items: BTreeMap<_, _> = places.iter().zip(items).collect();
    for (places, trial) in &trials {
        let found = places
            .iter()
            .map(|place| items.get(place).cloned().flatten());
        trial.check_against(&found.collect::<Vec<_>>())?;
    }
    Ok(())
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
    let draft = &*draft;
    let request = || draft.request(reader.model(), &token);
    let outcome = |answer| draft.outcome(answer);
    reader.steps.ask(request, outcome).await
}

/// Sends drafts in transactions as large as they may be; each draft stays whole.
pub(crate) async fn commit_in_chunks(
    reader: &Reader<'_>,
    units: impl IntoIterator<Item = Draft>,
) -> Result<(), Interrupt> {
    commit_counting_chunks(reader, &Draft::default(), units, &mut 0).await
}

/// Sends drafts in chunks; what `each` demands is demanded with every chunk.
pub(crate) async fn commit_in_chunks_with(
    reader: &Reader<'_>,
    each: &Draft,
    units: impl IntoIterator<Item = Draft>,
) -> Result<(), Interrupt> {
    commit_counting_chunks(reader, each, units, &mut 0).await
}

/// Sends drafts in chunks, and counts those that are written: a failure in the first one leaves everything as it was.
pub(crate) async fn commit_counting_chunks(
    reader: &Reader<'_>,
    each: &Draft,
    units: impl IntoIterator<Item = Draft>,
    written: &mut usize,
) -> Result<(), Interrupt> {
    let mut chunk = each.clone();
    let mut is_empty = true;
    for unit in units {
        if !is_empty && !chunk.fits_with(&unit) {
            commit(reader, &mut chunk).await?;
            *written += 1;
            chunk = each.clone();
        }
        chunk.join(unit)?;
        is_empty = false;
    }
    if is_empty {
        return Ok(());
    }
    commit(reader, &mut chunk).await
}
