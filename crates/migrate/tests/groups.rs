//! Entities that are split and merged: by the words of an attribute, by the shape of a key, under new keys; and rows that would clash.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_migrate::{
    Counterexample, DecidedBy, Difference, Finding, Plan, SideBySide, Verdict, Work,
    bridge_layouts, compare, write_bridge,
};
use monotable_model::model::Model;

/// An entity of a model: its lines, and those of its attributes.
struct Part<'p> {
    name: &'p str,
    lines: &'p str,
    attributes: &'p str,
}

fn part<'p>(name: &'p str, lines: &'p str, attributes: &'p str) -> Part<'p> {
    Part {
        name,
        lines,
        attributes,
    }
}

fn text(parts: &[Part<'_>]) -> String {
    let mut text = "monotable = 1\nmodel = \"drive\"\n\n[table.Drive]\nkey = [\"PK\", \"SK\"]\nGSI1 = [\"GSI1PK\", \"GSI1SK\"]\n".to_owned();
    for Part {
        name,
        lines,
        attributes,
    } in parts
    {
        text +=
            &format!("\n[entity.{name}]\n{lines}\n\n[entity.{name}.attributes]\n{attributes}\n");
    }
    text
}

fn read(text: &str) -> Model {
    let read = monotable_model::read(text);
    read.model
        .unwrap_or_else(|| panic!("{:?}", read.diagnostics))
}

fn model(parts: &[Part<'_>]) -> Model {
    read(&text(parts))
}

fn one(found: &[Difference], subject: &str) -> Difference {
    let mut wanted = found
        .iter()
        .filter(|difference| difference.subject == subject);
    wanted
        .next()
        .unwrap_or_else(|| panic!("{subject}: {found:#?}"))
        .clone()
}

fn broken(finding: &Finding) -> (&Counterexample, DecidedBy) {
    match finding {
        Finding::Breaks {
            counterexample,
            decided_by,
            ..
        } => (counterexample, *decided_by),
        other => panic!("{other:?}"),
    }
}

fn works(finding: &Finding) -> bool {
    matches!(finding, Finding::Works { .. })
}

const NODE: &str =
    "treeId = \"text, matches = /[a-z]{1,9}/\"\nid = \"text, matches = /[0-9]{1,9}/\"\n";

fn with(more: &str) -> String {
    format!("{NODE}{more}")
}

#[test]
fn a_part_may_keep_the_name() {
    let attributes = with("kind = \"file | folder\"\nname = \"text(1..20)\"");
    let rest = with("name = \"text(1..20)\"");
    let old = model(&[part(
        "Node",
        "is = { Type = \"Node\" }\nkey = [\"T#{treeId}\", \"N#{id}\"]",
        &attributes,
    )]);
    let new = model(&[
        part(
            "Node",
            "is = { Type = \"Node\", kind = \"file\" }\nkey = [\"T#{treeId}\", \"N#{id}\"]",
            &rest,
        ),
        part(
            "Folder",
            "is = { Type = \"Node\", kind = \"folder\" }\nkey = [\"T#{treeId}\", \"N#{id}\"]",
            &rest,
        ),
    ]);
    let plan = Plan::new(&old, &new, None);
    assert!(plan.is_compatible(), "{plan:#?}");
    let split = one(&plan.differences, "Node");
    assert_eq!(split.what, "Node is split into Node and Folder");
    // The other direction merges them.
    let plan = Plan::new(&new, &old, None);
    let merged = one(&plan.differences, "Node");
    assert_eq!(merged.what, "Node and Folder are merged into Node");
    assert!(plan.is_compatible(), "{plan:#?}");
}

#[test]
fn a_word_that_no_part_has_is_shown() {
    let attributes = with("kind = \"file | folder | link\"");
    let old = model(&[part(
        "Node",
        "key = [\"T#{treeId}\", \"N#{id}\"]",
        &attributes,
    )]);
    let new = model(&[
        part(
            "File",
            "is = { kind = \"file\" }\nkey = [\"T#{treeId}\", \"N#{id}\"]",
            NODE,
        ),
        part(
            "Folder",
            "is = { kind = \"folder\" }\nkey = [\"T#{treeId}\", \"N#{id}\"]",
            NODE,
        ),
    ]);
    let split = one(&compare(&old, &new), "Node");
    let (counterexample, decided_by) = broken(&split.stored_rows);
    assert_eq!(counterexample.row.values["kind"], "link");
    assert_eq!(counterexample.row.key, ["T#a", "N#0"]);
    // A run looks for such a row.
    assert_eq!(decided_by, DecidedBy::Rows);
    assert!(works(&split.old_programs), "{split:#?}");
}

#[test]
fn a_row_that_two_parts_have_is_shown() {
    let attributes = with("kind = \"file | folder\"");
    let old = model(&[part(
        "Node",
        "key = [\"T#{treeId}\", \"N#{id}\"]",
        &attributes,
    )]);
    let new = model(&[
        part(
            "File",
            "is = { kind = \"file\" }\nkey = [\"T#{treeId}\", \"N#{id}\"]",
            NODE,
        ),
        part(
            "Folder",
            "is = { kind = \"folder/file\" }\nkey = [\"T#{treeId}\", \"N#{id}\"]",
            NODE,
        ),
    ]);
    let split = one(&compare(&old, &new), "Node");
    let (counterexample, decided_by) = broken(&split.stored_rows);
    assert_eq!(counterexample.row.values["kind"], "file");
    assert!(
        counterexample.what.contains("File or of Folder"),
        "{}",
        counterexample.what
    );
    assert_eq!(decided_by, DecidedBy::Model);
    // An attribute that rows may lack does not tell those that lack it.
    let lacking = with("kind = \"file | folder?\"");
    let old = model(&[part("Node", "key = [\"T#{treeId}\", \"N#{id}\"]", &lacking)]);
    let new = model(&[
        part(
            "File",
            "is = { kind = \"file\" }\nkey = [\"T#{treeId}\", \"N#{id}\"]",
            NODE,
        ),
        part(
            "Folder",
            "is = { kind = \"folder\" }\nkey = [\"T#{treeId}\", \"N#{id}\"]",
            NODE,
        ),
    ]);
    let split = one(&compare(&old, &new), "Node");
    let (counterexample, _) = broken(&split.stored_rows);
    assert!(
        !counterexample.row.values.contains_key("kind"),
        "{split:#?}"
    );
}

#[test]
fn an_entity_is_split_and_merged_by_the_shape_of_its_key() {
    for kind in [
        "kind = \"file | folder, key_only\"",
        "kind = \"file | folder, immutable\"",
    ] {
        let whole = with(kind);
        let together = model(&[part(
            "Node",
            "key = [\"T#{treeId}\", \"{kind}#{id}\"]",
            &whole,
        )]);
        let apart = model(&[
            part("File", "key = [\"T#{treeId}\", \"file#{id}\"]", NODE),
            part("Folder", "key = [\"T#{treeId}\", \"folder#{id}\"]", NODE),
        ]);
        let plan = Plan::new(&together, &apart, None);
        assert!(plan.is_compatible(), "{kind}: {plan:#?}");
        let plan = Plan::new(&apart, &together, None);
        assert_eq!(plan.side_by_side, SideBySide::Together, "{kind}: {plan:#?}");
        assert_eq!(plan.refusals, [] as [&str; 0]);
        // A kind that nobody has any more.
        let less = model(&[
            part("File", "key = [\"T#{treeId}\", \"file#{id}\"]", NODE),
            part("Link", "key = [\"T#{treeId}\", \"link#{id}\"]", NODE),
        ]);
        let found = compare(&together, &less);
        let node = one(&found, "Node");
        assert_eq!(broken(&node.stored_rows).0.row.key[1], "folder#0", "{kind}");
    }
}

#[test]
fn an_entity_is_split_by_the_values_in_its_key() {
    let any =
        "treeId = \"text, matches = /[a-z]{1,9}/\"\nid = \"text, matches = /[a-z]{4}|[0-9]{6}/\"";
    let id = |pattern: &str| {
        format!("treeId = \"text, matches = /[a-z]{{1,9}}/\"\nid = \"text, matches = /{pattern}/\"")
    };
    let key = "key = [\"T#{treeId}\", \"N#{id}\"]";
    let old = model(&[part("Node", key, any)]);
    let (letters, digits, few) = (id("[a-z]{4}"), id("[0-9]{6}"), id("[0-8]{6}"));
    let new = model(&[part("Word", key, &letters), part("Number", key, &digits)]);
    let plan = Plan::new(&old, &new, None);
    assert!(plan.is_compatible(), "{plan:#?}");
    let new = model(&[part("Word", key, &letters), part("Number", key, &few)]);
    let split = one(&compare(&old, &new), "Node");
    let (counterexample, _) = broken(&split.stored_rows);
    let id = counterexample.row.values["id"].as_str().unwrap();
    assert!(id.contains('9') && id.len() == 6, "{id}");
    assert_eq!(counterexample.row.key[1], format!("N#{id}"));
}

const SPLIT_KEYS: [(&str, &str); 2] = [
    (
        "File",
        "is = { kind = \"file\" }\nkey = [\"T#{treeId}\", \"FILE#{id}\"]\n\n[entity.File.layout.before]\nkey = [\"T#{treeId}\", \"N#{id}\"]",
    ),
    (
        "Folder",
        "is = { kind = \"folder\" }\nkey = [\"T#{treeId}\", \"FOLDER#{id}\"]\n\n[entity.Folder.layout.before]\nkey = [\"T#{treeId}\", \"N#{id}\"]",
    ),
];

#[test]
fn parts_with_keys_of_their_own_are_bridged() {
    let attributes = with("kind = \"file | folder, immutable\"");
    let old = model(&[part(
        "Node",
        "key = [\"T#{treeId}\", \"N#{id}\"]",
        &attributes,
    )]);
    let parts: Vec<_> = SPLIT_KEYS
        .iter()
        .map(|(name, lines)| part(name, lines, NODE))
        .collect();
    let text = text(&parts);
    let new = read(&text);
    let layouts = bridge_layouts(&old, &new);
    assert_eq!(layouts, ["before"]);
    let bridge = read(&write_bridge(&text, &layouts));
    let plan = Plan::new(&old, &new, Some(&bridge));
    assert_eq!(plan.refusals, [] as [&str; 0]);
    assert!(
        matches!(plan.side_by_side, SideBySide::Bridge { .. }),
        "{plan:#?}"
    );
    let key = one(&plan.differences, "Folder");
    assert!(
        matches!(
            key.stored_rows,
            Finding::Backfill {
                work: Work::Rows,
                ..
            }
        ),
        "{key:#?}"
    );
    // The other direction: two keys become one, and two rows would stand under it.
    let back = model(&[part(
        "Node",
        "key = [\"T#{treeId}\", \"N#{id}\"]\n\n[entity.Node.layout.file]\nkey = [\"T#{treeId}\", \"FILE#{id}\"]\n\n[entity.Node.layout.folder]\nkey = [\"T#{treeId}\", \"FOLDER#{id}\"]",
        &attributes,
    )]);
    let apart = model(&[
        part(
            "File",
            "is = { kind = \"file\" }\nkey = [\"T#{treeId}\", \"FILE#{id}\"]",
            NODE,
        ),
        part(
            "Folder",
            "is = { kind = \"folder\" }\nkey = [\"T#{treeId}\", \"FOLDER#{id}\"]",
            NODE,
        ),
    ]);
    let merged = one(&compare(&apart, &back), "Node");
    assert_eq!(merged.what, "File and Folder are merged into Node");
    let (counterexample, decided_by) = broken(&merged.stored_rows);
    let beside = counterexample.beside.as_ref().unwrap();
    assert_eq!(
        counterexample.row.key[1].replace("FILE", "FOLDER"),
        beside.key[1]
    );
    assert_eq!(decided_by, DecidedBy::Rows);
}

#[test]
fn entities_of_one_word_are_merged_by_reading_both() {
    let note = "key = [\"T#{treeId}\", \"N#{id}\"]";
    let old = model(&[
        part(
            "Memo",
            &format!("is = {{ Type = \"Memo\" }}\n{}", note.replace("N#", "M#")),
            NODE,
        ),
        part(
            "Task",
            &format!("is = {{ Type = \"Task\" }}\n{}", note.replace("N#", "T#")),
            NODE,
        ),
    ]);
    // The words stay in the rows: both versions tell them.
    let kept = model(&[part(
        "Note",
        "key = [\"T#{treeId}\", \"{letter}#{id}\"]",
        &with("letter = \"M | T, key_only\"\nType = \"Memo | Task\""),
    )]);
    let merged = one(&compare(&old, &kept), "Note");
    assert!(works(&merged.stored_rows), "{merged:#?}");
    // Nothing keeps a new Memo from standing under the key of a Task.
    let (counterexample, _) = broken(&merged.old_programs);
    assert!(
        counterexample.what.contains("does not know it"),
        "{counterexample:#?}"
    );
}

#[test]
fn a_key_that_shows_less_has_two_rows_at_one_place() {
    let attributes = with("day = \"date\"");
    let old = model(&[part(
        "Node",
        "key = [\"T#{treeId}\", \"N#{id}\"]",
        &attributes,
    )]);
    let moved = |sort: &str| {
        model(&[part(
            "Node",
            &format!(
                "key = [\"T#{{treeId}}\", \"{sort}\"]\n\n[entity.Node.layout.before]\nkey = [\"T#{{treeId}}\", \"N#{{id}}\"]"
            ),
            &attributes,
        )])
    };
    let key = one(&compare(&old, &moved("D#{day}")), "Node");
    let (counterexample, _) = broken(&key.stored_rows);
    let beside = counterexample.beside.as_ref().unwrap();
    assert_ne!(counterexample.row.key, beside.key);
    assert_ne!(counterexample.row.values["id"], beside.values["id"]);
    assert!(
        counterexample.what.contains("D#2025-01-01"),
        "{}",
        counterexample.what
    );
    let key = one(&compare(&old, &moved("D#{day}#{id}")), "Node");
    assert!(
        matches!(key.stored_rows, Finding::Backfill { .. }),
        "{key:#?}"
    );
}

#[test]
fn a_unique_value_with_a_default_breaks_on_two_rows() {
    let old = model(&[part("Node", "key = [\"T#{treeId}\", \"N#{id}\"]", NODE)]);
    let unique = |attribute: &str, key: &str| {
        model(&[part(
            "Node",
            &format!(
                "key = [\"T#{{treeId}}\", \"N#{{id}}\"]\n\n[entity.Node.unique.slug]\nkey = \"{key}\""
            ),
            &with(attribute),
        )])
    };
    let new = unique("slug = \"text(1..20), default = 'none'\"", "SLUG#{slug}");
    let found = compare(&old, &new);
    let clash = found
        .iter()
        .find(|difference| difference.what.contains("default of `slug`"))
        .unwrap_or_else(|| panic!("{found:#?}"));
    assert_eq!(clash.subject, "Node.unique.slug");
    let (counterexample, decided_by) = broken(&clash.stored_rows);
    assert_eq!(decided_by, DecidedBy::Rows);
    let beside = counterexample.beside.as_ref().unwrap();
    assert_ne!(counterexample.row.key, beside.key);
    // Within what else is unique it is one of each.
    let new = unique(
        "slug = \"text(1..20), default = 'none'\"",
        "SLUG#{treeId}#{id}#{slug}",
    );
    let found = compare(&old, &new);
    assert!(
        !found
            .iter()
            .any(|difference| difference.what.contains("default")),
        "{found:#?}"
    );
    let new = unique("slug = \"text(1..20)?\"", "SLUG#{slug}");
    let found = compare(&old, &new);
    assert!(
        found
            .iter()
            .all(|difference| difference.stored_rows.verdict() < Verdict::Breaks),
        "{found:#?}"
    );
}
