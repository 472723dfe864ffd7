//! A backup that is written.

use super::ItemWatch;
use super::folder::{make_folder, write_file};
use super::table_items::{read_page, scan_table};
use crate::error::Error;
use jiff::Timestamp;
use monotable_api::{DescribeTableInput, Dynamo, DynamoExt, TableDescription};
use monotable_exports::{
    DATA, ExportFile, ExportSummary, FILES, FOLDER, ListedFile, Manifest, STARTED,
};
use monotable_model::model::TableId;
use monotable_store::{BackedUpItem, Store};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// A file takes no further items once it has this many, or this many bytes of them.
const FILE_ITEMS: u64 = 100_000;
const FILE_BYTES: u64 = 16 * 1024 * 1024;

/// What a backup has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BackupReport {
    /// Items of the model, without the store's own.
    pub items: u64,
    /// Tables.
    pub tables: u64,
    /// Data files.
    pub files: u64,
}

/// Writes backups of a store.
pub struct BackupWriter<'b> {
    store: &'b Store,
    dynamo: &'b dyn Dynamo,
}

/// The export of one table, while it is written.
struct TableExport {
    id: String,
    folder: PathBuf,
    files: Vec<ListedFile>,
    bytes: u64,
}

impl<'b> BackupWriter<'b> {
    /// Writes what this DynamoDB shows of the store. If it shows one moment, the backup does.
    pub const fn new(store: &'b Store, dynamo: &'b dyn Dynamo) -> Self {
        Self { store, dynamo }
    }

    /// Writes a backup into a folder, which must be empty or not there.
    pub async fn write(
        &self,
        folder: &Path,
        now: Timestamp,
        watch: ItemWatch<'_>,
    ) -> Result<BackupReport, Error> {
        refuse_old_backup(folder)?;
        let mut report = BackupReport::default();
        for id in self.store.model().stored_tables() {
            let name = &self.store.model().table(id).physical;
            let found = self.dynamo.describe_table(DescribeTableInput::new(name));
            let found = found.await?.table.unwrap_or_default();
            self.write_table(folder, id, &found, now, (&mut report, watch))
                .await?;
            report.tables += 1;
        }
        Ok(report)
    }

    async fn write_table(
        &self,
        folder: &Path,
        table: TableId,
        found: &TableDescription,
        now: Timestamp,
        (report, watch): (&mut BackupReport, ItemWatch<'_>),
    ) -> Result<(), Error> {
        let name = &self.store.model().table(table).physical;
        let mut export = TableExport::begin(folder, name, now)?;
        let mut file = ExportFile::default();
        let mut input = scan_table(name);
        loop {
            let (items, is_last) = read_page(self.dynamo, &mut input).await?;
            for item in items {
                let BackedUpItem { item, is_own } =
                    self.store.prepare_backup(table, item.to_item());
                report.items += u64::from(!is_own);
                file.push(&(&item).into())
                    .map_err(|error| Error::file(folder, error))?;
                if file.items() >= FILE_ITEMS || file.bytes() >= FILE_BYTES {
                    export.write_file(std::mem::take(&mut file))?;
                }
            }
            watch(report.items);
            if is_last {
                break;
            }
        }
        // An empty table has one file, too.
        if file.items() > 0 || export.files.is_empty() {
            export.write_file(file)?;
        }
        report.files += export.files.len() as u64;
        export.finish(found, name, now)
    }
}

impl TableExport {
    fn begin(folder: &Path, table: &str, now: Timestamp) -> Result<Self, Error> {
        // As AWS's ids are: the time in milliseconds, and something that no other export of the folder has.
        let mut id = format!("{:014}-", now.as_millisecond());
        for byte in Sha256::digest(format!("{}/{table}", now.as_millisecond()))
            .iter()
            .take(4)
        {
            let _ = write!(id, "{byte:02x}");
        }
        let folder = folder.join(FOLDER).join(&id);
        make_folder(&folder.join(DATA))?;
        write_file(&folder.join(STARTED), b"")?;
        Ok(Self {
            id,
            folder,
            files: Vec::new(),
            bytes: 0,
        })
    }

    fn write_file(&mut self, file: ExportFile) -> Result<(), Error> {
        let name = file.name(&self.id, self.files.len());
        let path = self.folder.join(DATA).join(&name);
        self.bytes += file.bytes();
        let items = file.items();
        let (content, digest) = file.finish().map_err(|error| Error::file(&path, error))?;
        write_file(&path, &content)?;
        let key = format!("{FOLDER}/{}/{DATA}/{name}", self.id);
        self.files.push(ListedFile::new(key, items, digest));
        Ok(())
    }

    fn finish(self, found: &TableDescription, table: &str, now: Timestamp) -> Result<(), Error> {
        let unknown = || format!("arn:aws:dynamodb:local:000000000000:table/{table}");
        let arn = found.table_arn.clone().unwrap_or_else(unknown);
        let time = format!("{now:.3}");
        let manifest = Manifest {
            summary: ExportSummary {
                version: "2020-06-30".to_owned(),
                export_arn: format!("{arn}/export/{}", self.id),
                start_time: time.clone(),
                end_time: time.clone(),
                table_arn: arn,
                table_id: found.table_id.clone().unwrap_or_default(),
                export_time: Some(time),
                s3_bucket: "monotable-backup".to_owned(),
                s3_prefix: None,
                s3_sse_algorithm: None,
                s3_sse_kms_key_id: None,
                manifest_files_s3_key: format!("{FOLDER}/{}/{FILES}", self.id),
                billed_size_bytes: self.bytes,
                item_count: self.files.iter().map(|file| file.item_count).sum(),
                output_format: "DYNAMODB_JSON".to_owned(),
                period: None,
            },
            files: self.files,
        };
        for (name, content) in manifest.render() {
            write_file(&self.folder.join(name), &content)?;
        }
        Ok(())
    }
}

/// A folder with something in it is somebody's backup.
fn refuse_old_backup(folder: &Path) -> Result<(), Error> {
    let is_empty = match std::fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => true,
        Err(error) => return Err(Error::file(folder, error)),
    };
    if is_empty {
        return make_folder(folder);
    }
    Err(Error::refused(
        format!("{} is not empty; nothing was written", folder.display()),
        "name a folder that is not there: each backup has one of its own",
    ))
}
