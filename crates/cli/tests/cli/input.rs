//! What `put` reads, and that bad input leaves nothing behind.

use crate::sandbox::Sandbox;

#[test]
fn lines_arrays_and_indented_objects() {
    let texts = [
        "{\"Artist\":\"a\",\"Song\":\"1\"}\n\n{\"Artist\":\"a\",\"Song\":\"2\"}",
        "\u{feff}{\"Artist\":\"a\",\"Song\":\"1\"}\r\n{\"Artist\":\"a\",\"Song\":\"2\"}\r\n",
        "[{\"Artist\":\"a\",\"Song\":\"1\"},{\"Artist\":\"a\",\"Song\":\"2\"}]",
        "{\n  \"Artist\": \"a\",\n  \"Song\": \"1\"\n}\n{\"Artist\": \"a\",\n\"Song\": \"2\"}\n",
    ];
    for text in texts {
        let sandbox = Sandbox::with_music();
        let outcome = sandbox
            .feed(&["table", "put", "Music", "-"], text.as_bytes())
            .succeeded();
        assert_eq!(outcome.stderr, "2 items written to Music\n");
        let expected = [
            r#"{"Artist":"a","Song":"1"}"#,
            r#"{"Artist":"a","Song":"2"}"#,
        ];
        assert_eq!(sandbox.items("Music"), expected, "{text}");
    }
}

#[test]
fn what_scan_prints_can_be_put() {
    let sandbox = Sandbox::with_music();
    let lines: String = (0..100)
        .map(|n| format!("{{\"Artist\":\"a\",\"Song\":\"{n}\",\"Released\":{n}}}\n"))
        .collect();
    sandbox
        .feed(&["table", "put", "Music", "-"], lines.as_bytes())
        .succeeded();
    sandbox
        .run(&["table", "create", "Copy", "Artist", "Song"])
        .succeeded();
    for form in ["json", "jsonl"] {
        sandbox.write(
            "dump",
            sandbox
                .run(&["table", "scan", "Music", "--output", form])
                .succeeded()
                .stdout,
        );
        sandbox
            .run(&["table", "put", "Copy", "--file", "dump"])
            .succeeded();
        assert_eq!(sandbox.items("Copy"), sandbox.items("Music"));
    }
}

#[test]
fn a_scan_can_be_piped_into_a_put_of_the_same_store() {
    let sandbox = Sandbox::with_music();
    sandbox
        .run(&["table", "put", "Music", r#"{"Artist":"a","Song":"b"}"#])
        .succeeded();
    sandbox
        .run(&["table", "create", "Copy", "Artist", "Song"])
        .succeeded();
    let binary = crate::sandbox::BINARY;
    let mut shell = std::process::Command::new("sh");
    crate::sandbox::clean(&mut shell);
    let script = format!("{binary} table scan Music | {binary} table put Copy -");
    let status = shell
        .current_dir(sandbox.path())
        .args(["-c", &script])
        .status();
    assert!(status.unwrap().success());
    assert_eq!(sandbox.items("Copy"), sandbox.items("Music"));
}

#[test]
fn bad_lines_are_named_and_nothing_is_written() {
    let sandbox = Sandbox::with_music();
    // 60 good items around the bad ones: more than one batch.
    let mut lines: Vec<String> = (0..60)
        .map(|n| format!(r#"{{"Artist":"a","Song":"{n}"}}"#))
        .collect();
    lines[29] = r#"{"Artist":"a","Song":}"#.to_owned();
    lines[39] = r#"{"Artist":"a"}"#.to_owned();
    lines[49] = r#"{"Artist":"a","Song":"x","Released":"late"}"#.to_owned();
    lines[59] = r#"{"Artist":"a","Song":5}"#.to_owned();
    sandbox.write("songs", lines.join("\n"));
    let outcome = sandbox.run(&["table", "put", "Music", "--file", "songs"]);
    let outcome = outcome.failed(
        255,
        "error: 4 of 60 items cannot be written; nothing was written",
    );
    let expected = [
        "  line 30: not JSON: expected value at line 1 column 22",
        "  line 40: the key attribute Song is missing",
        "  line 50: the key attribute Released must be of type N, it is S",
        "  line 60: the key attribute Song must be of type S, it is N",
    ];
    assert_eq!(outcome.stderr.lines().skip(1).collect::<Vec<_>>(), expected);
    assert!(sandbox.items("Music").is_empty());
    // The same through a pipe.
    sandbox
        .feed(&["table", "put", "Music", "-"], lines.join("\n").as_bytes())
        .failed(255, "line 60");
    assert!(sandbox.items("Music").is_empty());
}

#[test]
fn many_bad_lines_are_counted() {
    let sandbox = Sandbox::with_music();
    let outcome = sandbox.feed(
        &["table", "put", "Music", "-"],
        "5\n".repeat(100).as_bytes(),
    );
    let outcome = outcome.failed(255, "100 of 100 items cannot be written");
    assert!(outcome.stderr.ends_with("  and 80 more\n"), "{outcome:?}");
}

#[test]
fn damaged_input_is_refused() {
    let sandbox = Sandbox::with_music();
    let put = |bytes: &[u8]| sandbox.feed(&["table", "put", "Music", "-"], bytes);
    let good = br#"{"Artist":"a","Song":"b"}"#;
    put(b"").failed(255, "there is no item in the input");
    put(b"[]").failed(255, "there is no item in the input");
    put(&[&good[..], b"\n{\"Artist\":\"\xff\"}\n"].concat()).failed(255, "line 2: not UTF-8");
    put(&[b"[\n", &good[..], b",\n"].concat()).failed(255, "line 1: the array never ends");
    put(&[b"[\n", &good[..], b",\n{\"Artist\":"].concat())
        .failed(255, "line 3: the item never ends");
    assert!(sandbox.items("Music").is_empty());
}

#[test]
fn the_last_of_several_items_with_one_key_stays() {
    let sandbox = Sandbox::with_music();
    let line = |n: usize| {
        format!(
            "{{\"Artist\":\"a\",\"Released\":{n},\"Song\":\"{}\"}}\n",
            n % 7
        )
    };
    let lines: String = (0..500).map(line).collect();
    let outcome = sandbox
        .feed(&["table", "put", "Music", "-"], lines.as_bytes())
        .succeeded();
    assert_eq!(outcome.stderr, "500 items written to Music\n");
    let expected: Vec<String> = (493..500).map(|n| line(n).trim().to_owned()).collect();
    let mut found = sandbox.items("Music");
    found.sort_by_key(|line| line.split_once("Released").unwrap().1.to_owned());
    assert_eq!(found, expected);
}

#[test]
fn a_named_pipe_can_be_read() {
    let sandbox = Sandbox::with_music();
    let script = format!(
        "{} table put Music --file <(echo '{{\"Artist\":\"a\",\"Song\":\"b\"}}')",
        crate::sandbox::BINARY
    );
    let mut bash = std::process::Command::new("bash");
    crate::sandbox::clean(&mut bash);
    let status = bash
        .current_dir(sandbox.path())
        .args(["-c", &script])
        .status();
    assert!(status.unwrap().success());
    assert_eq!(sandbox.items("Music").len(), 1);
}
