//! What requests are for, how often they are sent, and what they do not show.

use monotable_model::model::{EntityId, Model};
use monotable_model::plan::{Purpose, Remark, Repeat};

fn name(model: &Model, id: EntityId) -> &str {
    &model.entity(id).name.value
}

fn names(model: &Model, ids: &[EntityId]) -> String {
    let names: Vec<_> = ids.iter().map(|id| name(model, *id)).collect();
    format!("`{}`", names.join("`, `"))
}

/// What a request is for.
pub(crate) fn purpose(model: &Model, purpose: &Purpose) -> String {
    let name = |id: &EntityId| name(model, *id);
    match purpose {
        Purpose::Row(entities) => format!("The row of {}.", names(model, entities)),
        Purpose::Rows(entities) => format!("Rows of {}.", names(model, entities)),
        Purpose::OldRow(entities) => format!(
            "The row of {}, where another layout has it.",
            names(model, entities)
        ),
        Purpose::Hydrated => {
            "The items, because the index holds a part of each: nothing is decided from a part."
                .to_owned()
        }
        Purpose::Guard(claim) => format!("The guard row of `{claim}`."),
        Purpose::UniqueRow(claim) => format!("The row that makes `{claim}` unique."),
        Purpose::Owner(entity) => format!("The row of `{}` that the guard names.", name(entity)),
        Purpose::Start(entity) => {
            format!("The row of `{}` that the walk begins with.", name(entity))
        }
        Purpose::Links { entity, end } => format!(
            "The rows of `{}` that lead from here to `{end}`.",
            name(entity)
        ),
        Purpose::OldLinks(entity) => {
            format!(
                "The rows of `{}` that stand in other layouts.",
                name(entity)
            )
        }
        Purpose::WalkedTo(entity) => format!("The rows of `{}` walked to.", name(entity)),
        Purpose::Followed {
            entity,
            attribute,
            many: true,
        } => format!(
            "The rows of `{}`, one for each element of `{attribute}`.",
            name(entity)
        ),
        Purpose::Followed {
            entity, attribute, ..
        } => format!("The rows of `{}` that `{attribute}` names.", name(entity)),
        Purpose::Folder(entity) => format!(
            "The `{}` of a segment; the first stands in the root, which has no id.",
            name(entity)
        ),
        Purpose::LastSegment(entities) => format!(
            "What the last segment names: {}, or both.",
            names(model, entities).replace(", ", " or ")
        ),
        Purpose::LogRow(revision) => format!("The row of the log for revision `{revision}`."),
        Purpose::Snapshot(revision) => format!("The snapshot of revision `{revision}`."),
        Purpose::Pointed => "The row whose whole key another row holds.".to_owned(),
    }
}

/// What requests do not show.
pub(crate) fn remark(model: &Model, remark: &Remark) -> String {
    match remark {
        Remark::Current => {
            "`<current: ..>` is the row that the walk begins with, then each row that it comes to."
                .to_owned()
        }
        Remark::LinksOnlyIf(entity, filter) => format!(
            "Rows of `{}` count only if `{filter}`.",
            name(model, *entity)
        ),
        Remark::Unguarded(entity) => format!(
            "A row of `{}` without a guard, which something else has written, is looked up by another key.",
            name(model, *entity)
        ),
        Remark::Unreachable(entity) => format!(
            "No key leads to `{}` from what is known here.",
            name(model, *entity)
        ),
        Remark::Paired => {
            "Rows of both snapshots are paired by what names them: only in `to` is added, only in `from` removed, in both \
             but unlike changed."
                .to_owned()
        }
        Remark::LogWithoutTime => {
            "If the id of a revision does not tell when it was made, the log is queried for it."
                .to_owned()
        }
    }
}

/// How often a request is sent, if not once.
pub(crate) fn repeat(repeat: &Repeat) -> Option<String> {
    let list = |numbers: &[usize]| {
        let requests = if numbers.len() == 1 {
            "request"
        } else {
            "requests"
        };
        let numbers: Vec<_> = numbers.iter().map(ToString::to_string).collect();
        format!("{requests} {}", numbers.join(", "))
    };
    Some(match repeat {
        Repeat::Once => return None,
        Repeat::IfNothing { of } => format!("if request {of} finds nothing"),
        Repeat::EachRow { of } => format!("for each row of {}", list(of)),
        Repeat::EachDay { parameter } => format!(
            "for each day from `{parameter}.from` to `{parameter}.to`, in the order asked for"
        ),
        Repeat::EachShard { shards } => format!("for each of {shards} shards"),
        Repeat::EachSegment => "for each segment of the path but the last".to_owned(),
        Repeat::EachCurrent => "for each row that the walk has come to".to_owned(),
        Repeat::UntilNothingNew { from } => {
            format!("for each new row; then again from request {from}, until nothing new is found")
        }
    })
}
