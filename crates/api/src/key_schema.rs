//! Which attributes are keys, and of which types.

use crate::choice::{Chosen, choices};
use crate::constraint::{Constraints, Path};
use crate::structure::structure;
use crate::{Error, wording};
use monotable_item::key::KeyType;
use monotable_item::limits;
use std::collections::BTreeSet;

choices! {
    /// The types that a key attribute may have.
    pub enum ScalarAttributeType {
        /// Binary.
        B = "B",
        /// Number.
        N = "N",
        /// String.
        S = "S",
    }

    /// The part that an attribute plays in a key. AWS's member is called `KeyType`.
    pub enum KeyRole {
        /// The partition key.
        Hash = "HASH",
        /// The sort key.
        Range = "RANGE",
    }
}

impl From<ScalarAttributeType> for KeyType {
    fn from(kind: ScalarAttributeType) -> Self {
        match kind {
            ScalarAttributeType::B => Self::B,
            ScalarAttributeType::N => Self::N,
            ScalarAttributeType::S => Self::S,
        }
    }
}

impl From<KeyType> for ScalarAttributeType {
    fn from(kind: KeyType) -> Self {
        match kind {
            KeyType::B => Self::B,
            KeyType::N => Self::N,
            KeyType::S => Self::S,
        }
    }
}

structure! {
    /// The type of an attribute that is a key of the table or of an index.
    pub struct AttributeDefinition {
        /// The attribute.
        attribute_name: String,
        /// Its type.
        attribute_type: Chosen<ScalarAttributeType>,
    }

    /// One attribute of a key.
    pub struct KeySchemaElement {
        /// The attribute.
        attribute_name: String,
        /// Its part in the key.
        key_type: Chosen<KeyRole>,
    }
}

impl AttributeDefinition {
    /// An attribute of this type.
    pub fn new(name: impl Into<String>, kind: ScalarAttributeType) -> Self {
        Self {
            attribute_name: Some(name.into()),
            attribute_type: Some(kind.into()),
        }
    }
}

impl KeySchemaElement {
    /// An attribute in this part.
    pub fn new(name: impl Into<String>, role: KeyRole) -> Self {
        Self {
            attribute_name: Some(name.into()),
            key_type: Some(role.into()),
        }
    }
}

/// A key attribute and its type, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyAttribute {
    /// The attribute.
    pub name: String,
    /// Its type.
    pub kind: KeyType,
}

/// The key of a table or index, checked. A global secondary index may have up to four attributes in each
/// part; tables and local indexes have one partition key attribute and at most one sort key attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidKeySchema {
    /// The partition key.
    pub hash: Vec<KeyAttribute>,
    /// The sort key; empty when there is none.
    pub range: Vec<KeyAttribute>,
}

impl ValidKeySchema {
    /// All key attributes, the partition key first.
    pub fn attributes(&self) -> impl Iterator<Item = &KeyAttribute> {
        self.hash.iter().chain(&self.range)
    }

    /// The schema as AWS describes it.
    pub fn describe(&self) -> Vec<KeySchemaElement> {
        let element = |role| move |key: &KeyAttribute| KeySchemaElement::new(&*key.name, role);
        let hash = self.hash.iter().map(element(KeyRole::Hash));
        hash.chain(self.range.iter().map(element(KeyRole::Range)))
            .collect()
    }
}

/// Checks the constraints of the members of all definitions.
pub(crate) fn constrain_definitions(
    definitions: &[AttributeDefinition],
    constraints: &mut Constraints,
    path: Path<'_>,
) {
    for (index, definition) in definitions.iter().enumerate() {
        let path = path.element(index);
        constrain_name(
            &definition.attribute_name,
            constraints,
            path.field("attributeName"),
        );
        let path = path.field("attributeType");
        if constraints
            .required(path, &definition.attribute_type)
            .is_some()
        {
            constraints.choice(path, &definition.attribute_type);
        }
    }
}

/// How many attributes a key may have in each of its two parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyWidth {
    /// One in each part: the keys of tables and of local indexes.
    Single,
    /// Up to four in each part: the keys of global indexes.
    Several,
}

impl KeyWidth {
    const fn most_elements(self) -> usize {
        match self {
            Self::Single => 2,
            Self::Several => 2 * limits::MAX_KEY_PART_ATTRIBUTES,
        }
    }
}

/// Checks the constraints of the members of a schema.
pub(crate) fn constrain_schema(
    schema: &Option<Vec<KeySchemaElement>>,
    width: KeyWidth,
    constraints: &mut Constraints,
    path: Path<'_>,
) {
    let Some(schema) = constraints.required(path, schema) else {
        return;
    };
    constraints.list_length(path, schema, 1..=usize::MAX);
    // AWS names a schema that is too long without the index that it is in.
    constraints.list_length(Path::Root("keySchema"), schema, 0..=width.most_elements());
    for (index, element) in schema.iter().enumerate() {
        let path = path.element(index);
        constrain_name(
            &element.attribute_name,
            constraints,
            path.field("attributeName"),
        );
        let path = path.field("keyType");
        if constraints.required(path, &element.key_type).is_some() {
            constraints.choice(path, &element.key_type);
        }
    }
}

fn constrain_name(name: &Option<String>, constraints: &mut Constraints, path: Path<'_>) {
    if let Some(name) = constraints.required(path, name) {
        constraints.text_length(path, name, 1..=limits::MAX_KEY_NAME_BYTES);
    }
}

/// The attribute definitions of a request, once their constraints hold.
#[derive(Clone, Debug, Default)]
pub(crate) struct Definitions {
    attributes: Vec<KeyAttribute>,
}

impl Definitions {
    pub(crate) fn new(given: Vec<AttributeDefinition>) -> Result<Self, Error> {
        let attributes: Vec<_> = given.into_iter().filter_map(key_attribute).collect();
        let mut seen = BTreeSet::new();
        for attribute in &attributes {
            if !seen.insert(attribute.name.as_str()) {
                return Err(Error::validation(wording::duplicate_attribute(
                    &attribute.name,
                )));
            }
        }
        Ok(Self { attributes })
    }

    pub(crate) fn len(&self) -> usize {
        self.attributes.len()
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        self.attributes
            .iter()
            .map(|attribute| attribute.name.as_str())
            .collect()
    }

    pub(crate) fn into_attributes(self) -> Vec<KeyAttribute> {
        self.attributes
    }

    /// The key that a schema describes, once its constraints hold.
    pub(crate) fn resolve(
        &self,
        schema: &[KeySchemaElement],
        width: KeyWidth,
    ) -> Result<ValidKeySchema, Error> {
        let names: Vec<&str> = schema
            .iter()
            .filter_map(|element| element.attribute_name.as_deref())
            .collect();
        let defined: Option<Vec<KeyAttribute>> = names.iter().map(|name| self.find(name)).collect();
        let Some(mut hash) = defined else {
            return Err(Error::validation(wording::undefined_key(
                &names,
                &self.names(),
            )));
        };
        let roles: Vec<KeyRole> = schema
            .iter()
            .filter_map(|element| element.key_type.as_ref()?.known())
            .collect();
        let check = match width {
            KeyWidth::Single => check_single(&names, &roles),
            KeyWidth::Several => check_several(&names, &roles),
        };
        check.map_err(Error::validation)?;
        let hashes = roles.iter().take_while(|role| **role == KeyRole::Hash);
        let range = hash.split_off(hashes.count().min(hash.len()));
        Ok(ValidKeySchema { hash, range })
    }

    /// A defined attribute.
    pub(crate) fn find(&self, name: &str) -> Option<KeyAttribute> {
        self.attributes
            .iter()
            .find(|attribute| attribute.name == name)
            .cloned()
    }
}

/// One partition key attribute, and at most one sort key attribute.
fn check_single(names: &[&str], roles: &[KeyRole]) -> Result<(), &'static str> {
    if let [hash, range] = names
        && hash == range
    {
        return Err(wording::SAME_HASH_AND_RANGE);
    }
    match roles {
        [KeyRole::Hash] | [KeyRole::Hash, KeyRole::Range] => Ok(()),
        [KeyRole::Hash, ..] => Err(wording::SECOND_KEY_NOT_RANGE),
        _ => Err(wording::FIRST_KEY_NOT_HASH),
    }
}

/// Up to four partition key attributes, then up to four sort key attributes, each named once.
fn check_several(names: &[&str], roles: &[KeyRole]) -> Result<(), &'static str> {
    if roles.first() != Some(&KeyRole::Hash) {
        return Err(wording::FIRST_KEY_NOT_HASH);
    }
    if let ([hash, range], [KeyRole::Hash, KeyRole::Range]) = (names, roles)
        && hash == range
    {
        return Err(wording::SAME_HASH_AND_RANGE);
    }
    let mut seen = BTreeSet::new();
    if !names.iter().all(|name| seen.insert(name)) {
        return Err(wording::REPEATED_KEY_ATTRIBUTE);
    }
    if !roles.is_sorted() {
        return Err(wording::HASH_AFTER_RANGE);
    }
    let count = |role| roles.iter().filter(|given| **given == role).count();
    if count(KeyRole::Hash) > limits::MAX_KEY_PART_ATTRIBUTES {
        return Err(wording::TOO_MANY_HASH_ATTRIBUTES);
    }
    if count(KeyRole::Range) > limits::MAX_KEY_PART_ATTRIBUTES {
        return Err(wording::TOO_MANY_RANGE_ATTRIBUTES);
    }
    Ok(())
}

fn key_attribute(definition: AttributeDefinition) -> Option<KeyAttribute> {
    let kind = definition.attribute_type?.known()?.into();
    Some(KeyAttribute {
        name: definition.attribute_name?,
        kind,
    })
}
