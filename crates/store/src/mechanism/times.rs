//! Rows that a time tells apart: of two in one second both are kept, in order.
//!
//! The first has the time as its attribute shows it. A later one has a fraction behind its second: the microseconds of
//! the operation, or else the first free ones. `12:00:00` sorts before `12:00:00.250000`, and that before `12:00:01`. A
//! time that shows milliseconds or microseconds ends in `Z`, behind which nothing sorts: there the next tick is taken.
//!
//! Whether a time is free is known when the row is put: the put demands that there is none. If there is one, what is
//! there of that second is read, and the operation begins anew behind it.

use crate::address::Address;
use crate::address::PartitionRange;
use crate::attempt::Attempt;
use crate::change::{CauseKind, ItemChange, Run};
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::record::{self, Record};
use crate::scope::Scope;
use monotable_item::AttributeValue;
use monotable_model::compiled::Instant;
use monotable_model::model::{Attribute, Entity, Kind, OnExists, TimeFormat};
use std::collections::BTreeSet;

/// How many times are looked at: more than an operation begins anew.
const TIMES: i64 = 200;

const SECOND: i64 = 1_000_000;

/// Whether rows of this entity make way for each other.
pub(crate) fn applies(scope: &Scope, row: &Record) -> bool {
    let entity = scope.entity(row.entity);
    entity.on_exists == OnExists::Fraction && time_in_key(entity).is_some()
}

/// Gives new rows times that are free.
pub(crate) fn complete(run: &Run<'_>, change: &mut ItemChange) -> Result<(), Interrupt> {
    // A note has got its time when it was made.
    if change.kind() == CauseKind::Noted {
        return Ok(());
    }
    for row in &mut change.rows {
        if row.old.is_none()
            && let Some(new) = row.new.take()
        {
            row.new = Some(free(run, new)?);
        }
    }
    Ok(())
}

/// The row at the first time that is not known to be taken.
pub(crate) fn free(run: &Run<'_>, row: Record) -> Result<Record, Interrupt> {
    let reader = run.reader;
    let entity = reader.entity(row.entity);
    let attribute = time_in_key(entity).filter(|_| entity.on_exists == OnExists::Fraction);
    let Some((attribute, format)) = attribute else {
        return Ok(row);
    };
    let name = &attribute.name.value;
    let Some(AttributeValue::S(time)) = row.values.get(name) else {
        return Ok(row);
    };
    let now = record::time(&attribute.kind, &reader.circumstances, 0);
    let micros = if now.as_ref() == row.values.get(name) {
        reader.circumstances.now_micros.rem_euclid(SECOND)
    } else {
        0
    };
    let taken = reader.attempt.occupied();
    let first = first(micros.max(1), taken, &reader.row_address(&row)?);
    for step in 0..TIMES {
        let Some(text) = at(time, format, first, step) else {
            break;
        };
        let mut candidate = row.clone();
        candidate.values.insert(name.clone(), text);
        record::compute(reader.model(), &mut candidate, &reader.circumstances);
        let address = reader.row_address(&candidate)?;
        if !run.is_written(&address) && !taken.contains(&address) {
            return Ok(candidate);
        }
    }
    Ok(row)
}

/// The first fraction that is tried: the operation's own, or else the one behind all that are there.
fn first(own: i64, taken: &BTreeSet<Address>, bare: &Address) -> i64 {
    let Some(second) = second(bare) else {
        return own;
    };
    let same = |address: &&Address| address.partition() == bare.partition();
    let fractions = taken.iter().filter(same).filter_map(|address| {
        let behind = address.sort_key()?.strip_prefix(second)?;
        behind.strip_prefix('.')?.get(..6)?.parse::<i64>().ok()
    });
    let next = fractions.max().map_or(own, |last| own.max(last + 1));
    if next + TIMES < SECOND {
        next
    } else {
        // At the end of the second there is no room behind the others: any will do.
        1
    }
}

/// A sort key up to the end of the second in it.
fn second(address: &Address) -> Option<&str> {
    let range = address.sort_key()?;
    let is_second = |text: &str| text.contains('T') && Instant::parse(text).is_ok();
    let width = "2025-11-18T12:00:00".len();
    let mut starts = range.char_indices().map(|(start, _)| start);
    let end = starts.find_map(|start| {
        let end = start + width;
        range.get(start..end).filter(|text| is_second(text))?;
        Some(end)
    });
    end.and_then(|end| range.get(..end))
}

/// Remembers what there is of the same second as a row that was in the way.
pub(crate) async fn learn(
    reader: &Reader<'_>,
    attempt: &mut Attempt,
    address: &Address,
) -> Result<(), Interrupt> {
    let mut entities = reader.model().stored();
    let makes_way = entities.any(|(_, entity)| {
        entity.on_exists == OnExists::Fraction && entity.table == address.table()
    });
    if !makes_way {
        return Ok(());
    }
    let mut addresses = vec![address.clone()];
    if let Some(range) = second_range(address) {
        addresses.extend(there(reader, range).await?);
    }
    attempt.occupy(addresses);
    Ok(())
}

/// Looks again at the seconds in which rows were in the way. After the row that is written was read, this is all that
/// came before it: what comes later changes the row, too.
pub(crate) async fn read_occupied_seconds(reader: &Reader<'_>) -> Result<Attempt, Interrupt> {
    let mut attempt = reader.attempt.clone();
    let seconds = reader.attempt.occupied().iter().filter_map(second_range);
    let mut known: Vec<PartitionRange> = Vec::new();
    for range in seconds {
        if !known.contains(&range) {
            known.push(range);
        }
    }
    for range in known {
        attempt.occupy(there(reader, range).await?);
    }
    Ok(attempt)
}

/// The rows of the second in a key.
fn second_range(address: &Address) -> Option<PartitionRange> {
    let prefix = second(address)?.to_owned();
    Some(address.partition().beginning_with(prefix))
}

/// Where the rows of a range stand.
async fn there(reader: &Reader<'_>, range: PartitionRange) -> Result<Vec<Address>, Interrupt> {
    let table = range.table();
    let items = reader.all(&[range]).await?.into_iter().flatten();
    let addresses = items.filter_map(|item| reader.addressing().locate_item(table, &item));
    Ok(addresses.collect())
}

/// The time that stands in the primary key.
fn time_in_key(entity: &Entity) -> Option<(&Attribute, TimeFormat)> {
    let names = entity.key_attributes();
    names.into_iter().find_map(|name| {
        let attribute = entity.attribute(name)?;
        match attribute.kind {
            Kind::Timestamp(format) => Some((attribute, format)),
            _ => None,
        }
    })
}

/// A time, or so many steps after it; none if the second has no more.
fn at(time: &str, format: TimeFormat, first: i64, step: i64) -> Option<String> {
    if step == 0 {
        return Some(time.to_owned());
    }
    let behind = |zone: &str| {
        let micros = first + step - 1;
        let second = time.strip_suffix(zone)?;
        let is_bare = !second.contains('.');
        (is_bare && micros < SECOND).then(|| format!("{second}.{micros:06}{zone}"))
    };
    let later = |tick: i64| {
        let micros = Instant::parse(time).ok()?.to_micros();
        Some(Instant::from_micros(micros + step * tick)?.show(format))
    };
    match format {
        TimeFormat::Seconds => behind(""),
        TimeFormat::Zoned => behind("+0000"),
        TimeFormat::Millis => later(1_000),
        TimeFormat::Micros => later(1),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn later_times_sort_behind_and_before_the_next_second() {
        for (time, next, format) in [
            (
                "2025-11-18T12:00:00",
                "2025-11-18T12:00:01",
                TimeFormat::Seconds,
            ),
            (
                "2025-11-18T12:00:00+0000",
                "2025-11-18T12:00:01+0000",
                TimeFormat::Zoned,
            ),
            (
                "2025-11-18T12:00:00.120Z",
                "2025-11-18T12:00:01.120Z",
                TimeFormat::Millis,
            ),
            (
                "2025-11-18T12:00:00.120000Z",
                "2025-11-18T12:00:00.130000Z",
                TimeFormat::Micros,
            ),
        ] {
            let mut before = at(time, format, 250_000, 0).unwrap();
            assert_eq!(before, time);
            for step in 1..TIMES {
                let later = at(time, format, 250_000, step).unwrap();
                assert!(before < later && later.as_str() < next, "{before} {later}");
                assert!(Instant::parse(&later).is_ok(), "{later}");
                before = later;
            }
        }
    }

    #[test]
    fn a_second_ends() {
        let time = "2025-11-18T12:00:00";
        let last = at(time, TimeFormat::Seconds, 999_999, 1);
        assert_eq!(last.as_deref(), Some("2025-11-18T12:00:00.999999"));
        assert_eq!(at(time, TimeFormat::Seconds, 999_999, 2), None);
    }
}
