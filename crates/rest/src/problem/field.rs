//! What is wrong with one attribute.

use crate::json::write_value;
use monotable_item::Item;
use monotable_model::model::{Kind, Model};
use monotable_store::{AnyOperation, FieldError, Problem};
use serde::Serialize;
use serde_json::value::RawValue;

/// One attribute of a problem, as JSON.
#[derive(Clone, Debug, Serialize)]
pub(super) struct FieldProblem {
    attribute: String,
    problem: &'static str,
    detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wanted: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    given: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    declaration: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    row: Option<String>,
}

/// Every word that `problem` can have.
pub(crate) const FIELD_PROBLEMS: &[&str] = &[
    "unknown",
    "not_given",
    "immutable",
    "missing",
    "forbidden",
    "wrong",
    "empty",
    "blank",
    "reserved",
    "hashed",
    "no_hash",
    "rule",
    "key",
    "no_entropy",
];

impl FieldProblem {
    /// What the store found, with what the caller gave and the declaration that refuses it.
    pub(super) fn new(model: &Model, error: &FieldError, operation: Option<&AnyOperation>) -> Self {
        let given = operation
            .filter(|_| !may_be_secret(model, &error.attribute))
            .and_then(|operation| find_given(operation)?.get(&error.attribute))
            .and_then(write_value);
        Self {
            attribute: error.attribute.clone(),
            problem: name_problem(&error.problem),
            detail: error.to_string(),
            message: error.message().map(str::to_owned),
            wanted: find_wanted(&error.problem),
            given,
            declaration: error
                .declaration
                .as_ref()
                .map(|known| known.path().to_owned()),
            row: error.row.clone(),
        }
    }
}

const fn name_problem(problem: &Problem) -> &'static str {
    match problem {
        Problem::Unknown | Problem::UnknownParameter => "unknown",
        Problem::NotGiven => "not_given",
        Problem::Immutable => "immutable",
        Problem::Missing => "missing",
        Problem::Forbidden => "forbidden",
        Problem::Wrong { .. } => "wrong",
        Problem::Empty { .. } => "empty",
        Problem::Blank { .. } => "blank",
        Problem::Reserved => "reserved",
        Problem::Hashed => "hashed",
        Problem::NoHash => "no_hash",
        Problem::Rule { .. } => "rule",
        Problem::Key { .. } => "key",
        Problem::NoEntropy => "no_entropy",
    }
}

fn find_wanted(problem: &Problem) -> Option<String> {
    match problem {
        Problem::Wrong { wanted } | Problem::Empty { wanted } | Problem::Blank { wanted } => {
            Some(wanted.clone())
        }
        Problem::Rule { meaning, .. } => Some(meaning.clone()),
        _ => None,
    }
}

/// The values that a caller gave, if the operation is about one row. Errors of operations on several rows name their row.
pub(super) fn find_given(operation: &AnyOperation) -> Option<&Item> {
    Some(match operation {
        AnyOperation::Create(create) => &create.values,
        AnyOperation::Put(put) => &put.values,
        AnyOperation::Attach(attach) => &attach.values,
        AnyOperation::Update(update) => &update.change.set,
        AnyOperation::MoveRow(moving) => &moving.set,
        AnyOperation::Query(query) => &query.parameters,
        AnyOperation::Get(get) => &get.key,
        AnyOperation::Delete(delete) => &delete.key,
        AnyOperation::Detach(detach) => &detach.key,
        _ => return None,
    })
}

/// Whether some entity keeps an attribute of this name secret: then no answer says what was given.
fn may_be_secret(model: &Model, name: &str) -> bool {
    let attributes = model.entities.iter().flat_map(|entity| &entity.attributes);
    let mut named = attributes.filter(|attribute| attribute.name.value == name);
    named.any(|attribute| {
        attribute.secret.is_some()
            || attribute.hashed.is_some()
            || matches!(attribute.kind, Kind::Token(_))
    })
}
