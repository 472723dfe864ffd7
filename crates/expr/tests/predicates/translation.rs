//! What DynamoDB gets to see.

use monotable_expr::predicate::{
    ConditionText, Meaning, Path, Predicate, Root, TranslateError, Translation,
};
use monotable_item::{AttributeValue, Item};
use std::collections::BTreeMap;

/// The caller has an id, a flag and no name; `old` and `new` are the item; nobody knows the settings.
fn meaning(path: &Path) -> Meaning {
    match (path.root(), path.first_name()) {
        (Some(Root::Principal), Some("id")) => Meaning::Value("u1".into()),
        (Some(Root::Principal), Some("flag")) => Meaning::Value(true.into()),
        (Some(Root::Principal), Some("roles")) => {
            Meaning::Value(AttributeValue::L(vec!["admin".into()]))
        }
        (Some(Root::Principal), _) => Meaning::Absent,
        (Some(Root::Now), _) => Meaning::from(Some(99)),
        (None | Some(Root::Old), _) => Meaning::attribute(path),
        _ => Meaning::Unknown,
    }
}

fn translate(text: &str) -> Result<Translation, TranslateError> {
    Predicate::parse(text).unwrap().to_condition(meaning)
}

fn condition(text: &str) -> ConditionText {
    match translate(text) {
        Ok(Translation::Condition(condition)) => *condition,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn names_and_values_become_placeholders() {
    let translated =
        condition("status = 'it''s' AND a.status[1] < now OR contains(old.`md#x`, principal.id)");
    assert_eq!(
        translated.text,
        "#n0 = :v0 AND #n1.#n0[1] < :v1 OR contains(#n2, :v2)"
    );
    let names = [("#n0", "status"), ("#n1", "a"), ("#n2", "md#x")];
    let names: BTreeMap<_, _> = names
        .map(|(key, name)| (key.to_owned(), name.to_owned()))
        .into();
    assert_eq!(translated.names, names);
    let values = Item::new()
        .with(":v0", "it's")
        .with(":v1", 99)
        .with(":v2", "u1");
    assert_eq!(translated.values, values);
}

#[test]
fn every_construct_has_a_text() {
    for (text, expected) in [
        ("a <> 1", "#n0 <> :v0"),
        ("a IN (1, b)", "#n0 IN (:v0, #n1)"),
        ("a BETWEEN 1 AND 2", "#n0 BETWEEN :v0 AND :v1"),
        ("attribute_exists(a)", "attribute_exists(#n0)"),
        ("attribute_not_exists(a)", "attribute_not_exists(#n0)"),
        ("attribute_type(a, 'S')", "attribute_type(#n0, :v0)"),
        ("begins_with(a, 'x')", "begins_with(#n0, :v0)"),
        ("size(a) > 1", "size(#n0) > :v0"),
        ("NOT (a = 1 OR b = 2)", "NOT (#n0 = :v0 OR #n1 = :v1)"),
        (
            "(a = 1 OR b = 2) AND c = 3",
            "(#n0 = :v0 OR #n1 = :v1) AND #n2 = :v2",
        ),
    ] {
        assert_eq!(condition(text).text, expected, "{text}");
    }
}

#[test]
fn what_does_not_read_the_item_is_decided() {
    for (text, value) in [
        ("contains(principal.roles, 'admin')", true),
        ("contains(principal.roles, 'x')", false),
        ("a = 1 OR contains(principal.roles, 'admin')", true),
        ("a = 1 AND principal.id = 'u2'", false),
        ("NOT principal.id = 'u1'", false),
        ("attribute_exists(principal.id)", true),
        ("attribute_not_exists(principal.id)", false),
        ("attribute_exists(principal.name)", false),
        ("attribute_not_exists(principal.name)", true),
        ("attribute_type(principal.flag, 'BOOL')", true),
        ("size(principal.id) = 2", true),
        ("'x' = 'x'", true),
        // Absent values.
        ("a = principal.name", false),
        ("a <> principal.name", true),
        ("a BETWEEN principal.name AND 5", false),
        ("principal.name IN (a, 'x')", false),
        ("a IN (principal.name)", false),
        ("size(principal.name) < a", false),
        ("size(now) = a", false),
        // Values that AWS refuses there and that nothing satisfies.
        ("a < principal.flag", false),
        ("begins_with(a, now)", false),
        ("a BETWEEN principal.id AND now", false),
        ("a BETWEEN now AND 5", false),
    ] {
        assert_eq!(translate(text), Ok(Translation::Always(value)), "{text}");
    }
}

#[test]
fn what_is_decided_leaves_the_rest() {
    for (text, expected) in [
        ("a = 1 AND principal.id = 'u1'", "#n0 = :v0"),
        (
            "a = 1 OR principal.id = 'u2' OR b = 2",
            "#n0 = :v0 OR #n1 = :v1",
        ),
        ("NOT (a = 1 AND principal.id = 'u1')", "NOT #n0 = :v0"),
        (
            "(principal.id = 'u2' OR a = 1 OR b = 1) AND c = 1",
            "(#n0 = :v0 OR #n1 = :v1) AND #n2 = :v2",
        ),
        ("a IN (principal.name, 'x')", "#n0 IN (:v0)"),
        ("a = size(principal.id)", "#n0 = :v0"),
    ] {
        assert_eq!(condition(text).text, expected, "{text}");
    }
}

#[test]
fn a_path_that_nobody_knows_is_named() {
    for text in [
        "a = setting.limit[0]",
        "attribute_exists(setting.limit[0])",
        "a = 1 OR principal.id = 'u1' OR size(setting.limit[0]) = 1",
    ] {
        let error = translate(text).unwrap_err();
        assert_eq!(error.to_string(), "setting.limit[0] has no value");
        let TranslateError::NoValue { path } = error else {
            panic!("{text}");
        };
        assert_eq!(&text[path.span().range()], "setting.limit[0]");
    }
    assert_eq!(Meaning::from(None::<String>), Meaning::Unknown);
}

#[test]
fn what_aws_refuses_is_refused() {
    assert_eq!(
        translate("a = old.a").unwrap_err().to_string(),
        "Invalid ConditionExpression: The first operand must be distinct from the remaining operands \
         for this operator or function; operator: =, first operand: [a]"
    );
    let long: Vec<_> = (0..290)
        .map(|i| format!("attribute_not_exists(a{i})"))
        .collect();
    let parts = long.chunks(145).map(|part| part.join(" AND "));
    let joined = parts
        .map(|text| Predicate::parse(&text).unwrap())
        .reduce(Predicate::and);
    let error = joined
        .unwrap()
        .to_condition(Meaning::attribute)
        .unwrap_err();
    let TranslateError::Refused(error) = error else {
        panic!("{error}");
    };
    assert!(
        error.to_string().contains("maximum allowed size"),
        "{error}"
    );
}
