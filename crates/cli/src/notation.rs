//! The two ways to write items down: plain JSON, and DynamoDB's own with a type at each value.

use crate::plain_json::{self, PlainItem, PlainValue};
use clap::Args;
use monotable_item::{EncodedItem, GivenItem, ValueView};
use serde::{Serialize, Serializer};

/// Which notation the user wants.
#[derive(Args, Clone, Debug)]
pub(crate) struct NotationArguments {
    /// Items in DynamoDB's own JSON, {"Released": {"N": "1965"}}, in and out
    ///
    /// Without it items are plain JSON, {"Released": 1965}. Numbers keep all their digits either way. A set
    /// prints as a plain array and a binary value as a base64 string, which do not read back as what
    /// they were: use --ddb-json for a copy that loses nothing.
    #[arg(long)]
    ddb_json: bool,
}

impl NotationArguments {
    /// The notation.
    pub(crate) const fn notation(&self) -> Notation {
        if self.ddb_json {
            Notation::Typed
        } else {
            Notation::Plain
        }
    }
}

/// How items are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notation {
    /// `{"Released": 1965}`.
    Plain,
    /// `{"Released": {"N": "1965"}}`.
    Typed,
}

impl Notation {
    /// Reads one item; the error says what is wrong with the text.
    pub(crate) fn read(self, text: &str) -> Result<EncodedItem, String> {
        let given = match self {
            Self::Plain => {
                let item = plain_json::read_item(text).map_err(|error| error.to_string())?;
                GivenItem::from(item)
            }
            Self::Typed => serde_json::from_str(text)
                .map_err(|error| format!("not an item in DynamoDB's JSON: {error}"))?,
        };
        given.into_checked().map_err(|problem| problem.to_string())
    }

    /// The item in this notation, to be serialized.
    pub(crate) const fn show(self, item: &EncodedItem) -> Shown<'_> {
        Shown {
            item,
            notation: self,
        }
    }

    /// One value in this notation, on one line.
    pub(crate) fn value(self, value: ValueView<'_>) -> String {
        let text = match self {
            Self::Plain => serde_json::to_string(&PlainValue(value)),
            Self::Typed => serde_json::to_string(&value.to_encoded()),
        };
        // Serializing a stored value into memory cannot fail.
        text.unwrap_or_default()
    }

    /// Whether the item reads back as it was.
    pub(crate) fn keeps(self, item: &EncodedItem) -> bool {
        match self {
            Self::Plain => plain_json::is_reversible(item.view()),
            Self::Typed => true,
        }
    }
}

/// An item in a notation.
pub(crate) struct Shown<'a> {
    item: &'a EncodedItem,
    notation: Notation,
}

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.notation {
            Notation::Plain => PlainItem(self.item.view()).serialize(serializer),
            Notation::Typed => self.item.serialize(serializer),
        }
    }
}
