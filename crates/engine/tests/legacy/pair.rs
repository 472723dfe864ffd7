//! A random request in both forms.

use crate::condition::{Comparison, Conditions};
use crate::substitutions::Substitutions;
use crate::value;
use fastrand::Rng;
use monotable_api::OperationName;
use serde_json::{Map, Value, json};

pub(crate) struct Pair {
    pub(crate) operation: OperationName,
    pub(crate) legacy: Value,
    pub(crate) expression: Value,
}

impl Pair {
    pub(crate) fn random(random: &mut Rng) -> Self {
        match random.u8(0..10) {
            0..2 => put(random),
            2..5 => update(random),
            5 => delete(random),
            6 => get(random),
            7 => batch_get(random),
            8 => query(random),
            _ => scan(random),
        }
    }
}

/// Adds `Expected` to the one and a condition to the other, sometimes.
fn add_condition(
    legacy: &mut Value,
    expression: &mut Value,
    substitutions: &mut Substitutions,
    random: &mut Rng,
) {
    if random.bool() {
        let conditions = Conditions::random(random);
        conditions.add_legacy("Expected", legacy, random);
        expression["ConditionExpression"] = json!(conditions.expression(substitutions));
    }
}

fn put(random: &mut Rng) -> Pair {
    let request =
        json!({"TableName": "Items", "Item": value::item(random), "ReturnValues": "ALL_OLD"});
    write(OperationName::PutItem, request, random)
}

fn delete(random: &mut Rng) -> Pair {
    let request =
        json!({"TableName": "Items", "Key": value::key(random), "ReturnValues": "ALL_OLD"});
    write(OperationName::DeleteItem, request, random)
}

fn write(operation: OperationName, request: Value, random: &mut Rng) -> Pair {
    let (mut legacy, mut expression) = (request.clone(), request);
    let mut substitutions = Substitutions::default();
    add_condition(&mut legacy, &mut expression, &mut substitutions, random);
    substitutions.add_to(&mut expression);
    Pair {
        operation,
        legacy,
        expression,
    }
}

fn update(random: &mut Rng) -> Pair {
    let returned = random.choice(["NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"]);
    let request =
        json!({"TableName": "Items", "Key": value::key(random), "ReturnValues": returned});
    let (mut legacy, mut expression) = (request.clone(), request);
    let mut substitutions = Substitutions::default();
    let mut updates = Map::new();
    let mut clauses: [(&str, Vec<String>); 4] =
        ["SET", "REMOVE", "ADD", "DELETE"].map(|clause| (clause, vec![]));
    for _ in 0..random.usize(0..4) {
        let attribute = match random.u8(0..40) {
            0 => "r",
            _ => value::attribute(random),
        };
        if updates.contains_key(attribute) {
            continue;
        }
        let (update, clause, text) = one_update(attribute, &mut substitutions, random);
        updates.insert(attribute.to_owned(), update);
        clauses[clause].1.push(text);
    }
    let clauses: Vec<String> = clauses
        .iter()
        .filter(|(_, actions)| !actions.is_empty())
        .map(|(clause, actions)| format!("{clause} {}", actions.join(", ")))
        .collect();
    legacy["AttributeUpdates"] = Value::Object(updates);
    if !clauses.is_empty() {
        expression["UpdateExpression"] = json!(clauses.join(" "));
    }
    add_condition(&mut legacy, &mut expression, &mut substitutions, random);
    substitutions.add_to(&mut expression);
    Pair {
        operation: OperationName::UpdateItem,
        legacy,
        expression,
    }
}

/// The update of one attribute, the place of its clause, and its text in that clause.
fn one_update(
    attribute: &str,
    substitutions: &mut Substitutions,
    random: &mut Rng,
) -> (Value, usize, String) {
    let name = substitutions.name(attribute);
    match random.u8(0..10) {
        0..4 => {
            let given = match attribute {
                "g" if random.u8(0..10) > 0 => value::partition(random),
                _ => value::any(random),
            };
            let text = format!("{name} = {}", substitutions.value(&given));
            let update = if random.bool() {
                json!({"Value": given})
            } else {
                json!({"Action": "PUT", "Value": given})
            };
            (update, 0, text)
        }
        4 => (json!({"Action": "DELETE"}), 1, name),
        5 => {
            let given = match random.u8(0..10) {
                0 => value::scalar(random),
                _ => value::set(random),
            };
            let text = format!("{name} {}", substitutions.value(&given));
            (json!({"Action": "DELETE", "Value": given}), 3, text)
        }
        6 => {
            let given = value::list(random);
            let empty = substitutions.value(&json!({"L": []}));
            let before = substitutions.name(attribute);
            let added = substitutions.value(&given);
            let text = format!("{name} = list_append(if_not_exists({before}, {empty}), {added})");
            (json!({"Action": "ADD", "Value": given}), 0, text)
        }
        _ => {
            let given = match random.u8(0..10) {
                0 => json!({"BOOL": true}),
                1..6 => json!({"N": "1.5"}),
                _ => value::set(random),
            };
            let text = format!("{name} {}", substitutions.value(&given));
            (json!({"Action": "ADD", "Value": given}), 2, text)
        }
    }
}

/// Adds the attributes to get to both, sometimes; rarely one of them twice, which both refuse.
fn add_attributes(
    legacy: &mut Value,
    expression: &mut Value,
    substitutions: &mut Substitutions,
    random: &mut Rng,
) {
    if random.bool() {
        return;
    }
    let mut names: Vec<&str> = ["p", "r", "a", "b", "dotted.name", "size", "none"].to_vec();
    random.shuffle(&mut names);
    names.truncate(random.usize(1..4));
    if random.u8(0..5) == 0 {
        names.push(names[0]);
    }
    let texts: Vec<String> = names.iter().map(|name| substitutions.name(name)).collect();
    legacy["AttributesToGet"] = json!(names);
    expression["ProjectionExpression"] = json!(texts.join(", "));
}

fn get(random: &mut Rng) -> Pair {
    let request = json!({"TableName": "Items", "Key": value::key(random)});
    let (mut legacy, mut expression) = (request.clone(), request);
    let mut substitutions = Substitutions::default();
    add_attributes(&mut legacy, &mut expression, &mut substitutions, random);
    substitutions.add_to(&mut expression);
    Pair {
        operation: OperationName::GetItem,
        legacy,
        expression,
    }
}

fn batch_get(random: &mut Rng) -> Pair {
    let keys: Vec<Value> = (0..3)
        .map(|number| json!({"p": value::partition(random), "r": {"N": number.to_string()}}))
        .collect();
    let request = json!({"Keys": keys});
    let (mut legacy, mut expression) = (request.clone(), request);
    let mut substitutions = Substitutions::default();
    add_attributes(&mut legacy, &mut expression, &mut substitutions, random);
    substitutions.add_to(&mut expression);
    Pair {
        operation: OperationName::BatchGetItem,
        legacy: json!({"RequestItems": {"Items": legacy}}),
        expression: json!({"RequestItems": {"Items": expression}}),
    }
}

fn scan(random: &mut Rng) -> Pair {
    let mut request = json!({"TableName": "Items"});
    if random.bool() {
        request["Limit"] = json!(random.u8(1..5));
    }
    read(OperationName::Scan, "ScanFilter", request, random)
}

fn query(random: &mut Rng) -> Pair {
    let mut request = json!({"TableName": "Items", "ScanIndexForward": random.bool()});
    if random.bool() {
        request["Limit"] = json!(random.u8(1..5));
    }
    let hash = if random.bool() {
        request["IndexName"] = json!("by-g");
        "g"
    } else {
        "p"
    };
    let mut pair = read(OperationName::Query, "QueryFilter", request, random);
    let mut conditions = vec![Comparison::new(hash, "EQ", vec![value::partition(random)])];
    match random.u8(0..12) {
        // A condition on something else than the key.
        0 => conditions.push(Comparison::new("a", "EQ", vec![value::scalar(random)])),
        // One that no key answers, of a wrong type, or on the partition key, mostly.
        1 => conditions.push(Comparison::random("r", random)),
        2 => conditions = vec![Comparison::random(hash, random)],
        3..9 => {
            let operator = random.choice(["EQ", "LT", "LE", "GT", "GE"]).unwrap();
            conditions.push(Comparison::new("r", operator, vec![value::sort(random)]));
        }
        _ => {}
    }
    let mut substitutions = Substitutions::default();
    let texts: Vec<String> = conditions
        .iter()
        .map(|condition| condition.expression(&mut substitutions))
        .collect();
    let mut legacy_conditions = Map::new();
    for condition in &conditions {
        legacy_conditions.insert(condition.attribute.to_owned(), condition.legacy());
    }
    pair.legacy["KeyConditions"] = Value::Object(legacy_conditions);
    pair.expression["KeyConditionExpression"] = json!(texts.join(" AND "));
    let mut added = json!({});
    substitutions.add_to(&mut added);
    merge(&mut pair.expression, &added, &texts);
    pair
}

/// Puts the substitutions of the key condition beside those of the filter, under names of their own.
fn merge(request: &mut Value, added: &Value, texts: &[String]) {
    let mut text = texts.join(" AND ");
    for (member, mark) in [
        ("ExpressionAttributeNames", '#'),
        ("ExpressionAttributeValues", ':'),
    ] {
        for (key, value) in added[member].as_object().into_iter().flatten() {
            let renamed = format!("{mark}k{}", &key[1..]);
            text = text.replace(key.as_str(), &renamed);
            request[member][&renamed] = value.clone();
        }
    }
    request["KeyConditionExpression"] = json!(text);
}

/// A read with a filter and attributes to get, sometimes.
fn read(operation: OperationName, filter: &str, request: Value, random: &mut Rng) -> Pair {
    let (mut legacy, mut expression) = (request.clone(), request);
    let mut substitutions = Substitutions::default();
    if random.bool() {
        let conditions = Conditions::random(random);
        conditions.add_legacy(filter, &mut legacy, random);
        expression["FilterExpression"] = json!(conditions.expression(&mut substitutions));
    }
    add_attributes(&mut legacy, &mut expression, &mut substitutions, random);
    if random.u8(0..10) == 0 {
        let select = json!(random.choice(["COUNT", "ALL_ATTRIBUTES", "SPECIFIC_ATTRIBUTES"]));
        legacy["Select"] = select.clone();
        expression["Select"] = select;
    }
    substitutions.add_to(&mut expression);
    Pair {
        operation,
        legacy,
        expression,
    }
}
