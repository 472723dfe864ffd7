//! Rights of the folders above a row, with FormKiQ's documents.

use super::kind;
use monotable_engine::Engine;
use monotable_item::{AttributeValue, Item};
use monotable_store::{ErrorKind, Store};

fn words(words: &[&str]) -> AttributeValue {
    AttributeValue::L(words.iter().map(|word| (*word).into()).collect())
}

fn document(id: &str) -> Item {
    Item::new().with("documentId", id)
}

fn link(parent: &str, child: &str) -> Item {
    document(child).with("belongsToDocumentId", parent)
}

/// Two documents, one of them in a folder that only readers of another role see, and a clerk without that role.
async fn world() -> (Store, Store) {
    let path = format!(
        "{}/../../models/formkiq/model.toml",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).unwrap();
    let model = monotable_check::check(&text).model.unwrap();
    let store = Store::new(model, Engine::in_memory().unwrap()).tenant("acme");
    store.setup().await.unwrap();
    let program = store.as_program(Item::new().with("username", "system"));
    let site = Item::new().with("siteId", "acme").with("title", "Acme");
    program
        .create("Site", site.with("status", "ACTIVE"))
        .await
        .unwrap();
    let group = Item::new()
        .with("groupName", "staff")
        .with("siteId", "acme");
    let group = group.with("permissions", words(&["READ", "WRITE", "DELETE"]));
    program.create("GroupPermission", group).await.unwrap();
    let rights = Item::new().with("path", "secret");
    let rights = rights.with("role#board", words(&["READ", "WRITE", "DELETE"]));
    program.create("FolderPermission", rights).await.unwrap();
    for (id, path) in [("open", "plans/open.txt"), ("hidden", "secret/hidden.txt")] {
        let values = document(id).with("path", path);
        program.create("Document", values).await.unwrap();
    }
    let clerk = Item::new()
        .with("username", "clerk")
        .with("groups", words(&["staff"]))
        .with("roles", words(&["clerk"]));
    let clerk = store.as_principal(clerk);
    (program, clerk)
}

#[tokio::test]
async fn a_link_to_a_hidden_document_is_hidden_at_both_ends() {
    let (program, clerk) = world().await;
    for (child, path) in [("below", "plans/below.txt"), ("under", "secret/under.txt")] {
        let values = link("open", child).with("path", path);
        program.create("Document", values).await.unwrap();
        program
            .create("ChildDocument", link("open", child))
            .await
            .unwrap();
    }
    clerk
        .get("ChildDocument", link("open", "below"))
        .await
        .unwrap();
    let hidden = clerk.get("ChildDocument", link("open", "under")).await;
    assert_eq!(kind(hidden), ErrorKind::NotFound);
    let deleted = clerk.delete("ChildDocument", link("open", "under")).await;
    assert_eq!(kind(deleted), ErrorKind::NotFound);
}

#[tokio::test]
async fn what_a_case_says_of_a_hidden_document_is_hidden() {
    let (program, clerk) = world().await;
    let case = Item::new().with("caseId", "c1").with("name", "Case");
    program.create("Case", case).await.unwrap();
    for id in ["open", "hidden"] {
        let values = document(id).with("caseId", "c1");
        program.create("DocumentOfCase", values).await.unwrap();
    }
    let asked = Item::new().with("caseId", "c1");
    let page = clerk.query("whole_case", asked).await.unwrap();
    let mut seen = page.rows.iter().map(|row| row.text("documentId"));
    assert!(!seen.any(|id| id == "hidden"), "{:?}", page.rows);
    assert_eq!(page.rows.len(), 2);
}

#[tokio::test]
async fn a_part_of_a_hidden_document_is_refused_like_a_part_of_none() {
    let (_, clerk) = world().await;
    let part = |id: &str| document(id).with("tagKey", "a").with("tagValue", "b");
    let hidden = clerk.create("DocumentTag", part("hidden")).await;
    let none = clerk.create("DocumentTag", part("no")).await;
    let (hidden, none) = (hidden.unwrap_err(), none.unwrap_err());
    assert_eq!(hidden.kind(), ErrorKind::NotFound);
    assert_eq!(hidden.to_string().replace("hidden", "no"), none.to_string());
}
