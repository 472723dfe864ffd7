//! The data files of an export: items as lines of JSON, packed with gzip.

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use md5::{Digest, Md5};
use monotable_api::ExportViewType;
use monotable_item::{EncodedItem, GivenItem};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::io::{self, BufRead, BufReader, Write};
use xxhash_rust::xxh3::xxh3_128;

/// A file that gets items.
#[derive(Debug)]
pub struct ExportFile {
    content: GzEncoder<Vec<u8>>,
    items: u64,
    bytes: u64,
}

/// A line of a file.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(rename = "Item")]
    item: &'a EncodedItem,
}

/// A line of a file, as it is read.
#[derive(Deserialize)]
struct ReadLine {
    #[serde(rename = "Item")]
    item: GivenItem,
}

/// A line of a file with changes.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct ChangeLine<'a> {
    metadata: Value,
    keys: &'a EncodedItem,
    #[serde(skip_serializing_if = "Option::is_none")]
    old_image: Option<&'a EncodedItem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new_image: Option<&'a EncodedItem>,
}

/// What became of an item in a period.
#[derive(Debug)]
pub struct ItemChange {
    /// The item's key.
    pub keys: EncodedItem,
    /// What it was at the beginning.
    pub old: Option<EncodedItem>,
    /// What it was at the end.
    pub new: Option<EncodedItem>,
    /// When it was last written, in milliseconds since 1970.
    pub time: u64,
}

impl Default for ExportFile {
    fn default() -> Self {
        Self {
            content: GzEncoder::new(Vec::new(), Compression::default()),
            items: 0,
            bytes: 0,
        }
    }
}

impl ExportFile {
    /// Adds an item.
    pub fn push(&mut self, item: &EncodedItem) -> io::Result<()> {
        serde_json::to_writer(&mut self.content, &Line { item })?;
        self.content.write_all(b"\n")?;
        self.items += 1;
        self.bytes += item.size() as u64;
        Ok(())
    }

    /// Adds a change, as the view shows it. Of an item that came and went in the period nothing is told.
    pub fn push_change(&mut self, change: &ItemChange, view: ExportViewType) -> io::Result<()> {
        if change.old.is_none() && change.new.is_none() {
            return Ok(());
        }
        let old = change.old.as_ref();
        let line = ChangeLine {
            metadata: json!({"WriteTimestampMicros": {"N": (change.time * 1000).to_string()}}),
            keys: &change.keys,
            old_image: old.filter(|_| view == ExportViewType::NewAndOldImages),
            new_image: change.new.as_ref(),
        };
        serde_json::to_writer(&mut self.content, &line)?;
        self.content.write_all(b"\n")?;
        self.items += 1;
        let images = [line.old_image, line.new_image].into_iter().flatten();
        self.bytes += images.map(|image| image.size() as u64).sum::<u64>();
        Ok(())
    }

    /// How many items it has.
    pub const fn items(&self) -> u64 {
        self.items
    }

    /// How large the items are.
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Its name. A file that is written again after a crash has the same.
    pub fn name(&self, export: &str, number: usize) -> String {
        let hash = xxh3_128(format!("{export}/{number}").as_bytes());
        format!("{hash:032x}.json.gz")
    }

    /// The content of the file and its MD5.
    pub fn finish(self) -> io::Result<(Vec<u8>, [u8; 16])> {
        let content = self.content.finish()?;
        let digest = Md5::digest(&content).into();
        Ok((content, digest))
    }
}

/// The items of the content of a data file. Each is an item, or what is wrong with its line.
pub fn read_items(content: &[u8]) -> impl Iterator<Item = Result<EncodedItem, String>> {
    let lines = BufReader::new(MultiGzDecoder::new(content)).lines();
    let lines = (1..).zip(lines);
    lines.filter_map(|(number, line)| {
        let wrong = |error: &dyn std::fmt::Display| Err(format!("line {number}: {error}"));
        let line = match line {
            Ok(line) if line.is_empty() => return None,
            Ok(line) => line,
            Err(error) => return Some(wrong(&error)),
        };
        let read: ReadLine = match serde_json::from_str(&line) {
            Ok(read) => read,
            Err(error) => return Some(wrong(&error)),
        };
        match read.item.into_checked() {
            Ok(item) => Some(Ok(item)),
            Err(error) => Some(wrong(&error)),
        }
    })
}
