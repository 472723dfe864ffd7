//! Conditions as a request carries them.

use super::print::{Leaf, print};
use crate::tree::{DocumentPath, PathStep, Predicate};
use crate::{Condition, ExpressionError, ExpressionKind, Placeholders};
use monotable_item::{AttributeValue, EncodedItem, EncodedValue, Item};
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// A condition or filter with its substitutions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionText {
    /// The expression.
    pub text: String,
    /// ExpressionAttributeNames: `#n0` and so on, each name once.
    pub names: BTreeMap<String, String>,
    /// ExpressionAttributeValues: `:v0` and so on.
    pub values: Item,
    /// The same condition, ready to run on an item.
    pub condition: Condition,
}

impl ConditionText {
    /// `predicate` written down, if AWS takes it.
    pub(super) fn of(predicate: &Predicate) -> Result<Self, ExpressionError> {
        let mut writer = Writer::default();
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = print(predicate, &mut text, &mut |leaf, out| {
            writer.leaf(leaf, out)
        });
        let Writer { names, values, .. } = writer;
        let encoded = EncodedItem::from(&values);
        let mut placeholders = Placeholders::new(&names, &encoded);
        placeholders.check_keys()?;
        // What AWS thinks of it is what we think of it.
        let condition = Condition::parse(ExpressionKind::Condition, &text, &mut placeholders)?;
        Ok(Self {
            text,
            names,
            values,
            condition,
        })
    }
}

/// Hands out placeholders.
#[derive(Default)]
struct Writer {
    names: BTreeMap<String, String>,
    keys: BTreeMap<String, String>,
    values: Item,
}

impl Writer {
    fn leaf(
        &mut self,
        leaf: Leaf<'_, DocumentPath, EncodedValue>,
        out: &mut String,
    ) -> fmt::Result {
        match leaf {
            Leaf::Path(path) => self.path(path, out),
            Leaf::Value(value) => self.value(value.view().to_value(), out),
            Leaf::Type(attribute_type) => self.value(attribute_type.name().into(), out),
        }
    }

    fn path(&mut self, path: &DocumentPath, out: &mut String) -> fmt::Result {
        out.push_str(self.name(path.attribute()));
        for step in path.steps() {
            match step {
                PathStep::Index(index) => write!(out, "[{index}]")?,
                PathStep::Name(name) => write!(out, ".{}", self.name(name))?,
            }
        }
        Ok(())
    }

    fn name(&mut self, name: &str) -> &str {
        let next = format!("#n{}", self.names.len());
        let key = self.keys.entry(name.to_owned()).or_insert(next);
        if !self.names.contains_key(key) {
            self.names.insert(key.clone(), name.to_owned());
        }
        key
    }

    fn value(&mut self, value: AttributeValue, out: &mut String) -> fmt::Result {
        let key = format!(":v{}", self.values.len());
        out.push_str(&key);
        self.values.insert(key, value);
        Ok(())
    }
}
