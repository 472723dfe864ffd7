//! A small store with known items, whose files are damaged in copies.

use crate::flaw::{Flaw, demand};
use monotable_api::{
    CreateTableInput, Error, GlobalSecondaryIndex, PutItemInput, ScalarAttributeType, ScanInput,
};
use monotable_engine::{Engine, EngineOptions, ManualClock, SeededEntropy};
use monotable_item::{EncodedItem, Item};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tempfile::TempDir;

const TABLE: &str = "Items";

/// Items in table files; later versions of some of them are only in the journal.
const FLUSHED: u32 = 40;
const JOURNALED: u32 = 12;

/// The files of a closed store, by their names below its folder.
pub(crate) struct Template {
    pub(crate) files: Vec<(PathBuf, Vec<u8>)>,
    /// What a scan of the whole store finds.
    items: Vec<EncodedItem>,
}

impl Template {
    /// The store, made once in a process. Clock and chance are fixed, so that it is the same in every one.
    pub(crate) fn get() -> Result<&'static Self, Flaw> {
        static TEMPLATE: OnceLock<Template> = OnceLock::new();
        match TEMPLATE.get() {
            Some(template) => Ok(template),
            None => {
                let made = Self::make()?;
                Ok(TEMPLATE.get_or_init(|| made))
            }
        }
    }

    fn make() -> Result<Self, Flaw> {
        let folder = TempDir::new()?;
        let engine = open(folder.path())?;
        engine.create_table(
            CreateTableInput::new(TABLE, "pk", ScalarAttributeType::S)
                .attribute("group", ScalarAttributeType::N)
                .global_index(GlobalSecondaryIndex::new("byGroup", "group")),
        )?;
        put(&engine, 0..FLUSHED, 0)?;
        engine.settle()?;
        engine.close();
        drop(engine);
        let engine = open(folder.path())?;
        put(&engine, 0..JOURNALED, 1)?;
        let items = scan(&engine, None)?;
        engine.close();
        drop(engine);
        let mut files = Vec::new();
        list_files(folder.path(), Path::new(""), &mut files)?;
        files.sort();
        Ok(Self { files, items })
    }

    /// Writes the files into a folder, each as the function makes it; without those that it leaves out.
    pub(crate) fn write(
        &self,
        folder: &Path,
        mut damage: impl FnMut(&Path, &[u8]) -> Option<Vec<u8>>,
    ) -> Result<(), Flaw> {
        for (name, bytes) in &self.files {
            if let Some(bytes) = damage(name, bytes) {
                let path = folder.join(name);
                if let Some(above) = path.parent() {
                    fs::create_dir_all(above)?;
                }
                fs::write(path, bytes)?;
            }
        }
        Ok(())
    }

    /// Whether a store has exactly the items of this one, in the table and in its index.
    pub(crate) fn demand_same(&self, engine: &Engine) -> Result<(), Flaw> {
        let Some(items) = readable(scan(engine, None)) else {
            return Ok(());
        };
        demand(items == self.items, || {
            format!("a damaged store answers with {items:?}")
        })?;
        if let Some(mut entries) = readable(scan(engine, Some("byGroup"))) {
            let mut items = items;
            entries.sort_by(|a, b| a.as_bytes().cmp(b.as_bytes()));
            items.sort_by(|a, b| a.as_bytes().cmp(b.as_bytes()));
            demand(entries == items, || {
                format!("the index of a damaged store answers with {entries:?}")
            })?;
        }
        Ok(())
    }
}

/// A store that says that it cannot read has given no wrong answer.
fn readable(answer: Result<Vec<EncodedItem>, Error>) -> Option<Vec<EncodedItem>> {
    answer.ok()
}

pub(crate) fn open(folder: &Path) -> Result<Engine, monotable_engine::OpenError> {
    let clock = ManualClock::at(Duration::from_secs(1_700_000_000));
    EngineOptions::new()
        .clock(Arc::new(clock))
        .entropy(Arc::new(SeededEntropy::new(16)))
        .open(folder)
}

fn put(engine: &Engine, numbers: std::ops::Range<u32>, version: u32) -> Result<(), Error> {
    for number in numbers {
        let item = Item::new()
            .with("pk", format!("item-{number:03}"))
            .with("group", number % 5 + version)
            .with("version", version)
            .with("text", "x".repeat(20));
        engine.put_item(PutItemInput::new(TABLE, item))?;
    }
    Ok(())
}

/// All items, or all entries of an index, in order.
pub(crate) fn scan(engine: &Engine, index: Option<&str>) -> Result<Vec<EncodedItem>, Error> {
    let mut scan = ScanInput::new(TABLE);
    scan.index_name = index.map(str::to_owned);
    let mut items = Vec::new();
    loop {
        let page = engine.scan(scan.clone())?;
        items.extend(page.items.unwrap_or_default());
        match page.last_evaluated_key {
            Some(key) => scan.exclusive_start_key = Some(key.into()),
            None => return Ok(items),
        }
    }
}

fn list_files(root: &Path, below: &Path, files: &mut Vec<(PathBuf, Vec<u8>)>) -> io::Result<()> {
    for entry in fs::read_dir(root.join(below))? {
        let entry = entry?;
        let name = below.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            list_files(root, &name, files)?;
        } else {
            files.push((name, fs::read(entry.path())?));
        }
    }
    Ok(())
}
