//! What the relations of a snapshot must satisfy together.

use super::instance::RepositoryInstance;
use super::snapshot_rows::{SnapshotRows, text};
use crate::declaration::Declaration;
use crate::error::{Clash, Error};
use crate::field_error::{FieldError, Problem};
use monotable_model::model::{EntityId, Relation};
use std::collections::{BTreeMap, BTreeSet};

/// Relations of no row with itself, of a pair once, and that lead from no row back to itself.
pub(super) fn judge(
    instance: &RepositoryInstance<'_>,
    contents: &SnapshotRows<'_>,
) -> Result<(), Error> {
    let reader = instance.reader;
    for id in &instance.declared.entities {
        let Some(relation) = &reader.entity(*id).relation else {
            continue;
        };
        if !contents.differs(*id) {
            continue;
        }
        let edges = edges(relation, contents, *id);
        let is_loop = edges.iter().any(|(from, to)| to.contains(from));
        if is_loop && !relation.acyclic {
            let wanted = format!("another than `{}`", relation.from.value);
            let error = FieldError::new(&relation.to.value, Problem::Wrong { wanted });
            let error = error.by(Declaration::of_relation(reader.entity(*id)));
            return Err(reader.refused(*id, vec![error]));
        }
        let is_turned = |from: &String, to: &String| {
            let back = edges.get(to);
            back.is_some_and(|back| back.contains(from))
        };
        let mut pairs = edges
            .iter()
            .flat_map(|(from, to)| to.iter().map(move |to| (from, to)));
        if relation.symmetric && pairs.any(|(from, to)| is_turned(from, to)) {
            return Err(Error::conflict(reader.name(*id), Clash::Mirrored));
        }
        if relation.acyclic && (is_loop || !crate::graph::cycles(&edges).is_empty()) {
            return Err(Error::conflict(reader.name(*id), Clash::Cycle));
        }
    }
    Ok(())
}

fn edges(
    relation: &Relation,
    contents: &SnapshotRows<'_>,
    entity: EntityId,
) -> BTreeMap<String, BTreeSet<String>> {
    let mut edges: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for member in contents.rows(entity) {
        let values = &contents.record(member).values;
        let from = text(values, &relation.from.value);
        if let (Some(from), Some(to)) = (from, text(values, &relation.to.value)) {
            edges.entry(from).or_default().insert(to);
        }
    }
    edges
}
