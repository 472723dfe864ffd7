//! Flips bits of every file of a store, one at a time: each must be noticed or be without effect, no answer may be wrong, and the
//! doctor must name what is damaged and leave out what is lost.

use crate::numbered::{self, State};
use monotable_engine::{Doctor, DoctorError, UnknownRows};
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// How many requests the store has seen.
const REQUESTS: u64 = 110;

/// How many flips came out how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlipCounts {
    /// Files that were damaged.
    pub files: u64,
    /// Bits that were flipped.
    pub flips: u64,
    /// Flips after which the store was not opened.
    pub refused: u64,
    /// Flips after which the store was opened, and what was damaged was reported.
    pub reported: u64,
    /// Flips without any effect.
    pub harmless: u64,
    /// Flips that the doctor looked at.
    pub examined: u64,
    /// Copies that the doctor made with everything in them.
    pub whole_copies: u64,
    /// Copies that the doctor made without something.
    pub partial_copies: u64,
    /// Copies that the doctor refused to make.
    pub refused_copies: u64,
    /// Wrong answers, and damage that was not noticed.
    pub violations: Vec<String>,
}

impl fmt::Display for FlipCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} bits flipped in {} files: {} refused at open, {} reported, {} without effect",
            self.flips, self.files, self.refused, self.reported, self.harmless
        )?;
        writeln!(
            f,
            "{} examined by the doctor: {} whole copies, {} with rows left out, {} refused",
            self.examined, self.whole_copies, self.partial_copies, self.refused_copies
        )?;
        match self.violations.as_slice() {
            [] => write!(f, "no wrong answer"),
            violations => {
                writeln!(f, "WRONG:")?;
                violations
                    .iter()
                    .try_for_each(|line| writeln!(f, "  {line}"))
            }
        }
    }
}

/// How flips are chosen.
#[derive(Clone, Copy, Debug)]
pub struct FlipPlan {
    /// Every so many bytes of a file, one bit is flipped; at least a dozen in each file.
    pub step: usize,
    /// The doctor looks at one in so many.
    pub doctor_step: u64,
    /// How many bytes are damaged at a time. More than one cannot be found out.
    pub width: usize,
}

/// Damages a store in a folder, again and again.
///
/// # Errors
///
/// When the torture itself does not work.
pub fn survey(
    folder: &Path,
    plan: FlipPlan,
    mut tell: impl FnMut(&FlipCounts),
) -> io::Result<FlipCounts> {
    let original = folder.join("original");
    let expected = make_store(&original)?;
    let files = read_files(&original)?;
    let mut survey = Survey {
        folder: folder.into(),
        files,
        expected,
        counts: FlipCounts::default(),
    };
    let names: Vec<PathBuf> = survey.files.keys().cloned().collect();
    for name in names {
        let length = survey.files.get(&name).map_or(0, Vec::len);
        if length == 0 {
            continue;
        }
        survey.counts.files += 1;
        let step = plan.step.min(length.div_ceil(12)).max(1);
        for at in (0..length).step_by(step) {
            survey.flip(&name, at, plan)?;
            tell(&survey.counts);
        }
    }
    Ok(survey.counts)
}

/// A store that was closed, with table files, lists and a journal.
fn make_store(path: &Path) -> io::Result<State> {
    for piece in [0..REQUESTS - 20, REQUESTS - 20..REQUESTS] {
        let engine = numbered::open(path).map_err(io::Error::other)?;
        for number in piece {
            numbered::send(&engine, number).map_err(io::Error::other)?;
            if number % numbered::SETTLES == numbered::SETTLES - 1 {
                engine.settle().map_err(io::Error::other)?;
            }
        }
        engine.close();
    }
    // A journal that is found is cut off behind its last batch.
    numbered::open(path).map_err(io::Error::other)?.close();
    Ok(numbered::state_after(REQUESTS))
}

struct Survey {
    folder: PathBuf,
    files: BTreeMap<PathBuf, Vec<u8>>,
    expected: State,
    counts: FlipCounts,
}

impl Survey {
    fn flip(&mut self, name: &Path, at: usize, plan: FlipPlan) -> io::Result<()> {
        let what = format!("{} byte {at}", name.display());
        let mask = if plan.width == 1 { 1 << (at % 8) } else { 0xa5 };
        let damaged = self.folder.join("damaged");
        self.write(&damaged, name, at, mask, plan.width)?;
        self.counts.flips += 1;
        let noticed = self.judge(&damaged, &what);
        if self.counts.flips.is_multiple_of(plan.doctor_step) {
            self.write(&damaged, name, at, mask, plan.width)?;
            self.consult(&damaged, &what, noticed)?;
        }
        Ok(())
    }

    fn write(&self, to: &Path, name: &Path, at: usize, mask: u8, width: usize) -> io::Result<()> {
        remove(to)?;
        for (file, bytes) in &self.files {
            let path = to.join(file);
            fs::create_dir_all(path.parent().unwrap_or(to))?;
            if file == name {
                let mut bytes = bytes.clone();
                bytes
                    .iter_mut()
                    .skip(at)
                    .take(width)
                    .for_each(|byte| *byte ^= mask);
                fs::write(path, bytes)?;
            } else {
                fs::write(path, bytes)?;
            }
        }
        // Folders without files.
        for keyspace in 0..4 {
            fs::create_dir_all(to.join(format!("data/keyspaces/{keyspace}/tables")))?;
        }
        Ok(())
    }

    /// Opens the store and reads everything. Whether the damage was noticed.
    fn judge(&mut self, store: &Path, what: &str) -> bool {
        let engine = match numbered::open(store) {
            Ok(engine) => engine,
            Err(error) => {
                self.counts.refused += 1;
                if !error.to_string().contains(&*store.to_string_lossy()) {
                    self.wrong(what, &format!("the error names no file: {error}"));
                }
                return true;
            }
        };
        let mut is_noticed = false;
        for key in numbered::keys() {
            match numbered::read(&engine, &key) {
                Ok(found) if found == self.expected.get(&key).copied() => {}
                Ok(found) => self.wrong(what, &format!("{key} is {found:?}")),
                Err(error) => {
                    is_noticed = true;
                    if !error.to_string().contains("monotable doctor") {
                        self.wrong(what, &format!("an error without advice: {error}"));
                    }
                }
            }
        }
        engine.scrub();
        is_noticed |= !engine.health().writable;
        is_noticed |= engine
            .verify()
            .map_or(true, |verified| verified.problem_count > 0);
        engine.close();
        if is_noticed {
            self.counts.reported += 1;
        } else {
            self.counts.harmless += 1;
        }
        is_noticed
    }

    /// Lets the doctor look at the store and copy it.
    fn consult(&mut self, store: &Path, what: &str, noticed: bool) -> io::Result<()> {
        self.counts.examined += 1;
        let copy = self.folder.join("copy");
        remove(&copy)?;
        let mut doctor = Doctor::new(store, |_| ());
        let repaired = match doctor.repair(&copy, UnknownRows::Refuse) {
            Ok(repaired) => repaired,
            Err(DoctorError::UnknownRows { .. } | DoctorError::Open(_)) => {
                self.counts.refused_copies += 1;
                return Ok(());
            }
            Err(error) => {
                self.wrong(what, &format!("the doctor fails: {error}"));
                return Ok(());
            }
        };
        if noticed && repaired.is_sound() {
            self.wrong(what, "the doctor finds nothing");
        }
        let engine = match numbered::open(&copy) {
            Ok(engine) => engine,
            Err(error) => {
                self.wrong(what, &format!("the copy does not open: {error}"));
                return Ok(());
            }
        };
        let found = numbered::read_all(&engine).map_err(io::Error::other)?;
        engine.close();
        if found == self.expected {
            self.counts.whole_copies += 1;
            return Ok(());
        }
        self.counts.partial_copies += 1;
        let is_explained = !repaired.lost.is_empty();
        let is_part = found
            .iter()
            .all(|(key, number)| self.expected.get(key) == Some(number));
        if !is_part || !is_explained {
            self.wrong(what, &format!("the copy has {found:?}: {repaired:?}"));
        }
        Ok(())
    }

    fn wrong(&mut self, what: &str, why: &str) {
        self.counts.violations.push(format!("{what}: {why}"));
    }
}

fn read_files(folder: &Path) -> io::Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).map_err(io::Error::other)?;
                files.insert(name.to_owned(), fs::read(&path)?);
            }
        }
    }
    Ok(files)
}

fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}
