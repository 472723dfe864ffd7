//! Items of a table, page by page, and what tells one set of items from another.

use crate::error::Error;
use monotable_api::{Dynamo, DynamoExt, ScanInput};
use monotable_item::{EncodedItem, Item};
use sha2::{Digest, Sha256};

/// How many items there are, and a sum of their hashes: equal sets have equal sums, in whatever order they are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ItemSum {
    /// How many items there are.
    pub items: u64,
    sum: u128,
}

impl ItemSum {
    /// Adds an item.
    pub fn add(&mut self, item: &Item) {
        // An item has its attributes in order, so equal items have equal bytes.
        let text = serde_json::to_vec(&EncodedItem::from(item)).unwrap_or_default();
        let digest = Sha256::digest(text);
        let mut half = [0; 16];
        for (to, from) in half.iter_mut().zip(digest) {
            *to = from;
        }
        self.items += 1;
        self.sum = self.sum.wrapping_add(u128::from_be_bytes(half));
    }
}

/// One page of a table, read strongly.
pub(crate) async fn read_page(
    dynamo: &dyn Dynamo,
    input: &mut ScanInput,
) -> Result<(Vec<EncodedItem>, bool), Error> {
    let page = dynamo.scan(input.clone()).await?;
    input.exclusive_start_key = page.last_evaluated_key.map(Into::into);
    let is_last = input.exclusive_start_key.is_none();
    Ok((page.items.unwrap_or_default(), is_last))
}

/// A strong scan of a table from its beginning.
pub(crate) fn scan_table(table: &str) -> ScanInput {
    ScanInput {
        consistent_read: Some(true),
        ..ScanInput::new(table)
    }
}
