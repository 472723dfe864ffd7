//! ProcessProof's parent links without the guards that keep one parent for each child.

use crate::world::{World, adopt, item};
use monotable_item::Item;
use monotable_store::{ErrorKind, Page, Store};

const SYSTEM: &str = "urn:pp:System::s";
const AREA: &str = "urn:pp:Area::a";
const JOB: &str = "urn:pp:Job::j";

/// A system with an area with a job; another program wrote the links.
async fn linked() -> World {
    let world = World::of_model("processproof", "ProcessProof").await;
    let store = world.store();
    for (kind, id) in [("System", "s"), ("Area", "a"), ("Job", "j"), ("Area", "b")] {
        let resource = Item::new().with("_resourceType", kind).with("_id", id);
        store.create("Resource", resource).await.unwrap();
    }
    for (parent, child) in [(SYSTEM, AREA), (AREA, JOB)] {
        world.load(&format!(
            r#"{{"PK": "Parent#{parent}", "SK": "Child#{child}", "_recordType": "ParentChildRelationship",
                "parentUrn": "{parent}", "childUrn": "{child}", "_createdAt": "2024-01-02T03:04:05.000Z"}}"#
        ));
    }
    world
}

fn link(parent: &str, child: &str) -> Item {
    Item::new()
        .with("parentUrn", parent)
        .with("childUrn", child)
}

fn urns(page: &Page) -> Vec<String> {
    let urns = page.rows.iter().map(|row| row.text("urn").to_owned());
    urns.collect()
}

async fn ask(store: &Store, pattern: &str) -> Vec<String> {
    let job = Item::new().with("urn", JOB);
    urns(&store.query(pattern, job).await.unwrap())
}

#[tokio::test]
async fn ancestors_and_authorization_scope_go_on_through_links_without_guards() {
    let world = linked().await;
    let store = world.unadopted();
    for pattern in ["ancestors", "authorization_scope"] {
        assert_eq!(ask(&store, pattern).await, [JOB, AREA, SYSTEM], "{pattern}");
    }
    let parent = store.query("parent_by_guard", Item::new().with("childUrn", JOB));
    assert_eq!(parent.await.unwrap().rows.len(), 1);
}

#[tokio::test]
async fn a_second_parent_beside_a_link_without_a_guard_is_refused() {
    let world = linked().await;
    let store = world.unadopted();
    for parent in [SYSTEM, "urn:pp:Area::b"] {
        let refused = store.attach("ParentChildRelationship", link(parent, JOB));
        assert_eq!(refused.await.unwrap_err().kind(), ErrorKind::Conflict);
    }
    // Where there is no parent, there may be one.
    let first = store.attach("ParentChildRelationship", link(SYSTEM, "urn:pp:Area::b"));
    first.await.unwrap();
}

#[tokio::test]
async fn a_cycle_through_links_without_guards_is_refused() {
    let world = linked().await;
    let store = world.unadopted();
    let refused = store.attach("ParentChildRelationship", link(JOB, SYSTEM));
    assert_eq!(refused.await.unwrap_err().kind(), ErrorKind::Conflict);
}

#[tokio::test]
async fn deleting_a_job_leaves_the_system_that_it_stands_below() {
    let world = linked().await;
    let store = world.unadopted();
    store
        .delete("Resource", Item::new().with("urn", JOB))
        .await
        .unwrap();
    for urn in [SYSTEM, AREA] {
        store
            .get("Resource", Item::new().with("urn", urn))
            .await
            .unwrap();
    }
    // The link above it goes with it, although nothing guards it.
    let link = world.item(&format!("Parent#{AREA}"), &format!("Child#{JOB}"));
    assert_eq!(link, None);
    let left = world.item(&format!("Parent#{SYSTEM}"), &format!("Child#{AREA}"));
    assert!(left.is_some());
}

#[tokio::test]
async fn adopted_links_have_guards_and_cost_what_they_cost_before() {
    let world = linked().await;
    let store = world.unadopted();
    adopt(&store).await;
    assert_eq!(ask(&store, "ancestors").await, [JOB, AREA, SYSTEM]);
    // From here on a guard decides: a link that something else writes beside it is not looked for.
    let other = "urn:pp:Area::b";
    world.load(&format!(
        r#"{{"PK": "Parent#{SYSTEM}", "SK": "Child#{other}", "_recordType": "ParentChildRelationship",
            "parentUrn": "{SYSTEM}", "childUrn": "{other}", "_createdAt": "2024-01-02T03:04:05.000Z"}}"#
    ));
    let explained = store.query("ancestors", item(&format!(r#"{{"urn": "{other}"}}"#)));
    let explained = explained.explain().await;
    let index = explained.to_string();
    assert!(!index.contains("GSI1"), "{index}");
}
