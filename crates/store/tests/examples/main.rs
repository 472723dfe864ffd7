//! Every model of docs/model.md runs: its rows are created, read by every pattern, updated, moved and deleted. What `check` proves of a
//! model is worth nothing if no row of it can be made.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod page;
mod sample;
mod world;

use world::World;

/// Patterns that find nothing here, and why.
const EMPTY: &[(&str, &str)] = &[];

/// The life of one model; the patterns that found nothing.
async fn run(example: page::Example) -> Vec<String> {
    let mut world = World::new(&example.place, &example.text).await;
    world.create_all().await;
    world.commit_all().await;
    world.verify("after the creates").await;
    world.query_all().await;
    world.update_all().await;
    world.verify("after the updates").await;
    world.query_all().await;
    world.move_all().await;
    world.verify("after the moves").await;
    world.query_all().await;
    let unfound = world.unfound();
    world.delete_all().await;
    world.verify("after the deletes").await;
    let unfound = unfound.into_iter();
    let place = &example.place;
    unfound
        .map(|name| format!("{place}: `{name}` finds no row"))
        .collect()
}

#[tokio::test]
async fn every_model_of_the_page_runs() {
    let mut wrong = Vec::new();
    for example in page::examples() {
        let place = example.place.clone();
        match tokio::spawn(run(example)).await {
            Ok(unfound) => wrong.extend(unfound),
            Err(panic) => wrong.push(format!("{place}: {panic}")),
        }
    }
    wrong.retain(|wrong| !EMPTY.iter().any(|(known, _)| wrong.contains(known)));
    assert!(wrong.is_empty(), "{wrong:#?}");
}
