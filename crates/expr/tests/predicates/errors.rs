//! What is refused, where, and what is said about it.

use monotable_expr::predicate::{Predicate, PredicateError, PredicateProblem};

/// The message and the text it is about.
fn error(text: &str) -> (String, &str) {
    let error = Predicate::parse(text).expect_err(text);
    (error.to_string(), &text[error.span.range()])
}

#[track_caller]
fn check(text: &str, place: &str, message: &str) {
    assert_eq!(error(text), (message.to_owned(), place), "{text}");
}

#[test]
fn what_was_expected_and_what_was_found() {
    let comparison = "expected =, <>, <, <=, >, >=, BETWEEN or IN, found";
    check("", "", "expected a condition, found nothing");
    check(" \n", "", "expected a condition, found nothing");
    check("a = ", "", "expected a path or a value, found the end");
    check("a b", "b", &format!("{comparison} `b`"));
    check("a = 1 b", "b", "expected AND, OR or the end, found `b`");
    check("(a = 1 b", "b", "expected AND, OR or `)`, found `b`");
    check("(a = 1", "", "expected AND, OR or `)`, found the end");
    check("a = 1)", ")", "expected AND, OR or the end, found `)`");
    check("a = 1 = 2", "=", "expected AND, OR or the end, found `=`");
    check("AND a = 1", "AND", "expected a condition, found `AND`");
    check("a = 1 AND", "", "expected a condition, found the end");
    check("a. = 1", "=", "expected a name after the dot, found `=`");
    check("a[b] = 1", "b", "expected a list index, found `b`");
    check("a[1.5] = 1", "1.5", "expected a list index, found `1.5`");
    check("a[-1] = 1", "-1", "expected a list index, found `-1`");
    check("a[1 = 1", "=", "expected `]`, found `=`");
    check("a IN 'x'", "'x'", "expected `(` after IN, found `'x'`");
    check("a IN ('x' 'y')", "'y'", "expected `,` or `)`, found `'y'`");
    check("a IN ()", ")", "expected a path or a value, found `)`");
    check("size(a = 1) > 2", "=", "expected `,` or `)`, found `=`");
    check("a = (b c)", "c", "expected `)`, found `c`");
    check(
        "a BETWEEN 1 OR 2",
        "OR",
        "expected AND and the upper bound of BETWEEN, found `OR`",
    );
    check(
        "(a BETWEEN 1)",
        ")",
        "expected AND and the upper bound of BETWEEN, found `)`",
    );
    check(
        "a = NOT b",
        "NOT",
        "expected a path or a value, found `NOT`",
    );
    check("a + 1 = 2", "+", &format!("{comparison} `+`"));
    check("é = 1", "é", "expected a condition, found `é`");
    let long = format!("a = 1 '{}'", "x".repeat(99));
    let shown = format!("expected AND, OR or the end, found `'{}…`", "x".repeat(39));
    assert_eq!(error(&long).0, shown);
}

#[test]
fn other_languages_get_a_hint() {
    let comparison = "expected =, <>, <, <=, >, >=, BETWEEN or IN, found";
    check(
        "a != 1",
        "!=",
        &format!("{comparison} `!=`; write <> for not equal"),
    );
    check(
        "a == 1",
        "==",
        &format!("{comparison} `==`; write = for equal"),
    );
    check("a => 1", "=>", &format!("{comparison} `=>`; write >="));
    check("a =< 1", "=<", &format!("{comparison} `=<`; write <="));
    check(
        "a = 1 && b = 2",
        "&&",
        "expected AND, OR or the end, found `&&`; write AND",
    );
    check(
        "a = 1 || b = 2",
        "||",
        "expected AND, OR or the end, found `||`; write OR",
    );
    check(
        "!a",
        "!",
        "expected a condition, found `!`; write NOT before the condition, <> between operands",
    );
    check(
        "a = \"it's\"",
        "\"it's\"",
        "expected a path or a value, found `\"it's\"`; text stands in single quotes: 'it''s'",
    );
    check(
        "a = :v",
        ":v",
        "expected a path or a value, found `:v`; \
         predicates have no placeholders: write the value or the name itself",
    );
    check(
        "a NOT IN (1)",
        "NOT",
        &format!("{comparison} `NOT`; NOT stands before the condition: NOT a IN (..)"),
    );
    let alone = "an attribute alone is no condition: write = true";
    check("a", "", &format!("{comparison} the end; {alone}"));
    check(
        "NOT a AND b = 1",
        "AND",
        &format!("{comparison} `AND`; {alone}"),
    );
    check("(a)", "", &format!("{comparison} the end; {alone}"));
    check(
        "a IS NULL",
        "IS",
        &format!(
            "{comparison} `IS`; write attribute_exists(..) or attribute_not_exists(..) to ask for presence"
        ),
    );
    check(
        "a LIKE 'x'",
        "LIKE",
        &format!("{comparison} `LIKE`; write begins_with(.., ..) or contains(.., ..)"),
    );
}

#[test]
fn functions_are_dynamodbs() {
    check(
        "exists(a)",
        "exists",
        "there is no function `exists`; write attribute_exists(..)",
    );
    check(
        "a = 1 AND missing(a)",
        "missing",
        "there is no function `missing`; write attribute_not_exists(..)",
    );
    check(
        "startsWith(a, 'x')",
        "startsWith",
        "there is no function `startsWith`; write begins_with(..)",
    );
    check(
        "CONTAINS(a, 'x')",
        "CONTAINS",
        "there is no function `CONTAINS`; write contains(..)",
    );
    check(
        "len(a) > 1",
        "len",
        "there is no function `len`; write size(..)",
    );
    check("foo(a)", "foo", "there is no function `foo`");
    check(
        "size(a)",
        "size",
        "`size` is a number and has to be compared",
    );
    check(
        "size(contains(a, 'b')) = 1",
        "contains",
        "`contains` is a condition and cannot be an operand",
    );
    check(
        "if_not_exists(a, 1) = 1",
        "if_not_exists",
        "`if_not_exists` belongs to updates and cannot stand in a condition",
    );
    check(
        "attribute_exists(a, b)",
        "attribute_exists",
        "`attribute_exists` takes one operand, not 2",
    );
    check(
        "contains(a)",
        "contains",
        "`contains` takes two operands, not 1",
    );
    check(
        "attribute_exists('a')",
        "attribute_exists('a')",
        "`attribute_exists` takes a path, not a value",
    );
    check(
        "attribute_exists(now)",
        "now",
        "`attribute_exists` takes a path, not a value",
    );
    check(
        "attribute_type(a, 'X')",
        "attribute_type(a, 'X')",
        "'X' is not a type; types are S, N, B, BOOL, NULL, M, L, SS, NS and BS",
    );
    check(
        "attribute_type(a, b)",
        "attribute_type(a, b)",
        "the second operand of `attribute_type` is the name of a type",
    );
}

#[test]
fn operands_follow_dynamodbs_rules() {
    check(
        "b = 1 AND a = a",
        "a = a",
        "both operands of `=` are the same path",
    );
    check(
        "a < true OR b = 1",
        "a < true",
        "`<` does not take a value of type BOOL",
    );
    check(
        "begins_with(a, 5)",
        "begins_with(a, 5)",
        "`begins_with` does not take a value of type N",
    );
    check(
        "size(5) > 1",
        "size(5) > 1",
        "`size` does not take a value of type N",
    );
    check(
        "a BETWEEN 1 AND 'x'",
        "a BETWEEN 1 AND 'x'",
        "the bounds of BETWEEN are of two types",
    );
    check(
        "a BETWEEN 2 AND 1",
        "a BETWEEN 2 AND 1",
        "the lower bound of BETWEEN is above the upper bound",
    );
}

#[test]
fn literals_and_names_are_checked() {
    check("a = 'x", "'x", "the closing ' is missing");
    check("a = 'x''", "'x''", "the closing ' is missing");
    check("`x = 1", "`x = 1", "the closing ` is missing");
    check("a = \"x", "\"x", "the closing \" is missing");
    check("`` = 1", "``", "a name has at least one character");
    check("a.`` = 1", "a.``", "a name has at least one character");
    check(
        "true.a = 1",
        "true.a",
        "`true` is a value that no path leads into",
    );
    check(
        "now[0] = 1",
        "now[0]",
        "`now` is a value that no path leads into",
    );
    check(
        "a[9999999999] = 1",
        "a[9999999999]",
        "the list index 9999999999 is too large",
    );
    let number = |text: &str| match Predicate::parse(text) {
        Err(PredicateError {
            span,
            problem: PredicateProblem::Number(_),
            ..
        }) => text[span.range()].to_owned(),
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(number("a = 1e126"), "1e126");
    assert_eq!(number("a = 1e-131"), "1e-131");
    let digits = "1".repeat(39);
    assert_eq!(number(&format!("a = {digits}")), digits);
}
