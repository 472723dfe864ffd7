//! Another model with a repository, by declarations only: the content of documents, in blocks.

use monotable_engine::Engine;
use monotable_item::Item;
use monotable_store::{
    AnyOperation, At, Change, Commit, Create, Delete, Difference, ErrorKind, Parent, Store, Update,
};

const MODEL: &str = include_str!("documents.toml");

fn store() -> Store {
    let checked = monotable_check::check(MODEL);
    let findings: Vec<_> = checked
        .diagnostics
        .iter()
        .map(|found| &found.message)
        .collect();
    let model = checked.model.unwrap_or_else(|| panic!("{findings:?}"));
    Store::new(model, Engine::in_memory().unwrap())
}

fn document() -> Item {
    Item::new().with("documentId", "handbook")
}

fn block(id: &str, text: &str) -> AnyOperation {
    AnyOperation::Create(Create {
        entity: "Block".to_owned(),
        values: Item::new().with("blockId", id).with("text", text),
    })
}

fn version(author: &str) -> Commit {
    Commit::new("content", document()).with("author", author)
}

#[tokio::test]
async fn documents_have_versions_by_declarations_only() {
    let store = store();
    store.setup().await.unwrap();
    let first = version("ann")
        .change(block("b1", "Welcome"))
        .change(block("b2", "Hours"))
        .change(block("b3", "Places"));
    let first = store.commit(first).await.unwrap();
    let first = first.revisions[0].text("versionId").to_owned();
    let text = AnyOperation::Update(Update {
        entity: "Block".to_owned(),
        key: Item::new().with("blockId", "b2"),
        change: Change {
            set: Item::new().with("text", "Opening hours").with("place", 0),
            ..Change::default()
        },
    });
    let drop = AnyOperation::Delete(Delete {
        entity: "Block".to_owned(),
        key: Item::new().with("blockId", "b3"),
    });
    let second = version("ben").after(Parent::Is(first.clone()));
    let second = store
        .commit(second.change(text).change(drop))
        .await
        .unwrap();
    let second = second.revisions[0].text("versionId").to_owned();
    let shown = store.show("content", document(), At::Head).await.unwrap();
    let texts: Vec<_> = shown.rows.iter().map(|row| row.text("text")).collect();
    assert_eq!(texts, ["Opening hours", "Welcome"]);
    let (from, to) = (At::Revision(first.clone()), At::Revision(second));
    let differences = store.diff("content", document(), from, to).await.unwrap();
    let kinds: Vec<_> = differences
        .rows
        .iter()
        .map(|difference| match difference {
            Difference::Added(_) => "added",
            Difference::Removed(_) => "removed",
            Difference::Moved { .. } => "moved",
            Difference::Changed { .. } => "changed",
        })
        .collect();
    assert_eq!(kinds, ["moved", "changed", "removed"]);
    let late = version("eve")
        .after(Parent::Is(first.clone()))
        .change(block("b4", "Late"));
    let conflict = store.commit(late.clone()).await.unwrap_err();
    assert_eq!(conflict.kind(), ErrorKind::Conflict);
    store
        .commit(late.after(Parent::Rebased(first.clone())))
        .await
        .unwrap();
    store.rollback("content", document(), &first).await.unwrap();
    let shown = store.show("content", document(), At::Head).await.unwrap();
    assert_eq!(shown.rows.len(), 3);
    assert_eq!(
        store.log("content", document()).await.unwrap().rows.len(),
        3
    );
    let twice = version("ann").change(block("b5", "Welcome"));
    let taken = store.commit(twice).await.unwrap_err();
    assert_eq!(taken.kind(), ErrorKind::Conflict, "{taken}");
    assert_eq!(store.verify().await.unwrap().violations, []);
}
