//! A model whose key templates change while there are rows.

use crate::sandbox::Sandbox;

fn model(key: &str, layout: &str) -> String {
    format!(
        r#"
monotable = 1
model     = "notes"
[table.Notes]
key = ["PK", "SK"]
[entity.Note]
key = ["{key}#{{id}}", "NOTE"]
{layout}
[entity.Note.attributes]
id = "text, matches = /[a-z]{{1,9}}/"
[access.note]
key     = ["{key}#{{id}}", "NOTE"]
returns = ["Note"]
"#
    )
}

#[test]
fn a_changed_key_is_refused_until_the_rows_are_converted() {
    let sandbox = Sandbox::new();
    let run = |line: &str| {
        let mut words: Vec<&str> = line.split(' ').collect();
        words.splice(1..1, ["-m", "model.toml"]);
        sandbox.run(&words)
    };
    sandbox.write("model.toml", model("NOTE", ""));
    run("create Note id=a").succeeded();
    sandbox.write("model.toml", model("MEMO", ""));
    let refused = run("create Note id=b").failed(254, "was written with the key template");
    assert!(refused.stderr.contains("verify --convert"), "{refused:?}");
    run("get Note id=a").failed(254, "NotFound");
    let layout = "[entity.Note.layout.first]\nkey = [\"NOTE#{id}\", \"NOTE\"]";
    sandbox.write("model.toml", model("MEMO", layout));
    let converted = run("verify --convert").succeeded();
    assert!(
        converted.stderr.contains("convert: 1 row written"),
        "{converted:?}"
    );
    sandbox.write("model.toml", model("MEMO", ""));
    run("get Note id=a").succeeded();
    run("create Note id=b").succeeded();
    let verified = run("verify").succeeded();
    assert!(
        verified
            .stderr
            .contains("0 items that the model does not know"),
        "{verified:?}"
    );
}
