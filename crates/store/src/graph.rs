//! Cycles of a relation.

use std::collections::{BTreeMap, BTreeSet};

/// Nodes that lead back to themselves: one for each cycle that is met first.
pub(crate) fn cycles(edges: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let mut done = BTreeSet::new();
    let mut found = Vec::new();
    for start in edges.keys() {
        if let Some(node) = cycle_from(start, edges, &mut done) {
            found.push(node);
        }
    }
    found
}

/// A depth-first search without recursion: the path is the stack.
fn cycle_from(
    start: &str,
    edges: &BTreeMap<String, BTreeSet<String>>,
    done: &mut BTreeSet<String>,
) -> Option<String> {
    if done.contains(start) {
        return None;
    }
    let below = |node: &str| {
        edges
            .get(node)
            .into_iter()
            .flatten()
            .cloned()
            .collect::<Vec<_>>()
    };
    let mut path: Vec<(String, Vec<String>)> = vec![(start.to_owned(), below(start))];
    let mut on_path = BTreeSet::from([start.to_owned()]);
    let mut found = None;
    while let Some((node, open)) = path.last_mut() {
        match open.pop() {
            Some(next) if on_path.contains(&next) => found = Some(next),
            Some(next) if done.contains(&next) => {}
            Some(next) => {
                on_path.insert(next.clone());
                let open = below(&next);
                path.push((next, open));
            }
            None => {
                on_path.remove(node);
                done.insert(node.clone());
                path.pop();
            }
        }
    }
    found
}
