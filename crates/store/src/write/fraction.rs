//! Rows that a time tells apart: of two in one second both are kept, in order.
//!
//! The first has the time as its attribute shows it. A later one has a fraction behind its second: the microseconds of
//! the operation, or else the first free ones. `12:00:00` sorts before `12:00:00.250000`, and that before `12:00:01`. A
//! time that shows milliseconds or microseconds ends in `Z`, behind which nothing sorts: there the next tick is taken.
//!
//! Whether a time is free is known when the row is put: the put demands that there is none. If there is one, what is
//! there of that second is read, and the operation begins anew behind it.

use crate::draft::Draft;
use crate::place::Place;
use crate::record::{self, Record};
use crate::session::{Rows, Session, Stop};
use monotable_item::AttributeValue;
use monotable_model::compiled::Instant;
use monotable_model::model::{Attribute, Entity, Kind, OnExists, TimeFormat};
use std::collections::BTreeSet;
use std::sync::PoisonError;

/// How many times are looked at: more than an operation begins anew.
const TIMES: i64 = 200;

const SECOND: i64 = 1_000_000;

/// Whether rows of this entity make way for each other.
pub(super) fn applies(session: &Session, row: &Record) -> bool {
    let entity = session.entity(row.entity);
    entity.on_exists == OnExists::Fraction && time_in_key(entity).is_some()
}

/// The row at the first time that is not known to be taken.
pub(super) fn free(session: &Session, drafts: &[&Draft], row: Record) -> Result<Record, Stop> {
    let entity = session.entity(row.entity);
    let attribute = time_in_key(entity).filter(|_| entity.on_exists == OnExists::Fraction);
    let Some((attribute, format)) = attribute else {
        return Ok(row);
    };
    let name = &attribute.name.value;
    let Some(AttributeValue::S(time)) = row.values.get(name) else {
        return Ok(row);
    };
    let now = record::time(&attribute.kind, &session.around, 0);
    let micros = match now.as_ref() == row.values.get(name) {
        true => session.around.now_micros.rem_euclid(SECOND),
        false => 0,
    };
    let taken = session.taken.lock().unwrap_or_else(PoisonError::into_inner);
    let first = first(micros.max(1), &taken, &session.row_place(&row)?);
    for step in 0..TIMES {
        let Some(text) = at(time, format, first, step) else {
            break;
        };
        let mut candidate = row.clone();
        candidate.values.insert(name.clone(), text);
        record::compute(session.model(), &mut candidate, &session.around);
        let place = session.row_place(&candidate)?;
        let put = drafts.iter().any(|draft| draft.decides(&place));
        if !put && !taken.contains(&place) {
            return Ok(candidate);
        }
    }
    Ok(row)
}

/// The first fraction that is tried: the operation's own, or else the one behind all that are there.
fn first(own: i64, taken: &BTreeSet<Place>, bare: &Place) -> i64 {
    let Some(second) = second(bare) else {
        return own;
    };
    let same = |place: &&Place| place.table == bare.table && place.hash == bare.hash;
    let fractions = taken.iter().filter(same).filter_map(|place| {
        let behind = place.range.as_ref()?.strip_prefix(second)?;
        behind.strip_prefix('.')?.get(..6)?.parse::<i64>().ok()
    });
    let next = fractions.max().map_or(own, |last| own.max(last + 1));
    match next + TIMES < SECOND {
        true => next,
        // At the end of the second there is no room behind the others: any will do.
        false => 1,
    }
}

/// A sort key up to the end of the second in it.
fn second(place: &Place) -> Option<&str> {
    let range = place.range.as_deref()?;
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
pub(crate) async fn learn(session: &Session, place: &Place) -> Result<(), Stop> {
    let mut entities = session.model().stored();
    let makes_way = entities
        .any(|(_, entity)| entity.on_exists == OnExists::Fraction && entity.table == place.table);
    if !makes_way {
        return Ok(());
    }
    let mut places = vec![place.clone()];
    places.extend(there(session, place).await?);
    let mut taken = session.taken.lock().unwrap_or_else(PoisonError::into_inner);
    taken.extend(places);
    Ok(())
}

/// Looks again at the seconds in which rows were in the way. After the row that is written was read, this is all that
/// came before it: what comes later changes the row, too.
pub(crate) async fn look_again(session: &Session) -> Result<(), Stop> {
    let known: Vec<Place> = {
        let taken = session.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let seconds = taken.iter().filter_map(|place| {
            let range = Some(second(place)?.to_owned());
            Some(Place {
                range,
                ..place.clone()
            })
        });
        seconds.collect::<BTreeSet<_>>().into_iter().collect()
    };
    for place in known {
        let places = there(session, &place).await?;
        let mut taken = session.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.extend(places);
    }
    Ok(())
}

/// The rows of the second in a key.
async fn there(session: &Session, place: &Place) -> Result<Vec<Place>, Stop> {
    let Some(second) = second(place) else {
        return Ok(Vec::new());
    };
    let rows = Rows {
        table: place.table,
        index: None,
        hash: place.hash.clone(),
        prefix: second.to_owned(),
    };
    let items = session.all(&[rows]).await?.into_iter().flatten();
    let places = items.filter_map(|item| Place::of_item(session.model(), place.table, &item));
    Ok(places.collect())
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
