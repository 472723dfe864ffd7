//! Several sorted runs as one.

use super::run::RunReader;
use super::spill::SpillPlace;
use crate::error::Error;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// Where sorted records come from.
pub(super) enum Source {
    Run(RunReader),
    Memory {
        bytes: Vec<u8>,
        order: std::vec::IntoIter<(usize, usize)>,
    },
}

impl Source {
    fn next(&mut self) -> Result<Option<Vec<u8>>, Error> {
        match self {
            Self::Run(reader) => reader.read(),
            Self::Memory { bytes, order } => Ok(order
                .next()
                .and_then(|(start, end)| bytes.get(start..end).map(<[u8]>::to_vec))),
        }
    }
}

/// Gives the records of sorted sources in order, each once.
pub(crate) struct Merge {
    sources: Vec<Source>,
    heads: BinaryHeap<Reverse<(Vec<u8>, usize)>>,
    last: Option<Vec<u8>>,
    files: Option<(Arc<dyn SpillPlace>, Vec<String>)>,
}

impl Merge {
    pub(super) fn of_memory(bytes: Vec<u8>, order: Vec<(usize, usize)>) -> Self {
        let mut source = Source::Memory {
            bytes,
            order: order.into_iter(),
        };
        let first = source.next().ok().flatten();
        Self {
            sources: vec![source],
            heads: first.map(|first| Reverse((first, 0))).into_iter().collect(),
            last: None,
            files: None,
        }
    }

    pub(super) fn of_runs(mut sources: Vec<Source>) -> Result<Self, Error> {
        let mut heads = BinaryHeap::new();
        for (index, source) in sources.iter_mut().enumerate() {
            heads.extend(source.next()?.map(|first| Reverse((first, index))));
        }
        Ok(Self {
            sources,
            heads,
            last: None,
            files: None,
        })
    }

    /// Removes these files when it is no longer needed.
    pub(super) fn removing(mut self, place: Arc<dyn SpillPlace>, names: Vec<String>) -> Self {
        self.files = Some((place, names));
        self
    }

    /// The next record.
    pub(crate) fn next_record(&mut self) -> Result<Option<Vec<u8>>, Error> {
        while let Some(Reverse((record, index))) = self.heads.pop() {
            if let Some(source) = self.sources.get_mut(index)
                && let Some(next) = source.next()?
            {
                self.heads.push(Reverse((next, index)));
            }
            if self.last.as_ref() != Some(&record) {
                self.last = Some(record.clone());
                return Ok(Some(record));
            }
        }
        Ok(None)
    }
}

impl Drop for Merge {
    fn drop(&mut self) {
        self.sources.clear();
        if let Some((place, names)) = self.files.take() {
            for name in names {
                // What cannot be removed is left in the folder for temporary files.
                let _ = place.remove(&name);
            }
        }
    }
}
