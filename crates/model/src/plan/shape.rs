//! What a caller gives to a pattern, and what is done with its rows.

use super::route::RowRoute;
use crate::model::{EntityId, Generator, Kind, Mode, Predicate};
use serde::{Deserialize, Serialize};

/// What a caller of a pattern gives.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlanParameter {
    /// Its name: that of an attribute.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
    /// How much of it: a value, one that may be left out, a beginning, a range.
    pub mode: Mode,
    /// A key shows its mask: it may be given so.
    pub takes_mask: bool,
    /// A key shows its day: the day is enough.
    pub takes_day: bool,
    /// It is made so. Of ids that are made of times, a time stands for the first or the last one of its millisecond.
    pub generated: Option<Generator>,
    /// All shards are read and nothing else asks for it: it is refused, so that nobody thinks that it narrows what is read.
    pub is_refused: bool,
}

/// Which rows are kept, decided by the store one by one. DynamoDB is not asked to: it would see stored names, old spellings
/// and old versions, and its pages would be shorter than asked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Keep {
    /// Rows of these.
    pub entities: Vec<EntityId>,
    /// Rows of these are met and left out.
    pub drops: Vec<EntityId>,
    /// Whose texts are in these ranges, or begin so: keys go on behind a value, so their order is not quite that of values.
    pub within: Vec<Within>,
    /// That satisfy this.
    pub filter: Option<Predicate>,
    /// A row owns what is read, so items that the model does not know are told of.
    pub tells_unknown: bool,
}

/// A text that is compared again once it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Within {
    /// It lies between both ends of this parameter.
    Range(String),
    /// It begins as this parameter says.
    Begins(String),
}

/// What is done with all rows of a pattern.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Shape {
    /// Rows that agree on these are one.
    pub distinct: Vec<String>,
    /// The two ends of a relation are one pair, whatever their order.
    pub distinct_pairs: bool,
    /// They are in the order of these.
    pub sort: Vec<String>,
    /// They are in descending order.
    pub descending: bool,
    /// There is at most one; a second is an error.
    pub one: bool,
    /// The most of a page.
    pub limit: Option<usize>,
    /// How pages follow each other.
    pub paging: Paging,
    /// The attributes that are answered; all if empty.
    pub only: Vec<String>,
}

/// How pages follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Paging {
    /// A page begins behind the key of the last row of the one before.
    ByKey,
    /// All rows are read; a page begins behind so many of them.
    ByCount,
}

/// Rows that come along: those that a reference names.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Follow {
    /// The reference.
    pub attribute: String,
    /// Where it leads, for each entity of the pattern that has it.
    pub references: Vec<FollowedReference>,
}

/// A reference of one entity that is followed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FollowedReference {
    /// The entity that refers.
    pub source: EntityId,
    /// It is a list of references.
    pub many: bool,
    /// The row it names.
    pub to: RowRoute,
}
