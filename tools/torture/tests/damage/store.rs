//! A closed store with known items, to be copied and damaged.

use monotable_api::{
    CreateTableInput, GetItemInput, GlobalSecondaryIndex, PutItemInput, ScalarAttributeType,
    ScanInput,
};
use monotable_engine::{Engine, OpenError};
use monotable_item::{AttributeValue, EncodedItem, Item};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

const FLUSHED: u32 = 1500;
const JOURNALED: u32 = 60;
/// Items of 350,000 bytes that make more than 64 MB, at which a flush begins a new journal, and less
/// than two memtables of 32 MiB, so that the flush is the last one and nothing follows it.
const JOURNAL_FULL: u32 = 187;
const TABLE: &str = "items";

/// Items by their key.
pub(crate) type Items = BTreeMap<String, Item>;

/// A store of its own, in a folder that goes away.
pub(crate) struct Store {
    folder: TempDir,
}

impl Store {
    /// A copy of a store that was closed, with items in table files and in the journal.
    pub(crate) fn new() -> Self {
        static ORIGINAL: OnceLock<Store> = OnceLock::new();
        ORIGINAL.get_or_init(Self::make).copy()
    }

    /// A copy of this one.
    pub(crate) fn copy(&self) -> Self {
        let folder = tempfile::tempdir().unwrap();
        copy(self.path(), folder.path());
        Self { folder }
    }

    /// A store that was killed with everything in table files and nothing in the journal.
    pub(crate) fn flushed() -> Self {
        let open = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        let engine = open.open().unwrap();
        let table = CreateTableInput::new(TABLE, "pk", ScalarAttributeType::S);
        engine.create_table(table).unwrap();
        for number in 0..JOURNAL_FULL {
            let mut filler = vec![0; 350_000];
            fastrand::Rng::with_seed(number.into()).fill(&mut filler);
            let item = Item::new()
                .with("pk", key(number))
                .with("filler", AttributeValue::B(filler));
            engine.put_item(PutItemInput::new(TABLE, item)).unwrap();
        }
        engine.settle().unwrap();
        // The files as a kill leaves them: closing may write to the journal. First fjall removes what it
        // no longer needs.
        while open.names() != {
            thread::sleep(Duration::from_millis(300));
            open.names()
        } {}
        let store = open.copy();
        let journal = fs::read(store.file("data/1.jnl")).unwrap();
        assert!(
            journal.iter().all(|byte| *byte == 0),
            "the journal is in use"
        );
        assert!(
            !store.file("data/0.jnl").exists(),
            "the first journal is still there"
        );
        store
    }

    fn names(&self) -> BTreeSet<PathBuf> {
        files(self.path()).into_iter().collect()
    }

    fn make() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::open(folder.path()).unwrap();
        engine
            .create_table(
                CreateTableInput::new(TABLE, "pk", ScalarAttributeType::S)
                    .attribute("group", ScalarAttributeType::N)
                    .global_index(GlobalSecondaryIndex::new("by-group", "group")),
            )
            .unwrap();
        put(&engine, 0..FLUSHED);
        engine.settle().unwrap();
        engine.close();
        drop(engine);
        // A journal that was opened once more has no zeros reserved at its end.
        let engine = Engine::open(folder.path()).unwrap();
        put(&engine, FLUSHED..FLUSHED + JOURNALED);
        engine.close();
        drop(engine);
        Self { folder }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn open(&self) -> Result<Engine, OpenError> {
        Engine::open(self.path())
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }
}

/// The items that were acknowledged.
pub(crate) fn acknowledged() -> Items {
    (0..FLUSHED + JOURNALED)
        .map(|number| (key(number), item(number)))
        .collect()
}

/// The items that are there.
pub(crate) fn scan(engine: &Engine) -> Result<Items, monotable_api::Error> {
    let mut items = Items::new();
    let mut input = ScanInput::new(TABLE).consistent();
    loop {
        let page = engine.scan(input.clone())?;
        for item in page.items.iter().flatten().map(EncodedItem::to_item) {
            if let Some(AttributeValue::S(key)) = item.get("pk") {
                items.insert(key.clone(), item);
            }
        }
        match page.last_evaluated_key {
            Some(last) => input = input.start_after(last),
            None => return Ok(items),
        }
    }
}

/// The acknowledged items, each read by its key.
pub(crate) fn read_each(engine: &Engine) -> Result<Items, monotable_api::Error> {
    let mut items = Items::new();
    for name in acknowledged().into_keys() {
        let key = Item::new().with("pk", name.clone());
        let read = engine.get_item(GetItemInput::new(TABLE, key).consistent())?;
        items.extend(read.item.map(|read| (name, read.to_item())));
    }
    Ok(items)
}

/// Every file below a folder, by its path in it.
pub(crate) fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let named = files(folder).into_iter().map(|path| {
        let name = path.strip_prefix(folder).unwrap().to_str().unwrap();
        (name.to_owned(), fs::read(&path).unwrap())
    });
    named.collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path)
            } else {
                found.push(path)
            }
        }
    }
    found
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            fs::create_dir(&target).unwrap();
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

fn put(engine: &Engine, numbers: std::ops::Range<u32>) {
    for number in numbers {
        engine
            .put_item(PutItemInput::new(TABLE, item(number)))
            .unwrap();
    }
}

fn key(number: u32) -> String {
    format!("item-{number:05}")
}

fn item(number: u32) -> Item {
    let mut payload = vec![0; 300];
    fastrand::Rng::with_seed(number.into()).fill(&mut payload);
    Item::new()
        .with("pk", key(number))
        .with("group", number % 7)
        .with("payload", AttributeValue::B(payload))
}
