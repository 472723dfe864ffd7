use super::*;

/// The nodes in postfix order, as text.
fn postfix(text: &str) -> String {
    let syntax = parse_condition(ExpressionKind::Condition, text).unwrap();
    let words: Vec<String> = syntax
        .nodes()
        .iter()
        .map(|node| match node {
            Node::Path(path) => syntax
                .steps_of(*path)
                .iter()
                .map(|step| match step {
                    Step::Word(text) | Step::Name(text) | Step::Index(text) => *text,
                })
                .collect::<Vec<_>>()
                .join("."),
            Node::Value(value) => (*value).to_owned(),
            Node::Call {
                name,
                arguments,
                is_condition,
            } => format!("{name}/{arguments}{}", if *is_condition { "?" } else { "" }),
            Node::Compare(comparator) => comparator.symbol().to_owned(),
            Node::In { candidates } => format!("IN/{candidates}"),
            other => format!("{other:?}"),
        })
        .collect();
    words.join(" ")
}

fn error(text: &str) -> (String, String) {
    match parse_condition(ExpressionKind::Condition, text) {
        Err(Problem::Syntax { token, near }) => (token, near),
        other => panic!("{text}: {other:?}"),
    }
}

fn is_redundant(text: &str) -> bool {
    parse_condition(ExpressionKind::Condition, text)
        .unwrap()
        .redundant_parentheses
}

#[test]
fn operators_bind_as_documented() {
    assert_eq!(
        postfix("a = :v OR NOT b < c AND d > e"),
        "a :v = b c < Not d e > And Or"
    );
    assert_eq!(postfix("a=b AND c=d AND e=f"), "a b = c d = And e f = And");
    assert_eq!(postfix("a=b OR c=d AND e=f"), "a b = c d = e f = And Or");
    assert_eq!(postfix("NOT NOT a=b"), "a b = Not Not");
}

#[test]
fn between_takes_its_own_and() {
    assert_eq!(
        postfix("a BETWEEN :x AND :y AND b beTWeen c anD d"),
        "a :x :y Between b c d Between And"
    );
}

#[test]
fn lists_and_calls_count_their_operands() {
    assert_eq!(postfix("a IN (b)"), "a b IN/1");
    assert_eq!(postfix("a in (b, :c, size(d))"), "a b :c d size/1 IN/3");
    assert_eq!(postfix("contains(a, b)"), "a b contains/2?");
    assert_eq!(
        postfix("size(a) > :n AND f(g(a), b)"),
        "a size/1 :n > a g/1 b f/2? And"
    );
}

#[test]
fn parentheses_enclose_operands_or_conditions() {
    assert_eq!(postfix("(a) = (:v)"), "a :v =");
    assert_eq!(postfix("(a = :v)"), "a :v =");
    assert_eq!(postfix("((size(a)) < b)"), "a size/1 b <");
    assert_eq!(postfix("(a=b OR c=d) AND e=f"), "a b = c d = Or e f = And");
    assert_eq!(postfix("NOT (a=b OR c=d)"), "a b = c d = Or Not");
    assert_eq!(postfix("(contains(a, b))"), "a b contains/2?");
    assert_eq!(postfix("a BETWEEN (b) AND (c)"), "a b c Between");
    assert_eq!(postfix("(a).b[0] = c"), "a.b.0 c =");
    assert_eq!(postfix("c = (a)[1]"), "c a.1 =");
}

#[test]
fn doubled_parentheses_are_redundant() {
    for text in [
        "((a = b))",
        "((a)) = b",
        "a = ((b))",
        "((f(a)))",
        "a=b AND ((c=d))",
        "f(((a)))",
        "((a=b OR c=d))",
    ] {
        assert!(is_redundant(text), "{text}");
    }
    for text in [
        "(a = b)",
        "((a) = b)",
        "((a=b) AND (c=d))",
        "(NOT (a=b))",
        "(a) = (b)",
        "((a=b) OR c=d)",
    ] {
        assert!(!is_redundant(text), "{text}");
    }
}

#[test]
fn errors_name_the_token() {
    let cases = [
        ("foo", "<EOF>", "foo"),
        ("a-b", "-", "a-b"),
        ("NOT #a", "<EOF>", "#a"),
        ("a = 4", "4", "= 4"),
        ("a == b", "=", "== b"),
        ("a = b c", "c", "b c"),
        ("a = and", "and", "= and"),
        ("(a = b", "<EOF>", "b"),
        ("a = b)", ")", "b)"),
        ("()", ")", "()"),
        ("f()", ")", "()"),
        ("a IN ()", ")", "()"),
        ("a IN b", "b", "IN b"),
        ("(a = b) = c", "=", ") = c"),
        ("a AND b = c", "AND", "a AND b"),
        ("a BETWEEN b OR c", "OR", "b OR c"),
        ("f(a = b)", "=", "a = b"),
        ("a = (b = c)", "=", "b = c"),
        ("a = NOT b", "NOT", "= NOT b"),
        ("(size(a))[0] > a", "[", ")[0"),
        ("a, b", ",", "a, b"),
        ("a + b = c", "+", "a + b"),
        ("a = b AND", "<EOF>", "AND"),
        ("a.and = b", "and", ".and ="),
        ("SET a = b", "a", "SET a ="),
        ("(a AND b)", "AND", "a AND b"),
        ("(a IN (b) , c)", ",", ") , c"),
    ];
    for (text, token, near) in cases {
        assert_eq!(error(text), (token.to_owned(), near.to_owned()), "{text}");
    }
}

#[test]
fn depth_is_no_danger() {
    assert_eq!(error(&"(".repeat(4096)).0, "<EOF>");
    let parens = format!("{}a<b{}", "(".repeat(2046), ")".repeat(2046));
    assert!(is_redundant(&parens));
    let calls = format!("a<{}b{}", "f(".repeat(1360), ")".repeat(1360));
    assert_eq!(
        parse_condition(ExpressionKind::Condition, &calls)
            .unwrap()
            .operator_count(),
        1361
    );
    let nots = format!("{}a<b", "NOT ".repeat(1020));
    assert!(parse_condition(ExpressionKind::Condition, &nots).is_ok());
}
