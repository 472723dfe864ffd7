//! Answers as JSON.
//!
//! What serde_json would write, byte for byte, and the same errors. It looks at every byte of a text by itself, which was a
//! third of all work for a Query; here a text is looked at in blocks, and copied as a whole where nothing has to be escaped.

use serde::ser::{self, Serialize, Serializer};
use serde_json::Error;
use std::fmt::{self, Display, Write};

/// Counting forgets what was written whenever it is longer than this.
const COUNTED_AT_ONCE: usize = 64 << 10;

/// JSON that is being written.
#[derive(Debug)]
pub struct JsonText {
    bytes: Vec<u8>,
    overflow: Overflow,
}

/// What happens when a text becomes too long. It is looked at between members, so a text may have one member more.
#[derive(Debug)]
enum Overflow {
    /// Writing ends with an error beyond so many bytes.
    Refuse { most: usize },
    /// The text is only counted: so many bytes were written and forgotten.
    Forget { forgotten: usize },
}

impl JsonText {
    /// A text of any length, behind what is there.
    pub fn unbounded(bytes: Vec<u8>) -> Self {
        Self::bounded(bytes, usize::MAX)
    }

    /// A text that is not written to its end if it becomes longer than so many bytes.
    pub const fn bounded(bytes: Vec<u8>, most: usize) -> Self {
        Self {
            bytes,
            overflow: Overflow::Refuse { most },
        }
    }

    /// A text of which only the length is wanted.
    pub const fn counted() -> Self {
        Self {
            bytes: Vec::new(),
            overflow: Overflow::Forget { forgotten: 0 },
        }
    }

    /// How many bytes were written.
    #[must_use]
    pub const fn length(&self) -> usize {
        match self.overflow {
            Overflow::Refuse { .. } => self.bytes.len(),
            Overflow::Forget { forgotten } => forgotten + self.bytes.len(),
        }
    }

    /// What was written.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    #[inline]
    fn check(&mut self) -> Result<(), Error> {
        match &mut self.overflow {
            Overflow::Refuse { most } if self.bytes.len() > *most => {
                Err(ser::Error::custom(format_args!("longer than {most} bytes")))
            }
            Overflow::Forget { forgotten } if self.bytes.len() > COUNTED_AT_ONCE => {
                *forgotten += self.bytes.len();
                self.bytes.clear();
                Ok(())
            }
            Overflow::Refuse { .. } | Overflow::Forget { .. } => Ok(()),
        }
    }
}

/// Writes a value behind what is there.
pub(crate) fn write_json<T: Serialize + ?Sized>(
    out: &mut JsonText,
    value: &T,
) -> serde_json::Result<()> {
    value.serialize(JsonWriter { out })
}

struct JsonWriter<'w> {
    out: &'w mut JsonText,
}

/// The members of a list or an object.
struct Members<'w> {
    out: &'w mut JsonText,
    is_first: bool,
    close: u8,
}

/// Bytes that JSON cannot have in a text as they are.
const fn is_special(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// How many whole blocks of `N` bytes have nothing special in them, in bytes. Without branches inside of a block, so that
/// the compiler takes many bytes at once.
#[inline]
fn plain_blocks<const N: usize>(bytes: &[u8]) -> usize {
    let is_plain = |block: &&[u8]| {
        let found = block
            .iter()
            .fold(0, |found, byte| found | u8::from(is_special(*byte)));
        found == 0
    };
    bytes.chunks_exact(N).take_while(is_plain).count() * N
}

/// How many bytes from the beginning have nothing special in them. Names of attributes and types are shorter than a block.
#[inline]
fn plain_length(bytes: &[u8]) -> usize {
    let mut length = 0;
    if bytes.len() >= 8 {
        length = plain_blocks::<32>(bytes);
        let rest = bytes.get(length..).unwrap_or_default();
        length += plain_blocks::<8>(rest);
    }
    let rest = bytes.get(length..).unwrap_or_default();
    let special = rest.iter().position(|byte| is_special(*byte));
    length + special.unwrap_or(rest.len())
}

fn write_escaped(out: &mut Vec<u8>, text: &str) {
    let mut bytes = text.as_bytes();
    loop {
        let (plain, rest) = bytes
            .split_at_checked(plain_length(bytes))
            .unwrap_or((bytes, &[]));
        out.extend_from_slice(plain);
        let Some((special, rest)) = rest.split_first() else {
            return;
        };
        write_special(out, *special);
        bytes = rest;
    }
}

fn write_special(out: &mut Vec<u8>, byte: u8) {
    let short = match byte {
        b'"' => b'"',
        b'\\' => b'\\',
        0x08 => b'b',
        0x0c => b'f',
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        _ => {
            out.extend_from_slice(format!("\\u{byte:04x}").as_bytes());
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

/// What is displayed, as a part of a text.
struct Escaping<'w>(&'w mut Vec<u8>);

impl Write for Escaping<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        write_escaped(self.0, text);
        Ok(())
    }
}

impl<'w> JsonWriter<'w> {
    fn members(self, open: u8, close: u8) -> Members<'w> {
        self.out.bytes.push(open);
        Members {
            out: self.out,
            is_first: true,
            close,
        }
    }

    fn number(self, value: impl Serialize) -> Result<(), Error> {
        serde_json::to_writer(&mut self.out.bytes, &value)
    }
}

/// A form that no answer has.
fn no_such_form<T>() -> Result<T, Error> {
    Err(ser::Error::custom(
        "answers have no enumerations with members",
    ))
}

/// Numbers are rare in answers: items have theirs as texts.
macro_rules! numbers {
    ($($method:ident: $type:ty;)*) => {$(
        fn $method(self, value: $type) -> Result<(), Error> {
            self.number(value)
        }
    )*};
}

impl<'w> Serializer for JsonWriter<'w> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Members<'w>;
    type SerializeTuple = Members<'w>;
    type SerializeTupleStruct = Members<'w>;
    type SerializeTupleVariant = ser::Impossible<(), Error>;
    type SerializeMap = Members<'w>;
    type SerializeStruct = Members<'w>;
    type SerializeStructVariant = ser::Impossible<(), Error>;

    numbers! {
        serialize_i8: i8;
        serialize_i16: i16;
        serialize_i32: i32;
        serialize_i64: i64;
        serialize_u8: u8;
        serialize_u16: u16;
        serialize_u32: u32;
        serialize_u64: u64;
        serialize_f32: f32;
        serialize_f64: f64;
    }

    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        let text: &[u8] = if value { b"true" } else { b"false" };
        self.out.bytes.extend_from_slice(text);
        Ok(())
    }

    fn serialize_char(self, value: char) -> Result<(), Error> {
        self.collect_str(&value)
    }

    #[inline]
    fn serialize_str(self, text: &str) -> Result<(), Error> {
        self.out.bytes.push(b'"');
        write_escaped(&mut self.out.bytes, text);
        self.out.bytes.push(b'"');
        Ok(())
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<(), Error> {
        self.out.bytes.push(b'"');
        write!(Escaping(&mut self.out.bytes), "{value}").map_err(ser::Error::custom)?;
        self.out.bytes.push(b'"');
        Ok(())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), Error> {
        self.collect_seq(bytes)
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.out.bytes.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Error> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Error> {
        no_such_form()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Members<'w>, Error> {
        Ok(self.members(b'[', b']'))
    }

    fn serialize_tuple(self, _: usize) -> Result<Members<'w>, Error> {
        Ok(self.members(b'[', b']'))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Members<'w>, Error> {
        Ok(self.members(b'[', b']'))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Error> {
        no_such_form()
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Members<'w>, Error> {
        Ok(self.members(b'{', b'}'))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Members<'w>, Error> {
        Ok(self.members(b'{', b'}'))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Error> {
        no_such_form()
    }
}

impl Members<'_> {
    #[inline]
    fn separate(&mut self) -> Result<(), Error> {
        if self.is_first {
            self.is_first = false;
        } else {
            self.out.bytes.push(b',');
        }
        self.out.check()
    }

    #[inline]
    fn write<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        write_json(self.out, value)
    }

    fn close(self) {
        self.out.bytes.push(self.close);
    }
}

/// Lists of all kinds.
macro_rules! lists {
    ($($kind:ident, $method:ident;)*) => {$(
        impl ser::$kind for Members<'_> {
            type Ok = ();
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.separate()?;
                self.write(value)
            }

            fn end(self) -> Result<(), Error> {
                self.close();
                Ok(())
            }
        }
    )*};
}

lists! {
    SerializeSeq, serialize_element;
    SerializeTuple, serialize_element;
    SerializeTupleStruct, serialize_field;
}

impl ser::SerializeMap for Members<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.separate()?;
        self.write(key)
    }

    #[inline]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.out.bytes.push(b':');
        self.write(value)
    }

    fn end(self) -> Result<(), Error> {
        self.close();
        Ok(())
    }
}

impl ser::SerializeStruct for Members<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        ser::SerializeMap::serialize_entry(self, name, value)
    }

    fn end(self) -> Result<(), Error> {
        self.close();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    fn written<T: Serialize + ?Sized>(value: &T) -> String {
        let mut out = JsonText::unbounded(Vec::new());
        write_json(&mut out, value).unwrap();
        String::from_utf8(out.into_bytes()).unwrap()
    }

    #[test]
    fn a_text_that_becomes_too_long_is_refused_soon() {
        let values = vec!["x".repeat(98); 1000];
        let mut out = JsonText::bounded(Vec::new(), 5000);
        let error = write_json(&mut out, &values).unwrap_err();
        assert_eq!(error.to_string(), "longer than 5000 bytes");
        assert!(out.length() < 5200, "{}", out.length());
        let whole = serde_json::to_string(&values).unwrap().len();
        let mut out = JsonText::bounded(Vec::new(), whole);
        write_json(&mut out, &values).unwrap();
        assert_eq!(out.length(), whole);
    }

    #[test]
    fn a_text_is_counted_without_being_kept() {
        let values = vec!["x".repeat(98); 10_000];
        let mut out = JsonText::counted();
        write_json(&mut out, &values).unwrap();
        assert_eq!(out.length(), serde_json::to_string(&values).unwrap().len());
        assert!(out.into_bytes().capacity() < 4 * COUNTED_AT_ONCE);
    }

    #[test]
    fn every_character_is_escaped_as_serde_json_does() {
        // At every place of a block, and behind it.
        for code in (0..0x300).chain([0x2028, 0x1f600]) {
            let character = char::from_u32(code).unwrap();
            for before in [0, 1, 7, 8, 31, 32, 33, 40, 71] {
                let text = format!("{}{character}{}", "x".repeat(before), "y".repeat(50));
                assert_eq!(written(&text), serde_json::to_string(&text).unwrap());
            }
            assert_eq!(
                written(&character),
                serde_json::to_string(&character).unwrap()
            );
        }
    }

    #[test]
    fn absent_values_and_numbers() {
        let values = (
            Some(1_u8),
            None::<u8>,
            (),
            -7_i64,
            u64::MAX,
            0.5,
            1_731_700_000.123,
            true,
            false,
        );
        assert_eq!(written(&values), serde_json::to_string(&values).unwrap());
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            ".{0,80}".prop_map(Value::from),
            "[ -~]{0,80}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::btree_map(".{0,40}", inner, 0..6)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn values_are_written_as_serde_json_does(value in values()) {
            prop_assert_eq!(written(&value), serde_json::to_string(&value).unwrap());
        }
    }
}
