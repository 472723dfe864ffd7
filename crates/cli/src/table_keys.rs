//! The keys of a table and of its indexes, and keys as users type them.

use crate::exit::Failure;
use crate::notation::Notation;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use monotable_api::{
    AttributeDefinition, DescribeTableInput, Dynamo, DynamoExt, KeyAttribute, KeySchemaElement,
    ScalarAttributeType, TableDescription,
};
use monotable_item::key::KeyType;
use monotable_item::{AttributeValue, EncodedItem, Item};
use std::collections::BTreeMap;

/// A key: the partition key, then the sort key if there is one.
pub(crate) type Key = Vec<KeyAttribute>;

/// The keys of a table and of its indexes.
#[derive(Clone, Debug)]
pub(crate) struct TableKeys {
    /// The table's own key.
    pub(crate) key: Key,
    /// The keys of its indexes, by name.
    pub(crate) indexes: BTreeMap<String, Key>,
}

impl TableKeys {
    /// Asks for the keys of a table.
    pub(crate) async fn describe(dynamo: &dyn Dynamo, table: &str) -> Result<Self, Failure> {
        let answer = dynamo
            .describe_table(DescribeTableInput::new(table))
            .await?;
        Ok(Self::of(&answer.table.unwrap_or_default()))
    }

    /// The keys that a description tells.
    pub(crate) fn of(table: &TableDescription) -> Self {
        let definitions = table.attribute_definitions.as_deref().unwrap_or_default();
        let key = |schema: &Option<Vec<KeySchemaElement>>| -> Key {
            let elements = schema.iter().flatten();
            elements
                .filter_map(|element| key_attribute(element, definitions))
                .collect()
        };
        let global = table.global_secondary_indexes.iter().flatten();
        let local = table.local_secondary_indexes.iter().flatten();
        let indexes = global
            .map(|index| (index.index_name.clone(), key(&index.key_schema)))
            .chain(local.map(|index| (index.index_name.clone(), key(&index.key_schema))));
        Self {
            key: key(&table.key_schema),
            indexes: indexes
                .filter_map(|(name, key)| Some((name?, key)))
                .collect(),
        }
    }

    /// The key of an index, or of the table.
    pub(crate) fn of_index(&self, index: Option<&str>) -> Result<&Key, Failure> {
        let Some(name) = index else {
            return Ok(&self.key);
        };
        self.indexes.get(name).ok_or_else(|| {
            let failure = Failure::usage(format_args!("the table has no index {name}"));
            if self.indexes.is_empty() {
                return failure.help("it has no indexes");
            }
            let names: Vec<&str> = self.indexes.keys().map(String::as_str).collect();
            failure.help(format_args!("its indexes are {}", names.join(", ")))
        })
    }

    /// The attributes that a page of this index or of the table ends with.
    pub(crate) fn page_key(&self, index: Option<&str>) -> Result<Key, Failure> {
        let mut all = self.of_index(index)?.clone();
        for attribute in &self.key {
            if !all.contains(attribute) {
                all.push(attribute.clone());
            }
        }
        Ok(all)
    }
}

fn key_attribute(
    element: &KeySchemaElement,
    definitions: &[AttributeDefinition],
) -> Option<KeyAttribute> {
    let name = element.attribute_name.as_ref()?;
    let definition = definitions
        .iter()
        .find(|definition| definition.attribute_name.as_ref() == Some(name))?;
    let kind = definition.attribute_type.as_ref()?.known()?;
    Some(KeyAttribute {
        name: name.clone(),
        kind: kind.into(),
    })
}

/// `Artist:S Song:S`.
pub(crate) fn describe(key: &Key) -> String {
    let attribute =
        |key: &KeyAttribute| format!("{}:{}", key.name, ScalarAttributeType::from(key.kind));
    key.iter().map(attribute).collect::<Vec<_>>().join(" ")
}

/// `Artist=... Song=...`, to tell the user what is expected.
fn expected(key: &Key) -> String {
    let example = |attribute: &KeyAttribute| match attribute.kind {
        KeyType::S => format!("{}=TEXT", attribute.name),
        KeyType::N => format!("{}=NUMBER", attribute.name),
        KeyType::B => format!("{}=BASE64", attribute.name),
    };
    key.iter().map(example).collect::<Vec<_>>().join(" ")
}

/// A key value as the user typed it, of the type that the key has.
pub(crate) fn typed(attribute: &KeyAttribute, text: &str) -> Result<AttributeValue, Failure> {
    let wrong = |what: String| Failure::usage(format_args!("{}: {what}", attribute.name));
    match attribute.kind {
        KeyType::S => Ok(AttributeValue::S(text.to_owned())),
        KeyType::N => match text.parse() {
            Ok(number) => Ok(AttributeValue::N(number)),
            Err(error) => Err(wrong(format!("not a number: {error}"))),
        },
        KeyType::B => match STANDARD.decode(text) {
            Ok(bytes) => Ok(AttributeValue::B(bytes)),
            Err(error) => Err(wrong(format!("not base64: {error}"))),
        },
    }
}

/// A key from the command line: a JSON object, `name=value` for each attribute, or the bare values.
pub(crate) fn parse_key(key: &Key, words: &[String], notation: Notation) -> Result<Item, Failure> {
    if let [text] = words
        && text.trim_start().starts_with('{')
    {
        return parse_object(key, text, notation);
    }
    let texts = named(key, words).unwrap_or_else(|| words.iter().map(String::as_str).collect());
    if texts.len() != key.len() {
        let failure = Failure::usage(format_args!("the table's key is {}", describe(key)));
        return Err(failure.help(format_args!("give {}, or a JSON object", expected(key))));
    }
    key.iter()
        .zip(texts)
        .map(|(attribute, text)| Ok((attribute.name.clone(), typed(attribute, text)?)))
        .collect()
}

/// The values in the key's order, if every word is `name=value` and every attribute is named.
fn named<'w>(key: &Key, words: &'w [String]) -> Option<Vec<&'w str>> {
    let value_of = |attribute: &KeyAttribute| {
        words.iter().find_map(|word| {
            let rest = word.strip_prefix(attribute.name.as_str())?;
            rest.strip_prefix('=')
        })
    };
    let values: Option<Vec<&str>> = key.iter().map(value_of).collect();
    values.filter(|values| values.len() == words.len())
}

/// A key as a JSON object. Binary keys are base64 strings in plain JSON.
pub(crate) fn parse_object(key: &Key, text: &str, notation: Notation) -> Result<Item, Failure> {
    let object = notation.read(text).map_err(Failure::usage)?;
    let mut item = object.to_item();
    for attribute in key.iter().filter(|attribute| attribute.kind == KeyType::B) {
        if let Some(AttributeValue::S(text)) = item.get(&attribute.name) {
            let bytes = typed(attribute, text)?;
            item.insert(attribute.name.clone(), bytes);
        }
    }
    Ok(item)
}

/// The attributes of `key` that an item has; none if one is missing.
pub(crate) fn key_of(item: &EncodedItem, key: &Key) -> Option<EncodedItem> {
    let value = |attribute: &KeyAttribute| {
        let value = item.view().get(&attribute.name)?;
        Some((attribute.name.clone(), value.to_value()))
    };
    let attributes: Option<Item> = key.iter().map(value).collect();
    attributes.map(EncodedItem::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> Key {
        let attribute = |name: &str, kind| KeyAttribute {
            name: name.to_owned(),
            kind,
        };
        vec![attribute("pk", KeyType::B), attribute("sk", KeyType::N)]
    }

    fn parse(words: &[&str]) -> Result<Item, Failure> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        parse_key(&key(), &words, Notation::Plain)
    }

    #[test]
    fn all_ways_to_type_a_key() {
        let expected = Item::new()
            .with("pk", AttributeValue::B(vec![1]))
            .with("sk", 5);
        assert_eq!(parse(&["pk=AQ==", "sk=5"]).unwrap(), expected);
        assert_eq!(parse(&["sk=5", "pk=AQ=="]).unwrap(), expected);
        assert_eq!(parse(&["AQ==", "5.0"]).unwrap(), expected);
        assert_eq!(parse(&[r#" {"pk":"AQ==","sk":5}"#]).unwrap(), expected);
        let typed = [r#"{"pk":{"B":"AQ=="},"sk":{"N":"5"}}"#.to_owned()];
        assert_eq!(
            parse_key(&key(), &typed, Notation::Typed).unwrap(),
            expected
        );
    }

    #[test]
    fn wrong_keys_are_refused() {
        for words in [
            &["AQ=="][..],
            &["AQ==", "x"],
            &["!", "5"],
            &["AQ==", "5", "6"],
            &["{"],
        ] {
            assert!(parse(words).is_err(), "{words:?}");
        }
    }
}
