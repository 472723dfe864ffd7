//! Values as AWS repeats them in messages: the way Java prints its objects.
//!
//! A structure is `KeySchemaElement(attributeName=a, keyType=HASH)` with `null` for members that are
//! absent, a map is `{a=..., b=...}`, a list `[..., ...]`, and text stands as it is. AWS prints an attribute
//! value as the name of its class with a number that nobody can know before; here it is
//! `AttributeValue(s=a)`.
//!
//! The printer is a serializer, so that it prints whatever has a JSON form.

use serde::ser::{
    self, Impossible, Serialize, SerializeMap, SerializeSeq, SerializeStruct, Serializer,
};
use std::fmt::{self, Display, Formatter, Write};

/// Of a value that is longer than this, only the beginning is repeated.
pub(crate) const MOST_ECHOED: usize = 128 << 10;

/// Prints a value of the wire protocol as Java would. A long one is printed as far as [`MOST_ECHOED`], and a little further.
pub(crate) struct Echo<T>(pub(crate) T);

impl<T: Serialize> Display for Echo<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        let printed = self.0.serialize(Printer {
            text: &mut text,
            content: Content::Plain,
        });
        // A request can hold a value that no DynamoDB would take, and then has no form to print.
        match printed {
            Ok(()) => f.write_str(&text),
            Err(_) if text.len() > MOST_ECHOED => f.write_str(&text),
            Err(_) => f.write_char('?'),
        }
    }
}

/// What is printed: attribute values are maps on the wire and objects in Java.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Plain,
    /// An item or a key, or a list of them.
    Item,
    /// An attribute value, or a list of them.
    Value,
}

impl Content {
    /// What a member of a structure holds.
    fn of_member(name: &str) -> Self {
        match name {
            "Item" | "Key" | "Keys" | "ExpressionAttributeValues" => Self::Item,
            _ => Self::Plain,
        }
    }

    /// What an entry of a map holds.
    fn of_entry(self, name: &str) -> Self {
        match (self, name) {
            (Self::Item, _) | (Self::Value, "L") => Self::Value,
            (Self::Value, "M") => Self::Item,
            (Self::Plain | Self::Value, _) => Self::Plain,
        }
    }
}

struct Printer<'t> {
    text: &'t mut String,
    content: Content,
}

/// A list, map or structure of which some is printed.
struct Parts<'t> {
    text: &'t mut String,
    content: Content,
    /// What the entry of a map holds whose name was printed last.
    entry: Content,
    is_first: bool,
    close: char,
}

impl<'t> Printer<'t> {
    fn open(self, open: &str, close: char) -> Parts<'t> {
        self.text.push_str(open);
        Parts {
            text: self.text,
            content: self.content,
            entry: Content::Plain,
            is_first: true,
            close,
        }
    }

    fn print(self, value: impl Display) -> Result<(), NotPrinted> {
        write!(self.text, "{value}").map_err(|_| NotPrinted)
    }
}

impl Parts<'_> {
    fn separate(&mut self) {
        if !self.is_first {
            self.text.push_str(", ");
        }
        self.is_first = false;
    }

    /// Prints the name of a member: Java's begin with a small letter.
    fn name_member(&mut self, name: &str) {
        self.separate();
        let mut letters = name.chars();
        self.text
            .extend(letters.next().map(|first| first.to_ascii_lowercase()));
        self.text.push_str(letters.as_str());
        self.text.push('=');
    }

    fn print<T: Serialize + ?Sized>(
        &mut self,
        value: &T,
        content: Content,
    ) -> Result<(), NotPrinted> {
        if self.text.len() > MOST_ECHOED {
            return Err(NotPrinted);
        }
        value.serialize(Printer {
            text: self.text,
            content,
        })
    }

    fn close(self) {
        self.text.push(self.close);
    }
}

impl SerializeSeq for Parts<'_> {
    type Ok = ();
    type Error = NotPrinted;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotPrinted> {
        self.separate();
        self.print(value, self.content)
    }

    fn end(self) -> Result<(), NotPrinted> {
        self.close();
        Ok(())
    }
}

impl SerializeMap for Parts<'_> {
    type Ok = ();
    type Error = NotPrinted;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), NotPrinted> {
        let mut name = String::new();
        key.serialize(Printer {
            text: &mut name,
            content: Content::Plain,
        })?;
        self.entry = self.content.of_entry(&name);
        self.separate();
        if self.content == Content::Value {
            name.make_ascii_lowercase();
        }
        self.text.push_str(&name);
        self.text.push('=');
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotPrinted> {
        self.print(value, self.entry)
    }

    fn end(self) -> Result<(), NotPrinted> {
        self.close();
        Ok(())
    }
}

impl SerializeStruct for Parts<'_> {
    type Ok = ();
    type Error = NotPrinted;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), NotPrinted> {
        self.name_member(name);
        self.print(value, Content::of_member(name))
    }

    fn skip_field(&mut self, name: &'static str) -> Result<(), NotPrinted> {
        self.name_member(name);
        self.text.push_str("null");
        Ok(())
    }

    fn end(self) -> Result<(), NotPrinted> {
        self.close();
        Ok(())
    }
}

/// Prints with `Display` what Java prints so, too.
macro_rules! print_plain {
    ($($method:ident: $type:ty),* $(,)?) => {$(
        fn $method(self, value: $type) -> Result<(), NotPrinted> {
            self.print(value)
        }
    )*};
}

impl<'t> Serializer for Printer<'t> {
    type Ok = ();
    type Error = NotPrinted;
    type SerializeSeq = Parts<'t>;
    type SerializeTuple = Impossible<(), NotPrinted>;
    type SerializeTupleStruct = Impossible<(), NotPrinted>;
    type SerializeTupleVariant = Impossible<(), NotPrinted>;
    type SerializeMap = Parts<'t>;
    type SerializeStruct = Parts<'t>;
    type SerializeStructVariant = Impossible<(), NotPrinted>;

    print_plain! {
        serialize_bool: bool,
        serialize_i8: i8,
        serialize_i16: i16,
        serialize_i32: i32,
        serialize_i64: i64,
        serialize_u8: u8,
        serialize_u16: u16,
        serialize_u32: u32,
        serialize_u64: u64,
        serialize_f32: f32,
        serialize_f64: f64,
        serialize_char: char,
        serialize_str: &str,
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<(), NotPrinted> {
        Err(NotPrinted)
    }

    fn serialize_none(self) -> Result<(), NotPrinted> {
        self.print("null")
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), NotPrinted> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), NotPrinted> {
        self.print("null")
    }

    fn serialize_unit_struct(self, name: &'static str) -> Result<(), NotPrinted> {
        self.print(name)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), NotPrinted> {
        self.print(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), NotPrinted> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), NotPrinted> {
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Parts<'t>, NotPrinted> {
        Ok(self.open("[", ']'))
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, NotPrinted> {
        Err(NotPrinted)
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct, NotPrinted> {
        Err(NotPrinted)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, NotPrinted> {
        Err(NotPrinted)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Parts<'t>, NotPrinted> {
        Ok(match self.content {
            Content::Value => self.open("AttributeValue(", ')'),
            Content::Plain | Content::Item => self.open("{", '}'),
        })
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Parts<'t>, NotPrinted> {
        Ok(self.open(&format!("{}(", class_name(name)), ')'))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, NotPrinted> {
        Err(NotPrinted)
    }
}

/// AWS's name of a structure. Those of a transaction's actions are longer here, because the same words
/// name other things.
fn class_name(name: &'static str) -> &'static str {
    match name {
        "TransactPut" => "Put",
        "TransactUpdate" => "Update",
        "TransactDelete" => "Delete",
        "TransactConditionCheck" => "ConditionCheck",
        name => name,
    }
}

/// A value that has no form on the wire.
#[derive(Debug)]
struct NotPrinted;

impl Display for NotPrinted {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("the value has no form on the wire")
    }
}

impl std::error::Error for NotPrinted {}

impl ser::Error for NotPrinted {
    fn custom<T: Display>(_: T) -> Self {
        Self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{KeySchemaElement, KeysAndAttributes, WriteRequest};
    use std::collections::BTreeMap;

    fn echo<'de, T: serde::Deserialize<'de> + Serialize>(json: &'de str) -> String {
        Echo(serde_json::from_str::<T>(json).unwrap()).to_string()
    }

    #[test]
    fn structures_name_their_members() {
        assert_eq!(
            echo::<Vec<KeySchemaElement>>(
                r#"[{"AttributeName":"a","KeyType":"HASH"},{"AttributeName":"b"}]"#
            ),
            "[KeySchemaElement(attributeName=a, keyType=HASH), \
             KeySchemaElement(attributeName=b, keyType=null)]",
        );
        assert_eq!(
            echo::<KeysAndAttributes>(r#"{"Keys":[{"S":{"N":"1"}}],"ConsistentRead":true}"#),
            "KeysAndAttributes(keys=[{S=AttributeValue(n=1)}], attributesToGet=null, \
             consistentRead=true, projectionExpression=null, expressionAttributeNames=null)",
        );
    }

    #[test]
    fn maps_and_lists_show_what_they_hold() {
        type Writes = BTreeMap<String, Vec<WriteRequest>>;
        assert_eq!(echo::<Writes>(r#"{"abc":[]}"#), "{abc=[]}");
        assert_eq!(
            echo::<Writes>(
                r#"{"abc":[{"PutRequest":{"Item":{"M":{"M":{"L":{"L":[{"BOOL":true},{"SS":["x"]}]}}}}}}]}"#
            ),
            "{abc=[WriteRequest(putRequest=PutRequest(item={M=AttributeValue(m={L=AttributeValue(\
             l=[AttributeValue(bool=true), AttributeValue(ss=[x])])})}), deleteRequest=null)]}",
        );
        assert_eq!(echo::<Vec<String>>(r#"["a","b"]"#), "[a, b]");
    }
}
