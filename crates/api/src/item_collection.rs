//! The size of an item collection: all items with one partition key, in the table and its local
//! secondary indexes.

use crate::structure::structure;
use monotable_item::EncodedItem;

structure! {
    /// An estimate of the size of the collection that a write touched.
    pub struct ItemCollectionMetrics {
        /// The partition key of the collection.
        #[serde(default)]
        item_collection_key: EncodedItem,
        /// At least and at most, in gigabytes.
        #[serde(rename = "SizeEstimateRangeGB")]
        size_estimate_range_gb: Vec<f64>,
    }
}
