//! Rows that are about to be written, read as if they were.

use super::fetch::PageRequest;
use super::{Omitted, fan_out};
use crate::address::{Address, Partition};
use crate::interrupt::Interrupt;
use crate::pattern::Parameters;
use crate::pattern::{self, Condition, Conditions, value_text};
use crate::reader::Reader;
use crate::record::Record;
use crate::request::SortCondition;
use monotable_item::Item;
use monotable_model::model::AccessId;
use monotable_model::plan::{Reach, ReadPlan};
use std::collections::BTreeMap;

/// All rows of some partitions, as they will be.
#[derive(Debug, Default)]
pub(crate) struct Overlay(BTreeMap<Partition, BTreeMap<Address, Record>>);

impl Overlay {
    pub(crate) fn insert(&mut self, address: Address, record: Record) {
        let rows = self.0.entry(address.partition()).or_default();
        rows.insert(address, record);
    }

    /// Whether there is nothing in it.
    pub(crate) fn covers_nothing(&self) -> bool {
        self.0.is_empty()
    }

    /// The rows of a partition; none if it is not one of these.
    fn partition(&self, partition: &Partition) -> Option<&BTreeMap<Address, Record>> {
        self.0.get(partition)
    }
}

/// All rows of a pattern, with what a row says as its parameters; those of the overlay are as they will be.
pub(crate) async fn whole_over(
    reader: &Reader<'_>,
    pattern: AccessId,
    known: &Item,
    overlay: &Overlay,
) -> Result<Vec<Record>, Interrupt> {
    let plan = reader.plans().pattern(pattern);
    let given = Parameters::inner(known.clone());
    let key = match &plan.reach {
        Reach::Get(step) => Some(&step.key),
        Reach::Query(step) => Some(&step.key),
        _ => None,
    };
    if let Some(key) = key.filter(|key| key.at.index().is_none()) {
        let asked = pattern::bind_all(reader, plan, key, &given)?;
        let covers = |asked: &Condition| overlay.partition(&asked.partition).is_some();
        if asked.each.iter().any(covers) {
            return laid_over(reader, plan, &given, asked, overlay).await;
        }
    }
    let rows = super::read_all(reader, pattern, known).await?;
    Ok(rows.into_iter().map(|found| found.record).collect())
}

/// The rows of each partition: as they will be, or as they are stored.
async fn laid_over(
    reader: &Reader<'_>,
    plan: &ReadPlan,
    given: &Parameters,
    asked: Conditions,
    overlay: &Overlay,
) -> Result<Vec<Record>, Interrupt> {
    let mut records = Vec::new();
    for condition in asked.each {
        if let Some(rows) = overlay.partition(&condition.partition) {
            let takes = |address: &Address| {
                let key = address.sort_key().unwrap_or_default();
                takes(&condition.sort, key)
            };
            let rows = rows
                .iter()
                .filter(|(address, _)| takes(address))
                .filter(|(_, record)| plan.keep.entities.contains(&record.entity));
            records.extend(rows.map(|(_, record)| record.clone()));
            continue;
        }
        let one = Conditions {
            spread: asked.spread,
            each: vec![condition],
        };
        let found = {
            let omitted = &mut Omitted::default();
            let whole = PageRequest::default();
            fan_out::fetch(reader, plan, given, one, &whole, omitted).await?
        };
        records.extend(
            found
                .rows
                .into_iter()
                .map(|found| found.into_inner().record),
        );
    }
    Ok(records)
}

/// Whether a sort key is one that is asked for.
fn takes(sort: &SortCondition, key: &str) -> bool {
    match sort {
        SortCondition::Any => true,
        SortCondition::Is(value) => value_text(value) == key,
        SortCondition::Begins(prefix) => key.starts_with(prefix),
        SortCondition::Between(from, to) => {
            value_text(from).as_str() <= key && key <= value_text(to).as_str()
        }
        SortCondition::AtLeast(from) => value_text(from).as_str() <= key,
        SortCondition::AtMost(to) => key <= value_text(to).as_str(),
    }
}
