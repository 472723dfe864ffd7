//! Rows that another program wrote.

use crate::sandbox::Sandbox;

const MODEL: &str = include_str!("../../../../../models/formkiq/model.toml");

/// A document in a folder, without the folder's row.
const DOCUMENT: &str = r#"{"PK": "docs#d1", "SK": "document", "GSI1PK": "2025-11-18", "GSI1SK": "2025-11-18T12:00:00+0000#d1",
    "documentId": "d1", "path": "plans/a.txt", "userId": "ann", "inserteddate": "2025-11-18T12:00:00+0000",
    "lastModifiedDate": "2025-11-18T12:00:00+0000"}"#;

#[test]
fn folders_that_adopt_makes_say_who_made_them() {
    let sandbox = Sandbox::new();
    sandbox.write("model.toml", MODEL);
    sandbox.run(&["setup", "-m", "model.toml"]).succeeded();
    sandbox.run(&["table", "put", "main", DOCUMENT]).succeeded();
    let alone = sandbox.run(&["adopt", "-m", "model.toml", "--yes"]);
    assert_ne!(alone.code, Some(0), "{}", alone.stderr);
    let adopt = ["adopt", "-m", "model.toml", "--yes", "--by", "username=ops"];
    sandbox.run(&adopt).succeeded();
    let asked = ["query", "-m", "model.toml", "folders_of_folder"];
    let found = sandbox.run(&asked).succeeded().stdout;
    assert!(found.contains(r#""userId": "ops""#), "{found}");
    let unknown = ["adopt", "-m", "model.toml", "--by", "user=ops"];
    let refused = sandbox.run(&unknown);
    assert!(
        refused.stderr.contains("--by: `user`"),
        "{}",
        refused.stderr
    );
}
