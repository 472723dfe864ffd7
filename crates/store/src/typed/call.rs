//! Calls whose answers have types.

use super::page::TypedPage;
use super::row_reader::FromRow;
use crate::error::{Error, ErrorKind};
use crate::explain::Explanation;
use crate::operation::{Conditional, Get, Log, Operation, Page, Query, Show, Write};
use crate::row::Row;
use crate::store::Call;
use monotable_item::AttributeValue;
use std::pin::Pin;

/// A call that was not made yet: `.await` makes it, and turns the answer into a `T`.
#[must_use = "a call does nothing until it is awaited"]
pub struct TypedCall<'s, O: Operation, T> {
    pub(super) call: Call<'s, O>,
    pub(super) read: fn(Result<O::Output, Error>) -> Result<T, Error>,
    /// Why it cannot be made at all.
    pub(super) refused: Option<Error>,
}

impl<O: Operation, T> std::fmt::Debug for TypedCall<'_, O, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TypedCall")
            .field("of", &O::NAME)
            .finish_non_exhaustive()
    }
}

impl<'s, O: Operation, T> TypedCall<'s, O, T> {
    /// A call, and how its answer becomes a `T`.
    pub const fn new(
        call: Call<'s, O>,
        read: fn(Result<O::Output, Error>) -> Result<T, Error>,
    ) -> Self {
        let refused = None;
        Self {
            call,
            read,
            refused,
        }
    }

    /// Sent from this address, which audits note.
    pub fn from_ip(self, ip: impl Into<String>) -> Self {
        self.map(|call| call.from_ip(ip))
    }

    /// Sent by this program, service or page, which audits note.
    pub fn from_source(self, source: impl Into<String>) -> Self {
        self.map(|call| call.from_source(source))
    }

    /// The requests that the call would send, with their cost. Reads are sent; nothing is written.
    pub async fn explain(self) -> Explanation {
        self.call.explain().await
    }

    fn map(self, change: impl FnOnce(Call<'s, O>) -> Call<'s, O>) -> Self {
        Self {
            call: change(self.call),
            ..self
        }
    }
}

impl<'s, O: Operation<Output = Row>, T: FromRow> TypedCall<'s, O, T> {
    /// A call that answers with one row.
    pub fn row(call: Call<'s, O>) -> Self {
        Self::new(call, |row| T::from_row(row?))
    }
}

impl<'s, T: FromRow> TypedCall<'s, Get, Option<T>> {
    /// A call that answers with the row, or with nothing if there is none.
    pub fn found(call: Call<'s, Get>) -> Self {
        Self::new(call, |row| match row {
            Ok(row) => T::from_row(row).map(Some),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        })
    }
}

impl<'s, T: FromRow> TypedCall<'s, Query, Option<T>> {
    /// A call of a pattern that answers with one row at most.
    pub fn first(call: Call<'s, Query>) -> Self {
        Self::new(call, |page: Result<Page, Error>| {
            page?.rows.into_iter().next().map(T::from_row).transpose()
        })
    }
}

impl<'s, T, F> TypedCall<'s, Log, TypedPage<T, F>>
where
    T: FromRow,
    F: FromRow,
{
    /// A call of the log of a repository.
    pub fn log(call: Call<'s, Log>) -> Self {
        Self::new(call, |page| TypedPage::from_page(page?))
    }
}

impl<O: Write, T> TypedCall<'_, O, T> {
    /// Names the call: said again within a day, nothing happens again.
    pub fn token(self, token: impl Into<String>) -> Self {
        self.map(|call| call.token(token))
    }

    /// Reads and decides, but writes nothing.
    pub fn dry_run(self) -> Self {
        self.map(Call::dry_run)
    }
}

impl<O: Conditional, T> TypedCall<'_, O, T> {
    /// Only if an attribute of the row has this value, under its name in the model; null for absent.
    pub fn expecting(self, name: impl Into<String>, value: impl Into<AttributeValue>) -> Self {
        self.map(|call| call.expecting(name, value))
    }
}

impl<T> TypedCall<'_, Get, T> {
    /// Sees every write that was acknowledged, where the target can.
    pub fn consistent(self) -> Self {
        self.map(Call::<Get>::consistent)
    }
}

impl<T> TypedCall<'_, Query, T> {
    /// Sees every write that was acknowledged, where the target can.
    pub fn consistent(self) -> Self {
        self.map(Call::<Query>::consistent)
    }
}

impl<T> TypedCall<'_, Log, T> {
    /// At most so many revisions.
    pub fn limit(self, rows: usize) -> Self {
        self.map(|call| call.limit(rows))
    }

    /// From where the page before ended.
    pub fn after(self, cursor: impl Into<String>) -> Self {
        self.map(|call| call.after(cursor))
    }

    /// The oldest revision first.
    pub fn oldest_first(self) -> Self {
        self.map(Call::oldest_first)
    }
}

impl<T> TypedCall<'_, Show, T> {
    /// Also rows with a tombstone.
    pub fn with_tombstones(self) -> Self {
        self.map(Call::with_tombstones)
    }
}

impl<'s, O: Operation + Send + 's, T: 's> IntoFuture for TypedCall<'s, O, T>
where
    O::Output: Send,
{
    type Output = Result<T, Error>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 's>>;

    fn into_future(self) -> Self::IntoFuture {
        let Self {
            call,
            read,
            refused,
        } = self;
        let call = call.into_future();
        Box::pin(async move {
            match refused {
                Some(error) => Err(error),
                None => read(call.await),
            }
        })
    }
}
