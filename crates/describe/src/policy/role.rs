//! What programs of a model may do, by the part that they have.

use super::access::{Read, list_reads};
use super::statement::{Comparison, LeadingKeys, Statement};
use super::{PolicyScope, document, iam_policy, resources, store_statement};
use monotable_model::model::{AccessId, Model};
use monotable_model::plan::Plans;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The part that a program or a caller has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// A caller with credentials of its own, who touches only the partitions that `[isolation]` gives it.
    Caller,
    /// A program that reads by access patterns: all of them, or those named.
    Reader(Vec<String>),
    /// A program that reads and writes rows by the model.
    Program,
    /// Whoever makes tables, changes their settings, copies and backs them up.
    Operator,
}

/// Why there is no policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoleError {
    /// The model does not say which partitions a caller has.
    NoIsolation,
    /// The model has no such access pattern.
    UnknownPattern(String),
}

impl fmt::Display for RoleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoIsolation => f.write_str("the model has no [isolation]"),
            Self::UnknownPattern(name) => write!(f, "the model has no access pattern `{name}`"),
        }
    }
}

const WRITES: [&str; 5] = [
    "BatchWriteItem",
    "ConditionCheckItem",
    "DeleteItem",
    "PutItem",
    "UpdateItem",
];
const READS: [&str; 4] = ["BatchGetItem", "GetItem", "Query", "Scan"];
/// What `setup`, `backup`, `restore` and `copy` ask of a table itself.
const TABLE_ACTIONS: [&str; 15] = [
    "CreateBackup",
    "CreateTable",
    "DescribeContinuousBackups",
    "DescribeExport",
    "DescribeTable",
    "DescribeTimeToLive",
    "ExportTableToPointInTime",
    "ListTagsOfResource",
    "RestoreTableFromBackup",
    "RestoreTableToPointInTime",
    "TagResource",
    "UntagResource",
    "UpdateContinuousBackups",
    "UpdateTable",
    "UpdateTimeToLive",
];
/// What `copy --follow` asks of a stream.
const STREAM_ACTIONS: [&str; 3] = ["DescribeStream", "GetRecords", "GetShardIterator"];
/// What has no table of its own to be allowed on.
const ACCOUNT_ACTIONS: [&str; 4] = ["DescribeLimits", "ListBackups", "ListStreams", "ListTables"];

/// The IAM policy of a role, as a JSON document.
///
/// # Errors
///
/// If the model declares nothing of which the policy could be made.
pub fn role_policy(
    model: &Model,
    role: &Role,
    scope: PolicyScope<'_>,
) -> Result<String, RoleError> {
    let statements = match role {
        Role::Caller => return iam_policy(model, scope).ok_or(RoleError::NoIsolation),
        Role::Reader(patterns) => reader(model, &find_patterns(model, patterns)?, scope),
        Role::Program => program(model, scope),
        Role::Operator => operator(model, scope),
    };
    Ok(document(&statements.join(",\n")))
}

fn find_patterns(model: &Model, names: &[String]) -> Result<Vec<AccessId>, RoleError> {
    if names.is_empty() {
        return Ok(model.patterns().map(|(id, _)| id).collect());
    }
    let find = |name: &String| match model.pattern_named(name) {
        Some((id, _)) => Ok(id),
        None => Err(RoleError::UnknownPattern(name.clone())),
    };
    names.iter().map(find).collect()
}

/// One statement for each table and index that is read, with the partitions that are asked for there.
fn reader(model: &Model, patterns: &[AccessId], scope: PolicyScope<'_>) -> Vec<String> {
    let mut partitions: BTreeMap<String, (BTreeSet<&str>, BTreeSet<String>)> = BTreeMap::new();
    for read in list_reads(model, &Plans::new(model), patterns) {
        let Read {
            table,
            index,
            partition,
        } = read;
        let mut resource = scope.table(&table);
        let actions: &[&str] = if index.is_some() {
            &["Query"]
        } else {
            &["BatchGetItem", "GetItem", "Query"]
        };
        if let Some(index) = index {
            resource = format!("{resource}/index/{index}");
        }
        let (allowed, keys) = partitions.entry(resource).or_default();
        allowed.extend(actions);
        keys.insert(partition);
    }
    let statements = partitions.into_iter().map(|(resource, (actions, keys))| {
        let statement = Statement {
            actions: name_actions(actions),
            resources: vec![resource],
            keys: Some(LeadingKeys {
                comparison: compare(&keys),
                keys: keys.into_iter().collect(),
            }),
        };
        statement.render()
    });
    let store = model.tables.first();
    let store = store.map(|table| store_statement(&scope.table(&table.physical)));
    statements.chain(store).collect()
}

fn compare(keys: &BTreeSet<String>) -> Comparison {
    if keys.iter().any(|key| key.contains('*')) {
        Comparison::Like
    } else {
        Comparison::Equals
    }
}

/// Rows of the tables, and nothing of the tables themselves.
fn program(model: &Model, scope: PolicyScope<'_>) -> Vec<String> {
    let actions = WRITES.iter().chain(&READS).copied().collect();
    let rows = Statement {
        actions: name_actions(actions),
        resources: resources(model, scope),
        keys: None,
    };
    let described = Statement {
        actions: name_actions(BTreeSet::from(["DescribeTable"])),
        resources: tables(model, scope),
        keys: None,
    };
    vec![rows.render(), described.render()]
}

/// Everything but deleting tables and backups.
fn operator(model: &Model, scope: PolicyScope<'_>) -> Vec<String> {
    let rows = WRITES.iter().chain(&READS).copied();
    let on_tables = tables(model, scope);
    let below = |part: &str| {
        on_tables
            .iter()
            .map(|arn| format!("{arn}/{part}/*"))
            .collect::<Vec<_>>()
    };
    let mut of_tables = resources(model, scope);
    of_tables.extend(below("backup"));
    of_tables.extend(below("export"));
    let statements = [
        (rows.chain(TABLE_ACTIONS).collect(), of_tables),
        (STREAM_ACTIONS.into(), below("stream")),
        (ACCOUNT_ACTIONS.into(), vec!["*".to_owned()]),
    ];
    let statements = statements.into_iter().map(|(actions, resources)| {
        let statement = Statement {
            actions: name_actions(actions),
            resources,
            keys: None,
        };
        statement.render()
    });
    statements.collect()
}

fn tables(model: &Model, scope: PolicyScope<'_>) -> Vec<String> {
    let tables = model.tables.iter();
    tables.map(|table| scope.table(&table.physical)).collect()
}

fn name_actions(actions: BTreeSet<&str>) -> Vec<String> {
    let actions = actions.into_iter();
    actions.map(|action| format!("dynamodb:{action}")).collect()
}
