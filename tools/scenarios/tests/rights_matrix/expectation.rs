//! What a caller must be told, by the naive evaluator.

use super::cells::{Cell, CellKind};
use super::evaluator::{Evaluator, Right};
use super::judge::{self, Question};
use super::plain::{self, Values};
use super::revisions;
use super::state::{Owner, Place, Row};
use super::world::{Change, World};
use monotable_model::model::{Entity, Model};
use monotable_store::{
    AnyOperation, AnyOutput, Error, ErrorKind, Get, Options, Page, Row as Shown, Store,
};
use serde_json::Value;

/// What must come of a call.
#[derive(Debug)]
pub(crate) enum Expectation {
    /// Refused with one of these, because of rights.
    Refused(Vec<ErrorKind>),
    /// It fails for the program too. An explanation, which sends no write, need not know that.
    Failing(Vec<ErrorKind>),
    /// Refused, whatever the reason.
    RefusedSomehow,
    /// These rows, and nothing changes but what is noted.
    Rows(Vec<Shown>, Vec<Shown>),
    /// What the program is answered and does, of which the caller sees what it may read.
    Done(Vec<Change>, AnyOutput),
    /// No answer that the matrix looks into.
    Answered,
}

/// What the program is answered in the place of a caller, and what it changes.
pub(crate) struct Rehearsal {
    pub(crate) answer: Result<AnyOutput, Error>,
    pub(crate) changes: Vec<Change>,
}

/// Lets the program make a call in the caller's name.
pub(crate) async fn rehearse(
    world: &World,
    evaluator: &Evaluator<'_>,
    call: &AnyOperation,
) -> Rehearsal {
    let principal = evaluator.caller.principal.clone().unwrap_or_default();
    let program: Values = principal
        .into_iter()
        .filter(|(name, _)| {
            world
                .model()
                .principal
                .iter()
                .any(|known| known.name.value == *name)
        })
        .collect();
    let mut store: Store = world.store.as_program(plain::write_item(&program));
    if let Some(tenant) = &evaluator.caller.tenant {
        store = store.tenant(tenant);
    }
    let answer = store.run(call.clone(), Options::default()).await;
    let changes = world.take_changes();
    Rehearsal { answer, changes }
}

/// Lets the program read in the caller's tenant. Every caller of a tenant is held against the same answer.
async fn rehearse_read(
    world: &World,
    evaluator: &Evaluator<'_>,
    call: &AnyOperation,
) -> Result<AnyOutput, Error> {
    let model = world.model();
    if has_limit(model, call) {
        // The last rows of a limited page are those behind the hidden ones.
        let rows = evaluator.state.rows.iter();
        world.delete_rows(rows.filter(|row| !evaluator.sees(row)));
        return rehearse(world, evaluator, call).await.answer;
    }
    let key = (
        serde_json::to_string(call).unwrap(),
        evaluator.caller.tenant.clone(),
    );
    if let Some(answer) = world.answers.borrow().get(&key) {
        return answer.clone();
    }
    let answer = rehearse(world, evaluator, call).await.answer;
    world.answers.borrow_mut().insert(key, answer.clone());
    answer
}

/// Whether the model knows such a caller at all.
fn is_known(model: &Model, evaluator: &Evaluator<'_>) -> bool {
    let caller = evaluator.caller;
    let mut names = caller
        .principal
        .iter()
        .flat_map(|principal| principal.keys());
    names.all(|name| {
        model
            .principal
            .iter()
            .any(|known| known.name.value == *name)
    }) && (caller.tenant.is_none() || model.tenant.is_some())
        && (model.tenant.is_none() || evaluator.tenant().is_some())
}

/// Whether `[isolation]` keeps a caller away from what a call names.
fn is_outside(model: &Model, evaluator: &Evaluator<'_>, call: &str) -> bool {
    let (Some(_), Some(principal)) = (&model.isolation, &evaluator.caller.principal) else {
        return false;
    };
    let call: Value = serde_json::from_str(call).unwrap();
    let mut given = Vec::new();
    for member in ["key", "parameters", "values"] {
        given.extend(call[member].as_object());
    }
    let commits = call["commit_all"].as_array();
    given.extend(
        commits
            .into_iter()
            .flatten()
            .filter_map(|commit| commit["key"].as_object()),
    );
    model.principal.iter().any(|known| {
        let name = &known.name.value;
        let mut said = given.iter().filter_map(|given| given.get(name));
        said.any(|said| principal.get(name) != Some(said))
    })
}

/// Works out what must come of a call.
pub(crate) async fn expect(
    world: &World,
    evaluator: &Evaluator<'_>,
    cell: &Cell,
    call: &AnyOperation,
) -> Expectation {
    let model = world.model();
    if !is_known(model, evaluator) {
        return Expectation::Refused(vec![ErrorKind::Usage]);
    }
    if cell.kind == CellKind::Impossible {
        return Expectation::RefusedSomehow;
    }
    if is_outside(model, evaluator, &cell.call) {
        return Expectation::Refused(vec![ErrorKind::Forbidden]);
    }
    match call {
        AnyOperation::Get(Get { entity, key }) => {
            expect_get(world, evaluator, entity, key, call).await
        }
        AnyOperation::Query(_)
        | AnyOperation::Log(_)
        | AnyOperation::Show(_)
        | AnyOperation::Diff(_) => match rehearse_read(world, evaluator, call).await {
            Err(error) => Expectation::Failing(vec![error.kind()]),
            Ok(AnyOutput::Page(page)) if matches!(call, AnyOperation::Query(_)) => {
                expect_page(evaluator, call, page)
            }
            Ok(answer) => revisions::expect_read(evaluator, call, answer),
        },
        AnyOperation::CheckSecret(_) => Expectation::Answered,
        _ => expect_write(world, evaluator, call).await,
    }
}

fn has_limit(model: &Model, call: &AnyOperation) -> bool {
    let AnyOperation::Query(query) = call else {
        return false;
    };
    let found = model.pattern_named(&query.pattern);
    found.is_some_and(|(_, access)| access.limit.is_some())
}

async fn expect_get(
    world: &World,
    evaluator: &Evaluator<'_>,
    entity: &str,
    key: &monotable_item::Item,
    call: &AnyOperation,
) -> Expectation {
    let (id, _) = world.model().entity_named(entity).unwrap();
    let key = plain::read_item(key);
    let mut rows = evaluator
        .state
        .find(id, &key)
        .filter(|row| evaluator.is_of_tenant(row));
    match rows.next() {
        Some(row) if evaluator.sees(row) => match rehearse_read(world, evaluator, call).await {
            Ok(AnyOutput::Row(row)) => Expectation::Rows(vec![row], Vec::new()),
            other => panic!("the program cannot get {entity} {key:?}: {other:?}"),
        },
        _ => Expectation::Refused(vec![ErrorKind::NotFound]),
    }
}

/// The stored row that a row of an answer is; none if the tenant has no such row.
fn find_stored(evaluator: &Evaluator<'_>, shown: &Shown) -> Option<Row> {
    let (id, entity) = evaluator.state.model.entity_named(&shown.entity).unwrap();
    let key = key_of(entity, &plain::read_item(&shown.values));
    let mut rows = evaluator.state.find(id, &key);
    rows.find(|row| evaluator.is_of_tenant(row)).cloned()
}

/// Whether the caller sees a row that a read has shown to the program: it is stored, the tenant's, and readable.
fn sees_stored(evaluator: &Evaluator<'_>, shown: &Shown) -> bool {
    find_stored(evaluator, shown).is_some_and(|row| evaluator.sees(&row))
}

/// The stored row that a row of an answer is; the row itself if it is only about to be written.
pub(crate) fn stored_row(evaluator: &Evaluator<'_>, shown: &Shown) -> Row {
    let (id, _) = evaluator.state.model.entity_named(&shown.entity).unwrap();
    find_stored(evaluator, shown).unwrap_or_else(|| Row {
        entity: id,
        values: plain::read_item(&shown.values),
        place: Place::default(),
        owner: Owner::Everybody,
    })
}

pub(crate) fn key_of(entity: &Entity, values: &Values) -> Values {
    let names = entity.key_attributes().into_iter();
    let secret = |name: &str| {
        entity
            .attribute(name)
            .is_some_and(|attribute| attribute.secret.is_some())
    };
    names
        .filter(|name| !secret(name))
        .filter_map(|name| Some((name.to_owned(), values.get(name)?.clone())))
        .collect()
}

fn expect_page(evaluator: &Evaluator<'_>, call: &AnyOperation, page: Page) -> Expectation {
    let AnyOperation::Query(query) = call else {
        return Expectation::Answered;
    };
    let model = evaluator.state.model;
    let (_, access) = model.pattern_named(&query.pattern).unwrap();
    let all = page.rows.len();
    let rows: Vec<Shown> = page
        .rows
        .into_iter()
        .filter(|row| sees_stored(evaluator, row))
        .collect();
    if matches!(access.way, monotable_model::model::Way::Resolve(_)) && rows.len() < all {
        return Expectation::Rows(Vec::new(), Vec::new());
    }
    let is_referred = |followed: &Shown| {
        let (_, entity) = model.entity_named(&followed.entity).unwrap();
        let id = super::evaluator::id_name(entity);
        let id = followed.values.get(id);
        rows.iter().any(|row| {
            access
                .follow
                .iter()
                .any(|name| match row.values.get(&name.value) {
                    Some(monotable_item::AttributeValue::L(ids)) => {
                        ids.iter().any(|one| Some(one) == id)
                    }
                    one => one.is_some() && one == id,
                })
        })
    };
    let followed = page
        .followed
        .into_iter()
        .filter(|row| is_referred(row) && sees_stored(evaluator, row))
        .collect();
    Expectation::Rows(rows, followed)
}

async fn expect_write(
    world: &World,
    evaluator: &Evaluator<'_>,
    call: &AnyOperation,
) -> Expectation {
    // What is refused for the row that is there needs no rehearsal.
    if let Some(refusal) = refusal_of_old(evaluator, call) {
        return Expectation::Refused(vec![refusal]);
    }
    let rehearsal = rehearse(world, evaluator, call).await;
    let answer = match rehearsal.answer {
        Ok(answer) => answer,
        // Of a row that the caller does not see, nobody says what is wrong with its change.
        Err(_) if updates_hidden(evaluator, call) => {
            return Expectation::Refused(vec![ErrorKind::NotFound]);
        }
        Err(error) => return Expectation::Failing(vec![error.kind(), ErrorKind::Forbidden]),
    };
    let questions: Vec<Question> = match revisions::questions(evaluator, call, &rehearsal.changes) {
        Some(questions) => questions,
        None => judge::questions(evaluator, call, &rehearsal.changes),
    };
    let with_written = Evaluator {
        written: match call {
            AnyOperation::Transact(_) => questions
                .iter()
                .filter_map(|question| question.new.clone())
                .collect(),
            _ => Vec::new(),
        },
        ..*evaluator
    };
    let evaluator = &with_written;
    let refusals: Vec<ErrorKind> = questions
        .iter()
        .filter_map(|question| question.refusal(evaluator))
        .collect();
    if refusals.is_empty() {
        return Expectation::Done(rehearsal.changes, answer);
    }
    let named: Vec<ErrorKind> = questions
        .iter()
        .filter(|question| question.is_named)
        .filter_map(|question| question.refusal(evaluator))
        .collect();
    // The row that the caller names is decided before those that go with it.
    Expectation::Refused(if named.is_empty() { refusals } else { named })
}

/// Whether a call updates a row that the caller does not see.
fn updates_hidden(evaluator: &Evaluator<'_>, call: &AnyOperation) -> bool {
    let AnyOperation::Update(update) = call else {
        return false;
    };
    let Some((id, _)) = evaluator.state.model.entity_named(&update.entity) else {
        return false;
    };
    let key = plain::read_item(&update.key);
    let mut rows = evaluator.state.find(id, &key);
    rows.any(|row| evaluator.is_of_tenant(row) && !evaluator.sees(row))
}

/// Why a change of a row is refused, whatever it becomes; none if that depends on the rest.
fn refusal_of_old(evaluator: &Evaluator<'_>, call: &AnyOperation) -> Option<ErrorKind> {
    let (entity, key, right) = match call {
        AnyOperation::Delete(delete) => (&delete.entity, &delete.key, Right::Delete),
        AnyOperation::Detach(detach) => (&detach.entity, &detach.key, Right::Delete),
        _ => return None,
    };
    let (id, _) = evaluator.state.model.entity_named(entity)?;
    let key = plain::read_item(key);
    let mut rows = evaluator
        .state
        .find(id, &key)
        .filter(|row| evaluator.is_of_tenant(row));
    let old = rows.next()?.clone();
    if evaluator.is_written_by_another(&old) {
        return Some(ErrorKind::NotFound);
    }
    let question = Question {
        right,
        old: Some(old),
        new: None,
        is_named: true,
        is_put: false,
    };
    question.refusal(evaluator)
}
