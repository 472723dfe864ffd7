//! A call of a store, with its options, that is carried out when it is awaited.

use crate::error::Error;
use crate::explain::Explanation;
use crate::operation::{
    AnyOperation, Conditional, Get, Log, Operation, Options, Query, Show, Write,
};
use crate::store::Store;
use monotable_item::AttributeValue;
use std::pin::Pin;

/// A call that was not made yet: `.await` makes it. Options exist only where they mean something: a limit on a create does
/// not compile.
#[must_use = "a call does nothing until it is awaited"]
#[derive(Debug)]
pub struct Call<'s, O> {
    store: &'s Store,
    operation: O,
    options: Options,
}

impl<'s, O: Operation> Call<'s, O> {
    pub(crate) fn new(store: &'s Store, operation: O) -> Self {
        Self {
            store,
            operation,
            options: Options::default(),
        }
    }

    /// The operation as a part of a call of another handle. What the call says besides would be lost: its options, and in
    /// whose name it is made.
    pub(crate) fn into_part(self, whole: &Store) -> Result<AnyOperation, Error> {
        let name = O::NAME;
        if !self.store.is_same_caller(whole) {
            return Err(Error::usage(format!(
                "a `{name}` in a transaction is of another caller, tenant or store; make all of it from one handle"
            )));
        }
        if self.options != Options::default() {
            return Err(Error::usage(format!(
                "a `{name}` in a transaction has options of its own; give them to the transaction, or make the call by itself"
            )));
        }
        Ok(self.operation.into())
    }

    /// Sent from this address, which audits note.
    pub fn from_ip(mut self, ip: impl Into<String>) -> Self {
        self.options.request.ip = Some(ip.into());
        self
    }

    /// Sent by this program, service or page, which audits note.
    pub fn from_source(mut self, source: impl Into<String>) -> Self {
        self.options.request.source = Some(source.into());
        self
    }

    /// The requests that the call would send, with their cost. Reads are sent; nothing is written.
    pub async fn explain(self) -> Explanation {
        let operation = self.operation.into();
        self.store.explain(operation, self.options).await
    }
}

impl<O: Write> Call<'_, O> {
    /// Names the call: said again within a day, nothing happens again.
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.options.token = Some(token.into());
        self
    }

    /// Reads and decides, but writes nothing.
    pub fn dry_run(mut self) -> Self {
        self.options.dry_run = true;
        self
    }
}

impl<O: Conditional> Call<'_, O> {
    /// Only if an attribute of the row has this value; null for absent.
    pub fn expecting(mut self, name: impl Into<String>, value: impl Into<AttributeValue>) -> Self {
        self.options.expected.insert(name.into(), value.into());
        self
    }
}

impl Call<'_, Get> {
    /// Sees every write that was acknowledged, where the target can.
    pub fn consistent(mut self) -> Self {
        self.options.consistent = true;
        self
    }
}

impl Call<'_, Query> {
    /// Sees every write that was acknowledged, where the target can.
    pub fn consistent(mut self) -> Self {
        self.options.consistent = true;
        self
    }

    /// At most so many rows.
    pub fn limit(mut self, rows: usize) -> Self {
        self.operation.limit = Some(rows);
        self
    }

    /// From where the page before ended.
    pub fn after(mut self, cursor: impl Into<String>) -> Self {
        self.operation.after = Some(cursor.into());
        self
    }

    /// Against the order of the sort key.
    pub fn descending(mut self) -> Self {
        self.operation.descending = Some(true);
        self
    }
}

impl Call<'_, Log> {
    /// At most so many revisions.
    pub fn limit(mut self, rows: usize) -> Self {
        self.operation.limit = Some(rows);
        self
    }

    /// From where the page before ended.
    pub fn after(mut self, cursor: impl Into<String>) -> Self {
        self.operation.after = Some(cursor.into());
        self
    }

    /// The oldest revision first.
    pub fn oldest_first(mut self) -> Self {
        self.operation.oldest_first = true;
        self
    }
}

impl Call<'_, Show> {
    /// Also rows with a tombstone.
    pub fn with_tombstones(mut self) -> Self {
        self.operation.with_tombstones = true;
        self
    }
}

impl<'s, O: Operation + Send + 's> IntoFuture for Call<'s, O> {
    type Output = Result<O::Output, Error>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 's>>;

    fn into_future(self) -> Self::IntoFuture {
        let Self {
            store,
            operation,
            options,
        } = self;
        let operation = operation.into();
        Box::pin(async move {
            let output = store.carry_out(&operation, &options).await?;
            O::take_output(output)
                .ok_or_else(|| Error::integrity("an operation answered with another kind"))
        })
    }
}
