//! Whether relations lead from no row to itself, hold a pair once, and end.
//!
//! A chain that does not end is found by peeling. In each round the relations whose second end has no relation below it are
//! left out; what is left when the chain may not be longer leads back to itself, or is too long.

use crate::address::Address;
use crate::graph;
use crate::mechanism::relations::mirrored_row;
use crate::record::{Record, reference_values};
use crate::scope::Scope;
use crate::verify::{
    Candidate, Confirmation, FactSink, FieldReader, Fields, Findings, LocalRemedy, StatedRow,
    Subject, Topic, ViolationKind, encode_fact, entity_at, state_local,
};
use monotable_item::AttributeValue;
use monotable_model::model::{EntityId, Guard, Relation};
use std::collections::{BTreeMap, BTreeSet};

/// One of the rows of a pair.
const PAIR: u8 = 0;
/// There is a relation below the row.
const BELOW: u8 = 1;
/// A relation that ends at the row.
const ENDS: u8 = 2;
/// A relation that is left when its chain should have ended.
const LEFT: u8 = 3;

/// How many rounds relations are peeled where nothing limits their chains. A cycle is never peeled off, and each round sorts
/// what is left once more; what leads back is found in memory, so a longer chain is no mistake.
const MOST_ROUNDS: usize = 64;

/// How many of the relations that are left are held to find where they lead back.
const MOST_LEFT: usize = 200_000;

/// States the relation that the row is.
pub(crate) fn state(row: &StatedRow<'_>, scope: &Scope, facts: &mut dyn FactSink) {
    let entity = scope.entity(row.record.entity);
    let Some(relation) = &entity.relation else {
        return;
    };
    let versioned = scope.model().repository_of(row.record.entity).is_some();
    let from = find_end(scope, row.record, &relation.from.value);
    let to = find_end(scope, row.record, &relation.to.value);
    let (Some(from), Some(to)) = (from, to) else {
        return;
    };
    if from == to {
        let message = format!(
            "`{}` and `{}` are the same row",
            relation.from.value, relation.to.value
        );
        let kind = ViolationKind::Cycle;
        state_local(
            facts,
            Topic::Relations,
            row,
            kind,
            &message,
            LocalRemedy::None,
        );
        return;
    }
    let index = row.record.entity.index() as u64;
    if relation.symmetric
        && let Ok(mirrored) = scope.row_address(&mirrored_row(relation, row.record))
    {
        let first = mirrored.min(row.address.clone());
        let subject = Fields::new().text("pair").address(&first);
        let fields = Fields::new().number(index).address(row.address);
        facts.state(Topic::Relations, subject, PAIR, fields);
    }
    // What leads back within a snapshot is found with its rows.
    if relation.acyclic && !versioned {
        let edge = Edge {
            entity: row.record.entity,
            from,
            to,
            by: row.address.clone(),
        };
        facts.state(
            Topic::Relations,
            edge.node(&edge.from),
            BELOW,
            Fields::new(),
        );
        facts.state(Topic::Relations, edge.node(&edge.to), ENDS, edge.fields());
    }
}

/// An end of a relation as the place it names: ids alone may repeat between owners.
fn find_end(scope: &Scope, row: &Record, name: &str) -> Option<String> {
    let attribute = scope.entity(row.entity).attribute(name)?;
    let id = reference_values(attribute, row).into_iter().next()?;
    let target = attribute.reference.as_ref()?.target;
    let address = scope.target_address(row, target, &id);
    Some(match (address, id) {
        (Some(address), _) => address.to_string(),
        (None, AttributeValue::S(id)) => format!("{}{id}", scope.addressing().prefix()),
        (None, id) => format!("{}{id:?}", scope.addressing().prefix()),
    })
}

/// A relation between two rows.
struct Edge {
    entity: EntityId,
    from: String,
    to: String,
    by: Address,
}

impl Edge {
    fn node(&self, end: &str) -> Fields {
        Fields::new()
            .text("node")
            .number(self.entity.index() as u64)
            .text(end)
    }

    fn fields(&self) -> Fields {
        Fields::new()
            .number(self.entity.index() as u64)
            .text(&self.from)
            .text(&self.to)
            .address(&self.by)
    }

    fn read(scope: &Scope, mut fields: FieldReader<'_>) -> Option<Self> {
        Some(Self {
            entity: entity_at(scope, fields.number()?)?,
            from: fields.text()?.to_owned(),
            to: fields.text()?.to_owned(),
            by: fields.address(scope)?,
        })
    }
}

/// Judges a pair, a row with the relations that begin and end at it, or what is left of all.
pub(crate) fn judge(subject: &mut Subject<'_>, findings: &mut Findings<'_>) {
    let mut first: Option<Address> = None;
    let mut has_below = false;
    let mut left = Vec::new();
    while let Some(fact) = subject.next_fact() {
        match fact.rank {
            PAIR => judge_pair(subject, fact.fields(), &mut first, findings),
            BELOW => has_below = true,
            ENDS if has_below => peel(fact.fields(), findings),
            LEFT if left.len() < MOST_LEFT => {
                let bytes = encode_fact(subject.key(), &fact);
                left.extend(Edge::read(findings.scope, fact.fields()).map(|edge| (edge, bytes)));
            }
            crate::verify::LOCAL => {
                crate::verify::judge_local(subject, fact.fields(), findings);
            }
            _ => {}
        }
    }
    if !left.is_empty() {
        judge_left(subject, &left, findings);
    }
}

fn judge_pair(
    subject: &Subject<'_>,
    mut fields: FieldReader<'_>,
    first: &mut Option<Address>,
    findings: &mut Findings<'_>,
) {
    let scope = findings.scope;
    let entity = fields.number().and_then(|index| entity_at(scope, index));
    let (Some(entity), Some(address)) = (entity, fields.address(scope)) else {
        return;
    };
    let Some(first) = first else {
        *first = Some(address);
        return;
    };
    findings.push(Candidate {
        told: ViolationKind::Duplicate.into(),
        subject: subject.key().clone(),
        entity,
        message: format!("the pair is also {first}, with its ends the other way round"),
        confirmation: Confirmation::Rejudge(vec![first.clone(), address.clone()]),
        address,
        remedy: None,
    });
}

/// Keeps a relation that has another one below it for the next round.
fn peel(fields: FieldReader<'_>, findings: &mut Findings<'_>) {
    let Some(edge) = Edge::read(findings.scope, fields) else {
        return;
    };
    let scope = findings.scope;
    let relation = scope.entity(edge.entity).relation.as_ref();
    let rounds = relation.map_or(0, |relation| {
        if has_limit(scope, edge.entity, relation) {
            relation.depth
        } else {
            relation.depth.min(MOST_ROUNDS)
        }
    });
    if findings.round + 1 < rounds {
        let (from, to) = (edge.node(&edge.from), edge.node(&edge.to));
        findings.state_again((Topic::Relations, from), BELOW, &Fields::new(), true);
        findings.state_again((Topic::Relations, to), ENDS, &edge.fields(), true);
    } else {
        let all = Fields::new()
            .text("left")
            .number(edge.entity.index() as u64);
        findings.state_again((Topic::Relations, all), LEFT, &edge.fields(), true);
    }
}

fn judge_left(subject: &Subject<'_>, left: &[(Edge, Vec<u8>)], findings: &mut Findings<'_>) {
    let Some((first, _)) = left.first() else {
        return;
    };
    let scope = findings.scope;
    let Some(relation) = &scope.entity(first.entity).relation else {
        return;
    };
    let mut edges: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (edge, _) in left {
        edges
            .entry(edge.from.clone())
            .or_default()
            .insert(edge.to.clone());
    }
    let cycles: BTreeSet<String> = graph::cycles(&edges).into_iter().collect();
    let below: BTreeSet<&str> = left.iter().map(|(edge, _)| edge.to.as_str()).collect();
    let limits_depth = cycles.is_empty() && has_limit(scope, first.entity, relation);
    let mut told = BTreeSet::new();
    for (edge, _) in left {
        let name = &relation.from.value;
        let message = if cycles.contains(&edge.from) && told.insert(edge.from.clone()) {
            format!("`{name}` leads back to {}", edge.from)
        } else if limits_depth && !below.contains(edge.from.as_str()) {
            let depth = relation.depth;
            format!("the chain that begins here is longer than {depth}")
        } else {
            continue;
        };
        // The row still says what it said: whatever breaks the chain elsewhere shows the next time.
        let node = crate::verify::SubjectKey {
            topic: subject.key().topic,
            key: edge.node(&edge.to).into_bytes(),
        };
        findings.push(Candidate {
            told: ViolationKind::Cycle.into(),
            subject: node.clone(),
            entity: edge.entity,
            address: edge.by.clone(),
            message,
            confirmation: Confirmation::Unchanged {
                reads: vec![edge.by.clone()],
                facts: vec![crate::verify::encode(&node, ENDS, &edge.fields())],
            },
            remedy: None,
        });
    }
}

/// Whether writes hold the length of chains against the limit: they do where a guard leads from end to end.
fn has_limit(scope: &Scope, entity: EntityId, relation: &Relation) -> bool {
    let mut claims = scope.entity(entity).claims.iter();
    relation.serial.is_none()
        && claims.any(|claim| {
            matches!(claim.guard, Guard::Entity { .. })
                && claim.guard.claimed(scope.model()) == [relation.to.value.as_str()]
        })
}
