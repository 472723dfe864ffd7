//! Sorts more records than memory holds.

use super::merge::{Merge, Source};
use super::run::{RunReader, RunWriter, spill_error};
use super::spill::SpillPlace;
use crate::error::Error;
use std::sync::Arc;

/// How much is held at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// How many bytes of records are sorted at once, where there is a place to spill.
    pub(crate) buffer: usize,
    /// How many bytes of records are held where there is none.
    pub(crate) without_spill: usize,
}

impl Limits {
    pub(crate) const USUAL: Self = Self {
        buffer: 32 << 20,
        without_spill: 256 << 20,
    };
}

/// How many runs are read at once.
const MERGED: usize = 16;

/// Takes records in any order and gives them back in theirs, each once.
pub(crate) struct Sorter {
    name: String,
    /// The records one after the other, and where each begins.
    bytes: Vec<u8>,
    starts: Vec<usize>,
    limits: Limits,
    spill: Option<Arc<dyn SpillPlace>>,
    runs: Vec<String>,
    made: usize,
    /// Runs stay for a later call.
    keeps_runs: bool,
}

impl Sorter {
    /// Files of this sorter have names that begin so.
    pub(crate) fn new(name: &str, spill: Option<Arc<dyn SpillPlace>>, limits: Limits) -> Self {
        Self {
            name: name.to_owned(),
            bytes: Vec::new(),
            starts: Vec::new(),
            limits,
            spill,
            runs: Vec::new(),
            made: 0,
            keeps_runs: false,
        }
    }

    /// Goes on with runs that were written before, and leaves all runs to a later call.
    pub(crate) fn resume(&mut self, runs: Vec<String>, made: usize) {
        self.runs = runs;
        self.made = made;
        self.keeps_runs = true;
    }

    /// The runs that are written, and how many names were given.
    pub(crate) fn runs(&self) -> (&[String], usize) {
        (&self.runs, self.made)
    }

    /// Whether the buffer is to be written before more is added.
    pub(crate) fn is_full(&self) -> bool {
        self.spill.is_some() && self.held() >= self.limits.buffer
    }

    const fn held(&self) -> usize {
        self.bytes.len() + self.starts.len() * size_of::<usize>()
    }

    /// Adds a record. Where there is no place to spill, too many are an error.
    pub(crate) fn push(&mut self, record: &[u8]) -> Result<(), Error> {
        if self.spill.is_none() && self.held() + record.len() > self.limits.without_spill {
            let most = self.limits.without_spill >> 20;
            return Err(Error::usage(format!(
                "the rows state more facts than the {most} MB that are held in memory: give a folder for temporary files"
            )));
        }
        self.starts.push(self.bytes.len());
        self.bytes.extend(record);
        Ok(())
    }

    fn sorted(&mut self) -> Vec<(usize, usize)> {
        let ends = self.starts.iter().skip(1).copied();
        let ends = ends.chain([self.bytes.len()]);
        let mut all: Vec<_> = self.starts.iter().copied().zip(ends).collect();
        let bytes = &self.bytes;
        let record = |(start, end): &(usize, usize)| bytes.get(*start..*end).unwrap_or_default();
        all.sort_unstable_by(|one, other| record(one).cmp(record(other)));
        all.dedup_by(|one, other| record(one) == record(other));
        all
    }

    /// Writes what is held as a run.
    pub(crate) fn spill(&mut self) -> Result<(), Error> {
        let Some(place) = self.spill.clone() else {
            return Ok(());
        };
        if self.starts.is_empty() {
            return Ok(());
        }
        let name = self.next_name();
        let to = place.create(&name).map_err(|error| spill_error(&error))?;
        let mut writer = RunWriter::new(to);
        for (start, end) in self.sorted() {
            writer.push(self.bytes.get(start..end).unwrap_or_default())?;
        }
        writer.finish()?;
        self.runs.push(name);
        self.starts.clear();
        self.bytes.clear();
        Ok(())
    }

    fn next_name(&mut self) -> String {
        self.made += 1;
        format!("{}-{:06}.run", self.name, self.made)
    }

    /// All records in their order.
    pub(crate) fn finish(mut self) -> Result<Merge, Error> {
        let Some(place) = self.spill.clone().filter(|_| !self.runs.is_empty()) else {
            let order = self.sorted();
            return Ok(Merge::of_memory(self.bytes, order));
        };
        self.spill()?;
        self.bytes = Vec::new();
        self.starts = Vec::new();
        while self.runs.len() > MERGED {
            let rest = self.runs.split_off(MERGED);
            let merged = std::mem::replace(&mut self.runs, rest);
            let name = self.next_name();
            let to = place.create(&name).map_err(|error| spill_error(&error))?;
            let mut writer = RunWriter::new(to);
            let mut merge = Merge::of_runs(open(&*place, &merged)?)?;
            while let Some(record) = merge.next_record()? {
                writer.push(&record)?;
            }
            writer.finish()?;
            for name in merged.into_iter().filter(|_| !self.keeps_runs) {
                place.remove(&name).map_err(|error| spill_error(&error))?;
            }
            self.runs.push(name);
        }
        let merge = Merge::of_runs(open(&*place, &self.runs)?)?;
        if self.keeps_runs {
            return Ok(merge);
        }
        Ok(merge.removing(place, std::mem::take(&mut self.runs)))
    }
}

fn open(place: &dyn SpillPlace, names: &[String]) -> Result<Vec<Source>, Error> {
    let mut sources = Vec::with_capacity(names.len());
    for name in names {
        let from = place.open(name).map_err(|error| spill_error(&error))?;
        sources.push(Source::Run(RunReader::new(from)));
    }
    Ok(sources)
}

#[cfg(all(test, feature = "native"))]
mod tests {
    use super::*;
    use crate::verify::SpillFolder;

    #[test]
    fn many_runs_give_every_record_once_and_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let place = Arc::new(SpillFolder::new(folder.path()).unwrap());
        let limits = Limits {
            buffer: 600,
            without_spill: 600,
        };
        let mut sorter = Sorter::new("facts", Some(place.clone()), limits);
        let mut wanted = std::collections::BTreeSet::new();
        for number in 0_u32..4_000 {
            let record = format!("{:04}", number.wrapping_mul(7_919) % 1_500);
            sorter.push(record.as_bytes()).unwrap();
            wanted.insert(record.into_bytes());
            if sorter.is_full() {
                sorter.spill().unwrap();
            }
        }
        assert!(sorter.runs().0.len() > MERGED * 2);
        let mut merge = sorter.finish().unwrap();
        let mut found = Vec::new();
        while let Some(record) = merge.next_record().unwrap() {
            found.push(record);
        }
        assert_eq!(found, wanted.into_iter().collect::<Vec<_>>());
        drop(merge);
        assert_eq!(place.names().unwrap(), Vec::<String>::new());
    }

    #[test]
    fn memory_without_a_place_to_spill_is_bounded() {
        let limits = Limits {
            buffer: 10,
            without_spill: 100,
        };
        let mut sorter = Sorter::new("facts", None, limits);
        let pushed = (0..100).try_for_each(|_| sorter.push(b"a fact"));
        assert!(pushed.unwrap_err().to_string().contains("temporary files"));
    }
}
