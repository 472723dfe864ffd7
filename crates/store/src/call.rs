//! A call of a store, with its options, that is carried out when it is awaited.

use crate::error::Error;
use crate::operation::{Operation, Options, Outcome, Page};
use crate::repository::{Committed, Differences, PurgeReport, Snapshot, SweepReport, Task};
use crate::row::Row;
use crate::store::Store;
use monotable_item::AttributeValue;
use std::marker::PhantomData;
use std::pin::Pin;

/// A call that was not made yet: `.await` makes it.
#[must_use = "a call does nothing until it is awaited"]
#[derive(Debug)]
pub struct Call<'s, T> {
    store: &'s Store,
    operation: Operation,
    options: Options,
    result: PhantomData<fn() -> T>,
}

/// What a kind of call answers with.
pub trait Answered: Sized {
    /// Takes it out of the outcome.
    fn of(outcome: Outcome) -> Option<Self>;
}

macro_rules! answered {
    ($($kind:ty: $variant:ident;)+) => {
        $(
            impl Answered for $kind {
                fn of(outcome: Outcome) -> Option<Self> {
                    match outcome {
                        Outcome::$variant(answer) => Some(answer),
                        _ => None,
                    }
                }
            }
        )+
    };
}

answered! {
    Row: Row;
    Page: Page;
    Vec<Row>: Rows;
    bool: Flag;
    Committed: Committed;
    Snapshot: Snapshot;
    Differences: Differences;
    SweepReport: SweepReport;
    PurgeReport: PurgeReport;
}

impl<'s, T> Call<'s, T> {
    pub(crate) fn new(store: &'s Store, operation: Operation) -> Self {
        Self {
            store,
            operation,
            options: Options::default(),
            result: PhantomData,
        }
    }

    /// Only if an attribute of the row has this value; null for absent.
    pub fn expecting(mut self, name: impl Into<String>, value: impl Into<AttributeValue>) -> Self {
        self.options.expected.insert(name.into(), value.into());
        self
    }

    /// Named by this: said again within ten minutes, nothing happens again.
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.options.token = Some(token.into());
        self
    }

    /// Sees every write that was acknowledged, where the target can.
    pub const fn consistent(mut self) -> Self {
        self.options.consistent = true;
        self
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

    /// Reads and decides, but writes nothing.
    pub const fn dry_run(mut self) -> Self {
        self.options.dry_run = true;
        self
    }

    /// At most so many rows.
    pub const fn limit(mut self, rows: usize) -> Self {
        match &mut self.operation {
            Operation::Query(query) => query.limit = Some(rows),
            Operation::Repository {
                task: Task::Log { limit, .. },
                ..
            } => *limit = Some(rows),
            _ => {}
        }
        self
    }

    /// From where the page before ended.
    pub fn after(mut self, page: impl Into<String>) -> Self {
        match &mut self.operation {
            Operation::Query(query) => query.cursor = Some(page.into()),
            Operation::Repository {
                task: Task::Log { cursor, .. },
                ..
            } => *cursor = Some(page.into()),
            _ => {}
        }
        self
    }

    /// Against the order of the sort key.
    pub const fn descending(mut self) -> Self {
        if let Operation::Query(query) = &mut self.operation {
            query.descending = Some(true);
        }
        self
    }

    /// The oldest revision first.
    pub const fn oldest_first(mut self) -> Self {
        if let Operation::Repository {
            task: Task::Log { oldest_first, .. },
            ..
        } = &mut self.operation
        {
            *oldest_first = true;
        }
        self
    }

    /// Also rows with a tombstone.
    pub const fn with_tombstones(mut self) -> Self {
        if let Operation::Repository {
            task: Task::Show { buried, .. },
            ..
        } = &mut self.operation
        {
            *buried = true;
        }
        self
    }
}

impl<'s, T: Answered + 's> IntoFuture for Call<'s, T> {
    type Output = Result<T, Error>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 's>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let outcome = self.store.run(self.operation, self.options).await?;
            T::of(outcome)
                .ok_or_else(|| Error::integrity("an operation answered with another kind"))
        })
    }
}
