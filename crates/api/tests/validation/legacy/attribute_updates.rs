use super::*;

fn update(update: Value) -> Value {
    request(UpdateItem, json!({"AttributeUpdates": {"a": update}}))
}

#[track_caller]
fn refuses(given: Value, message: &str) {
    refused(
        UpdateItem,
        update(given),
        &format!("One or more parameter values were invalid: {message}"),
    );
}

/// A value of every type.
fn values() -> [(&'static str, Value); 10] {
    [
        ("S", json!("x")),
        ("N", json!("1")),
        ("B", json!("AQ==")),
        ("BOOL", json!(true)),
        ("NULL", json!(true)),
        ("M", json!({})),
        ("L", json!([])),
        ("SS", json!(["x"])),
        ("NS", json!(["1"])),
        ("BS", json!(["AQ=="])),
    ]
}

#[test]
fn only_a_delete_needs_no_value() {
    let words = "Only DELETE action is allowed when no attribute value is specified";
    refuses(json!({}), words);
    refuses(json!({"Action": "PUT"}), words);
    refuses(json!({"Action": "ADD"}), words);
    accepted(UpdateItem, update(json!({"Action": "DELETE"})));
}

#[test]
fn actions_take_values_of_some_types() {
    for (name, value) in values() {
        let given = json!({"Value": {name: value}});
        accepted(UpdateItem, update(given.clone()));
        let with = |action: &str| json!({"Action": action, "Value": given["Value"]});
        accepted(UpdateItem, update(with("PUT")));
        if ["N", "L", "SS", "NS", "BS"].contains(&name) {
            accepted(UpdateItem, update(with("ADD")));
        } else {
            let words = format!("ADD action is not supported for the type {name}");
            refuses(with("ADD"), &words);
        }
        if ["SS", "NS", "BS"].contains(&name) {
            accepted(UpdateItem, update(with("DELETE")));
        } else {
            let words = format!("DELETE action with value is not supported for the type {name}");
            refuses(with("DELETE"), &words);
        }
    }
}

/// UNCONFIRMED: dynalite takes any word; the order of the list is that of DynamoDB Local.
#[test]
fn actions_are_words_of_a_list() {
    breaks(
        UpdateItem,
        update(json!({"Action": "SET", "Value": {"S": "x"}})),
        &[
            "Value 'SET' at 'attributeUpdates.a.member.action' failed to satisfy constraint: Member \
           must satisfy enum value set: [ADD, DELETE, PUT]",
        ],
    );
}

#[test]
fn values_and_names_are_those_of_items() {
    refused(UpdateItem, update(json!({"Value": {}})), crate::NO_TYPE);
    refused(
        UpdateItem,
        update(json!({"Action": "DELETE", "Value": {"N": "x"}})),
        "The parameter cannot be converted to a numeric value: x",
    );
    let nameless = json!({"AttributeUpdates": {"": {"Value": {"S": "x"}}}});
    let put = json!({"TableName": "abc", "Item": {"": {"S": "x"}}});
    let words = crate::validate(PutItem, &put).unwrap_err();
    refused(UpdateItem, request(UpdateItem, nameless), &words.message());
}

#[test]
fn there_may_be_no_updates() {
    accepted(
        UpdateItem,
        request(UpdateItem, json!({"AttributeUpdates": {}})),
    );
}
