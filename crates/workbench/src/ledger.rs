//! What one call sends: noted while the call is carried out, by whatever sends requests for it.

use std::sync::{Arc, Mutex, PoisonError};

tokio::task_local! {
    static CURRENT: Ledger;
}

/// So many items of one request are named.
const MOST_WRITTEN: usize = 32;
/// A text that somebody sent is cut after so many characters: what is kept stays bounded.
const LONGEST_TEXT: usize = 200;

/// Units of a table or an index.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlaceUnits {
    /// The table, or the table and the index: `Yggdrasil/GSI1`.
    pub(crate) of: String,
    pub(crate) read: f64,
    pub(crate) write: f64,
}

/// What a request does to an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    Put,
    Update,
    Delete,
}

/// An item that a request writes, by its key. Its values are not kept: they may be secret.
#[derive(Clone, Debug)]
pub(crate) struct WrittenItem {
    pub(crate) table: Arc<str>,
    pub(crate) partition: String,
    pub(crate) sort: Option<String>,
    pub(crate) deed: Deed,
}

/// A request that was sent.
#[derive(Clone, Debug)]
pub(crate) struct RequestRecord {
    pub(crate) operation: &'static str,
    pub(crate) units: Vec<PlaceUnits>,
    pub(crate) written: Vec<WrittenItem>,
    /// Items that are written beside those that are named.
    pub(crate) further: usize,
    pub(crate) is_refused: bool,
}

impl RequestRecord {
    /// Keeps as many items as are named.
    pub(crate) fn with_written(mut self, mut written: Vec<WrittenItem>) -> Self {
        self.further = written.len().saturating_sub(MOST_WRITTEN);
        written.truncate(MOST_WRITTEN);
        self.written = written;
        self
    }
}

/// The requests of one call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger {
    requests: Arc<Mutex<Vec<RequestRecord>>>,
}

impl Ledger {
    /// Carries a call out; requests that are sent meanwhile are its own.
    pub(crate) async fn follow<F: Future>(&self, call: F) -> F::Output {
        CURRENT.scope(self.clone(), call).await
    }

    /// The requests so far.
    pub(crate) fn take(&self) -> Vec<RequestRecord> {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *requests)
    }

    fn push(&self, record: RequestRecord) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        requests.push(record);
    }
}

/// Whether a call is being followed: only then requests are noted.
pub(crate) fn is_followed() -> bool {
    CURRENT.try_with(|_| ()).is_ok()
}

/// Notes a request of the call that is being carried out.
pub(crate) fn note(record: RequestRecord) {
    // Without a call there is nobody who would be told.
    let _ = CURRENT.try_with(|ledger| ledger.push(record));
}

/// A text of a caller, as long as it is kept.
pub(crate) fn cut_text(text: &str) -> String {
    cut_after(text, LONGEST_TEXT).to_owned()
}

/// The beginning of a text, up to so many characters. Most texts are shorter, which their number of bytes tells.
pub(crate) fn cut_after(text: &str, characters: usize) -> &str {
    if text.len() <= characters {
        return text;
    }
    let end = text.char_indices().nth(characters);
    end.and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}
