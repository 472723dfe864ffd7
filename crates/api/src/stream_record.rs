//! Records of a stream: what happened to an item.

use crate::Timestamp;
use crate::choice::choices;
use crate::stream::StreamViewType;
use crate::structure::structure;
use monotable_item::EncodedItem;

choices! {
    /// What happened to an item.
    pub enum OperationType {
        /// It was not there before.
        Insert = "INSERT",
        /// It was changed.
        Modify = "MODIFY",
        /// It was removed.
        Remove = "REMOVE",
    }
}

structure! {
    /// A record of a stream. Its members are written in lower case, as AWS does.
    pub struct Record {
        /// An id that no other record has.
        #[serde(rename = "eventID")]
        event_id: String,
        /// What happened to the item.
        #[serde(rename = "eventName")]
        event_name: OperationType,
        /// The version of this form of records.
        #[serde(rename = "eventVersion")]
        event_version: String,
        /// The service: `aws:dynamodb`.
        #[serde(rename = "eventSource")]
        event_source: String,
        /// The region of the table.
        #[serde(rename = "awsRegion")]
        aws_region: String,
        /// The change.
        #[serde(rename = "dynamodb")]
        dynamodb: StreamRecord,
        /// Who made the change, if no client did.
        #[serde(rename = "userIdentity")]
        user_identity: Identity,
    }

    /// The change of an item.
    pub struct StreamRecord {
        /// When the change was made, to the second.
        approximate_creation_date_time: Timestamp,
        /// The key of the item.
        keys: EncodedItem,
        /// The item afterwards.
        new_image: EncodedItem,
        /// The item before.
        old_image: EncodedItem,
        /// Where the record stands in its shard: later ones have larger numbers.
        sequence_number: String,
        /// How large key and images are, as AWS counts items.
        size_bytes: u64,
        /// What the stream shows of an item.
        stream_view_type: StreamViewType,
    }

    /// Who made a change.
    pub struct Identity {
        /// The name: `dynamodb.amazonaws.com` for items that went by their time to live.
        principal_id: String,
        /// What it is: `Service`.
        #[serde(rename = "Type")]
        kind: String,
    }
}
