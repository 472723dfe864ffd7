//! Errors as JSON: the kind, the message, the declaration of the model that refused, and what each kind tells besides.

use monotable_model::model::Model;
use monotable_store::{Clash, Error, Failure, FieldError, Problem};
use serde_json::{Map, Value, json};

/// A call that makes no sense.
pub(super) fn usage(message: &str) -> Value {
    json!({ "kind": "Usage", "message": message, "unsure": false })
}

/// An error; `unsure`: the call may have been carried out, in whole or in part.
pub(super) fn describe(model: &Model, error: &Error, unsure: bool) -> Value {
    let mut told = Map::new();
    told.insert("kind".to_owned(), error.kind().name().into());
    told.insert("message".to_owned(), error.to_string().into());
    told.insert("unsure".to_owned(), unsure.into());
    tell_failure(&mut told, error.failure());
    if let Some(declaration) = find_declaration(model, error.failure()) {
        told.insert("declaration".to_owned(), declaration.into());
    }
    if let Some(why) = error.unaudited() {
        told.insert("unaudited".to_owned(), describe(model, why, false));
    }
    Value::Object(told)
}

fn tell_failure(told: &mut Map<String, Value>, failure: &Failure) {
    let mut tell = |name: &str, value: Value| {
        told.insert(name.to_owned(), value);
    };
    match failure {
        Failure::Validation { entity, errors } => {
            tell("entity", entity.as_str().into());
            tell("problems", errors.iter().map(describe_problem).collect());
        }
        Failure::NotFound {
            entity,
            key,
            deleting,
        } => {
            tell("entity", entity.as_str().into());
            tell("key", key.as_str().into());
            tell("deleting", (*deleting).into());
        }
        Failure::Conflict { entity, clash } => {
            tell("entity", entity.as_str().into());
            tell("clash", describe_clash(entity, clash));
        }
        Failure::Forbidden { entity, action } => {
            tell("entity", entity.as_str().into());
            tell("action", (*action).into());
        }
        Failure::Versioned { entity, .. } => {
            tell("entity", entity.as_str().into());
            tell("problems", Value::Array(Vec::new()));
        }
        Failure::Retryable { source } => tell("service", describe_service(source)),
        Failure::Fatal { source, hint } => {
            tell("service", describe_service(source));
            if let Some(hint) = hint {
                tell("hint", hint.as_str().into());
            }
        }
        _ => {}
    }
}

fn describe_service(source: &monotable_api::Error) -> Value {
    json!({ "name": source.code(), "message": source.message() })
}

fn describe_problem(error: &FieldError) -> Value {
    let (is, detail) = match &error.problem {
        Problem::Unknown | Problem::UnknownParameter => ("unknown", None),
        Problem::NotGiven | Problem::NoEntropy => ("set by the store", None),
        Problem::Immutable => ("immutable", None),
        Problem::Missing => ("missing", None),
        Problem::Forbidden | Problem::Reserved => ("forbidden", None),
        Problem::Wrong { wanted } | Problem::Empty { wanted } | Problem::Blank { wanted } => {
            ("wrong", Some(wanted))
        }
        Problem::Hashed | Problem::NoHash => ("wrong", None),
        Problem::Rule { name, .. } => ("rule", Some(name)),
        Problem::Key { why } => ("key", Some(why)),
    };
    let mut told = json!({
        "attribute": error.attribute,
        "is": is,
        "message": error.to_string(),
    });
    if let Value::Object(told) = &mut told {
        if let Some(detail) = detail {
            told.insert("detail".to_owned(), detail.as_str().into());
        }
        if let Some(row) = &error.row {
            told.insert("row".to_owned(), row.as_str().into());
        }
    }
    told
}

fn describe_clash(entity: &str, clash: &Clash) -> Value {
    match clash {
        Clash::Key { key } => json!({ "is": "key", "key": key }),
        Clash::Unique { claim } => json!({ "is": "unique", "claim": format!("{entity}.{claim}") }),
        Clash::Expected { attribute } => json!({ "is": "expected", "attribute": attribute }),
        Clash::Mirrored => json!({ "is": "mirrored" }),
        Clash::Cycle => json!({ "is": "cycle" }),
        Clash::TooDeep { depth } => json!({ "is": "too deep", "depth": depth }),
        Clash::InUse { by, attribute } => {
            json!({ "is": "in use", "by": by, "attribute": attribute })
        }
        Clash::Moving { name } => json!({ "is": "moving", "move": name }),
        Clash::Head { head } => match head {
            Some(head) => json!({ "is": "head", "head": head }),
            None => json!({ "is": "head" }),
        },
        Clash::Rebase { rows } => json!({ "is": "rebase", "rows": rows }),
        Clash::Contended => json!({ "is": "contended" }),
        Clash::LeftBehind => json!({ "is": "left behind" }),
        Clash::TokenMismatch { .. } => json!({ "is": "token" }),
    }
}

/// What refused, as a path into the model: `entity.User.unique.Email`. None if it was not one declaration.
fn find_declaration(model: &Model, failure: &Failure) -> Option<String> {
    let stored = |name: &str| model.entity_named(name).map(|(_, entity)| entity);
    match failure {
        Failure::Conflict {
            entity,
            clash: Clash::Unique { claim },
        } => {
            stored(entity)?;
            Some(format!("entity.{entity}.unique.{claim}"))
        }
        Failure::Conflict {
            clash: Clash::InUse { by, attribute },
            ..
        } => {
            stored(by)?;
            Some(format!("entity.{by}.attributes.{attribute}"))
        }
        Failure::Validation { entity, errors } => match errors.as_slice() {
            [
                FieldError {
                    problem: Problem::Rule { name, .. },
                    ..
                },
            ] => Some(format!("entity.{entity}.rules.{name}")),
            [FieldError { attribute, .. }] => {
                stored(entity)?.attribute(attribute)?;
                Some(format!("entity.{entity}.attributes.{attribute}"))
            }
            _ => None,
        },
        Failure::Versioned { repository, .. } => Some(format!("repository.{repository}")),
        _ => None,
    }
}
