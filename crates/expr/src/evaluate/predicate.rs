//! Whether a predicate is true of an item.

use super::datum::Datum;
use crate::tree::{Comparator, Constant, Operand, Predicate};
use monotable_item::{AttributeType, SetView, ValueView};

/// Whether `predicate` is true where `lookup` finds what paths lead to.
///
/// Calls itself as deep as the tree is, which is at most 300: see [`Predicate`].
pub(crate) fn is_true<'v, P, V: Constant>(
    predicate: &Predicate<P, V>,
    lookup: &impl Fn(&P) -> Option<ValueView<'v>>,
) -> bool {
    let datum = |operand| Datum::of(operand, lookup);
    match predicate {
        Predicate::Compare {
            comparator,
            left,
            right,
        } => compare(*comparator, datum(left), datum(right)),
        Predicate::Between {
            operand,
            lower,
            upper,
        } => {
            let operand = datum(operand);
            compare(Comparator::GreaterOrEqual, operand, datum(lower))
                && compare(Comparator::LessOrEqual, operand, datum(upper))
        }
        Predicate::In {
            operand,
            candidates,
        } => is_in(datum(operand), candidates, lookup),
        Predicate::Exists(path) => lookup(path).is_some(),
        Predicate::NotExists(path) => lookup(path).is_none(),
        Predicate::HasType {
            operand,
            attribute_type,
        } => datum(operand).is_some_and(|datum| type_of(datum) == *attribute_type),
        Predicate::BeginsWith { operand, prefix } => begins_with(datum(operand), datum(prefix)),
        Predicate::Contains { operand, element } => contains(datum(operand), datum(element)),
        Predicate::Not(predicate) => !is_true(predicate, lookup),
        Predicate::All(predicates) => predicates.iter().all(|one| is_true(one, lookup)),
        Predicate::Any(predicates) => predicates.iter().any(|one| is_true(one, lookup)),
    }
}

/// Whether two operands compare so; of something that is missing only `<>` is true.
pub(crate) fn compare(
    comparator: Comparator,
    left: Option<Datum<'_>>,
    right: Option<Datum<'_>>,
) -> bool {
    let (Some(left), Some(right)) = (left, right) else {
        return comparator == Comparator::NotEqual;
    };
    match comparator {
        Comparator::Equal => left.equals(right),
        Comparator::NotEqual => !left.equals(right),
        ordering => left
            .compare(right)
            .is_some_and(|order| ordering.accepts(order)),
    }
}

fn is_in<'v, P, V: Constant>(
    datum: Option<Datum<'_>>,
    candidates: &[Operand<P, V>],
    lookup: &impl Fn(&P) -> Option<ValueView<'v>>,
) -> bool {
    let Some(datum) = datum else { return false };
    candidates
        .iter()
        .filter_map(|candidate| Datum::of(candidate, lookup))
        .any(|candidate| datum.equals(candidate))
}

const fn type_of(datum: Datum<'_>) -> AttributeType {
    match datum {
        Datum::Stored(value) => value.attribute_type(),
        Datum::Size(_) => AttributeType::N,
    }
}

fn begins_with(operand: Option<Datum<'_>>, prefix: Option<Datum<'_>>) -> bool {
    match (
        operand.and_then(Datum::stored),
        prefix.and_then(Datum::stored),
    ) {
        (Some(ValueView::S(text)), Some(ValueView::S(prefix))) => text.starts_with(prefix),
        (Some(ValueView::B(bytes)), Some(ValueView::B(prefix))) => bytes.starts_with(prefix),
        _ => false,
    }
}

/// A part of a string or of bytes; an element of a set or of a list.
fn contains(operand: Option<Datum<'_>>, element: Option<Datum<'_>>) -> bool {
    let (Some(Datum::Stored(operand)), Some(element)) = (operand, element) else {
        return false;
    };
    match (operand, element.stored()) {
        (ValueView::S(text), Some(ValueView::S(part))) => text.contains(part),
        (ValueView::B(bytes), Some(ValueView::B(part))) => contains_bytes(bytes, part),
        (ValueView::Ss(set), Some(ValueView::S(element))) => set.contains(element.as_bytes()),
        (ValueView::Bs(set), Some(ValueView::B(element))) => set.contains(element),
        (ValueView::Ns(set), _) => contains_number(set, element),
        (ValueView::L(list), _) => list
            .iter()
            .any(|value| Datum::Stored(value).equals(element)),
        _ => false,
    }
}

fn contains_bytes(bytes: &[u8], part: &[u8]) -> bool {
    // `windows` has no windows of length 0.
    part.is_empty() || bytes.windows(part.len()).any(|window| window == part)
}

fn contains_number(set: SetView<'_>, element: Datum<'_>) -> bool {
    match element {
        // Numbers are stored canonically: equal numbers are equal texts.
        Datum::Stored(ValueView::N(number)) => set.contains(number.as_str().as_bytes()),
        Datum::Stored(_) => false,
        Datum::Size(number) => set.contains(number.to_string().as_bytes()),
    }
}
