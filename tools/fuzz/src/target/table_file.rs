//! Table files, and all others of a store but its journals: an input is a list of damages.
//!
//! Each damage has six bytes: which file, what is done there, and four bytes of the place. Files are counted in order of
//! their names.

use crate::flaw::Flaw;
use crate::template::{Template, open};
use std::path::Path;
use tempfile::TempDir;

/// More damages at once find nothing that fewer do not.
const MOST: usize = 4;

#[derive(Clone, Copy)]
struct Damage {
    file: usize,
    change: u8,
    place: usize,
}

/// A damaged store is refused, or says that it cannot read, or answers with exactly what was written.
pub(crate) fn check(input: &[u8]) -> Result<(), Flaw> {
    let template = Template::get()?;
    let names: Vec<&Path> = template
        .files
        .iter()
        .map(|(name, _)| name.as_path())
        .filter(|name| name.extension().is_none_or(|kind| kind != "jnl"))
        .collect();
    let damages = read_damages(input, names.len());
    if damages.is_empty() {
        return Ok(());
    }
    let folder = TempDir::new()?;
    template.write(folder.path(), |name, bytes| {
        let number = names.iter().position(|other| *other == name);
        let of_file = damages.iter().filter(|damage| Some(damage.file) == number);
        Some(of_file.fold(bytes.to_vec(), |bytes, damage| damage.apply(bytes)))
    })?;
    let Ok(engine) = open(folder.path()) else {
        return Ok(());
    };
    let same = template.demand_same(&engine);
    engine.close();
    same.map_err(|flaw| {
        let damaged: Vec<_> = damages
            .iter()
            .filter_map(|damage| Some((names.get(damage.file)?, damage.change, damage.place)))
            .collect();
        Flaw::new(format!("{damaged:?}: {flaw:?}"))
    })
}

fn read_damages(input: &[u8], files: usize) -> Vec<Damage> {
    let damages = input.chunks_exact(6).take(MOST).filter_map(|bytes| {
        let [file, change, place @ ..] = bytes else {
            return None;
        };
        let place = u32::from_le_bytes(place.try_into().ok()?);
        Some(Damage {
            file: usize::from(*file).checked_rem(files)?,
            change: *change,
            place: place as usize,
        })
    });
    damages.collect()
}

impl Damage {
    /// Cuts the file off, or changes one byte of it.
    fn apply(self, mut bytes: Vec<u8>) -> Vec<u8> {
        let Some(place) = self.place.checked_rem(bytes.len()) else {
            return bytes;
        };
        if self.change == 0 {
            bytes.truncate(place);
        } else if let Some(byte) = bytes.get_mut(place) {
            *byte ^= self.change;
        }
        bytes
    }
}
