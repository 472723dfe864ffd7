//! Paths, pointers and orders: what patterns do beside queries.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_api::{DynamoExt, PutItemInput};
use monotable_engine::Engine;
use monotable_item::{AttributeValue, Item};
use monotable_store::{Page, Store};
use std::sync::Arc;

struct World {
    engine: Arc<Engine>,
    store: Store,
}

/// The documents' model, for a site.
async fn world(site: &str) -> World {
    with_more(site, "").await
}

/// The same with more patterns.
async fn with_more(site: &str, patterns: &str) -> World {
    let path = format!(
        "{}/../../models/formkiq/model.toml",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).unwrap() + patterns;
    let checked = monotable_check::check(&text);
    let mut model = checked
        .model
        .unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
    for table in &mut model.tables {
        // The engine has no streams.
        table.stream = None;
    }
    let engine = Arc::new(Engine::in_memory().unwrap());
    let store = Store::new(model, Arc::clone(&engine)).tenant(site);
    store.setup().await.unwrap();
    World { engine, store }
}

impl World {
    /// A row as another program has written it.
    async fn put(&self, table: &str, item: Item) {
        let input = PutItemInput::new(table, item);
        DynamoExt::put_item(&*self.engine, input).await.unwrap();
    }

    async fn resolve(&self, path: &str) -> Vec<String> {
        let given = Item::new().with("path", path);
        let page = self.store.query("resolve_path", given).await.unwrap();
        page.rows
            .iter()
            .map(|row| format!("{} {}", row.entity, text(row.values.get("path"))))
            .collect()
    }
}

fn text(value: Option<&AttributeValue>) -> &str {
    match value {
        Some(AttributeValue::S(text)) => text,
        other => panic!("{other:?}"),
    }
}

const FINANCE: &str = "11111111-1111-4111-8111-111111111111";
const YEAR: &str = "22222222-2222-4222-8222-222222222222";
const TWIN: &str = "33333333-3333-4333-8333-333333333333";

fn folder(site: &str, parent: &str, name: &str, id: &str) -> Item {
    let item = Item::new()
        .with("PK", format!("{site}/global#folders#{parent}"))
        .with("SK", format!("ff#{}", name.to_lowercase()))
        .with("path", name)
        .with("documentId", id)
        .with("type", "folder");
    match parent {
        "" => item,
        parent => item.with("parentDocumentId", parent),
    }
}

fn file(site: &str, parent: &str, name: &str) -> Item {
    Item::new()
        .with("PK", format!("{site}/global#folders#{parent}"))
        .with("SK", format!("fi#{}", name.to_lowercase()))
        .with("path", name)
        .with("documentId", "doc1")
        .with("type", "file")
}

async fn folders() -> World {
    let world = world("finance").await;
    world
        .put("main", folder("finance", "", "Finance", FINANCE))
        .await;
    world
        .put("main", folder("finance", FINANCE, "2025", YEAR))
        .await;
    world.put("main", file("finance", YEAR, "Report.pdf")).await;
    world
        .put("main", folder("finance", YEAR, "both", TWIN))
        .await;
    world.put("main", file("finance", YEAR, "Both")).await;
    world.put("main", file("finance", "", "readme.txt")).await;
    world
}

#[tokio::test]
async fn a_path_is_followed_from_the_root() {
    // FK-A53
    let world = folders().await;
    let report = ["Folder Finance", "Folder 2025", "FolderFile Report.pdf"];
    assert_eq!(world.resolve("Finance/2025/Report.pdf").await, report);
    assert_eq!(world.resolve("/fiNANce/2025/REPORT.PDF").await, report);
    assert_eq!(world.resolve("readme.txt").await, ["FolderFile readme.txt"]);
    assert_eq!(
        world.resolve("finance/2025").await,
        ["Folder Finance", "Folder 2025"]
    );
    // A name can be a folder's and a file's.
    assert_eq!(
        world.resolve("finance/2025/both").await,
        [
            "Folder Finance",
            "Folder 2025",
            "Folder both",
            "FolderFile Both"
        ]
    );
}

#[tokio::test]
async fn a_path_that_is_not_there_is_nothing() {
    let world = folders().await;
    let nothing: [&str; 0] = [];
    for path in [
        "finance/2024/report.pdf",
        "finance/2025/other.pdf",
        "2025",
        "report.pdf",
        "readme.txt/report.pdf",
        "finance/2025/report.pdf/more",
    ] {
        assert_eq!(world.resolve(path).await, nothing, "{path}");
    }
    let long = "x".repeat(5_000);
    assert_eq!(world.resolve(&long).await, nothing);
    // The type of the attribute says which spellings there are.
    for path in ["finance//2025", "finance/", "/", "//finance", ""] {
        let given = Item::new().with("path", path);
        let asked = world.store.query("resolve_path", given).await;
        assert!(asked.is_err(), "{path}");
    }
    // Another site has its own folders.
    let given = Item::new().with("path", "finance/2025");
    let other = world.store.tenant("default");
    let page = other.query("resolve_path", given).await.unwrap();
    assert_eq!(page, Page::default());
}

#[tokio::test]
async fn a_folder_without_an_id_is_not_the_root() {
    let world = world("finance").await;
    let mut lost = folder("finance", "", "lost", FINANCE);
    lost.remove("documentId");
    world.put("main", lost).await;
    world.put("main", file("finance", "", "secret")).await;
    let nothing: [&str; 0] = [];
    assert_eq!(world.resolve("lost/secret").await, nothing);
}

#[tokio::test]
async fn separators_that_the_type_allows_are_no_segments() {
    let text = r#"
monotable = 1
model     = "tree"

[table.Main]
key = ["PK", "SK"]

[entity.File]
key = ["FILE#{fileId}", "FILE"]

[entity.File.attributes]
fileId = "uuid, generated"
path   = "text"

[entity.Directory]
key       = ["TREE#{parentId|}", "D#{name:lower}"]
id        = "directoryId"
on_exists = "keep"

[entity.Directory.attributes]
parentId    = "uuid?, movable"
name        = "text(1..200), without = :, movable"
directoryId = "uuid, generated, immutable"

[entity.DirectoryFile]
key = ["TREE#{parentId|}", "F#{name:lower}"]

[entity.DirectoryFile.attributes]
parentId = "uuid?, movable"
name     = "text(1..200), without = :, movable"
fileId   = "-> File, on_delete = keep"

[path.files]
of     = "File.path"
split  = "::"
folder = "Directory"
leaf   = "DirectoryFile"

[access.by_path]
resolve = "files"

[access.leaf_by_path]
resolve = "files"
returns = ["DirectoryFile"]
"#;
    let checked = monotable_check::check(text);
    let model = checked
        .model
        .unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
    let engine = Arc::new(Engine::in_memory().unwrap());
    let store = Store::new(model, Arc::clone(&engine));
    store.setup().await.unwrap();
    let world = World { engine, store };
    let top = Item::new()
        .with("PK", "TREE#")
        .with("SK", "D#top")
        .with("name", "Top")
        .with("directoryId", FINANCE);
    let leaf = Item::new()
        .with("PK", format!("TREE#{FINANCE}"))
        .with("SK", "F#leaf")
        .with("name", "leaf")
        .with("parentId", FINANCE)
        .with("fileId", YEAR);
    world.put("Main", top).await;
    world.put("Main", leaf).await;
    let rows = |pattern: &str, path: &str| {
        let call = world.store.query(pattern, Item::new().with("path", path));
        async move { call.await.unwrap().rows.len() }
    };
    assert_eq!(rows("by_path", "TOP::Leaf").await, 2);
    assert_eq!(rows("by_path", "::top::::leaf::").await, 2);
    assert_eq!(rows("leaf_by_path", "top::leaf").await, 1);
    assert_eq!(rows("by_path", "::").await, 0);
    assert_eq!(rows("by_path", "top/leaf").await, 0);
}

fn activity(site: &str, at: &str) -> Item {
    Item::new()
        .with("PK", format!("{site}doc#d1"))
        .with("SK", format!("activity#{at}"))
        .with("documentId", "d1")
        .with("type", "change")
        .with("userId", "joe")
        .with("inserteddate", at)
}

fn version(site: &str, at: &str) -> Item {
    Item::new()
        .with("PK", format!("{site}docs#d1"))
        .with("SK", format!("document#{at}"))
        .with("documentId", "d1")
        .with("inserteddate", at)
        .with("contentType", "text/plain")
}

#[tokio::test]
async fn a_pointer_leads_to_the_row_whose_key_it_is() {
    // FK-A36
    let world = world("finance").await;
    let at = "2025-09-20T10:11:12";
    world.put("versions", version("finance/", at)).await;
    world.put("versions", version("", at)).await;
    world.put("versions", version("other/", at)).await;
    let pointed = activity("finance/", "2025-09-20T10:11:12.000001Z")
        .with("versionPk", "finance/docs#d1")
        .with("versionSk", format!("document#{at}"));
    world.put("versions", pointed).await;
    let key = Item::new().with("documentId", "d1");
    let history = world.store.query("history_of_document", key).await.unwrap();
    let row = &history.rows[0].values;
    let given = |pk: &str, sk: &str| Item::new().with("versionPk", pk).with("versionSk", sk);
    let ask = |given: Item| world.store.query("archived_row", given);
    let found = ask(given(
        text(row.get("versionPk")),
        text(row.get("versionSk")),
    ))
    .await
    .unwrap();
    assert_eq!(found.rows.len(), 1);
    assert_eq!(found.rows[0].entity, "DocumentVersion");
    let sk = format!("document#{at}");
    for pk in ["docs#d1", "other/docs#d1", "finance/docs#d2"] {
        let found = ask(given(pk, &sk)).await.unwrap();
        assert_eq!(found, Page::default(), "{pk}");
    }
    // What stands there is of an entity that the pattern does not return.
    let found = ask(given(
        "finance/doc#d1",
        "activity#2025-09-20T10:11:12.000001Z",
    ))
    .await
    .unwrap();
    assert_eq!(found, Page::default());
    assert!(
        ask(Item::new().with("versionPk", "finance/docs#d1"))
            .await
            .is_err()
    );
    let bare = world.store.tenant("default");
    let found = bare.query("archived_row", given("docs#d1", &sk)).await;
    assert_eq!(found.unwrap().rows.len(), 1);
    let found = bare
        .query("archived_row", given("finance/docs#d1", &sk))
        .await;
    assert_eq!(found.unwrap(), Page::default());
}

#[tokio::test]
async fn rows_that_point_nowhere_are_passed_by_steps() {
    let steps = "\n[access.versions_by_history]\nsteps = ['history_of_document', 'archived_row']\n";
    let world = with_more("default", steps).await;
    let at = "2025-09-20T10:11:12";
    world.put("versions", version("", at)).await;
    world
        .put("versions", activity("", "2025-09-20T10:11:10.000001Z"))
        .await;
    let pointed = activity("", "2025-09-20T10:11:12.000001Z")
        .with("versionPk", "docs#d1")
        .with("versionSk", format!("document#{at}"));
    world.put("versions", pointed).await;
    let key = Item::new().with("documentId", "d1");
    let page = world.store.query("versions_by_history", key).await.unwrap();
    assert_eq!(page.rows.len(), 1);
    assert_eq!(page.rows[0].entity, "DocumentVersion");
}

#[tokio::test]
async fn counted_actions_come_before_later_ones_and_in_their_order() {
    // FK-X28
    let world = world("default").await;
    let ulids = ["01JSRH3X8Z0000000000000000", "01JSRH3X8Z0000000000000001"];
    for idx in ["10", ulids[1], "2", ulids[0], "0"] {
        let action = Item::new()
            .with("PK", "docs#d1")
            .with("SK", format!("action#{idx}#OCR"))
            .with("documentId", "d1")
            .with("idx", idx)
            .with("type", "OCR")
            .with("status", "COMPLETE");
        world.put("main", action).await;
    }
    let given = Item::new().with("documentId", "d1");
    let first = world.store.query("actions_of_document", given.clone());
    let first = first.limit(2).await.unwrap();
    let rest = world.store.query("actions_of_document", given);
    let rest = rest.after(first.cursor.clone().unwrap()).await.unwrap();
    let rows = first.rows.iter().chain(&rest.rows);
    let order: Vec<_> = rows.map(|row| text(row.values.get("idx"))).collect();
    assert_eq!(order, ["0", "2", "10", ulids[0], ulids[1]]);
}

#[tokio::test]
async fn rows_in_other_layouts_are_found_where_their_keys_allow() {
    let world = world("default").await;
    let rule = Item::new()
        .with("PK", "ruleset#")
        .with("SK", "rule#ACTIVE#s1#000007#r1")
        .with("GSI1PK", "ruleset#s1")
        .with("GSI1SK", "rule#r1")
        .with("rulesetId", "s1")
        .with("documentId", "r1")
        .with("status", "ACTIVE");
    world.put("main", rule).await;
    let old = "2025-09-20T10:11:12+0000";
    let version = version("", old).with("inserteddate", "2025-09-20T10:11:12");
    world.put("versions", version).await;
    let locale = Item::new()
        .with("PK", "locale#type")
        .with("SK", "en##INTERFACE##ok")
        .with("itemType", "INTERFACE")
        .with("localizedValue", "OK");
    world.put("main", locale).await;
    let count = |pattern: &str, given: Item| {
        let call = world.store.query(pattern, given);
        async move { call.await.unwrap().rows.len() }
    };
    let rule = Item::new().with("rulesetId", "s1").with("ruleId", "r1");
    assert_eq!(count("rule_in_layout_b", rule).await, 1);
    let active = Item::new().with("status", "ACTIVE");
    assert_eq!(count("rules_by_status", active.clone()).await, 1);
    let of_set = active.with("rulesetId", "s1");
    assert_eq!(count("rules_by_status", of_set).await, 1);
    let document = Item::new().with("documentId", "d1");
    assert_eq!(count("content_versions", document.clone()).await, 1);
    // Its key is longer than those that are written; the last second is still that second.
    let at = document.with("inserteddate.to", "2025-09-20T10:11:12Z");
    assert_eq!(count("content_version_at", at).await, 1);
    let english = Item::new().with("locale", "en");
    assert_eq!(count("values_of_locale", english).await, 1);
}
