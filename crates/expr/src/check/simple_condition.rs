//! Conditions without `AND`, `OR` and `NOT`.
//!
//! AWS finishes with one such condition before it looks at the next. Within one it asks, of all its
//! operands each time: are the placeholders defined, are there as many operands as there should be, are
//! they distinct, are their types right.

use super::assemble::{Operator, assemble};
use super::function::Function;
use super::words::resolve_path;
use crate::syntax::{Node, Syntax};
use crate::tree::{Operand, Predicate};
use crate::{Placeholders, Problem};
use monotable_item::limits::MAX_IN_OPERANDS;
use std::ops::Range;

/// Checks the condition that the nodes in `range` make up, and fills it in.
pub(super) fn simple_condition(
    syntax: &Syntax<'_>,
    range: Range<usize>,
    placeholders: &mut Placeholders<'_>,
) -> Result<Predicate, Problem> {
    let nodes = syntax.nodes_in(range);
    let Some((last, before)) = nodes.split_last() else {
        return Err(Problem::Empty);
    };
    let leaves = resolve_leaves(syntax, nodes, placeholders)?;
    nodes.iter().try_for_each(check_operand_count)?;
    assemble(Operator::of(last)?, operands(before, leaves))
}

/// The paths and values among `nodes`, filled in.
fn resolve_leaves(
    syntax: &Syntax<'_>,
    nodes: &[Node<'_>],
    placeholders: &mut Placeholders<'_>,
) -> Result<Vec<Operand>, Problem> {
    let mut leaves = Vec::with_capacity(nodes.len());
    for node in nodes {
        match node {
            Node::Path(path) => {
                leaves.push(Operand::Path(resolve_path(syntax, *path, placeholders)?));
            }
            Node::Value(key) => match placeholders.value(key) {
                Some(value) => leaves.push(Operand::Value(value)),
                None => {
                    return Err(Problem::UndefinedValue {
                        key: (*key).to_owned(),
                    });
                }
            },
            _ => {}
        }
    }
    Ok(leaves)
}

pub(crate) fn check_operand_count(node: &Node<'_>) -> Result<(), Problem> {
    match node {
        Node::Call {
            name, arguments, ..
        } => Function::named(name)?.check_operand_count(*arguments),
        Node::In { candidates } if *candidates > MAX_IN_OPERANDS => {
            Err(Problem::TooManyCandidates { count: *candidates })
        }
        _ => Ok(()),
    }
}

/// The operands of the condition: the leaves, inside `size` where it is called.
pub(crate) fn operands<P, V>(nodes: &[Node<'_>], leaves: Vec<Operand<P, V>>) -> Vec<Operand<P, V>> {
    let mut leaves = leaves.into_iter();
    let mut operands = Vec::with_capacity(leaves.len());
    for node in nodes {
        // The only call that is an operand is `size`, of one operand.
        let operand = match node {
            Node::Call { .. } => operands
                .pop()
                .map(|operand| Operand::Size(Box::new(operand))),
            _ => leaves.next(),
        };
        operands.extend(operand);
    }
    operands
}
