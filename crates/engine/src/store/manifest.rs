//! fjall's list of the table files of a keyspace.
//!
//! The file `current` names a version and its checksum; the file `vN` has the table files of that version, level by level, with a
//! checksum of each. fjall reads both without comparing them. A flipped bit in the list could leave a table file out, or put it
//! at another level, where its rows are taken for newer or older than they are. So both are checked here before fjall opens them.

use super::sections::{find_sections, take};
use super::table_check::TableSum;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_128;

const CURRENT_BYTES: usize = 25;

/// The table files of a keyspace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Manifest {
    /// Runs of table files: those of level 0 first, and in a level the newest first.
    pub(super) runs: Vec<Run>,
}

/// Table files whose keys do not overlap, in the order of their keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) level: u8,
    pub(super) tables: Vec<ListedTable>,
}

/// A table file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ListedTable {
    pub(super) id: u64,
    pub(super) checksum: u128,
}

/// Why a list cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ManifestProblem {
    pub(super) path: PathBuf,
    pub(super) what: String,
}

impl ManifestProblem {
    fn new(path: PathBuf, what: impl Into<String>) -> Self {
        Self {
            path,
            what: what.into(),
        }
    }
}

impl Manifest {
    pub(super) fn tables(&self) -> impl Iterator<Item = &ListedTable> {
        self.runs.iter().flat_map(|run| &run.tables)
    }

    pub(super) fn table_sums(&self, folder: &Path) -> Vec<TableSum> {
        let sums = self.tables().map(|table| TableSum {
            path: table_path(folder, table.id),
            checksum: table.checksum,
        });
        sums.collect()
    }
}

/// The folder of one of fjall's keyspaces.
pub(super) fn fjall_keyspace(data: &Path, id: usize) -> PathBuf {
    data.join("keyspaces").join(id.to_string())
}

/// Where a table file of a keyspace is.
pub(super) fn table_path(folder: &Path, id: u64) -> PathBuf {
    folder.join("tables").join(id.to_string())
}

/// What `current` says.
pub(super) struct Current {
    pub(super) version: u64,
    pub(super) checksum: u128,
}

impl Current {
    pub(super) fn path(folder: &Path) -> PathBuf {
        folder.join("current")
    }

    pub(super) fn read(folder: &Path) -> Result<Self, ManifestProblem> {
        let path = Self::path(folder);
        let bytes = read_file(&path)?;
        let decoded = <[u8; CURRENT_BYTES]>::try_from(bytes.as_slice());
        let decoded = decoded.ok().as_ref().and_then(Self::decode);
        decoded.ok_or_else(|| ManifestProblem::new(path, "it does not name a version"))
    }

    fn decode(bytes: &[u8; CURRENT_BYTES]) -> Option<Self> {
        let (version, rest) = bytes.split_first_chunk::<8>()?;
        let (checksum, kind) = rest.split_first_chunk::<16>()?;
        (kind == [0]).then(|| Self {
            version: u64::from_le_bytes(*version),
            checksum: u128::from_le_bytes(*checksum),
        })
    }
}

/// The path of a version's list.
pub(super) fn version_path(folder: &Path, version: u64) -> PathBuf {
    folder.join(format!("v{version}"))
}

/// Reads the list of a keyspace, and compares it with its checksum.
pub(super) fn read(folder: &Path) -> Result<Manifest, ManifestProblem> {
    let current = Current::read(folder)?;
    let path = version_path(folder, current.version);
    let bytes = read_file(&path)?;
    if xxh3_128(&bytes) != current.checksum {
        let what = "it does not match the checksum in `current`";
        return Err(ManifestProblem::new(path, what));
    }
    decode(&bytes).ok_or_else(|| ManifestProblem::new(path, "it is not a list of table files"))
}

fn read_file(path: &Path) -> Result<Vec<u8>, ManifestProblem> {
    fs::read(path).map_err(|error| {
        let what = match error.kind() {
            io::ErrorKind::NotFound => "it is missing".to_owned(),
            _ => format!("it cannot be read: {error}"),
        };
        ManifestProblem::new(path.into(), what)
    })
}

/// Decodes a list.
pub(super) fn decode(bytes: &[u8]) -> Option<Manifest> {
    let sections = find_sections(bytes)?;
    let (_, tables) = sections.into_iter().find(|(name, _)| *name == b"tables")?;
    let mut list = bytes.get(tables)?;
    let mut manifest = Manifest::default();
    let [levels] = take(&mut list)?;
    for level in 0..levels {
        let [runs] = take(&mut list)?;
        for _ in 0..runs {
            let mut run = Run {
                level,
                tables: Vec::new(),
            };
            for _ in 0..u32::from_le_bytes(take(&mut list)?) {
                let id = u64::from_le_bytes(take(&mut list)?);
                let [_kind] = take(&mut list)?;
                let checksum = u128::from_le_bytes(take(&mut list)?);
                let _sequence = take::<8>(&mut list)?;
                run.tables.push(ListedTable { id, checksum });
            }
            manifest.runs.push(run);
        }
    }
    list.is_empty().then_some(manifest)
}
