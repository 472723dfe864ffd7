//! What a policy says and probably does not mean.

use crate::action::ACTIONS;
use crate::condition::{Absence, Condition, Qualifier, Sense};
use crate::key::ConditionKey;
use crate::pattern::{ARN_PARTS, Pattern};
use crate::scope::Scope;
use crate::statement::{Effect, Statement};
use std::fmt;

/// Something that a policy says and probably does not mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    policy: String,
    place: String,
    problem: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "policy {}, {}: {}",
            self.policy, self.place, self.problem
        )
    }
}

/// Actions whose requests always name partition keys.
const WITH_KEYS: &[&str] = &[
    "BatchGetItem",
    "BatchWriteItem",
    "ConditionCheckItem",
    "DeleteItem",
    "GetItem",
    "PartiQLDelete",
    "PartiQLInsert",
    "PartiQLUpdate",
    "PutItem",
    "Query",
    "UpdateItem",
];

/// Actions of which one request can name several partition keys.
const WITH_SEVERAL_KEYS: &[&str] = &["BatchGetItem", "BatchWriteItem", "PartiQLSelect"];

/// Actions whose requests name no partition key, or not always, that do the most harm.
const EXAMPLES: &[&str] = &["Scan", "PartiQLSelect", "DeleteTable"];

/// Actions that return all attributes of items unless told otherwise.
const READS: &[&str] = &["BatchGetItem", "GetItem", "PartiQLSelect", "Query", "Scan"];

/// Actions that can return all of a stored item, after a success or a failed condition, without naming its attributes.
const WRITES: &[&str] = &[
    "ConditionCheckItem",
    "DeleteItem",
    "PartiQLDelete",
    "PartiQLUpdate",
    "PutItem",
    "UpdateItem",
];

pub(crate) fn find(
    policy: &str,
    index: usize,
    statement: &Statement,
    scope: &Scope,
) -> Vec<Warning> {
    let warn = |member: &str, problem: String| Warning {
        policy: policy.to_owned(),
        place: format!("Statement[{index}]{member}"),
        problem,
    };
    let mut warnings = Vec::new();
    if statement.effect == Effect::Allow {
        for condition in &statement.conditions {
            let problems = [
                empty_set(statement, condition),
                others_beside(statement, condition),
            ];
            for problem in problems.into_iter().flatten() {
                let member = format!(".Condition.{}.{}", condition.operator, condition.key);
                warnings.push(warn(&member, problem));
            }
        }
        warnings.extend(unnamed(statement).map(|problem| warn(".Condition", problem)));
        warnings.extend(unselected(statement).map(|problem| warn(".Condition", problem)));
        warnings.extend(returned(statement).map(|problem| warn(".Condition", problem)));
    } else {
        for condition in &statement.conditions {
            if let Some(problem) = undenied(statement, condition) {
                let member = format!(".Condition.{}.{}", condition.operator, condition.key);
                warnings.push(warn(&member, problem));
            }
        }
    }
    for pattern in statement.resources.patterns() {
        warnings.extend(foreign(pattern, scope).map(|problem| warn(".Resource", problem)));
    }
    warnings
}

/// `ForAllValues` and `...IfExists` hold of requests that do not have the key.
fn empty_set(statement: &Statement, condition: &Condition) -> Option<String> {
    let operator = condition.operator;
    let is_all = operator.qualifier == Some(Qualifier::ForAllValues);
    let is_key = matches!(
        condition.key,
        ConditionKey::LeadingKeys | ConditionKey::PartitionKeyValues(_)
    );
    let is_trap = is_all || (is_key && operator.absence == Absence::Accepted);
    if !is_trap || requires(statement, &condition.key) || condition.key == ConditionKey::Attributes
    {
        return None;
    }
    let names = actions_without_keys(statement);
    if is_key && names.is_empty() {
        return None;
    }
    let example = if is_key {
        format!(", as those of {}", names.join(", "))
    } else {
        String::new()
    };
    Some(format!(
        "it also holds of requests without {key}{example}, so these are allowed: add \"Null\": {{\"{key}\": \"false\"}}",
        key = condition.key
    ))
}

/// `ForAnyValue` holds of a request as soon as one of its keys is allowed, whatever the others are.
fn others_beside(statement: &Statement, condition: &Condition) -> Option<String> {
    let is_key = matches!(
        condition.key,
        ConditionKey::LeadingKeys | ConditionKey::PartitionKeyValues(_)
    );
    let is_any = condition.operator.qualifier == Some(Qualifier::ForAnyValue);
    let names = actions(statement, WITH_SEVERAL_KEYS);
    (is_key && is_any && !names.is_empty()).then(|| {
        format!(
            "it also holds of requests that have other {key} beside one of these, as those of {}, so they reach all of them: write \
             ForAllValues, and \"Null\": {{\"{key}\": \"false\"}}",
            names.join(", "),
            key = condition.key
        )
    })
}

/// Some actions of the statement whose requests name no partition key.
fn actions_without_keys(statement: &Statement) -> Vec<&'static str> {
    let examples = actions(statement, EXAMPLES);
    if !examples.is_empty() {
        return examples;
    }
    let others = actions(statement, ACTIONS).into_iter();
    let others = others.filter(|action| !WITH_KEYS.contains(action));
    others.take(EXAMPLES.len()).collect()
}

/// Whether the statement asks for the key to be there.
fn requires(statement: &Statement, key: &ConditionKey) -> bool {
    let mut conditions = statement.conditions.iter();
    conditions.any(|condition| condition.key == *key && asks_for_key(condition))
}

/// Whether a condition does not hold of requests without its key.
fn asks_for_key(condition: &Condition) -> bool {
    if condition.operator.is_null() {
        condition.is_null_false()
    } else {
        !condition.operator.holds_of_nothing()
    }
}

/// A rule about attributes holds of requests that name none, and those of whole tables are among them.
fn unnamed(statement: &Statement) -> Option<String> {
    let is_open = has_condition(statement, &ConditionKey::Attributes)
        && !statement.conditions.iter().any(requires_item);
    let others = actions(statement, ACTIONS).into_iter();
    let others = others.filter(|action| !WITH_KEYS.contains(action) && !READS.contains(action));
    let mut others: Vec<_> = others.collect();
    // What does the most harm is named first.
    others.sort_by_key(|action| !EXAMPLES.contains(action));
    others.truncate(EXAMPLES.len());
    (is_open && !others.is_empty()).then(|| {
        format!(
            "a rule about dynamodb:Attributes also holds of requests that name no attributes, as those of {}, so these are \
             allowed: list the actions on items that are meant, or add \"Null\": {{\"dynamodb:Attributes\": \"false\"}}",
            others.join(", ")
        )
    })
}

/// Whether only requests on items can satisfy a condition.
fn requires_item(condition: &Condition) -> bool {
    let is_of_items = matches!(
        condition.key,
        ConditionKey::LeadingKeys
            | ConditionKey::PartitionKeyValues(_)
            | ConditionKey::Attributes
            | ConditionKey::Select
            | ConditionKey::ReturnValues
            | ConditionKey::EnclosingOperation
            | ConditionKey::FullTableScan
    );
    is_of_items && asks_for_key(condition)
}

/// A rule about attributes says nothing about the stored item that a write returns.
fn returned(statement: &Statement) -> Option<String> {
    let writes = actions(statement, WRITES);
    let is_open = has_condition(statement, &ConditionKey::Attributes)
        && !has_condition(statement, &ConditionKey::ReturnValues)
        && !writes.is_empty();
    is_open.then(|| {
        format!(
            "dynamodb:Attributes has the attributes that a request names; {} with ReturnValues or \
             ReturnValuesOnConditionCheckFailure ALL_OLD returns all of them: add \"StringEqualsIfExists\": \
             {{\"dynamodb:ReturnValues\": [\"NONE\", \"UPDATED_OLD\", \"UPDATED_NEW\"]}}",
            writes.join(" or ")
        )
    })
}

/// A Deny of all keys but some does not hold of requests without keys, which reach all of them.
fn undenied(statement: &Statement, condition: &Condition) -> Option<String> {
    let operator = condition.operator;
    let is_key = matches!(
        condition.key,
        ConditionKey::LeadingKeys | ConditionKey::PartitionKeyValues(_)
    );
    let names = actions_without_keys(statement);
    let is_trap = is_key
        && operator.sense == Sense::Different
        && !operator.is_null()
        && !operator.holds_of_nothing()
        && !names.is_empty();
    is_trap.then(|| {
        format!(
            "it does not hold of requests without {key}, as those of {}, so these are not denied: deny them in a statement of \
             their own with \"Null\": {{\"{key}\": \"true\"}}, or allow no such action",
            names.join(", "),
            key = condition.key
        )
    })
}

fn has_condition(statement: &Statement, key: &ConditionKey) -> bool {
    let mut conditions = statement.conditions.iter();
    conditions.any(|condition| condition.key == *key)
}

/// A rule about attributes says nothing about those that a request returns without naming them.
fn unselected(statement: &Statement) -> Option<String> {
    let reads = actions(statement, READS);
    let is_open = has_condition(statement, &ConditionKey::Attributes)
        && !has_condition(statement, &ConditionKey::Select)
        && !reads.is_empty();
    is_open.then(|| {
        format!(
            "dynamodb:Attributes has the attributes that a request names; {} without a projection returns all of them: \
             add \"StringEquals\": {{\"dynamodb:Select\": \"SPECIFIC_ATTRIBUTES\"}}",
            reads.join(" or ")
        )
    })
}

fn actions(statement: &Statement, of: &[&'static str]) -> Vec<&'static str> {
    let actions = &statement.actions;
    let is_included = |name: &&&'static str| actions.includes(|pattern| pattern.matches(name));
    of.iter().filter(is_included).copied().collect()
}

/// An ARN of another region or account stands for nothing here: an Allow does nothing, and neither does a Deny.
fn foreign(pattern: &Pattern, scope: &Scope) -> Option<String> {
    let parts: Vec<_> = pattern.source().splitn(ARN_PARTS, ':').collect();
    let [_, partition, service, region, account, _] = parts.as_slice() else {
        return None;
    };
    // The ARN of a global table has no region.
    let regions = [scope.region.as_str(), ""];
    let wrong = [
        ("partition", *partition, &["aws"][..]),
        ("service", *service, &["dynamodb"]),
        ("region", *region, &regions),
        ("account", *account, &[scope.account.as_str()]),
    ];
    let is_open = |text: &str| text.contains(['*', '?', '$']);
    let (what, given, own) = wrong
        .into_iter()
        .find(|(_, given, own)| !is_open(given) && !own.contains(given) && !own.contains(&"*"))?;
    Some(format!(
        "{:?} stands for nothing here: this server's {what} is {:?}, and not {given:?}; write * for it",
        pattern.source(),
        own.first().copied().unwrap_or_default()
    ))
}
