//! Rows that came while others went.

use super::gather::{Removal, address_of, below, gather, inbound_references, on_delete};
use super::unit::{clear, unit};
use crate::change::Run;
use crate::draft::{Action, Blame, Demand, Draft};
use crate::error::{Clash, Error, ErrorKind};
use crate::find::{self, Referrer, ReferrerQuery};
use crate::interrupt::Interrupt;
use crate::mechanism::times;
use crate::pipeline;
use crate::read::is_unsaid;
use crate::reader::Reader;
use crate::writer;
use monotable_model::model::OnDelete;
use std::collections::BTreeSet;

/// How often new rows are looked for that appeared while others were deleted. Whoever competes for the same rows makes it begin
/// anew, so it is far more often than anybody should need.
const LOOKS: u32 = 100;

/// Looks for rows that began to refer to deleted ones before these were gone, and deletes them too. A row that somebody
/// has made anew is theirs, with all that refers to it.
pub(crate) async fn delete_late_referrers(
    reader: &Reader<'_>,
    deleted: Vec<Removal>,
    marked: bool,
) -> Result<(), Interrupt> {
    let mut all = deleted;
    let mut deleted: Vec<Removal> = all
        .iter()
        .filter(|removal| !inbound_references(reader, removal).is_empty())
        .filter(|removal| removal.uncertain || !marked)
        .cloned()
        .collect();
    // An index lags: what it did not show the first time it may show the second.
    let mut quiet = if deleted.iter().any(|removal| removal.uncertain) && !marked {
        2
    } else {
        1
    };
    let mut attempt = reader.attempt.clone();
    for look in 0..LOOKS {
        let count = deleted.len();
        deleted = keep_absent(reader, deleted).await?;
        // What refers to a row that was made anew is its own, but not what refers to rows that went with the old one: that
        // is looked for by itself.
        if deleted.len() < count && !all.is_empty() {
            let mut alone = std::mem::take(&mut all);
            for removal in &mut alone {
                removal.cascade_path.clear();
            }
            alone.retain(|removal| !inbound_references(reader, removal).is_empty());
            deleted = keep_absent(reader, alone).await?;
        }
        if deleted.is_empty() || quiet == 0 {
            return Ok(());
        }
        let late = find_late(reader, &deleted).await?;
        if late.is_empty() {
            quiet -= 1;
            continue;
        }
        let swept = async {
            let reader = &reader.with_attempt(&attempt);
            clear_late(reader, &deleted, &late.cleared).await?;
            sweep(reader, &deleted, late.removed).await
        };
        match swept.await {
            Ok(more) => {
                let open = more
                    .into_iter()
                    .filter(|removal| !inbound_references(reader, removal).is_empty());
                deleted.extend(open);
            }
            // Others were there too; what is left is seen by the next look.
            Err(Interrupt::Restart) => reader.steps.wait(look.min(8)).await,
            Err(Interrupt::RestartAvoiding(address)) => {
                times::learn(reader, &mut attempt, &address).await?;
                attempt.avoid(address);
            }
            Err(stop) => return Err(stop),
        }
    }
    let name = deleted
        .first()
        .map_or("", |removal| reader.name(removal.record.entity));
    Err(Error::conflict(name, Clash::LeftBehind).into())
}

/// Rows that refer to rows that are gone.
#[derive(Default)]
struct Late {
    /// Those that go with them.
    removed: Vec<Removal>,
    /// Those that lose their reference, each with the position of the row that is gone.
    cleared: Vec<(usize, Referrer)>,
}

impl Late {
    fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.cleared.is_empty()
    }
}

/// Takes references to rows that are gone out of the rows that stay.
async fn clear_late(
    reader: &Reader<'_>,
    deleted: &[Removal],
    cleared: &[(usize, Referrer)],
) -> Result<(), Interrupt> {
    for (position, referrer) in cleared {
        let Some(above) = deleted.get(*position) else {
            continue;
        };
        let mut draft = Draft::default();
        let change = clear(reader, above, referrer)?;
        pipeline::apply(&mut Run::new(*reader, &mut draft), change).await?;
        let address = address_of(reader, &above.record, &above.item)?;
        let absent = Action::check().demand(Demand::Absent, Blame::Changed);
        draft.add(address, absent)?;
        match writer::commit(reader, &mut draft).await {
            // A row that is itself about to go takes its reference along.
            Err(Interrupt::Fail(error)) if error.kind() == ErrorKind::NotFound => {}
            done => done?,
        }
    }
    Ok(())
}

/// Those of the deleted rows that nobody has made anew.
async fn keep_absent(
    reader: &Reader<'_>,
    deleted: Vec<Removal>,
) -> Result<Vec<Removal>, Interrupt> {
    let mut addresses = Vec::new();
    for removal in &deleted {
        addresses.push(address_of(reader, &removal.record, &removal.item)?);
    }
    let items = reader.get_many_or_none(&addresses).await?;
    let gone = deleted
        .into_iter()
        .zip(items)
        .filter(|(_, item)| item.is_none());
    Ok(gone.map(|(removal, _)| removal).collect())
}

/// The rows that refer to rows that are gone.
async fn find_late(reader: &Reader<'_>, deleted: &[Removal]) -> Result<Late, Interrupt> {
    let asked: Vec<_> = deleted
        .iter()
        .map(|removal| ReferrerQuery {
            row: &removal.record,
            inbound: inbound_references(reader, removal),
        })
        .collect();
    let found = find::referrers(reader, &asked).await?;
    let mut late = Late::default();
    for (position, (removal, found)) in deleted.iter().zip(found).enumerate() {
        for referrer in found.referrers {
            // A row whose key does not say whose it is belongs to the tenant that has what it refers to.
            if removal.is_presumed && is_unsaid(reader, &referrer.record, &referrer.item) {
                continue;
            }
            match on_delete(reader, &referrer.inbound) {
                OnDelete::Cascade => late.removed.push(below(removal, referrer)),
                OnDelete::Clear => late.cleared.push((position, referrer)),
                OnDelete::Keep | OnDelete::Restrict => {}
            }
        }
    }
    Ok(late)
}

/// Deletes late rows, as long as what they refer to is gone.
async fn sweep(
    reader: &Reader<'_>,
    deleted: &[Removal],
    late: Vec<Removal>,
) -> Result<Vec<Removal>, Interrupt> {
    let more = gather(reader, late).await?;
    let mut gone = BTreeSet::new();
    for above in deleted {
        gone.insert(address_of(reader, &above.record, &above.item)?);
    }
    let mut units = Vec::new();
    for removal in more.iter().rev() {
        let mut unit = unit(reader, removal, &gone, &Draft::default()).await?;
        for above in deleted {
            let refers = removal.cascade_path.iter().any(|(name, entity)| {
                let id = reader.entity(*entity).id.as_ref();
                let id = id.and_then(|id| above.record.values.get(id));
                *entity == above.record.entity && removal.record.values.get(name) == id
            });
            if refers {
                let address = address_of(reader, &above.record, &above.item)?;
                unit.add(
                    address,
                    Action::check().demand(Demand::Absent, Blame::Changed),
                )?;
            }
        }
        units.push(unit);
    }
    // Together as far as they fit: of what one call has written no half is left if the row is made anew.
    writer::commit_in_chunks(reader, units).await?;
    Ok(more)
}
