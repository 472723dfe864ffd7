use super::*;

const OPERATORS: &str =
    "[IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]";

/// The operation, the map of conditions, and a request that has this condition in it.
fn places(condition: Value) -> [(OperationName, Value); 6] {
    let conditions = json!({"a": condition});
    [
        (Query, request(Query, json!({"KeyConditions": conditions}))),
        (Query, query(json!({"QueryFilter": conditions}))),
        (Scan, request(Scan, json!({"ScanFilter": conditions}))),
        (PutItem, request(PutItem, json!({"Expected": conditions}))),
        (
            UpdateItem,
            request(UpdateItem, json!({"Expected": conditions})),
        ),
        (
            DeleteItem,
            request(DeleteItem, json!({"Expected": conditions})),
        ),
    ]
}

fn refused_everywhere(condition: Value, message: &str) {
    for (operation, request) in places(condition) {
        refused(operation, request, message);
    }
}

fn accepted_everywhere(condition: Value) {
    for (operation, request) in places(condition) {
        accepted(operation, request);
    }
}

#[test]
fn operators_are_words_of_a_list() {
    let broken = |map: &str, word: &str| {
        format!(
            "Value '{word}' at '{map}.a.member.comparisonOperator' failed to satisfy constraint: \
             Member must satisfy enum value set: {OPERATORS}"
        )
    };
    let missing = |map: &str| {
        format!(
            "Value null at '{map}.a.member.comparisonOperator' failed to satisfy constraint: \
             Member must not be null"
        )
    };
    for (operation, member, map) in [
        (Query, "KeyConditions", "keyConditions"),
        (Query, "QueryFilter", "queryFilter"),
        (Scan, "ScanFilter", "scanFilter"),
    ] {
        let with = |condition: Value| request(operation, json!({member: {"a": condition}}));
        breaks(
            operation,
            with(comparison("eq", json!([]))),
            &[&broken(map, "eq")],
        );
        breaks(operation, with(json!({})), &[&missing(map)]);
    }
    for operation in [PutItem, UpdateItem, DeleteItem] {
        let expected = json!({"Expected": {"a": comparison("eq", json!([]))}});
        breaks(
            operation,
            request(operation, expected),
            &[&broken("expected", "eq")],
        );
    }
}

#[test]
fn operators_take_as_many_values_as_they_want() {
    let text = |count: usize| Value::Array(vec![json!({"S": "x"}); count]);
    let counts: [(&[&str], &[usize], &[usize]); 4] = [
        (
            &[
                "EQ",
                "NE",
                "LE",
                "LT",
                "GE",
                "GT",
                "CONTAINS",
                "NOT_CONTAINS",
                "BEGINS_WITH",
            ],
            &[1],
            &[0, 2],
        ),
        (&["NULL", "NOT_NULL"], &[0], &[1, 2]),
        (&["IN"], &[1, 2, 150], &[0]),
        (&["BETWEEN"], &[2], &[0, 1, 3]),
    ];
    for (operators, right, wrong) in counts {
        for operator in operators {
            for count in right {
                accepted_everywhere(comparison(operator, text(*count)));
            }
            for count in wrong {
                refused_everywhere(
                    comparison(operator, text(*count)),
                    &format!(
                        "One or more parameter values were invalid: Invalid number of argument(s) \
                         for the {operator} ComparisonOperator"
                    ),
                );
            }
        }
    }
}

#[test]
fn operators_take_values_of_some_types() {
    let values = [
        ("S", json!("x")),
        ("N", json!("1")),
        ("B", json!("AQ==")),
        ("SS", json!(["x"])),
        ("NS", json!(["1"])),
        ("BS", json!(["AQ=="])),
        ("BOOL", json!(true)),
        ("NULL", json!(true)),
        ("L", json!([])),
        ("M", json!({})),
    ];
    let all: Vec<_> = values.iter().map(|(name, _)| *name).collect();
    let taken: [(&[&str], &[&str], usize); 4] = [
        (&["EQ", "NE"], &all, 1),
        (
            &["LE", "LT", "GE", "GT", "CONTAINS", "NOT_CONTAINS", "IN"],
            &["S", "N", "B"],
            1,
        ),
        (&["BETWEEN"], &["S", "N", "B"], 2),
        (&["BEGINS_WITH"], &["S", "B"], 1),
    ];
    for (operators, types, count) in taken {
        for operator in operators {
            for (name, value) in &values {
                let list = Value::Array(vec![json!({*name: value}); count]);
                let condition = comparison(operator, list);
                if types.contains(name) {
                    accepted_everywhere(condition);
                } else {
                    refused_everywhere(
                        condition,
                        &format!(
                            "One or more parameter values were invalid: ComparisonOperator \
                             {operator} is not valid for {name} AttributeValue type"
                        ),
                    );
                }
            }
        }
    }
}

#[test]
fn values_are_of_one_type() {
    for operator in ["IN", "BETWEEN"] {
        refused_everywhere(
            comparison(operator, json!([{"S": "x"}, {"N": "1"}])),
            "One or more parameter values were invalid: AttributeValues inside \
             AttributeValueList must be of same type",
        );
    }
}

#[test]
fn bounds_are_in_order() {
    for bounds in [
        json!([{"N": "10"}, {"N": "9"}]),
        json!([{"S": "b"}, {"S": "a"}]),
    ] {
        refused_everywhere(
            comparison("BETWEEN", bounds),
            "The BETWEEN condition was provided a range where the lower bound is greater than \
             the upper bound",
        );
    }
    accepted_everywhere(comparison("BETWEEN", json!([{"N": "9"}, {"N": "9.0"}])));
}

#[test]
fn values_are_checked_before_they_are_counted() {
    refused_everywhere(comparison("NULL", json!([{}])), crate::NO_TYPE);
    refused_everywhere(
        comparison("EQ", json!([{"S": "a"}, {"N": "b"}])),
        "The parameter cannot be converted to a numeric value: b",
    );
}

#[test]
fn one_or_two_key_conditions_are_needed() {
    let condition = comparison("EQ", json!([{"S": "x"}]));
    for conditions in [
        json!({}),
        json!({"a": condition, "b": condition, "c": condition}),
    ] {
        refused(
            Query,
            request(Query, json!({"KeyConditions": conditions})),
            "Conditions can be of length 1 or 2 only",
        );
    }
    accepted(
        Query,
        request(
            Query,
            json!({"KeyConditions": {"a": condition, "b": condition}}),
        ),
    );
}

/// The first of several mistakes: filter, attributes, start key, expressions, key conditions.
#[test]
fn a_query_is_checked_in_this_order() {
    let mut request = request(
        Query,
        json!({
            "QueryFilter": {"a": comparison("EQ", json!([]))},
            "AttributesToGet": ["a", "a"],
            "ExclusiveStartKey": {"a": {}},
            "Select": "COUNT",
        }),
    );
    let mut next = |message: &str, member: &str, mended: Value| {
        refused(Query, request.clone(), message);
        request[member] = mended;
    };
    let wrong_count = "One or more parameter values were invalid: Invalid number of argument(s) \
                       for the EQ ComparisonOperator";
    next(wrong_count, "QueryFilter", json!({}));
    next(
        "One or more parameter values were invalid: Duplicate value in attribute name: a",
        "AttributesToGet",
        json!(["a"]),
    );
    next(
        &format!("The provided starting key is invalid: {}", crate::NO_TYPE),
        "ExclusiveStartKey",
        json!({"a": {"S": "x"}}),
    );
    next(
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.",
        "KeyConditions",
        json!({"a": comparison("EQ", json!([]))}),
    );
    next(
        "1 validation error detected: Cannot specify the AttributesToGet when choosing to get \
         only the Count",
        "Select",
        json!("SPECIFIC_ATTRIBUTES"),
    );
    next(
        wrong_count,
        "KeyConditions",
        json!({"a": comparison("EQ", json!([{"S": "x"}]))}),
    );
    accepted(Query, request);
}

/// A scan looks at the attributes before the filter.
#[test]
fn a_scan_is_checked_in_this_order() {
    let mut request = request(
        Scan,
        json!({
            "ScanFilter": {"a": comparison("EQ", json!([]))},
            "AttributesToGet": ["a", "a"],
            "ExclusiveStartKey": {"a": {}},
        }),
    );
    refused(
        Scan,
        request.clone(),
        "One or more parameter values were invalid: Duplicate value in attribute name: a",
    );
    request["AttributesToGet"] = json!(["a"]);
    refused(
        Scan,
        request.clone(),
        "One or more parameter values were invalid: Invalid number of argument(s) for the EQ \
         ComparisonOperator",
    );
    request["ScanFilter"] = json!({});
    refused(
        Scan,
        request,
        &format!("The provided starting key is invalid: {}", crate::NO_TYPE),
    );
}
