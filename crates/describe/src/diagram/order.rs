//! Which boxes belong together, and which stand left of which.

use super::graph::Node;
use monotable_model::model::OnDelete;

/// A reference between two different boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) from: usize,
    pub(super) line: usize,
    pub(super) to: usize,
    pub(super) on_delete: OnDelete,
}

/// All references between boxes.
pub(super) fn edges(nodes: &[Node]) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (from, node) in nodes.iter().enumerate() {
        for (line, reference) in node.lines.iter().enumerate() {
            edges.extend(reference.targets.iter().map(|to| Edge {
                from,
                line,
                to: *to,
                on_delete: reference.on_delete,
            }));
        }
    }
    edges
}

/// Boxes that are joined by references, in the order of their first; a box alone is one too.
pub(super) fn components(count: usize, edges: &[Edge]) -> Vec<Vec<usize>> {
    let mut group: Vec<usize> = (0..count).collect();
    for edge in edges {
        let one = group.get(edge.from).copied().unwrap_or(0);
        let other = group.get(edge.to).copied().unwrap_or(0);
        let (least, most) = (one.min(other), one.max(other));
        for known in group.iter_mut().filter(|known| **known == most) {
            *known = least;
        }
    }
    let mut components: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (node, group) in group.into_iter().enumerate() {
        if let Some(component) = components.get_mut(group) {
            component.push(node);
        }
    }
    components.retain(|component| !component.is_empty());
    components
}

/// The column of each box: what is referred to stands further left.
///
/// Where references go in a circle the weaker ones (clear, keep) give way and point to the right.
pub(super) fn layers(count: usize, edges: &[Edge]) -> Vec<usize> {
    let mut sorted: Vec<&Edge> = edges.iter().collect();
    sorted.sort_by_key(|edge| strength(edge.on_delete));
    let mut accepted: Vec<&Edge> = Vec::new();
    for edge in sorted {
        if !reaches(&accepted, edge.to, edge.from) {
            accepted.push(edge);
        }
    }
    let mut layers = vec![0_usize; count];
    // As often as a chain can be long; accepted edges have no circle.
    for _ in 0..count {
        for edge in &accepted {
            let least = layers.get(edge.to).map_or(0, |layer| layer + 1);
            if let Some(layer) = layers.get_mut(edge.from) {
                *layer = (*layer).max(least);
            }
        }
    }
    layers
}

const fn strength(on_delete: OnDelete) -> u8 {
    match on_delete {
        OnDelete::Cascade => 0,
        OnDelete::Restrict => 1,
        OnDelete::Clear => 2,
        OnDelete::Keep => 3,
    }
}

fn reaches(edges: &[&Edge], from: usize, to: usize) -> bool {
    let mut seen = vec![from];
    let mut position = 0;
    while let Some(at) = seen.get(position).copied() {
        if at == to {
            return true;
        }
        for edge in edges.iter().filter(|edge| edge.from == at) {
            if !seen.contains(&edge.to) {
                seen.push(edge.to);
            }
        }
        position += 1;
    }
    false
}
