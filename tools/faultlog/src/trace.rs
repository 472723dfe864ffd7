//! The trace: everything that a process did to its files, in the order in which it was done.
//!
//! The event log is for taking back what was not synced. A trace is for making every state that a power cut could have left: it has the
//! bytes that were written and the names that were made, changed and removed.

/// The kernel's number of a file.
pub type Inode = u64;

/// One thing that was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The file or folder that it was done to, by its path in the watched directory at that time.
    pub path: Vec<u8>,
    /// Its inode; 0 where there is none any more.
    pub inode: Inode,
    /// What was done.
    pub deed: Deed,
}

/// What was done to a file or folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    /// It was made, and is an empty file.
    Create,
    /// These bytes were written at this place.
    Write {
        /// Where they begin.
        offset: u64,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// It got this size.
    Resize {
        /// The size.
        size: u64,
    },
    /// Everything that was done to the file before is on the disk; to the folder: the names in it.
    Sync,
    /// It was removed.
    Remove,
    /// It was made, and is a folder.
    MakeFolder,
    /// It got its present name; this was the one before.
    Rename {
        /// The name before.
        from: Vec<u8>,
    },
}

impl Step {
    /// Appends the step to a trace.
    pub fn encode(&self, to: &mut Vec<u8>) {
        let (tag, number, bytes): (u8, u64, &[u8]) = match &self.deed {
            Deed::Create => (1, 0, &[]),
            Deed::Write { offset, bytes } => (2, *offset, bytes),
            Deed::Resize { size } => (3, *size, &[]),
            Deed::Sync => (4, 0, &[]),
            Deed::Remove => (5, 0, &[]),
            Deed::MakeFolder => (6, 0, &[]),
            Deed::Rename { from } => (7, 0, from),
        };
        to.push(tag);
        to.extend_from_slice(&self.inode.to_le_bytes());
        to.extend_from_slice(&number.to_le_bytes());
        for part in [&self.path[..], bytes] {
            to.extend_from_slice(&(part.len() as u64).to_le_bytes());
            to.extend_from_slice(part);
        }
    }

    fn decode(rest: &mut &[u8]) -> Option<Self> {
        let [tag] = take(rest)?;
        let inode = u64::from_le_bytes(take(rest)?);
        let number = u64::from_le_bytes(take(rest)?);
        let path = take_part(rest)?;
        let bytes = take_part(rest)?;
        let deed = match tag {
            1 => Deed::Create,
            2 => Deed::Write {
                offset: number,
                bytes,
            },
            3 => Deed::Resize { size: number },
            4 => Deed::Sync,
            5 => Deed::Remove,
            6 => Deed::MakeFolder,
            7 => Deed::Rename { from: bytes },
            _ => return None,
        };
        Some(Self { path, inode, deed })
    }
}

/// The steps of a trace. One that was cut short by a kill is not read.
#[must_use]
pub fn read_trace(mut bytes: &[u8]) -> Vec<Step> {
    let mut steps = Vec::new();
    while let Some(step) = Step::decode(&mut bytes) {
        steps.push(step);
    }
    steps
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, after) = rest.split_first_chunk::<N>()?;
    *rest = after;
    Some(*taken)
}

fn take_part(rest: &mut &[u8]) -> Option<Vec<u8>> {
    let length = usize::try_from(u64::from_le_bytes(take(rest)?)).ok()?;
    let (taken, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(taken.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_is_read_as_it_was_written() {
        let deeds = [
            Deed::Create,
            Deed::Write {
                offset: 7,
                bytes: b"bytes".to_vec(),
            },
            Deed::Resize { size: 9 },
            Deed::Sync,
            Deed::Remove,
            Deed::MakeFolder,
            Deed::Rename {
                from: b"old".to_vec(),
            },
        ];
        let steps: Vec<Step> = deeds
            .into_iter()
            .map(|deed| Step {
                path: b"folder/file".to_vec(),
                inode: 3,
                deed,
            })
            .collect();
        let mut bytes = Vec::new();
        for step in &steps {
            step.encode(&mut bytes);
        }
        assert_eq!(read_trace(&bytes), steps);
        bytes.pop();
        assert_eq!(read_trace(&bytes).len(), steps.len() - 1);
    }
}
