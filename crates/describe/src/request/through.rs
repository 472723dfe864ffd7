//! Through a claim: its guard, then the row.

use super::condition::Asked;
use super::given::{Given, Known};
use super::pattern_request::{PatternRequest, Repeat, RequestValue};
use super::plan::PatternPlan;
use super::reach::{Wanted, add_row};
use monotable_model::model::{Assigned, Assignment, Claim, EntityId, Guard, Model, Part, Source};
use monotable_model::span::Name;

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
        Guard::Row { .. } => {
            let wanted = Wanted {
                entity: owner,
                known,
                purpose: format!("The row of `{}` that the guard names.", row.name.value),
                repeat: Repeat::Once,
                batch: false,
            };
            add_guarded(plan, model, claim, &wanted)
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
            let wanted = Wanted {
                entity: owner,
                known: &found,
                purpose: format!("The row of `{}` that the guard names.", row.name.value),
                repeat: Repeat::Once,
                batch: false,
            };
            add_owner(plan, model, &wanted, &Kept { guard, keeps: &[] })
        }
        Guard::Snapshot => Vec::new(),
    }
}

/// Adds the two requests for rows that a guard leads to by what is known: the guards, then the rows.
pub(super) fn add_guarded(
    plan: &mut PatternPlan,
    model: &Model,
    claim: &Claim,
    wanted: &Wanted<'_>,
) -> Vec<usize> {
    let Guard::Row {
        key,
        attributes,
        keeps,
        ..
    } = &claim.guard
    else {
        return Vec::new();
    };
    let row = model.entity(wanted.entity);
    let table = model.table(row.table);
    let asked = Asked {
        model,
        table: row.table,
        returns: &[wanted.entity],
        known: wanted.known,
    };
    let purpose = format!("The guard row of `{}`.", claim.name.value);
    let mut request = PatternRequest::new(wanted.operation(), &table.physical, purpose);
    request.key = asked.whole(key);
    request.consistent = true;
    request.repeat = wanted.repeat.clone();
    let guard = plan.push(request);
    let mut found = Known::default();
    let kept = keeps.iter().filter(|name| !table.is_key(&name.value));
    for name in kept.map(|name| &name.value).chain(&row.id) {
        found.set(name, read(guard, name));
    }
    for name in attributes {
        let given = wanted.known.get(name);
        found.set(name, given.unwrap_or_else(|| read(guard, name)));
    }
    let owner = Wanted {
        known: &found,
        purpose: wanted.purpose.clone(),
        repeat: wanted.repeat.clone(),
        ..*wanted
    };
    add_owner(plan, model, &owner, &Kept { guard, keeps })
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
    wanted: &Wanted<'_>,
    kept: &Kept<'_>,
) -> Vec<usize> {
    let row = model.entity(wanted.entity);
    let table = model.table(row.table);
    let is_kept = |name: &str| kept.keeps.iter().any(|kept| kept.value == name);
    let keeps_key = kept.keeps.iter().any(|name| table.is_key(&name.value));
    let (Some(key), true) = (row.primary(), keeps_key) else {
        return add_row(plan, model, wanted);
    };
    let asked = Asked {
        model,
        table: row.table,
        returns: &[wanted.entity],
        known: wanted.known,
    };
    let mut request = PatternRequest::new(wanted.operation(), &table.physical, &wanted.purpose);
    request.key = asked.whole(key);
    for value in request.key.iter_mut().filter(|value| is_kept(&value.name)) {
        *value = RequestValue::text(
            &value.name,
            format!("<read {}: kept {}>", kept.guard, value.name),
        );
    }
    request.consistent = true;
    request.repeat = wanted.repeat.clone();
    vec![plan.push(request)]
}
