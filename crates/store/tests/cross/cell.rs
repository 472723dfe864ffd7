//! One cell from beginning to end: the path, verify, the judges, the same rows made anew, and the probes.

use crate::case::Case;
use crate::compare::differences;
use crate::finding::Finding;
use crate::items::Items;
use crate::mechanism::Probe;
use crate::repair;
use crate::world::{World, model};
use monotable_model::model::Model;
use monotable_store::Options;

/// What a cell is about to do, and where it begins.
pub(crate) struct Stage {
    pub(crate) model: Model,
    /// What is stored before the path is taken.
    pub(crate) before: Items,
}

impl Stage {
    /// Does what comes before the path.
    pub(crate) async fn set(case: &Case) -> Result<Self, Finding> {
        let refused = |text| Finding::new("the model is refused", text);
        let today = model(case, None).map_err(refused)?;
        let written = model(case, case.path.layout).map_err(refused)?;
        let mut world = World::new(&written).await;
        world.run("before", &(case.path.begin)(case)).await?;
        Ok(Self {
            model: today,
            before: world.items().await,
        })
    }
}

/// Everything that is wrong with a cell.
pub(crate) async fn run(case: &Case) -> Vec<Finding> {
    let stage = match Stage::set(case).await {
        Ok(stage) => stage,
        Err(finding) => return vec![finding],
    };
    if case.path.name == "repair" {
        return repair::run(case, &stage).await;
    }
    let mut world = World::with(&stage.model, &stage.before).await;
    if let Err(finding) = world.run("the path", &(case.path.act)(case)).await {
        return vec![finding];
    }
    let mut findings = world.judge(case).await;
    let after = world.items().await;
    findings.extend(notes(case, &stage.before, &after));
    findings.extend(recomputed(case, &stage, &after).await);
    let probed = probe(case, &world).await;
    let refused = probed.is_empty();
    findings.extend(probed);
    // What the probes have done is judged where nothing was wrong before.
    if findings.is_empty() && refused {
        let judged = world.judge(case).await.into_iter();
        findings.extend(judged.map(|finding| Finding {
            class: format!("after probes, {}", finding.class),
            ..finding
        }));
    }
    findings
}

/// The same rows made anew in an empty store.
async fn recomputed(case: &Case, stage: &Stage, after: &Items) -> Vec<Finding> {
    if case.keeps_deleted() {
        return Vec::new();
    }
    let mut world = World::new(&stage.model).await;
    match world.run("anew", &(case.path.same)(case)).await {
        Ok(()) => differences(case, "made anew", after, &world.items().await),
        Err(finding) => vec![finding],
    }
}

/// Whether what was done is archived and noted as often as it should be.
fn notes(case: &Case, before: &Items, after: &Items) -> Vec<Finding> {
    let mut findings = Vec::new();
    // Whether a tombstone is a delete, and an item of several rows one row, is not decided.
    let is_decided = !case.keeps_deleted() && !case.has("each");
    let kept = [
        (
            "archive",
            "Version",
            case.path.versions.filter(|_| is_decided),
        ),
        ("audit", "Note", case.path.notes),
    ];
    for (mechanism, kind, wanted) in kept {
        let count = after.of_type(kind).count()
            - before
                .of_type(kind)
                .count()
                .min(after.of_type(kind).count());
        if let Some(wanted) = wanted.filter(|wanted| case.has(mechanism) && *wanted != count) {
            let few = if count < wanted { "few" } else { "many" };
            findings.push(Finding::new(
                format!("{mechanism}: too {few} rows"),
                format!("{count} instead of {wanted}"),
            ));
        }
    }
    findings
}

async fn probe(case: &Case, world: &World) -> Vec<Finding> {
    let mut findings = Vec::new();
    for mechanism in &case.mechanisms {
        for probe in mechanism.probes(case) {
            findings.extend(answered(mechanism.name(), world, probe).await);
        }
    }
    findings
}

async fn answered(mechanism: &str, world: &World, probe: Probe) -> Option<Finding> {
    match probe {
        Probe::Allowed(what, operation) => {
            let error = world.store.run(operation, Options::default()).await.err()?;
            let class = format!("{mechanism}: {what} is refused as {:?}", error.kind());
            Some(Finding::new(class, error.to_string()))
        }
        Probe::Refused(what, operation, kind) => {
            match world.store.run(operation, Options::default()).await {
                Ok(_) => Some(Finding::new(format!("{mechanism}: {what} is allowed"), "")),
                Err(error) if error.kind() == kind => None,
                Err(error) => Some(Finding::new(
                    format!("{mechanism}: {what} is refused as {:?}", error.kind()),
                    error.to_string(),
                )),
            }
        }
    }
}
