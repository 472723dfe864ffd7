//! Models of schemas that other tools have.

use crate::sandbox::Sandbox;

pub(crate) const ONETABLE: &str = include_str!("../../../../tests/imports/samples/onetable.json");
pub(crate) const CLOUDFORMATION: &str =
    include_str!("../../../../tests/imports/samples/cloudformation.yaml");
const SAMPLES: [(&str, &str); 5] = [
    (
        "electrodb.json",
        include_str!("../../../../tests/imports/samples/electrodb.json"),
    ),
    ("onetable.json", ONETABLE),
    (
        "workbench.json",
        include_str!("../../../../tests/imports/samples/workbench.json"),
    ),
    ("cloudformation.yaml", CLOUDFORMATION),
    (
        "describe-table.json",
        include_str!("../../../../tests/imports/samples/describe-table.json"),
    ),
];

#[test]
fn every_sample_becomes_a_model_that_passes_the_check() {
    for (name, text) in SAMPLES {
        let sandbox = Sandbox::new();
        sandbox.write(name, text);
        let imported = sandbox
            .run(&["import", name, "--out", "model.toml"])
            .succeeded();
        assert_eq!(imported.stdout, "", "{name}");
        sandbox.run(&["check", "model.toml"]).succeeded();
        let printed = sandbox.run(&["import", name]).succeeded().stdout;
        let written = std::fs::read_to_string(sandbox.path().join("model.toml")).unwrap();
        assert_eq!(printed, written, "{name}");
    }
}

#[test]
fn what_cannot_be_said_is_a_comment_and_a_note() {
    let sandbox = Sandbox::new();
    sandbox.write("schema.json", ONETABLE);
    let imported = sandbox.run(&["import", "schema.json"]).succeeded();
    let remark = "A set; a model has no word for sets";
    assert!(
        imported.stdout.contains(&format!("# {remark}")),
        "{}",
        imported.stdout
    );
    assert!(
        imported.stderr.contains(&format!("Member.tags: {remark}")),
        "{}",
        imported.stderr
    );
}

#[test]
fn a_model_that_is_there_is_not_overwritten() {
    let sandbox = Sandbox::new();
    sandbox.write("schema.json", ONETABLE);
    sandbox.write("model.toml", "mine");
    let refused = sandbox.run(&["import", "schema.json", "--out", "model.toml"]);
    assert_eq!(refused.code, Some(253), "{refused:?}");
    let kept = std::fs::read_to_string(sandbox.path().join("model.toml")).unwrap();
    assert_eq!(kept, "mine");
}

#[test]
fn a_bad_file_is_refused_with_its_place() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "bad.json",
        "{\n  \"indexes\": { \"primary\": { \"hash\": 5 } },\n  \"models\": {}\n}",
    );
    let refused = sandbox.run(&["import", "bad.json", "--out", "model.toml"]);
    assert_eq!(refused.code, Some(253), "{refused:?}");
    let wanted = "line 2, column 37: `indexes.primary.hash`";
    assert!(refused.stderr.contains(wanted), "{}", refused.stderr);
    assert!(!sandbox.path().join("model.toml").exists());
    let other = sandbox.run(&["import", "bad.json", "--from", "cloudformation"]);
    assert!(
        other.stderr.contains("`Resources` is missing here"),
        "{}",
        other.stderr
    );
}
