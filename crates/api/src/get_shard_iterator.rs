//! GetShardIterator: a place in a shard to read from.

use crate::choice::{Chosen, choices};
use crate::constraint::{Constraints, Path};
use crate::describe_stream::SHARD_ID_CHARS;
use crate::stream_arn::StreamArn;
use crate::structure::structure;
use crate::{Error, Timestamp, wording};

/// How long a sequence number may be, in characters.
const SEQUENCE_NUMBER_CHARS: std::ops::RangeInclusive<usize> = 21..=40;

choices! {
    /// Where in a shard reading begins.
    pub enum ShardIteratorType {
        /// After the record with a number.
        AfterSequenceNumber = "AFTER_SEQUENCE_NUMBER",
        /// After the last record.
        Latest = "LATEST",
        /// At the first record of a time or a later one.
        AtTimestamp = "AT_TIMESTAMP",
        /// At the record with a number.
        AtSequenceNumber = "AT_SEQUENCE_NUMBER",
        /// At the oldest record that is there.
        TrimHorizon = "TRIM_HORIZON",
    }
}

structure! {
    /// A GetShardIterator request.
    pub struct GetShardIteratorInput {
        /// The stream.
        stream_arn: String,
        /// The shard.
        shard_id: String,
        /// Where reading begins.
        shard_iterator_type: Chosen<ShardIteratorType>,
        /// The number of a record, for the kinds that go by one.
        sequence_number: String,
        /// A time, for the kind that goes by one.
        timestamp: Timestamp,
    }

    /// A GetShardIterator answer.
    pub struct GetShardIteratorOutput {
        /// What GetRecords reads with; it serves for 15 minutes.
        shard_iterator: String,
    }
}

/// Where in a shard reading begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShardPosition {
    /// At the oldest record that is there.
    TrimHorizon,
    /// After the last record.
    Latest,
    /// At the record with this number.
    At(String),
    /// After the record with this number.
    After(String),
    /// At the first record of this time or a later one.
    AtTime(Timestamp),
}

/// A GetShardIterator request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidGetShardIterator {
    /// The stream.
    pub stream: StreamArn,
    /// The id of the shard.
    pub shard: String,
    /// Where reading begins.
    pub position: ShardPosition,
}

impl GetShardIteratorInput {
    /// Reads a shard from its oldest record on.
    pub fn trim_horizon(stream_arn: impl Into<String>, shard_id: impl Into<String>) -> Self {
        Self::new(stream_arn, shard_id, ShardIteratorType::TrimHorizon)
    }

    /// Reads what comes into a shard from now on.
    pub fn latest(stream_arn: impl Into<String>, shard_id: impl Into<String>) -> Self {
        Self::new(stream_arn, shard_id, ShardIteratorType::Latest)
    }

    /// Reads a shard from the record with this number on.
    pub fn at(
        stream_arn: impl Into<String>,
        shard_id: impl Into<String>,
        sequence_number: impl Into<String>,
    ) -> Self {
        Self {
            sequence_number: Some(sequence_number.into()),
            ..Self::new(stream_arn, shard_id, ShardIteratorType::AtSequenceNumber)
        }
    }

    /// Reads a shard from behind the record with this number on.
    pub fn after(
        stream_arn: impl Into<String>,
        shard_id: impl Into<String>,
        sequence_number: impl Into<String>,
    ) -> Self {
        Self {
            sequence_number: Some(sequence_number.into()),
            ..Self::new(stream_arn, shard_id, ShardIteratorType::AfterSequenceNumber)
        }
    }

    fn new(
        stream_arn: impl Into<String>,
        shard_id: impl Into<String>,
        kind: ShardIteratorType,
    ) -> Self {
        Self {
            stream_arn: Some(stream_arn.into()),
            shard_id: Some(shard_id.into()),
            shard_iterator_type: Some(kind.into()),
            ..Self::default()
        }
    }

    /// Checks everything that can be judged without the stream.
    pub fn validate(self) -> Result<ValidGetShardIterator, Error> {
        let mut constraints = Constraints::default();
        let arn = StreamArn::require(&mut constraints, &self.stream_arn);
        let shard = constraints.required(Path::Root("shardId"), &self.shard_id);
        if let Some(id) = shard {
            constraints.text_length(Path::Root("shardId"), id, SHARD_ID_CHARS);
        }
        let path = Path::Root("shardIteratorType");
        constraints.required(path, &self.shard_iterator_type);
        let kind = constraints.choice(path, &self.shard_iterator_type);
        if let Some(number) = &self.sequence_number {
            let path = Path::Root("sequenceNumber");
            constraints.text_length(path, number, SEQUENCE_NUMBER_CHARS);
        }
        let required = arn.zip(shard).zip(kind);
        let ((arn, shard), kind) = constraints.finish(required)?;
        Ok(ValidGetShardIterator {
            stream: StreamArn::parse(arn)?,
            shard: shard.clone(),
            position: position(kind, self.sequence_number, self.timestamp)?,
        })
    }
}

fn position(
    kind: ShardIteratorType,
    number: Option<String>,
    time: Option<Timestamp>,
) -> Result<ShardPosition, Error> {
    use ShardIteratorType as Kind;
    match (kind, number, time) {
        (Kind::TrimHorizon, None, None) => Ok(ShardPosition::TrimHorizon),
        (Kind::Latest, None, None) => Ok(ShardPosition::Latest),
        (Kind::AtSequenceNumber, Some(number), None) => Ok(ShardPosition::At(number)),
        (Kind::AfterSequenceNumber, Some(number), None) => Ok(ShardPosition::After(number)),
        (Kind::AtTimestamp, None, Some(time)) => Ok(ShardPosition::AtTime(time)),
        (Kind::AtSequenceNumber | Kind::AfterSequenceNumber, None, _) => Err(Error::validation(
            wording::iterator_needs("SequenceNumber", kind),
        )),
        (Kind::AtTimestamp, _, None) => Err(Error::validation(wording::iterator_needs(
            "Timestamp",
            kind,
        ))),
        (Kind::TrimHorizon | Kind::Latest | Kind::AtTimestamp, Some(_), _) => Err(
            Error::validation(wording::iterator_refuses("SequenceNumber", kind)),
        ),
        (_, _, Some(_)) => Err(Error::validation(wording::iterator_refuses(
            "Timestamp",
            kind,
        ))),
    }
}
