use crate::event::{CREATED, Event, OPENED, RESIZING, SYNC_FAILED, SYNCED, WRITING};

impl Event {
    /// Appends the record: its length (8 bytes), its kind (1 byte), its numbers (8 bytes each, little
    /// endian), and the old bytes up to its end.
    pub fn encode(&self, log: &mut Vec<u8>) {
        match self {
            Self::Opened {
                file,
                device,
                inode,
                created,
            } => {
                let kind = if *created { CREATED } else { OPENED };
                record(log, kind, &[*file, *device, *inode], &[]);
            }
            Self::Writing {
                file,
                offset,
                length,
                size,
                old,
            } => record(log, WRITING, &[*file, *offset, *length, *size], old),
            Self::Resizing {
                file,
                from,
                to,
                old,
            } => record(log, RESIZING, &[*file, *from, *to], old),
            Self::Synced { file, changes } => record(log, SYNCED, &[*file, *changes], &[]),
            Self::SyncFailed { file, changes } => {
                record(log, SYNC_FAILED, &[*file, *changes], &[]);
            }
        }
    }
}

fn record(log: &mut Vec<u8>, kind: u8, numbers: &[u64], old: &[u8]) {
    let length = 1 + 8 * numbers.len() + old.len();
    log.extend((length as u64).to_le_bytes());
    log.push(kind);
    for number in numbers {
        log.extend(number.to_le_bytes());
    }
    log.extend(old);
}
