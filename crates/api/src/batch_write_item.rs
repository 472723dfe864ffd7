//! BatchWriteItem: writes and removes up to 25 items of any tables, each on its own.

use crate::capacity::ConsumedCapacity;
use crate::choice::Chosen;
use crate::constraint::{Constraints, Path, Quoted};
use crate::echo::Echo;
use crate::structure::{map_only, structure};
use crate::{
    Error, ItemCollectionMetrics, ReturnConsumedCapacity, ReturnItemCollectionMetrics, TableName,
    item_rules, wording,
};
use monotable_item::{EncodedItem, GivenItem, ValueProblem, limits};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

structure! {
    /// A BatchWriteItem request.
    pub struct BatchWriteItemInput {
        /// What to write, by table.
        #[serde(default, deserialize_with = "crate::bounded::map")]
        request_items: BTreeMap<String, Vec<WriteRequest>>,
        /// Whether to return the consumed capacity.
        return_consumed_capacity: Chosen<ReturnConsumedCapacity>,
        /// Whether to return the sizes of the item collections.
        return_item_collection_metrics: Chosen<ReturnItemCollectionMetrics>,
    }

    /// One write: exactly one of the members.
    pub struct WriteRequest {
        /// Writes an item.
        put_request: PutRequest,
        /// Removes an item.
        delete_request: DeleteRequest,
    }

    /// Writes an item.
    pub struct PutRequest {
        /// The item.
        item: GivenItem,
    }

    /// Removes an item.
    pub struct DeleteRequest {
        /// Its key.
        key: GivenItem,
    }
}

/// A BatchWriteItem answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "PascalCase")]
pub struct BatchWriteItemOutput {
    /// What was not written and should be asked for again.
    #[serde(default)]
    pub unprocessed_items: BTreeMap<String, Vec<WriteRequest>>,
    /// The sizes of the item collections, by table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item_collection_metrics: Option<BTreeMap<String, Vec<ItemCollectionMetrics>>>,
    /// The consumed capacity, per table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consumed_capacity: Option<Vec<ConsumedCapacity>>,
}

map_only!(BatchWriteItemOutput);

/// A BatchWriteItem request, checked.
#[derive(Clone, Debug)]
pub struct ValidBatchWriteItem {
    /// What to write, by table; no table twice.
    pub tables: Vec<BatchWriteTable>,
    /// Whether to return the consumed capacity.
    pub capacity: ReturnConsumedCapacity,
    /// Whether to return the sizes of the item collections.
    pub metrics: ReturnItemCollectionMetrics,
}

/// What to write of one table, checked.
#[derive(Clone, Debug)]
pub struct BatchWriteTable {
    /// The table.
    pub table: TableName,
    /// The table as the request names it, by name or ARN; the answer names it the same way.
    pub given_name: String,
    /// The writes.
    pub writes: Vec<BatchWrite>,
}

/// One write, checked.
#[derive(Clone, Debug, PartialEq)]
pub enum BatchWrite {
    /// Writes this item.
    Put(EncodedItem),
    /// Removes the item with this key.
    Delete(EncodedItem),
}

impl BatchWriteItemInput {
    /// These writes to this table.
    pub fn new(table: impl Into<String>, writes: impl IntoIterator<Item = WriteRequest>) -> Self {
        Self::default().and(table, writes)
    }

    /// And these to this one.
    pub fn and(
        mut self,
        table: impl Into<String>,
        writes: impl IntoIterator<Item = WriteRequest>,
    ) -> Self {
        let requests = self.request_items.get_or_insert_default();
        requests.entry(table.into()).or_default().extend(writes);
        self
    }

    /// Checks everything that can be judged without the tables.
    pub fn validate(self) -> Result<ValidBatchWriteItem, Error> {
        let mut constraints = Constraints::default();
        let capacity = constraints.choice(
            Path::Root("returnConsumedCapacity"),
            &self.return_consumed_capacity,
        );
        let metrics = constraints.choice(
            Path::Root("returnItemCollectionMetrics"),
            &self.return_item_collection_metrics,
        );
        self.constrain_writes(&mut constraints);
        let requests = constraints.finish(self.request_items)?;
        if requests.is_empty() {
            return Err(Error::validation(wording::EMPTY_BATCH_WRITE));
        }
        let names = table_names(&requests)?;
        let writes: usize = requests.values().map(Vec::len).sum();
        if writes > limits::MAX_BATCH_WRITE {
            return Err(Error::validation(wording::BATCH_WRITE_TOO_LONG));
        }
        let tables = names
            .into_iter()
            .zip(requests)
            .map(|(table, (given_name, requests))| {
                let writes = requests.into_iter().map(WriteRequest::checked);
                Ok(BatchWriteTable {
                    table,
                    given_name,
                    writes: writes.collect::<Result<_, _>>()?,
                })
            })
            .collect::<Result<_, Error>>()?;
        Ok(ValidBatchWriteItem {
            tables,
            capacity: capacity.unwrap_or_default(),
            metrics: metrics.unwrap_or_default(),
        })
    }

    fn constrain_writes(&self, constraints: &mut Constraints) {
        const PATH: Path<'static> = Path::Root("requestItems");
        let Some(requests) = constraints.required(PATH, &self.request_items) else {
            return;
        };
        let allowed = 1..=limits::MAX_BATCH_WRITE;
        if requests
            .values()
            .any(|writes| !allowed.contains(&writes.len()))
        {
            let value = Quoted(Echo(requests)).to_string();
            constraints.report(value, PATH, wording::BATCH_WRITE_LENGTHS);
        }
        for (name, writes) in requests {
            let path = PATH.entry(name);
            for (index, write) in writes.iter().enumerate() {
                write.constrain(constraints, path.element(index));
            }
        }
    }
}

/// Unlike BatchGetItem, AWS checks these names after all other constraints and reports them alone.
fn table_names(requests: &BTreeMap<String, Vec<WriteRequest>>) -> Result<Vec<TableName>, Error> {
    let names: Result<Vec<_>, _> = requests.keys().map(|name| TableName::parse(name)).collect();
    let Ok(names) = names else {
        let mut constraints = Constraints::default();
        let value = Quoted(Echo(requests)).to_string();
        constraints.report(value, Path::Root("requestItems"), wording::TABLE_NAME_KEYS);
        return constraints.finish(None);
    };
    if names.iter().collect::<BTreeSet<_>>().len() < names.len() {
        return Err(Error::validation(wording::DUPLICATE_TABLES));
    }
    Ok(names)
}

impl WriteRequest {
    /// Writes an item.
    pub fn put(item: impl Into<GivenItem>) -> Self {
        let put = PutRequest {
            item: Some(item.into()),
        };
        Self {
            put_request: Some(put),
            delete_request: None,
        }
    }

    /// Removes the item with this key.
    pub fn delete(key: impl Into<GivenItem>) -> Self {
        let delete = DeleteRequest {
            key: Some(key.into()),
        };
        Self {
            put_request: None,
            delete_request: Some(delete),
        }
    }

    fn constrain(&self, constraints: &mut Constraints, path: Path<'_>) {
        if let Some(delete) = &self.delete_request {
            constraints.required(path.field("deleteRequest").field("key"), &delete.key);
        }
        if let Some(put) = &self.put_request {
            constraints.required(path.field("putRequest").field("item"), &put.item);
        }
    }

    /// The write, once its constraints hold.
    fn checked(self) -> Result<BatchWrite, Error> {
        let checked = |given: Option<GivenItem>| {
            given
                .unwrap_or_default()
                .into_checked()
                .map_err(Error::validation)
        };
        match (self.put_request, self.delete_request) {
            (Some(put), None) => {
                let item = checked(put.item)?;
                item_rules::check_size(&item)?;
                Ok(BatchWrite::Put(item))
            }
            (None, Some(delete)) => Ok(BatchWrite::Delete(checked(delete.key)?)),
            // AWS says this of a request with none of the members, too.
            (Some(_), Some(_)) | (None, None) => Err(Error::validation(ValueProblem::ManyTypes)),
        }
    }
}

impl From<BatchWrite> for WriteRequest {
    fn from(write: BatchWrite) -> Self {
        match write {
            BatchWrite::Put(item) => Self::put(item),
            BatchWrite::Delete(key) => Self::delete(key),
        }
    }
}
