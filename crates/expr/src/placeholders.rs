//! The substitutions of a request: `#names` and `:values`.

use crate::{ExpressionError, PlaceholderProblem};
use monotable_item::limits::{MAX_PLACEHOLDER_BYTES, MAX_PLACEHOLDERS_BYTES};
use monotable_item::{EncodedItem, EncodedValue, ItemView};
use std::collections::{BTreeMap, BTreeSet};

/// ExpressionAttributeNames and ExpressionAttributeValues of one request, shared by all its expressions.
///
/// AWS checks in this order: the keys, then each expression, then that every substitution was used. Maps
/// that the request did not give are empty here; that a *given* map must not be empty is for the caller
/// to say, who still knows the difference.
#[derive(Debug)]
pub struct Placeholders<'a> {
    names: &'a BTreeMap<String, String>,
    values: ItemView<'a>,
    used_names: BTreeSet<&'a str>,
    used_values: BTreeSet<&'a str>,
}

impl<'a> Placeholders<'a> {
    /// The substitutions, none of them used yet.
    pub fn new(names: &'a BTreeMap<String, String>, values: &'a EncodedItem) -> Self {
        Self {
            names,
            values: values.view(),
            used_names: BTreeSet::new(),
            used_values: BTreeSet::new(),
        }
    }

    /// Checks the keys of both maps: `#` or `:` and then letters, digits and underscores.
    pub fn check_keys(&self) -> Result<(), ExpressionError> {
        self.check_names()
            .and_then(|()| self.check_values())
            .and_then(|()| self.check_size())
            .map_err(ExpressionError::Placeholders)
    }

    fn check_names(&self) -> Result<(), PlaceholderProblem> {
        for (key, name) in self.names {
            if key.len() > MAX_PLACEHOLDER_BYTES {
                return Err(PlaceholderProblem::NameKeyTooLong { size: key.len() });
            }
            if !is_key(key, '#') {
                return Err(PlaceholderProblem::NameKey { key: key.clone() });
            }
            if name.is_empty() {
                return Err(PlaceholderProblem::EmptyName { key: key.clone() });
            }
        }
        Ok(())
    }

    fn check_values(&self) -> Result<(), PlaceholderProblem> {
        for (key, _) in self.values.iter() {
            if key.len() > MAX_PLACEHOLDER_BYTES {
                return Err(PlaceholderProblem::ValueKeyTooLong);
            }
            if !is_key(key, ':') {
                return Err(PlaceholderProblem::ValueKey { key: key.into() });
            }
        }
        Ok(())
    }

    fn check_size(&self) -> Result<(), PlaceholderProblem> {
        let names = self.names.iter().map(|(key, name)| key.len() + name.len());
        if names.sum::<usize>() + self.values.size() > MAX_PLACEHOLDERS_BYTES {
            Err(PlaceholderProblem::TooLarge)
        } else {
            Ok(())
        }
    }

    /// Checks that the expressions parsed so far used every name and every value.
    pub fn check_all_used(&self) -> Result<(), ExpressionError> {
        let unused = |keys: &mut dyn Iterator<Item = &str>, used: &BTreeSet<&str>| -> Vec<String> {
            keys.filter(|key| !used.contains(key))
                .map(str::to_owned)
                .collect()
        };
        let keys = unused(&mut self.names.keys().map(String::as_str), &self.used_names);
        if !keys.is_empty() {
            let problem = PlaceholderProblem::UnusedNames { keys };
            return Err(ExpressionError::Placeholders(problem));
        }
        let keys = unused(
            &mut self.values.iter().map(|(key, _)| key),
            &self.used_values,
        );
        if !keys.is_empty() {
            let problem = PlaceholderProblem::UnusedValues { keys };
            return Err(ExpressionError::Placeholders(problem));
        }
        Ok(())
    }

    /// The attribute name for a `#name`, which counts as used from now on.
    pub(crate) fn name(&mut self, key: &str) -> Option<&'a str> {
        let (key, name) = self.names.get_key_value(key)?;
        self.used_names.insert(key);
        Some(name)
    }

    /// The value for a `:value`, which counts as used from now on.
    pub(crate) fn value(&mut self, key: &str) -> Option<EncodedValue> {
        let (key, value) = self.values.iter().find(|(name, _)| *name == key)?;
        self.used_values.insert(key);
        Some(value.to_encoded())
    }
}

fn is_key(key: &str, mark: char) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    key.strip_prefix(mark)
        .is_some_and(|word| !word.is_empty() && word.bytes().all(is_part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use monotable_item::Item;

    fn names(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs
            .iter()
            .map(|(key, name)| ((*key).to_owned(), (*name).to_owned()))
            .collect()
    }

    #[test]
    fn all_substitutions_together_have_a_limit() {
        let names = BTreeMap::new();
        let values = |bytes: usize| EncodedItem::from(Item::new().with(":v", "x".repeat(bytes)));
        let most = values(MAX_PLACEHOLDERS_BYTES - 2);
        assert_eq!(Placeholders::new(&names, &most).check_keys(), Ok(()));
        let more = values(MAX_PLACEHOLDERS_BYTES - 1);
        assert_eq!(
            Placeholders::new(&names, &more).check_keys(),
            Err(ExpressionError::Placeholders(PlaceholderProblem::TooLarge))
        );
    }

    #[test]
    fn what_was_looked_up_is_used() {
        let names = names(&[("#a", "A"), ("#b", "B")]);
        let values = EncodedItem::from(Item::new().with(":v", 1));
        let mut placeholders = Placeholders::new(&names, &values);
        assert_eq!(placeholders.name("#a"), Some("A"));
        assert_eq!(placeholders.name("#c"), None);
        assert_eq!(
            placeholders.check_all_used(),
            Err(ExpressionError::Placeholders(
                PlaceholderProblem::UnusedNames {
                    keys: vec!["#b".into()]
                }
            ))
        );
        placeholders.name("#b");
        assert_eq!(
            placeholders.check_all_used(),
            Err(ExpressionError::Placeholders(
                PlaceholderProblem::UnusedValues {
                    keys: vec![":v".into()]
                }
            ))
        );
        assert!(placeholders.value(":v").is_some());
        assert_eq!(placeholders.check_all_used(), Ok(()));
    }

    #[test]
    fn keys_are_a_mark_and_a_word() {
        for key in ["a", "#", "#a-b", "##a", "#é", ""] {
            let names = names(&[(key, "A")]);
            assert!(
                Placeholders::new(&names, &EncodedItem::default())
                    .check_keys()
                    .is_err()
            );
        }
        let names = names(&[("#0", "A"), ("#_", "A"), ("#a1", "A")]);
        assert!(
            Placeholders::new(&names, &EncodedItem::default())
                .check_keys()
                .is_ok()
        );
    }
}
