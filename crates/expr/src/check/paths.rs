//! Paths next to each other: no two may reach the same value.

use crate::Problem;
use crate::path_tree::PathTree;
use crate::tree::{DocumentPath, PathStep};

/// The paths as a tree whose leaves are their positions, if they leave each other alone.
pub(crate) fn tree_of(paths: &[&DocumentPath]) -> Result<PathTree<usize>, Problem> {
    let mut tree = PathTree::default();
    for (position, path) in paths.iter().enumerate() {
        if !tree.insert(path, position) {
            return Err(first_clash(paths));
        }
    }
    Ok(tree)
}

/// AWS reports an overlap before any conflict, and of several the first pair as written.
fn first_clash(paths: &[&DocumentPath]) -> Problem {
    let mut conflict = None;
    for (position, two) in paths.iter().enumerate() {
        for one in paths.iter().take(position) {
            let (one, two) = ((*one).clone(), (*two).clone());
            match relation(&one, &two) {
                Relation::Overlap => return Problem::Overlap { one, two },
                Relation::Conflict if conflict.is_none() => {
                    conflict = Some(Problem::Conflict { one, two });
                }
                Relation::Conflict | Relation::Apart => {}
            }
        }
    }
    // INVARIANT: called only when the tree refused a path, so there is a pair.
    conflict.unwrap_or(Problem::Empty)
}

enum Relation {
    Apart,
    /// One is, or contains, the other.
    Overlap,
    /// They take one value for a map and for a list.
    Conflict,
}

fn relation(one: &DocumentPath, two: &DocumentPath) -> Relation {
    if one.attribute() != two.attribute() {
        return Relation::Apart;
    }
    let differing = one.steps().iter().zip(two.steps()).find(|(a, b)| a != b);
    match differing {
        None => Relation::Overlap,
        Some((PathStep::Name(_), PathStep::Index(_)) | (PathStep::Index(_), PathStep::Name(_))) => {
            Relation::Conflict
        }
        Some(_) => Relation::Apart,
    }
}
