//! Reads: items by key, many at once, and whole partitions.

use crate::address::Address;
use crate::address::PartitionRange;
use crate::attempt::Attempt;
use crate::draft::Draft;
use crate::error::Error;
use crate::execute::unexpected;
use crate::interrupt::Interrupt;
use crate::record::Record;
use crate::request::{self, RangeQuery};
use crate::scope::Scope;
use crate::sending::Answer;
use crate::steps::Steps;
use monotable_api::Response;
use monotable_item::{EncodedItem, Item, limits};
use monotable_model::model::{Projection, TableId};
use std::collections::BTreeMap;
use std::ops::Deref;

/// Reads items for one attempt at an operation. What the operation knows is reached through it, too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a> {
    pub(crate) scope: &'a Scope,
    pub(crate) steps: &'a Steps,
    pub(crate) attempt: &'a Attempt,
}

impl Deref for Reader<'_> {
    type Target = Scope;

    fn deref(&self) -> &Scope {
        self.scope
    }
}

/// What a reader reads with, for operations that are not attempted twice.
#[derive(Debug)]
pub(crate) struct OwnedReader {
    pub(crate) scope: Scope,
    pub(crate) steps: Steps,
    pub(crate) attempt: Attempt,
}

impl OwnedReader {
    pub(crate) fn new(scope: Scope, steps: Steps) -> Self {
        let attempt = Attempt::default();
        Self {
            scope,
            steps,
            attempt,
        }
    }

    /// For what is worked out from keys alone: such a reader sends nothing.
    pub(crate) fn without_sending(scope: Scope) -> Self {
        Self::new(scope, Steps::without_sending())
    }

    pub(crate) const fn reader(&self) -> Reader<'_> {
        Reader {
            scope: &self.scope,
            steps: &self.steps,
            attempt: &self.attempt,
        }
    }
}

impl<'a> Reader<'a> {
    /// Reads with other eyes, such as the program's.
    pub(crate) const fn with_scope<'b>(self, scope: &'b Scope) -> Reader<'b>
    where
        'a: 'b,
    {
        Reader { scope, ..self }
    }

    /// Reads with what has been learned since.
    pub(crate) const fn with_attempt<'b>(self, attempt: &'b Attempt) -> Reader<'b>
    where
        'a: 'b,
    {
        Reader { attempt, ..self }
    }
}

impl Reader<'_> {
    /// The item at a place, read strongly; what the draft writes there counts.
    pub(crate) async fn stored(
        &self,
        draft: &Draft,
        address: &Address,
    ) -> Result<Option<Item>, Interrupt> {
        if draft.decides(address) {
            return Ok(draft.after(address, None).flatten());
        }
        let item = self.get(address, true).await?.map(|item| item.to_item());
        let item = item.or_else(|| draft.assumed(address).cloned());
        Ok(match draft.after(address, item.as_ref()) {
            Some(after) => after,
            None => item,
        })
    }

    /// The row at a place with its item, read strongly.
    pub(crate) async fn row(
        &self,
        draft: &Draft,
        address: &Address,
    ) -> Result<Option<(Record, Item)>, Interrupt> {
        let item = self.stored(draft, address).await?;
        Ok(item.and_then(|item| Some((self.decode(address.table(), &item)?, item))))
    }

    /// One item by its key.
    pub(crate) async fn get(
        &self,
        address: &Address,
        consistent: bool,
    ) -> Result<Option<EncodedItem>, Interrupt> {
        let request = || request::get(self.model(), address, consistent);
        self.steps.ask(request, item_of).await
    }

    /// Some attributes of one item; all if none are named.
    pub(crate) async fn get_attributes(
        &self,
        address: &Address,
        consistent: bool,
        attributes: &[String],
    ) -> Result<Option<EncodedItem>, Interrupt> {
        if attributes.is_empty() {
            return self.get(address, consistent).await;
        }
        let request = || request::get_attributes(self.model(), address, consistent, attributes);
        self.steps.ask(request, item_of).await
    }

    /// Many items by their keys, in their order; a key may be asked twice.
    pub(crate) async fn get_many(
        &self,
        addresses: &[Address],
        consistent: bool,
    ) -> Result<Vec<Option<EncodedItem>>, Interrupt> {
        let mut distinct: Vec<Address> = addresses.to_vec();
        distinct.sort();
        distinct.dedup();
        if let [address] = distinct.as_slice() {
            let item = self.get(address, consistent).await?;
            return Ok(addresses.iter().map(|_| item.clone()).collect());
        }
        let chunks: Vec<_> = distinct.chunks(limits::MAX_BATCH_GET).collect();
        let answers = self.steps.send(&chunks, |chunk| {
            request::batch_get(self.model(), chunk, consistent)
        });
        let mut found: BTreeMap<Address, EncodedItem> = BTreeMap::new();
        for answer in answers.await {
            let Response::BatchGetItem(output) = answered(answer)? else {
                return Err(Error::integrity("a batch was answered by something else").into());
            };
            for (physical, items) in output.responses {
                let Some(table) = self.table_named(&physical) else {
                    continue;
                };
                for item in items {
                    if let Some(address) = self.addressing().locate_view(table, item.view()) {
                        found.insert(address, item);
                    }
                }
            }
        }
        Ok(addresses
            .iter()
            .map(|address| found.get(address).cloned())
            .collect())
    }

    /// Many items by their keys, in their order; no keys give no items.
    pub(crate) async fn get_many_or_none(
        &self,
        addresses: &[Address],
    ) -> Result<Vec<Option<Item>>, Interrupt> {
        let items = match addresses {
            [] => Vec::new(),
            addresses => self.get_many(addresses, true).await?,
        };
        Ok(items
            .into_iter()
            .map(|item| item.map(|item| item.to_item()))
            .collect())
    }

    /// Many items, read strongly; what the draft writes counts.
    pub(crate) async fn stored_many(
        &self,
        draft: &Draft,
        addresses: &[Address],
    ) -> Result<Vec<Option<Item>>, Interrupt> {
        let items = self.get_many_or_none(addresses).await?;
        let seen = addresses.iter().zip(items);
        Ok(seen
            .map(
                |(address, item)| match draft.after(address, item.as_ref()) {
                    Some(after) => after,
                    None => item,
                },
            )
            .collect())
    }

    fn table_named(&self, physical: &str) -> Option<TableId> {
        let mut tables = self.model().tables();
        let found = tables.find(|(_, table)| table.physical == physical);
        found.map(|(id, _)| id)
    }

    /// All items of each of these; tables are read strongly.
    pub(crate) async fn all(&self, asked: &[PartitionRange]) -> Result<Vec<Vec<Item>>, Interrupt> {
        let items = self.all_encoded(asked).await?;
        let read = |items: Vec<EncodedItem>| items.iter().map(EncodedItem::to_item).collect();
        Ok(items.into_iter().map(read).collect())
    }

    /// All items of each of these, still encoded.
    pub(crate) async fn all_encoded(
        &self,
        asked: &[PartitionRange],
    ) -> Result<Vec<Vec<EncodedItem>>, Interrupt> {
        let queries = asked.iter().cloned().map(RangeQuery::of_range);
        let pages = self.pages(queries.collect()).await?;
        let mut whole = Vec::with_capacity(pages.len());
        for (rows, items) in asked.iter().zip(pages) {
            whole.push(self.whole(rows.table(), rows.index(), items).await?);
        }
        Ok(whole)
    }

    /// The items that entries of an index stand for: an index that holds a part of them decides nothing.
    pub(crate) async fn whole(
        &self,
        table: TableId,
        index: Option<usize>,
        entries: Vec<EncodedItem>,
    ) -> Result<Vec<EncodedItem>, Interrupt> {
        let index = index.and_then(|index| self.model().table(table).indexes.get(index));
        if entries.is_empty() || index.is_none_or(|index| index.projection == Projection::All) {
            return Ok(entries);
        }
        let address = |entry: EncodedItem| {
            let address = self.addressing().locate_view(table, entry.view());
            address.map(|address| (address, entry))
        };
        let (addresses, entries): (Vec<_>, Vec<_>) =
            entries.into_iter().filter_map(address).unzip();
        let items = self.get_many(&addresses, false).await?;
        // What was deleted since is no longer there, and what has another key there now is no longer meant.
        let keys = index.into_iter().flat_map(|index| index.attributes());
        let keys: Vec<_> = keys.map(|name| name.value.as_str()).collect();
        let found = entries.into_iter().zip(items);
        let found = found.filter_map(|(entry, item)| {
            let same = |item: &EncodedItem| {
                let mut keys = keys.iter();
                keys.all(|key| {
                    entry.view().get(key).map(|value| value.to_value())
                        == item.view().get(key).map(|value| value.to_value())
                })
            };
            item.filter(same)
        });
        Ok(found.collect())
    }

    /// What queries find, read to their ends side by side; of one with a limit the first page.
    pub(crate) async fn pages(
        &self,
        queries: Vec<RangeQuery>,
    ) -> Result<Vec<Vec<EncodedItem>>, Interrupt> {
        let mut items: Vec<Vec<EncodedItem>> = queries.iter().map(|_| Vec::new()).collect();
        let mut open: Vec<(usize, RangeQuery)> = queries.into_iter().enumerate().collect();
        while !open.is_empty() {
            let request = |(_, query): &(usize, RangeQuery)| query.request(self.model());
            let answers = self.steps.send(&open, request).await;
            let mut next = Vec::new();
            for ((position, mut query), answer) in open.into_iter().zip(answers) {
                let Response::Query(output) = answered(answer)? else {
                    return Err(Error::integrity("a query was answered by something else").into());
                };
                if let Some(found) = items.get_mut(position) {
                    found.extend(output.items.unwrap_or_default());
                }
                if let (Some(last), None) = (output.last_evaluated_key, query.limit) {
                    query.after = Some(last);
                    next.push((position, query));
                }
            }
            open = next;
        }
        Ok(items)
    }
}

/// What was answered, or the error.
pub(crate) fn answered(answer: Answer) -> Result<Response, Interrupt> {
    answer.result.map_err(|error| Error::service(error).into())
}

fn item_of(answer: Answer) -> Result<Option<EncodedItem>, Interrupt> {
    match answer.result {
        Ok(Response::GetItem(output)) => Ok(output.item),
        Ok(other) => Err(unexpected(&other).into()),
        Err(error) => Err(Error::service(error).into()),
    }
}
