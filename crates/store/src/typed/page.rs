//! Rows of access patterns, page by page.

use super::row_reader::FromRow;
use crate::error::Error;
use crate::explain::Explanation;
use crate::operation::{Page, Query};
use crate::row::Row;
use crate::store::Store;
use futures_util::stream::{self, Stream};
use monotable_item::Item;
use std::pin::Pin;

/// A page of rows. `F` is what `follow` of the pattern brings along.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedPage<T, F = Row> {
    /// The rows.
    pub rows: Vec<T>,
    /// Rows that came along, each once.
    pub followed: Vec<F>,
    /// Items that the model does not know, of a pattern whose rows some row owns.
    pub unknown: Vec<Item>,
    /// Rows that are referred to and not there.
    pub dangling: Vec<String>,
    /// How many rows were read that the caller may not see.
    pub hidden: usize,
    /// Where the next page begins; none if there is nothing more.
    pub cursor: Option<String>,
}

impl<T, F> TypedPage<T, F>
where
    T: FromRow,
    F: FromRow,
{
    pub(super) fn from_page(page: Page) -> Result<Self, Error> {
        let rows = page.rows.into_iter().map(T::from_row);
        let followed = page.followed.into_iter().map(F::from_row);
        Ok(Self {
            rows: rows.collect::<Result<_, _>>()?,
            followed: followed.collect::<Result<_, _>>()?,
            unknown: page.unknown,
            dangling: page.dangling,
            hidden: page.hidden,
            cursor: page.cursor,
        })
    }
}

/// The rows of an access pattern: `.await` reads one page, [`Listing::rows`] is a stream of all of them.
#[must_use = "a listing reads nothing until it is awaited"]
#[derive(Clone, Debug)]
pub struct Listing<'s, T, F = Row> {
    store: &'s Store,
    query: Query,
    consistent: bool,
    read: fn(Page) -> Result<TypedPage<T, F>, Error>,
}

impl<'s, T, F> Listing<'s, T, F>
where
    T: FromRow,
    F: FromRow,
{
    /// The rows of a pattern.
    pub fn new(store: &'s Store, pattern: &str, parameters: Item) -> Self {
        Self {
            store,
            query: Query {
                pattern: pattern.to_owned(),
                parameters,
                ..Query::default()
            },
            consistent: false,
            read: TypedPage::from_page,
        }
    }
}

impl<'s, T, F> Listing<'s, T, F> {
    /// At most so many rows on a page.
    pub const fn limit(mut self, rows: usize) -> Self {
        self.query.limit = Some(rows);
        self
    }

    /// From where the page before ended.
    pub fn after(mut self, cursor: impl Into<String>) -> Self {
        self.query.after = Some(cursor.into());
        self
    }

    /// Against the order of the sort key.
    pub const fn descending(mut self) -> Self {
        self.query.descending = Some(true);
        self
    }

    /// In the order of the sort key.
    pub const fn ascending(mut self) -> Self {
        self.query.descending = Some(false);
        self
    }

    /// Sees every write that was acknowledged, where the target can.
    pub const fn consistent(mut self) -> Self {
        self.consistent = true;
        self
    }

    /// The requests that the first page would send, with their cost.
    pub async fn explain(self) -> Explanation {
        self.to_call().explain().await
    }

    fn to_call(&self) -> crate::store::Call<'s, Query> {
        let call = self.store.call(self.query.clone());
        if self.consistent {
            call.consistent()
        } else {
            call
        }
    }
}

impl<'s, T: Send + 's, F: Send + 's> Listing<'s, T, F> {
    /// All rows, page by page as they are asked for.
    pub fn rows(self) -> Pin<Box<dyn Stream<Item = Result<T, Error>> + Send + 's>> {
        let begin = Position {
            listing: self,
            ready: Vec::new().into_iter(),
            is_last: false,
        };
        Box::pin(stream::try_unfold(begin, Position::next))
    }

    /// All rows, if there are no more than `most`; else the call fails, and nothing is held.
    pub async fn all(self, most: usize) -> Result<Vec<T>, Error> {
        let mut listing = self;
        let mut rows = Vec::new();
        loop {
            let page = listing.read_page().await?;
            rows.extend(page.rows);
            if rows.len() > most {
                let message = format!(
                    "there are more than {most} rows; ask for more, or read them page by page"
                );
                return Err(Error::usage(message));
            }
            match page.cursor {
                Some(cursor) => listing.query.after = Some(cursor),
                None => return Ok(rows),
            }
        }
    }

    async fn read_page(&self) -> Result<TypedPage<T, F>, Error> {
        (self.read)(self.to_call().await?)
    }
}

/// How far a stream of rows has come.
struct Position<'s, T, F> {
    listing: Listing<'s, T, F>,
    ready: std::vec::IntoIter<T>,
    is_last: bool,
}

impl<'s, T: Send + 's, F: Send + 's> Position<'s, T, F> {
    async fn next(mut self) -> Result<Option<(T, Self)>, Error> {
        loop {
            if let Some(row) = self.ready.next() {
                return Ok(Some((row, self)));
            }
            if self.is_last {
                return Ok(None);
            }
            let page = self.listing.read_page().await?;
            self.ready = page.rows.into_iter();
            self.is_last = page.cursor.is_none();
            self.listing.query.after = page.cursor;
        }
    }
}

impl<'s, T: Send + 's, F: Send + 's> IntoFuture for Listing<'s, T, F> {
    type Output = Result<TypedPage<T, F>, Error>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 's>>;

    fn into_future(self) -> Self::IntoFuture {
        let Self { read, .. } = self;
        let call = self.to_call().into_future();
        Box::pin(async move { read(call.await?) })
    }
}
