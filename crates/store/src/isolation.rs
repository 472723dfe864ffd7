//! Which partitions a caller may touch: every request is held against them before it is sent.
//!
//! What the model's `[isolation]` says is decided here for all requests alike, so that no operation can forget it. The
//! same rule as an IAM policy is printed by `monotable export iam-policy`.

use crate::record::{self, Circumstances};
use crate::runtime::Runtime;
use monotable_api::{QueryInput, Request, TransactWriteItem, WriteRequest};
use monotable_item::{EncodedItem, GivenItem, Item, ValueView};
use monotable_model::model::{Isolation, Model, Table};
use std::sync::Arc;

/// Partition keys, and how they may begin.
#[derive(Clone, Debug, Default)]
pub(crate) struct Partitions {
    /// Before every partition key of the tenant.
    prefix: String,
    /// A key, or, if the flag says so, the beginning of one.
    keys: Vec<(String, bool)>,
}

impl Partitions {
    /// Those of the caller. What cannot be said for want of an attribute is nothing.
    pub(crate) fn of(model: &Model, isolation: &Isolation, circumstances: &Circumstances) -> Self {
        let keys = isolation.partitions.iter().filter_map(|template| {
            let text = record::render(model, &Item::new(), template, circumstances)?;
            Some((text, template.open_end))
        });
        Self {
            prefix: record::tenant_prefix(model, circumstances),
            keys: keys.collect(),
        }
    }

    pub(crate) fn allow(&self, hash: &str) -> bool {
        let Some(key) = hash.strip_prefix(self.prefix.as_str()) else {
            return false;
        };
        self.keys.iter().any(|(own, open)| match open {
            true => key.starts_with(own.as_str()),
            false => key == own,
        })
    }

    /// Whether keys are the owner's because of how they begin.
    pub(crate) fn has_open(&self) -> bool {
        self.keys.iter().any(|(_, open)| *open)
    }

    /// The keys that are whole.
    pub(crate) fn whole(&self) -> impl Iterator<Item = String> {
        let whole = self.keys.iter().filter(|(_, open)| !open);
        whole.map(|(key, _)| format!("{}{key}", self.prefix))
    }
}

/// Lets the requests of a caller through that touch nothing else.
#[derive(Debug)]
pub(crate) struct PartitionGate {
    partitions: Partitions,
    bound: Arc<Runtime>,
}

impl PartitionGate {
    pub(crate) const fn new(partitions: Partitions, bound: Arc<Runtime>) -> Self {
        Self { partitions, bound }
    }

    /// The first partition that a request touches and may not; what no partition is known of is refused too.
    pub(crate) fn refuses(&self, request: &Request) -> Option<String> {
        let touched = self.touched(request);
        let unknown = || Some(format!("{} without a partition", request.operation()));
        match touched {
            Some(touched) if !touched.is_empty() => touched
                .into_iter()
                .find(|hash| !self.partitions.allow(hash)),
            _ => unknown(),
        }
    }

    fn touched(&self, request: &Request) -> Option<Vec<String>> {
        match request {
            Request::GetItem(input) => self.one(input.table_name.as_ref(), input.key.as_ref()),
            Request::PutItem(input) => self.one(input.table_name.as_ref(), input.item.as_ref()),
            Request::UpdateItem(input) => self.one(input.table_name.as_ref(), input.key.as_ref()),
            Request::DeleteItem(input) => self.one(input.table_name.as_ref(), input.key.as_ref()),
            Request::Query(input) => queried(input).map(|hash| vec![hash]),
            Request::BatchGetItem(input) => {
                let tables = input.request_items.iter().flatten();
                let keys = tables.flat_map(|(table, keys)| {
                    let keys = keys.keys.iter().flatten();
                    keys.map(move |key| (table, key))
                });
                keys.map(|(table, key)| self.hash(table, key)).collect()
            }
            Request::BatchWriteItem(input) => {
                let tables = input.request_items.iter().flatten();
                let writes =
                    tables.flat_map(|(table, writes)| writes.iter().map(move |one| (table, one)));
                writes
                    .map(|(table, write)| self.hash(table, written(write)?))
                    .collect()
            }
            Request::TransactWriteItems(input) => {
                let actions = input.transact_items.iter().flatten();
                actions
                    .map(|action| {
                        let (table, key) = acted(action)?;
                        self.hash(table, key)
                    })
                    .collect()
            }
            _ => None,
        }
    }

    fn one(&self, table: Option<&String>, item: Option<&GivenItem>) -> Option<Vec<String>> {
        Some(vec![self.hash(table?, item?)?])
    }

    fn hash(&self, table: &str, item: &GivenItem) -> Option<String> {
        let item: EncodedItem = item.clone().into_checked().ok()?;
        let table = self.table(table)?;
        match item.view().get(&table.hash.value) {
            Some(ValueView::S(hash)) => Some(hash.to_owned()),
            _ => None,
        }
    }

    fn table(&self, physical: &str) -> Option<&Table> {
        let mut tables = self.bound.compiled.model().tables.iter();
        tables.find(|table| table.physical == physical)
    }
}

/// The partition of a query: its condition begins with `name = :value`.
fn queried(input: &QueryInput) -> Option<String> {
    let condition = input.key_condition_expression.as_ref()?;
    let mut words = condition.split(' ');
    let (_, Some("="), Some(value)) = (words.next(), words.next(), words.next()) else {
        return None;
    };
    match input.expression_attribute_values.as_ref()?.get(value) {
        Some(ValueView::S(hash)) => Some(hash.to_owned()),
        _ => None,
    }
}

fn written(write: &WriteRequest) -> Option<&GivenItem> {
    match (&write.put_request, &write.delete_request) {
        (Some(put), None) => put.item.as_ref(),
        (None, Some(delete)) => delete.key.as_ref(),
        _ => None,
    }
}

fn acted(action: &TransactWriteItem) -> Option<(&String, &GivenItem)> {
    if let Some(put) = &action.put {
        return Some((put.table_name.as_ref()?, put.item.as_ref()?));
    }
    if let Some(update) = &action.update {
        return Some((update.table_name.as_ref()?, update.key.as_ref()?));
    }
    if let Some(delete) = &action.delete {
        return Some((delete.table_name.as_ref()?, delete.key.as_ref()?));
    }
    let check = action.condition_check.as_ref()?;
    Some((check.table_name.as_ref()?, check.key.as_ref()?))
}
