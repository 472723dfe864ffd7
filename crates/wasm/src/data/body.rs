//! What hosts give, as JSON. Members that are not known are refused: a newer host may mean something by them.

use monotable_item::Item;
use monotable_store::wire;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// Reads a body; the problem is what the host has done wrong.
// Never inlined, as `CompiledModel::bind`.
#[inline(never)]
pub(super) fn read<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T, String> {
    serde_json::from_slice(body).map_err(|problem| problem.to_string())
}

/// What a store is opened with.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct OpenBody {
    /// The compiled model, as generated code carries it.
    pub(super) model: String,
    /// Names in DynamoDB, by the names of the tables in the model.
    #[serde(default)]
    pub(super) tables: BTreeMap<String, String>,
    #[serde(default, deserialize_with = "plain_item")]
    pub(super) settings: Item,
    /// What cursors are sealed with, instead of the secret of the store's own item.
    pub(super) cursor_key: Option<String>,
    #[serde(default)]
    pub(super) retry: RetryBody,
    /// Integers that hosts read without a bound: `Entity.attribute`.
    #[serde(default)]
    pub(super) bigint: Vec<String>,
}

/// How often, and how fast, requests are tried again; times in milliseconds.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RetryBody {
    pub(super) attempts: Option<u32>,
    pub(super) base: Option<u64>,
    pub(super) cap: Option<u64>,
}

/// What a call begins with.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StartBody<'a> {
    pub(super) store: u32,
    #[serde(borrow)]
    pub(super) operation: &'a RawValue,
    #[serde(default)]
    pub(super) options: OptionsBody,
    #[serde(default)]
    pub(super) context: ContextBody,
}

/// How an operation is carried out.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OptionsBody {
    #[serde(default, deserialize_with = "plain_item")]
    pub(super) expecting: Item,
    pub(super) token: Option<String>,
    #[serde(default)]
    pub(super) consistent: bool,
    #[serde(default)]
    pub(super) mode: CallMode,
}

/// Whether a call is made, or only looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum CallMode {
    #[default]
    Run,
    /// Reads and decides, and writes nothing.
    DryRun,
    /// The requests with what they cost.
    Explain,
    /// The requests alone, with every value.
    Requests,
}

/// In whose name, and from where, a call is made.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ContextBody {
    /// The caller whose rights are asked.
    #[serde(default, deserialize_with = "optional_item")]
    pub(super) principal: Option<Item>,
    /// A program that says who it is.
    #[serde(default, deserialize_with = "optional_item")]
    pub(super) program: Option<Item>,
    pub(super) tenant: Option<String>,
    pub(super) ip: Option<String>,
    pub(super) source: Option<String>,
    #[serde(default)]
    pub(super) consistent: bool,
}

/// What happened to an errand.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AnswerBody<'a> {
    pub(super) id: u64,
    /// DynamoDB's answer.
    #[serde(borrow)]
    pub(super) ok: Option<&'a RawValue>,
    /// DynamoDB's error, with its status.
    #[serde(borrow)]
    pub(super) error: Option<&'a RawValue>,
    pub(super) status: Option<u16>,
    /// It was sent, and no answer came.
    pub(super) lost: Option<String>,
    /// It never left.
    pub(super) unsent: Option<String>,
    /// The bcrypt hash that was asked for; none if the host makes none.
    pub(super) hash: Option<String>,
    /// The host has put right what was wrong.
    #[serde(default)]
    pub(super) again: bool,
    /// The host has sent it more than once by itself.
    #[serde(default)]
    pub(super) unsure: bool,
}

fn plain_item<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Item, D::Error> {
    let raw = Box::<RawValue>::deserialize(deserializer)?;
    wire::read_item(raw.get()).map_err(serde::de::Error::custom)
}

fn optional_item<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Item>, D::Error> {
    plain_item(deserializer).map(Some)
}
