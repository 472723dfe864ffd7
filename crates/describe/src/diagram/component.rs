//! The places of the boxes of one component, in columns.

use super::graph::Node;
use super::order::{Edge, layers};
use monotable_model::model::OnDelete;
use std::collections::BTreeMap;

const ROW_GAP: f64 = 16.0;
const FREE_HEIGHT: f64 = 6.0;
const SWEEPS: usize = 4;

/// References of one kind to one box, from the same side: they share a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Bundle {
    pub(super) to: usize,
    pub(super) kind: u8,
    /// It comes from the left, against the order.
    pub(super) back: bool,
}

/// What stands in a column: a box, or the free place of a line that passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Item {
    Node(usize),
    Free(Bundle),
}

/// A piece of a line between two neighbouring columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link {
    /// The column on its left.
    pub(super) gap: usize,
    pub(super) bundle: Bundle,
    pub(super) left: End,
    pub(super) right: End,
}

/// Where a piece of a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// At a line of a box, where the reference begins.
    Line { node: usize, line: usize },
    /// At the box that is referred to.
    Target(usize),
    /// At a free place.
    Free,
}

impl Link {
    fn item(&self, end: End) -> Item {
        match end {
            End::Line { node, .. } | End::Target(node) => Item::Node(node),
            End::Free => Item::Free(self.bundle),
        }
    }
}

/// Columns of items with their tops.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) columns: Vec<Vec<Item>>,
    pub(super) tops: BTreeMap<(usize, Item), f64>,
    pub(super) links: Vec<Link>,
    pub(super) height: f64,
}

/// A number for each kind of reference.
pub(super) const fn kind(on_delete: OnDelete) -> u8 {
    match on_delete {
        OnDelete::Cascade => 0,
        OnDelete::Restrict => 1,
        OnDelete::Clear => 2,
        OnDelete::Keep => 3,
    }
}

/// Places the boxes of a component.
pub(super) fn columns(nodes: &[Node], component: &[usize], edges: &[Edge]) -> Columns {
    let layers = layers(nodes.len(), edges);
    let layer = |node: usize| layers.get(node).copied().unwrap_or(0);
    let links = links(edges, &layer);
    let count = component
        .iter()
        .map(|node| layer(*node) + 1)
        .max()
        .unwrap_or(0);
    let mut columns: Vec<Vec<Item>> = vec![Vec::new(); count];
    for node in component {
        if let Some(column) = columns.get_mut(layer(*node)) {
            column.push(Item::Node(*node));
        }
    }
    for link in links.iter().filter(|link| link.left == End::Free) {
        if let Some(column) = columns.get_mut(link.gap) {
            let free = Item::Free(link.bundle);
            if !column.contains(&free) {
                column.push(free);
            }
        }
    }
    for link in links.iter().filter(|link| link.right == End::Free) {
        if let Some(column) = columns.get_mut(link.gap + 1) {
            let free = Item::Free(link.bundle);
            if !column.contains(&free) {
                column.push(free);
            }
        }
    }
    let mut placed = Columns {
        columns,
        tops: BTreeMap::new(),
        links,
        height: 0.0,
    };
    placed.place(nodes);
    placed
}

/// Every reference as pieces, one for each pair of columns that it crosses.
fn links(edges: &[Edge], layer: &impl Fn(usize) -> usize) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    for edge in edges {
        let (from, to) = (layer(edge.from), layer(edge.to));
        let back = from < to;
        let bundle = Bundle {
            to: edge.to,
            kind: kind(edge.on_delete),
            back,
        };
        let start = End::Line {
            node: edge.from,
            line: edge.line,
        };
        let at = |column: usize| match column {
            column if column == from => start,
            column if column == to => End::Target(edge.to),
            _ => End::Free,
        };
        for gap in from.min(to)..from.max(to) {
            let link = Link {
                gap,
                bundle,
                left: at(gap),
                right: at(gap + 1),
            };
            if !links.contains(&link) {
                links.push(link);
            }
        }
    }
    links
}

fn item_height(nodes: &[Node], item: Item) -> f64 {
    match item {
        Item::Node(node) => nodes.get(node).map_or(0.0, |node| node.height),
        Item::Free(_) => FREE_HEIGHT,
    }
}

impl Columns {
    fn place(&mut self, nodes: &[Node]) {
        let height = |column: &Vec<Item>| {
            let heights = column
                .iter()
                .map(|item| item_height(nodes, *item) + ROW_GAP);
            heights.sum::<f64>() - ROW_GAP
        };
        self.height = self.columns.iter().map(height).fold(0.0, f64::max);
        for position in 0..self.columns.len() {
            self.settle(nodes, position);
        }
        let count = self.columns.len();
        for sweep in 0..SWEEPS {
            for step in 0..count {
                let position = if sweep % 2 == 0 {
                    step
                } else {
                    count - 1 - step
                };
                self.reorder(nodes, position);
                self.settle(nodes, position);
            }
        }
    }

    fn middle(&self, nodes: &[Node], column: usize, item: Item) -> f64 {
        let top = self.tops.get(&(column, item)).copied().unwrap_or(0.0);
        top + item_height(nodes, item) / 2.0
    }

    /// The mean of what an item is linked to; its own place if to nothing.
    fn wanted(&self, nodes: &[Node], column: usize, item: Item) -> f64 {
        let mut sum = 0.0;
        let mut count = 0.0;
        for link in &self.links {
            let (left, right) = (link.item(link.left), link.item(link.right));
            let other = if link.gap == column && left == item {
                (column + 1, right)
            } else if link.gap + 1 == column && right == item {
                (link.gap, left)
            } else {
                continue;
            };
            sum += self.middle(nodes, other.0, other.1);
            count += 1.0;
        }
        if count > 0.0 {
            sum / count
        } else {
            self.middle(nodes, column, item)
        }
    }

    fn reorder(&mut self, nodes: &[Node], position: usize) {
        let Some(column) = self.columns.get(position) else {
            return;
        };
        let mut keyed: Vec<(f64, Item)> = column
            .iter()
            .map(|item| (self.wanted(nodes, position, *item), *item))
            .collect();
        // A stable sort: what is equal stays in the order of the model.
        keyed.sort_by(|one, other| one.0.total_cmp(&other.0));
        if let Some(column) = self.columns.get_mut(position) {
            *column = keyed.into_iter().map(|(_, item)| item).collect();
        }
    }

    /// Puts the items of a column near what they are linked to, in order, and inside the height.
    fn settle(&mut self, nodes: &[Node], position: usize) {
        let items = self.columns.get(position).cloned().unwrap_or_default();
        let mut tops: Vec<f64> = Vec::new();
        let mut least = 0.0_f64;
        for item in &items {
            let height = item_height(nodes, *item);
            let top = (self.wanted(nodes, position, *item) - height / 2.0).max(least);
            least = top + height + ROW_GAP;
            tops.push(top);
        }
        let mut most = self.height;
        for (item, top) in items.iter().zip(tops.iter_mut()).rev() {
            let height = item_height(nodes, *item);
            *top = top.min(most - height);
            most = *top - ROW_GAP;
        }
        for (item, top) in items.into_iter().zip(tops) {
            self.tops.insert((position, item), top);
        }
    }
}
