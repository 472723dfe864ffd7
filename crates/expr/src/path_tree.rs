//! Many document paths at once.
//!
//! Paths that share a beginning share the nodes of it: `a.b, a.c[1]` is
//!
//! ```text
//! a -> Map { b -> Leaf, c -> List { 1 -> Leaf } }
//! ```
//!
//! A projection walks such a tree beside an item and keeps what both have; an update changes the item at
//! the leaves. Neither looks at a value twice, and list indexes mean the list as it was.

use crate::part::Part;
use crate::tree::{DocumentPath, PathStep};
use monotable_item::{AttributeValue, EncodedItem, ItemBuilder, ItemView, ListView, ValueView};
use std::collections::BTreeMap;

/// Paths with something at the end of each.
#[derive(Clone, Debug)]
pub(crate) struct PathTree<T> {
    attributes: BTreeMap<String, PathNode<T>>,
}

/// What the paths through one value want of it.
#[derive(Clone, Debug)]
pub(crate) enum PathNode<T> {
    /// A path ends here.
    Leaf(T),
    /// Paths go on into a map.
    Map(BTreeMap<String, PathNode<T>>),
    /// Paths go on into a list.
    List(BTreeMap<usize, PathNode<T>>),
}

impl<T> Default for PathTree<T> {
    fn default() -> Self {
        Self {
            attributes: BTreeMap::new(),
        }
    }
}

impl<T> PathTree<T> {
    /// The nodes of the attributes.
    pub(crate) const fn attributes(&self) -> &BTreeMap<String, PathNode<T>> {
        &self.attributes
    }

    /// Adds a path; false if one that is there overlaps or conflicts with it.
    pub(crate) fn insert(&mut self, path: &DocumentPath, leaf: T) -> bool {
        match self.attributes.get_mut(path.attribute()) {
            Some(node) => node.insert(path.steps(), leaf),
            None => {
                let node = PathNode::along(path.steps(), leaf);
                self.attributes.insert(path.attribute().to_owned(), node);
                true
            }
        }
    }

    /// The parts of `item` that the paths lead to, in the structure they have there.
    pub(crate) fn project(&self, item: ItemView<'_>) -> EncodedItem {
        project_entries(&self.attributes, item)
    }
}

impl<T> PathNode<T> {
    /// A tree of one path.
    fn along(steps: &[PathStep], leaf: T) -> Self {
        steps
            .iter()
            .rev()
            .fold(Self::Leaf(leaf), |node, step| match step {
                PathStep::Name(name) => Self::Map(BTreeMap::from([(name.clone(), node)])),
                PathStep::Index(index) => Self::List(BTreeMap::from([(*index, node)])),
            })
    }

    fn insert(&mut self, steps: &[PathStep], leaf: T) -> bool {
        let Some((step, rest)) = steps.split_first() else {
            return false;
        };
        let existing = match (self, step) {
            (Self::Map(entries), PathStep::Name(name)) => {
                if !entries.contains_key(name) {
                    entries.insert(name.clone(), Self::along(rest, leaf));
                    return true;
                }
                entries.get_mut(name)
            }
            (Self::List(elements), PathStep::Index(index)) => {
                if !elements.contains_key(index) {
                    elements.insert(*index, Self::along(rest, leaf));
                    return true;
                }
                elements.get_mut(index)
            }
            _ => return false,
        };
        existing.is_some_and(|node| node.insert(rest, leaf))
    }

    /// The parts of `value` that the paths lead to; nothing if there are none.
    fn project<'a>(&self, value: ValueView<'a>) -> Option<Part<'a>> {
        match (self, value) {
            (Self::Leaf(_), value) => Some(Part::Stored(value)),
            (Self::Map(entries), ValueView::M(map)) => {
                let projected = project_entries(entries, map);
                (!projected.is_empty()).then_some(Part::Map(projected))
            }
            (Self::List(elements), ValueView::L(list)) => project_elements(elements, list),
            _ => None,
        }
    }
}

fn project_entries<T>(wanted: &BTreeMap<String, PathNode<T>>, item: ItemView<'_>) -> EncodedItem {
    let mut builder = ItemBuilder::new();
    for (name, node) in wanted {
        if let Some(part) = item.get(name).and_then(|value| node.project(value)) {
            builder.push(name, part.view());
        }
    }
    builder.finish()
}

fn project_elements<'a, T>(
    wanted: &BTreeMap<usize, PathNode<T>>,
    list: ListView<'_>,
) -> Option<Part<'a>> {
    let projected: Vec<AttributeValue> = wanted
        .iter()
        .filter_map(|(index, node)| node.project(list.get(*index)?))
        .map(|part| part.view().to_value())
        .collect();
    (!projected.is_empty()).then(|| AttributeValue::L(projected).into())
}
