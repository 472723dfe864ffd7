//! `monotable describe`: a model as a document, in a file that is written whole or not at all.

use crate::check::{GOOD, bad, doubtful};
use crate::sandbox::Sandbox;
use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::process::Command;

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("model.toml", GOOD);
    sandbox
}

fn names(sandbox: &Sandbox) -> Vec<String> {
    let entries = fs::read_dir(sandbox.path()).unwrap();
    let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
    let mut names: Vec<String> = entries.map(|entry| name(entry.unwrap())).collect();
    names.sort();
    names
}

fn text(sandbox: &Sandbox, name: &str) -> String {
    fs::read_to_string(sandbox.path().join(name)).unwrap()
}

#[test]
fn a_document_goes_to_stdout() {
    let sandbox = sandbox();
    let markdown = sandbox.run(&["describe", "model.toml"]).succeeded();
    assert!(markdown.stdout.contains("small"), "{markdown:?}");
    assert!(!markdown.stdout.starts_with('<'), "{markdown:?}");
    assert_eq!(markdown.stderr, "");
    let html = sandbox
        .run(&["describe", "model.toml", "--format", "html"])
        .succeeded();
    assert!(html.stdout.contains("small") && html.stdout.starts_with('<'));
    let fed = sandbox.feed(&["describe", "-"], GOOD.as_bytes());
    assert_eq!(fed.succeeded().stdout, markdown.stdout);
}

#[test]
fn the_file_name_chooses_the_format() {
    let sandbox = sandbox();
    let run = |arguments: &[&str]| {
        let arguments = [&["describe", "model.toml"], arguments].concat();
        sandbox.run(&arguments).succeeded()
    };
    let markdown = run(&[]).stdout;
    let html = run(&["--format", "html"]).stdout;
    let done = run(&["--out", "a.html"]);
    assert_eq!(done.stdout, "");
    assert_eq!(done.stderr, "described model.toml in a.html\n");
    run(&["--out", "b.md"]);
    run(&["--out", "c.html", "--format", "markdown"]);
    assert_eq!(text(&sandbox, "a.html"), html);
    assert_eq!(text(&sandbox, "b.md"), markdown);
    assert_eq!(text(&sandbox, "c.html"), markdown);
    let expected = ["a.html", "b.md", "c.html", "model.toml"];
    assert_eq!(names(&sandbox), expected, "nothing temporary is left");
}

#[test]
fn a_file_is_replaced_and_not_written_into() {
    let sandbox = sandbox();
    let path = |name: &str| sandbox.path().join(name);
    sandbox.write("out.md", "old");
    fs::set_permissions(path("out.md"), fs::Permissions::from_mode(0o640)).unwrap();
    // Whoever has the old file keeps all of it.
    fs::hard_link(path("out.md"), path("held.md")).unwrap();
    symlink("out.md", path("link.md")).unwrap();
    sandbox
        .run(&["describe", "model.toml", "--out", "link.md"])
        .succeeded();
    assert_eq!(text(&sandbox, "held.md"), "old");
    assert!(text(&sandbox, "out.md").contains("small"));
    assert!(fs::symlink_metadata(path("link.md")).unwrap().is_symlink());
    assert_eq!(fs::metadata(path("out.md")).unwrap().mode() & 0o777, 0o640);

    // A new file has the permissions that any new file has.
    sandbox.write("any", "");
    sandbox
        .run(&["describe", "model.toml", "--out", "new.md"])
        .succeeded();
    let mode = |name: &str| fs::metadata(path(name)).unwrap().mode();
    assert_eq!(mode("new.md"), mode("any"));
}

#[test]
fn a_pipe_stays_a_pipe() {
    let sandbox = sandbox();
    let pipe = sandbox.path().join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    // Held open on both sides, so that the command does not wait for a reader.
    let mut options = fs::OpenOptions::new();
    let _held = options.read(true).write(true).open(&pipe).unwrap();
    sandbox
        .run(&["describe", "model.toml", "--out", "pipe"])
        .succeeded();
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
}

#[test]
fn a_model_with_errors_writes_nothing() {
    let sandbox = sandbox();
    sandbox.write("bad.toml", bad());
    sandbox.write("out.md", "old");
    let before = names(&sandbox);
    let checked = sandbox.run(&["check", "bad.toml"]);
    for out in ["out.md", "new.md"] {
        let outcome = sandbox
            .run(&["describe", "bad.toml", "--out", out])
            .failed(253, "--> bad.toml:12:31");
        assert_eq!(outcome.stderr, checked.stderr);
        assert_eq!(outcome.stdout, "");
    }
    let printed = sandbox.run(&["describe", "bad.toml"]);
    assert_eq!(printed.failed(253, "1 error in 1 model").stdout, "");
    assert_eq!(names(&sandbox), before);
    assert_eq!(text(&sandbox, "out.md"), "old");
    sandbox
        .run(&["describe", "missing.toml"])
        .failed(253, "cannot read missing.toml");
}

#[test]
fn warnings_are_mentioned() {
    let sandbox = Sandbox::new();
    sandbox.write("doubtful.toml", doubtful());
    let outcome = sandbox.run(&["describe", "doubtful.toml"]).succeeded();
    let note = "note: 1 warning in 1 model; `monotable check` shows them\n";
    assert_eq!(outcome.stderr, note);
    assert!(outcome.stdout.contains("small"));
}

#[test]
fn a_document_that_cannot_be_written_is_said() {
    let sandbox = sandbox();
    sandbox
        .run(&["describe", "model.toml", "--out", "no/such/out.md"])
        .failed(255, "cannot write no/such/out.md");
    sandbox
        .run(&["describe", "model.toml", "--out", "."])
        .failed(255, "cannot write .");
    sandbox
        .run(&["describe", "model.toml", "--out", "./model.toml"])
        .failed(2, "is the model itself");
    assert_eq!(text(&sandbox, "model.toml"), GOOD);
    assert_eq!(names(&sandbox), ["model.toml"]);
    sandbox
        .run(&["describe", "model.toml", "--format", "pdf"])
        .failed(2, "markdown");
}
