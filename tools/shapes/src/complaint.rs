//! What a refusal says about which member.

use monotable_api::{OperationName, Request};
use serde_json::Value;
use std::collections::BTreeSet;

/// One thing that is wrong with a request.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Complaint {
    /// A broken constraint: `Value 'x' at 'limit' failed to satisfy constraint: Member must ...`.
    Constraint {
        /// In lower case, since only the first letter of each part differs from the description.
        path: String,
        rule: String,
    },
    /// Anything else.
    Other(String),
}

const AT: &str = " at '";
const FAILED: &str = "' failed to satisfy constraint: ";
pub(crate) const ENUM_RULE: &str = "Member must satisfy enum value set: [";
pub(crate) const NULL_RULE: &str = "Member must not be null";

/// What `api` says about a request: nothing, if it is right or wrong only in ways that need a table.
pub(crate) fn about(operation: OperationName, request: &Value) -> BTreeSet<Complaint> {
    let refusal = Request::decode(operation, request.to_string().as_bytes())
        .and_then(Request::check)
        .err();
    refusal.map_or_else(BTreeSet::new, |error| parse(&error.message()))
}

fn parse(message: &str) -> BTreeSet<Complaint> {
    let listed = message.split_once(" detected: ").map(|(_, list)| list);
    match listed.filter(|list| list.contains(FAILED)) {
        Some(list) => constraints(list),
        None => BTreeSet::from([Complaint::Other(without_repetition(message))]),
    }
}

/// Values are repeated in the message and may hold anything, so the list is read from its fixed words.
fn constraints(list: &str) -> BTreeSet<Complaint> {
    let mut pieces = list.split(FAILED);
    let mut before = pieces.next().unwrap_or_default();
    let mut complaints = BTreeSet::new();
    for piece in pieces {
        let path = before.rsplit(AT).next().unwrap_or_default();
        let rule = piece.split("; Value ").next().unwrap_or_default();
        complaints.insert(Complaint::Constraint {
            path: path.to_lowercase(),
            rule: rule.to_owned(),
        });
        before = piece;
    }
    complaints
}

/// A message that quotes a long sample is the same message when it quotes a longer one.
fn without_repetition(message: &str) -> String {
    let mut text = String::new();
    for letter in message.chars() {
        if !(letter == 'a' && text.ends_with('a')) {
            text.push(letter);
        }
    }
    text
}

/// The rules that are broken at this path.
pub(crate) fn rules_at<'c>(
    complaints: &'c BTreeSet<Complaint>,
    path: &str,
) -> impl Iterator<Item = &'c str> {
    let path = path.to_lowercase();
    complaints
        .iter()
        .filter_map(move |complaint| match complaint {
            Complaint::Constraint { path: at, rule } if *at == path => Some(rule.as_str()),
            _ => None,
        })
}

/// Whether one of them names the member, in a sentence of its own.
pub(crate) fn is_named(complaints: &BTreeSet<Complaint>, member: &str) -> bool {
    complaints.iter().any(|complaint| match complaint {
        Complaint::Other(message) => message.contains(member),
        Complaint::Constraint { .. } => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_constraints_is_taken_apart() {
        let complaints = parse(
            "2 validation errors detected: Value 'it's at 'x'; Value' at 'keySchema.1.member.keyType' \
             failed to satisfy constraint: Member must satisfy enum value set: [HASH, RANGE]; \
             Value null at 'tableName' failed to satisfy constraint: Member must not be null",
        );
        let rules: Vec<_> = rules_at(&complaints, "KeySchema.1.member.KeyType").collect();
        assert_eq!(rules, ["Member must satisfy enum value set: [HASH, RANGE]"]);
        let rules: Vec<_> = rules_at(&complaints, "TableName").collect();
        assert_eq!(rules, [NULL_RULE]);
    }

    #[test]
    fn other_messages_differ_by_more_than_the_length_of_a_sample() {
        assert_eq!(parse("no such name: aaaa"), parse("no such name: aaaaaaaa"));
        assert_ne!(parse("no such name: aaaa"), parse("too long: aaaaaaaa"));
    }
}
