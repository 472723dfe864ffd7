//! What an operation comes to, as far as the model knows it.

use monotable_item::Item;
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    Done,
    Attributes(Option<Item>),
    /// All pages together; no items when only their count was asked for.
    Read {
        items: Option<Vec<Item>>,
        count: u64,
        scanned: u64,
    },
    Names(Vec<String>, Option<String>),
    Described(Described),
    /// By table, in no order.
    Found(BTreeMap<String, Vec<Item>>),
    Items(Vec<Option<Item>>),
    Failed(Failure),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    pub keys: Vec<String>,
    pub indexes: Vec<String>,
    pub protected: bool,
    pub provisioned: Option<u64>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Failure {
    pub code: &'static str,
    /// Left open where the words are not this test's matter.
    pub message: Option<String>,
    pub item: Option<Item>,
    pub reasons: Vec<(String, Option<Item>)>,
}

impl Failure {
    pub fn invalid() -> Self {
        Self {
            code: "ValidationException",
            ..Self::default()
        }
    }

    pub fn invalid_because(message: &str) -> Self {
        Self {
            message: Some(message.to_owned()),
            ..Self::invalid()
        }
    }

    pub fn not_found() -> Self {
        Self {
            code: "ResourceNotFoundException",
            ..Self::default()
        }
    }

    pub fn condition(item: Option<Item>) -> Self {
        Self {
            code: "ConditionalCheckFailedException",
            message: Some("The conditional request failed".into()),
            item,
            ..Self::default()
        }
    }

    pub fn cancelled(reasons: Vec<(String, Option<Item>)>) -> Self {
        let codes: Vec<&str> = reasons.iter().map(|(code, _)| code.as_str()).collect();
        let codes = codes.join(", ");
        Self {
            code: "TransactionCanceledException",
            message: Some(format!(
                "Transaction cancelled, please refer cancellation reasons for specific reasons [{codes}]"
            )),
            item: None,
            reasons,
        }
    }
}

impl Outcome {
    /// Whether the engine's outcome is this one, which the model expects.
    pub fn agrees_with(&self, actual: &Self) -> bool {
        match (self, actual) {
            (Self::Failed(expected), Self::Failed(actual)) if expected.message.is_none() => {
                let open = Failure {
                    message: None,
                    ..actual.clone()
                };
                *expected == open
            }
            _ => self == actual,
        }
    }
}

/// Items in an order of their own: where the engine's order has no meaning.
pub fn sorted(mut items: Vec<Item>) -> Vec<Item> {
    items.sort_by_cached_key(|item| format!("{item:?}"));
    items
}
