//! Removes items whose time has come, as the table's time to live says.
//!
//! Tables are read slice by slice, one slice in each round, over and over: a pass takes as long as the table is large, and
//! a write pays nothing for it. AWS promises no more: an item goes within a few days of its time.

use crate::catalog::{RelationId, Table, TableId};
use crate::clock::Clock;
use crate::commit::{Action, Change, Committer, Published, WriteRequest};
use crate::keys;
use crate::page::beyond;
use crate::store::{Direction, KeyRange, Space, StoreFault};
use crate::stream::Author;
use monotable_expr::{Condition, ExpressionKind, Placeholders};
use monotable_item::{EncodedItem, Item, ItemView, Number, ValueView};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Rows of one table that a round looks at.
const SLICE: usize = 4096;

/// Items whose time lies further back stay: it is a mistake rather than a time. In seconds, as are all times here.
const FIVE_YEARS: u64 = 5 * 31_557_600;

/// How far each table was read.
#[derive(Default)]
pub(super) struct Expiring {
    rest: HashMap<TableId, KeyRange>,
}

impl Expiring {
    /// Removes what has expired in the next slice of each table.
    pub(super) fn round(
        &mut self,
        published: &Published,
        committer: &Committer,
        clock: &dyn Clock,
    ) -> Result<(), StoreFault> {
        let catalog = published.catalog.load_full();
        self.rest
            .retain(|id, _| catalog.tables().any(|table| table.id == *id));
        for table in catalog.tables() {
            if let Some(attribute) = &table.definition.time_to_live {
                let whole = || KeyRange::prefix(&RelationId::from(table.id).to_bytes());
                let range = self.rest.remove(&table.id).unwrap_or_else(whole);
                let times = Times::before(clock.now().as_secs());
                let rest = remove_slice(published, committer, (table, attribute), times, range)?;
                self.rest.extend(rest.map(|rest| (table.id, rest)));
            }
        }
        Ok(())
    }
}

/// The times at which items have expired.
#[derive(Clone, Copy)]
struct Times {
    from: u64,
    to: u64,
}

impl Times {
    const fn before(now: u64) -> Self {
        Self {
            from: now.saturating_sub(FIVE_YEARS),
            to: now,
        }
    }

    fn hold(self, item: ItemView<'_>, attribute: &str) -> bool {
        let Some(ValueView::N(time)) = item.get(attribute) else {
            return false;
        };
        (Number::from(self.from)..=Number::from(self.to)).contains(&time.to_number())
    }

    /// That an item has still expired when it is removed: whoever has written it since keeps it.
    fn condition(self, attribute: &str) -> Option<Condition> {
        let names = BTreeMap::from([("#t".to_owned(), attribute.to_owned())]);
        let values = Item::new()
            .with(":from", Number::from(self.from))
            .with(":to", Number::from(self.to));
        let values = EncodedItem::from(values);
        let mut placeholders = Placeholders::new(&names, &values);
        let text = "#t BETWEEN :from AND :to";
        Condition::parse(ExpressionKind::Condition, text, &mut placeholders).ok()
    }
}

/// Removes the expired items of the next slice; gives back what is left to read of the table.
fn remove_slice(
    published: &Published,
    committer: &Committer,
    (table, attribute): (&Arc<Table>, &str),
    times: Times,
    range: KeyRange,
) -> Result<Option<KeyRange>, StoreFault> {
    // Without it an item could go that somebody has just written.
    let Some(condition) = times.condition(attribute) else {
        return Ok(None);
    };
    let snapshot = published.snapshot();
    let rows = snapshot.range(Space::Items, range.clone(), Direction::Forwards);
    let mut rest = None;
    let mut pending = Vec::new();
    for (place, row) in rows.take(SLICE).enumerate() {
        let (key, value) = row?;
        if place + 1 == SLICE {
            rest = Some(beyond(range.clone(), &key, Direction::Forwards));
        }
        let item = EncodedItem::from_stored(value);
        if !times.hold(item.view(), attribute) {
            continue;
        }
        let Some(key) = keys::item_key(table, item.view()) else {
            continue;
        };
        let action = Action {
            table: Arc::clone(table),
            key,
            change: Change::Delete,
            condition: Some(condition.clone()),
            wants_old: false,
        };
        let request = WriteRequest {
            actions: vec![action],
            token: None,
            author: Author::TimeToLive,
        };
        pending.push(committer.write(request)?);
    }
    // An item that was written meanwhile refuses its condition, and stays.
    for pending in pending {
        pending.wait()?;
    }
    Ok(rest)
}
