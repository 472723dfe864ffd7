//! Streams and their shards as AWS describes them.

use crate::Timestamp;
use crate::choice::choices;
use crate::key_schema::KeySchemaElement;
use crate::stream::StreamViewType;
use crate::structure::structure;

choices! {
    /// What a stream is at.
    pub enum StreamStatus {
        /// It is being made.
        Enabling = "ENABLING",
        /// Changes of items go into it.
        Enabled = "ENABLED",
        /// It is being switched off.
        Disabling = "DISABLING",
        /// It can be read, and gets no further records.
        Disabled = "DISABLED",
    }
}

structure! {
    /// A stream in a list of streams.
    pub struct Stream {
        /// Its ARN.
        stream_arn: String,
        /// The table that it is of.
        table_name: String,
        /// When it was made, as text.
        stream_label: String,
    }

    /// A stream with its shards.
    pub struct StreamDescription {
        /// Its ARN.
        stream_arn: String,
        /// When it was made, as text.
        stream_label: String,
        /// What it is at.
        stream_status: StreamStatus,
        /// What its records show.
        stream_view_type: StreamViewType,
        /// When it was made.
        creation_request_date_time: Timestamp,
        /// The table that it is of.
        table_name: String,
        /// The key of the table.
        key_schema: Vec<KeySchemaElement>,
        /// Its shards, the oldest first.
        shards: Vec<Shard>,
        /// The shard to go on after; absent on the last page.
        last_evaluated_shard_id: String,
    }

    /// A part of a stream.
    pub struct Shard {
        /// Its id.
        shard_id: String,
        /// The sequence numbers that it may hold.
        sequence_number_range: SequenceNumberRange,
        /// The shard before it, which must be read first.
        parent_shard_id: String,
    }

    /// A range of sequence numbers.
    pub struct SequenceNumberRange {
        /// The first one.
        starting_sequence_number: String,
        /// The last one; absent while the shard gets records.
        ending_sequence_number: String,
    }
}
