//! A store is for its owner: nobody else enters a folder that was made for one.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "tests")]

use monotable_engine::Engine;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_folder_that_is_made_is_private_and_one_that_is_there_stays() {
    let folder = tempfile::tempdir().unwrap();
    let made = folder.path().join("above").join("store");
    Engine::open(&made).unwrap().close();
    assert_eq!(mode(&made), 0o700);
    assert_ne!(
        mode(&folder.path().join("above")),
        0o700,
        "only the store itself"
    );

    let shared = folder.path().join("shared");
    fs::create_dir(&shared).unwrap();
    fs::set_permissions(&shared, fs::Permissions::from_mode(0o750)).unwrap();
    Engine::open(&shared).unwrap().close();
    Engine::open(&shared).unwrap().close();
    assert_eq!(mode(&shared), 0o750);
}

#[test]
fn a_file_in_its_place_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "x").unwrap();
    assert!(Engine::open(&file).is_err());
}
