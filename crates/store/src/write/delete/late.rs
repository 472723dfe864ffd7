//! Rows that came while others went.

use super::gather::{Going, below, gather, on_delete, open, place_of};
use super::unit::unit;
use crate::draft::{Action, Blame, Demand, Draft};
use crate::session::{Session, Stop};
use crate::write::find::{self, Asked};
use crate::write::fraction;
use monotable_model::model::OnDelete;
use std::collections::BTreeSet;

/// How often new rows are looked for that appeared while others were deleted.
const LOOKS: u32 = 8;

/// Looks for rows that began to refer to deleted ones before these were gone, and deletes them too. A row that somebody
/// has made anew is theirs, with all that refers to it.
pub(crate) async fn look_again(
    session: &Session,
    deleted: Vec<Going>,
    marked: bool,
) -> Result<(), Stop> {
    let mut deleted: Vec<Going> = deleted
        .into_iter()
        .filter(|going| !open(session, going).is_empty())
        .filter(|going| going.uncertain || !marked)
        .collect();
    // An index lags: what it did not show the first time it may show the second.
    let mut quiet = if deleted.iter().any(|going| going.uncertain) && !marked {
        2
    } else {
        1
    };
    for look in 0..LOOKS {
        deleted = still_gone(session, deleted).await?;
        if deleted.is_empty() || quiet == 0 {
            return Ok(());
        }
        let late = late(session, &deleted).await?;
        if late.is_empty() {
            quiet -= 1;
            continue;
        }
        match sweep(session, &deleted, late).await {
            Ok(more) => {
                let open = more
                    .into_iter()
                    .filter(|going| !open(session, going).is_empty());
                deleted.extend(open);
            }
            // Others were there too; what is left is seen by the next look.
            Err(Stop::Restart) => session.steps.wait(look).await,
            Err(Stop::Leave(place)) => {
                fraction::learn(session, &place).await?;
                session.leave(place);
            }
            Err(stop) => return Err(stop),
        }
    }
    Ok(())
}

/// Those of the deleted rows that nobody has made anew.
async fn still_gone(session: &Session, deleted: Vec<Going>) -> Result<Vec<Going>, Stop> {
    let mut places = Vec::new();
    for going in &deleted {
        places.push(place_of(session, &going.record, &going.item)?);
    }
    let items = session.get_many_or_none(&places).await?;
    let gone = deleted
        .into_iter()
        .zip(items)
        .filter(|(_, item)| item.is_none());
    Ok(gone.map(|(going, _)| going).collect())
}

/// The rows that refer to rows that are gone.
async fn late(session: &Session, deleted: &[Going]) -> Result<Vec<Going>, Stop> {
    let asked: Vec<_> = deleted
        .iter()
        .map(|going| Asked {
            row: &going.record,
            inbound: open(session, going),
        })
        .collect();
    let found = find::referrers(session, &asked).await?;
    let mut late = Vec::new();
    for (going, found) in deleted.iter().zip(found) {
        for referrer in found.referrers {
            if on_delete(session, &referrer.inbound) == OnDelete::Cascade {
                late.push(below(going, referrer));
            }
        }
    }
    Ok(late)
}

/// Deletes late rows, as long as what they refer to is gone.
async fn sweep(session: &Session, deleted: &[Going], late: Vec<Going>) -> Result<Vec<Going>, Stop> {
    let more = gather(session, late).await?;
    let mut gone = BTreeSet::new();
    for above in deleted {
        gone.insert(place_of(session, &above.record, &above.item)?);
    }
    let mut units = Vec::new();
    for going in more.iter().rev() {
        let mut unit = unit(session, going, &gone, &Draft::default())?;
        for above in deleted {
            let refers = going.because.iter().any(|(name, entity)| {
                let id = session.entity(*entity).id.as_ref();
                let id = id.and_then(|id| above.record.values.get(id));
                *entity == above.record.entity && going.record.values.get(name) == id
            });
            if refers {
                let place = place_of(session, &above.record, &above.item)?;
                unit.add(
                    place,
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
