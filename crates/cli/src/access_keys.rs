//! The file of access keys, and the policies that it names.

use crate::exit::{self, Failure};
use monotable_policy::Scope;
use monotable_server::Credentials;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Reads the file, and tells what its policies say and probably do not mean. No message shows a secret.
pub(crate) fn read(path: &Path, scope: &Scope) -> Result<Credentials, Failure> {
    let credentials = read_quietly(path)?;
    for warning in credentials.warnings(scope) {
        exit::warn(warning);
    }
    Ok(credentials)
}

/// Reads the file. Policies stand in it, or in files that it names from its own folder on.
pub(crate) fn read_quietly(path: &Path) -> Result<Credentials, Failure> {
    let name = path.display();
    let failed = |error: std::io::Error| {
        Failure::configuration(format_args!("cannot read the credentials {name}")).caused_by(&error)
    };
    let mut file = File::open(path).map_err(failed)?;
    if is_open_to_others(&file) {
        exit::note(format_args!(
            "others may read the secrets in {name}: chmod 600 {name}"
        ));
    }
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(failed)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    Credentials::parse_with(&text, |policy| std::fs::read_to_string(folder.join(policy)))
        .map_err(|error| Failure::configuration(format_args!("the credentials {name}: {error}")))
}

#[cfg(unix)]
fn is_open_to_others(file: &File) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let metadata = file.metadata();
    metadata.is_ok_and(|metadata| metadata.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
const fn is_open_to_others(_: &File) -> bool {
    false
}
