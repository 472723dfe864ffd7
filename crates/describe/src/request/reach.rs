//! Rows that are reached from what is known of them.

use super::condition::{Asked, index_name};
use super::given::{Given, Known};
use super::pattern_request::{Operation, PatternRequest, Repeat};
use super::plan::PatternPlan;
use super::through;
use monotable_model::model::{Access, EntityId, Field, Key, KeyPlace, Model, Part, Template};
use monotable_model::span::Name;

/// A row to be read.
pub(super) struct Wanted<'m> {
    pub(super) entity: EntityId,
    pub(super) known: &'m Known,
    pub(super) purpose: String,
    pub(super) repeat: Repeat,
    /// Many rows at once.
    pub(super) batch: bool,
}

impl Wanted<'_> {
    /// The operation that gets it by its whole key.
    pub(super) const fn operation(&self) -> Operation {
        if self.batch {
            Operation::BatchGetItem
        } else {
            Operation::GetItem
        }
    }
}

/// Adds the requests that bring the rows a pattern follows.
pub(super) fn add_followed(plan: &mut PatternPlan, model: &Model, access: &Access, rows: &[usize]) {
    for name in &access.follow {
        let mut done: Vec<EntityId> = Vec::new();
        for source in &access.returns {
            let attribute = model.entity(*source).attribute(&name.value);
            let Some(reference) = attribute.and_then(|attribute| attribute.reference.as_ref())
            else {
                continue;
            };
            if done.contains(&reference.target) {
                continue;
            }
            done.push(reference.target);
            let known = referred(plan, model, *source, name, rows);
            let target = &model.entity(reference.target).name.value;
            let wanted = Wanted {
                entity: reference.target,
                known: &known,
                purpose: match reference.many {
                    true => format!(
                        "The rows of `{target}`, one for each element of `{}`.",
                        name.value
                    ),
                    false => format!("The rows of `{target}` that `{}` names.", name.value),
                },
                repeat: Repeat::EachRow { of: rows.to_vec() },
                batch: true,
            };
            add_row(plan, model, &wanted);
        }
    }
}

/// What a row that refers says of the key of the row it refers to.
pub(super) fn referred(
    plan: &mut PatternPlan,
    model: &Model,
    source: EntityId,
    name: &Name,
    rows: &[usize],
) -> Known {
    let row = model.entity(source);
    let mut known = Known::row(row, rows);
    let attribute = row.attribute(&name.value);
    let Some(target) = attribute
        .and_then(|attribute| attribute.reference.as_ref())
        .map(|reference| reference.target)
    else {
        return known;
    };
    add_head(plan, model, source, target, &mut known);
    if let Some(id) = &model.entity(target).id {
        known.set(
            id,
            Given::Read {
                requests: rows.to_vec(),
                attribute: name.value.clone(),
            },
        );
    }
    known
}

/// A reference into another repository means its head: that is read first.
fn add_head(
    plan: &mut PatternPlan,
    model: &Model,
    source: EntityId,
    target: EntityId,
    known: &mut Known,
) {
    let holds = |entity: EntityId| {
        let mut repositories = model.repositories.iter();
        repositories.find(|repository| repository.entities.contains(&entity))
    };
    let Some(repository) = holds(target) else {
        return;
    };
    if repository.entities.contains(&source) {
        return;
    }
    let head = model.entity(repository.head);
    let refers_to_log = head.attributes.iter().find(|attribute| {
        let reference = attribute.reference.as_ref();
        reference.is_some_and(|reference| reference.target == repository.log)
    });
    let wanted = Wanted {
        entity: repository.head,
        known: &known.clone(),
        purpose: format!("The head of repository `{}`.", repository.name.value),
        repeat: Repeat::Once,
        batch: false,
    };
    let found = add_row(plan, model, &wanted);
    if let Some(attribute) = refers_to_log {
        known.set(
            &repository.revision.value,
            Given::Read {
                requests: found,
                attribute: attribute.name.value.clone(),
            },
        );
    }
}

/// Adds the requests for a row: by its key, or else by the guard of its id, or else by an index.
pub(super) fn add_row(plan: &mut PatternPlan, model: &Model, wanted: &Wanted<'_>) -> Vec<usize> {
    let row = model.entity(wanted.entity);
    let table = model.table(row.table);
    let returns = [wanted.entity];
    let asked = Asked {
        model,
        table: row.table,
        returns: &returns,
        known: wanted.known,
    };
    let whole = row
        .primary()
        .filter(|key| key.templates().all(|template| wanted.known.fills(template)));
    if let Some(key) = whole {
        let mut request = PatternRequest::new(wanted.operation(), &table.physical, &wanted.purpose);
        request.repeat = wanted.repeat.clone();
        request.key = asked.whole(key);
        request.consistent = !wanted.batch;
        return vec![plan.push(request)];
    }
    let id = row
        .id
        .as_deref()
        .filter(|id| wanted.known.get(id).is_some());
    let claim = id.and_then(|_| row.id_claim(table));
    if let Some(claim) = claim.and_then(|claim| row.claims.get(claim)) {
        plan.afterwards.push(format!(
            "A row of `{}` without a guard, which something else has written, is looked up in an index.",
            row.name.value
        ));
        return through::add_guarded(plan, model, claim, wanted);
    }
    let mut request = PatternRequest::new(Operation::Query, &table.physical, &wanted.purpose);
    request.repeat = wanted.repeat.clone();
    let Some(key) = lookup(model, wanted.entity, wanted.known, row.id.as_deref()) else {
        plan.afterwards.push(format!(
            "No key leads to `{}` from what is known here.",
            row.name.value
        ));
        return Vec::new();
    };
    let condition = asked.condition(&key);
    request.index = index_name(table, key.place);
    request.key_condition = Some(condition.expression);
    request.names = condition.names;
    request.values = condition.values;
    vec![plan.push(request)]
}

/// The key by which rows can be asked for when only this is known; `must` is an attribute it has to use.
pub(super) fn lookup(
    model: &Model,
    entity: EntityId,
    known: &Known,
    must: Option<&str>,
) -> Option<Key> {
    let keys = model.entity(entity).keys.iter();
    let mut found = keys
        .filter(|key| known.fills(&key.hash))
        .map(|key| Key {
            range: key
                .range
                .as_ref()
                .and_then(|range| known_part(range, known)),
            ..key.clone()
        })
        .filter(|key| must.is_none_or(|must| key.templates().any(|part| uses(part, must))));
    found.next()
}

fn uses(template: &Template, name: &str) -> bool {
    let mut names = template.fields().flat_map(Field::attributes);
    names.any(|known| known.value == name)
}

/// As much of a sort key as is known: all of it, or a beginning.
fn known_part(range: &Template, known: &Known) -> Option<Template> {
    let count = range
        .parts
        .iter()
        .take_while(|part| match part {
            Part::Literal(_) => true,
            Part::Field(field) => known.fills_field(field),
        })
        .count();
    let parts = range.parts.get(..count)?.to_vec();
    (!parts.is_empty()).then(|| Template {
        open_end: count < range.parts.len(),
        parts,
        ..range.clone()
    })
}

/// Where rows that refer by this attribute are found: the index, or the table's own key.
pub(crate) fn finder(model: &Model, entity: EntityId, attribute: &str) -> Option<KeyPlace> {
    let mut known = Known::default();
    known.set(attribute, Given::Parameter(attribute.to_owned()));
    let row = model.entity(entity);
    let reference = row.attribute(attribute)?.reference.as_ref()?;
    // The rest of the target's key is known too, under its own names.
    let target = model.entity(reference.target);
    for name in target.key_attributes() {
        if row.attribute(name).is_some() {
            known.set(name, Given::Parameter(name.to_owned()));
        }
    }
    lookup(model, entity, &known, Some(attribute)).map(|key| key.place)
}
