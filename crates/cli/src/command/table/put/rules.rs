//! Whether an item can be written to a table: everything that can be known before it is sent.

use crate::notation::Notation;
use crate::table_keys::TableKeys;
use monotable_api::{KeyAttribute, PutItemInput};
use monotable_item::{EncodedItem, ValueView, limits};

/// The rules of one table.
pub(super) struct Rules<'a> {
    table: &'a str,
    notation: Notation,
    /// The table's key, which every item has.
    required: Vec<KeyRule>,
    /// Keys of indexes, which an item may lack.
    optional: Vec<KeyRule>,
}

/// What a key attribute must be.
#[derive(Clone, Debug)]
struct KeyRule {
    attribute: KeyAttribute,
    max_bytes: usize,
}

impl<'a> Rules<'a> {
    pub(super) fn new(table: &'a str, keys: &TableKeys, notation: Notation) -> Self {
        Self {
            table,
            notation,
            required: rules(&keys.key),
            optional: keys.indexes.values().flat_map(|key| rules(key)).collect(),
        }
    }

    /// The item that a text stands for, or what is wrong with it.
    pub(super) fn read(&self, text: &str) -> Result<EncodedItem, String> {
        let item = self.notation.read(text)?;
        for rule in &self.required {
            match item.view().get(&rule.attribute.name) {
                Some(value) => rule.check(value)?,
                None => {
                    return Err(format!(
                        "the key attribute {} is missing",
                        rule.attribute.name
                    ));
                }
            }
        }
        for rule in &self.optional {
            if let Some(value) = item.view().get(&rule.attribute.name) {
                rule.check(value)?;
            }
        }
        let request = PutItemInput::new(self.table, item.clone());
        match request.validate() {
            Ok(_) => Ok(item),
            Err(error) => Err(error.message().into_owned()),
        }
    }
}

/// The partition key comes first.
fn rules(key: &[KeyAttribute]) -> Vec<KeyRule> {
    let lengths = [limits::MAX_PARTITION_KEY_BYTES, limits::MAX_SORT_KEY_BYTES];
    key.iter()
        .zip(lengths)
        .map(|(attribute, max_bytes)| KeyRule {
            attribute: attribute.clone(),
            max_bytes,
        })
        .collect()
}

impl KeyRule {
    fn check(&self, value: ValueView<'_>) -> Result<(), String> {
        let KeyAttribute { name, kind } = &self.attribute;
        let (expected, found) = (kind.attribute_type(), value.attribute_type());
        if expected != found {
            return Err(format!(
                "the key attribute {name} must be of type {expected}, it is {found}"
            ));
        }
        let length = match value {
            ValueView::S(text) => text.len(),
            ValueView::B(bytes) => bytes.len(),
            _ => return Ok(()),
        };
        if length == 0 {
            return Err(format!("the key attribute {name} is empty"));
        }
        if length > self.max_bytes {
            return Err(format!(
                "the key attribute {name} has {length} bytes, at most {} are allowed",
                self.max_bytes
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monotable_item::key::KeyType;

    fn problem(text: &str) -> Option<String> {
        let attribute = |name: &str, kind| KeyAttribute {
            name: name.to_owned(),
            kind,
        };
        let keys = TableKeys {
            key: vec![attribute("pk", KeyType::S), attribute("sk", KeyType::S)],
            indexes: [("i".to_owned(), vec![attribute("n", KeyType::N)])].into(),
        };
        Rules::new("Table", &keys, Notation::Plain).read(text).err()
    }

    #[test]
    fn keys_are_there_and_of_their_types_and_lengths() {
        let long = |length| format!(r#"{{"pk":"a","sk":"{}"}}"#, "x".repeat(length));
        assert_eq!(problem(r#"{"pk":"a","sk":"b","n":1}"#), None);
        assert_eq!(problem(&long(1024)), None);
        let told = |text: &str, words: &str| {
            let problem = problem(text).unwrap();
            assert!(problem.contains(words), "{problem}");
        };
        told(r#"{"pk":"a"}"#, "sk is missing");
        told(r#"{"pk":"a","sk":1}"#, "sk must be of type S, it is N");
        told(r#"{"pk":"a","sk":""}"#, "sk is empty");
        told(
            r#"{"pk":"a","sk":"b","n":"1"}"#,
            "n must be of type N, it is S",
        );
        told(&long(1025), "sk has 1025 bytes, at most 1024");
        let large = format!(r#"{{"pk":"a","sk":"b","v":"{}"}}"#, "x".repeat(400 * 1024));
        told(&large, "Item size has exceeded the maximum allowed size");
    }
}
