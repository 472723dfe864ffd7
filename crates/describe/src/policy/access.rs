//! The partitions that access patterns ask for.

use super::escape;
use monotable_model::model::{AccessId, EntityId, Model, Part};
use monotable_model::plan::{GuardKey, KeyText, Piece, PlannedText, Plans, Purpose, list_requests};

/// A partition of a table or of an index that is read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Read {
    pub(super) table: String,
    pub(super) index: Option<String>,
    /// The partition key as IAM compares it: `*` stands for what is known only when it is asked.
    pub(super) partition: String,
}

/// What is read for the patterns: their own requests, the patterns whose rows give rights to what they return, and rows that the
/// rules on these refer to.
pub(super) fn list_reads(model: &Model, plans: &Plans, patterns: &[AccessId]) -> Vec<Read> {
    let returned = returned_entities(model, patterns);
    let grants = model.grants.iter();
    let grants = grants.filter(|grant| grant.of.iter().any(|entity| returned.contains(entity)));
    let mut asked = patterns.to_vec();
    let mut judged: Vec<EntityId> = Vec::new();
    for grant in grants {
        asked.push(grant.access);
        judged.extend(grant.above.map(|path| model.path(path).folder));
    }
    for &entity in returned
        .iter()
        .filter(|&&entity| model.entity(entity).allow.read.is_some())
    {
        let attributes = model.entity(entity).attributes.iter();
        let references = attributes.filter_map(|attribute| attribute.reference.as_ref());
        judged.extend(references.map(|reference| reference.target));
    }
    let mut reads = Vec::new();
    for plans in with_and_without_prefix(model, plans) {
        for &pattern in &asked {
            let listing = list_requests(&plans, plans.pattern(pattern));
            for request in listing.requests {
                if request.purpose == Purpose::Hydrated {
                    let returned = returned_entities(model, &[pattern]);
                    let keys = returned
                        .iter()
                        .flat_map(|&entity| keys_of(model, &plans, entity));
                    reads.extend(keys);
                    continue;
                }
                let keys = request.keys.iter().filter_map(|key| key.first());
                let queried = request.values.first().filter(|_| request.keys.is_empty());
                reads.extend(keys.chain(queried).map(|value| Read {
                    table: request.table.clone(),
                    index: request.index.clone(),
                    partition: compare_text(&value.text),
                }));
            }
        }
        for &entity in &judged {
            reads.extend(keys_of(model, &plans, entity));
        }
    }
    reads.sort();
    reads.dedup();
    reads
}

/// The tenant without a prefix is asked for without one.
fn with_and_without_prefix(model: &Model, plans: &Plans) -> Vec<Plans> {
    let has_bare = model
        .tenant
        .as_ref()
        .is_some_and(|tenant| tenant.bare.is_some());
    let bare = has_bare.then(|| Plans {
        prefix: None,
        ..plans.clone()
    });
    std::iter::once(plans.clone()).chain(bare).collect()
}

fn returned_entities(model: &Model, patterns: &[AccessId]) -> Vec<EntityId> {
    let mut returned: Vec<EntityId> = Vec::new();
    for &pattern in patterns {
        for &entity in &model.pattern(pattern).returns {
            returned.extend(model.kinds_of(entity));
        }
    }
    returned.sort();
    returned.dedup();
    returned
}

/// Where a row of an entity stands, and the guards that lead to it.
fn keys_of(model: &Model, plans: &Plans, entity: EntityId) -> Vec<Read> {
    let kinds = model.kinds_of(entity);
    let plans_of = kinds.iter().map(|&kind| plans.entity(kind));
    let keys = plans_of.flat_map(|plan| {
        let guards = plan.guards.iter().flatten();
        let guards = guards.filter_map(|guard| match &guard.guard {
            GuardKey::Row(key) => Some(&**key),
            GuardKey::Entity { .. } => None,
        });
        plan.primary()
            .into_iter()
            .chain(&plan.layouts)
            .chain(guards)
    });
    keys.map(|key| read_of(plans, key)).collect()
}

fn read_of(plans: &Plans, key: &KeyText) -> Read {
    let prefix = plans.prefix.as_ref().filter(|_| !key.at.shared);
    let prefix = prefix.map_or(&[][..], |prefix| &prefix.parts);
    let parts = prefix.iter().chain(&key.partition);
    let texts = parts.map(|part| match part {
        Part::Literal(text) => escape(&text.value),
        Part::Field(_) => "*".to_owned(),
    });
    Read {
        table: key.at.table_name.clone(),
        index: key.at.index_name.clone(),
        partition: merge_stars(&texts.collect::<String>()),
    }
}

fn compare_text(text: &PlannedText) -> String {
    let pieces = text.0.iter().map(|piece| match piece {
        Piece::Text(text) => escape(text),
        Piece::Parameter { .. } | Piece::Read { .. } | Piece::Current { .. } => "*".to_owned(),
    });
    merge_stars(&pieces.collect::<String>())
}

/// Two values beside each other are one to whoever compares. An escaped star, `${*}`, stays.
fn merge_stars(text: &str) -> String {
    let mut merged = text.to_owned();
    while merged.contains("**") {
        merged = merged.replace("**", "*");
    }
    merged
}
