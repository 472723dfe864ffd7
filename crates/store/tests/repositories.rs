//! Commits, rollbacks, sweeps and purges that break off at every request, and that meet each other in every order.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod repositories {
    pub(crate) mod documents;
    pub(crate) mod player;
    pub(crate) mod purges;
    pub(crate) mod sweeps;
    pub(crate) mod world;
}

use monotable_store::{AnyOperation, AnyOutput, ErrorKind};
use repositories::player::Player;
use repositories::world::{World, carry, complete_both, purge, rename, rollback, sweep};

/// More by hand: `MONOTABLE_SCHEDULES=2000 cargo test -p monotable-store --test repositories`.
fn schedules() -> u64 {
    let asked = std::env::var("MONOTABLE_SCHEDULES").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(20)
}

/// Runs an operation that dies after so many requests, for every number of them until it succeeds.
async fn at_every_request(
    begin: impl AsyncFn() -> World,
    operation: impl Fn(&World) -> AnyOperation,
) {
    for requests in 0.. {
        let world = begin().await;
        let before = world.head("u1").await;
        let mut player = Player::new(&world.store, operation(&world));
        for _ in 0..requests {
            player.advance(&world.engine).await;
        }
        let ended = player.outcome();
        drop(player);
        world.is_readable("u1").await;
        let after = world.head("u1").await;
        assert!(
            ended.is_none()
                || !matches!(operation(&world), AnyOperation::CommitAll(_))
                || after != before,
            "a commit that was acknowledged moves the head"
        );
        world.is_sound().await;
        if let Some(ended) = ended {
            ended.unwrap();
            assert!(requests > 1, "it sends something");
            return;
        }
    }
}

#[tokio::test]
async fn a_commit_may_die_at_every_request() {
    at_every_request(World::with_tree, |_| rename("m1", "died")).await;
}

#[tokio::test]
async fn a_commit_of_two_repositories_may_die_at_every_request() {
    at_every_request(World::with_plan, |_| complete_both()).await;
}

#[tokio::test]
async fn a_rollback_may_die_at_every_request() {
    at_every_request(World::with_tree, |world| rollback(&world.revisions[0])).await;
}

#[tokio::test]
async fn a_carry_may_die_at_every_request() {
    at_every_request(World::with_plan, |_| carry()).await;
}

#[tokio::test]
async fn a_sweep_may_die_at_every_request() {
    at_every_request(World::with_orphan, |_| sweep()).await;
}

#[tokio::test]
async fn a_sweep_of_committed_intents_may_die_at_every_request() {
    at_every_request(World::with_left_intents, |_| sweep()).await;
}

#[tokio::test]
async fn a_sweep_takes_intents_and_rows() {
    let world = World::with_orphan().await;
    world.run(sweep()).await.unwrap();
    world.is_clean().await;
}

#[tokio::test]
async fn a_purge_may_die_at_every_request() {
    for requests in 0.. {
        let world = World::with_plan().await;
        let others = world.items("U#u2").await.len();
        let mut player = Player::new(&world.store, purge());
        for _ in 0..requests {
            player.advance(&world.engine).await;
        }
        let ended = player.outcome();
        drop(player);
        world.run(purge()).await.unwrap();
        assert_eq!(world.items("U#u1").await.len(), 0);
        assert_eq!(world.items("U#u2").await.len(), others);
        if let Some(ended) = ended {
            ended.unwrap();
            return;
        }
    }
}

/// Two operations in every order of one switch each, and in many others.
async fn in_every_order(
    begin: impl AsyncFn() -> World,
    one: impl Fn(&World) -> AnyOperation,
    other: impl Fn(&World) -> AnyOperation,
    check: impl AsyncFn(&World, [Result<AnyOutput, ErrorKind>; 2]),
) {
    for (first, second) in (0..8).flat_map(|first| (0..8).map(move |second| (first, second))) {
        let world = begin().await;
        let mut players = [
            Player::new(&world.store, one(&world)),
            Player::new(&world.store, other(&world)),
        ];
        for _ in 0..first {
            players[0].advance(&world.engine).await;
        }
        for _ in 0..second {
            players[1].advance(&world.engine).await;
        }
        ended(&world, players, &check).await;
    }
    for seed in 0..schedules() {
        let world = begin().await;
        let mut chance = fastrand::Rng::with_seed(seed);
        let mut players = [
            Player::new(&world.store, one(&world)),
            Player::new(&world.store, other(&world)),
        ];
        for _ in 0..200 {
            players[chance.usize(0..2)].advance(&world.engine).await;
        }
        ended(&world, players, &check).await;
    }
}

async fn ended(
    world: &World,
    players: [Player; 2],
    check: &impl AsyncFn(&World, [Result<AnyOutput, ErrorKind>; 2]),
) {
    let [one, other] = players;
    let results = [
        one.finish(&world.engine).await,
        other.finish(&world.engine).await,
    ];
    world.is_readable("u1").await;
    check(
        world,
        results.map(|result| result.map_err(|error| error.kind())),
    )
    .await;
    world.is_sound().await;
}

#[tokio::test]
async fn two_commits_lose_nothing() {
    in_every_order(
        World::with_tree,
        |_| rename("m1", "one"),
        |_| rename("a1", "other"),
        async |world, results| {
            assert!(results.iter().all(Result::is_ok), "{results:?}");
            assert_eq!(world.title("m1").await, "one");
            assert_eq!(world.title("a1").await, "other");
            assert_eq!(world.chain().await, world.revisions.len() + 2);
        },
    )
    .await;
}

#[tokio::test]
async fn a_sweep_and_a_slow_commit_leave_the_head_on_a_whole_snapshot() {
    in_every_order(
        World::with_tree,
        |_| rename("m1", "slow"),
        |_| sweep(),
        async |world, results| {
            // The sweep takes what it meets; the commit begins anew and succeeds all the same.
            assert!(results.iter().all(Result::is_ok), "{results:?}");
            // What was written after the sweep had passed, the commit has taken away itself.
            world.is_clean().await;
            assert_eq!(world.title("m1").await, "slow");
        },
    )
    .await;
}

#[tokio::test]
async fn two_sweeps_take_the_same_orphan() {
    in_every_order(
        World::with_orphan,
        |_| sweep(),
        |_| sweep(),
        async |_, results| assert!(results.iter().all(Result::is_ok), "{results:?}"),
    )
    .await;
}

#[tokio::test]
async fn a_sweep_of_committed_intents_and_a_rollback_leave_every_snapshot_whole() {
    in_every_order(
        World::with_left_intents,
        |world| rollback(&world.revisions[0]),
        |_| sweep(),
        async |world, results| {
            assert!(results.iter().all(Result::is_ok), "{results:?}");
            for revision in &world.revisions {
                let rows = world.items(&format!("U#u1#VALUES#{revision}")).await;
                assert_eq!(rows.len(), 8, "{revision}");
            }
        },
    )
    .await;
}

#[tokio::test]
async fn a_rollback_never_undoes_what_it_has_not_seen() {
    in_every_order(
        World::with_tree,
        |_| rename("m1", "new"),
        |world| rollback(&world.revisions[0]),
        async |world, [commit, rollback]| {
            assert!(commit.is_ok(), "{commit:?}");
            match rollback {
                // Whoever came last has the head: nothing was lost without a word.
                Ok(_) => assert!(["new", "Run 10 km"].contains(&world.title("m1").await.as_str())),
                Err(kind) => {
                    assert_eq!(kind, ErrorKind::Conflict);
                    assert_eq!(world.title("m1").await, "new");
                }
            }
        },
    )
    .await;
}

#[tokio::test]
async fn a_carry_meets_a_commit_of_the_same_day() {
    in_every_order(
        World::with_plan,
        |_| carry(),
        |_| repositories::world::plan_tomorrow(),
        async |world, results| {
            assert!(results.iter().all(Result::is_ok), "{results:?}");
            assert_eq!(world.todos("2026-01-24").await, 2);
        },
    )
    .await;
}

#[tokio::test]
async fn eight_writers_at_once_make_one_chain() {
    let world = World::with_tree().await;
    let writers = (0..8).map(|writer| {
        let store = world.store.clone();
        tokio::spawn(async move {
            for round in 0..5 {
                let node = format!("n{writer}-{round}");
                store
                    .commit(repositories::world::adding(&node))
                    .await
                    .unwrap();
            }
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    assert_eq!(world.chain().await, world.revisions.len() + 40);
    for (writer, round) in (0..8).flat_map(|writer| (0..5).map(move |round| (writer, round))) {
        let node = format!("n{writer}-{round}");
        assert_eq!(world.title(&node).await, node);
    }
    world.is_sound().await;
}

#[tokio::test]
async fn two_thousand_nodes_are_one_revision() {
    let world = World::with_tree().await;
    let mut commit = repositories::world::adding("n0");
    for node in 1..2_000 {
        let more = repositories::world::adding(&format!("n{node}"));
        commit.changes.extend(more.changes);
    }
    world.store.commit(commit).await.unwrap();
    let key = repositories::world::user("u1");
    let shown = world
        .store
        .show("values", key, monotable_store::At::Head)
        .await
        .unwrap();
    assert_eq!(shown.rows.len(), 8 + 4_000);
    assert_eq!(shown.links.len(), 3 + 2_000);
}

#[tokio::test]
async fn a_thousand_revisions_page_and_travel() {
    let world = World::with_tree().await;
    let key = || repositories::world::user("u1");
    let mut times = Vec::new();
    for revision in 0..1_000 {
        let committed = world.run(rename("m1", &format!("title {revision}"))).await;
        let AnyOutput::Committed(committed) = committed.unwrap() else {
            panic!("a commit");
        };
        times.push(committed.revisions[0].text("revTs").to_owned());
    }
    let mut seen = Vec::new();
    let mut cursor = None;
    loop {
        let mut call = world.store.log("values", key()).limit(77);
        if let Some(cursor) = cursor {
            call = call.after(cursor);
        }
        let page = call.await.unwrap();
        seen.extend(page.rows.iter().map(|row| row.text("revId").to_owned()));
        cursor = page.cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(seen.len(), 1_000 + world.revisions.len());
    assert!(
        seen.windows(2).all(|pair| pair[0] > pair[1]),
        "newest first"
    );
    for revision in [0, 1, 500, 999] {
        let at = monotable_store::At::Time(times[revision].clone());
        let shown = world.store.show("values", key(), at).await.unwrap();
        let node = shown.rows.iter().find(|row| row.text("nodeId") == "m1");
        assert_eq!(node.unwrap().text("title"), format!("title {revision}"));
    }
}
