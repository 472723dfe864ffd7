use std::fmt;

use crate::event::{CREATED, Event, OPENED, RESIZING, SYNC_FAILED, SYNCED, WRITING};

/// A record that no shim has written, at this position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DamagedLog {
    /// The bytes before it.
    pub position: usize,
}

impl fmt::Display for DamagedLog {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "the event log is damaged at byte {}",
            self.position
        )
    }
}

impl std::error::Error for DamagedLog {}

/// Reads a log up to its end, or up to a record that a kill cut short.
///
/// Stopping there loses nothing: what a record announces happens only after it is written.
///
/// # Errors
///
/// When a whole record makes no sense.
pub fn read(log: &[u8]) -> Result<Vec<Event>, DamagedLog> {
    let mut rest = log;
    let mut events = Vec::new();
    while let Some(mut body) = next_body(&mut rest) {
        let position = log.len() - rest.len() - body.len();
        events.push(event(&mut body).ok_or(DamagedLog { position })?);
    }
    Ok(events)
}

fn next_body<'a>(log: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(number(log)?).ok()?;
    let (body, rest) = log.split_at_checked(length)?;
    *log = rest;
    Some(body)
}

fn event(body: &mut &[u8]) -> Option<Event> {
    let (kind, rest) = body.split_first()?;
    *body = rest;
    Some(match *kind {
        OPENED | CREATED => Event::Opened {
            file: number(body)?,
            device: number(body)?,
            inode: number(body)?,
            created: *kind == CREATED,
        },
        WRITING => Event::Writing {
            file: number(body)?,
            offset: number(body)?,
            length: number(body)?,
            size: number(body)?,
            old: body.to_vec(),
        },
        RESIZING => Event::Resizing {
            file: number(body)?,
            from: number(body)?,
            to: number(body)?,
            old: body.to_vec(),
        },
        SYNCED => Event::Synced {
            file: number(body)?,
            changes: number(body)?,
        },
        SYNC_FAILED => Event::SyncFailed {
            file: number(body)?,
            changes: number(body)?,
        },
        _ => return None,
    })
}

fn number(bytes: &mut &[u8]) -> Option<u64> {
    let (number, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(u64::from_le_bytes(*number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_event() -> impl Strategy<Value = Event> {
        let numbers = any::<(u64, u64, u64, u64)>();
        (0..5, numbers, any::<bool>(), any::<Vec<u8>>()).prop_map(
            |(kind, (file, a, b, c), created, old)| match kind {
                0 => Event::Opened {
                    file,
                    device: a,
                    inode: b,
                    created,
                },
                1 => Event::Writing {
                    file,
                    offset: a,
                    length: b,
                    size: c,
                    old,
                },
                2 => Event::Resizing {
                    file,
                    from: a,
                    to: b,
                    old,
                },
                3 => Event::Synced { file, changes: a },
                _ => Event::SyncFailed { file, changes: a },
            },
        )
    }

    proptest! {
        #[test]
        fn what_was_encoded_is_read(events in prop::collection::vec(any_event(), 0..20)) {
            let mut log = Vec::new();
            for event in &events {
                event.encode(&mut log);
            }
            prop_assert_eq!(read(&log), Ok(events));
        }

        #[test]
        fn a_log_cut_anywhere_is_read_up_to_the_cut(
            events in prop::collection::vec(any_event(), 1..10),
            cut in any::<prop::sample::Index>(),
        ) {
            let mut log = Vec::new();
            let mut ends = Vec::new();
            for event in &events {
                event.encode(&mut log);
                ends.push(log.len());
            }
            let cut = cut.index(log.len());
            let whole = ends.iter().filter(|end| **end <= cut).count();
            prop_assert_eq!(read(&log[..cut]), Ok(events[..whole].to_vec()));
        }
    }

    #[test]
    fn a_record_of_unknown_kind_is_damage() {
        let mut log = Vec::new();
        Event::Synced {
            file: 1,
            changes: 1,
        }
        .encode(&mut log);
        log[8] = 99;
        assert_eq!(read(&log), Err(DamagedLog { position: 8 }));
    }
}
