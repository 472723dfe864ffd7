//! What each mechanism can lose is taken away behind the store's back: verify must say so, repairs must put it right or
//! leave it to a person, and a second repair must have nothing to do.

use crate::case::Case;
use crate::cell::Stage;
use crate::compare::differences;
use crate::design::Role;
use crate::finding::Finding;
use crate::mechanism::{Damage, Outcome};
use crate::path::Step;
use crate::world::World;
use monotable_store::{AnyOperation, NoteKind, VerifyOptions};

pub(crate) async fn run(case: &Case, stage: &Stage) -> Vec<Finding> {
    let mut findings = Vec::new();
    for mechanism in &case.mechanisms {
        for damage in mechanism.damages() {
            let found = damaged(case, stage, &damage).await;
            findings.extend(found.into_iter().map(|finding| Finding {
                class: format!("{}: {}", damage.name, finding.class),
                ..finding
            }));
        }
    }
    let whole = World::with(&stage.model, &stage.before).await;
    findings.extend(repaired(&whole, "of a whole store").await);
    findings.extend(differences(
        case,
        "repaired",
        &whole.items().await,
        &stage.before,
    ));
    findings
}

async fn damaged(case: &Case, stage: &Stage, damage: &Damage) -> Vec<Finding> {
    let mut items = stage.before.clone();
    (damage.apply)(&mut items.0);
    // Things of this kind have nothing to lose there.
    if items.0 == stage.before.0 {
        return Vec::new();
    }
    let world = World::with(&stage.model, &items).await;
    // Rows of a revision are never written again, so what is wrong with them is wrong for good.
    let is_past = case.role() == Role::Snapshot;
    match damage.outcome {
        Outcome::Mended if !is_past => mended(case, stage, &world).await,
        Outcome::Noted(kind) if !is_past => noted(case, &world, kind).await,
        Outcome::Mended | Outcome::Left | Outcome::Noted(_) => left(&world).await,
        Outcome::Finished(call) => finished(case, stage, &world, call(case)).await,
    }
}

fn unseen() -> Vec<Finding> {
    vec![Finding::new("verify does not see it", "")]
}

/// A violation, and none after a repair.
async fn mended(case: &Case, stage: &Stage, world: &World) -> Vec<Finding> {
    if !world.has_violations().await {
        return unseen();
    }
    let mut findings = repaired(world, "").await;
    findings.extend(world.judge(case).await);
    let items = world.items().await;
    findings.extend(differences(case, "repaired", &items, &stage.before));
    findings
}

/// A violation, before a repair and after it. What is gone after a repair was something else that was lost with it.
async fn left(world: &World) -> Vec<Finding> {
    if !world.has_violations().await {
        return unseen();
    }
    let findings = repaired(world, "").await;
    if !world.has_violations().await {
        return unseen();
    }
    findings
}

/// A note, and nothing that is written because of it.
async fn noted(case: &Case, world: &World, kind: NoteKind) -> Vec<Finding> {
    let before = world.items().await;
    let mut findings = world.verify().await;
    findings.extend(repaired(world, "of what is only noted").await);
    let items = world.items().await;
    findings.extend(differences(case, "repaired", &items, &before));
    if !world.has_note(kind).await {
        findings.extend(unseen());
    }
    findings
}

/// An unfinished operation, and what it would have come to after it was finished.
async fn finished(case: &Case, stage: &Stage, world: &World, call: AnyOperation) -> Vec<Finding> {
    if !world.has_unfinished().await {
        return unseen();
    }
    let mut findings = repaired(world, "of what is not finished").await;
    match world.store.finish(&VerifyOptions::new()).await {
        Ok(repaired) => findings.extend(
            repaired
                .left
                .into_iter()
                .map(|left| Finding::new("it cannot be finished", left)),
        ),
        Err(error) => findings.push(Finding::new("a finish fails", error.to_string())),
    }
    findings.extend(world.judge(case).await);
    let mut wanted = World::with(&stage.model, &stage.before).await;
    if let Err(finding) = wanted.run("the call", &[Step::Call(call)]).await {
        findings.push(finding);
    }
    let (items, wanted) = (world.items().await, wanted.items().await);
    findings.extend(differences(case, "finished", &items, &wanted));
    findings
}

/// Repairs what can be repaired, twice.
async fn repaired(world: &World, what: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for round in 1..=2 {
        let written = async {
            let filled = world.store.backfill().await?;
            let counted = world.store.recount().await?;
            Ok::<_, monotable_store::Error>(filled.written + counted.written)
        };
        match written.await {
            Err(error) => findings.push(Finding::new("a repair fails", error.to_string())),
            Ok(written) if written > 0 && (round == 2 || !what.is_empty()) => {
                let class = format!("repair number {round} {what} writes");
                findings.push(Finding::new(
                    class.replace("  ", " "),
                    format!("{written} rows"),
                ));
            }
            Ok(_) => {}
        }
    }
    findings
}
