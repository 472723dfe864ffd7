//! The calls of the matrix: those that follow from the model's declarations, and those that a fixture adds.

use super::evaluator::Evaluator;
use super::fixture::Fixture;
use super::plain::Values;
use super::state::read_whole_key;
use super::state::{Owner, Row, State};
use super::world::World;
use monotable_model::model::{Attribute, Entity, EntityId, Kind, Model, MoveKind};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// How many rows of an entity each verb is tried with.
const ROWS: usize = 3;

/// A declaration of the model, and what is done with it.
pub(crate) type Subject = (String, String);

/// One call, made by every caller.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) subject: Subject,
    /// The call as JSON.
    pub(crate) call: String,
    pub(crate) kind: CellKind,
    source: CellSource,
}

impl Cell {
    fn is_write(&self) -> bool {
        !["get", "query", "log", "show", "diff"].contains(&self.subject.0.as_str())
    }
}

/// Where a cell comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CellSource {
    Model,
    Fixture,
}

/// What a cell is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellKind {
    /// At least one caller must be answered.
    Possible,
    /// The model has no such operation: everybody is refused.
    Impossible,
}

/// The cells that a caller makes: all, or, of one that only some rules tell from another, the first few of each subject.
pub(crate) fn choose(cells: &[Cell], sample: Option<usize>) -> impl Iterator<Item = &Cell> {
    let mut counts: BTreeMap<&Subject, usize> = BTreeMap::new();
    cells.iter().filter(move |cell| {
        let count = counts.entry(&cell.subject).or_default();
        *count += 1;
        sample.is_none_or(|most| {
            cell.kind == CellKind::Possible
                && (*count <= most || cell.source == CellSource::Fixture && cell.is_write())
        })
    })
}

/// All calls of a model. Asserts that every declaration has one.
pub(crate) fn list_cells(
    fixture: &Fixture,
    world: &World,
    evaluators: &[Evaluator<'_>],
    state: &State<'_>,
) -> Vec<Cell> {
    let model = world.model();
    let mut cells = Vec::new();
    for (id, _) in model.stored() {
        add_entity(fixture, state, evaluators, id, &mut cells);
    }
    for call in &fixture.calls {
        let call = world.fill_in(call);
        let json: Value = serde_json::from_str(&call).unwrap();
        cells.push(Cell {
            subject: subject_of(model, &json),
            call,
            kind: CellKind::Possible,
            source: CellSource::Fixture,
        });
    }
    let covered: BTreeSet<&Subject> = cells.iter().map(|cell| &cell.subject).collect();
    let missing: Vec<_> = declarations(model)
        .into_iter()
        .filter(|subject| !covered.contains(subject))
        .collect();
    assert!(
        missing.is_empty(),
        "{}: no call in the fixture for {missing:?}",
        fixture.model
    );
    cells
}

/// Everything beside entities that a model declares and a fixture must call.
fn declarations(model: &Model) -> Vec<Subject> {
    let subject = |what: &str, name: &str| (what.to_owned(), name.to_owned());
    let mut all = Vec::new();
    for (_, access) in model.patterns() {
        all.push(subject("query", &access.name.value));
    }
    for known in &model.moves {
        all.push(subject("move", &known.name.value));
        if let MoveKind::To { undo, purge, .. } = &known.kind {
            all.extend(
                undo.iter()
                    .chain(purge)
                    .map(|name| subject("move", &name.value)),
            );
        }
    }
    for repository in &model.repositories {
        for verb in ["commit", "log", "show", "diff", "rollback", "revert"] {
            all.push(subject(verb, &repository.name.value));
        }
    }
    for carry in &model.carries {
        all.push(subject("carry", &carry.name.value));
    }
    all
}

/// What a call of a fixture is about: its verb and what that names.
fn subject_of(_: &Model, call: &Value) -> Subject {
    let members = call.as_object().unwrap();
    let verbs = [
        "create",
        "get",
        "update",
        "put",
        "delete",
        "attach",
        "detach",
        "move",
        "query",
        "transact",
        "commit",
        "commit_all",
        "log",
        "show",
        "diff",
        "rollback",
        "revert",
        "carry",
        "check_secret",
    ];
    let verb = verbs
        .iter()
        .find(|verb| members.contains_key(**verb))
        .unwrap();
    let name = members[*verb].as_str().unwrap_or("several");
    ((*verb).to_owned(), name.to_owned())
}

fn add_entity(
    fixture: &Fixture,
    state: &State<'_>,
    evaluators: &[Evaluator<'_>],
    id: EntityId,
    cells: &mut Vec<Cell>,
) {
    let model = state.model;
    let entity = model.entity(id);
    let name = &entity.name.value;
    let rows = choose_rows(fixture, state, evaluators, id);
    assert!(
        !rows.is_empty(),
        "{}: no row of {name} in the world of the fixture",
        fixture.model
    );
    let versioned = model.repository_of(id).is_some();
    let mut add = |verb: &str, allowed: bool, call: Value| {
        cells.push(Cell {
            subject: (verb.to_owned(), name.clone()),
            call: call.to_string(),
            kind: if allowed {
                CellKind::Possible
            } else {
                CellKind::Impossible
            },
            source: CellSource::Model,
        });
    };
    let writes = entity.writes;
    let first_key = state.read_key(rows[0]);
    let given = fixture
        .first_values(name)
        .unwrap_or_else(|| first_key.clone());
    let change = choose_change(fixture, entity);
    let relates = relates(entity);
    for row in &rows {
        let key = state.read_key(row);
        let whole = read_whole_key(entity, &row.values);
        add(
            "get",
            !has_row_template(entity),
            json!({"get": name, "key": whole}),
        );
        if writes.update && !versioned {
            add(
                "update",
                true,
                json!({"update": name, "key": key, "set": change}),
            );
        }
        if writes.delete && !versioned {
            add("delete", true, json!({"delete": name, "key": key}));
            if relates {
                add("detach", true, json!({"detach": name, "key": key}));
            }
        }
    }
    let fresh = choose_fresh(fixture, entity, &given);
    let mut replaced = given.clone();
    replaced.extend(change.clone());
    let can_create = writes.create && !versioned;
    add(
        "create",
        can_create,
        json!({"create": name, "values": fresh}),
    );
    add(
        "put",
        can_create || writes.update && !versioned,
        json!({"put": name, "values": replaced}),
    );
    add("put", can_create, json!({"put": name, "values": fresh}));
    add(
        "attach",
        can_create && relates,
        json!({"attach": name, "values": fresh}),
    );
    if !writes.update || versioned {
        add(
            "update",
            false,
            json!({"update": name, "key": first_key, "set": change}),
        );
    }
    if !writes.delete || versioned {
        add("delete", false, json!({"delete": name, "key": first_key}));
    }
    if !(relates && writes.delete) || versioned {
        add("detach", false, json!({"detach": name, "key": first_key}));
    }
}

/// A key that shows keys of other rows cannot be said by a caller.
fn has_row_template(entity: &Entity) -> bool {
    entity
        .primary()
        .is_some_and(|key| key.hash.text.contains("{row."))
}

fn relates(entity: &Entity) -> bool {
    let names = entity.key_attributes();
    let ends = entity.attributes.iter().filter(|attribute| {
        attribute.reference.is_some() && names.contains(&attribute.name.value.as_str())
    });
    entity.relation.is_some() || ends.count() > 1
}

/// Rows of the home tenant, or of all, that different callers see; the first one of each such group.
fn choose_rows<'s>(
    fixture: &Fixture,
    state: &'s State<'_>,
    evaluators: &[Evaluator<'_>],
    id: EntityId,
) -> Vec<&'s Row> {
    let mut groups: Vec<Vec<bool>> = Vec::new();
    let mut rows = Vec::new();
    let is_home = |row: &&Row| match (&row.owner, fixture.home()) {
        (Owner::Tenant(owner), Some(home)) => owner == home,
        (Owner::Unsaid, _) => false,
        _ => true,
    };
    // The row that the fixture makes first is the one that puts name.
    let given = fixture
        .first_values(&state.model.entity(id).name.value)
        .unwrap_or_default();
    let is_given = |row: &&Row| {
        let mut key = state.read_key(row).into_iter();
        key.all(|(name, value)| given.get(&name).is_none_or(|given| *given == value))
    };
    let (first, others): (Vec<&Row>, Vec<&Row>) = state
        .rows
        .iter()
        .filter(|row| row.entity == id)
        .filter(is_home)
        .partition(is_given);
    for row in first.into_iter().chain(others) {
        let group: Vec<bool> = evaluators
            .iter()
            .map(|evaluator| evaluator.sees(row))
            .collect();
        if !groups.contains(&group) && rows.len() < ROWS {
            groups.push(group);
            rows.push(row);
        }
    }
    rows
}

/// What an update sets: what the fixture says, or the first text that may change.
fn choose_change(fixture: &Fixture, entity: &Entity) -> Values {
    if let Some(change) = fixture.changes.get(&entity.name.value) {
        return change.as_object().unwrap().clone();
    }
    let key = entity.key_attributes();
    let changes = |attribute: &&Attribute| {
        matches!(attribute.kind, Kind::Text(_))
            && !key.contains(&attribute.name.value.as_str())
            && attribute.may_change()
            && !attribute.stamped
            && !attribute.internal
            && attribute.reference.is_none()
            && attribute.presence.only_if.is_none()
            && attribute.secret.is_none()
    };
    let mut values = Values::new();
    if let Some(attribute) = entity.attributes.iter().find(changes) {
        values.insert(attribute.name.value.clone(), "changed".into());
    }
    values
}

/// The values of a row that is not there yet: ids are left out where they are made, other parts of the key are longer.
fn choose_fresh(fixture: &Fixture, entity: &Entity, given: &Values) -> Values {
    let mut values = given.clone();
    if let Some(fresh) = fixture.fresh.get(&entity.name.value) {
        values.extend(fresh.as_object().unwrap().clone());
        values.retain(|_, value| !value.is_null());
        return values;
    }
    let claimed = entity.claims.iter().flat_map(|claim| match &claim.guard {
        monotable_model::model::Guard::Row { attributes, .. } => attributes.clone(),
        _ => Vec::new(),
    });
    let names: Vec<String> = entity
        .key_attributes()
        .into_iter()
        .map(str::to_owned)
        .chain(claimed)
        .collect();
    for name in names {
        let Some(attribute) = entity.attribute(&name) else {
            continue;
        };
        if attribute.generated.is_some() {
            values.remove(&name);
        } else if attribute.reference.is_none() && matches!(attribute.kind, Kind::Text(_)) {
            if let Some(Value::String(text)) = values.get_mut(&name)
                && !text.ends_with('9')
            {
                text.push('9');
            }
        } else if let Some(Value::Number(number)) = values.get_mut(&name) {
            *number = (number.as_i64().unwrap_or(0) + 100).into();
        }
    }
    values
}
