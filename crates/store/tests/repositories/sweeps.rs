//! What a sweep must never delete, and what it tells instead.

use super::world::{World, user};
use monotable_item::{AttributeValue, Item};
use monotable_store::{At, KeepReason, SweepMode, SweepReason, SweepReport};
use std::time::Duration;

/// Long before the world's clock.
const LONG_AGO: &str = "2020-01-01T00:00:00.000Z";

/// An intent as a commit of a program from before would have left it.
fn intent(owner: &str, repository: &str, revision: &str, partition: &str) -> Item {
    Item::new()
        .with("PK", format!("U#{owner}"))
        .with("SK", format!("PENDING#{repository}#{revision}"))
        .with("repository", repository)
        .with("revId", revision)
        .with("partition", partition)
        .with("startedAt", LONG_AGO)
}

fn snapshot(owner: &str, revision: &str) -> String {
    format!("U#{owner}#VALUES#{revision}")
}

/// A row of a snapshot that nothing names.
fn driver(partition: &str) -> Item {
    Item::new()
        .with("PK", partition)
        .with("SK", "NODE#d9")
        .with("nodeId", "d9")
        .with("nodeType", "DRIVER")
        .with("title", "Lost")
        .with("archived", AttributeValue::Bool(false))
        .with("createdAt", LONG_AGO)
}

async fn sweep_of(world: &World, repository: &str, owner: &str) -> SweepReport {
    let key = user(owner);
    let swept = world.store.sweep(repository, key, Duration::ZERO).await;
    swept.unwrap()
}

async fn sweep_everywhere(world: &World) -> SweepReport {
    let mut report = SweepReport::default();
    for repository in ["values", "plan"] {
        let mode = SweepMode::Delete;
        let swept = world.store.sweep_all(repository, Duration::ZERO, mode);
        let swept = swept.await.unwrap();
        report.removed.extend(swept.removed);
        report.kept.extend(swept.kept);
    }
    report
}

/// Every revision of u1 still has its rows.
async fn all_revisions_are_whole(world: &World) {
    world.is_readable("u1").await;
    world.is_readable("u2").await;
    for revision in &world.revisions {
        let items = world.items(&snapshot("u1", revision)).await;
        assert_eq!(items.len(), 8, "{revision}");
    }
}

#[tokio::test]
async fn an_intent_that_names_another_users_snapshot_deletes_nothing() {
    let world = World::with_tree().await;
    let head = world.head("u1").await;
    world
        .put(intent("u2", "values", &head, &snapshot("u1", &head)))
        .await;
    let before = world.items("U").await;
    for report in [
        sweep_of(&world, "values", "u2").await,
        sweep_everywhere(&world).await,
    ] {
        assert_eq!(report.removed, []);
        let [kept] = report.kept.as_slice() else {
            panic!("{report:?}");
        };
        assert_eq!(kept.owner, user("u2"));
        assert_eq!(kept.revision.as_ref(), Some(&head));
        let reason = kept.reason.to_string();
        assert!(reason.contains(&snapshot("u1", &head)), "{reason}");
        assert_eq!(report.problems().count(), 1);
    }
    assert_eq!(world.items("U").await, before);
    all_revisions_are_whole(&world).await;
}

#[tokio::test]
async fn an_intent_without_a_partition_leads_to_its_own_users_snapshots_only() {
    let world = World::with_tree().await;
    let head = world.head("u1").await;
    let mut forged = intent("u2", "values", &head, "").with("userId", "u1");
    forged.remove("partition");
    world.put(forged).await;
    let report = sweep_of(&world, "values", "u2").await;
    assert_eq!((report.intents(), report.rows()), (1, 0));
    all_revisions_are_whole(&world).await;
}

#[tokio::test]
async fn an_intent_whose_text_names_another_revision_deletes_nothing() {
    let world = World::with_tree().await;
    let head = world.head("u1").await;
    world
        .put(intent("u1", "values", "lost", &snapshot("u1", &head)))
        .await;
    let report = sweep_of(&world, "values", "u1").await;
    assert_eq!(report.removed, []);
    assert_eq!(report.problems().count(), 1);
    all_revisions_are_whole(&world).await;
}

#[tokio::test]
async fn an_intent_of_a_committed_revision_goes_without_its_snapshot() {
    let world = World::with_tree().await;
    for revision in &world.revisions {
        let partition = snapshot("u1", revision);
        world
            .put(intent("u1", "values", revision, &partition))
            .await;
    }
    let report = sweep_of(&world, "values", "u1").await;
    assert_eq!(report.intents(), 2);
    for swept in &report.removed {
        assert_eq!((swept.rows, swept.reason), (0, SweepReason::Committed));
    }
    all_revisions_are_whole(&world).await;
    world.is_clean().await;
}

#[tokio::test]
async fn an_intent_that_does_not_tell_its_age_is_kept() {
    let world = World::with_tree().await;
    let partition = snapshot("u1", "of-another-program");
    let unknown = intent("u1", "values", "of-another-program", &partition);
    for began in [
        AttributeValue::from("yesterday"),
        AttributeValue::N(7.into()),
    ] {
        let mut unknown = unknown.clone();
        unknown.insert("startedAt", began);
        world.put(unknown).await;
        world.put(driver(&partition)).await;
        let report = sweep_of(&world, "values", "u1").await;
        assert!(report.removed.is_empty(), "{report:?}");
        let reasons: Vec<_> = report.kept.iter().map(|kept| &kept.reason).collect();
        assert_eq!(reasons, [&KeepReason::UnknownAge]);
    }
}

#[tokio::test]
async fn a_log_row_with_second_precision_keeps_its_snapshot() {
    for time in [
        "2026-01-23T09:00:00Z",
        "2026-01-23T09:00:00.5Z",
        "2026-01-23T10:00:00+01:00",
    ] {
        let world = World::with_tree().await;
        for revision in &world.revisions {
            let mut row = world.log_row("u1", revision).await;
            world.delete(&row).await;
            row.insert("SK", format!("REV#VALUES#{time}#{revision}"));
            row.insert("revTs", time);
            world.put(row).await;
            let partition = snapshot("u1", revision);
            world
                .put(intent("u1", "values", revision, &partition))
                .await;
        }
        let report = sweep_everywhere(&world).await;
        assert_eq!((report.intents(), report.rows()), (2, 0), "{time}");
        assert_eq!(report.problems().count(), 0, "{report:?}");
        all_revisions_are_whole(&world).await;
    }
}

#[tokio::test]
async fn a_missing_log_row_costs_neither_the_heads_snapshot_nor_that_of_a_parent() {
    for with_intent in [false, true] {
        for revision in [0, 1] {
            let world = World::with_tree().await;
            let revision = &world.revisions[revision];
            let row = world.log_row("u1", revision).await;
            world.delete(&row).await;
            if with_intent {
                let partition = snapshot("u1", revision);
                world
                    .put(intent("u1", "values", revision, &partition))
                    .await;
            }
            let report = sweep_everywhere(&world).await;
            assert_eq!(report.rows(), 0, "{report:?}");
            all_revisions_are_whole(&world).await;
        }
    }
}

#[tokio::test]
async fn an_item_among_log_rows_that_is_not_understood_stops_the_sweep() {
    let world = World::with_orphan().await;
    let stray = Item::new()
        .with("PK", "U#u1")
        .with("SK", "REV#VALUES#yesterday");
    world.put(stray.clone()).await;
    let snapshots = world.items("U#u1#VALUES").await;
    let report = sweep_everywhere(&world).await;
    assert_eq!(report.removed, []);
    let reasons: Vec<_> = report.problems().map(|kept| &kept.reason).collect();
    assert!(
        reasons.iter().any(|reason| matches!(reason, KeepReason::BrokenHistory(why) if why.contains("REV#VALUES#yesterday"))),
        "{reasons:?}"
    );
    assert_eq!(world.items("U#u1#VALUES").await, snapshots);
    // Once it is gone, the sweep goes on.
    world.delete(&stray).await;
    assert_eq!(sweep_everywhere(&world).await.intents(), 1);
    world.is_clean().await;
}

#[tokio::test]
async fn a_broken_head_stops_the_sweep() {
    let world = World::with_orphan().await;
    let heads = world.items("U#u1").await.into_iter();
    let mut heads =
        heads.filter(|item| item.get("SK") == Some(&AttributeValue::from("HEAD#VALUES")));
    let head = heads.next().unwrap();
    let mut broken = head.clone();
    broken.remove("headRevId");
    world.put(broken).await;
    let snapshots = world.items("U#u1#VALUES").await;
    let report = sweep_everywhere(&world).await;
    assert_eq!(report.removed, []);
    assert!(report.problems().count() >= 1);
    assert_eq!(world.items("U#u1#VALUES").await, snapshots);
    world.put(head).await;
    assert_eq!(sweep_everywhere(&world).await.intents(), 1);
    world.is_clean().await;
}

#[tokio::test]
async fn an_intent_from_before_is_swept_by_what_its_partition_says() {
    let world = World::with_plan().await;
    let partition = "U#u1#PLAN#2026-02-01#lost";
    // Intents of plans used to lack the date.
    world.put(intent("u1", "plan", "lost", partition)).await;
    let row = Item::new()
        .with("PK", partition)
        .with("SK", "TODO#000#A#a1")
        .with("actionId", "a1")
        .with("classification", "urgent");
    world.put(row).await;
    let report = sweep_of(&world, "plan", "u1").await;
    assert_eq!((report.intents(), report.rows()), (1, 1), "{report:?}");
    let owner = user("u1").with("date", "2026-02-01");
    assert_eq!(report.removed[0].owner, owner);
    assert_eq!(world.items(partition).await, []);
    world.is_clean().await;
}

#[tokio::test]
async fn a_snapshot_of_unknown_age_is_only_listed() {
    let world = World::with_tree().await;
    let partition = snapshot("u1", "from-the-old-program");
    world.put(driver(&partition)).await;
    let report = sweep_everywhere(&world).await;
    assert_eq!(report.removed, []);
    let [kept] = report.kept.as_slice() else {
        panic!("{report:?}");
    };
    assert_eq!(kept.revision.as_deref(), Some("from-the-old-program"));
    assert_eq!(kept.reason, KeepReason::UnknownAge);
    assert_eq!(world.items(&partition).await.len(), 1);
}

#[tokio::test]
async fn a_sweep_of_the_whole_table_only_lists_until_it_is_told_to_delete() {
    let world = World::with_orphan().await;
    let before = world.items("U").await;
    let sweep = async |mode| {
        let swept = world.store.sweep_all("values", Duration::ZERO, mode).await;
        swept.unwrap()
    };
    let listed = sweep(SweepMode::List).await;
    assert_eq!(world.items("U").await, before);
    let [swept] = listed.removed.as_slice() else {
        panic!("{listed:?}");
    };
    assert_eq!(swept.owner, user("u1"));
    assert!(!swept.revision.is_empty());
    assert_eq!(swept.reason, SweepReason::Unfinished);
    assert_eq!(sweep(SweepMode::Delete).await, listed);
    assert_eq!(sweep(SweepMode::List).await, SweepReport::default());
    world.is_clean().await;
}

#[tokio::test]
async fn orphans_are_listed_before_they_are_deleted() {
    let world = World::with_tree().await;
    // The id tells a time before the world's clock.
    let partition = snapshot("u1", "01JSRH3X8Z0000000000000000");
    world.put(driver(&partition)).await;
    for mode in [SweepMode::List, SweepMode::Delete] {
        assert_eq!(world.items(&partition).await.len(), 1);
        let swept = world.store.sweep_all("values", Duration::ZERO, mode).await;
        let report = swept.unwrap();
        assert_eq!((report.intents(), report.rows()), (0, 1), "{report:?}");
        assert_eq!(report.removed[0].reason, SweepReason::Orphaned);
    }
    assert_eq!(world.items(&partition).await, []);
    world.is_clean().await;
}

#[tokio::test]
async fn a_dry_sweep_tells_what_a_sweep_deletes() {
    let world = World::with_orphan().await;
    let before = world.items("U").await;
    let sweep = || world.store.sweep("values", user("u1"), Duration::ZERO);
    let dry = sweep().dry_run().await.unwrap();
    assert_eq!(dry.intents(), 1);
    assert_eq!(world.items("U").await, before);
    assert_eq!(sweep().await.unwrap(), dry);
    let shown = world.store.show("values", user("u1"), At::Head).await;
    assert_eq!(shown.unwrap().rows.len(), 8);
}
