//! Trees to text. How leaves are written is up to the caller: inline, or as placeholders.
//!
//! Calls itself as deep as the tree is.

use super::{Literal, Path};
use crate::tree::{Operand, Predicate};
use monotable_item::AttributeType;
use std::fmt::{self, Write};

/// Something that has no parts.
pub(super) enum Leaf<'l, P, V> {
    Path(&'l P),
    Value(&'l V),
    /// The type that `attribute_type` asks for.
    Type(AttributeType),
}

/// Writes a leaf as predicates have it.
pub(super) fn inline<W: Write>(leaf: Leaf<'_, Path, Literal>, out: &mut W) -> fmt::Result {
    match leaf {
        Leaf::Path(path) => write!(out, "{path}"),
        Leaf::Value(literal) => write!(out, "{literal}"),
        Leaf::Type(attribute_type) => write!(out, "'{attribute_type}'"),
    }
}

/// Writes `predicate` with as few parentheses as possible; AWS refuses doubled ones.
pub(super) fn print<P, V, W: Write>(
    predicate: &Predicate<P, V>,
    out: &mut W,
    leaf: &mut impl FnMut(Leaf<'_, P, V>, &mut W) -> fmt::Result,
) -> fmt::Result {
    match predicate {
        // INVARIANT: an `Any` holds no `Any`, and `AND` binds stronger.
        Predicate::Any(predicates) => {
            separated(predicates, " OR ", out, |one, out| print(one, out, leaf))
        }
        Predicate::All(predicates) => separated(predicates, " AND ", out, |one, out| {
            print_within(one, is_junction(one), out, leaf)
        }),
        Predicate::Not(inner) => {
            out.write_str("NOT ")?;
            print_within(inner, is_junction(inner), out, leaf)
        }
        simple => print_simple(simple, out, leaf),
    }
}

fn print_within<P, V, W: Write>(
    predicate: &Predicate<P, V>,
    enclosed: bool,
    out: &mut W,
    leaf: &mut impl FnMut(Leaf<'_, P, V>, &mut W) -> fmt::Result,
) -> fmt::Result {
    if !enclosed {
        return print(predicate, out, leaf);
    }
    out.write_char('(')?;
    print(predicate, out, leaf)?;
    out.write_char(')')
}

const fn is_junction<P, V>(predicate: &Predicate<P, V>) -> bool {
    matches!(predicate, Predicate::All(_) | Predicate::Any(_))
}

fn print_simple<P, V, W: Write>(
    predicate: &Predicate<P, V>,
    out: &mut W,
    leaf: &mut impl FnMut(Leaf<'_, P, V>, &mut W) -> fmt::Result,
) -> fmt::Result {
    match predicate {
        Predicate::Compare {
            comparator,
            left,
            right,
        } => {
            print_operand(left, out, leaf)?;
            write!(out, " {} ", comparator.symbol())?;
            print_operand(right, out, leaf)
        }
        Predicate::Between {
            operand,
            lower,
            upper,
        } => {
            print_operand(operand, out, leaf)?;
            out.write_str(" BETWEEN ")?;
            print_operand(lower, out, leaf)?;
            out.write_str(" AND ")?;
            print_operand(upper, out, leaf)
        }
        Predicate::In {
            operand,
            candidates,
        } => {
            print_operand(operand, out, leaf)?;
            out.write_str(" IN (")?;
            separated(candidates, ", ", out, |one, out| {
                print_operand(one, out, leaf)
            })?;
            out.write_char(')')
        }
        Predicate::Exists(path) => {
            out.write_str("attribute_exists(")?;
            leaf(Leaf::Path(path), out)?;
            out.write_char(')')
        }
        Predicate::NotExists(path) => {
            out.write_str("attribute_not_exists(")?;
            leaf(Leaf::Path(path), out)?;
            out.write_char(')')
        }
        Predicate::HasType {
            operand,
            attribute_type,
        } => {
            out.write_str("attribute_type(")?;
            print_operand(operand, out, leaf)?;
            out.write_str(", ")?;
            leaf(Leaf::Type(*attribute_type), out)?;
            out.write_char(')')
        }
        Predicate::BeginsWith { operand, prefix } => {
            print_call("begins_with", operand, prefix, out, leaf)
        }
        Predicate::Contains { operand, element } => {
            print_call("contains", operand, element, out, leaf)
        }
        Predicate::Not(_) | Predicate::All(_) | Predicate::Any(_) => print(predicate, out, leaf),
    }
}

fn print_call<P, V, W: Write>(
    name: &str,
    first: &Operand<P, V>,
    second: &Operand<P, V>,
    out: &mut W,
    leaf: &mut impl FnMut(Leaf<'_, P, V>, &mut W) -> fmt::Result,
) -> fmt::Result {
    write!(out, "{name}(")?;
    print_operand(first, out, leaf)?;
    out.write_str(", ")?;
    print_operand(second, out, leaf)?;
    out.write_char(')')
}

fn print_operand<P, V, W: Write>(
    operand: &Operand<P, V>,
    out: &mut W,
    leaf: &mut impl FnMut(Leaf<'_, P, V>, &mut W) -> fmt::Result,
) -> fmt::Result {
    match operand {
        Operand::Path(path) => leaf(Leaf::Path(path), out),
        Operand::Value(value) => leaf(Leaf::Value(value), out),
        Operand::Size(inner) => {
            out.write_str("size(")?;
            print_operand(inner, out, leaf)?;
            out.write_char(')')
        }
    }
}

fn separated<T, W: Write>(
    parts: &[T],
    separator: &str,
    out: &mut W,
    mut print: impl FnMut(&T, &mut W) -> fmt::Result,
) -> fmt::Result {
    for (position, part) in parts.iter().enumerate() {
        if position > 0 {
            out.write_str(separator)?;
        }
        print(part, out)?;
    }
    Ok(())
}
