//! Live events: server-sent events that tell open pages that something has happened. They carry numbers and no data.

use crate::context::Events;
use crate::workbench::Workbench;
use bytes::Bytes;
use futures_util::stream::{self, BoxStream, StreamExt};
use serde_json::json;
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;

/// So many pages are told at once; others ask by themselves.
pub(crate) const MOST_STREAMS: usize = 64;
/// Happenings within this time are told together, whatever the number of calls.
const PACE: Duration = Duration::from_millis(200);
/// A sign of life, by which both sides notice that the other has gone.
const SIGN_OF_LIFE: Duration = Duration::from_secs(10);
/// Then the page asks again, and shows its proof again.
const LONGEST: Duration = Duration::from_secs(600);

/// What has happened so far, as the page's modules read it.
pub(crate) fn write_events(events: &Events) -> serde_json::Value {
    json!({ "calls": events.calls, "writes": events.writes, "models": events.models })
}

struct Listener {
    bench: Workbench,
    told: Option<String>,
    spoke: Instant,
    end: Instant,
    /// Given back when the page has gone.
    _place: OwnedSemaphorePermit,
}

/// The events as they come. It ends when the server does, so that nobody waits for it.
pub(crate) fn tell(bench: Workbench, place: OwnedSemaphorePermit) -> BoxStream<'static, Bytes> {
    let now = Instant::now();
    let telling = Listener {
        bench,
        told: None,
        spoke: now,
        end: now + LONGEST,
        _place: place,
    };
    stream::unfold(telling, next).boxed()
}

async fn next(mut telling: Listener) -> Option<(Bytes, Listener)> {
    loop {
        if telling.bench.is_closed() || Instant::now() >= telling.end {
            return None;
        }
        // A program that calls all the time would otherwise be told of for every call.
        let rest = PACE.saturating_sub(telling.spoke.elapsed());
        if telling.told.is_some() && !rest.is_zero() {
            tokio::time::sleep(rest).await;
            continue;
        }
        let events = write_events(&Events::read(&telling.bench)).to_string();
        if telling.told.as_ref() != Some(&events) {
            let line = format!("data: {events}\n\n");
            telling.told = Some(events);
            return Some(telling.speak(line));
        }
        if telling.spoke.elapsed() >= SIGN_OF_LIFE {
            return Some(telling.speak(":\n\n".to_owned()));
        }
        tokio::time::sleep(PACE).await;
    }
}

impl Listener {
    fn speak(mut self, line: String) -> (Bytes, Self) {
        self.spoke = Instant::now();
        (Bytes::from(line), self)
    }
}
