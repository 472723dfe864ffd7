//! `doctor`: damaged stores as users meet them.

use crate::sandbox::Sandbox;
use serde_json::Value;
use std::path::PathBuf;

/// A store with songs, whose first journal batches are the only place of them.
fn with_songs() -> Sandbox {
    let sandbox = Sandbox::with_music();
    for number in 0..6 {
        let item =
            format!(r#"{{"Artist":"Nina Simone","Song":"song {number}","Released":{number}}}"#);
        sandbox.run(&["put", "Music", &item]).succeeded();
    }
    sandbox
}

fn journal(sandbox: &Sandbox) -> PathBuf {
    let files = std::fs::read_dir(sandbox.path().join("data/data")).unwrap();
    let files = files.map(|entry| entry.unwrap().path());
    let journals = files.filter(|path| path.extension().is_some_and(|end| end == "jnl"));
    journals.max().unwrap()
}

/// Spoils a song in the journal beyond what can be found out.
fn spoil(sandbox: &Sandbox, song: &str) {
    let path = journal(sandbox);
    let mut bytes = std::fs::read(&path).unwrap();
    let places = bytes.windows(song.len()).enumerate();
    let at: Vec<usize> = places
        .filter(|(_, window)| *window == song.as_bytes())
        .map(|(at, _)| at)
        .collect();
    // The first place is the key of a row, a later one the value.
    let value = *at.last().unwrap();
    bytes[value] ^= 0x21;
    bytes[value + 2] ^= 0x21;
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn a_sound_store_has_the_exit_code_0() {
    let sandbox = with_songs();
    let text = sandbox
        .run(&["doctor", "--output", "table"])
        .succeeded()
        .stdout;
    assert!(
        text.contains("6 items, 6 index entries: nothing is damaged"),
        "{text}"
    );
    let json = sandbox
        .run(&["doctor", "--output", "json"])
        .succeeded()
        .stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["sound"], true);
    assert_eq!(json["items"], 6);
}

#[test]
fn damage_has_the_exit_code_1_and_is_named() {
    let sandbox = with_songs();
    spoil(&sandbox, "song 3");
    let journal = journal(&sandbox)
        .file_name()
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned();
    let refused = sandbox
        .run(&["scan", "Music"])
        .failed(255, "monotable doctor --store");
    assert!(refused.stderr.contains(&journal), "{}", refused.stderr);
    let examined = sandbox.run(&["doctor", "--output", "json"]);
    assert_eq!(examined.code, Some(1), "{examined:?}");
    let json: Value = serde_json::from_str(&examined.stdout).unwrap();
    assert_eq!(json["sound"], false);
    let file = json["damages"][0]["file"].as_str().unwrap();
    assert!(file.ends_with(&journal), "{json}");
}

#[test]
fn a_repaired_copy_is_beside_the_store_and_says_what_is_missing() {
    let sandbox = with_songs();
    spoil(&sandbox, "song 3");
    let repaired = sandbox.run(&["doctor", "--repair", "copy", "--output", "table"]);
    assert_eq!(repaired.code, Some(1), "{repaired:?}");
    assert!(repaired.stdout.contains("Song=\"song 3\""), "{repaired:?}");
    assert!(
        repaired.stderr.contains("repaired copy: copy with 5 items"),
        "{repaired:?}"
    );
    let scan = sandbox.run(&["scan", "Music", "--store", "copy", "--output", "jsonl"]);
    assert_eq!(scan.succeeded().stdout.lines().count(), 5);
    // The store itself is as it was.
    sandbox.run(&["scan", "Music"]).failed(255, "is damaged");
    sandbox
        .run(&["doctor", "--repair", "copy"])
        .failed(2, "there already");
}

#[test]
fn what_is_no_store_is_not_examined() {
    let sandbox = Sandbox::new();
    sandbox
        .run(&["doctor", "--store", "nowhere"])
        .failed(253, "no store at nowhere");
}

#[test]
fn a_store_without_its_format_is_told_from_no_store() {
    let sandbox = with_songs();
    std::fs::remove_file(sandbox.path().join("data/FORMAT")).unwrap();
    for command in [&["table", "list"][..], &["serve", "--port", "0"]] {
        let refused = sandbox
            .run(command)
            .failed(255, "FORMAT is damaged: it is missing");
        assert!(
            refused.stderr.contains("monotable doctor --store ./data"),
            "{refused:?}"
        );
    }
    let examined = sandbox.run(&["doctor", "--output", "table"]);
    assert_eq!(examined.code, Some(1), "{examined:?}");
    assert!(
        examined.stdout.contains("FORMAT: it is missing"),
        "{examined:?}"
    );
}

/// The mode of a folder that somebody else has made is told of and kept.
#[cfg(unix)]
#[test]
fn a_store_that_others_can_read_is_warned_of() {
    use crate::sandbox::Served;
    use std::os::unix::fs::PermissionsExt;
    let sandbox = with_songs();
    let data = sandbox.path().join("data");
    let warning = "other users of this machine can get at the data in ./data, because its mode is 0755: make it private with \
                   `chmod 700 ./data`";
    assert!(
        !sandbox
            .run(&["doctor"])
            .succeeded()
            .stderr
            .contains("chmod")
    );
    assert!(!Served::start(&sandbox, &[]).stop().stderr.contains("chmod"));
    std::fs::set_permissions(&data, std::fs::Permissions::from_mode(0o755)).unwrap();
    let examined = sandbox.run(&["doctor"]).succeeded();
    assert!(examined.stderr.contains(warning), "{examined:?}");
    let served = Served::start(&sandbox, &[]).stop();
    assert!(served.stderr.contains(warning), "{served:?}");
    let mode = std::fs::metadata(&data).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o755, "nothing is changed");
}

/// Where tests run as root, who may read everything, the doctor runs as nobody.
#[cfg(target_os = "linux")]
mod another_user {
    use super::with_songs;
    use std::fs;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    use std::os::unix::process::CommandExt;
    use std::path::{Path, PathBuf};
    use std::process::Command;

    const NOBODY: u32 = 65534;

    fn list_all(path: &Path) -> Vec<PathBuf> {
        let mut all = vec![path.to_owned()];
        if path.is_dir() {
            let entries = fs::read_dir(path)
                .unwrap()
                .map(|entry| entry.unwrap().path());
            all.extend(entries.flat_map(|path| list_all(&path)));
        }
        all
    }

    /// What the command says of a store; none if nobody can start it here.
    fn run(arguments: &[&str], store: &Path) -> Option<(Option<i32>, String)> {
        let is_root = fs::metadata("/proc/self").unwrap().uid() == 0;
        let mut command = Command::new(env!("CARGO_BIN_EXE_monotable"));
        command
            .args(arguments)
            .arg("--store")
            .arg(store)
            .current_dir("/");
        if is_root {
            fs::set_permissions(store.parent()?, fs::Permissions::from_mode(0o755)).unwrap();
            for path in list_all(store) {
                chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
            }
            command.uid(NOBODY).gid(NOBODY);
        }
        let output = command.output().ok()?;
        let text = [output.stdout, output.stderr].concat();
        Some((output.status.code(), String::from_utf8(text).unwrap()))
    }

    #[test]
    fn a_file_that_may_not_be_read_is_not_called_damaged() {
        let sandbox = with_songs();
        let store = sandbox.path().join("data");
        let Some((code, text)) = run(&["doctor"], &store) else {
            return;
        };
        assert_eq!(code, Some(0), "{text}");
        let is_asked =
            |path: &PathBuf| path.is_file() && !path.ends_with("LOCK") && !path.ends_with("lock");
        let files: Vec<_> = list_all(&store).into_iter().filter(is_asked).collect();
        assert!(files.len() > 8, "{files:?}");
        for file in files {
            let mode = fs::metadata(&file).unwrap().permissions();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).unwrap();
            let (code, text) = run(&["doctor"], &store).unwrap();
            fs::set_permissions(&file, mode).unwrap();
            assert_eq!(code, Some(253), "{text}");
            assert!(
                text.starts_with(&format!("error: {}: Permission denied", file.display())),
                "{text}"
            );
        }
    }

    #[test]
    fn whoever_may_not_write_the_lock_of_the_storage_engine_is_told_by_both() {
        let sandbox = with_songs();
        let store = sandbox.path().join("data");
        let lock = store.join("data/lock");
        fs::set_permissions(&lock, fs::Permissions::from_mode(0o400)).unwrap();
        let Some((code, text)) = run(&["doctor"], &store) else {
            return;
        };
        assert_eq!(code, Some(253), "{text}");
        let words = format!("{}: Permission denied", lock.display());
        assert!(text.contains(&words), "{text}");
        let (_, text) = run(&["serve", "--port", "0"], &store).unwrap();
        assert!(text.contains(&words), "{text}");
    }
}
