//! `structure!`: a structure of the wire protocol.
//!
//! Every member of an AWS structure may be absent, and JSON `null` means absent, so every field is
//! an `Option` and absent members are not written. Members are PascalCase on the wire.
//!
//! What serde's derive alone does not give: a derived structure also reads from a JSON *array*, by
//! position. AWS answers that with a SerializationException, so the macro reads through
//! [`MapOnly`], which asks the deserializer for a map.

use serde::Deserializer;
use serde::de::Visitor;
use serde::forward_to_deserialize_any;

/// Declares wire structures; fields are written as `name: Type` and become `pub name: Option<Type>`.
macro_rules! structure {
    ($(
        $(#[$meta:meta])*
        pub struct $name:ident {
            $( $(#[$field_meta:meta])* $field:ident : $type:ty, )*
        }
    )*) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(remote = "Self", rename_all = "PascalCase")]
        pub struct $name {
            $(
                $(#[$field_meta])*
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $field: Option<$type>,
            )*
        }

        $crate::structure::map_only!($name);
    )*};
}

/// Gives a type that derives serde with `remote = "Self"` its trait implementations, reading only
/// from JSON objects.
macro_rules! map_only {
    ($name:ident) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $name::serialize(self, serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                monotable_item::charge(size_of::<Self>())?;
                $name::deserialize($crate::structure::MapOnly(deserializer))
            }
        }
    };
}

pub(crate) use {map_only, structure};

/// A deserializer that gives a map whatever it is asked for.
pub(crate) struct MapOnly<D>(pub(crate) D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for MapOnly<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use crate::{ListTablesInput, ProvisionedThroughput};

    #[test]
    fn absent_and_null_members_are_none_and_unknown_ones_are_ignored() {
        let input: ListTablesInput = serde_json::from_str(r#"{"Limit":null,"Other":[1]}"#).unwrap();
        assert_eq!(input, ListTablesInput::default());
        assert_eq!(serde_json::to_string(&input).unwrap(), "{}");
    }

    #[test]
    fn an_array_is_not_a_structure() {
        let error = serde_json::from_str::<ProvisionedThroughput>("[1, 2]").unwrap_err();
        let expected = "invalid type: sequence, expected struct ProvisionedThroughput";
        assert!(error.to_string().starts_with(expected));
    }
}
