//! An item and a tree of changes to a new item.
//!
//! All right sides are evaluated first, on the old item. Then old item and tree are walked side by side:
//! what the tree does not name is copied as stored, and in a list every index means the old list.

use super::UpdateError;
use super::evaluate::evaluate;
use crate::part::Part;
use crate::path_tree::{PathNode, PathTree};
use crate::tree::Action;
use monotable_item::{
    AttributeValue, EncodedItem, EncodedValue, ItemBuilder, ItemView, ListView, ValueView,
};
use std::collections::{BTreeMap, BTreeSet};

/// Whether the item that is updated was there before.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Existence {
    Stored,
    Missing,
}

/// The item after all actions.
pub(super) fn apply(
    actions: &[Action],
    tree: &PathTree<usize>,
    item: ItemView<'_>,
    existence: Existence,
) -> Result<EncodedItem, UpdateError> {
    let changes = actions
        .iter()
        .map(|action| Change::of(action, item))
        .collect::<Result<Vec<_>, _>>()?;
    Changes { changes, existence }.entries(tree.attributes(), item)
}

/// What happens at the end of a path.
enum Change<'a> {
    Set(Part<'a>),
    Remove,
    Add(&'a EncodedValue),
    Delete(&'a EncodedValue),
}

impl<'a> Change<'a> {
    fn of(action: &'a Action, item: ItemView<'a>) -> Result<Self, UpdateError> {
        Ok(match action {
            Action::Set { value, .. } => Self::Set(evaluate(value, item)?),
            Action::Remove { .. } => Self::Remove,
            Action::Add { value, .. } => Self::Add(value),
            Action::Delete { value, .. } => Self::Delete(value),
        })
    }
}

struct Changes<'a> {
    /// By the position of their action.
    changes: Vec<Change<'a>>,
    existence: Existence,
}

impl<'a> Changes<'a> {
    /// An item or a map with its entries changed.
    fn entries(
        &self,
        nodes: &BTreeMap<String, PathNode<usize>>,
        item: ItemView<'_>,
    ) -> Result<EncodedItem, UpdateError> {
        let mut builder = ItemBuilder::new();
        for (name, value) in item.iter() {
            match nodes.get(name) {
                None => builder.push(name, value),
                Some(node) => {
                    if let Some(part) = self.node(node, Some(value))? {
                        builder.push(name, part.view());
                    }
                }
            }
        }
        for (name, node) in nodes {
            if item.get(name).is_none()
                && let Some(part) = self.node(node, None)?
            {
                builder.push(name, part.view());
            }
        }
        Ok(builder.finish())
    }

    /// A list with its elements changed. What is set past the end is appended, in the order of indexes.
    fn elements(
        &self,
        nodes: &BTreeMap<usize, PathNode<usize>>,
        list: ListView<'_>,
    ) -> Result<AttributeValue, UpdateError> {
        let mut elements = Vec::new();
        let mut length = 0;
        for (index, value) in list.iter().enumerate() {
            length = index + 1;
            match nodes.get(&index) {
                None => elements.push(value.to_value()),
                Some(node) => {
                    let part = self.node(node, Some(value))?;
                    elements.extend(part.map(|part| part.view().to_value()));
                }
            }
        }
        for (_, node) in nodes.range(length..) {
            let part = self.node(node, None)?;
            elements.extend(part.map(|part| part.view().to_value()));
        }
        Ok(AttributeValue::L(elements))
    }

    /// What becomes of `old`; nothing if it goes.
    fn node<'v>(
        &'v self,
        node: &PathNode<usize>,
        old: Option<ValueView<'v>>,
    ) -> Result<Option<Part<'v>>, UpdateError> {
        match (node, old) {
            (PathNode::Leaf(position), old) => self.leaf(*position, old),
            (PathNode::Map(nodes), Some(ValueView::M(map))) => {
                self.entries(nodes, map).map(|map| Some(Part::Map(map)))
            }
            (PathNode::List(nodes), Some(ValueView::L(list))) => {
                self.elements(nodes, list).map(|list| Some(list.into()))
            }
            (node, None) if self.existence == Existence::Missing && self.only_removes(node) => {
                Ok(None)
            }
            _ => Err(UpdateError::InvalidPath),
        }
    }

    fn leaf<'v>(
        &'v self,
        position: usize,
        old: Option<ValueView<'v>>,
    ) -> Result<Option<Part<'v>>, UpdateError> {
        match self.changes.get(position) {
            // The clone is of a view or of shared bytes.
            Some(Change::Set(part)) => Ok(Some(part.clone())),
            Some(Change::Remove) => Ok(None),
            Some(Change::Add(value)) => add(old, value.view()).map(Some),
            Some(Change::Delete(value)) => delete(old, value.view()),
            // INVARIANT: the tree's leaves are the positions of the actions.
            None => Ok(old.map(Part::Stored)),
        }
    }

    fn only_removes(&self, node: &PathNode<usize>) -> bool {
        match node {
            PathNode::Leaf(position) => {
                matches!(self.changes.get(*position), Some(Change::Remove))
            }
            PathNode::Map(nodes) => nodes.values().all(|node| self.only_removes(node)),
            PathNode::List(nodes) => nodes.values().all(|node| self.only_removes(node)),
        }
    }
}

/// A number plus a number, a set with the elements of a set; a missing one starts as nothing.
fn add<'v>(old: Option<ValueView<'v>>, value: ValueView<'v>) -> Result<Part<'v>, UpdateError> {
    let Some(old) = old else {
        return Ok(Part::Stored(value));
    };
    let sum = match (old.to_value(), value.to_value()) {
        (AttributeValue::N(old), AttributeValue::N(value)) => {
            AttributeValue::N(old.checked_add(value).map_err(UpdateError::Number)?)
        }
        (AttributeValue::Ss(old), AttributeValue::Ss(value)) => {
            AttributeValue::Ss(union(old, value))
        }
        (AttributeValue::Ns(old), AttributeValue::Ns(value)) => {
            AttributeValue::Ns(union(old, value))
        }
        (AttributeValue::Bs(old), AttributeValue::Bs(value)) => {
            AttributeValue::Bs(union(old, value))
        }
        _ => return Err(UpdateError::OperandType),
    };
    Ok(sum.into())
}

/// A set without the elements of a set. There are no empty sets: with its last element a set goes.
fn delete<'v>(
    old: Option<ValueView<'v>>,
    value: ValueView<'v>,
) -> Result<Option<Part<'v>>, UpdateError> {
    let Some(old) = old else {
        return Ok(None);
    };
    let rest = match (old.to_value(), value.to_value()) {
        (AttributeValue::Ss(old), AttributeValue::Ss(value)) => {
            difference(old, &value).map(AttributeValue::Ss)
        }
        (AttributeValue::Ns(old), AttributeValue::Ns(value)) => {
            difference(old, &value).map(AttributeValue::Ns)
        }
        (AttributeValue::Bs(old), AttributeValue::Bs(value)) => {
            difference(old, &value).map(AttributeValue::Bs)
        }
        _ => return Err(UpdateError::OperandType),
    };
    Ok(rest.map(Part::from))
}

fn union<T: Ord>(mut old: BTreeSet<T>, value: BTreeSet<T>) -> BTreeSet<T> {
    old.extend(value);
    old
}

fn difference<T: Ord>(mut old: BTreeSet<T>, value: &BTreeSet<T>) -> Option<BTreeSet<T>> {
    old.retain(|element| !value.contains(element));
    (!old.is_empty()).then_some(old)
}
