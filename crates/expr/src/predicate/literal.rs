//! Literals of predicates: `'text'`, `1.5`, `true`.

use super::Span;
use crate::tree::Constant;
use monotable_item::{AttributeValue, EncodedValue, Number, NumberError, ValueView};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use std::fmt;

/// A text, number or boolean. Two are equal if their values are, wherever they are written.
#[derive(Clone, Debug)]
pub struct Literal {
    value: EncodedValue,
    span: Span,
}

impl Literal {
    pub(super) fn new(value: impl Into<AttributeValue>, span: Span) -> Self {
        let value = EncodedValue::from(value.into());
        Self { value, span }
    }

    /// The literal that `text` is: in quotes, or a number.
    pub(super) fn read(text: &str, span: Span) -> Result<Self, NumberError> {
        match unquoted(text, '\'') {
            Some(inner) => Ok(Self::new(inner, span)),
            None => text.parse::<Number>().map(|number| Self::new(number, span)),
        }
    }

    /// The value.
    pub fn value(&self) -> ValueView<'_> {
        self.value.view()
    }

    /// A copy of the value.
    pub fn to_value(&self) -> AttributeValue {
        self.value().to_value()
    }

    /// Where the literal is written.
    pub const fn span(&self) -> Span {
        self.span
    }
}

/// A literal as data. A number is its text, which every format can hold.
#[derive(Serialize, Deserialize)]
enum WrittenValue {
    Text(String),
    Number(String),
    Boolean(bool),
}

impl Serialize for Literal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = match self.value() {
            ValueView::S(text) => WrittenValue::Text(text.to_owned()),
            ValueView::N(number) => WrittenValue::Number(number.as_str().to_owned()),
            ValueView::Bool(value) => WrittenValue::Boolean(value),
            // INVARIANT: a literal is one of the above.
            _ => {
                return Err(ser::Error::custom(
                    "a literal is a text, a number or a boolean",
                ));
            }
        };
        (value, self.span).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Literal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (value, span) = Deserialize::deserialize(deserializer)?;
        Ok(match value {
            WrittenValue::Text(text) => Self::new(text, span),
            WrittenValue::Number(digits) => {
                let number: Number = digits.parse().map_err(de::Error::custom)?;
                Self::new(number, span)
            }
            WrittenValue::Boolean(value) => Self::new(value, span),
        })
    }
}

impl Constant for Literal {
    fn view(&self) -> ValueView<'_> {
        self.value()
    }
}

impl PartialEq for Literal {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Eq for Literal {}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value() {
            ValueView::S(text) => write!(f, "'{}'", text.replace('\'', "''")),
            ValueView::N(number) => f.write_str(&short_number(number.as_str())),
            ValueView::Bool(value) => write!(f, "{value}"),
            // INVARIANT: a literal is one of the above.
            other => write!(f, "{other:?}"),
        }
    }
}

/// What stands between the quotes around `text`, doubled ones once.
pub(super) fn unquoted(text: &str, quote: char) -> Option<String> {
    let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
    let doubled = String::from_iter([quote, quote]);
    Some(inner.replace(&doubled, quote.encode_utf8(&mut [0; 4])))
}

/// A number with up to 125 zeros in front or behind is written with an exponent.
fn short_number(digits: &str) -> String {
    const LONG: usize = 45;
    if digits.len() <= LONG {
        return digits.to_owned();
    }
    let (sign, unsigned) = match digits.strip_prefix('-') {
        Some(unsigned) => ("-", unsigned),
        None => ("", digits),
    };
    match unsigned.split_once('.') {
        None => {
            let significant = unsigned.trim_end_matches('0');
            let zeros = unsigned.len() - significant.len();
            format!("{sign}{significant}e{zeros}")
        }
        Some((whole, fraction)) => {
            let significant = format!("{whole}{fraction}");
            let significant = significant.trim_start_matches('0');
            format!("{sign}{significant}e-{}", fraction.len())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_get_short() {
        for (text, short) in [
            ("1e125", "1e125"),
            ("-12e100", "-12e100"),
            ("-1.5e-100", "-15e-101"),
            ("1000", "1000"),
            ("0.001", "0.001"),
            (
                "12345678901234567890123456789012345678",
                "12345678901234567890123456789012345678",
            ),
        ] {
            let literal = Literal::read(text, Span::default()).unwrap();
            assert_eq!(literal.to_string(), short);
            assert_eq!(Literal::read(short, Span::default()).unwrap(), literal);
        }
    }
}
