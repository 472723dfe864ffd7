//! Rows that came while others went.

use super::gather::{Removal, address_of, below, gather, inbound_references, on_delete};
use super::unit::unit;
use crate::draft::{Action, Blame, Demand, Draft};
use crate::session::{Interrupt, Session};
use crate::write::find::{self, ReferrerQuery};
use crate::write::fraction;
use monotable_model::model::OnDelete;
use std::collections::BTreeSet;

/// How often new rows are looked for that appeared while others were deleted.
const LOOKS: u32 = 8;

/// Looks for rows that began to refer to deleted ones before these were gone, and deletes them too. A row that somebody
/// has made anew is theirs, with all that refers to it.
pub(crate) async fn delete_late_referrers(
    session: &Session,
    deleted: Vec<Removal>,
    marked: bool,
) -> Result<(), Interrupt> {
    let mut deleted: Vec<Removal> = deleted
        .into_iter()
        .filter(|removal| !inbound_references(session, removal).is_empty())
        .filter(|removal| removal.uncertain || !marked)
        .collect();
    // An index lags: what it did not show the first time it may show the second.
    let mut quiet = if deleted.iter().any(|removal| removal.uncertain) && !marked {
        2
    } else {
        1
    };
    for look in 0..LOOKS {
        deleted = keep_absent(session, deleted).await?;
        if deleted.is_empty() || quiet == 0 {
            return Ok(());
        }
        let late = find_late(session, &deleted).await?;
        if late.is_empty() {
            quiet -= 1;
            continue;
        }
        match sweep(session, &deleted, late).await {
            Ok(more) => {
                let open = more
                    .into_iter()
                    .filter(|removal| !inbound_references(session, removal).is_empty());
                deleted.extend(open);
            }
            // Others were there too; what is left is seen by the next look.
            Err(Interrupt::Restart) => session.steps.wait(look).await,
            Err(Interrupt::RestartAvoiding(address)) => {
                fraction::learn(session, &address).await?;
                session.avoid(address);
            }
            Err(stop) => return Err(stop),
        }
    }
    Ok(())
}

/// Those of the deleted rows that nobody has made anew.
async fn keep_absent(session: &Session, deleted: Vec<Removal>) -> Result<Vec<Removal>, Interrupt> {
    let mut addresses = Vec::new();
    for removal in &deleted {
        addresses.push(address_of(session, &removal.record, &removal.item)?);
    }
    let items = session.get_many_or_none(&addresses).await?;
    let gone = deleted
        .into_iter()
        .zip(items)
        .filter(|(_, item)| item.is_none());
    Ok(gone.map(|(removal, _)| removal).collect())
}

/// The rows that refer to rows that are gone.
async fn find_late(session: &Session, deleted: &[Removal]) -> Result<Vec<Removal>, Interrupt> {
    let asked: Vec<_> = deleted
        .iter()
        .map(|removal| ReferrerQuery {
            row: &removal.record,
            inbound: inbound_references(session, removal),
        })
        .collect();
    let found = find::referrers(session, &asked).await?;
    let mut late = Vec::new();
    for (removal, found) in deleted.iter().zip(found) {
        for referrer in found.referrers {
            if on_delete(session, &referrer.inbound) == OnDelete::Cascade {
                late.push(below(removal, referrer));
            }
        }
    }
    Ok(late)
}

/// Deletes late rows, as long as what they refer to is gone.
async fn sweep(
    session: &Session,
    deleted: &[Removal],
    late: Vec<Removal>,
) -> Result<Vec<Removal>, Interrupt> {
    let more = gather(session, late).await?;
    let mut gone = BTreeSet::new();
    for above in deleted {
        gone.insert(address_of(session, &above.record, &above.item)?);
    }
    let mut units = Vec::new();
    for removal in more.iter().rev() {
        let mut unit = unit(session, removal, &gone, &Draft::default())?;
        for above in deleted {
            let refers = removal.cascade_path.iter().any(|(name, entity)| {
                let id = session.entity(*entity).id.as_ref();
                let id = id.and_then(|id| above.record.values.get(id));
                *entity == above.record.entity && removal.record.values.get(name) == id
            });
            if refers {
                let address = address_of(session, &above.record, &above.item)?;
                unit.add(
                    address,
                    Action::check().demand(Demand::Absent, Blame::Changed),
                )?;
            }
        }
        units.push(unit);
    }
    // Together as far as they fit: of what one call has written no half is left if the row is made anew.
    session.commit_in_chunks(units).await?;
    Ok(more)
}
