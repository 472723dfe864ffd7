//! Entities that are split and merged while programs of both versions read and write the same rows.

use crate::shop::store_of;
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_migrate::{Finding, Plan, SideBySide, bridge_layouts, write_bridge};
use monotable_model::model::Model;
use monotable_operations::{Journal, MigrationOptions, Migrator, OldPrograms};
use monotable_store::{Change, Store, VerifyOptions};

const HEAD: &str = "monotable = 1\nmodel = \"drive\"\n\n[table.Drive]\nkey = [\"PK\", \"SK\"]\n";
const IDS: &str = "treeId = \"text, matches = /[a-z]{1,9}/\"\nid = \"text, matches = /[0-9]{1,9}/\"\nname = \"text(1..20)\"\n";

/// A model of entities: names, lines and attributes beside the ids and the name.
fn text(entities: &[(&str, &str, &str)]) -> String {
    let mut text = HEAD.to_owned();
    for (name, lines, more) in entities {
        text += &format!("\n[entity.{name}]\n{lines}\n\n[entity.{name}.attributes]\n{IDS}{more}\n");
    }
    for (name, ..) in entities {
        text += &format!(
            "\n[access.nodes_{}]\nkey = [\"T#{{treeId}}\"]\nreturns = [{}]\n",
            name.to_lowercase(),
            list_names(entities)
        );
    }
    text
}

fn list_names(entities: &[(&str, &str, &str)]) -> String {
    let names: Vec<_> = entities
        .iter()
        .map(|(name, ..)| format!("\"{name}\""))
        .collect();
    names.join(", ")
}

fn read(text: &str) -> Model {
    let read = monotable_model::read(text);
    read.model
        .unwrap_or_else(|| panic!("{:?}", read.diagnostics))
}

fn node(id: &str, more: &[(&str, &str)]) -> Item {
    let row = Item::new()
        .with("treeId", "t")
        .with("id", id)
        .with("name", "first");
    more.iter()
        .fold(row, |row, (name, value)| row.with(*name, *value))
}

fn key(id: &str, more: &[(&str, &str)]) -> Item {
    let key = Item::new().with("treeId", "t").with("id", id);
    more.iter()
        .fold(key, |key, (name, value)| key.with(*name, *value))
}

fn rename(to: &str) -> Change {
    Change {
        set: Item::new().with("name", to),
        ..Change::default()
    }
}

/// How one version speaks of a row: its entity, and what is given beside the ids to create it and to find it.
#[derive(Clone, Copy)]
struct Spoken {
    entity: &'static str,
    created: &'static [(&'static str, &'static str)],
    found: &'static [(&'static str, &'static str)],
}

const fn spoken(
    entity: &'static str,
    created: &'static [(&'static str, &'static str)],
    found: &'static [(&'static str, &'static str)],
) -> Spoken {
    Spoken {
        entity,
        created,
        found,
    }
}

/// Each version creates a row of a kind, and the other reads, changes and lists it.
async fn use_both(stores: [&Store; 2], kinds: &[[Spoken; 2]], first: u32) {
    let mut id = first;
    for kind in kinds {
        for (writer, other) in [(0, 1), (1, 0)] {
            id += 1;
            let id = id.to_string();
            let (own, theirs) = (kind[writer], kind[other]);
            let created = stores[writer]
                .create(own.entity, node(&id, own.created))
                .await;
            created.unwrap_or_else(|error| panic!("{} {id}: {error}", own.entity));
            let seen = stores[other]
                .get(theirs.entity, key(&id, theirs.found))
                .await
                .unwrap();
            assert_eq!(seen.entity, theirs.entity);
            assert_eq!(seen.values.get("name"), node(&id, &[]).get("name"));
            stores[other]
                .update(theirs.entity, key(&id, theirs.found), rename("second"))
                .await
                .unwrap();
            let again = stores[writer]
                .get(own.entity, key(&id, own.found))
                .await
                .unwrap();
            assert_eq!(
                again.values.get("name"),
                Item::new().with("name", "second").get("name")
            );
            let again = stores[writer]
                .create(own.entity, node(&id, own.created))
                .await;
            assert!(again.is_err(), "{id} is there already");
        }
    }
}

fn options(old_programs: OldPrograms) -> MigrationOptions<'static> {
    MigrationOptions {
        old_programs,
        backup: None,
        on_demand: None,
        cleans_up: false,
        verify: VerifyOptions::default(),
        now: jiff::Timestamp::UNIX_EPOCH,
    }
}

/// Takes a table from one version to the other, with programs of both until the switch.
async fn migrate(old: &str, new: &str, kinds: &[[Spoken; 2]]) -> Plan {
    let engine = Engine::in_memory().unwrap();
    let (old_model, new_model) = (read(old), read(new));
    let layouts = bridge_layouts(&old_model, &new_model);
    let bridge = (!layouts.is_empty()).then(|| write_bridge(new, &layouts));
    let plan = Plan::new(&old_model, &new_model, bridge.as_deref().map(read).as_ref());
    assert_eq!(plan.refusals, [] as [&str; 0]);
    let is_apart = matches!(plan.side_by_side, SideBySide::Apart { .. });
    assert!(!is_apart, "{plan:#?}");
    let old_store = store_of(old, engine.clone());
    old_store.setup().await.unwrap();
    for (at, kind) in kinds.iter().enumerate() {
        let row = node(&at.to_string(), kind[0].created);
        old_store.create(kind[0].entity, row).await.unwrap();
    }
    let new_store = store_of(new, engine.clone());
    let beside = bridge
        .as_deref()
        .map_or_else(|| new_store.clone(), |text| store_of(text, engine.clone()));
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(&folder.path().join("journal"), "drive").unwrap();
    let migrator = Migrator::new(&old_store, &new_store, &plan);
    use_both([&old_store, &beside], kinds, 100).await;
    let ran = migrator
        .run(&mut journal, &options(OldPrograms::Running), &|_, _| {})
        .await;
    assert!(ran.unwrap().waits_for_switch);
    use_both([&old_store, &beside], kinds, 200).await;
    let stopped = options(OldPrograms::Stopped);
    migrator
        .run(&mut journal, &stopped, &|_, _| {})
        .await
        .unwrap();
    let found = new_store.verify().await.unwrap();
    assert!(found.violations.is_empty(), "{:?}", found.violations);
    assert_eq!(found.unknown, 0, "{:?}", found.unknown_items);
    for (at, kind) in kinds.iter().enumerate() {
        let spoken = kind[1];
        let row = new_store
            .get(spoken.entity, key(&at.to_string(), spoken.found))
            .await
            .unwrap();
        assert_eq!(row.entity, spoken.entity);
    }
    plan
}

const WHOLE: (&str, &str, &str) = (
    "Node",
    "key = [\"T#{treeId}\", \"N#{id}\"]",
    "kind = \"file | folder, immutable\"",
);
const FILE: (&str, &str, &str) = (
    "File",
    "is = { kind = \"file\" }\nkey = [\"T#{treeId}\", \"N#{id}\"]",
    "",
);
const FOLDER: (&str, &str, &str) = (
    "Folder",
    "is = { kind = \"folder\" }\nkey = [\"T#{treeId}\", \"N#{id}\"]",
    "",
);
const BY_WORD: [[Spoken; 2]; 2] = [
    [
        spoken("Node", &[("kind", "file")], &[]),
        spoken("File", &[], &[]),
    ],
    [
        spoken("Node", &[("kind", "folder")], &[]),
        spoken("Folder", &[], &[]),
    ],
];

/// Rows whose old version is the new one, and the other way round.
fn reversed(kinds: &[[Spoken; 2]]) -> Vec<[Spoken; 2]> {
    kinds.iter().map(|[old, new]| [*new, *old]).collect()
}

#[tokio::test]
async fn an_entity_is_split_by_an_attribute_and_merged_again() {
    let (whole, parts) = (text(&[WHOLE]), text(&[FILE, FOLDER]));
    let plan = migrate(&whole, &parts, &BY_WORD).await;
    assert_eq!(plan.side_by_side, SideBySide::Together);
    let plan = migrate(&parts, &whole, &reversed(&BY_WORD)).await;
    assert_eq!(plan.side_by_side, SideBySide::Together);
}

#[tokio::test]
async fn a_part_keeps_the_name_of_the_whole() {
    let kept = (
        "Node",
        "is = { kind = \"file\" }\nkey = [\"T#{treeId}\", \"N#{id}\"]",
        "",
    );
    let kinds = [
        [
            spoken("Node", &[("kind", "file")], &[]),
            spoken("Node", &[], &[]),
        ],
        BY_WORD[1],
    ];
    let (whole, parts) = (text(&[WHOLE]), text(&[kept, FOLDER]));
    migrate(&whole, &parts, &kinds).await;
    migrate(&parts, &whole, &reversed(&kinds)).await;
}

#[tokio::test]
async fn an_entity_is_split_by_the_shape_of_its_key_and_merged_again() {
    let shaped = |name, word: &str| (name, format!("key = [\"T#{{treeId}}\", \"{word}#{{id}}\"]"));
    let (file, folder) = (shaped("File", "file"), shaped("Folder", "folder"));
    let parts = text(&[(file.0, &file.1, ""), (folder.0, &folder.1, "")]);
    let kinds = [
        [
            spoken("Node", &[("kind", "file")], &[("kind", "file")]),
            spoken("File", &[], &[]),
        ],
        [
            spoken("Node", &[("kind", "folder")], &[("kind", "folder")]),
            spoken("Folder", &[], &[]),
        ],
    ];
    for kind in ["file | folder, key_only", "file | folder, immutable"] {
        let kind = format!("kind = \"{kind}\"");
        let whole = text(&[("Node", "key = [\"T#{treeId}\", \"{kind}#{id}\"]", &kind)]);
        migrate(&whole, &parts, &kinds).await;
        migrate(&parts, &whole, &reversed(&kinds)).await;
    }
}

#[tokio::test]
async fn parts_get_keys_of_their_own_by_a_bridge() {
    let part = |name: &str, word: &str| {
        format!(
            "is = {{ kind = \"{word}\" }}\nkey = [\"T#{{treeId}}\", \"{name}#{{id}}\"]\n\n[entity.{name}.layout.before]\nkey = [\"T#{{treeId}}\", \"N#{{id}}\"]"
        )
    };
    let (file, folder) = (part("File", "file"), part("Folder", "folder"));
    let parts = text(&[("File", &file, ""), ("Folder", &folder, "")]);
    let plan = migrate(&text(&[WHOLE]), &parts, &BY_WORD).await;
    let SideBySide::Bridge { layouts, .. } = &plan.side_by_side else {
        panic!("{plan:#?}")
    };
    assert_eq!(layouts, &["before"]);
}

/// What a run says of a table that is filled by the old version.
async fn refusal(old: &str, new: &str, rows: &[(&str, Item)]) -> String {
    let engine = Engine::in_memory().unwrap();
    let plan = Plan::new(&read(old), &read(new), None);
    let old_store = store_of(old, engine.clone());
    old_store.setup().await.unwrap();
    for (entity, row) in rows {
        old_store.create(entity, row.clone()).await.unwrap();
    }
    let new_store = store_of(new, engine.clone());
    let before = count_rows(&old_store).await;
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(&folder.path().join("journal"), "drive").unwrap();
    let migrator = Migrator::new(&old_store, &new_store, &plan);
    let stopped = options(OldPrograms::Stopped);
    let error = migrator
        .run(&mut journal, &stopped, &|_, _| {})
        .await
        .unwrap_err();
    assert_eq!(before, count_rows(&old_store).await, "nothing is written");
    error.to_string()
}

/// Every row, as the old version reads it.
async fn count_rows(store: &Store) -> u64 {
    let found = store.verify().await.unwrap();
    assert!(found.violations.is_empty(), "{:?}", found.violations);
    found.rows
}

#[tokio::test]
async fn a_row_that_no_part_has_ends_the_run_before_it_writes() {
    let three = WHOLE.2.replace("file | folder", "file | folder | link");
    let old = text(&[(WHOLE.0, WHOLE.1, &three)]);
    let rows = [
        ("Node", node("1", &[("kind", "file")])),
        ("Node", node("2", &[("kind", "link")])),
    ];
    let said = refusal(&old, &text(&[FILE, FOLDER]), &rows).await;
    assert!(
        said.contains("Node T#t / N#2: the new version does not know it"),
        "{said}"
    );
    assert!(!said.contains("N#1"), "{said}");
}

#[tokio::test]
async fn two_rows_that_would_have_one_key_end_the_run_before_it_writes() {
    let apart = text(&[
        (
            "File",
            "is = { kind = \"file\" }\nkey = [\"T#{treeId}\", \"FILE#{id}\"]",
            "",
        ),
        (
            "Folder",
            "is = { kind = \"folder\" }\nkey = [\"T#{treeId}\", \"FOLDER#{id}\"]",
            "",
        ),
    ]);
    let layouts = "key = [\"T#{treeId}\", \"N#{id}\"]\n\n[entity.Node.layout.file]\nkey = [\"T#{treeId}\", \"FILE#{id}\"]\n\n[entity.Node.layout.folder]\nkey = [\"T#{treeId}\", \"FOLDER#{id}\"]";
    let merged = text(&[("Node", layouts, WHOLE.2)]);
    let rows = [("File", node("1", &[])), ("Folder", node("1", &[]))];
    let said = refusal(&apart, &merged, &rows).await;
    assert!(
        said.contains("another row would have the key T#t / N#1 of Drive, too"),
        "{said}"
    );
}

#[tokio::test]
async fn two_rows_that_would_claim_one_default_end_the_run_before_it_writes() {
    let old = text(&[("Node", WHOLE.1, "")]);
    let lines = format!(
        "{}\n\n[entity.Node.unique.slug]\nkey = \"SLUG#{{slug}}\"",
        WHOLE.1
    );
    let new = text(&[("Node", &lines, "slug = \"text(1..9), default = 'none'\"")]);
    let plan = Plan::new(&read(&old), &read(&new), None);
    let breaks = |finding: &Finding| matches!(finding, Finding::Breaks { counterexample, .. } if counterexample.beside.is_some());
    assert!(
        plan.differences
            .iter()
            .any(|found| breaks(&found.stored_rows)),
        "{plan:#?}"
    );
    let rows = [("Node", node("1", &[])), ("Node", node("2", &[]))];
    let said = refusal(&old, &new, &rows).await;
    assert!(
        said.contains("another row would have the guard SLUG#none"),
        "{said}"
    );
}
