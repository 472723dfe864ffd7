use crate::create_table::with_global;
use crate::{accepted, refused};
use monotable_api::OperationName::CreateTable;
use serde_json::{Value, json};

fn several(elements: &[(&str, &str)]) -> Value {
    let element = |(name, role): &(&str, &str)| json!({"AttributeName": name, "KeyType": role});
    let schema: Vec<_> = elements.iter().map(element).collect();
    json!([{"IndexName": "abc", "KeySchema": schema, "Projection": {"ProjectionType": "ALL"}}])
}

#[test]
fn a_global_index_may_have_several_attributes_in_each_part_of_its_key() {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let (hash, range) = names.split_at(4);
    let hash = hash.iter().map(|name| (*name, "HASH"));
    let elements: Vec<_> = hash
        .chain(range.iter().map(|name| (*name, "RANGE")))
        .collect();
    accepted(CreateTable, with_global(&names, several(&elements)));
    accepted(
        CreateTable,
        with_global(&["a", "b"], several(&[("a", "HASH"), ("b", "HASH")])),
    );
}

#[test]
fn keys_of_several_attributes_have_rules_of_their_own() {
    let invalid = "One or more parameter values were invalid: ";
    let cases: &[(&[(&str, &str)], String)] = &[
        (
            &[
                ("a", "HASH"),
                ("b", "HASH"),
                ("c", "HASH"),
                ("d", "HASH"),
                ("e", "HASH"),
            ],
            format!(
                "{invalid}The KeySchema exceeds the maximum allowed number of HASH key attributes"
            ),
        ),
        (
            &[
                ("a", "HASH"),
                ("b", "RANGE"),
                ("c", "RANGE"),
                ("d", "RANGE"),
                ("e", "RANGE"),
                ("f", "RANGE"),
            ],
            format!(
                "{invalid}The KeySchema exceeds the maximum allowed number of RANGE key attributes"
            ),
        ),
        (
            &[("a", "HASH"), ("b", "RANGE"), ("b", "RANGE")],
            "The KeySchema contains multiple key attributes with the same name".to_owned(),
        ),
        (
            &[("a", "HASH"), ("b", "RANGE"), ("c", "HASH")],
            format!(
                "{invalid}All HASH key attributes must precede RANGE key attributes in the KeySchema"
            ),
        ),
        (
            &[("a", "HASH"), ("a", "RANGE")],
            "Both the Hash Key and the Range Key element in the KeySchema have the same name"
                .to_owned(),
        ),
        (
            &[("a", "RANGE"), ("b", "HASH")],
            "Invalid KeySchema: The first KeySchemaElement is not a HASH key type".to_owned(),
        ),
    ];
    for (elements, message) in cases {
        let mut names: Vec<&str> = elements.iter().map(|(name, _)| *name).collect();
        names.dedup();
        refused(CreateTable, with_global(&names, several(elements)), message);
    }
}
