//! docs/policies.md says what is so.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use monotable_policy::{Identity, Policy, Principal, Scope};
use serde_json::{Value, json};

const TEXT: &str = include_str!("../../../docs/policies.md");

/// The blocks of a language, as text.
fn blocks(language: &str) -> Vec<&'static str> {
    let begin = format!("```{language}\n");
    let blocks = TEXT.split(&begin).skip(1);
    blocks
        .map(|block| block.split("\n```").next().unwrap())
        .collect()
}

#[test]
fn every_example_is_a_statement_without_a_trap() {
    let mut statements = 0;
    for block in blocks("json") {
        for statement in serde_json::Deserializer::from_str(block).into_iter::<Value>() {
            let policy = json!({"Version": "2012-10-17", "Statement": statement.unwrap()});
            let policy = Policy::parse("example", &policy.to_string())
                .unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(policy.warnings(&Scope::default()), [], "{block}");
            statements += 1;
        }
    }
    assert_eq!(statements, 4);
}

#[test]
fn the_first_example_is_a_policy_without_a_trap() {
    let (_, rest) = TEXT.split_once("$ cat own-rows.json\n").unwrap();
    let (policy, _) = rest.split_once("\n\n").unwrap();
    let policy = Policy::parse("own-rows.json", policy).unwrap();
    assert_eq!(policy.warnings(&Scope::default()), []);
    Identity::new(Principal::user("ada"), vec![policy]).unwrap();
}

/// Whether a condition with this operator on this key is understood.
fn is_understood(operator: &str, key: &str, value: &str) -> bool {
    let statement = json!({"Effect": "Deny", "Action": "*", "Resource": "*", "Condition": {operator: {key: value}}});
    Policy::parse(
        "p",
        &json!({"Version": "2012-10-17", "Statement": statement}).to_string(),
    )
    .is_ok()
}

#[test]
fn every_listed_key_is_known() {
    let (_, table) = TEXT.split_once("| key | what it has |").unwrap();
    let (table, _) = table.split_once("\n\n").unwrap();
    let names = table.lines().filter_map(|line| line.split('|').nth(1));
    let names = names.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    // `:aud` stands for the key before it with another end, and `Fourth...` for those between.
    let names: Vec<_> = names
        .filter(|name| name.contains(':') && !name.starts_with(':'))
        .collect();
    assert!(names.len() >= 25, "{names:?}");
    for name in names {
        assert!(is_understood("Null", name, "true"), "{name}");
    }
}

#[test]
fn every_listed_operator_is_known() {
    let (_, list) = TEXT.split_once("Operators: ").unwrap();
    let (list, _) = list.split_once("; with").unwrap();
    let words: Vec<_> = list.split('`').skip(1).step_by(2).collect();
    let ends: Vec<_> = [
        "Equals",
        "NotEquals",
        "LessThan",
        "LessThanEquals",
        "GreaterThan",
        "GreaterThanEquals",
    ]
    .into();
    for word in words.iter().filter(|word| !ends.contains(word)) {
        let (key, value) = match *word {
            "Bool" => ("aws:SecureTransport", "true"),
            "Null" => ("aws:username", "true"),
            word if word.contains("Ip") => ("aws:SourceIp", "10.0.0.0/8"),
            word if word.starts_with("Arn") => ("aws:PrincipalArn", "*"),
            _ => ("aws:EpochTime", "1"),
        };
        let names = match word.strip_suffix("...") {
            Some(start) => ends.iter().map(|end| format!("{start}{end}")).collect(),
            None => vec![(*word).to_owned()],
        };
        for name in names {
            assert!(is_understood(&name, key, value), "{name}");
        }
    }
}
