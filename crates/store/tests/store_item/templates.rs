//! Models that write other keys than the rows of a store have.

use crate::world::{Counted, NOTES, Rights, ada, notes, own_item, process};
use monotable_api::{DynamoExt, PutItemInput};
use monotable_engine::Engine;
use monotable_item::{AttributeValue, Item};
use monotable_store::{Error, ErrorKind, Store};
use std::sync::Arc;

/// The model of notes with other text in it.
fn changed(pairs: &[(&str, &str)]) -> String {
    let mut text = NOTES.to_owned();
    for (from, to) in pairs {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    text
}

fn note(id: &str) -> Item {
    ada().with("noteId", id)
}

async fn write(store: &Store) -> Result<(), Error> {
    store.put("Note", note("m")).await.map(drop)
}

async fn refused(store: &Store, parts: &[&str]) {
    let setup = store.setup().await.unwrap_err();
    for error in [write(store).await.unwrap_err(), setup] {
        assert_eq!(error.kind(), ErrorKind::Integrity, "{error}");
        let text = error.to_string();
        for part in parts.iter().chain(&["verify --convert"]) {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}

/// Notes under another key, with or without the old one as a layout.
fn moved(layout: bool) -> String {
    let old = "[entity.Note.layout.first]\nkey = [\"USER#{userId}\", \"NOTE#{noteId}\"]\n\n";
    let old = if layout { old } else { "" };
    let head = format!("{old}[entity.Note.attributes]");
    changed(&[
        ("\"NOTE#{noteId}\"]", "\"MEMO#{noteId}\"]"),
        ("\"NOTE#*\"]", "\"MEMO#*\"]"),
        ("[entity.Note.attributes]", &head),
    ])
}

#[tokio::test]
async fn a_changed_template_is_refused() {
    let engine = notes().await;
    let store = process(&moved(false), Arc::clone(&engine));
    let old = "USER#{userId} / NOTE#{noteId}";
    refused(&store, &["`Note`", old, "USER#{userId} / MEMO#{noteId}"]).await;
    // What repairs rows writes keys, too.
    for repaired in [store.backfill().await, store.recount().await] {
        assert_eq!(repaired.unwrap_err().kind(), ErrorKind::Integrity);
    }
    // Again and again: a refusal is not forgotten.
    refused(&store, &["`Note`"]).await;
    assert_eq!(
        store.get("User", ada()).await.unwrap().text("name"),
        "lovelace"
    );
    let memos = store.query("notes", ada()).await.unwrap();
    assert!(memos.rows.is_empty());
    write(&process(NOTES, engine)).await.unwrap();
}

#[tokio::test]
async fn what_is_added_is_no_change() {
    let engine = notes().await;
    let more = changed(&[
        (
            "[access.notes]",
            "[entity.Tag]\nis = { Type = \"Tag\" }\nkey = [\"TAG#{tag}\", \"TAG\"]\n\n[entity.Tag.attributes]\ntag = \"text, matches = /[a-z]{1,9}/\"\n\n\
             [access.tag]\nkey = [\"TAG#{tag}\", \"TAG\"]\nreturns = [\"Tag\"]\n\n[access.notes]",
        ),
        (
            "[entity.User.attributes]",
            "[entity.User.unique.name]\nkey = [\"USERNAME#{name}\", \"NAME\"]\n\n[entity.User.attributes]",
        ),
        (
            "key = [\"USER#{userId}\", \"NOTE#{noteId}\"]",
            "key = [\"USER#{userId}\", \"NOTE#{noteId}\"]\nGSI1 = [\"NOTES#{noteId}\", \"{userId}\"]",
        ),
    ]);
    let store = process(&more, Arc::clone(&engine));
    write(&store).await.unwrap();
    store.setup().await.unwrap();
    let counted = Counted::new(&engine, Rights::All);
    let again = process(&more, Arc::clone(&counted));
    again.setup().await.unwrap();
    let described = counted.count();
    again.setup().await.unwrap();
    assert_eq!(counted.count(), described, "it was recorded before");
    // Both models write; what is gone from one of them is no change either.
    write(&process(NOTES, Arc::clone(&engine))).await.unwrap();
    // And what was added does not change either.
    for (from, to, name) in [
        (
            "\"TAG#{tag}\", \"TAG\"]",
            "\"LABEL#{tag}\", \"TAG\"]",
            "`Tag`",
        ),
        ("USERNAME#{name}", "NICK#{name}", "`User.unique.name`"),
        ("NOTES#{noteId}", "N#{noteId}", "`Note.GSI1`"),
    ] {
        let store = process(&more.replace(from, to), Arc::clone(&engine));
        refused(&store, &[name]).await;
    }
}

#[tokio::test]
async fn an_old_template_that_is_a_layout_is_no_loss() {
    let engine = notes().await;
    // Both are written for a while.
    let layered = process(&moved(true), Arc::clone(&engine));
    write(&layered).await.unwrap();
    assert_eq!(
        layered.get("Note", note("m")).await.unwrap().text("noteId"),
        "m"
    );
    let old = process(NOTES, Arc::clone(&engine));
    refused(&old, &["`Note`", "MEMO#{noteId}"]).await;
    let without = process(&moved(false), Arc::clone(&engine));
    refused(&without, &["`Note`", "/ NOTE#{noteId}"]).await;
    // Afterwards the layout can go.
    let converted = layered.convert().await.unwrap();
    assert_eq!((converted.written, converted.left), (5, Vec::new()));
    let without = process(&moved(false), Arc::clone(&engine));
    write(&without).await.unwrap();
    assert_eq!(without.query("notes", ada()).await.unwrap().rows.len(), 6);
    let old = process(NOTES, Arc::clone(&engine));
    refused(&old, &["`Note`", "MEMO#{noteId}"]).await;
    let found = without.verify().await.unwrap();
    assert_eq!((found.violations.len(), found.unknown), (0, 0));
}

#[tokio::test]
async fn rows_that_no_layout_knows_keep_the_old_template() {
    let engine = notes().await;
    let store = process(&moved(false), Arc::clone(&engine));
    let converted = store.convert().await.unwrap();
    assert_eq!(converted.written, 0);
    let left = converted.left.join("\n");
    assert!(
        left.contains("`Note`") && left.contains("5 items"),
        "{left}"
    );
    refused(&store, &["`Note`"]).await;
    // A store without such rows can begin anew.
    let old = process(NOTES, Arc::clone(&engine));
    for number in 0..5 {
        old.delete("Note", note(&format!("n{number}")))
            .await
            .unwrap();
    }
    assert_eq!(store.convert().await.unwrap().left, Vec::<String>::new());
    write(&store).await.unwrap();
}

#[tokio::test]
async fn keys_of_an_index_are_written_anew_before_they_are_recorded() {
    let engine = notes().await;
    let renamed = changed(&[("NAME#{name}", "NAME#{name:upper}")]);
    let store = process(&renamed, Arc::clone(&engine));
    refused(&store, &["`User.GSI1`", "NAME#{name:upper}"]).await;
    let left = store.convert().await.unwrap().left.join("\n");
    assert!(left.contains("`User.GSI1`"), "{left}");
    refused(&store, &["`User.GSI1`"]).await;
    store.backfill().await.unwrap();
    assert_eq!(store.convert().await.unwrap().left, Vec::<String>::new());
    write(&store).await.unwrap();
    let name = Item::new().with("name", "lovelace");
    let page = store.query("users_by_name", name).await.unwrap();
    assert_eq!(page.rows.len(), 1);
}

fn sites(key: &str) -> String {
    let layout = match key {
        "DOC" => String::new(),
        _ => "[entity.Doc.layout.first]\nkey = [\"DOC#{id}\", \"DOC\"]\n".to_owned(),
    };
    format!(
        r#"
        monotable = 1
        model     = "sites"
        [tenant]
        name   = "site"
        type   = "text, matches = /[a-z]{{1,20}}/"
        prefix = "{{site}}/"
        bare   = "default"
        [table.Main]
        key = ["PK", "SK"]
        [entity.Doc]
        key = ["{key}#{{id}}", "DOC"]
        {layout}
        [entity.Doc.attributes]
        id = "text, matches = /[a-z0-9]{{1,20}}/"
        [access.doc]
        key     = ["{key}#{{id}}", "DOC"]
        returns = ["Doc"]
        "#
    )
}

#[tokio::test]
async fn the_last_tenant_that_is_converted_counts() {
    let engine = Arc::new(Engine::in_memory().unwrap());
    let old = process(&sites("DOC"), Arc::clone(&engine));
    old.tenant("default").setup().await.unwrap();
    let tenants = ["blue", "default", "red"];
    for tenant in tenants {
        let doc = Item::new().with("id", "d1");
        old.tenant(tenant).create("Doc", doc).await.unwrap();
    }
    // A new key contains everything that an old one does: only the tenant's own prefix tells them apart.
    let new = process(&sites("NEWDOC"), Arc::clone(&engine));
    let recorded = || async {
        let item = own_item(&engine, "Main").unwrap();
        match item.get("monotable#template#Doc") {
            Some(AttributeValue::Ss(texts)) => texts.len(),
            other => panic!("{other:?}"),
        }
    };
    let doc = Item::new().with("id", "d2");
    new.tenant("blue").create("Doc", doc).await.unwrap();
    for (position, tenant) in tenants.into_iter().enumerate() {
        assert_eq!(recorded().await, 2);
        let converted = new.tenant(tenant).convert().await.unwrap();
        assert_eq!(converted.written, 1);
        assert_eq!(
            converted.left.is_empty(),
            position == 2,
            "{:?}",
            converted.left
        );
    }
    assert_eq!(recorded().await, 1);
}

#[tokio::test]
async fn another_prefix_of_tenants_is_a_change() {
    let engine = Arc::new(Engine::in_memory().unwrap());
    let old = process(&sites("DOC"), Arc::clone(&engine));
    old.tenant("default").setup().await.unwrap();
    let text = sites("DOC").replace("\"{site}/\"", "\"SITE#{site}/\"");
    let new = process(&text, engine).tenant("blue");
    let error = new.create("Doc", Item::new().with("id", "d")).await;
    let error = error.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Integrity);
    assert!(error.to_string().contains("[tenant]"), "{error}");
}

#[tokio::test]
async fn items_of_other_programs_do_not_keep_a_template() {
    let engine = notes().await;
    let foreign = Item::new().with("PK", "JOB#1").with("SK", "JOB");
    let put = PutItemInput::new("Notes", foreign);
    engine.put_item(put).await.unwrap();
    let store = process(&moved(true), Arc::clone(&engine));
    assert_eq!(store.convert().await.unwrap().left, Vec::<String>::new());
    write(&process(&moved(false), engine)).await.unwrap();
}
