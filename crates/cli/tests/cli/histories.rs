//! Short forms of `histories`: servers that are killed under load, and what their clients saw and kept.
#![cfg(feature = "aws")]

use crate::sandbox::{BINARY, GUARD};
use monotable_histories::Program;
use monotable_histories::append::{self, AppendSettings};
use monotable_histories::kills::{self, KillSettings};

/// How often, for longer runs among the tests.
fn rounds(usual: u32) -> u32 {
    let given = std::env::var("MONOTABLE_HISTORIES").ok();
    given.map_or(usual, |given| given.parse().unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn histories_of_a_killed_server_are_serializable() {
    let settings = AppendSettings {
        program: Program::new(BINARY),
        histories: rounds(6),
        stores: 2,
        clients: 5,
        requests: 14,
        kills: 2,
        seed: 16,
        longest: GUARD,
    };
    let summary = append::run(&settings).await.unwrap();
    assert!(
        summary.anomalies.is_empty(),
        "{summary}: {:#?}",
        summary.anomalies
    );
    assert_eq!(summary.histories, settings.histories);
    assert!(
        summary.kills >= summary.histories && summary.committed > 0,
        "{summary}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost_by_kills() {
    let settings = KillSettings {
        program: Program::new(BINARY),
        kills: rounds(15),
        stores: 2,
        writers: 4,
        seed: 16,
        longest: GUARD,
    };
    let summary = kills::run(&settings).await.unwrap();
    assert!(
        summary.losses.is_empty(),
        "{summary}: {:#?}",
        summary.losses
    );
    assert_eq!(summary.kills, settings.kills);
    assert!(summary.acknowledged > 0, "{summary}");
}
