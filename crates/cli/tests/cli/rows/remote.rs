//! The same rows on a server.

use super::{Rows, person, words};
use crate::sandbox::{Outcome, Served};

#[test]
fn rows_work_on_an_endpoint() {
    let rows = Rows::new();
    let served = Served::start(&rows.sandbox, &["--in-memory"]);
    let run = |line: &str| {
        let line = format!("{line} --endpoint-url {}", served.url);
        rows.sandbox.run(&words(&line))
    };
    let missing = run("get User UserId=ada").failed(254, "ResourceNotFoundException");
    assert!(missing.stderr.contains("run `setup`"), "{missing:?}");
    run("setup").succeeded();
    run("create User UserId=ada Email=ada@example.com PasswordHash=x").succeeded();
    run("create Tree UserId=ada TreeId=byron TreeName=Byron").succeeded();
    for number in 0..3 {
        run(&person(number)).succeeded();
    }
    run("create User UserId=bob Email=ada@example.com PasswordHash=x").failed(254, "Conflict");
    let tree = run("get Tree UserId=ada TreeId=byron").succeeded();
    assert!(tree.stdout.contains(r#""PersonCount": 3"#), "{tree:?}");

    // There is no place for a secret of cursors, unless the environment has one.
    let query = "query persons_of_tree TreeId=byron --limit 2 --output jsonl";
    let page = run(query).succeeded();
    assert!(page.stderr.contains("--all shows them"), "{page:?}");
    run(&format!("{query} --cursor x")).failed(2, "MONOTABLE_CURSOR_KEY");
    let with_secret = |line: &str| {
        let line = format!("{line} --endpoint-url {}", served.url);
        let mut command = rows.sandbox.command();
        command
            .env("MONOTABLE_CURSOR_KEY", "secret")
            .args(words(&line));
        Outcome::of(command.output().unwrap())
    };
    let page = with_secret(query).succeeded();
    let (_, cursor) = page.stderr.split_once("--cursor ").unwrap();
    let rest = with_secret(&format!("{query} --cursor {}", cursor.trim())).succeeded();
    assert_eq!(rest.stdout.lines().count(), 1);

    run("verify").succeeded();
    run("backup saved").succeeded();
    run("delete Tree UserId=ada TreeId=byron").succeeded();
    run("restore saved").succeeded();
    run("get Tree UserId=ada TreeId=byron").succeeded();
    served.stop();
}
