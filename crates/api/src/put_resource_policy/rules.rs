//! What must hold of a policy before AWS attaches it to a table or a stream.
//!
//! The rules are IAM's, and so are the words, as far as others recorded them of DynamoDB in October 2026 (the notes of a
//! controller for Kubernetes). Whether a principal exists is not asked: there is no IAM here.

use crate::{Error, wording};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The kinds of resources that have policies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PolicyKind {
    Table,
    Stream,
}

const VERSIONS: [&str; 2] = ["2012-10-17", "2008-10-17"];
const DOCUMENT: [&str; 3] = ["Version", "Id", "Statement"];
const STATEMENT: [&str; 9] = [
    "Sid",
    "Effect",
    "Principal",
    "NotPrincipal",
    "Action",
    "NotAction",
    "Resource",
    "NotResource",
    "Condition",
];
const PRINCIPALS: [&str; 4] = ["AWS", "Service", "Federated", "CanonicalUser"];
/// The actions on streams, which a policy of a table cannot name. Those of all tables are on none.
const STREAM_ACTIONS: [&str; 3] = ["DescribeStream", "GetRecords", "GetShardIterator"];
/// The actions that policies of tables and streams can name.
const POLICY_ACTIONS: [&str; 3] = [
    "GetResourcePolicy",
    "PutResourcePolicy",
    "DeleteResourcePolicy",
];

/// What is wrong with a policy, in AWS's words behind `Invalid policy document:`.
type Flaw = String;

/// Checks a policy.
pub(super) fn check(
    members: &Map<String, Value>,
    text: &str,
    kind: PolicyKind,
) -> Result<(), Error> {
    let syntax = || wording::policy_syntax(text);
    let checked = check_document(members, kind, &syntax);
    checked.map_err(|flaw| Error::validation(wording::invalid_policy(&flaw)))?;
    if statements(members).iter().any(is_open) {
        return Err(Error::validation(wording::UNBOUNDED_POLICY));
    }
    Ok(())
}

fn statements(members: &Map<String, Value>) -> &[Value] {
    match members.get("Statement") {
        Some(Value::Array(statements)) => statements,
        Some(statement) => std::slice::from_ref(statement),
        None => &[],
    }
}

fn check_document(
    members: &Map<String, Value>,
    kind: PolicyKind,
    syntax: &dyn Fn() -> Flaw,
) -> Result<(), Flaw> {
    known(members, &DOCUMENT, syntax)?;
    match members.get("Version") {
        None => {}
        Some(Value::String(version)) if VERSIONS.contains(&version.as_str()) => {}
        Some(_) => return Err(syntax()),
    }
    if !members.contains_key("Statement") {
        return Err(syntax());
    }
    let statements = statements(members);
    if statements.is_empty() {
        return Err(wording::POLICY_WITHOUT_STATEMENTS.into());
    }
    let mut ids = BTreeSet::new();
    for statement in statements {
        let Value::Object(statement) = statement else {
            return Err(syntax());
        };
        check_statement(statement, kind, syntax)?;
        match statement.get("Sid") {
            None => {}
            Some(Value::String(id)) if ids.insert(id) => {}
            Some(Value::String(_)) => return Err(wording::REPEATED_STATEMENT_ID.into()),
            Some(_) => return Err(syntax()),
        }
    }
    Ok(())
}

fn check_statement(
    statement: &Map<String, Value>,
    kind: PolicyKind,
    syntax: &dyn Fn() -> Flaw,
) -> Result<(), Flaw> {
    known(statement, &STATEMENT, syntax)?;
    match statement.get("Effect") {
        None => return Err(wording::missing_policy_field("Effect")),
        Some(Value::String(effect)) if matches!(effect.as_str(), "Allow" | "Deny") => {}
        Some(Value::String(effect)) => return Err(wording::invalid_effect(effect)),
        Some(_) => return Err(syntax()),
    }
    check_principal(
        one_of(statement, "Principal", "NotPrincipal", syntax)?,
        syntax,
    )?;
    let actions = texts(one_of(statement, "Action", "NotAction", syntax)?, syntax)?;
    let unknown: Vec<&str> = actions
        .into_iter()
        .filter(|action| !kind.has_action(action))
        .collect();
    if !unknown.is_empty() {
        return Err(wording::invalid_actions(&unknown));
    }
    for resource in texts(
        one_of(statement, "Resource", "NotResource", syntax)?,
        syntax,
    )? {
        kind.check_resource(resource)?;
    }
    match statement.get("Condition") {
        None | Some(Value::Object(_)) => Ok(()),
        Some(_) => Err(syntax()),
    }
}

/// Refuses members that a policy does not have.
fn known(
    members: &Map<String, Value>,
    names: &[&str],
    syntax: &dyn Fn() -> Flaw,
) -> Result<(), Flaw> {
    if members.keys().all(|name| names.contains(&name.as_str())) {
        Ok(())
    } else {
        Err(syntax())
    }
}

/// The one of two members that a statement must have.
fn one_of<'p>(
    statement: &'p Map<String, Value>,
    name: &'static str,
    negated: &'static str,
    syntax: &dyn Fn() -> Flaw,
) -> Result<&'p Value, Flaw> {
    match (statement.get(name), statement.get(negated)) {
        (Some(_), Some(_)) => Err(syntax()),
        (Some(value), None) | (None, Some(value)) => Ok(value),
        (None, None) => Err(wording::missing_policy_field(name)),
    }
}

/// A text or a list of at least one.
fn texts<'p>(value: &'p Value, syntax: &dyn Fn() -> Flaw) -> Result<Vec<&'p str>, Flaw> {
    let texts: Option<Vec<&str>> = match value {
        Value::String(text) => Some(vec![text]),
        Value::Array(elements) => elements.iter().map(Value::as_str).collect(),
        _ => None,
    };
    texts.filter(|texts| !texts.is_empty()).ok_or_else(syntax)
}

fn check_principal(principal: &Value, syntax: &dyn Fn() -> Flaw) -> Result<(), Flaw> {
    match principal {
        Value::String(all) if all == "*" => Ok(()),
        Value::Object(kinds) if !kinds.is_empty() => {
            known(kinds, &PRINCIPALS, syntax)?;
            for names in kinds.values() {
                texts(names, syntax)?;
            }
            Ok(())
        }
        _ => Err(syntax()),
    }
}

/// Whether a statement allows something to everybody, whatever the circumstances are.
fn is_open(statement: &Value) -> bool {
    let is_everybody = |names: &Value| match names {
        Value::String(name) => name == "*",
        Value::Array(names) => names.iter().any(|name| name == "*"),
        _ => false,
    };
    let has_everybody = match statement.get("Principal") {
        Some(Value::Object(kinds)) => kinds.get("AWS").is_some_and(is_everybody),
        Some(principal) => is_everybody(principal),
        None => false,
    };
    let allows = statement
        .get("Effect")
        .is_some_and(|effect| effect == "Allow");
    allows && has_everybody && statement.get("Condition").is_none()
}

impl PolicyKind {
    /// Whether a policy of this kind can name an action. Patterns are not looked into.
    fn has_action(self, action: &str) -> bool {
        if action == "*" {
            return true;
        }
        let Some((service, name)) = action.split_once(':') else {
            return false;
        };
        if !service.eq_ignore_ascii_case("dynamodb") || name.is_empty() {
            return false;
        }
        let is = |known: &&str| known.eq_ignore_ascii_case(name);
        if name.contains(['*', '?']) || POLICY_ACTIONS.iter().any(is) {
            return true;
        }
        STREAM_ACTIONS.iter().any(is) == (self == Self::Stream)
    }

    /// Checks that a resource is of the kind: `table/NAME`, `table/NAME/index/NAME`, or `table/NAME/stream/LABEL`. That it
    /// is the one that has the policy is not asked.
    fn check_resource(self, resource: &str) -> Result<(), Flaw> {
        if resource == "*" {
            return Ok(());
        }
        let relative = resource.splitn(6, ':').nth(5);
        let Some(relative) = relative.filter(|_| resource.starts_with("arn:")) else {
            return Err(wording::policy_resource_is_no_arn(resource));
        };
        let mut parts = relative.split('/').skip(2);
        let is_stream = parts.next() == Some("stream");
        let fits = relative.starts_with("table/") && is_stream == (self == Self::Stream);
        if fits || relative.contains('*') {
            Ok(())
        } else {
            Err(wording::policy_resource_of_other_kind(relative, resource))
        }
    }
}
