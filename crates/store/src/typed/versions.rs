//! Answers of repositories that have types.

use super::call::TypedCall;
use super::row_reader::FromRow;
use crate::error::Error;
use crate::operation::{Committed, Diff, Difference, Differences, Link, Operation, Show, Snapshot};
use crate::store::Call;

/// What came of a commit.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedCommitted<T> {
    /// The rows of the new revisions; none if there was nothing to do.
    pub revisions: Vec<T>,
    /// What was committed all the same: references to rows that are not there.
    pub warnings: Vec<String>,
}

/// The rows of a revision, in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedSnapshot<T> {
    /// The revision.
    pub revision: String,
    /// Its rows.
    pub rows: Vec<T>,
    /// What relations of the revision lead to what: positions in the rows.
    pub links: Vec<Link>,
}

/// What two revisions differ in.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedDifferences<T> {
    /// The one.
    pub from: String,
    /// The other.
    pub to: String,
    /// Rows that are not alike in both.
    pub rows: Vec<TypedDifference<T>>,
}

/// A row that differs.
#[derive(Clone, Debug, PartialEq)]
pub enum TypedDifference<T> {
    /// Only the second has it.
    Added(T),
    /// Only the first has it.
    Removed(T),
    /// It stands elsewhere in its order, and nothing else is different.
    Moved {
        /// As it was.
        before: T,
        /// As it is.
        after: T,
    },
    /// It says something else.
    Changed {
        /// As it was.
        before: T,
        /// As it is.
        after: T,
        /// The attributes that differ.
        attributes: Vec<String>,
    },
}

impl<'s, O, T> TypedCall<'s, O, TypedCommitted<T>>
where
    O: Operation<Output = Committed>,
    T: FromRow,
{
    /// A call that makes revisions.
    pub fn committed(call: Call<'s, O>) -> Self {
        Self::new(call, |committed| {
            let committed: Committed = committed?;
            let revisions = committed.revisions.into_iter().map(T::from_row);
            Ok(TypedCommitted {
                revisions: revisions.collect::<Result<_, _>>()?,
                warnings: committed.warnings,
            })
        })
    }
}

impl<'s, T: FromRow> TypedCall<'s, Show, TypedSnapshot<T>> {
    /// A call that shows a revision.
    pub fn snapshot(call: Call<'s, Show>) -> Self {
        Self::new(call, |snapshot| {
            let snapshot: Snapshot = snapshot?;
            let rows = snapshot.rows.into_iter().map(T::from_row);
            Ok(TypedSnapshot {
                revision: snapshot.revision,
                rows: rows.collect::<Result<_, _>>()?,
                links: snapshot.links,
            })
        })
    }
}

impl<'s, T: FromRow> TypedCall<'s, Diff, TypedDifferences<T>> {
    /// A call that compares two revisions.
    pub fn differences(call: Call<'s, Diff>) -> Self {
        Self::new(call, |differences| {
            let differences: Differences = differences?;
            let rows = differences.rows.into_iter().map(read_difference);
            Ok(TypedDifferences {
                from: differences.from,
                to: differences.to,
                rows: rows.collect::<Result<_, _>>()?,
            })
        })
    }
}

fn read_difference<T>(difference: Difference) -> Result<TypedDifference<T>, Error>
where
    T: FromRow,
{
    Ok(match difference {
        Difference::Added(row) => TypedDifference::Added(T::from_row(row)?),
        Difference::Removed(row) => TypedDifference::Removed(T::from_row(row)?),
        Difference::Moved { before, after } => TypedDifference::Moved {
            before: T::from_row(before)?,
            after: T::from_row(after)?,
        },
        Difference::Changed {
            before,
            after,
            attributes,
        } => TypedDifference::Changed {
            before: T::from_row(before)?,
            after: T::from_row(after)?,
            attributes,
        },
    })
}
