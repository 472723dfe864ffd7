//! Texts of addresses as values of the kinds that the model says.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use monotable_item::AttributeValue;
use monotable_model::model::Kind;
use monotable_store::wire;

/// The value that a text stands for. A text that does not fit its kind stays a text, and the store then refuses it with what is
/// wanted.
#[must_use]
pub fn read_word(kind: Option<&Kind>, name: &str, text: String) -> AttributeValue {
    let value = match kind {
        Some(Kind::Integer(_) | Kind::Number(_) | Kind::Epoch) => {
            text.parse().ok().map(AttributeValue::N)
        }
        Some(Kind::Boolean) => text.parse().ok().map(AttributeValue::Bool),
        Some(Kind::List { .. } | Kind::Map) => wire::read_value(name, &text).ok(),
        Some(Kind::Binary) => {
            let bytes = STANDARD.decode(&text).or_else(|_| URL_SAFE.decode(&text));
            bytes.ok().map(AttributeValue::B)
        }
        _ => None,
    };
    value.unwrap_or(AttributeValue::S(text))
}
