//! Repositories: what a commit asks, and what a reader sees of a revision.

use super::evaluator::{Evaluator, Right};
use super::expectation::{Expectation, key_of, stored_row};
use super::judge::{Pair, Question, read_pairs};
use super::plain::{self, Values};
use super::state::Row;
use super::world::Change;
use monotable_model::model::{Assigned, EntityId, Repository};
use monotable_store::{AnyOperation, AnyOutput, At, Difference, ErrorKind, Row as Shown};
use serde_json::Value;

/// What a write to repositories asks; none for other calls.
pub(crate) fn questions(
    evaluator: &Evaluator<'_>,
    call: &AnyOperation,
    changes: &[Change],
) -> Option<Vec<Question>> {
    if !matches!(
        call,
        AnyOperation::Commit(_)
            | AnyOperation::CommitAll(_)
            | AnyOperation::Rollback(_)
            | AnyOperation::Revert(_)
            | AnyOperation::Carry(_)
    ) {
        return None;
    }
    let pairs = read_pairs(evaluator, changes);
    let mut questions = Vec::new();
    if let AnyOperation::Rollback(rollback) = call {
        questions.extend(must_see(
            evaluator,
            &rollback.repository,
            &rollback.key,
            Some(&rollback.to),
        ));
    }
    if let AnyOperation::Revert(revert) = call
        && let At::Revision(revision) = &revert.to
    {
        let seen = must_see(evaluator, &revert.repository, &revert.key, Some(revision));
        questions.extend(
            seen.into_iter()
                .filter(|question| is_log(evaluator, question)),
        );
    }
    if let AnyOperation::Carry(carry) = call {
        questions.extend(carried_questions(evaluator, &carry.name, &carry.key));
    }
    for repository in &evaluator.state.model.repositories {
        questions.extend(repository_questions(evaluator, repository, &pairs));
    }
    Some(questions)
}

fn is_log(evaluator: &Evaluator<'_>, question: &Question) -> bool {
    let mut repositories = evaluator.state.model.repositories.iter();
    let entity = question.old.as_ref().map(|row| row.entity);
    repositories.any(|known| Some(known.log) == entity)
}

fn read_question(row: &Row, is_named: bool) -> Question {
    Question {
        right: Right::Read,
        old: Some(row.clone()),
        new: None,
        is_named,
        is_put: false,
    }
}

/// Head and revision must be there for the caller.
fn must_see(
    evaluator: &Evaluator<'_>,
    repository: &str,
    key: &monotable_item::Item,
    revision: Option<&str>,
) -> Vec<Question> {
    let repository = find_repository(evaluator, repository);
    let key = plain::read_item(key);
    let head = evaluator.state.find(repository.head, &key).next();
    let log = revision.and_then(|revision| find_revision(evaluator, repository, &key, revision));
    head.into_iter()
        .chain(log)
        .map(|row| read_question(row, true))
        .collect()
}

fn find_repository<'s>(evaluator: &Evaluator<'s>, name: &str) -> &'s Repository {
    let mut all = evaluator.state.model.repositories.iter();
    all.find(|known| known.name.value == name).unwrap()
}

fn find_revision<'s>(
    evaluator: &Evaluator<'s>,
    repository: &Repository,
    key: &Values,
    revision: &str,
) -> Option<&'s Row> {
    let mut wanted = key.clone();
    wanted.insert(repository.revision.value.clone(), revision.into());
    let rows = evaluator.state.rows.iter();
    let mut rows = rows.filter(|row| row.entity == repository.log);
    rows.find(|row| {
        wanted
            .iter()
            .all(|(name, value)| row.values.get(name) == Some(value))
    })
}

/// What goes from one repository to another must be readable, all of it.
fn carried_questions(
    evaluator: &Evaluator<'_>,
    name: &str,
    key: &monotable_item::Item,
) -> Vec<Question> {
    let model = evaluator.state.model;
    let carry = model
        .carries
        .iter()
        .find(|known| known.name.value == name)
        .unwrap();
    let from = model.repository(carry.from);
    let key = plain::read_item(key);
    let Some(head) = evaluator.state.find(from.head, &key).next() else {
        return Vec::new();
    };
    let mut questions = vec![read_question(head, true)];
    let rows = snapshot(evaluator, from, head);
    let rows = rows.into_iter().filter(|row| row.entity == carry.of);
    questions.extend(rows.map(|row| read_question(row, false)));
    questions
}

/// The rows of the revision that a head names.
fn snapshot<'s>(evaluator: &Evaluator<'s>, repository: &Repository, head: &Row) -> Vec<&'s Row> {
    let model = evaluator.state.model;
    let revision = head
        .values
        .get(&repository.pointer.value)
        .cloned()
        .unwrap_or(Value::Null);
    let mut wanted = key_of(model.entity(repository.head), &head.values);
    wanted.insert(repository.revision.value.clone(), revision);
    let rows = evaluator.state.rows.iter();
    rows.filter(|row| repository.entities.contains(&row.entity))
        .filter(|row| {
            wanted
                .iter()
                .all(|(name, value)| row.values.get(name) == Some(value))
        })
        .collect()
}

fn repository_questions(
    evaluator: &Evaluator<'_>,
    repository: &Repository,
    pairs: &[Pair],
) -> Vec<Question> {
    let is_of = |id: EntityId| {
        move |pair: &&Pair| {
            pair.old
                .as_ref()
                .or(pair.new.as_ref())
                .is_some_and(|row| row.entity == id)
        }
    };
    let mut questions = Vec::new();
    let head = pairs.iter().find(is_of(repository.head));
    for pair in head
        .into_iter()
        .chain(pairs.iter().find(is_of(repository.log)))
    {
        questions.push(Question {
            right: if pair.old.is_some() {
                Right::Update
            } else {
                Right::Create
            },
            old: pair.old.clone(),
            new: pair.new.clone(),
            is_named: true,
            is_put: false,
        });
    }
    let new: Vec<&Row> = pairs
        .iter()
        .filter_map(|pair| pair.new.as_ref())
        .filter(|row| repository.entities.contains(&row.entity))
        .collect();
    if new.is_empty() {
        return questions;
    }
    let old = head.and_then(|pair| pair.old.as_ref());
    let old = old
        .map(|head| snapshot(evaluator, repository, head))
        .unwrap_or_default();
    questions.extend(snapshot_questions(evaluator, repository, &old, &new));
    questions
}

/// Rows that differ between two snapshots, by what tells them apart in every revision.
fn snapshot_questions(
    evaluator: &Evaluator<'_>,
    repository: &Repository,
    old: &[&Row],
    new: &[&Row],
) -> Vec<Question> {
    let is_same = |one: &Row, other: &Row| {
        one.entity == other.entity
            && identity(evaluator, repository, one) == identity(evaluator, repository, other)
    };
    let mut questions = Vec::new();
    for row in old {
        let now = new.iter().find(|other| is_same(row, other));
        let is_unchanged = now.is_some_and(|now| {
            content(evaluator, repository, row) == content(evaluator, repository, now)
        });
        if is_unchanged {
            continue;
        }
        let buried = |row: &Row| has_tombstone(evaluator, row);
        let right = match now {
            None => Right::Delete,
            Some(now) if buried(now) && !buried(row) => Right::Delete,
            Some(_) => Right::Update,
        };
        questions.push(Question {
            right,
            old: Some((*row).clone()),
            new: now.map(|row| (*row).clone()),
            is_named: true,
            is_put: false,
        });
    }
    for row in new
        .iter()
        .filter(|row| !old.iter().any(|other| is_same(row, other)))
    {
        questions.push(Question {
            right: Right::Create,
            old: None,
            new: Some((*row).clone()),
            is_named: true,
            is_put: false,
        });
    }
    questions
}

fn identity(evaluator: &Evaluator<'_>, repository: &Repository, row: &Row) -> Values {
    let entity = evaluator.state.model.entity(row.entity);
    let mut key = key_of(entity, &row.values);
    key.remove(&repository.revision.value);
    let generated = key.keys().find(|name| {
        entity
            .attribute(name)
            .is_some_and(|attribute| attribute.generated.is_some())
    });
    if let Some(name) = generated.cloned() {
        key.retain(|other, _| *other == name);
    }
    key.retain(|name, _| {
        entity
            .attribute(name)
            .is_some_and(|attribute| attribute.position.is_none())
    });
    key
}

/// What a row says by itself: not its revision, its place in an order, or what follows from other rows.
fn content(evaluator: &Evaluator<'_>, repository: &Repository, row: &Row) -> Values {
    let entity = evaluator.state.model.entity(row.entity);
    let mut values = row.values.clone();
    values.retain(|name, _| {
        *name != repository.revision.value
            && entity.attribute(name).is_none_or(|attribute| {
                attribute.position.is_none()
                    && attribute.computed.is_none()
                    && attribute.top.is_none()
            })
    });
    values
}

fn has_tombstone(evaluator: &Evaluator<'_>, row: &Row) -> bool {
    let tombstone = evaluator.state.model.entity(row.entity).tombstone.first();
    tombstone.is_some_and(|known| match &known.value {
        Assigned::Flag(flag) => row.values.get(&known.name.value) == Some(&Value::Bool(*flag)),
        _ => row.values.contains_key(&known.name.value),
    })
}

/// What a caller sees of a log, a snapshot or a difference.
pub(crate) fn expect_read(
    evaluator: &Evaluator<'_>,
    call: &AnyOperation,
    answer: AnyOutput,
) -> Expectation {
    let sees = |row: &Shown| evaluator.sees(&stored_row(evaluator, row));
    let gates = match call {
        AnyOperation::Show(show) => gates_of(evaluator, &show.repository, &show.key, &[&show.at]),
        AnyOperation::Diff(diff) => gates_of(
            evaluator,
            &diff.repository,
            &diff.key,
            &[&diff.from, &diff.to],
        ),
        AnyOperation::Query(query) => diff_gates(evaluator, query),
        _ => Vec::new(),
    };
    if gates.iter().any(|row| !evaluator.sees(row)) {
        return Expectation::Refused(vec![ErrorKind::NotFound]);
    }
    match answer {
        AnyOutput::Page(page) => Expectation::Rows(
            page.rows.into_iter().filter(sees).collect(),
            page.followed.into_iter().filter(sees).collect(),
        ),
        AnyOutput::Snapshot(snapshot) => {
            Expectation::Rows(snapshot.rows.into_iter().filter(sees).collect(), Vec::new())
        }
        AnyOutput::Differences(differences) => {
            let rows = differences
                .rows
                .into_iter()
                .map(|difference| rows_of(&difference));
            let rows = rows.filter(|rows| rows.iter().all(sees)).flatten();
            Expectation::Rows(rows.collect(), Vec::new())
        }
        other => panic!("{other:?}"),
    }
}

/// The rows of a difference.
pub(crate) fn rows_of(difference: &Difference) -> Vec<Shown> {
    match difference {
        Difference::Added(row) | Difference::Removed(row) => vec![row.clone()],
        Difference::Moved { before, after } | Difference::Changed { before, after, .. } => {
            vec![before.clone(), after.clone()]
        }
    }
}

/// The rows that must be visible for a revision to be there: the head, or the row of the log.
fn gates_of<'s>(
    evaluator: &Evaluator<'s>,
    repository: &str,
    key: &monotable_item::Item,
    ats: &[&At],
) -> Vec<&'s Row> {
    let repository = find_repository(evaluator, repository);
    let key = plain::read_item(key);
    let gates = ats.iter().filter_map(|at| match at {
        At::Head => {
            let rows = evaluator.state.rows.iter();
            let mut rows = rows.filter(|row| row.entity == repository.head);
            rows.find(|row| {
                key.iter()
                    .all(|(name, value)| row.values.get(name) == Some(value))
            })
        }
        At::Revision(revision) => find_revision(evaluator, repository, &key, revision),
        At::Time(_) => None,
    });
    gates.collect()
}

fn diff_gates<'s>(evaluator: &Evaluator<'s>, query: &monotable_store::Query) -> Vec<&'s Row> {
    let model = evaluator.state.model;
    let (_, access) = model.pattern_named(&query.pattern).unwrap();
    let monotable_model::model::Way::Diff(repository) = access.way else {
        return Vec::new();
    };
    let mut key = query.parameters.clone();
    let ends: Vec<At> = ["from", "to"]
        .iter()
        .filter_map(|end| match key.remove(end) {
            Some(monotable_item::AttributeValue::S(revision)) => Some(At::Revision(revision)),
            _ => None,
        })
        .collect();
    let ends: Vec<&At> = ends.iter().collect();
    gates_of(
        evaluator,
        &model.repository(repository).name.value,
        &key,
        &ends,
    )
}
