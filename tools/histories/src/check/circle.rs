//! Circles of dependencies, and what each is called.

use super::anomaly::{Anomaly, AnomalyKind};
use super::dependency::{Dependencies, Reason};
use crate::history::History;
use std::collections::{BTreeMap, VecDeque};

/// A set of reasons, as a circle of some kind may have them.
type Allowed = fn(Reason) -> bool;

const fn is_write(reason: Reason) -> bool {
    matches!(reason, Reason::WriteWrite(_))
}

const fn is_information(reason: Reason) -> bool {
    matches!(reason, Reason::WriteWrite(_) | Reason::WriteRead(_))
}

const fn is_data(reason: Reason) -> bool {
    !matches!(reason, Reason::RealTime)
}

const fn is_any(_: Reason) -> bool {
    true
}

/// The circle of the worst kind that there is.
pub(super) fn find_circle(history: &History, graph: &Dependencies) -> Option<Anomaly> {
    let whole = |kind, allowed: Allowed| Some((kind, find_any(graph, allowed)?));
    let (kind, circle) = whole(AnomalyKind::DirtyWrite, is_write)
        .or_else(|| whole(AnomalyKind::CircularInformation, is_information))
        .or_else(|| Some((AnomalyKind::ReadSkew, find_with_one_read(graph)?)))
        .or_else(|| whole(AnomalyKind::WriteSkew, is_data))
        .or_else(|| whole(AnomalyKind::StaleRead, is_any))?;
    Some(Anomaly {
        kind,
        evidence: describe(history, graph, &circle),
    })
}

/// A shortest circle of allowed dependencies through any of the nodes that are in one.
fn find_any(graph: &Dependencies, allowed: Allowed) -> Option<Vec<usize>> {
    let left = leave_out_ends(graph, allowed);
    let nodes = left.iter().enumerate().filter(|(_, stays)| **stays);
    nodes
        .filter_map(|(node, _)| find_way(graph, node, node, allowed))
        .min_by_key(Vec::len)
}

/// A circle in which one operation read what the next one replaced, and all other dependencies are writes and reads of them.
fn find_with_one_read(graph: &Dependencies) -> Option<Vec<usize>> {
    for (from, after) in graph.after.iter().enumerate() {
        for (to, reasons) in after {
            let is_read = reasons
                .iter()
                .any(|reason| matches!(reason, Reason::ReadWrite(_)));
            if let Some(way) = is_read
                .then(|| find_way(graph, *to, from, is_information))
                .flatten()
            {
                return Some(way);
            }
        }
    }
    None
}

/// Takes nodes away that nothing leads to, until every node left is on a circle or behind one.
fn leave_out_ends(graph: &Dependencies, allowed: Allowed) -> Vec<bool> {
    let mut before = vec![0_usize; graph.after.len()];
    for (_, to) in edges(graph, allowed) {
        if let Some(count) = before.get_mut(to) {
            *count += 1;
        }
    }
    let counts = before.iter().enumerate();
    let mut ready: Vec<usize> = counts
        .filter(|(_, count)| **count == 0)
        .map(|(node, _)| node)
        .collect();
    let mut left = vec![true; graph.after.len()];
    while let Some(node) = ready.pop() {
        if let Some(stays) = left.get_mut(node) {
            *stays = false;
        }
        for to in list_after(graph, node, allowed) {
            if let Some(count) = before.get_mut(to) {
                *count -= 1;
                if *count == 0 {
                    ready.push(to);
                }
            }
        }
    }
    left
}

fn edges(graph: &Dependencies, allowed: Allowed) -> impl Iterator<Item = (usize, usize)> {
    let nodes = 0..graph.after.len();
    nodes.flat_map(move |from| list_after(graph, from, allowed).map(move |to| (from, to)))
}

fn list_after(graph: &Dependencies, node: usize, allowed: Allowed) -> impl Iterator<Item = usize> {
    let after = graph.after.get(node).into_iter().flatten();
    after
        .filter(move |(_, reasons)| reasons.iter().any(|reason| allowed(*reason)))
        .map(|(to, _)| *to)
}

/// The nodes of a shortest way, with both of its ends; a way back to the same node has at least one step.
fn find_way(graph: &Dependencies, from: usize, to: usize, allowed: Allowed) -> Option<Vec<usize>> {
    let mut reached_from: BTreeMap<usize, usize> = BTreeMap::new();
    let mut waiting = VecDeque::from([from]);
    while let Some(node) = waiting.pop_front() {
        for next in list_after(graph, node, allowed) {
            if reached_from.contains_key(&next) {
                continue;
            }
            reached_from.insert(next, node);
            if next == to {
                return Some(trace(&reached_from, from, to));
            }
            waiting.push_back(next);
        }
    }
    None
}

fn trace(reached_from: &BTreeMap<usize, usize>, from: usize, to: usize) -> Vec<usize> {
    let mut way = vec![to];
    let mut node = to;
    while let Some(before) = reached_from.get(&node) {
        way.push(*before);
        node = *before;
        if node == from {
            break;
        }
    }
    way.reverse();
    way
}

/// The operations of a circle, with the reasons between them.
fn describe(history: &History, graph: &Dependencies, circle: &[usize]) -> String {
    let mut text = String::new();
    // A way from a node to another closes with the step back.
    let closing = circle.first().filter(|first| circle.last() != Some(first));
    let nodes: Vec<usize> = circle.iter().chain(closing).copied().collect();
    for (place, node) in nodes.iter().enumerate() {
        let before = place.checked_sub(1).and_then(|before| nodes.get(before));
        let reasons = before.and_then(|before| graph.after.get(*before)?.get(node));
        if let Some(reasons) = reasons {
            text += &format!("\n    -{reasons:?}->");
        }
        match history.operations.get(*node) {
            Some(operation) => text += &format!("\n  {operation}"),
            None => text += "\n  (later)",
        }
    }
    text
}
