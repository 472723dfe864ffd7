//! What a line of the access log tells.

use crate::request_id::RequestId;
use crate::signature::write_time;
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::borrow::Cow;
use std::net::SocketAddr;
use std::time::{Duration, SystemTime};

/// Longest id of an access key that is written as it came.
const LONGEST_ID: usize = 128;

/// One request, as the access log tells of it.
pub(crate) struct Entry {
    pub(crate) time: SystemTime,
    pub(crate) id: RequestId,
    pub(crate) peer: SocketAddr,
    pub(crate) key: Option<AccessKeyUse>,
    /// The operation, or the page.
    pub(crate) operation: Option<Cow<'static, str>>,
    pub(crate) tables: Vec<String>,
    pub(crate) status: u16,
    /// The exception, or the reason of a refusal.
    pub(crate) error: Option<&'static str>,
    pub(crate) is_refused: bool,
    pub(crate) bytes_in: usize,
    pub(crate) bytes_out: u64,
    pub(crate) took: Duration,
}

/// The access key that a request says it is signed with.
pub(crate) struct AccessKeyUse {
    id: String,
    /// Whether the signature was verified.
    pub(crate) is_verified: bool,
}

impl AccessKeyUse {
    /// A key that is claimed and not verified yet.
    pub(crate) fn claimed(id: &str) -> Self {
        // It can be any text that fits in a header.
        let end = id.floor_char_boundary(LONGEST_ID);
        Self {
            id: id.get(..end).unwrap_or_default().to_owned(),
            is_verified: false,
        }
    }

    /// A caller that has proved who it is.
    pub(crate) fn verified(id: &str) -> Self {
        Self {
            is_verified: true,
            ..Self::claimed(id)
        }
    }
}

impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("time", &write_time(self.time))?;
        map.serialize_entry("id", &self.id.to_string())?;
        map.serialize_entry("peer", &self.peer)?;
        let key = self.key.as_ref();
        map.serialize_entry("key", &key.map(|key| &key.id))?;
        map.serialize_entry("verified", &key.is_some_and(|key| key.is_verified))?;
        map.serialize_entry("operation", &self.operation)?;
        map.serialize_entry("tables", &self.tables)?;
        map.serialize_entry("status", &self.status)?;
        map.serialize_entry("error", &self.error)?;
        map.serialize_entry("refused", &self.is_refused)?;
        map.serialize_entry("bytes_in", &self.bytes_in)?;
        map.serialize_entry("bytes_out", &self.bytes_out)?;
        let microseconds = u64::try_from(self.took.as_micros()).unwrap_or(u64::MAX);
        map.serialize_entry("microseconds", &microseconds)?;
        map.end()
    }
}
