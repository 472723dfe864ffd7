//! Looks at a store that is closed, says what is damaged, and makes a copy without it.
//!
//! The store is read without fjall (`store/salvage.rs`) and never changed, but for the mark `DAMAGED`, which goes when nothing is
//! damaged. A repaired copy is a new store: rows that are certain are written to it, indexes are worked out anew from the items, and rows
//! of which a newer version may be lost are left out and named.

mod copy;
mod patient;
mod relations;
mod tour;

use crate::engine::Engine;
use crate::store::{
    DAMAGE_MARK, Finding, Loss, OpenError, check_writable, make_private_directory, sync_directory,
};
use copy::CopyWriter;
use patient::Patient;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use tour::Tour;

/// Something in a store that is not as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong with it.
    pub what: String,
    /// What is lost by it.
    pub loss: DataLoss,
}

/// What is lost by damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataLoss {
    /// Nothing: what was there is known from elsewhere, or was never acknowledged.
    Nothing,
    /// Rows of ranges that are named.
    Rows,
    /// Rows that cannot be named.
    Unknown,
}

/// A range in which rows are lost. Rows of a table are in the order of a hash of their partition key, so the range is named by the
/// rows at its ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostRange {
    /// The file that held the rows.
    pub path: PathBuf,
    /// Where the range begins, in words.
    pub from: String,
    /// Where the range ends, in words.
    pub to: String,
    /// Whether these are entries of one index, which a repair works out anew: then nothing is lost.
    pub is_recomputed: bool,
    /// Older versions of rows of this range, which a repair leaves out.
    pub older_versions: u64,
}

/// What was found in a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examination {
    /// What is damaged.
    pub damages: Vec<Damage>,
    /// Where rows are lost.
    pub lost: Vec<LostRange>,
    /// What contradicts itself although no file is damaged, or because rows are lost.
    pub contradictions: Vec<String>,
    /// Keys of rows that a repair leaves out because a newer version may be lost: the first ones.
    pub left_out: Vec<String>,
    /// What keeps the store from being opened although its data may be sound: files that this process may not write to.
    pub obstacles: Vec<String>,
    /// Table files that were read.
    pub files: u64,
    /// Items that are there.
    pub items: u64,
    /// Index entries that are there, or that a repair has worked out.
    pub entries: u64,
}

impl Examination {
    /// Whether nothing is wrong with the data.
    pub fn is_sound(&self) -> bool {
        self.damages.is_empty() && self.lost.is_empty() && self.contradictions.is_empty()
    }
}

/// What to do about rows that are lost and cannot be named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnknownRows {
    /// Make no copy: it could have older versions of them.
    #[default]
    Refuse,
    /// Make a copy that may have older versions of them.
    Accept,
}

/// Why there is no repaired copy.
#[derive(Debug)]
#[non_exhaustive]
pub enum DoctorError {
    /// The store cannot be read at all.
    Open(OpenError),
    /// The copy would be written over something.
    Occupied {
        /// The folder.
        path: PathBuf,
    },
    /// Rows are lost that cannot be named.
    UnknownRows {
        /// What is damaged.
        damages: Vec<Damage>,
    },
    /// A file could not be read or the copy not be written.
    Failed {
        /// What was being done.
        what: String,
    },
}

impl fmt::Display for DoctorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open(error) => error.fmt(f),
            Self::Occupied { path } => write!(
                f,
                "{} is there already, or inside of the store: name a folder that is not there yet",
                path.display()
            ),
            Self::UnknownRows { damages } => {
                f.write_str("rows are lost that cannot be named, so a copy could have older versions of them:")?;
                for damage in damages {
                    write!(f, " {}: {};", damage.path.display(), damage.what)?;
                }
                f.write_str(
                    " restore a backup, or say --accept-unknown to get a copy with what can be read",
                )
            }
            Self::Failed { what } => f.write_str(what),
        }
    }
}

impl std::error::Error for DoctorError {}

impl From<OpenError> for DoctorError {
    fn from(error: OpenError) -> Self {
        Self::Open(error)
    }
}

impl DoctorError {
    fn failed(what: impl fmt::Display) -> Self {
        Self::Failed {
            what: what.to_string(),
        }
    }
}

/// Examines and repairs a store that no process has open.
pub struct Doctor<'a> {
    store: PathBuf,
    watch: Box<dyn FnMut(&Path) + 'a>,
}

impl fmt::Debug for Doctor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Doctor")
            .field("store", &self.store)
            .finish_non_exhaustive()
    }
}

impl<'a> Doctor<'a> {
    /// For the store in a folder. `watch` is told of each file before it is read.
    pub fn new(store: impl Into<PathBuf>, watch: impl FnMut(&Path) + 'a) -> Self {
        Self {
            store: store.into(),
            watch: Box::new(watch),
        }
    }

    /// Reads everything. If nothing is wrong, the mark goes that keeps the store from taking writes.
    pub fn examine(&mut self) -> Result<Examination, DoctorError> {
        let mut found = Examination::default();
        for store in self.stores()? {
            let patient = Patient::read(&store, &mut self.watch)?;
            let mut examined = Tour::new(&patient).check()?;
            match check_writable(&store) {
                Err(obstacle) => examined.obstacles.push(obstacle.to_string()),
                Ok(()) if examined.is_sound() => remove_mark(&store)?,
                Ok(()) => {}
            }
            found.add(examined);
        }
        Ok(found)
    }

    /// Writes a copy without what is damaged. The copy appears under its name when it is whole.
    pub fn repair(&mut self, out: &Path, unknown: UnknownRows) -> Result<Examination, DoctorError> {
        let unfinished = self.prepare(out)?;
        let mut found = Examination::default();
        for store in self.stores()? {
            let patient = Patient::read(&store, &mut self.watch)?;
            let damages = patient.unknown_losses();
            if unknown == UnknownRows::Refuse && !damages.is_empty() {
                fs::remove_dir_all(&unfinished).map_err(DoctorError::failed)?;
                return Err(DoctorError::UnknownRows { damages });
            }
            let below = store.strip_prefix(&self.store).unwrap_or(Path::new(""));
            let target = unfinished.join(below);
            make_private_directory(&target).map_err(OpenError::io(&target))?;
            let mut writer = CopyWriter::create(&target)?;
            let repaired = Tour::new(&patient).copy(&mut writer)?;
            writer.finish(patient.group())?;
            check_copy(&target)?;
            found.add(repaired);
        }
        fs::rename(&unfinished, out).map_err(DoctorError::failed)?;
        let above = out.parent().filter(|above| !above.as_os_str().is_empty());
        sync_directory(above.unwrap_or(Path::new("."))).map_err(DoctorError::failed)?;
        Ok(found)
    }

    /// The folder in which the copy is written until it is whole.
    fn prepare(&self, out: &Path) -> Result<PathBuf, DoctorError> {
        let occupied = || DoctorError::Occupied { path: out.into() };
        let name = out.file_name().ok_or_else(occupied)?.to_string_lossy();
        let unfinished = out.with_file_name(format!("{name}.unfinished"));
        if out.exists() || out.starts_with(&self.store) {
            return Err(occupied());
        }
        if unfinished.exists() {
            fs::remove_dir_all(&unfinished).map_err(DoctorError::failed)?;
        }
        make_private_directory(&unfinished).map_err(OpenError::io(&unfinished))?;
        Ok(unfinished)
    }

    /// The store and those of its regions.
    fn stores(&self) -> Result<Vec<PathBuf>, DoctorError> {
        let mut stores = vec![self.store.clone()];
        let regions = self.store.join("regions");
        if regions.is_dir() {
            for entry in fs::read_dir(&regions).map_err(OpenError::io(&regions))? {
                stores.push(entry.map_err(OpenError::io(&regions))?.path());
            }
            stores.sort();
        }
        Ok(stores)
    }
}

impl Examination {
    fn add(&mut self, other: Self) {
        self.damages.extend(other.damages);
        self.lost.extend(other.lost);
        self.contradictions.extend(other.contradictions);
        self.left_out.extend(other.left_out);
        self.obstacles.extend(other.obstacles);
        self.files += other.files;
        self.items += other.items;
        self.entries += other.entries;
    }
}

impl From<&Finding> for Damage {
    fn from(finding: &Finding) -> Self {
        Self {
            path: finding.path.clone(),
            what: finding.what.clone(),
            loss: match finding.loss {
                Loss::Nothing => DataLoss::Nothing,
                Loss::Rows => DataLoss::Rows,
                Loss::Unknown => DataLoss::Unknown,
            },
        }
    }
}

fn remove_mark(store: &Path) -> Result<(), DoctorError> {
    match fs::remove_file(store.join(DAMAGE_MARK)) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        removed => removed.map_err(DoctorError::failed),
    }
}

/// A copy that contradicts itself would be worse than none.
fn check_copy(path: &Path) -> Result<(), DoctorError> {
    let engine = Engine::open(path)?;
    let verified = engine.verify().map_err(DoctorError::failed)?;
    engine.close();
    match verified.problems.first() {
        None => Ok(()),
        Some(problem) => Err(DoctorError::failed(format_args!(
            "the copy is not sound, which is a mistake of this program: {problem}"
        ))),
    }
}
