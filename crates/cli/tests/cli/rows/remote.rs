//! The same rows on a server.

use super::{Rows, person, words};
use crate::sandbox::Served;

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

    // The secret of cursors is in the store, wherever that is.
    let query = "query persons_of_tree TreeId=byron --limit 2 --output jsonl";
    let page = run(query).succeeded();
    let (_, cursor) = page.stderr.split_once("--cursor ").unwrap();
    let rest = run(&format!("{query} --cursor {}", cursor.trim())).succeeded();
    assert_eq!(rest.stdout.lines().count(), 1);

    run("verify").succeeded();
    run("backup saved.jsonl").succeeded();
    run("delete Tree UserId=ada TreeId=byron").succeeded();
    run("restore saved.jsonl").failed(2, "--confirm Yggdrasil");
    run("get Tree UserId=ada TreeId=byron").failed(254, "NotFound");
    run("restore saved.jsonl --confirm Yggdrasil").succeeded();
    run("get Tree UserId=ada TreeId=byron").succeeded();
    served.stop();
}
