//! The file of a model: replaced as a whole or not at all, and never when somebody else has saved it meanwhile.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Why a file was not replaced. It is as it was.
#[derive(Debug)]
pub(crate) enum FileRefusal {
    /// It has another text than the one that the change was made for.
    Changed,
    /// The system refused something.
    System(io::Error),
}

impl From<io::Error> for FileRefusal {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

/// Gives a file another text, if it still has the expected one. Readers see the old text or the new one, never a part.
pub(crate) fn replace(path: &Path, expected: &str, text: &str) -> Result<(), FileRefusal> {
    // A link stays a link: what it leads to is replaced.
    let path = fs::canonicalize(path)?;
    compare(&path, expected)?;
    let draft = Draft::write(&path, text)?;
    // An editor may have saved while the draft was written.
    compare(&path, expected)?;
    draft.put(&path)?;
    Ok(())
}

fn compare(path: &Path, expected: &str) -> Result<(), FileRefusal> {
    if fs::read(path)? == expected.as_bytes() {
        Ok(())
    } else {
        Err(FileRefusal::Changed)
    }
}

/// A new text beside the file. It is removed unless it takes the place of the file.
struct Draft {
    path: PathBuf,
}

impl Draft {
    fn write(beside: &Path, text: &str) -> io::Result<Self> {
        let name = beside.file_name().unwrap_or_default().to_string_lossy();
        let path = beside.with_file_name(format!(".{name}.{}.draft", std::process::id()));
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&path)?;
        let draft = Self { path };
        file.write_all(text.as_bytes())?;
        file.set_permissions(fs::metadata(beside)?.permissions())?;
        file.sync_all()?;
        Ok(draft)
    }

    fn put(self, path: &Path) -> io::Result<()> {
        fs::rename(&self.path, path)?;
        if let Some(folder) = path.parent()
            && let Ok(folder) = File::open(folder)
        {
            // The new text is there already; that its name survives a power cut is more than editors promise.
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // After a rename there is nothing to remove.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("monotable-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn list(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_that_was_saved_meanwhile_stays_as_it_is() {
        let folder = folder("saved");
        let file = folder.join("model.toml");
        fs::write(&file, "theirs").unwrap();
        let refused = replace(&file, "shown", "mine");
        assert!(matches!(refused, Err(FileRefusal::Changed)), "{refused:?}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "theirs");
        assert_eq!(list(&folder), ["model.toml"]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_draft_that_is_given_up_leaves_nothing() {
        let folder = folder("draft");
        let file = folder.join("model.toml");
        fs::write(&file, "shown").unwrap();
        drop(Draft::write(&file, "mine").unwrap());
        assert_eq!(list(&folder), ["model.toml"]);
        assert_eq!(fs::read_to_string(&file).unwrap(), "shown");
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = folder("kept");
        let (file, link) = (folder.join("real.toml"), folder.join("model.toml"));
        fs::write(&file, "shown").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        replace(&link, "shown", "mine").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
        let mode = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        assert_eq!(list(&folder), ["model.toml", "real.toml"]);
        fs::remove_dir_all(folder).unwrap();
    }
}
