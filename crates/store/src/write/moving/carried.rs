//! What goes along with a row that moves.
//!
//! A pattern says which rows these are. If it asks an index, and the table's own keys lead from the row to those that refer to it, the
//! table is read instead, strongly, and what the pattern would not show is left out. Where they do not lead there, the index is asked.

use super::Moving;
use crate::change::StoredRow;
use crate::find::{self, ReferrerQuery};
use crate::interrupt::Interrupt;
use crate::pattern;
use crate::profile::Inbound;
use crate::read;
use crate::reader::Reader;
use crate::record::{self, Record};
use crate::scope::Scope;
use monotable_item::{AttributeValue, EncodedItem, Number};
use monotable_model::model::{AccessId, EntityId};
use std::collections::BTreeSet;

/// How often an index is asked for rows that it does not show yet. A counter that is wrong is believed no longer.
const LOOKS: u32 = 4;

/// Rows that go along with a row.
#[derive(Default)]
pub(super) struct Carried {
    /// Those that have not gone.
    pub(super) rows: Vec<StoredRow>,
    /// Those that have the new values already.
    pub(super) gone: Vec<Record>,
    /// An index was asked: a row may have been missed.
    pub(super) is_uncertain: bool,
}

impl Carried {
    /// How many rows there are whose attribute has a value, gone or not.
    fn count(&self, entity: EntityId, attribute: &str, value: &AttributeValue) -> usize {
        let rows = self.rows.iter().map(|stored| &stored.record);
        rows.chain(&self.gone)
            .filter(|row| row.entity == entity && row.values.get(attribute) == Some(value))
            .count()
    }
}

impl Moving<'_> {
    /// Finds all that goes along with a row, also what the caller does not see.
    pub(super) async fn find_carried(
        &self,
        reader: &Reader<'_>,
        row: &Record,
    ) -> Result<Carried, Interrupt> {
        let program = reader.scope.for_program();
        let reader = &reader.with_scope(&program);
        let mut carried = Carried::default();
        let mut seen = BTreeSet::new();
        for pattern in self.carries {
            for stored in find_shown(reader, *pattern, row, &mut carried.is_uncertain).await? {
                if !seen.insert(stored.address.clone()) {
                    continue;
                }
                if self.has_gone(&stored.record) {
                    carried.gone.push(stored.record);
                } else {
                    carried.rows.push(stored);
                }
            }
        }
        Ok(carried)
    }

    /// Looks again until an index shows nothing more, and as many rows as the row counts. The row is marked: nothing new comes.
    pub(super) async fn settle(
        &self,
        reader: &Reader<'_>,
        row: &Record,
        mut carried: Carried,
    ) -> Result<Carried, Interrupt> {
        for look in 0..LOOKS {
            let more = self.find_carried(reader, row).await?;
            let is_quiet =
                more.rows.len() + more.gone.len() == carried.rows.len() + carried.gone.len();
            carried = more;
            if is_quiet && self.has_all_counted(reader, row, &carried) {
                break;
            }
            reader.steps.wait(look).await;
        }
        Ok(carried)
    }

    /// Whether a row has the new values.
    fn has_gone(&self, row: &Record) -> bool {
        let mut set = self.set.iter();
        set.all(|(name, value)| row.values.get(name).is_none_or(|own| own == value))
    }

    /// Whether no counter of a row counts more rows that go along than were found.
    fn has_all_counted(&self, scope: &Scope, row: &Record, carried: &Carried) -> bool {
        let Some(id) = id_of(scope, row) else {
            return true;
        };
        let returned = self.carries.iter();
        let mut returned =
            returned.flat_map(|pattern| scope.model().pattern(*pattern).returns.iter());
        let inbound = &scope.profile(row.entity).inbound;
        let is_counted = |inbound: &Inbound| {
            let attribute = scope.entity(inbound.entity).attribute(&inbound.attribute);
            let reference = attribute.and_then(|attribute| attribute.reference.as_ref());
            let counter = reference.and_then(|reference| reference.counted.as_ref());
            let known = counter.and_then(|counter| row.values.get(&counter.value));
            let found = carried.count(inbound.entity, &inbound.attribute, id);
            match (known, u64::try_from(found)) {
                (Some(AttributeValue::N(known)), Ok(found)) => *known <= Number::from(found),
                _ => true,
            }
        };
        returned.all(|entity| {
            let mut inbound = inbound.iter().filter(|inbound| inbound.entity == *entity);
            inbound.all(is_counted)
        })
    }
}

/// The rows that a pattern shows for a row, without rows of the same entity.
async fn find_shown(
    reader: &Reader<'_>,
    pattern: AccessId,
    row: &Record,
    is_uncertain: &mut bool,
) -> Result<Vec<StoredRow>, Interrupt> {
    let is_certain = pattern::is_certain(reader, pattern);
    let inbound = if is_certain {
        Vec::new()
    } else {
        list_ways(reader, pattern, row)
    };
    let mut open = reader.model().pattern(pattern).returns.clone();
    open.retain(|entity| {
        let leads_back = inbound.iter().any(|inbound| inbound.entity == *entity);
        *entity != row.entity && !leads_back
    });
    let mut found = Vec::new();
    if !inbound.is_empty() {
        let asked = [ReferrerQuery { row, inbound }];
        let referrers = find::referrers(reader, &asked).await?.pop();
        let referrers = referrers.unwrap_or_default().referrers.into_iter();
        let rows = referrers.map(|referrer| record::StoredRow {
            record: referrer.record,
            item: EncodedItem::from(referrer.item),
        });
        let shown = read::keep_shown(reader, pattern, &row.values, rows.collect()).await?;
        found.extend(locate(reader, shown)?);
    }
    if open.is_empty() {
        return Ok(found);
    }
    let mut shown = read::read_all(reader, pattern, &row.values).await?;
    shown.retain(|found| open.contains(&found.record.entity));
    let shown = locate(reader, shown)?;
    if is_certain {
        found.extend(shown);
    } else {
        *is_uncertain = true;
        found.extend(read_again(reader, shown).await?);
    }
    Ok(found)
}

/// The references by which the table leads from a row to rows that a pattern shows: what it asks for is that they refer to the row.
fn list_ways(scope: &Scope, pattern: AccessId, row: &Record) -> Vec<Inbound> {
    if !pattern::asks_range(scope, pattern) {
        return Vec::new();
    }
    let Some(id) = id_of(scope, row) else {
        return Vec::new();
    };
    let access = scope.model().pattern(pattern);
    let is_asked = |name: &str| {
        let mut parameters = access.parameters.iter();
        parameters.any(|parameter| parameter.name == name) && row.values.get(name) == Some(id)
    };
    let inbound = scope.profile(row.entity).inbound.iter();
    inbound
        .filter(|inbound| inbound.entity != row.entity)
        .filter(|inbound| access.returns.contains(&inbound.entity))
        .filter(|inbound| is_asked(&inbound.attribute))
        .filter(|inbound| find::leads_back_surely(scope, row, inbound))
        .cloned()
        .collect()
}

fn id_of<'r>(scope: &Scope, row: &'r Record) -> Option<&'r AttributeValue> {
    let id = scope.entity(row.entity).id.as_ref()?;
    row.values.get(id)
}

/// Rows with their places.
fn locate(scope: &Scope, rows: Vec<record::StoredRow>) -> Result<Vec<StoredRow>, Interrupt> {
    let rows = rows.into_iter();
    rows.map(|found| StoredRow::locate(scope, found.record, found.item.to_item()))
        .collect()
}

/// The rows that an index has shown, as they stand: it may show what was.
async fn read_again(
    reader: &Reader<'_>,
    shown: Vec<StoredRow>,
) -> Result<Vec<StoredRow>, Interrupt> {
    let addresses: Vec<_> = shown.iter().map(|stored| stored.address.clone()).collect();
    let items = reader.get_many_or_none(&addresses).await?;
    let found = shown.into_iter().zip(items).filter_map(|(stored, item)| {
        let item = item?;
        let record = reader.decode(stored.address.table(), &item)?;
        let is_same = record.entity == stored.record.entity;
        is_same.then_some(StoredRow {
            address: stored.address,
            record,
            item,
        })
    });
    Ok(found.collect())
}
