//! Which of the changes that no sync covers a power cut leaves.

use super::disk::{Change, Disk};

/// What survives of one change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Lost,
    Kept,
    /// Only the first half of its bytes.
    FirstHalf,
    /// Only the second half of its bytes.
    SecondHalf,
}

/// What survives of all changes.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    keeps_names: bool,
    /// The fate of single changes, by file and number; all others have the general one.
    special: Vec<((u64, usize), Fate)>,
    general: Fate,
}

impl Choice {
    /// The choices that are tried: everything survives, nothing does, everything but one change, nothing but one change, everything up to
    /// one change, and one change torn in two ways; each with and without names that were not synced.
    pub(super) fn all(disk: &Disk) -> impl Iterator<Item = Self> + use<> {
        let changes: Vec<(u64, usize)> = disk
            .files_in_doubt()
            .flat_map(|(file, state)| (0..state.pending.len()).map(move |number| (file, number)))
            .collect();
        let mut choices = vec![
            Self::new(Fate::Kept, Vec::new()),
            Self::new(Fate::Lost, Vec::new()),
        ];
        for (place, change) in changes.iter().enumerate() {
            for fate in [Fate::Lost, Fate::FirstHalf, Fate::SecondHalf] {
                choices.push(Self::new(Fate::Kept, vec![(*change, fate)]));
            }
            for fate in [Fate::Kept, Fate::FirstHalf, Fate::SecondHalf] {
                choices.push(Self::new(Fate::Lost, vec![(*change, fate)]));
            }
            let later = changes.iter().skip(place + 1);
            let later = later.map(|change| (*change, Fate::Lost));
            choices.push(Self::new(Fate::Kept, later.collect()));
        }
        let names = if disk.has_names_in_doubt() {
            vec![true, false]
        } else {
            vec![true]
        };
        names.into_iter().flat_map(move |keeps_names| {
            let choices = choices.clone().into_iter();
            choices.map(move |choice| Self {
                keeps_names,
                ..choice
            })
        })
    }

    const fn new(general: Fate, special: Vec<((u64, usize), Fate)>) -> Self {
        Self {
            keeps_names: true,
            special,
            general,
        }
    }

    /// Whether names that were not synced are as the process left them.
    pub(super) const fn keeps_names(&self) -> bool {
        self.keeps_names
    }

    /// What is left of a change of a file.
    pub(super) fn survivor(&self, file: u64, number: usize, change: &Change) -> Option<Change> {
        let special = self
            .special
            .iter()
            .find(|(place, _)| *place == (file, number));
        match (special.map_or(self.general, |(_, fate)| *fate), change) {
            (Fate::Lost, _) => None,
            (Fate::Kept, _) | (_, Change::Resize { .. }) => Some(change.clone()),
            (Fate::FirstHalf, Change::Write { offset, bytes }) => {
                let half = bytes.get(..bytes.len() / 2)?;
                Some(Change::Write {
                    offset: *offset,
                    bytes: half.to_vec(),
                })
            }
            (Fate::SecondHalf, Change::Write { offset, bytes }) => {
                let half = bytes.get(bytes.len() / 2..)?;
                Some(Change::Write {
                    offset: offset + (bytes.len() / 2) as u64,
                    bytes: half.to_vec(),
                })
            }
        }
    }
}
