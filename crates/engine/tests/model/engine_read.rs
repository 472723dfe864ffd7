//! Query and Scan on an engine, page by page to the end.

use crate::concrete::{Partition, Read, Sort};
use crate::engine_run::{names, values};
use crate::operation::SelectPick;
use crate::outcome::{Outcome, sorted};
use crate::path::{Placeholders, render_all};
use monotable_api::{Error, QueryInput, ScanInput, Select};
use monotable_engine::Engine;
use monotable_item::{EncodedItem, Item};

/// More pages than any read of these small tables has.
const MOST_PAGES: usize = 1000;

/// What the pages of a read add up to.
#[derive(Default)]
struct Pages {
    items: Option<Vec<Item>>,
    count: u64,
    scanned: u64,
}

/// One page of either operation.
struct Page {
    items: Option<Vec<EncodedItem>>,
    count: u64,
    scanned: u64,
    last: Option<EncodedItem>,
}

impl Pages {
    /// Reads to the end; `read` gets the key to start after.
    fn all(
        &mut self,
        limit: Option<u8>,
        mut start: Option<Item>,
        read: impl Fn(Option<Item>) -> Result<Page, Error>,
    ) -> Result<(), Error> {
        for _ in 0..MOST_PAGES {
            let page = read(start)?;
            // Nothing here is near 1 MB, so only the limit ends a page early, and always does.
            let full = limit.is_some_and(|limit| page.scanned == u64::from(limit));
            assert_eq!(
                page.last.is_some(),
                full,
                "a page ends early at its limit and only there"
            );
            assert!(
                page.items
                    .as_ref()
                    .is_none_or(|items| items.len() as u64 == page.count)
            );
            self.count += page.count;
            self.scanned += page.scanned;
            if let Some(items) = page.items {
                let all = self.items.get_or_insert_default();
                all.extend(items.iter().map(EncodedItem::to_item));
            }
            match page.last {
                Some(last) => start = Some(last.to_item()),
                None => return Ok(()),
            }
        }
        panic!("the pages do not end");
    }
}

const fn select(pick: &SelectPick) -> Option<Select> {
    match pick {
        SelectPick::Default | SelectPick::Specific(_) => None,
        SelectPick::Count => Some(Select::Count),
        SelectPick::All => Some(Select::AllAttributes),
        SelectPick::Projected => Some(Select::AllProjectedAttributes),
    }
}

/// The expressions that both operations have.
struct Shared {
    filter: Option<String>,
    projection: Option<String>,
    placeholders: Placeholders,
}

impl Shared {
    fn of(read: &Read, mut placeholders: Placeholders) -> Self {
        let filter = read.filter.as_ref();
        Self {
            filter: filter.map(|test| test.render(&mut placeholders)),
            projection: match &read.select {
                SelectPick::Specific(paths) => Some(render_all(paths, &mut placeholders)),
                _ => None,
            },
            placeholders,
        }
    }
}

pub fn query(engine: &Engine, read: &Read, partition: &Partition) -> Result<Outcome, Error> {
    let mut placeholders = Placeholders::default();
    let key_condition = key_condition(partition, &mut placeholders);
    let shared = Shared::of(read, placeholders);
    let input = QueryInput {
        index_name: read.index.as_ref().map(|index| index.name.to_owned()),
        select: select(&read.select).map(Into::into),
        limit: read.limit.map(i64::from),
        consistent_read: Some(read.consistent),
        scan_index_forward: Some(!partition.backward),
        projection_expression: shared.projection,
        filter_expression: shared.filter,
        expression_attribute_names: names(&shared.placeholders),
        expression_attribute_values: values(&shared.placeholders),
        ..QueryInput::new(read.table, key_condition)
    };
    let mut pages = Pages::default();
    let limit = read.limit.filter(|_| !partition.finds_one_item);
    pages.all(limit, partition.start.clone(), |start| {
        let output = engine.query(QueryInput {
            exclusive_start_key: start.map(Into::into),
            ..input.clone()
        })?;
        Ok(Page {
            items: output.items,
            count: output.count,
            scanned: output.scanned_count,
            last: output.last_evaluated_key,
        })
    })?;
    Ok(Outcome::Read {
        items: pages.items,
        count: pages.count,
        scanned: pages.scanned,
    })
}

fn key_condition(partition: &Partition, out: &mut Placeholders) -> String {
    let (hash, value) = &partition.hash;
    let hash = format!("{} = {}", out.name(hash), out.value(value));
    let Some((name, sort)) = &partition.sort else {
        return hash;
    };
    let name = out.name(name);
    let sort = match sort {
        Sort::Equal(value) => format!("{name} = {}", out.value(value)),
        Sort::Order(operator, value) => format!("{name} {operator} {}", out.value(value)),
        Sort::Between(low, high) => {
            format!("{name} BETWEEN {} AND {}", out.value(low), out.value(high))
        }
        Sort::BeginsWith(value) => format!("begins_with({name}, {})", out.value(value)),
    };
    format!("{hash} AND {sort}")
}

/// All segments, one after another.
pub fn scan(engine: &Engine, read: &Read, segments: Option<u8>) -> Result<Outcome, Error> {
    let shared = Shared::of(read, Placeholders::default());
    let mut pages = Pages::default();
    for segment in 0..segments.unwrap_or(1) {
        let input = ScanInput {
            index_name: read.index.as_ref().map(|index| index.name.to_owned()),
            select: select(&read.select).map(Into::into),
            limit: read.limit.map(i64::from),
            consistent_read: Some(read.consistent),
            segment: segments.map(|_| segment.into()),
            total_segments: segments.map(Into::into),
            projection_expression: shared.projection.clone(),
            filter_expression: shared.filter.clone(),
            expression_attribute_names: names(&shared.placeholders),
            expression_attribute_values: values(&shared.placeholders),
            ..ScanInput::new(read.table)
        };
        pages.all(read.limit, None, |start| {
            let output = engine.scan(ScanInput {
                exclusive_start_key: start.map(Into::into),
                ..input.clone()
            })?;
            Ok(Page {
                items: output.items,
                count: output.count,
                scanned: output.scanned_count,
                last: output.last_evaluated_key,
            })
        })?;
    }
    Ok(Outcome::Read {
        items: pages.items.map(sorted),
        count: pages.count,
        scanned: pages.scanned,
    })
}
