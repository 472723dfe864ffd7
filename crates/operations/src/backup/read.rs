//! A backup that is read: everything is checked before anything is written.

use crate::error::Error;
use monotable_exports::{
    DATA, FILES, FILES_CHECKSUM, FOLDER, ListedFile, Manifest, SUMMARY, SUMMARY_CHECKSUM,
    check_digest, read_items,
};
use monotable_item::Item;
use std::fs;
use std::path::{Path, PathBuf};

const HELP: &str = "take another backup: this one is not restored, and nothing was written";

/// A folder with the exports of tables, as AWS or a backup has written it.
#[derive(Debug)]
pub struct BackupFolder {
    /// The tables.
    pub tables: Vec<BackedUpTable>,
}

/// The export of a table.
#[derive(Debug)]
pub struct BackedUpTable {
    /// The name of the table.
    pub table: String,
    folder: PathBuf,
    manifest: Manifest,
}

impl BackupFolder {
    /// Reads the manifests of all exports in a folder, or of the export whose folder it is.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        if folder.join(SUMMARY).exists() {
            let tables = vec![BackedUpTable::open(folder.to_owned())?];
            return Ok(Self { tables });
        }
        let exports = folder.join(FOLDER);
        let entries = fs::read_dir(&exports).map_err(|_| {
            let what = format!("{} is no backup: it has no {FOLDER}", folder.display());
            Error::refused(
                what,
                "name the folder that a backup or an export of AWS is in",
            )
        })?;
        let mut folders = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| Error::file(&exports, error))?;
            if entry.path().is_dir() {
                folders.push(entry.path());
            }
        }
        folders.sort();
        let tables: Result<Vec<_>, Error> = folders.into_iter().map(BackedUpTable::open).collect();
        let tables = tables?;
        if tables.is_empty() {
            let what = format!("{} has no export in it", exports.display());
            return Err(Error::refused(what, HELP));
        }
        for (position, table) in tables.iter().enumerate() {
            let mut others = tables.iter().take(position);
            if others.any(|other| other.table == table.table) {
                let what = format!(
                    "{} has two exports of the table {}",
                    folder.display(),
                    table.table
                );
                return Err(Error::refused(what, "name the folder of one of them"));
            }
        }
        Ok(Self { tables })
    }

    /// Reads everything and compares it with the manifests: a damaged backup, or one that was cut off, is an error.
    pub fn check(&self) -> Result<u64, Error> {
        let mut items = 0;
        for table in &self.tables {
            for file in table.files() {
                items += table.read_file(file)?.len() as u64;
            }
        }
        Ok(items)
    }
}

impl BackedUpTable {
    fn open(folder: PathBuf) -> Result<Self, Error> {
        let read = |name: &str| {
            let path = folder.join(name);
            fs::read(&path).map_err(|error| match error.kind() {
                std::io::ErrorKind::NotFound => {
                    let what = format!("{} was cut off: it has no {name}", folder.display());
                    Error::refused(what, HELP)
                }
                _ => Error::file(&path, error),
            })
        };
        let (summary, files) = (read(SUMMARY)?, read(FILES)?);
        for (name, content, sum) in [
            (SUMMARY, &summary, SUMMARY_CHECKSUM),
            (FILES, &files, FILES_CHECKSUM),
        ] {
            if !check_digest(content, &String::from_utf8_lossy(&read(sum)?)) {
                return Err(damaged(&folder.join(name), "its checksum is another one"));
            }
        }
        let manifest = Manifest::parse(&summary, &files)
            .map_err(|error| damaged(&folder, &error.to_string()))?;
        if manifest.summary.period.is_some() {
            let what = format!("{} has the changes of a period", folder.display());
            return Err(Error::refused(what, "restore an export of the whole table"));
        }
        if manifest.summary.output_format != "DYNAMODB_JSON" {
            let format = &manifest.summary.output_format;
            let what = format!("{} is in the format {format}", folder.display());
            return Err(Error::refused(what, "have AWS export it as DYNAMODB_JSON"));
        }
        let table = manifest.table().map(ToOwned::to_owned);
        let table = table.ok_or_else(|| damaged(&folder.join(SUMMARY), "it names no table"))?;
        Ok(Self {
            table,
            folder,
            manifest,
        })
    }

    /// Its data files.
    #[must_use]
    pub fn files(&self) -> &[ListedFile] {
        &self.manifest.files
    }

    /// How many items it has.
    #[must_use]
    pub const fn item_count(&self) -> u64 {
        self.manifest.summary.item_count
    }

    /// What tells it from other exports.
    pub(super) fn name(&self) -> &str {
        &self.manifest.summary.export_arn
    }

    /// The items of a data file, which must be as the manifest says.
    pub fn read_file(&self, file: &ListedFile) -> Result<Vec<Item>, Error> {
        let name = file.name().ok_or_else(|| {
            let problem = format!("it lists a file without a name, `{}`", file.key);
            damaged(&self.folder.join(FILES), &problem)
        })?;
        let path = self.folder.join(DATA).join(name);
        let content = fs::read(&path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => damaged(&path, "it is not there"),
            _ => Error::file(&path, error),
        })?;
        if !check_digest(&content, &file.md5_checksum) {
            return Err(damaged(&path, "its checksum is another one"));
        }
        let mut items = Vec::new();
        for item in read_items(&content) {
            items.push(item.map_err(|problem| damaged(&path, &problem))?.to_item());
        }
        if items.len() as u64 != file.item_count {
            let problem = format!(
                "it has {} items, and {} are listed",
                items.len(),
                file.item_count
            );
            return Err(damaged(&path, &problem));
        }
        Ok(items)
    }
}

fn damaged(path: &Path, problem: &str) -> Error {
    Error::refused(format!("{} is damaged: {problem}", path.display()), HELP)
}
