//! Names that the model language accepts.

use std::collections::BTreeSet;

/// What a table's section says itself; an index cannot be called so there.
const TABLE_WORDS: &[&str] = &[
    "about",
    "billing",
    "deletion_protection",
    "key",
    "name",
    "pitr",
    "stream",
    "tags",
    "ttl",
];
/// What the sections of entities and patterns say themselves, where keys stand beside it.
const KEY_WORDS: &[&str] = &[
    "about",
    "accept",
    "allow",
    "also",
    "attributes",
    "consistent",
    "covers",
    "diff",
    "distinct",
    "drops",
    "each",
    "filter",
    "follow",
    "global",
    "id",
    "is",
    "key",
    "layout",
    "like",
    "limit",
    "message_on_exists",
    "message_on_writes",
    "must",
    "on_exists",
    "one",
    "only",
    "open",
    "order",
    "owns",
    "pointer",
    "relation",
    "resolve",
    "returns",
    "set",
    "sort",
    "steps",
    "table",
    "through",
    "tombstone",
    "union",
    "unique",
    "upgrade",
    "volume",
    "walk",
    "when",
    "writes",
];
/// What a place in a template can begin with, beside attributes.
const ROOTS: &[&str] = &[
    "archive",
    "now",
    "old",
    "principal",
    "request",
    "row",
    "setting",
    "tenant",
];

/// Names that are taken.
#[derive(Clone, Debug, Default)]
pub struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// The name, or with a number behind it if it is taken.
    pub fn claim(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut number = 2;
        // Names that differ in case alone confuse people, and some file systems.
        while !self.taken.insert(name.to_lowercase()) {
            name = format!("{wanted}{number}");
            number += 1;
        }
        name
    }
}

/// The words of a name, however it is written: `orderItem`, `ORDER_ITEM`, `order-item`.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut previous = ' ';
    for character in text.chars() {
        if !character.is_ascii_alphanumeric() {
            previous = ' ';
            continue;
        }
        let begins = !previous.is_ascii_alphanumeric()
            || (character.is_ascii_uppercase() && !previous.is_ascii_uppercase());
        match words.last_mut() {
            Some(word) if !begins => word.push(character),
            Some(_) | None => words.push(character.to_string()),
        }
        previous = character;
    }
    words
}

fn capitalize(word: &str) -> String {
    let is_shouted = word
        .chars()
        .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
    let rest = if is_shouted {
        word.to_ascii_lowercase()
    } else {
        word.to_owned()
    };
    let mut characters = rest.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(characters).collect()
}

/// A name of an entity: `orderItem` and `ORDER_ITEM` become `OrderItem`. A name that is one already stays as it is.
#[must_use]
pub fn name_entity(text: &str) -> String {
    let is_named = text.starts_with(|first: char| first.is_ascii_uppercase())
        && text.chars().all(|c| c.is_ascii_alphanumeric())
        && text.chars().any(|c| c.is_ascii_lowercase());
    if is_named {
        return text.to_owned();
    }
    let name: String = words(text).iter().map(|word| capitalize(word)).collect();
    if name.starts_with(|first: char| first.is_ascii_alphabetic()) {
        name
    } else {
        format!("Entity{name}")
    }
}

/// A name of an access pattern: `byOwner` becomes `by_owner`.
#[must_use]
pub fn name_pattern(text: &str) -> String {
    let words: Vec<String> = words(text)
        .iter()
        .map(|word| word.to_ascii_lowercase())
        .collect();
    let name = words.join("_");
    if name.starts_with(|first: char| first.is_ascii_alphabetic()) {
        name
    } else {
        format!("pattern_{name}")
    }
}

/// A name that a template can show. Where it is not the one that is given, rows keep that under `stored`.
#[must_use]
pub fn name_attribute(text: &str) -> String {
    let cleaned: String = text
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '_' })
        .collect();
    let starts_well = cleaned.starts_with(|first: char| first.is_alphabetic() || first == '_');
    let name = if starts_well {
        cleaned
    } else {
        format!("_{cleaned}")
    };
    if ROOTS.contains(&name.as_str()) {
        format!("{name}_")
    } else {
        name
    }
}

/// A name of a table in the model.
#[must_use]
pub fn name_table(text: &str) -> String {
    let cleaned: String = text
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    if cleaned.is_empty() {
        "Main".to_owned()
    } else {
        cleaned
    }
}

/// A name of an index in the model.
#[must_use]
pub fn name_index(text: &str) -> String {
    let cleaned: String = text
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '-' || c == '_' {
                c
            } else {
                '_'
            }
        })
        .collect();
    if TABLE_WORDS.contains(&cleaned.as_str()) || KEY_WORDS.contains(&cleaned.as_str()) {
        format!("{cleaned}_index")
    } else {
        cleaned
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_and_patterns_have_the_form_that_the_language_wants() {
        assert_eq!(name_entity("orderItem"), "OrderItem");
        assert_eq!(name_entity("ORDER_ITEM"), "OrderItem");
        assert_eq!(name_entity("UserEmail"), "UserEmail");
        assert_eq!(name_entity("USER"), "User");
        assert_eq!(name_entity("2nd"), "Entity2nd");
        assert_eq!(name_pattern("byOwner"), "by_owner");
        assert_eq!(name_pattern("TenantGrant"), "tenant_grant");
    }

    #[test]
    fn reserved_words_are_no_names() {
        assert_eq!(name_index("order"), "order_index");
        assert_eq!(name_index("gsi1pk-gsi1sk-index"), "gsi1pk-gsi1sk-index");
        assert_eq!(name_attribute("now"), "now_");
        assert_eq!(name_attribute("first name"), "first_name");
    }

    #[test]
    fn a_taken_name_gets_a_number() {
        let mut names = Names::default();
        assert_eq!(names.claim("user"), "user");
        assert_eq!(names.claim("User"), "User2");
    }
}
