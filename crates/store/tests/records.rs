//! Rows of the five models: keys byte for byte, all errors at once, old shapes read as new ones.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_item::{AttributeValue, Item};
use monotable_model::compiled::CompiledModel;
use monotable_store::field_error::{FieldError, Problem};
use monotable_store::record::{self, Change, Circumstances, Decoded, Record};

fn model(name: &str) -> CompiledModel {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let text = std::fs::read_to_string(folder.join(name).join("model.toml")).unwrap();
    CompiledModel::new(monotable_check::check(&text).model.unwrap())
}

/// 2025-11-18T12:00:00.123456Z
const NOW: i64 = 1_763_467_200_123_456;

fn now() -> Circumstances {
    Circumstances::at_micros(NOW).entropy(42)
}

fn create(
    model: &CompiledModel,
    entity: &str,
    given: Item,
    circumstances: &Circumstances,
) -> Result<Record, Vec<FieldError>> {
    let (id, _) = model.model().entity_named(entity).unwrap();
    record::create(model, id, given, circumstances)
}

fn item(model: &CompiledModel, entity: &str, given: Item, circumstances: &Circumstances) -> Item {
    let record = create(model, entity, given, circumstances).unwrap();
    record::encode(model, &record, circumstances).unwrap()
}

fn text<'i>(item: &'i Item, name: &str) -> &'i str {
    match item.get(name) {
        Some(AttributeValue::S(text)) => text,
        other => panic!("{name}: {other:?}"),
    }
}

fn decoded(model: &CompiledModel, entity: &str, prefix: &str, item: &Item) -> Decoded {
    let table = model.model().entity_named(entity).unwrap().1.table;
    record::decode(model, table, prefix, item)
}

fn row(decoded: Decoded) -> Item {
    match decoded {
        Decoded::Row { record, .. } => record.values,
        Decoded::Unknown(item) => panic!("{item:?}"),
    }
}

#[test]
fn az_t1_a_tenant() {
    let model = model("authorization");
    let given = Item::new()
        .with("tenantId", "01JC3C0QJZ8E7V5S7B1YQW9C4M")
        .with("name", "acme");
    let tenant = item(&model, "Tenant", given, &now());
    let expected = Item::new()
        .with("PK", "TENANT#01JC3C0QJZ8E7V5S7B1YQW9C4M")
        .with("SK", "TENANT#01JC3C0QJZ8E7V5S7B1YQW9C4M")
        .with("GSI1PK", "TENANT_NAME#acme")
        .with("GSI1SK", "TENANT_NAME#acme")
        .with("Type", "Tenant")
        .with("tenantId", "01JC3C0QJZ8E7V5S7B1YQW9C4M")
        .with("name", "acme");
    assert_eq!(tenant, expected);
}

#[test]
fn az_t9_a_scope_that_there_is_not() {
    let model = model("authorization");
    let errors = create(
        &model,
        "Role",
        Item::new().with("scope", "team").with("name", "admin"),
        &now(),
    )
    .unwrap_err();
    let wanted = Problem::Wrong {
        wanted: "tenant | global".to_owned(),
    };
    assert_eq!(
        errors,
        [FieldError {
            attribute: "scope".to_owned(),
            problem: wanted,
            row: None,
            note: Some("given is \"team\"".into()),
            declaration: None,
        }]
    );
}

#[test]
fn az_t20_and_x6_extra_attributes_stay_and_missing_ids_come_from_keys() {
    let model = model("authorization");
    let stored = Item::new()
        .with("PK", "TENANT#01JC3C0QJZ8E7V5S7B1YQW9C4M")
        .with("SK", "USER#01JC3C0QK2Z4M4X3M2G8Z0D5N9")
        .with("GSI1PK", "USER#01JC3C0QK2Z4M4X3M2G8Z0D5N9")
        .with("GSI1SK", "TENANT#01JC3C0QJZ8E7V5S7B1YQW9C4M")
        .with("GSI2PK", "TENANT_GRANT#01JC3C0QKC6T0S9R9Z1V3B7F2Q")
        .with("GSI2SK", "TENANT_GRANT#01JC3C0QKC6T0S9R9Z1V3B7F2Q")
        .with("Type", "TenantGrant")
        .with("tenantId", "01JC3C0QJZ8E7V5S7B1YQW9C4M")
        .with("userId", "01JC3C0QK2Z4M4X3M2G8Z0D5N9")
        .with("roles", AttributeValue::L(Vec::new()))
        .with("department", "sales");
    let values = row(decoded(&model, "TenantGrant", "", &stored));
    assert_eq!(text(&values, "tenantGrantId"), "01JC3C0QKC6T0S9R9Z1V3B7F2Q");
    assert_eq!(text(&values, "department"), "sales");
    assert_eq!(values.get("GSI1PK"), None);
}

#[test]
fn yg_t4_a_tree() {
    let model = model("yggdrasil");
    let given = Item::new()
        .with("TreeId", "tree-001")
        .with("UserId", "550e8400-e29b-41d4-a716-446655440000")
        .with("TreeName", "The Smith Family");
    let tree = item(&model, "Tree", given, &now());
    for (name, value) in [
        ("PK", "USER#550e8400-e29b-41d4-a716-446655440000"),
        ("SK", "TREE#tree-001"),
        ("GSI1PK", "TREE#tree-001"),
        ("GSI1SK", "USER#550e8400-e29b-41d4-a716-446655440000"),
        ("GSI2PK", "TREE#tree-001"),
        ("GSI2SK", "TREE#METADATA"),
        ("GSI3PK", "USER#550e8400-e29b-41d4-a716-446655440000"),
        ("GSI3SK", "TREE#2025-11-18T12:00:00.123Z"),
        ("EntityType", "Tree"),
        ("CreatedAt", "2025-11-18T12:00:00.123Z"),
    ] {
        assert_eq!(text(&tree, name), value, "{name}");
    }
    assert_eq!(tree.get("PersonCount"), Some(&0.into()));
    assert_eq!(tree.get("IsPublic"), Some(&false.into()));
}

#[test]
fn yg_t1_and_t3_a_user_in_either_mode() {
    let model = model("yggdrasil");
    let given = || {
        Item::new()
            .with("UserId", "u1")
            .with("Email", "john@example.com")
    };
    let errors = create(&model, "User", given(), &now()).unwrap_err();
    assert_eq!(
        errors,
        [FieldError {
            attribute: "PasswordHash".to_owned(),
            problem: Problem::Missing,
            row: None,
            note: Some("it is required if setting.auth = 'local'".into()),
            declaration: None,
        }]
    );
    let aws = now().settings(Item::new().with("auth", "aws"));
    let errors = create(&model, "User", given(), &aws).unwrap_err();
    assert_eq!(errors[0].attribute, "CognitoUsername");
    let user = item(
        &model,
        "User",
        given().with("CognitoUsername", "sub-1"),
        &aws,
    );
    assert_eq!(
        (text(&user, "GSI3PK"), text(&user, "GSI3SK")),
        ("USER#u1", "PROFILE")
    );
    assert!(user.get("GSI1PK").is_none() && user.get("GSI2PK").is_none());
}

#[test]
fn yg_t12_three_errors_in_one_answer() {
    let model = model("yggdrasil");
    let given = Item::new()
        .with("UserId", "u1")
        .with("TreeId", "t1")
        .with("FirstName", "Ann")
        .with("LastName", "Smith")
        .with("Gender", "M")
        .with("BirthDate", "1950-13-01")
        .with("Shoes", 42);
    let errors = create(&model, "Person", given, &now()).unwrap_err();
    let names: Vec<_> = errors
        .iter()
        .map(|error| error.attribute.as_str())
        .collect();
    assert_eq!(names, ["BirthDate", "Gender", "Shoes"]);
    assert_eq!(
        errors[1].to_string(),
        "`Gender` must be Male | Female | Other | Unknown (given is \"M\")"
    );
}

#[test]
fn yg_t20_a_person_in_camel_case() {
    let model = model("yggdrasil");
    let stored = Item::new()
        .with("PK", "USER#u1")
        .with("SK", "PERSON#person-001")
        .with("EntityType", "Person")
        .with("personId", "person-001")
        .with("userId", "u1")
        .with("treeId", "tree-001")
        .with("firstName", "John")
        .with("lastName", "Smith")
        .with("gender", "Male")
        .with("deathDate", AttributeValue::Null);
    let values = row(decoded(&model, "Person", "", &stored));
    assert_eq!(text(&values, "FirstName"), "John");
    assert_eq!(text(&values, "TreeId"), "tree-001");
    assert_eq!(values.get("DeathDate"), None);
    assert_eq!(values.get("firstName"), None);
}

#[test]
fn pp_t1_and_t3_a_resource() {
    let model = model("processproof");
    let account = item(
        &model,
        "Resource",
        Item::new().with("_resourceType", "System.Account"),
        &now(),
    );
    let urn = text(&account, "urn");
    assert!(
        urn.starts_with("urn:pp:System.Account::019a96d6-067b-7"),
        "{urn}"
    );
    assert_eq!(text(&account, "PK"), format!("Resource#{urn}"));
    assert_eq!(account.get("PK"), account.get("SK"));
    assert_eq!(account.get("_createdAt"), account.get("_updatedAt"));
    assert_eq!(account.get("_schemaVersion"), Some(&1.into()));
    let errors = create(
        &model,
        "Resource",
        Item::new().with("_resourceType", "System.Account.JobCollection.Job"),
        &now(),
    )
    .unwrap_err();
    assert_eq!(
        errors,
        [FieldError {
            attribute: "_accountUrn".to_owned(),
            problem: Problem::Missing,
            row: None,
            note: Some(
                "it is required if begins_with(_resourceType, setting.account_prefix)".into(),
            ),
            declaration: None,
        }]
    );
    let errors = create(
        &model,
        "Resource",
        Item::new()
            .with("_resourceType", "System")
            .with("_secret", "x")
            .with("urn", "urn:pp:a::b"),
        &now(),
    )
    .unwrap_err();
    let problems: Vec<_> = errors
        .iter()
        .map(|error| (error.attribute.as_str(), &error.problem))
        .collect();
    assert!(
        matches!(
            problems[..],
            [("_secret", Problem::Reserved), ("urn", Problem::NotGiven)]
        ),
        "{problems:?}"
    );
}

#[test]
fn pp_t20_a_value_that_is_too_long_for_a_key() {
    let model = model("processproof");
    let given = Item::new()
        .with("_resourceType", "System.User")
        .with("key", "emailAddress")
        .with("value", "x".repeat(3000));
    let errors = create(&model, "UniqueKeyValue", given, &now()).unwrap_err();
    assert_eq!(errors[0].attribute, "value");
}

#[test]
fn fk_t1_documents_of_two_sites() {
    let model = model("formkiq");
    let someone = || now().principal(Item::new().with("username", "ann"));
    let given = || Item::new().with("documentId", "8f4c0001-0000-4000-8000-000000000001");
    let plain = item(&model, "Document", given(), &someone().tenant("default"));
    assert_eq!(
        text(&plain, "PK"),
        "docs#8f4c0001-0000-4000-8000-000000000001"
    );
    assert_eq!(text(&plain, "GSI1PK"), "2025-11-18");
    assert_eq!(
        text(&plain, "GSI1SK"),
        "2025-11-18T12:00:00+0000#8f4c0001-0000-4000-8000-000000000001"
    );
    assert_eq!(text(&plain, "userId"), "ann");
    assert_eq!(text(&plain, "path"), "8f4c0001-0000-4000-8000-000000000001");
    let finance = item(&model, "Document", given(), &someone().tenant("finance"));
    assert_eq!(
        text(&finance, "PK"),
        "finance/docs#8f4c0001-0000-4000-8000-000000000001"
    );
    assert_eq!(text(&finance, "GSI1PK"), "finance/2025-11-18");
    let values = row(decoded(&model, "Document", "finance/", &finance));
    assert_eq!(
        text(&values, "documentId"),
        "8f4c0001-0000-4000-8000-000000000001"
    );
}

#[test]
fn fk_r11_index_keys_come_and_go_with_the_status() {
    let model = model("formkiq");
    let circumstances = || {
        now()
            .tenant("default")
            .principal(Item::new().with("username", "ann"))
    };
    let action = |status: &str| {
        let given = Item::new()
            .with("documentId", "d1")
            .with("type", "QUEUE")
            .with("status", status)
            .with("queueId", "q1");
        item(&model, "DocumentAction", given, &circumstances())
    };
    let waiting = action("IN_QUEUE");
    assert_eq!(
        (text(&waiting, "GSI1PK"), text(&waiting, "GSI2PK")),
        ("action#QUEUE#q1", "actions#IN_QUEUE")
    );
    let failed = action("FAILED");
    assert!(failed.get("GSI1PK").is_none() && failed.get("GSI2PK").is_some());
    let complete = action("COMPLETE");
    assert!(
        complete.get("GSI1PK").is_none()
            && complete.get("GSI2PK").is_none()
            && complete.get("GSI2SK").is_none()
    );
}

#[test]
fn fk_t4_attributes_and_their_keys() {
    let model = model("formkiq");
    let circumstances = || now().tenant("default");
    let attribute = |given: Item| {
        item(
            &model,
            "DocumentAttribute",
            given.with("documentId", "d1").with("key", "amount"),
            &circumstances(),
        )
    };
    let number = attribute(
        Item::new()
            .with("valueType", "number")
            .with("numberValue", 10),
    );
    assert_eq!(text(&number, "SK"), "attr#amount#10");
    assert_eq!(text(&number, "valueType"), "NUMBER");
    let only = attribute(Item::new().with("valueType", "KEY_ONLY"));
    assert_eq!(
        (text(&only, "SK"), text(&only, "GSI1SK")),
        ("attr#amount#", "#")
    );
    let mark = attribute(Item::new().with("valueType", "WATERMARK"));
    assert_eq!(text(&mark, "GSI2SK"), "attr#WATERMARK#amount");
    let both = Item::new()
        .with("documentId", "d1")
        .with("key", "amount")
        .with("valueType", "STRING")
        .with("stringValue", "x")
        .with("numberValue", 1);
    let errors = create(&model, "DocumentAttribute", both, &circumstances()).unwrap_err();
    assert_eq!(
        errors,
        [FieldError {
            attribute: "numberValue".to_owned(),
            problem: Problem::Forbidden,
            row: None,
            note: errors.first().and_then(|error| error.note.clone()),
            declaration: None,
        }]
    );
}

#[test]
fn fk_t20_rows_that_the_model_does_not_know_are_kept() {
    let model = model("formkiq");
    let stored = Item::new()
        .with("PK", "docs#d1")
        .with("SK", "review#1")
        .with("text", "fine");
    assert_eq!(
        decoded(&model, "Document", "", &stored),
        Decoded::Unknown(stored)
    );
}

#[test]
fn vt_t13_and_t15_blocks() {
    let model = model("values");
    let block = |kind: &str| {
        Item::new()
            .with("userId", "u1")
            .with("date", "2026-01-23")
            .with("revId", "r1")
            .with("blockType", kind)
            .with("startTimeIso", "2026-01-23T09:00:00+01:00")
            .with("endTimeIso", "2026-01-23T08:25:00Z")
    };
    let errors = create(&model, "PlanBlock", block("POMODORO"), &now()).unwrap_err();
    let names: Vec<_> = errors
        .iter()
        .map(|error| error.attribute.as_str())
        .collect();
    assert_eq!(names, ["actionId", "pomodoroIndex"]);
    let errors = create(
        &model,
        "PlanBlock",
        block("MEETING").with("pomodoroIndex", 1),
        &now(),
    )
    .unwrap_err();
    assert_eq!(errors[0].problem, Problem::Forbidden);
    let errors = create(
        &model,
        "PlanBlock",
        block("MEETING").with("endTimeIso", "2026-01-23T07:00:00Z"),
        &now(),
    )
    .unwrap_err();
    assert_eq!(
        errors[0].to_string(),
        "the rule `ends_after_start` does not hold: wanted is endTimeIso > startTimeIso, and \
         `endTimeIso` is \"2026-01-23T07:00:00.000Z\", `startTimeIso` is \"2026-01-23T08:00:00.000Z\""
    );
    let meeting = item(
        &model,
        "PlanBlock",
        block("MEETING").with("blockId", "b1"),
        &now(),
    );
    assert_eq!(text(&meeting, "PK"), "U#u1#PLAN#2026-01-23#r1");
    assert_eq!(text(&meeting, "SK"), "BLOCK#2026-01-23T08:00:00.000Z#b1");
    // In the key only.
    assert!(meeting.get("userId").is_none() && meeting.get("date").is_none());
    let values = row(decoded(&model, "PlanBlock", "", &meeting));
    assert_eq!(
        (
            text(&values, "userId"),
            text(&values, "date"),
            text(&values, "revId")
        ),
        ("u1", "2026-01-23", "r1")
    );
}

#[test]
fn vt_t6_edges_without_padding_are_read() {
    let model = model("values");
    let given = Item::new()
        .with("userId", "u1")
        .with("revId", "r1")
        .with("parentNodeId", "d1")
        .with("childNodeId", "m1")
        .with("order", 7);
    let edge = item(&model, "ValuesEdge", given, &now());
    assert_eq!(text(&edge, "SK"), "EDGE#d1#00007#m1");
    let old = Item::new()
        .with("PK", "U#u1#VALUES#r1")
        .with("SK", "EDGE#d1#10#m2")
        .with("childNodeId", "m2");
    match decoded(&model, "ValuesEdge", "", &old) {
        Decoded::Row { record, layout } => {
            assert_eq!(layout.as_deref(), Some("unpadded"));
            assert_eq!(record.values.get("order"), Some(&10.into()));
            assert_eq!(text(&record.values, "parentNodeId"), "d1");
        }
        Decoded::Unknown(item) => panic!("{item:?}"),
    }
}

#[test]
fn fk_t6_a_completed_action_leaves_both_indexes() {
    let model = model("formkiq");
    let circumstances = || {
        now()
            .tenant("default")
            .principal(Item::new().with("username", "ann"))
    };
    let given = Item::new()
        .with("documentId", "d1")
        .with("type", "QUEUE")
        .with("status", "IN_QUEUE")
        .with("queueId", "q1");
    let waiting = create(&model, "DocumentAction", given, &circumstances()).unwrap();
    let complete = Change {
        set: Item::new()
            .with("status", "COMPLETE")
            .with("completedDate", "2025-11-18T13:00:00Z"),
        ..Change::default()
    };
    let changed = record::change(&model, &waiting, &complete, &circumstances()).unwrap();
    assert_eq!(changed.remove, ["GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK"]);
    let expected = Item::new()
        .with("status", "COMPLETE")
        .with("completedDate", "2025-11-18T13:00:00+0000");
    assert_eq!((changed.set, changed.moves), (expected, false));
}

#[test]
fn fk_r26_a_status_in_the_key_moves_the_row() {
    let model = model("formkiq");
    let circumstances = || now().tenant("default");
    let given = Item::new()
        .with("rulesetId", "6f1c0000-0000-4000-8000-000000000001")
        .with("priority", 2)
        .with("status", "ACTIVE");
    let ruleset = create(&model, "Ruleset", given, &circumstances()).unwrap();
    let off = Change {
        set: Item::new().with("status", "INACTIVE"),
        add: Item::new().with("priority", 8),
        ..Change::default()
    };
    let changed = record::change(&model, &ruleset, &off, &circumstances()).unwrap();
    assert!(changed.moves);
    assert_eq!(
        text(&changed.set, "SK"),
        "ruleset#INACTIVE#000010#6f1c0000-0000-4000-8000-000000000001"
    );
}

#[test]
fn a_partial_update_keeps_every_composite_key_right() {
    let model = model("yggdrasil");
    let given = Item::new()
        .with("TreeId", "t1")
        .with("UserId", "u1")
        .with("TreeName", "Smith");
    let tree = create(&model, "Tree", given, &now()).unwrap();
    let later = Circumstances::at_micros(NOW + 5_000_000);
    let rename = Change {
        set: Item::new()
            .with("TreeName", "Smiths")
            .with("Description", AttributeValue::Null),
        append: Item::new().with(
            "SharedWith",
            AttributeValue::L(vec!["u2".into(), "u2".into()]),
        ),
        ..Change::default()
    };
    let changed = record::change(&model, &tree, &rename, &later).unwrap();
    let expected = Item::new()
        .with("TreeName", "Smiths")
        .with("SharedWith", AttributeValue::L(vec!["u2".into()]))
        .with("UpdatedAt", "2025-11-18T12:00:05.123Z");
    assert_eq!(
        (changed.set, changed.remove, changed.moves),
        (expected, Vec::<String>::new(), false)
    );
    // What is in the key, and what the store sets, never changes; saying the same again is no change.
    let bad = Change {
        set: Item::new()
            .with("UserId", "u2")
            .with("CreatedAt", "2020-01-01T00:00:00Z")
            .with("TreeId", "t1"),
        unset: vec!["TreeName".to_owned()],
        add: Item::new().with("TreeName", 1),
        ..Change::default()
    };
    let errors = record::change(&model, &tree, &bad, &later).unwrap_err();
    let mut problems: Vec<_> = errors.iter().map(ToString::to_string).collect();
    problems.sort();
    assert_eq!(
        problems,
        [
            "`CreatedAt` never changes",
            "`TreeName` must be a number to add to a number",
            "`UserId` never changes"
        ]
    );
}
