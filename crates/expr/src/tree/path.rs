//! Document paths: `a.b[3].c`.

use monotable_item::{ItemView, ValueView};
use serde::{Deserialize, Serialize};

/// The way to a value: an attribute of the item, then names and indexes inside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentPath {
    attribute: String,
    steps: Vec<PathStep>,
}

/// One step into a map or a list.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PathStep {
    /// An entry of a map.
    Name(String),
    /// An element of a list, from 0.
    Index(usize),
}

impl DocumentPath {
    /// The path of a whole attribute.
    pub fn new(attribute: impl Into<String>) -> Self {
        Self {
            attribute: attribute.into(),
            steps: Vec::new(),
        }
    }

    /// The path one step further in.
    #[must_use]
    pub fn with(mut self, step: PathStep) -> Self {
        self.steps.push(step);
        self
    }

    /// The attribute of the item where the path starts.
    pub fn attribute(&self) -> &str {
        &self.attribute
    }

    /// The steps inside the attribute.
    pub fn steps(&self) -> &[PathStep] {
        &self.steps
    }

    /// Whether the path leads inside an attribute.
    pub fn is_nested(&self) -> bool {
        !self.steps.is_empty()
    }

    /// The value in `item` that the path leads to.
    pub fn resolve<'a>(&self, item: ItemView<'a>) -> Option<ValueView<'a>> {
        descend(item.get(&self.attribute)?, &self.steps)
    }
}

/// The value inside `value` that `steps` lead to.
pub(crate) fn descend<'a>(value: ValueView<'a>, steps: &[PathStep]) -> Option<ValueView<'a>> {
    steps
        .iter()
        .try_fold(value, |value, step| match (value, step) {
            (ValueView::M(map), PathStep::Name(name)) => map.get(name),
            (ValueView::L(list), PathStep::Index(index)) => list.get(*index),
            _ => None,
        })
}
