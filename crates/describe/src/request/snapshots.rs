//! Two snapshots of a repository, to be compared.

use super::condition::Asked;
use super::given::{Given, Known};
use super::pattern_request::{Operation, PatternRequest};
use super::plan::PatternPlan;
use monotable_model::model::{Key, Model, RepositoryId};

/// Both snapshots, compared by their sort keys.
pub(super) fn add(
    plan: &mut PatternPlan,
    model: &Model,
    repository: RepositoryId,
    known: &Known,
) -> Vec<usize> {
    let repository = model.repository(repository);
    let Some(entity) = repository.entities.first() else {
        return Vec::new();
    };
    let row = model.entity(*entity);
    let Some(key) = row.primary() else {
        return Vec::new();
    };
    let partition = Key {
        range: None,
        ..key.clone()
    };
    let mut found = Vec::new();
    for revision in ["from", "to"] {
        let mut known = known.clone();
        known.set(
            &repository.revision.value,
            Given::Parameter(revision.to_owned()),
        );
        let asked = Asked {
            model,
            table: row.table,
            returns: &repository.entities,
            known: &known,
        };
        let condition = asked.condition(&partition);
        let physical = &model.table(row.table).physical;
        let purpose = format!("The snapshot of revision `{revision}`.");
        let mut request = PatternRequest::new(Operation::Query, physical, purpose);
        request.key_condition = Some(condition.expression);
        request.names = condition.names;
        request.values = condition.values;
        request.consistent = true;
        found.push(plan.push(request));
    }
    plan.afterwards.push(
        "Rows are paired by sort key: only in `to` is added, only in `from` removed, in both but unlike changed."
            .to_owned(),
    );
    found
}
