//! The views as DynamoDB JSON, without a tree in between.

use crate::{EncodedItem, EncodedValue, ItemView, ListView, SetView, ValueView};
use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use serde::ser::{Serialize, SerializeMap, Serializer};

impl Serialize for EncodedItem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.view().serialize(serializer)
    }
}

impl Serialize for EncodedValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.view().serialize(serializer)
    }
}

impl Serialize for ItemView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl Serialize for ValueView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        let kind = self.attribute_type().name();
        match self {
            Self::S(text) => map.serialize_entry(kind, text),
            Self::N(number) => map.serialize_entry(kind, number.as_str()),
            Self::B(bytes) => map.serialize_entry(kind, &Base64(bytes)),
            Self::Bool(value) => map.serialize_entry(kind, value),
            Self::Null => map.serialize_entry(kind, &true),
            Self::M(item) => map.serialize_entry(kind, item),
            Self::L(list) => map.serialize_entry(kind, &Values(*list)),
            Self::Ss(set) | Self::Ns(set) => map.serialize_entry(kind, &Texts(*set)),
            Self::Bs(set) => map.serialize_entry(kind, &Binaries(*set)),
        }?;
        map.end()
    }
}

struct Base64<'a>(&'a [u8]);

impl Serialize for Base64<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&Base64Display::new(self.0, &STANDARD))
    }
}

struct Values<'a>(ListView<'a>);

impl Serialize for Values<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter())
    }
}

struct Texts<'a>(SetView<'a>);

impl Serialize for Texts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.texts())
    }
}

struct Binaries<'a>(SetView<'a>);

impl Serialize for Binaries<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(Base64))
    }
}
