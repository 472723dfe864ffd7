//! Schemas of other tools, imported.
#![allow(clippy::expect_used, clippy::panic, reason = "tests")]

use monotable_import::{Imported, Request, Source, import};
use monotable_model::diagnostic::Diagnostic;

const ELECTRODB: &str = include_str!("../../../tests/imports/samples/electrodb.json");
const ONETABLE: &str = include_str!("../../../tests/imports/samples/onetable.json");
const WORKBENCH: &str = include_str!("../../../tests/imports/samples/workbench.json");
const CLOUDFORMATION: &str = include_str!("../../../tests/imports/samples/cloudformation.yaml");
const DESCRIBE_TABLE: &str = include_str!("../../../tests/imports/samples/describe-table.json");

fn read(text: &str) -> Imported {
    let request = Request {
        text,
        name: "sample",
        ..Request::default()
    };
    import(&request).unwrap_or_else(|error| panic!("{error}"))
}

/// Imports a sample that must give a model without errors.
fn sound(text: &str) -> Imported {
    let imported = read(text);
    let errors: Vec<&Diagnostic> = imported
        .proof
        .diagnostics
        .iter()
        .filter(|found| found.is_error())
        .collect();
    assert!(errors.is_empty(), "{errors:#?}\n{}", imported.proof.text);
    assert!(imported.proof.model.is_some());
    imported
}

fn has(imported: &Imported, line: &str) {
    let text = &imported.proof.text;
    let squeezed: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line: String = line.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(squeezed.contains(&line), "no `{line}` in\n{text}");
}

#[test]
fn every_sample_is_recognised_and_sound() {
    for (text, source) in [
        (ELECTRODB, Source::ElectroDb),
        (ONETABLE, Source::OneTable),
        (WORKBENCH, Source::Workbench),
        (CLOUDFORMATION, Source::CloudFormation),
        (DESCRIBE_TABLE, Source::DescribeTable),
    ] {
        assert_eq!(sound(text).source, source);
    }
}

#[test]
fn the_same_file_gives_the_same_bytes() {
    for text in [
        ELECTRODB,
        ONETABLE,
        WORKBENCH,
        CLOUDFORMATION,
        DESCRIBE_TABLE,
    ] {
        assert_eq!(read(text).proof.text, read(text).proof.text);
    }
}

#[test]
fn electrodb_keys_have_its_prefixes_labels_and_casing() {
    let imported = sound(ELECTRODB);
    has(&imported, r#"is = { __edb_e__ = "trip", __edb_v__ = "2" }"#);
    has(
        &imported,
        r##"key = ["$fleet#driverid_{driverId:lower}", "$driver_1"]"##,
    );
    has(
        &imported,
        r##"key = ["$fleet#driverid_{driverId:lower}", "$trip_2#startedat_{startedAt:lower}#t_{tripId:lower}"]"##,
    );
    has(
        &imported,
        r##"gsi1 = ["$fleet#depot_{depot:lower}", "$depotwork#driver_1#grade_{grade:03}#driverid_{driverId:lower}"]"##,
    );
    has(
        &imported,
        r##"gsi1 = ["$fleet#depot_{depot:lower}", "$depotwork#trip_2#state_{state:lower}#startedat_{startedAt:lower}"]"##,
    );
    has(
        &imported,
        r##"gsi2 = ["$FLEET#STATE_{state:upper}", "$states#startedAt_{startedAt}#trip_2"]"##,
    );
    has(&imported, r##"key = ["VEHICLE#{plate}", "VEHICLE"]"##);
    has(&imported, r#"kilometres = "number?, stored = km""#);
    has(&imported, r#"boughtAt = "text?, immutable""#);
    has(
        &imported,
        r##"gsi1 = ["$fleet#depot_{depot:lower}", "$depotwork#*"]"##,
    );
}

#[test]
fn onetable_keys_types_and_guards_are_its_own() {
    let imported = sound(ONETABLE);
    has(&imported, r#"is = { _type = "Member" }"#);
    has(
        &imported,
        r##"key = ["account#{accountId}", "task#{number:06}"]"##,
    );
    has(
        &imported,
        r##"gs1 = ["assignee#{assignee}", "task#{state}#{number:06}"]"##,
    );
    has(
        &imported,
        r#"key = ["_unique#Account#name#{value}", "_unique#"]"#,
    );
    has(
        &imported,
        r#"key = ["_unique#{accountId}#Member#email#{value}", "_unique#"]"#,
    );
    has(
        &imported,
        r#"name = { entity = "AccountNameGuard", set = { value = "{name}" } }"#,
    );
    has(&imported, r#"created = "timestamp, created""#);
    has(
        &imported,
        r#"nick = "text?, matches = /[a-z0-9-]{2,20}/, stored = nk""#,
    );
    has(&imported, r#"ttl = "expires""#);
    has(&imported, r#"label = "= {number} {title}""#);
    has(&imported, r#"ls1 = { key = ["pk", "due"], local = true }"#);
}

#[test]
fn workbench_facets_name_what_the_sample_data_show() {
    let imported = sound(WORKBENCH);
    has(&imported, "[entity.Loan]");
    has(
        &imported,
        r##"key = ["READER#{readerId}", "LOAN#{loanedAt}#{isbn}"]"##,
    );
    has(&imported, r##"GSI1 = ["BOOK#{isbn}", "LOAN#{loanedAt}"]"##);
    has(&imported, r#"remarks = "text?""#);
    let said = imported
        .remarks
        .iter()
        .any(|remark| remark.text.contains("\"Fine\""));
    assert!(said, "{:?}", imported.remarks);
}

#[test]
fn cloudformation_says_what_is_known_only_when_deployed() {
    let imported = sound(CLOUDFORMATION);
    has(
        &imported,
        r#"GSI1 = { key = ["GSI1PK", "GSI1SK"], project = ["total", "state"] }"#,
    );
    has(&imported, "Rows expire by expiresAt");
    has(&imported, r#"billing = { read = 5, write = 2 }"#);
    has(&imported, r#"tags = { "team" = "shop" }"#);
    has(&imported, r#"key = ["{orderId}", "{happenedAt}"]"#);
    let remarks: Vec<&str> = imported
        .remarks
        .iter()
        .map(|remark| remark.text.as_str())
        .collect();
    let remarks = remarks.join("\n");
    for wanted in [
        "The name of the table is known only",
        "\"stage\"",
        "`SSESpecification`",
        "`number` is part of the primary key",
    ] {
        assert!(remarks.contains(wanted), "{wanted}\n{remarks}");
    }
}

#[test]
fn a_description_of_a_table_has_its_name_and_local_indexes() {
    let imported = sound(DESCRIBE_TABLE);
    has(&imported, r#"name = "music.live""#);
    has(
        &imported,
        r#"by-year = { key = ["artist", "released"], project = "keys", local = true }"#,
    );
    has(&imported, r#"released = "number?""#);
}

#[test]
fn bad_input_is_refused_with_its_place() {
    let cases: &[(&str, &str)] = &[
        ("", "the file is empty"),
        ("{\n  \"a\": }", "line 2, column 8"),
        ("{\"a\": 1}", "looks like none that can be imported"),
        ("a: [1, 2\nb: 3", "neither JSON nor YAML"),
        (
            "{\"indexes\": {\"primary\": {\"hash\": 5}},\n \"models\": {}}",
            "line 1, column 34: `indexes.primary.hash`: a text is wanted here, and the number 5 is there",
        ),
        (
            "Resources:\n  T:\n    Type: AWS::DynamoDB::Table\n    Properties:\n      AttributeDefinitions: []\n      KeySchema: x\n",
            "line 6, column 18: `Resources.T.Properties.KeySchema`: a list is wanted here",
        ),
        (
            "[{\"model\": {\"entity\": \"a\", \"service\": \"s\"}, \"attributes\": {},\n \"indexes\": {\"p\": {\"pk\": {\"field\": \"pk\", \"composite\": [\"gone\"]}}}}]",
            "\"gone\" is in the key and no attribute",
        ),
        (
            "{\"DataModel\": [{\"TableName\": \"t\", \"KeyAttributes\": {\"PartitionKey\": {\"AttributeName\": \"PK\"}},\n \"TableData\": [{\"PK\": {\"X\": \"1\"}}]}]}",
            "line 2",
        ),
    ];
    for (text, wanted) in cases {
        let request = Request {
            text,
            name: "bad",
            ..Request::default()
        };
        let error = import(&request).expect_err(text).to_string();
        assert!(
            error.contains(wanted),
            "{text:?} gives {error:?}, not {wanted:?}"
        );
    }
}

#[test]
fn deep_input_is_refused() {
    let json = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    let yaml = format!("a: {}{}", "[".repeat(5_000), "]".repeat(5_000));
    for text in [json, yaml] {
        let request = Request {
            text: &text,
            name: "deep",
            ..Request::default()
        };
        assert!(import(&request).is_err());
    }
}
