//! What calls of generated clients do.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use futures_util::TryStreamExt;
use monotable_engine::Engine;
use monotable_store::ErrorKind;
use monotable_store::typed::{At, Bytes, Range, TypedValue};
use monotable_typed::formkiq;
use monotable_typed::values::{self, Values};
use monotable_typed::yggdrasil::patterns::WholeTreeRow;
use monotable_typed::yggdrasil::{Principal, Yggdrasil, parent_child, person, tree, user};

async fn open() -> Yggdrasil {
    let db = Yggdrasil::open(Engine::in_memory().unwrap()).unwrap();
    db.store().setup().await.unwrap();
    db
}

fn person_of(user: &str, name: &str) -> person::New {
    person::New::new(user, "oak", name, "Oak", person::Gender::Female)
}

async fn plant_tree(db: &Yggdrasil) -> String {
    let new = user::New {
        password_hash: Some("correct horse".into()),
        ..user::New::new("ann@example.com")
    };
    let ann = db.user().create(new).await.unwrap().user_id;
    let tree = tree::New {
        tree_id: Some("oak".into()),
        ..tree::New::new(&ann, "Oak")
    };
    db.tree().create(tree).await.unwrap();
    ann
}

#[tokio::test]
async fn rows_are_made_found_changed_and_deleted() {
    let db = open().await;
    let ann = plant_tree(&db).await;
    let key = || user::Key::new(&ann);
    assert_eq!(db.user().get(key()).await.unwrap().email, "ann@example.com");
    assert!(
        db.user()
            .check_password_hash(key(), "correct horse")
            .await
            .unwrap()
    );
    assert_eq!(
        db.user().find(user::Key::new("nobody")).await.unwrap(),
        None
    );
    let again = user::New {
        password_hash: Some("another horse".into()),
        ..user::New::new(" ANN@example.com ")
    };
    let taken = db.user().create(again).await.unwrap_err();
    assert_eq!(taken.kind(), ErrorKind::Conflict);
    let change = tree::Change::new()
        .tree_name("Ash")
        .append_shared_with(vec!["eve".to_owned()])
        .remove_description();
    let oak = || tree::Key::new(&ann, "oak");
    let changed = db.tree().update(oak(), change).await.unwrap();
    assert_eq!(
        (changed.tree_name.as_str(), changed.description),
        ("Ash", None)
    );
    assert_eq!(changed.shared_with, Some(vec!["eve".to_owned()]));
    let stale = db
        .tree()
        .update(oak(), tree::Change::new().tree_name("Elm"));
    let stale = stale.expecting("TreeName", "Oak").await.unwrap_err();
    assert_eq!(stale.kind(), ErrorKind::Conflict);
    db.user().delete(key()).await.unwrap();
    assert_eq!(db.tree().find(oak()).await.unwrap(), None);
}

#[tokio::test]
async fn patterns_have_types_and_mixed_ones_are_enums() {
    let db = open().await;
    let ann = plant_tree(&db).await;
    let new = |id: &str| person::New {
        person_id: Some(id.into()),
        ..person_of(&ann, id)
    };
    let link = parent_child::New::new(&ann, "p1", "p2", "oak", parent_child::Type::Biological);
    let made = (
        db.person().create(new("p1")),
        db.person().create(new("p2")),
        db.parent_child().attach(link),
    );
    let (first, _, link) = db.transact(made).await.unwrap();
    assert_eq!((first.n, link.child_id.as_str()), (1, "p2"));
    let mut kinds = Vec::new();
    let mut rows = db.query().whole_tree("oak").limit(1).rows();
    while let Some(row) = rows.try_next().await.unwrap() {
        kinds.push(match row {
            WholeTreeRow::Person(_) => "person",
            WholeTreeRow::ParentChild(_) => "link",
            WholeTreeRow::Spousal(_) => "marriage",
            WholeTreeRow::Tree(_) => "tree",
        });
    }
    kinds.sort_unstable();
    assert_eq!(kinds, ["link", "person", "person", "tree"]);
    let children = db.query().children_of_person(&ann, "p1").await.unwrap();
    assert_eq!(children.followed[0].first_name, "p2");
    assert!(db.query().persons_of_tree("oak").all(1).await.is_err());
    let of_eve = db.as_principal(Principal::new("eve"));
    assert_eq!(of_eve.query().tree_by_id("oak").await.unwrap(), None);
    let moved = db
        .moves()
        .transfer_tree(tree::Key::new(&ann, "oak"), "eve")
        .await;
    assert_eq!(
        moved.unwrap_err().kind(),
        ErrorKind::NotFound,
        "there is no user eve"
    );
}

#[tokio::test]
async fn options_of_a_call_are_not_lost_in_a_transaction() {
    let db = open().await;
    let ann = plant_tree(&db).await;
    let writes = (db.person().create(person_of(&ann, "Ann")).token("once"),);
    let error = db.transact(writes).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(
        error.to_string().contains("give them to the transaction"),
        "{error}"
    );
}

#[tokio::test]
async fn a_transaction_has_one_caller() {
    let db = open().await;
    let ann = plant_tree(&db).await;
    let eve = db.as_principal(Principal::new("eve"));
    let owner = db.as_principal(Principal::new(&ann));
    let steal = || tree::Change::new().tree_name("Stolen");
    let oak = || tree::Key::new(&ann, "oak");
    let other = open().await;
    for whole in [&db, &owner, &other] {
        let writes = (eve.tree().update(oak(), steal()),);
        let error = whole.transact(writes).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage);
        assert!(error.to_string().contains("of another caller"), "{error}");
    }
    let refused = eve.transact(vec![eve.tree().update(oak(), steal())]).await;
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::NotFound);
    let same = db.as_principal(Principal::new(&ann));
    let writes = (owner.tree().update(oak(), steal()),);
    assert_eq!(same.transact(writes).await.unwrap().0.tree_name, "Stolen");
}

#[tokio::test]
async fn repositories_have_types() {
    use values::{repositories, values_edge, values_head, values_node, values_revision};
    let db = Values::open(Engine::in_memory().unwrap()).unwrap();
    db.store().setup().await.unwrap();
    let tree = db.repository().values(values_head::Key::new("ada"));
    let says = |message: &str| {
        repositories::ValuesSays::new(message, values_revision::Source::WeeklyReview)
    };
    let node = |id: &str, kind, title: &str| values_node::New {
        node_id: Some(id.into()),
        ..values_node::New::new(kind, title)
    };
    let commit = tree
        .commit(says("begin"))
        .create_values_node(node("d1", values_node::NodeType::Driver, "Health"))
        .create_values_node(node("m1", values_node::NodeType::Milestone, "Run"))
        .create_values_edge(values_edge::New::new("d1", "m1"));
    let first = commit.send().await.unwrap().revisions.remove(0);
    let change = values_node::Change::new().title("Run 10 km");
    let commit = tree.commit(says("further"));
    let commit = commit.update_values_node(values_node::Id::new("m1"), change);
    commit.send().await.unwrap();
    assert_eq!(tree.log().await.unwrap().rows.len(), 2);
    let shown = tree.show(At::Revision(first.rev_id.clone())).await.unwrap();
    assert_eq!((shown.rows.len(), shown.links.len()), (3, 1));
    let differences = tree
        .diff(At::Revision(first.rev_id.clone()), At::Head)
        .await
        .unwrap();
    assert_eq!(differences.rows.len(), 1);
    assert_eq!(
        tree.rollback(&first.rev_id).await.unwrap().head_rev_id,
        first.rev_id
    );
}

#[tokio::test]
async fn a_tenant_is_named_before_its_rows() {
    let global = formkiq::Global::open(Engine::in_memory().unwrap()).unwrap();
    let site = global.tenant("acme");
    site.store().setup().await.unwrap();
    let site = site.as_program(formkiq::Principal::new("ada"));
    let document = site
        .document()
        .create(formkiq::document::New::new())
        .await
        .unwrap();
    assert_eq!(document.user_id, "ada");
    let key = formkiq::document::Key::new(&document.document_id);
    let moved = site.moves().soft_delete(key).await.unwrap();
    assert_eq!(moved.document_id, document.document_id);
    let until: Range<String> = (..="2999").into();
    let deleted = site.query().deleted_documents_by_date(until).await.unwrap();
    assert_eq!(deleted.rows.len(), 1);
    assert!(global.query().sites().await.unwrap().rows.is_empty());
}

#[test]
fn values_that_are_something_else_are_none() {
    assert_eq!(i64::from_value("x".into()), None);
    assert_eq!(bool::from_value(true.into()), Some(true));
    assert_eq!(Vec::<String>::from_value("x".into()), None);
    assert_eq!(
        Bytes::from_value(Bytes(vec![1]).into_value()),
        Some(Bytes(vec![1]))
    );
    assert_eq!(person::Gender::from_value("Nobody".into()), None);
}
