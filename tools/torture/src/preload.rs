//! Building the fault shim, and starting programs under it.

use std::env;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::bounded;

/// Far more than the shim needs, because cargo may first wait for another build to end.
const BUILD_LIMIT: Duration = Duration::from_secs(600);

/// The built shim.
#[derive(Debug, Clone)]
pub struct Shim {
    library: PathBuf,
}

impl Shim {
    /// Builds the shim with cargo, beside the running program, so that Rust is all a machine needs.
    ///
    /// # Errors
    ///
    /// When cargo cannot build it.
    pub fn build() -> io::Result<Self> {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command
            .args(["build", "--locked", "--quiet", "--message-format=json"])
            .args(["--package", "monotable-faultshim", "--profile", profile()])
            .current_dir(own_folder());
        if let Some(folder) = target_folder(&env::current_exe()?) {
            command.arg("--target-dir").arg(folder);
        }
        let messages = bounded::output(&mut command, BUILD_LIMIT)?;
        let library = library_in(&messages);
        let library = library.ok_or_else(|| io::Error::other("cargo built no library"))?;
        Ok(Self { library })
    }

    /// Makes a command run under the shim, which watches `directory` and writes `log`.
    pub fn preload<'a>(
        &self,
        command: &'a mut Command,
        directory: &Path,
        log: &Path,
    ) -> &'a mut Command {
        command
            .env("LD_PRELOAD", &self.library)
            .env("FAULTSHIM_DIR", directory)
            .env("FAULTSHIM_LOG", log)
    }
}

/// This package's folder. What cargo says at run time goes first: worktrees that share a target folder
/// may share a program that was compiled in another of them.
fn own_folder() -> PathBuf {
    let folder = env::var_os("CARGO_MANIFEST_DIR");
    folder.map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from)
}

fn profile() -> &'static str {
    if cfg!(debug_assertions) {
        "dev"
    } else {
        "release"
    }
}

/// The target folder that the running program was built into; cargo marks it.
fn target_folder(program: &Path) -> Option<&Path> {
    let mut folders = program.ancestors();
    folders.find(|folder| folder.join("CACHEDIR.TAG").exists())
}

fn library_in(messages: &[u8]) -> Option<PathBuf> {
    let messages = messages.split(|byte| *byte == b'\n');
    messages
        .filter_map(|line| serde_json::from_slice::<Value>(line).ok())
        .filter(|message| message.pointer("/target/name") == Some(&"monotable_faultshim".into()))
        .filter_map(|message| shared_object(message.get("filenames")?))
        .next_back()
}

fn shared_object(filenames: &Value) -> Option<PathBuf> {
    let filenames = filenames.as_array()?.iter().filter_map(Value::as_str);
    filenames
        .map(PathBuf::from)
        .find(|path| path.extension() == Some(OsStr::new("so")))
}
