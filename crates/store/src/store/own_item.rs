//! What a store does with its own item.

use super::Store;
use crate::error::{Clash, Error};
use crate::interrupt::Interrupt;
use crate::operation::Options;
use crate::reader::OwnedReader;
use crate::steps::Steps;
use crate::store_item::{self, Found, Recorded, read_templates};
use std::collections::BTreeSet;

impl Store {
    /// Refuses to write with templates that rows of the store do not have. Each process asks until it has been answered.
    pub(crate) async fn compare_templates(&self) -> Result<(), Error> {
        self.with_own_item(|owned| async move { store_item::compare(&owned.reader()).await })
            .await
    }

    /// Refuses to repair rows and guards that the model would not find. Keys of indexes are what a repair writes anew.
    pub(crate) async fn refuse_lost_keys(&self) -> Result<(), Error> {
        self.with_own_item(
            |owned| async move { store_item::refuse_lost_keys(&owned.reader()).await },
        )
        .await
    }

    /// Asks again, whatever is known: tables may have been made since.
    pub(crate) async fn compare_templates_anew(&self) -> Result<(), Error> {
        self.runtime.own.set_compared(false);
        self.compare_templates().await
    }

    /// The templates that rows of the store may have; none if that cannot be read.
    pub(crate) async fn recorded_templates(&self) -> Result<Option<Recorded>, Error> {
        self.with_own_item(|owned| async move {
            let reader = owned.reader();
            match store_item::open(&reader).await? {
                Found::Item(item) => Ok(Some(read_templates(&item))),
                Found::Denied | Found::NoTable => Ok(None),
            }
        })
        .await
    }

    /// Adds templates that rows of the store may have.
    pub(crate) async fn record_templates(&self, templates: Recorded) -> Result<(), Error> {
        self.with_own_item(|owned| async move {
            store_item::record_templates(&owned.reader(), &templates).await
        })
        .await
    }

    /// Says that rows have no other template than this one any more, if nobody has recorded others since.
    pub(crate) async fn replace_templates(
        &self,
        name: &str,
        known: &BTreeSet<String>,
        text: &str,
    ) -> Result<(), Error> {
        let (name, known, text) = (name.to_owned(), known.clone(), text.to_owned());
        self.with_own_item(|owned| async move {
            store_item::replace_templates(&owned.reader(), &name, known, &text).await
        })
        .await
    }

    /// Gives the store a new secret. Cursors that were sealed with the one before still open; older ones do not.
    pub async fn renew_secret(&self) -> Result<(), Error> {
        self.with_own_item(|owned| async move { store_item::renew(&owned.reader()).await })
            .await
    }

    /// Reads the secret before an operation needs it, if a cursor is given. What an explanation shows is then the
    /// operation alone.
    pub(crate) async fn read_secret(&self) -> Result<(), Error> {
        if self.runtime.own.known().is_some() {
            return Ok(());
        }
        self.with_own_item(|owned| async move { store_item::open(&owned.reader()).await.map(drop) })
            .await
    }

    /// Reads who may have written the rows, before an operation that is only explained or tried needs it.
    pub(crate) async fn read_row_history(&self) -> Result<(), Error> {
        if self.runtime.own.rows().is_some() {
            return Ok(());
        }
        self.with_own_item(|owned| async move {
            store_item::row_history(&owned.reader()).await.map(drop)
        })
        .await
    }

    /// Does something with the store's own item.
    pub(crate) async fn with_own_item<T, F>(
        &self,
        act: impl FnOnce(OwnedReader) -> F,
    ) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Interrupt>> + Send,
    {
        let scope = self.scope(&Options::default());
        let acted = act(OwnedReader::new(scope, Steps::direct(&self.executor)));
        acted.await.map_err(|stop| match stop {
            Interrupt::Fail(error) => error,
            Interrupt::Restart | Interrupt::RestartAvoiding(_) => {
                Error::conflict("store", Clash::Contended)
            }
        })
    }
}
