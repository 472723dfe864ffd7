//! What is known of a request beside its content.

use jiff::Timestamp;
use std::net::IpAddr;
use std::time::SystemTime;

/// What is known of a request beside its content and its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Circumstances {
    /// When it came.
    pub time: SystemTime,
    /// From where, if that is known.
    pub source: Option<IpAddr>,
    /// How it came.
    pub transport: Transport,
}

/// How a request came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Transport {
    /// Without encryption.
    #[default]
    Plain,
    /// Through TLS.
    Tls,
}

impl Default for Circumstances {
    /// At the beginning of 1970, from nowhere, without encryption.
    fn default() -> Self {
        Self {
            time: SystemTime::UNIX_EPOCH,
            source: None,
            transport: Transport::Plain,
        }
    }
}

impl Circumstances {
    /// `aws:CurrentTime`, in whole seconds.
    pub(crate) fn current_time(&self) -> String {
        let seconds = self.epoch_seconds();
        Timestamp::from_second(seconds)
            .map_or_else(|_| seconds.to_string(), |time| time.to_string())
    }

    /// `aws:EpochTime`.
    pub(crate) fn epoch_seconds(&self) -> i64 {
        let since = self.time.duration_since(SystemTime::UNIX_EPOCH);
        since.map_or(0, |since| {
            i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
        })
    }
}
