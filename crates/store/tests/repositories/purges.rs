//! What a purge finds, and what it tells.

use super::world::{World, user};
use monotable_item::{AttributeValue, Item};
use monotable_store::PurgeReason;

/// A row of a snapshot that neither a log row nor an intent names.
fn orphan(owner: &str) -> Item {
    Item::new()
        .with("PK", format!("U#{owner}#VALUES#from-the-old-program"))
        .with("SK", "NODE#d9")
        .with("nodeId", "d9")
        .with("nodeType", "DRIVER")
        .with("title", "Lost")
        .with("archived", AttributeValue::Bool(false))
        .with("createdAt", "2020-01-01T00:00:00.000Z")
}

#[tokio::test]
async fn a_purge_takes_snapshots_that_no_row_names() {
    let world = World::with_plan().await;
    for owner in ["u1", "u2", "u12"] {
        world.put(orphan(owner)).await;
    }
    let others = [world.items("U#u2").await, world.items("U#u12").await];
    world.store.purge(user("u1")).await.unwrap();
    assert_eq!(world.items("U#u1").await, []);
    assert_eq!(
        [world.items("U#u2").await, world.items("U#u12").await],
        others
    );
}

#[tokio::test]
async fn a_dry_purge_tells_partitions_with_revision_rows_and_reason() {
    let world = World::with_plan().await;
    world.put(orphan("u1")).await;
    let before = world.items("U#u1").await;
    let dry = world.store.purge(user("u1")).dry_run().await.unwrap();
    assert_eq!(world.items("U#u1").await, before);
    assert_eq!(dry.owner, user("u1"));
    assert_eq!(dry.items(), before.len() as u64);
    let told = |partition: &str| {
        let mut partitions = dry.partitions.iter();
        let found = partitions.find(|known| known.partition == partition);
        let found = found.unwrap_or_else(|| panic!("{partition} is not in {dry:?}"));
        (found.revision.clone(), found.items, found.reason)
    };
    let (revision, _, reason) = told("U#u1");
    assert_eq!((revision, reason), (None, PurgeReason::Own));
    let head = world.head("u1").await;
    let snapshot = told(&format!("U#u1#VALUES#{head}"));
    assert_eq!(snapshot, (Some(head), 8, PurgeReason::Rendered));
    let revision = "from-the-old-program";
    let orphan = told(&format!("U#u1#VALUES#{revision}"));
    assert_eq!(orphan, (Some(revision.to_owned()), 1, PurgeReason::Scanned));
    let mut purged = world.store.purge(user("u1")).await.unwrap();
    let mut listed = dry.clone();
    for report in [&mut purged, &mut listed] {
        let partitions = &mut report.partitions;
        partitions.sort_by(|one, other| one.partition.cmp(&other.partition));
    }
    assert_eq!(purged, listed);
}

#[tokio::test]
async fn a_text_in_a_row_leads_a_purge_nowhere() {
    let world = World::with_tree().await;
    let head = world.head("u2").await;
    // A message that looks like a partition, of the owner and of somebody else.
    let mut row = world.log_row("u1", &world.revisions[0]).await;
    row.insert("message", format!("U#u2#VALUES#{head}"));
    row.insert("source", "U#u1#NOTES");
    world.put(row).await;
    let dry = world.store.purge(user("u1")).dry_run().await.unwrap();
    let own = |partition: &str| partition == "U#u1" || partition.starts_with("U#u1#");
    assert!(
        dry.partitions.iter().all(|known| own(&known.partition)),
        "{dry:?}"
    );
    world.store.purge(user("u1")).await.unwrap();
    world.is_readable("u2").await;
}
