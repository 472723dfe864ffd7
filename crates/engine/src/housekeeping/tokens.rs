//! Removes tokens that are no longer honoured.

use crate::clock::Clock;
use crate::commit::{Committer, Group, Published, ReadRows, TokenRows};
use crate::store::{Direction, StoreFault};
use bytes::Bytes;

/// Tokens that one commit removes.
const PIECE: usize = 1000;

pub(super) fn remove_expired(
    published: &Published,
    committer: &Committer,
    clock: &dyn Clock,
) -> Result<(), StoreFault> {
    let now = clock.now().as_secs();
    loop {
        let snapshot = published.snapshot();
        let rows = snapshot.range(
            TokenRows::SPACE,
            TokenRows::expired(now),
            Direction::Forwards,
        );
        let expired: Vec<Bytes> = rows
            .take(PIECE)
            .map(|row| Ok(row?.0))
            .collect::<Result<_, StoreFault>>()?;
        if expired.is_empty() {
            return Ok(());
        }
        committer
            .submit(move |group| {
                expired
                    .into_iter()
                    .try_for_each(|row| remove(group, row, now))
            })
            .wait()?;
    }
}

/// Removes an expiry row, and its claim unless the token was claimed anew since.
fn remove(group: &mut Group<'_>, expiry: Bytes, now: u64) -> Result<(), StoreFault> {
    if let Some(claim) = TokenRows::claim_of_expiry(&expiry) {
        let value = group.read(TokenRows::SPACE, &claim)?;
        let expired = value
            .and_then(|value| TokenRows::expiry_of_claim(&value))
            .is_some_and(|expiry| expiry <= now);
        if expired {
            group.write(TokenRows::SPACE, claim, None);
        }
    }
    group.write(TokenRows::SPACE, expiry, None);
    Ok(())
}
