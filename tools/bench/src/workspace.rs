//! The folder of a run: stores as they were loaded, and copies of them to work on.

use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::load::{self, LoadFacts, LoadTask};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub(crate) struct Workspace {
    path: PathBuf,
    /// Removed at the end, unless the user named a folder.
    _temporary: Option<TempDir>,
}

/// A store that is loaded and closed.
pub(crate) struct Loaded {
    pub(crate) path: PathBuf,
    pub(crate) task: LoadTask,
    pub(crate) facts: LoadFacts,
}

impl Workspace {
    pub(crate) fn open(arguments: &Arguments) -> Result<Self, Failure> {
        let temporary = match &arguments.directory {
            Some(_) => None,
            None => Some(TempDir::with_prefix("monotable-bench-")?),
        };
        let path = match (&arguments.directory, &temporary) {
            (Some(path), _) => path.clone(),
            (None, Some(temporary)) => temporary.path().to_owned(),
            (None, None) => return Err("no folder".into()),
        };
        fs::create_dir_all(&path)?;
        Ok(Self {
            path,
            _temporary: temporary,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A loaded store: that of an earlier run, unless its load itself is to be measured.
    pub(crate) fn loaded(
        &self,
        name: &str,
        task: LoadTask,
        again: bool,
    ) -> Result<Loaded, Failure> {
        let path = self.path.join(format!("loaded-{name}"));
        let facts_path = self.path.join(format!("loaded-{name}.json"));
        let task = LoadTask {
            path: path.clone(),
            ..task
        };
        if !again
            && let Ok(text) = fs::read(&facts_path)
            && let Ok((known, facts)) = serde_json::from_slice::<(LoadTask, LoadFacts)>(&text)
            && known == task
        {
            return Ok(Loaded { path, task, facts });
        }
        let _ = fs::remove_file(&facts_path);
        let _ = fs::remove_dir_all(&path);
        let facts = load::load_in_child(&task)?;
        fs::write(facts_path, serde_json::to_vec(&(&task, &facts))?)?;
        Ok(Loaded { path, task, facts })
    }

    /// An empty place for copies.
    pub(crate) fn scratch(&self, name: &str) -> Result<TempDir, Failure> {
        Ok(tempfile::Builder::new()
            .prefix(&format!("{name}-"))
            .tempdir_in(&self.path)?)
    }
}

/// Copies a folder and what is below it.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
