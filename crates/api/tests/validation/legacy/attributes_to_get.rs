use super::*;

fn places(names: Value) -> [(OperationName, Value, &'static str); 4] {
    let members = json!({"AttributesToGet": names});
    [
        (
            GetItem,
            request(GetItem, members.clone()),
            "attributesToGet",
        ),
        (Query, query(members.clone()), "attributesToGet"),
        (Scan, request(Scan, members.clone()), "attributesToGet"),
        (
            BatchGetItem,
            json!({"RequestItems": {"abc": {"Keys": [{}], "AttributesToGet": names}}}),
            "requestItems.abc.member.attributesToGet",
        ),
    ]
}

#[test]
fn no_attribute_is_there_twice() {
    for (operation, request, _) in places(json!(["b", "a", "c", "a", "b"])) {
        refused(
            operation,
            request,
            "One or more parameter values were invalid: Duplicate value in attribute name: a",
        );
    }
    for (operation, request, _) in places(json!(["b", "a.b", "a"])) {
        accepted(operation, request);
    }
}

#[test]
fn the_list_has_a_length() {
    for (operation, request, path) in places(json!([])) {
        breaks(
            operation,
            request,
            &[&format!(
                "Value '[]' at '{path}' failed to satisfy constraint: Member must have length \
                 greater than or equal to 1"
            )],
        );
    }
    let names: Vec<String> = (0..256).map(|number| format!("a{number}")).collect();
    for (operation, request, path) in places(json!(names)) {
        breaks(
            operation,
            request,
            &[&format!(
                "Value '[{}]' at '{path}' failed to satisfy constraint: Member must have length \
                 less than or equal to 255",
                names.join(", ")
            )],
        );
    }
    for (operation, request, _) in places(json!(names[..255])) {
        accepted(operation, request);
    }
}

#[test]
fn keys_come_before_in_a_get_and_after_in_a_batch() {
    refused(
        GetItem,
        json!({"TableName": "abc", "Key": {"a": {}}, "AttributesToGet": ["a", "a"]}),
        crate::NO_TYPE,
    );
    refused(
        BatchGetItem,
        json!({"RequestItems": {"abc": {"Keys": [{"a": {}}], "AttributesToGet": ["a", "a"]}}}),
        "One or more parameter values were invalid: Duplicate value in attribute name: a",
    );
}

#[test]
fn a_selection_that_the_list_contradicts() {
    for (select, what) in [
        ("ALL_ATTRIBUTES", "ALL_ATTRIBUTES"),
        ("ALL_PROJECTED_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"),
        ("COUNT", "only the Count"),
    ] {
        let members = json!({"AttributesToGet": ["a"], "Select": select, "IndexName": "abc"});
        let words = format!("Cannot specify the AttributesToGet when choosing to get {what}");
        refused(Scan, request(Scan, members.clone()), &words);
        refused(
            Query,
            query(members),
            &format!("1 validation error detected: {words}"),
        );
    }
    let members = json!({"AttributesToGet": ["a"], "Select": "SPECIFIC_ATTRIBUTES"});
    accepted(Scan, request(Scan, members.clone()));
    accepted(Query, query(members));
}
