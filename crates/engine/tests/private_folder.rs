//! A store is for its owner: nobody else enters a folder that was made for one.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "tests")]

use monotable_engine::{Engine, StoreExposure};
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
fn a_folder_that_others_can_enter_is_told_of_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    assert_eq!(StoreExposure::find(&store), None, "there is none");
    Engine::open(&store).unwrap().close();
    assert_eq!(StoreExposure::find(&store), None);
    for open in [0o755, 0o750, 0o701] {
        fs::set_permissions(&store, fs::Permissions::from_mode(open)).unwrap();
        let told = StoreExposure::find(&store).unwrap().to_string();
        assert!(told.contains(&format!("{open:04o}")), "{told}");
        assert!(
            told.contains(&format!("chmod 700 {}", store.display())),
            "{told}"
        );
        assert_eq!(mode(&store), open);
    }
}

#[test]
fn a_file_in_its_place_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "x").unwrap();
    assert!(Engine::open(&file).is_err());
}
