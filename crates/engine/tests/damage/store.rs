//! A small store with items of several generations, and ways to damage it.

use monotable_api::{
    CreateTableInput, DeleteItemInput, GetItemInput, GlobalSecondaryIndex, PutItemInput,
    ScalarAttributeType,
};
use monotable_engine::{Engine, EngineOptions, OpenError};
use monotable_item::{AttributeValue, Item};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub(crate) const TABLE: &str = "Songs";
/// Songs with an even number are written twice, those divisible by five deleted later.
pub(crate) const SONGS: u32 = 300;

pub(crate) struct Store {
    folder: TempDir,
}

impl Store {
    /// Songs in table files of two generations: what is deleted or written anew in the second has an older version in the first.
    pub(crate) fn make() -> Self {
        let store = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        let engine = store.open().unwrap();
        let table = CreateTableInput::new(TABLE, "Artist", ScalarAttributeType::S)
            .range("Song", ScalarAttributeType::N)
            .attribute("Year", ScalarAttributeType::N)
            .global_index(GlobalSecondaryIndex::new("by-year", "Year"));
        engine.create_table(table).unwrap();
        for number in 0..SONGS {
            put(&engine, number, 1);
        }
        engine.settle().unwrap();
        for number in (0..SONGS).filter(|number| number.is_multiple_of(2)) {
            put(&engine, number, 2);
        }
        for number in (0..SONGS).filter(|number| number.is_multiple_of(5)) {
            let delete = DeleteItemInput::new(TABLE, song_key(number));
            engine.delete_item(delete).unwrap();
        }
        engine.settle().unwrap();
        engine.close();
        drop(engine);
        store
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("store")
    }

    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn open(&self) -> Result<Engine, OpenError> {
        open(&self.path())
    }

    /// The table files of a keyspace, newest first.
    pub(crate) fn tables(&self, keyspace: u32) -> Vec<PathBuf> {
        let folder = self
            .path()
            .join(format!("data/keyspaces/{keyspace}/tables"));
        let mut files: Vec<(u64, PathBuf)> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| {
                (
                    path.file_name().unwrap().to_str().unwrap().parse().unwrap(),
                    path,
                )
            })
            .collect();
        files.sort();
        files.reverse();
        files.into_iter().map(|(_, path)| path).collect()
    }
}

/// fjall's numbers of the keyspaces.
pub(crate) const META: u32 = 1;
pub(crate) const ITEMS: u32 = 2;
pub(crate) const INDEXES: u32 = 3;

pub(crate) fn open(path: &Path) -> Result<Engine, OpenError> {
    // Nothing is read by itself, so that a test decides what is found by whom.
    EngineOptions::new().scrub_bytes_per_second(0).open(path)
}

pub(crate) fn song_key(number: u32) -> Item {
    Item::new()
        .with("Artist", format!("artist-{}", number % 40))
        .with("Song", number)
}

pub(crate) fn put(engine: &Engine, number: u32, generation: u32) {
    let song = song_key(number)
        .with("Year", 1900 + number % 9)
        .with("generation", generation)
        .with("text", "la ".repeat(30));
    engine.put_item(PutItemInput::new(TABLE, song)).unwrap();
}

/// The generation that a song must have; none if it was deleted.
pub(crate) fn expected(number: u32) -> Option<u32> {
    match (number % 5, number % 2) {
        (0, _) => None,
        (_, 0) => Some(2),
        _ => Some(1),
    }
}

/// The generation of each song that can be read, and the errors of the others.
pub(crate) fn read_songs(engine: &Engine) -> (BTreeMap<u32, u32>, BTreeMap<u32, String>) {
    let (mut found, mut failed) = (BTreeMap::new(), BTreeMap::new());
    for number in 0..SONGS {
        match engine.get_item(GetItemInput::new(TABLE, song_key(number)).consistent()) {
            Ok(output) => {
                if let Some(item) = output.item.map(|item| item.to_item()) {
                    found.insert(number, generation(&item));
                }
            }
            Err(error) => {
                failed.insert(number, error.to_string());
            }
        }
    }
    (found, failed)
}

fn generation(item: &Item) -> u32 {
    match item.get("generation") {
        Some(AttributeValue::N(number)) => number.to_string().parse().unwrap(),
        other => panic!("{other:?}"),
    }
}

/// Spoils so many bytes of a file.
pub(crate) fn spoil(path: &Path, at: usize, length: usize) {
    let mut bytes = fs::read(path).unwrap();
    let end = (at + length).min(bytes.len());
    for byte in &mut bytes[at..end] {
        *byte ^= 0x5a;
    }
    fs::write(path, bytes).unwrap();
}

/// Where blocks of data begin in a table file: each has a head of 33 bytes that says its kind and its length.
pub(crate) fn data_blocks(path: &Path) -> Vec<usize> {
    let bytes = fs::read(path).unwrap();
    let mut starts = vec![];
    let mut start = 0;
    while bytes[start..].starts_with(b"LSM\x03\x00") {
        starts.push(start);
        let length = u32::from_le_bytes(bytes[start + 21..start + 25].try_into().unwrap());
        start += 33 + length as usize;
    }
    starts
}
