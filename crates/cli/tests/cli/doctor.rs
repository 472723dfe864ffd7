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
