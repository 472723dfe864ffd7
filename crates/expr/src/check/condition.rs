//! Conditions, filters and key conditions.

use super::function::Function;
use super::simple_condition::simple_condition;
use super::words::{check_operator_count, check_words};
use crate::mark::Mark;
use crate::syntax::{Node, Syntax};
use crate::tree::Predicate;
use crate::{Placeholders, Problem};
use std::ops::Range;

/// Checks a condition and fills it in.
pub(crate) fn check_condition(
    syntax: &Syntax<'_>,
    placeholders: &mut Placeholders<'_>,
) -> Result<Predicate, Problem> {
    if syntax.redundant_parentheses {
        return Err(Problem::RedundantParentheses);
    }
    check_functions_exist(syntax)?;
    check_functions_fit(syntax)?;
    check_words(syntax)?;
    check_operator_count(syntax)?;
    join(syntax, |range| {
        simple_condition(syntax, range, placeholders)
    })
}

fn check_functions_exist(syntax: &Syntax<'_>) -> Result<(), Problem> {
    calls(syntax).try_for_each(|(name, _)| Function::named(name).map(drop))
}

/// `size` is an operand and nothing else is.
fn check_functions_fit(syntax: &Syntax<'_>) -> Result<(), Problem> {
    calls(syntax).try_for_each(|(name, is_condition)| check_function(name, is_condition))
}

pub(crate) fn check_function(name: &str, is_condition: bool) -> Result<(), Problem> {
    let function = Function::named(name)?;
    if function.is_of_updates() {
        return Err(Problem::FunctionInCondition { name: name.into() });
    }
    if is_condition == (function == Function::Size) {
        return Err(Problem::MisusedFunction { name: name.into() });
    }
    Ok(())
}

/// Every call: its name, and whether it stands for a condition.
fn calls<'s>(syntax: &'s Syntax<'_>) -> impl Iterator<Item = (&'s str, bool)> {
    syntax.nodes().iter().filter_map(|node| match node {
        Node::Call {
            name, is_condition, ..
        } => Some((*name, *is_condition)),
        _ => None,
    })
}

/// Takes the simple conditions one after the other, each with all its operands, and joins them.
pub(crate) fn join<M: Mark, P, V, E: From<Problem>>(
    syntax: &Syntax<'_, M>,
    mut simple_condition: impl FnMut(Range<usize>) -> Result<Predicate<P, V>, E>,
) -> Result<Predicate<P, V>, E> {
    let mut predicates = Vec::new();
    let mut start = 0;
    for (index, node) in syntax.nodes().iter().enumerate() {
        let predicate = match node {
            Node::Path(_)
            | Node::Value(_)
            | Node::Plus
            | Node::Minus
            | Node::Call {
                is_condition: false,
                ..
            } => continue,
            Node::Not => pop(&mut predicates)?.negated(),
            Node::And => {
                let right = pop(&mut predicates)?;
                pop(&mut predicates)?.and(right)
            }
            Node::Or => {
                let right = pop(&mut predicates)?;
                pop(&mut predicates)?.or(right)
            }
            Node::Compare(_) | Node::Between | Node::In { .. } | Node::Call { .. } => {
                simple_condition(start..index + 1)?
            }
        };
        start = index + 1;
        predicates.push(predicate);
    }
    Ok(pop(&mut predicates)?)
}

fn pop<P, V>(predicates: &mut Vec<Predicate<P, V>>) -> Result<Predicate<P, V>, Problem> {
    // INVARIANT: the parser writes an operator only after its operands.
    predicates.pop().ok_or(Problem::Empty)
}
