//! Through a claim: its guard, then the row.

use super::condition::Asked;
use super::given::{Given, Known};
use super::pattern_request::{Operation, PatternRequest, Repeat, RequestValue};
use super::plan::PatternPlan;
use super::reach::{Wanted, add_row};
use crate::model::{Assigned, Assignment, EntityId, Guard, Model, Part, Source};
use crate::span::Name;

/// Adds the two requests of a pattern through a claim: the guard, then the row.
pub(super) fn add(
    plan: &mut PatternPlan,
    model: &Model,
    owner: EntityId,
    claim: usize,
    known: &Known,
) -> Vec<usize> {
    let row = model.entity(owner);
    let Some(claim) = row.claims.get(claim) else {
        return Vec::new();
    };
    match &claim.guard {
        Guard::Row {
            key,
            attributes,
            keeps,
            ..
        } => {
            let asked = Asked {
                model,
                table: row.table,
                returns: &[owner],
                known,
            };
            let table = &model.table(row.table).physical;
            let purpose = format!("The guard row of `{}`.", claim.name.value);
            let mut request = PatternRequest::new(Operation::GetItem, table, purpose);
            request.key = asked.whole(key);
            request.consistent = true;
            let guard = plan.push(request);
            let mut found = Known::default();
            for name in attributes {
                found.set(name, known.get(name).unwrap_or_else(|| read(guard, name)));
            }
            if let Some(id) = &row.id {
                found.set(id, read(guard, id));
            }
            add_owner(plan, model, owner, &found, &Kept { guard, keeps })
        }
        Guard::Entity { entity, set, .. } => {
            let mut of_guard = known.clone();
            for assignment in set {
                of_guard.set(&assignment.name.value, given(assignment, known));
            }
            let wanted = Wanted {
                entity: *entity,
                known: &of_guard,
                purpose: format!("The row that makes `{}` unique.", claim.name.value),
                repeat: Repeat::Once,
                batch: false,
            };
            let guard = plan.next();
            add_row(plan, model, &wanted);
            let found = owner_of(model, *entity, set, known, guard);
            add_owner(plan, model, owner, &found, &Kept { guard, keeps: &[] })
        }
        Guard::Snapshot => Vec::new(),
    }
}

fn read(request: usize, attribute: &str) -> Given {
    Given::Read {
        requests: vec![request],
        attribute: attribute.to_owned(),
    }
}

fn given(assignment: &Assignment, known: &Known) -> Given {
    match &assignment.value {
        Assigned::Template(template) => known.given_by(template),
        Assigned::Flag(flag) => Given::Text(flag.to_string()),
        Assigned::Number(number) => Given::Text(number.clone()),
    }
}

/// What a guard of an entity tells of its owner: the key was asked with, the rest is read.
fn owner_of(
    model: &Model,
    guard: EntityId,
    set: &[Assignment],
    known: &Known,
    request: usize,
) -> Known {
    let of_key = model.entity(guard).key_attributes();
    let mut found = Known::default();
    for assignment in set {
        let Assigned::Template(template) = &assignment.value else {
            continue;
        };
        let [Part::Field(field)] = template.parts.as_slice() else {
            continue;
        };
        let Some(Source::Path {
            root: None, names, ..
        }) = field.sources.first()
        else {
            continue;
        };
        let Some(name) = names.last() else { continue };
        let asked = of_key.contains(&assignment.name.value.as_str());
        let given = match (asked, known.get(&name.value)) {
            (true, Some(given)) => given,
            _ => read(request, &assignment.name.value),
        };
        found.set(&name.value, given);
    }
    found
}

/// Parts of the owner's key that its guard keeps.
struct Kept<'m> {
    guard: usize,
    keeps: &'m [Name],
}

fn add_owner(
    plan: &mut PatternPlan,
    model: &Model,
    owner: EntityId,
    known: &Known,
    kept: &Kept<'_>,
) -> Vec<usize> {
    let row = model.entity(owner);
    let wanted = Wanted {
        entity: owner,
        known,
        purpose: format!("The row of `{}` that the guard names.", row.name.value),
        repeat: Repeat::Once,
        batch: false,
    };
    let table = model.table(row.table);
    let is_kept = |name: &str| kept.keeps.iter().any(|kept| kept.value == name);
    let (Some(key), false) = (row.primary(), kept.keeps.is_empty()) else {
        return add_row(plan, model, &wanted);
    };
    let asked = Asked {
        model,
        table: row.table,
        returns: &[owner],
        known,
    };
    let mut request = PatternRequest::new(Operation::GetItem, &table.physical, &wanted.purpose);
    request.key = asked.whole(key);
    for value in request.key.iter_mut().filter(|value| is_kept(&value.name)) {
        *value = RequestValue::text(
            &value.name,
            format!("<read {}: kept {}>", kept.guard, value.name),
        );
    }
    request.consistent = true;
    vec![plan.push(request)]
}
