//! What AWS says, word for word: one row per message, and rows for which message comes first.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_expr::tree::{Action, DocumentPath};
use monotable_expr::{
    Condition, ExpressionError, ExpressionKind, KeyClause, KeyCondition, Placeholders, Projection,
    SortCondition, Update,
};
use monotable_item::{AttributeValue, EncodedItem, Item};
use std::collections::{BTreeMap, BTreeSet};

/// The names and values that every case may use.
fn names() -> BTreeMap<String, String> {
    let names = [("#a", "a"), ("#b", "b"), ("#dot", "x.y"), ("#name", "name")];
    names
        .into_iter()
        .map(|(key, name)| (key.to_owned(), name.to_owned()))
        .collect()
}

fn values() -> EncodedItem {
    let strings = |texts: &[&str]| -> BTreeSet<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    };
    EncodedItem::from(
        Item::new()
            .with(":s", "s")
            .with(":t", "t")
            .with(":n", 1)
            .with(":m", 2)
            .with(":bool", true)
            .with(":null", AttributeValue::Null)
            .with(":b", AttributeValue::B(vec![1, 2, 3, 4]))
            .with(":b0", AttributeValue::B(vec![0]))
            .with(":list", AttributeValue::L(vec![]))
            .with(":map", Item::new())
            .with(":ss", AttributeValue::Ss(strings(&["x"])))
            .with(":type", "N")
            .with(":notype", "STRING"),
    )
}

fn message(kind: ExpressionKind, text: &str) -> String {
    let (names, values) = (names(), values());
    let mut placeholders = Placeholders::new(&names, &values);
    let result = match kind {
        ExpressionKind::Condition | ExpressionKind::Filter | ExpressionKind::SearchCondition => {
            Condition::parse(kind, text, &mut placeholders).map(drop)
        }
        ExpressionKind::KeyCondition => {
            KeyCondition::parse(text, &mut placeholders).and_then(|key| key.check_shape())
        }
        ExpressionKind::Projection => Projection::parse(text, &mut placeholders).map(drop),
        ExpressionKind::Update => Update::parse(text, &mut placeholders).map(drop),
    };
    match result {
        Ok(()) => "fine".to_owned(),
        Err(error) => error.to_string(),
    }
}

fn check(kind: ExpressionKind, cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let actual = message(kind, text);
        let actual = actual
            .strip_prefix(&format!("Invalid {}: ", kind.name()))
            .unwrap_or_else(|| panic!("{text}: {actual}"));
        assert_eq!(actual, *expected, "{text}");
    }
}

#[test]
fn the_expression_is_named() {
    let kinds = [
        (ExpressionKind::Condition, "ConditionExpression"),
        (ExpressionKind::Filter, "FilterExpression"),
        (ExpressionKind::KeyCondition, "KeyConditionExpression"),
        (ExpressionKind::Projection, "ProjectionExpression"),
        (ExpressionKind::Update, "UpdateExpression"),
    ];
    for (kind, name) in kinds {
        assert_eq!(
            message(kind, ""),
            format!("Invalid {name}: The expression can not be empty;")
        );
        assert_eq!(
            message(kind, &" ".repeat(4097)),
            format!(
                "Invalid {name}: Expression size has exceeded the maximum allowed size; \
                 expression size: 4097"
            )
        );
        assert_eq!(
            message(kind, "!"),
            format!("Invalid {name}: Syntax error; token: \"!\", near: \"!\"")
        );
    }
}

#[test]
fn conditions() {
    let cases = [
        ("a foo b", "Syntax error; token: \"foo\", near: \"a foo b\""),
        ("a", "Syntax error; token: \"<EOF>\", near: \"a\""),
        ("((a = :s))", "The expression has redundant parentheses;"),
        ("foo(a)", "Invalid function name; function: foo"),
        ("Size(a) = :n", "Invalid function name; function: Size"),
        (
            "if_not_exists(a, b) = :n",
            "The function is not allowed in a condition expression; function: if_not_exists",
        ),
        (
            "size(a)",
            "The function is not allowed to be used this way in an expression; function: size",
        ),
        (
            "NOT size(a)",
            "The function is not allowed to be used this way in an expression; function: size",
        ),
        (
            "attribute_exists(a) = :bool",
            "The function is not allowed to be used this way in an expression; \
             function: attribute_exists",
        ),
        (
            "contains(a, begins_with(b, :s))",
            "The function is not allowed to be used this way in an expression; \
             function: begins_with",
        ),
        (
            "Name = :s",
            "Attribute name is a reserved keyword; reserved keyword: Name",
        ),
        (
            "a.name = :s",
            "Attribute name is a reserved keyword; reserved keyword: name",
        ),
        (
            "a[2147483648] = :s",
            "List index is not within the allowable range; index: [2147483648]",
        ),
        (
            "#x = :s",
            "An expression attribute name used in the document path is not defined; \
             attribute name: #x",
        ),
        (
            "a = :x",
            "An expression attribute value used in expression is not defined; attribute value: :x",
        ),
        (
            "attribute_exists(a, b)",
            "Incorrect number of operands for operator or function; \
             operator or function: attribute_exists, number of operands: 2",
        ),
        (
            "size(a, a) = :n",
            "Incorrect number of operands for operator or function; \
             operator or function: size, number of operands: 2",
        ),
        (
            "begins_with(a)",
            "Incorrect number of operands for operator or function; \
             operator or function: begins_with, number of operands: 1",
        ),
        (
            "a = a",
            "The first operand must be distinct from the remaining operands for this operator or \
             function; operator: =, first operand: [a]",
        ),
        (
            "contains(a.b[1], #a.#b[1])",
            "The first operand must be distinct from the remaining operands for this operator or \
             function; operator: contains, first operand: [a, b, [1]]",
        ),
        (
            "a IN (b, a)",
            "The first operand must be distinct from the remaining operands for this operator or \
             function; operator: IN, first operand: [a]",
        ),
        (
            "attribute_exists(:s)",
            "Operator or function requires a document path; operator or function: attribute_exists",
        ),
        (
            "attribute_not_exists(size(a))",
            "Operator or function requires a document path; \
             operator or function: attribute_not_exists",
        ),
        (
            "begins_with(a, :n)",
            "Incorrect operand type for operator or function; \
             operator or function: begins_with, operand type: N",
        ),
        (
            "begins_with(a, size(b))",
            "Incorrect operand type for operator or function; \
             operator or function: begins_with, operand type: N",
        ),
        (
            "a < :bool",
            "Incorrect operand type for operator or function; \
             operator or function: <, operand type: BOOL",
        ),
        (
            ":list >= a",
            "Incorrect operand type for operator or function; \
             operator or function: >=, operand type: L",
        ),
        (
            "a BETWEEN :bool AND :null",
            "Incorrect operand type for operator or function; \
             operator or function: BETWEEN, operand type: BOOL",
        ),
        (
            "size(:n) = a",
            "Incorrect operand type for operator or function; \
             operator or function: size, operand type: N",
        ),
        (
            "size(size(a)) = :n",
            "Incorrect operand type for operator or function; \
             operator or function: size, operand type: N",
        ),
        (
            "attribute_type(a, :n)",
            "Incorrect operand type for operator or function; \
             operator or function: attribute_type, operand type: N",
        ),
        (
            "attribute_type(a, b)",
            "Incorrect operand type for operator or function; \
             operator or function: attribute_type, \
             operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}",
        ),
        (
            "attribute_type(a, :notype)",
            "Invalid attribute type name found; type: STRING, \
             valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}",
        ),
        (
            "a BETWEEN :n AND :s",
            "The BETWEEN operator requires same data type for lower and upper bounds; \
             lower bound operand: AttributeValue: {N:1}, \
             upper bound operand: AttributeValue: {S:s}",
        ),
        (
            "a BETWEEN :t AND :s",
            "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; \
             lower bound operand: AttributeValue: {S:t}, \
             upper bound operand: AttributeValue: {S:s}",
        ),
        (
            "a BETWEEN :m AND :n",
            "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; \
             lower bound operand: AttributeValue: {N:2}, \
             upper bound operand: AttributeValue: {N:1}",
        ),
        (
            "a BETWEEN :b AND :b0",
            "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; \
             lower bound operand: AttributeValue: {B:java.nio.HeapByteBuffer[pos=0 lim=4 cap=4]}, \
             upper bound operand: AttributeValue: {B:java.nio.HeapByteBuffer[pos=0 lim=1 cap=1]}",
        ),
    ];
    check(ExpressionKind::Condition, &cases);
    check(ExpressionKind::Filter, &cases);
    check(ExpressionKind::KeyCondition, &cases);
}

#[test]
fn conditions_report_in_order() {
    let cases = [
        // Grammar before all else, whole text first.
        (
            "((name = :x)) AND",
            "Syntax error; token: \"<EOF>\", near: \"AND\"",
        ),
        // Then parentheses, unknown functions, functions out of place, reserved words.
        (
            "name = foo(a) AND ((a = b))",
            "The expression has redundant parentheses;",
        ),
        (
            "name = :x AND size(a) AND foo(a)",
            "Invalid function name; function: foo",
        ),
        (
            "name = :x AND size(a)",
            "The function is not allowed to be used this way in an expression; function: size",
        ),
        (
            "a = :x AND name = b",
            "Attribute name is a reserved keyword; reserved keyword: name",
        ),
        // Then one simple condition after the other.
        (
            "begins_with(a, :n) AND b = :x",
            "Incorrect operand type for operator or function; \
             operator or function: begins_with, operand type: N",
        ),
        (
            "b = :x AND begins_with(a, :n)",
            "An expression attribute value used in expression is not defined; attribute value: :x",
        ),
        (
            "NOT (a < :null OR contains(b, b))",
            "Incorrect operand type for operator or function; \
             operator or function: <, operand type: NULL",
        ),
        // In one: placeholders, counts, distinctness, types.
        (
            "size(a, b) = :x",
            "An expression attribute value used in expression is not defined; attribute value: :x",
        ),
        (
            "#x = :x",
            "An expression attribute name used in the document path is not defined; \
             attribute name: #x",
        ),
        (
            "begins_with(size(a, b), :n)",
            "Incorrect number of operands for operator or function; \
             operator or function: size, number of operands: 2",
        ),
        (
            "a BETWEEN a AND :null",
            "The first operand must be distinct from the remaining operands for this operator or \
             function; operator: BETWEEN, first operand: [a]",
        ),
    ];
    check(ExpressionKind::Condition, &cases);
}

#[test]
fn conditions_that_are_fine() {
    for text in [
        "a = :s",
        "(a) = (:s)",
        "#name = :s AND #dot <> :s",
        "size(a) = size(b)",
        "a <> :list",
        "a = :null OR a IN (:null, :list, :map, b)",
        "a BETWEEN b AND :n",
        "a BETWEEN :n AND :n",
        "attribute_type(:n, :type)",
        "begins_with(:s, a)",
        "contains(a, :map)",
        "contains(a, size(b))",
        "not not attribute_exists (a.b[2147483647].c)",
        "a.b = a.c",
        "a = a.b",
    ] {
        assert_eq!(message(ExpressionKind::Condition, text), "fine", "{text}");
    }
}

#[test]
fn key_conditions() {
    let cases = [
        (
            "a = :n OR b = :n",
            "Invalid operator used in KeyConditionExpression: OR",
        ),
        (
            "NOT a = :n",
            "Invalid operator used in KeyConditionExpression: NOT",
        ),
        (
            "a <> :n",
            "Invalid operator used in KeyConditionExpression: <>",
        ),
        (
            "a in (b, size(c))",
            "Invalid operator used in KeyConditionExpression: IN",
        ),
        (
            "attribute_exists(a)",
            "Invalid operator used in KeyConditionExpression: attribute_exists",
        ),
        (
            "attribute_not_exists(a)",
            "Invalid operator used in KeyConditionExpression: attribute_not_exists",
        ),
        (
            "attribute_type(a, :type)",
            "Invalid operator used in KeyConditionExpression: attribute_type",
        ),
        (
            "contains(a.d, b)",
            "Invalid operator used in KeyConditionExpression: contains",
        ),
        (
            "a = :n AND (b = :n OR c = :n)",
            "Invalid operator used in KeyConditionExpression: OR",
        ),
        (
            ":n BETWEEN size(b) AND size(a) AND b > :n",
            "Invalid condition in KeyConditionExpression: BETWEEN operator must have the key \
             attribute as its first operand",
        ),
        (
            "begins_with(:s, b)",
            "Invalid condition in KeyConditionExpression: begins_with operator must have the key \
             attribute as its first operand",
        ),
        (
            "size(b) > a AND a.b > b AND b > c",
            "KeyConditionExpressions cannot contain nested operations",
        ),
        (
            "a > size(b.d)",
            "KeyConditionExpressions cannot contain nested operations",
        ),
        (
            "a BETWEEN size(b) AND size(a)",
            "KeyConditionExpressions cannot contain nested operations",
        ),
        (
            "b > a.b",
            "Invalid condition in KeyConditionExpression: Multiple attribute names used in one \
             condition",
        ),
        (
            "b BETWEEN c[1] AND d",
            "Invalid condition in KeyConditionExpression: Multiple attribute names used in one \
             condition",
        ),
        (
            "begins_with(a, b)",
            "Invalid condition in KeyConditionExpression: Multiple attribute names used in one \
             condition",
        ),
        (
            "a.d > c",
            "KeyConditionExpressions cannot have conditions on nested attributes",
        ),
        (
            ":n > b[0]",
            "KeyConditionExpressions cannot have conditions on nested attributes",
        ),
        (
            "a > :n AND :m < :n",
            "Invalid condition in KeyConditionExpression: No key attribute specified",
        ),
        (
            "b > :n AND b < :m AND c = :n",
            "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one \
             condition per key",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(
            message(ExpressionKind::KeyCondition, text),
            expected,
            "{text}"
        );
    }
}

#[test]
fn key_conditions_against_a_schema() {
    let (names, values) = (names(), values());
    let resolve = |text: &str, hash: &[&str], range: &[&str]| {
        let mut placeholders = Placeholders::new(&names, &values);
        let condition = KeyCondition::parse(text, &mut placeholders).unwrap();
        match condition.resolve(hash, range) {
            Ok(_) => "fine".to_owned(),
            Err(error) => error.to_string(),
        }
    };
    let cases: [(&str, &[&str], &[&str], &str); 13] = [
        ("a = :n", &["a"], &[], "fine"),
        ("b = :n AND a = :n", &["a"], &["b"], "fine"),
        (
            "b = :n",
            &["a"],
            &["b"],
            "Query condition missed key schema element: a",
        ),
        (
            "a = :n AND c = :n",
            &["a"],
            &["b"],
            "Query condition missed key schema element: b",
        ),
        (
            "a > :n",
            &["a"],
            &["b"],
            "Query key condition not supported",
        ),
        (
            "begins_with(a, :s)",
            &["a"],
            &["b"],
            "Query key condition not supported",
        ),
        (
            "a = :n AND b = :n",
            &["a"],
            &[],
            "The number of query conditions (2) exceeds the number of key attributes defined in \
             the schema (1)",
        ),
        (
            "a = :n AND b > :n AND c = :n",
            &["a"],
            &["b"],
            "The number of query conditions (3) exceeds the number of key attributes defined in \
             the schema (2)",
        ),
        (
            "h = :n",
            &["h", "i"],
            &[],
            "HASH key attributes i must have equality conditions specified in the query",
        ),
        (
            "h = :n AND i > :n",
            &["h", "i"],
            &[],
            "HASH key attributes i must have equality conditions specified in the query",
        ),
        (
            "h = :n AND a = :n AND c = :n",
            &["h"],
            &["a", "b", "c"],
            "RANGE key attributes b must have equality conditions specified in the query because \
             a condition is present on key attribute c",
        ),
        (
            "h = :n AND a = :n AND b > :n AND c = :n",
            &["h"],
            &["a", "b", "c"],
            "RANGE key attributes b must have equality conditions specified in the query because \
             a condition is present on key attribute c",
        ),
        (
            "h = :n AND b = :n",
            &["h"],
            &["a", "b", "c"],
            "RANGE key attributes a must have equality conditions specified in the query because \
             a condition is present on key attribute b",
        ),
    ];
    for (text, hash, range, expected) in cases {
        assert_eq!(resolve(text, hash, range), expected, "{text}");
    }
}

#[test]
fn projections() {
    check(
        ExpressionKind::Projection,
        &[
            ("a,", "Syntax error; token: \"<EOF>\", near: \",\""),
            ("a, (b)", "Syntax error; token: \"(\", near: \", (b\""),
            (
                "a, name",
                "Attribute name is a reserved keyword; reserved keyword: name",
            ),
            (
                "and",
                "Attribute name is a reserved keyword; reserved keyword: and",
            ),
            (
                "a[99999999999999999999]",
                "List index is not within the allowable range; index: [99999999999999999999]",
            ),
            (
                "a, #x",
                "An expression attribute name used in the document path is not defined; \
                 attribute name: #x",
            ),
            (
                "a, b, #a",
                "Two document paths overlap with each other; must remove or rewrite one of these \
                 paths; path one: [a], path two: [a]",
            ),
            (
                "a, a.b",
                "Two document paths overlap with each other; must remove or rewrite one of these \
                 paths; path one: [a], path two: [a, b]",
            ),
            (
                "a.b[0].c, a.b",
                "Two document paths overlap with each other; must remove or rewrite one of these \
                 paths; path one: [a, b, [0], c], path two: [a, b]",
            ),
            (
                "a.b, a[1]",
                "Two document paths conflict with each other; must remove or rewrite one of these \
                 paths; path one: [a, b], path two: [a, [1]]",
            ),
            (
                "a.b, a[1], c, c",
                "Two document paths overlap with each other; must remove or rewrite one of these \
                 paths; path one: [c], path two: [c]",
            ),
            // Reserved words before undefined names before overlaps.
            (
                "a, a, #x, name",
                "Attribute name is a reserved keyword; reserved keyword: name",
            ),
            (
                "a, a, #x",
                "An expression attribute name used in the document path is not defined; \
                 attribute name: #x",
            ),
        ],
    );
    for text in [
        "a",
        "a, b",
        "a.b, a.c",
        "a[1], a[2]",
        "a.b, a.c[2]",
        "#dot, x.y",
        "a . b [ 0 ]",
    ] {
        assert_eq!(message(ExpressionKind::Projection, text), "fine", "{text}");
    }
}

#[test]
fn updates() {
    check(
        ExpressionKind::Update,
        &[
            (
                "INVALID SYNTAX HERE",
                "Syntax error; token: \"INVALID\", near: \"INVALID SYNTAX\"",
            ),
            ("SET a = ((b))", "The expression has redundant parentheses;"),
            (
                "SET name = :s",
                "Attribute name is a reserved keyword; reserved keyword: name",
            ),
            ("SET a = foo(b)", "Invalid function name; function: foo"),
            (
                "SET a = size(b)",
                "The function is not allowed in an update expression; function: size",
            ),
            (
                "SET a = :s SET b = :s",
                "The \"SET\" section can only be used once in an update expression;",
            ),
            (
                "REMOVE a ADD b :n remove c",
                "The \"REMOVE\" section can only be used once in an update expression;",
            ),
            (
                "SET #x = :s",
                "An expression attribute name used in the document path is not defined; \
                 attribute name: #x",
            ),
            (
                "SET a = :x",
                "An expression attribute value used in expression is not defined; \
                 attribute value: :x",
            ),
            (
                "SET a = :s REMOVE a",
                "Two document paths overlap with each other; must remove or rewrite one of these \
                 paths; path one: [a], path two: [a]",
            ),
            (
                "SET a.b = :s, a[1] = :s",
                "Two document paths conflict with each other; must remove or rewrite one of these \
                 paths; path one: [a, b], path two: [a, [1]]",
            ),
            (
                "ADD a :s",
                "Incorrect operand type for operator or function; operator: ADD, \
                 operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND",
            ),
            (
                "ADD a :list",
                "Incorrect operand type for operator or function; operator: ADD, \
                 operand type: LIST, typeSet: ALLOWED_FOR_ADD_OPERAND",
            ),
            (
                "DELETE a :n",
                "Incorrect operand type for operator or function; operator: DELETE, \
                 operand type: NUMBER, typeSet: ALLOWED_FOR_DELETE_OPERAND",
            ),
            (
                "SET a = list_append(:list)",
                "Incorrect number of operands for operator or function; \
                 operator or function: list_append, number of operands: 1",
            ),
            (
                "SET a = if_not_exists(:s, :t)",
                "Operator or function requires a document path; \
                 operator or function: if_not_exists",
            ),
            (
                "SET a = list_append(b, :s)",
                "Incorrect operand type for operator or function; \
                 operator or function: list_append, operand type: S",
            ),
            (
                "SET a = b + :s",
                "Incorrect operand type for operator or function; \
                 operator or function: +, operand type: S",
            ),
            (
                "SET a = :map - b",
                "Incorrect operand type for operator or function; \
                 operator or function: -, operand type: M",
            ),
            (
                "SET a = list_append(list_append(b, c), d)",
                "The function is not allowed to be used this way in an expression; \
                 function: list_append",
            ),
        ],
    );
}

#[test]
fn updates_report_in_order() {
    check(
        ExpressionKind::Update,
        &[
            (
                "SET a = foo(name) SET b = :x",
                "Attribute name is a reserved keyword; reserved keyword: name",
            ),
            (
                "SET a = foo(b) SET #x = :x",
                "Invalid function name; function: foo",
            ),
            (
                "SET a = :x SET #x = :x",
                "The \"SET\" section can only be used once in an update expression;",
            ),
            (
                "SET a = :x, b = #x",
                "An expression attribute name used in the document path is not defined; \
                 attribute name: #x",
            ),
            (
                "SET a = :s, a = :x",
                "An expression attribute value used in expression is not defined; \
                 attribute value: :x",
            ),
            (
                "SET a = if_not_exists(:s, :t) ADD a :s",
                "Two document paths overlap with each other; must remove or rewrite one of these \
                 paths; path one: [a], path two: [a]",
            ),
            (
                "SET a = if_not_exists(:s, :t) ADD b :s",
                "Incorrect operand type for operator or function; operator: ADD, \
                 operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND",
            ),
        ],
    );
}

#[test]
fn placeholders() {
    let check = |names: &[(&str, &str)], values: Item, expected: &str| {
        let names: BTreeMap<_, _> = names
            .iter()
            .map(|(key, name)| ((*key).to_owned(), (*name).to_owned()))
            .collect();
        let values = EncodedItem::from(values);
        let placeholders = Placeholders::new(&names, &values);
        let error: ExpressionError = placeholders
            .check_keys()
            .and_then(|()| placeholders.check_all_used())
            .unwrap_err();
        assert_eq!(error.to_string(), expected);
    };
    let long = format!("#{}", "x".repeat(255));
    check(
        &[("x", "a")],
        Item::new(),
        "ExpressionAttributeNames contains invalid key: Syntax error; key: \"x\"",
    );
    check(
        &[(&long, "a")],
        Item::new(),
        "ExpressionAttributeNames contains invalid key: The expression attribute map contains a \
         key that is too long; size of key: 256",
    );
    check(
        &[("#a", "")],
        Item::new(),
        "ExpressionAttributeNames contains invalid value: Empty attribute name for key #a",
    );
    check(
        &[],
        Item::new().with("v", 1),
        "ExpressionAttributeValues contains invalid key: Syntax error; key: \"v\"",
    );
    check(
        &[],
        Item::new().with(long.replace('#', ":"), 1),
        "ExpressionAttributeValues contains invalid key: The expression attribute map contains a \
         key that is too long;",
    );
    check(
        &[("#a", "a"), ("#b", "b")],
        Item::new().with(":v", 1),
        "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a, #b}",
    );
    check(
        &[],
        Item::new().with(":v", 1),
        "Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}",
    );
}

#[test]
fn updates_that_do_not_fit_the_item() {
    let (names, values) = (names(), values());
    let item = EncodedItem::from(
        Item::new()
            .with("s", "text")
            .with("n", 1)
            .with("big", AttributeValue::N("9e125".parse().unwrap()))
            .with("m", Item::new()),
    );
    let path = "The document path provided in the update expression is invalid for update";
    let operand = "An operand in the update expression has an incorrect data type";
    let missing = "The provided expression refers to an attribute that does not exist in the item";
    let overflow = "Number overflow. Attempting to store a number with magnitude larger than \
                    supported range";
    for (text, expected) in [
        ("SET s.x = :n", path),
        ("SET m[0] = :n", path),
        ("SET x.y = :n", path),
        ("REMOVE x.y", path),
        ("ADD x.y :n", path),
        ("DELETE x.y :ss", path),
        ("SET x = y", missing),
        ("SET x = n + m.y", missing),
        ("SET x = list_append(y, :list)", missing),
        ("SET x = n + s", operand),
        ("SET x = list_append(n, :list)", operand),
        ("ADD s :n", operand),
        ("ADD n :ss", operand),
        ("DELETE n :ss", operand),
        ("SET x = big + big", overflow),
        // Too exact, which AWS calls too large.
        ("SET x = big + n", overflow),
        ("ADD big :n", overflow),
        // Right sides are read before anything is changed.
        ("SET s.x = y", missing),
    ] {
        let mut placeholders = Placeholders::new(&names, &values);
        let update = Update::parse(text, &mut placeholders).unwrap();
        let error = update.apply(item.view()).unwrap_err();
        assert_eq!(error.to_string(), expected, "{text}");
    }
}

#[test]
fn key_clauses_that_no_key_answers() {
    let clause = |attribute: &str, condition| KeyClause {
        attribute: attribute.to_owned(),
        condition,
    };
    let equal = || Some(SortCondition::Equal(AttributeValue::from(1).into()));
    let not_indexable = "Attempted conditional constraint is not an indexable operation";
    for (clauses, expected) in [
        (vec![clause("a", None)], not_indexable),
        (vec![clause("a", equal()), clause("b", None)], not_indexable),
        // Which attributes they are on is asked first.
        (
            vec![clause("b", None)],
            "Query condition missed key schema element: a",
        ),
        (
            vec![clause("a", equal()), clause("c", None)],
            "Query condition missed key schema element: b",
        ),
    ] {
        let condition = KeyCondition::from_clauses(clauses);
        assert_eq!(condition.check_shape(), Ok(()));
        let error = condition.resolve(&["a"], &["b"]).unwrap_err();
        assert_eq!(error.to_string(), expected, "{condition:?}");
    }
}

#[test]
fn attribute_updates_that_do_not_fit_the_item() {
    let item = EncodedItem::from(Item::new().with("s", "text"));
    let actions = vec![Action::Add {
        path: DocumentPath::new("s"),
        value: AttributeValue::from(1).into(),
    }];
    let update = Update::from_attribute_updates(actions).unwrap();
    let error = update.apply(item.view()).unwrap_err();
    assert_eq!(error.to_string(), "Type mismatch for attribute to update");
}
