//! A random request in both notations.

use crate::condition::condition;
use crate::notation::{Notation, Text};
use crate::value;
use fastrand::Rng;
use monotable_api::OperationName;
use serde_json::{Value, json};

/// A statement, and the requests whose answers together are its answer.
pub(crate) struct Pair {
    pub(crate) kind: &'static str,
    pub(crate) statement: Value,
    pub(crate) operation: OperationName,
    pub(crate) expressions: Vec<Value>,
}

impl Pair {
    pub(crate) fn random(random: &mut Rng) -> Self {
        match random.u8(0..12) {
            0..3 => insert(random),
            3..6 => update(random),
            6 => delete(random),
            7..9 => query(random),
            9 => partitions(random),
            10 => index(random),
            _ => scan(random),
        }
    }
}

fn insert(random: &mut Rng) -> Pair {
    let mut notation = Notation::new(random);
    let item = value::item(notation.random);
    let mut members = Vec::new();
    for (name, value) in item.as_object().unwrap() {
        members.push(format!("'{name}': {}", notation.value(value).statement));
    }
    let statement = format!("INSERT INTO Items VALUE {{{}}}", members.join(", "));
    Pair {
        kind: "insert",
        statement: notation.statement(&statement),
        operation: OperationName::PutItem,
        expressions: vec![json!({
            "TableName": "Items", "Item": item, "ConditionExpression": "attribute_not_exists(p)"
        })],
    }
}

/// The key of an item as a condition: in a statement it may stand anywhere among the others.
fn where_key(key: &Value, notation: &mut Notation<'_>) -> Text {
    let equality = |name: &str, notation: &mut Notation<'_>| {
        let value = notation.value(&key[name]);
        Text::new("", format!("{name} = {}", value.statement))
    };
    let partition = equality("p", notation);
    let sort = equality("r", notation);
    partition.join("AND", &sort)
}

fn update(random: &mut Rng) -> Pair {
    let mut notation = Notation::new(random);
    let key = value::key(notation.random);
    let mut clauses: [(&str, Vec<String>); 4] =
        ["SET", "REMOVE", "ADD", "DELETE"].map(|clause| (clause, vec![]));
    let mut changes = Vec::new();
    let mut used: Vec<&str> = Vec::new();
    for _ in 0..notation.random.usize(1..4) {
        let attribute = match notation.random.u8(0..40) {
            0 => "r",
            _ => value::attribute(notation.random),
        };
        if used.contains(&attribute) {
            continue;
        }
        used.push(attribute);
        let (clause, expression, change) = one_change(attribute, &mut notation);
        clauses[clause].1.push(expression);
        changes.push(change);
    }
    let condition = if notation.random.bool() {
        // The key comes first, so that parameters are counted in order.
        let key = where_key(&key, &mut notation);
        let condition = condition(&mut notation).grouped();
        Text::new(
            format!("attribute_exists(p) AND {}", condition.expression),
            format!("{} AND {}", key.statement, condition.statement),
        )
    } else {
        let key = where_key(&key, &mut notation);
        Text::new("attribute_exists(p)", key.statement)
    };
    let (returned, returning) = notation
        .random
        .choice([
            ("NONE", ""),
            ("ALL_OLD", " RETURNING ALL OLD *"),
            ("ALL_NEW", " RETURNING ALL NEW *"),
            ("UPDATED_OLD", " RETURNING MODIFIED OLD *"),
            ("UPDATED_NEW", " RETURNING MODIFIED NEW *"),
        ])
        .unwrap();
    let statement = format!(
        "UPDATE Items {} WHERE {}{returning}",
        changes.join(" "),
        condition.statement
    );
    let clauses: Vec<String> = clauses
        .iter()
        .filter(|(_, actions)| !actions.is_empty())
        .map(|(clause, actions)| format!("{clause} {}", actions.join(", ")))
        .collect();
    let mut expression = json!({
        "TableName": "Items", "Key": key, "UpdateExpression": clauses.join(" "),
        "ConditionExpression": condition.expression, "ReturnValues": returned
    });
    let statement = notation.statement(&statement);
    add_used(notation, &mut expression);
    Pair {
        kind: "update",
        statement,
        operation: OperationName::UpdateItem,
        expressions: vec![expression],
    }
}

/// The key is written out in the request, so what stands for its values in expressions is not used.
fn add_used(notation: Notation<'_>, request: &mut Value) {
    notation.substitutions.add_to(request);
    let text = request.to_string();
    let is_used = |key: &str| {
        let uses = text.match_indices(key).filter(|(at, _)| {
            let next = text[at + key.len()..].chars().next();
            !next.is_some_and(|next| next.is_ascii_digit())
        });
        // Once where it is defined, and at least once more.
        uses.count() > 1
    };
    if let Some(values) = request["ExpressionAttributeValues"].as_object_mut() {
        values.retain(|key, _| is_used(key));
        if values.is_empty() {
            request
                .as_object_mut()
                .unwrap()
                .remove("ExpressionAttributeValues");
        }
    }
}

/// The clause of an action, the action, and the same in a statement.
fn one_change(attribute: &str, notation: &mut Notation<'_>) -> (usize, String, String) {
    let name = notation.name(attribute);
    let set = |value: &Text| {
        let assigned = name.join("=", value);
        (
            0,
            assigned.expression,
            format!("SET {}", assigned.statement),
        )
    };
    match notation.random.u8(0..8) {
        0..3 => {
            let value = match attribute {
                "g" => value::partition(notation.random),
                _ => value::any(notation.random),
            };
            let value = notation.value(&value);
            set(&value)
        }
        3 => {
            let number = value::sort(notation.random);
            let operator = notation.random.choice(["+", "-"]).unwrap();
            let value = notation.value(&number);
            set(&name.join(operator, &value))
        }
        4 => {
            let list = value::list(notation.random);
            let list = notation.value(&list);
            let arguments = name.join(",", &list);
            set(&Text::new(
                format!("list_append({})", arguments.expression),
                format!("list_append({})", arguments.statement),
            ))
        }
        5 => {
            let elements = value::set(notation.random);
            let elements = notation.value(&elements);
            let (clause, function) = notation
                .random
                .choice([(2, "set_add"), (3, "set_delete")])
                .unwrap();
            (
                clause,
                format!("{} {}", name.expression, elements.expression),
                format!(
                    "SET {0} = {function}({0}, {1})",
                    name.statement, elements.statement
                ),
            )
        }
        6 => {
            let other = notation.random.choice(["a", "b", "c"]).unwrap();
            let other = notation.name(other);
            set(&other)
        }
        _ => (
            1,
            name.expression.clone(),
            format!("REMOVE {}", name.statement),
        ),
    }
}

fn delete(random: &mut Rng) -> Pair {
    let mut notation = Notation::new(random);
    let key = value::key(notation.random);
    let where_key = where_key(&key, &mut notation);
    let mut statement = format!("DELETE FROM Items WHERE {}", where_key.statement);
    let mut expression = json!({"TableName": "Items", "Key": key, "ReturnValues": "ALL_OLD"});
    if notation.random.bool() {
        let condition = condition(&mut notation).grouped();
        statement = format!("{statement} AND {}", condition.statement);
        let condition = format!("attribute_not_exists(p) OR {}", condition.expression);
        expression["ConditionExpression"] = json!(condition);
    }
    statement.push_str(" RETURNING ALL OLD *");
    let statement = notation.statement(&statement);
    add_used(notation, &mut expression);
    Pair {
        kind: "delete",
        statement,
        operation: OperationName::DeleteItem,
        expressions: vec![expression],
    }
}

/// What a read returns, in both notations.
fn add_columns(notation: &mut Notation<'_>, expression: &mut Value) -> String {
    if notation.random.bool() {
        return "*".to_owned();
    }
    let names = [
        notation.name("a"),
        notation.name("p"),
        notation.name("size"),
    ];
    let [first, second, third] = &names;
    let list = first.join(",", second).join(",", third);
    expression["ProjectionExpression"] = json!(list.expression);
    list.statement
}

/// A condition on the sort key.
fn sort_condition(notation: &mut Notation<'_>) -> Option<Text> {
    let name = Text::new("r", "r");
    match notation.random.u8(0..4) {
        0 => None,
        1 => {
            let low = json!({"N": "1"});
            let high = json!({"N": notation.random.choice(["1", "2", "3"]).unwrap()});
            let low = notation.value(&low);
            let high = notation.value(&high);
            Some(name.join("BETWEEN", &low).join("AND", &high))
        }
        _ => {
            let operator = notation.random.choice(["=", "<", "<=", ">", ">="]).unwrap();
            let value = value::sort(notation.random);
            let value = notation.value(&value);
            let written = name.join(operator, &value);
            if notation.random.bool() {
                return Some(written);
            }
            // A statement may say it the other way round.
            let (_, flipped) = [
                ("=", "="),
                ("<", ">"),
                ("<=", ">="),
                (">", "<"),
                (">=", "<="),
            ]
            .into_iter()
            .find(|(known, _)| *known == operator)
            .unwrap();
            let statement = format!("{} {flipped} r", value.statement);
            Some(Text::new(written.expression, statement))
        }
    }
}

/// Adds what is left of a read: filter, order and limit.
fn finish_read(
    kind: &'static str,
    mut notation: Notation<'_>,
    operation: OperationName,
    columns: &str,
    from: &str,
    mut wheres: Vec<String>,
    mut expression: Value,
) -> Pair {
    if notation.random.bool() {
        let filter = condition(&mut notation).grouped();
        wheres.push(filter.statement);
        expression["FilterExpression"] = json!(filter.expression);
    }
    let mut statement = format!("SELECT {columns} FROM {from}");
    if !wheres.is_empty() {
        statement = format!("{statement} WHERE {}", wheres.join(" AND "));
    }
    if operation == OperationName::Query && notation.random.bool() {
        let descending = notation.random.bool();
        expression["ScanIndexForward"] = json!(!descending);
        let order = if descending { "DESC" } else { "ASC" };
        statement = format!("{statement} ORDER BY r {order}");
    }
    let mut request = notation.statement(&statement);
    if notation.random.bool() {
        let limit = notation.random.u8(1..4);
        request["Limit"] = json!(limit);
        expression["Limit"] = json!(limit);
    }
    request["ReturnConsumedCapacity"] = json!("INDEXES");
    expression["ReturnConsumedCapacity"] = json!("INDEXES");
    add_used(notation, &mut expression);
    Pair {
        kind,
        statement: request,
        operation,
        expressions: vec![expression],
    }
}

fn query(random: &mut Rng) -> Pair {
    let mut notation = Notation::new(random);
    let mut expression = json!({"TableName": "Items"});
    let columns = add_columns(&mut notation, &mut expression);
    let partition = value::partition(notation.random);
    let mut key = Text::new("p", "p").join("=", &notation.value(&partition));
    if let Some(sort) = sort_condition(&mut notation) {
        key = key.join("AND", &sort);
    }
    expression["KeyConditionExpression"] = json!(key.expression);
    let wheres = vec![key.statement];
    finish_read(
        "query",
        notation,
        OperationName::Query,
        &columns,
        "Items",
        wheres,
        expression,
    )
}

fn index(random: &mut Rng) -> Pair {
    let mut notation = Notation::new(random);
    let mut expression = json!({"TableName": "Items", "IndexName": "by-g"});
    let columns = add_columns(&mut notation, &mut expression);
    let partition = value::partition(notation.random);
    let key = Text::new("g", "g").join("=", &notation.value(&partition));
    expression["KeyConditionExpression"] = json!(key.expression);
    let from = "Items.\"by-g\"";
    let wheres = vec![key.statement];
    finish_read(
        "index",
        notation,
        OperationName::Query,
        &columns,
        from,
        wheres,
        expression,
    )
}

fn scan(random: &mut Rng) -> Pair {
    let mut notation = Notation::new(random);
    let mut expression = json!({"TableName": "Items"});
    let columns = add_columns(&mut notation, &mut expression);
    finish_read(
        "scan",
        notation,
        OperationName::Scan,
        &columns,
        "Items",
        vec![],
        expression,
    )
}

/// Several partitions: a query of each, in their order.
fn partitions(random: &mut Rng) -> Pair {
    let mut notation = Notation::new(random);
    let mut partitions = vec!["x", "xy", "z"];
    let left_out = notation.random.usize(0..4);
    if left_out < partitions.len() {
        partitions.remove(left_out);
    }
    let values: Vec<Text> = partitions
        .iter()
        .rev()
        .map(|partition| notation.value(&json!({"S": partition})))
        .collect();
    let list: Vec<&str> = values
        .iter()
        .map(|value| value.statement.as_str())
        .collect();
    let sort = sort_condition(&mut notation);
    let mut statement = format!("SELECT * FROM Items WHERE p IN [{}]", list.join(", "));
    let mut condition = "p = :p".to_owned();
    if let Some(sort) = sort {
        statement = format!("{statement} AND {}", sort.statement);
        condition = format!("{condition} AND {}", sort.expression);
    }
    let request = notation.statement(&statement);
    let mut template = json!({"TableName": "Items", "KeyConditionExpression": condition});
    add_used(notation, &mut template);
    let expressions = partitions.iter().map(|partition| {
        let mut expression = template.clone();
        expression["ExpressionAttributeValues"][":p"] = json!({"S": partition});
        expression
    });
    Pair {
        kind: "partitions",
        statement: request,
        operation: OperationName::Query,
        expressions: expressions.collect(),
    }
}
