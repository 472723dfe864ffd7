//! What is asked of keys: a partition, or one for each day or shard, and a value, a beginning or a range of sort keys.

use super::key_text::KeyTarget;
use crate::model::{Field, Kind, Part};
use serde::{Deserialize, Serialize};

/// The last character: nothing that begins alike sorts behind a text that ends in it.
pub const LAST: char = '\u{10FFFF}';

/// What is asked of the keys of a table or of an index.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KeyCondition {
    /// The table's own key, or an index's.
    pub at: KeyTarget,
    /// The partitions; of a partition key of several attributes, what is asked of the first.
    pub partition: PartitionText,
    /// What the other attributes of a partition key of several are.
    pub further: Vec<ValueText>,
    /// What the attributes of a sort key of several are that stand before the last one that is asked for.
    pub leading: Vec<ValueText>,
    /// What is asked of the sort key; of several attributes, of the last one that is asked for.
    pub sort: SortText,
}

/// The one value that is asked for of an attribute.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ValueText {
    /// The text.
    pub parts: Vec<Part>,
    /// The attribute is a number that rows have anyway.
    pub number: bool,
}

/// The partition keys that are asked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PartitionText {
    /// The text, without the tenant's prefix; what a spread adds comes behind it.
    pub parts: Vec<Part>,
    /// Whether there are several partitions.
    pub spread: Spread,
    /// The attribute is a number that rows have anyway.
    pub number: bool,
}

/// How many partitions are asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Spread {
    /// One. If what it shows is given as a range, both ends must say the same partition.
    One,
    /// One for each day of a range, in their order.
    Days {
        /// The parameter that is the range; both its ends are needed.
        parameter: String,
    },
    /// All of them: chance has spread the rows. They are merged by sort key.
    Shards {
        /// How many there are.
        count: usize,
    },
}

/// What is asked of a sort key.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum SortText {
    /// Nothing.
    Any,
    /// That it is this.
    Is {
        /// The text.
        parts: Vec<Part>,
        /// The attribute is a number that rows have anyway.
        number: bool,
    },
    /// That it begins so. The beginning ends before the first optional place for which nothing is given.
    Begins(Vec<Part>),
    /// That it lies between two ends, each of which may be left out.
    Range(Box<RangeText>),
}

/// A range of sort keys.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RangeText {
    /// What stands before the value. Without an end the range still stays inside it.
    pub before: Vec<Part>,
    /// The value: its ends are given as `name.from` and `name.to`.
    pub field: Field,
    /// The attribute is a number that rows have anyway.
    pub number: bool,
    /// The value is a time or a day: an end may be the beginning of one, such as a month.
    pub time: Option<Kind>,
    /// How far the last value reaches.
    pub last: LastValue,
}

/// How far the last value of a range reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastValue {
    /// Keys go on behind the value, in any layout that rows may have: the last one must reach over that.
    pub goes_on: bool,
    /// What follows the value in keys. An end is cut at the first character that comes before it: `blue z` is less than
    /// `blue#..`, although `blue` is less than `blue z`.
    pub delimiter: Option<char>,
    /// Keys may have a more precise time than the format shows: rows of one second have fractions behind it.
    pub fractions: bool,
}

impl LastValue {
    /// Whether something is put behind the last value.
    #[must_use]
    pub const fn reaches_on(self) -> bool {
        self.goes_on || self.fractions
    }
}
