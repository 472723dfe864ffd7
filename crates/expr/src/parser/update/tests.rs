use super::*;
use crate::syntax::Syntax;

fn postfix(syntax: &Syntax<'_>, nodes: &[Node<'_>]) -> String {
    let words: Vec<String> = nodes
        .iter()
        .map(|node| match node {
            Node::Path(path) => format!("{:?}", syntax.steps_of(*path)[0]),
            Node::Value(value) => (*value).to_owned(),
            Node::Call {
                name, arguments, ..
            } => format!("{name}/{arguments}"),
            other => format!("{other:?}"),
        })
        .collect();
    words.join(" ").replace("Word(\"", "").replace("\")", "")
}

fn actions_of(text: &str) -> Vec<(Clause, String)> {
    let update = parse_update(text).unwrap();
    update
        .actions
        .iter()
        .map(|action| {
            let nodes = update.syntax.nodes_in(action.value.clone());
            (action.clause, postfix(&update.syntax, nodes))
        })
        .collect()
}

fn value_of(text: &str) -> String {
    actions_of(&format!("SET x = {text}")).remove(0).1
}

fn error(text: &str) -> (String, String) {
    match parse_update(text) {
        Err(Problem::Syntax { token, near }) => (token, near),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn reads_clauses_in_any_order() {
    assert_eq!(
        actions_of("REMOVE a, b.c set d=:v,e = f ADD n :one DELETE s :gone"),
        [
            (Clause::Remove, String::new()),
            (Clause::Remove, String::new()),
            (Clause::Set, ":v".into()),
            (Clause::Set, "f".into()),
            (Clause::Add, ":one".into()),
            (Clause::Delete, ":gone".into()),
        ]
    );
}

#[test]
fn reads_values() {
    assert_eq!(value_of("a + :v"), "a :v Plus");
    assert_eq!(value_of("(a - (:v))"), "a :v Minus");
    assert_eq!(value_of("(a) + (b)"), "a b Plus");
    assert_eq!(
        value_of("if_not_exists(a, if_not_exists(b, :v)) + :w"),
        "a b :v if_not_exists/2 if_not_exists/2 :w Plus"
    );
    assert_eq!(
        value_of("list_append(if_not_exists(a, :v), (:w))"),
        "a :v if_not_exists/2 :w list_append/2"
    );
    assert_eq!(value_of("f(a)"), "a f/1");
}

#[test]
fn notes_doubled_parentheses() {
    assert!(
        parse_update("SET a = ((b))")
            .unwrap()
            .syntax
            .redundant_parentheses
    );
    assert!(
        !parse_update("SET a = ((b) + (c))")
            .unwrap()
            .syntax
            .redundant_parentheses
    );
}

#[test]
fn errors_name_the_token() {
    let cases = [
        ("HELLO b = :v", "HELLO", "HELLO b"),
        ("SET _123 = :v", "_", "SET _123"),
        ("ADD hits : incr", ":", "hits : incr"),
        ("SET", "<EOF>", "SET"),
        ("SET a = :x + :y + :z", "+", ":y + :z"),
        ("SET a = (:x + :y) + :z", "+", ") + :z"),
        ("SET a = :x + (:y + :z)", "+", ":y + :z"),
        ("SET a = if_not_exists(a, :x + :y)", "+", ":x + :y"),
        ("SET a = f()", ")", "()"),
        ("SET a = (b", "<EOF>", "b"),
        ("SET a = b)", ")", "b)"),
        ("SET a = (b, c)", ",", "b, c"),
        ("SET :a = :b", ":a", "SET :a ="),
        ("SET a[:i] = :b", ":i", "[:i]"),
        ("SET a = :v,", "<EOF>", ","),
        ("SET a = :v, SET b = :w", "SET", ", SET b"),
        ("ADD a b", "b", "a b"),
        ("REMOVE a b", "b", "a b"),
        ("SET a <> b", "<>", "a <> b"),
    ];
    for (text, token, near) in cases {
        assert_eq!(error(text), (token.to_owned(), near.to_owned()), "{text}");
    }
}

#[test]
fn depth_is_no_danger() {
    let calls = format!("SET a = {}b{}", "f(".repeat(1300), ")".repeat(1300));
    assert_eq!(parse_update(&calls).unwrap().syntax.operator_count(), 1300);
    let parens = format!("SET a = {}b{}", "(".repeat(2000), ")".repeat(2000));
    assert!(parse_update(&parens).unwrap().syntax.redundant_parentheses);
    assert_eq!(error(&format!("SET a = {}", "(".repeat(4000))).0, "<EOF>");
}
