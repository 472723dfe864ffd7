//! What each mechanism can lose is taken away behind the store's back: verify must say so, repairs must put it right or
//! leave it to a person, and a second repair must have nothing to do.

use crate::case::Case;
use crate::cell::Stage;
use crate::compare::differences;
use crate::design::Role;
use crate::finding::Finding;
use crate::mechanism::Damage;
use crate::world::World;

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
    let unseen = || vec![Finding::new("verify does not see it", "")];
    if world.verify().await.is_empty() {
        return unseen();
    }
    let mut findings = repaired(&world, "").await;
    let left = world.verify().await;
    // Rows of a revision are never written again.
    if damage.mended && case.role() != Role::Snapshot {
        findings.extend(left);
        findings.extend(differences(
            case,
            "repaired",
            &world.items().await,
            &stage.before,
        ));
    } else if left.is_empty() {
        // What it saw before was something else that was lost with it.
        findings.extend(unseen());
    }
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
