//! The second round of a cell: every call of the path is cut off after each of its writes, and made again.
//!
//! Reads change nothing, so a call that dies after a read leaves what it left after the write before it. The call that is
//! made again may say that there is nothing left to do; what counts is what is stored in the end.

use crate::case::Case;
use crate::cell::Stage;
use crate::compare::differences;
use crate::finding::Finding;
use crate::path::Step;
use crate::world::World;
use monotable_api::{Dynamo, Request};
use monotable_store::{Answer, AnyOperation, Options, Step as MachineStep};
use std::collections::VecDeque;

/// The most writes of one call.
const MOST: usize = 40;

/// Everything that is wrong after calls that were cut off.
pub(crate) async fn run(case: &Case) -> Vec<Finding> {
    // Where a second create gets a time of its own, a create that is made again makes another thing.
    let creates = ["create", "put of a new row", "transact", "attach"];
    if case.has("times") && creates.contains(&case.path.name) {
        return Vec::new();
    }
    let Ok(stage) = Stage::set(case).await else {
        return Vec::new();
    };
    let steps = (case.path.act)(case);
    let mut whole = World::with(&stage.model, &stage.before).await;
    if whole.run("the path", &steps).await.is_err() {
        return Vec::new();
    }
    let finished = whole.items().await;
    for (position, step) in steps.iter().enumerate() {
        if !matches!(step, Step::Call(_) | Step::Token(..) | Step::Revert) {
            continue;
        }
        for writes in 0..MOST {
            let (ended, mut findings, world) =
                cut_off(case, &stage, &steps, position, writes).await;
            findings.extend(world.judge(case).await);
            let items = world.items().await;
            findings.extend(differences(case, "repeated", &items, &finished));
            if !findings.is_empty() {
                let where_cut = format!("call {} after {writes} writes", position + 1);
                return findings
                    .into_iter()
                    .map(|finding| Finding {
                        detail: format!("{where_cut}: {}", finding.detail),
                        ..finding
                    })
                    .collect();
            }
            if ended {
                break;
            }
        }
    }
    Vec::new()
}

/// Takes the path with one call that dies after so many writes and is made again. True: it came to its end.
async fn cut_off(
    case: &Case,
    stage: &Stage,
    steps: &[Step],
    position: usize,
    writes: usize,
) -> (bool, Vec<Finding>, World) {
    let mut world = World::with(&stage.model, &stage.before).await;
    let mut ended = true;
    for (number, step) in steps.iter().enumerate() {
        if number == position
            && let Ok(Some((operation, options))) = world.call(step).await
        {
            ended = dies(&world, operation, options, writes).await;
        }
        let done = world.run("again", std::slice::from_ref(step)).await;
        if let Err(finding) = done
            && number != position
        {
            return (ended, vec![finding], world);
        }
    }
    let _ = case;
    let swept = world.sweep().await.err();
    let swept = swept.map(|error| Finding::new("a sweep fails", error.to_string()));
    (ended, swept.into_iter().collect(), world)
}

/// Runs a call until it has made so many writes.
async fn dies(world: &World, operation: AnyOperation, options: Options, writes: usize) -> bool {
    let mut machine = world.store.machine(operation, options);
    let mut answers = Vec::new();
    let mut made = 0;
    loop {
        let mut open = match machine.step(std::mem::take(&mut answers)) {
            MachineStep::Send(requests) => VecDeque::from(requests),
            MachineStep::Wait(_) => continue,
            MachineStep::Done(_) => return true,
        };
        while let Some(request) = open.pop_front() {
            if is_write(&request) {
                if made == writes {
                    return false;
                }
                made += 1;
            }
            answers.push(Answer::first(world.engine.call(request).await));
        }
    }
}

fn is_write(request: &Request) -> bool {
    !matches!(
        request,
        Request::GetItem(_)
            | Request::BatchGetItem(_)
            | Request::Query(_)
            | Request::Scan(_)
            | Request::TransactGetItems(_)
    )
}
