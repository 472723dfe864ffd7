//! Evaluators without views, trees of paths or any other cleverness.

use crate::ast::{Action, Condition, NewValue, Operand, Path, Step};
use monotable_item::{AttributeType, AttributeValue, Item, Number};
use std::cmp::Ordering;

pub(crate) fn get<'v>(item: &'v Item, path: &[Step]) -> Option<&'v AttributeValue> {
    let (Step::Name(name), rest) = path.split_first()? else {
        return None;
    };
    let mut value = item.get(name)?;
    for step in rest {
        value = match (value, step) {
            (AttributeValue::M(map), Step::Name(name)) => map.get(name)?,
            (AttributeValue::L(list), Step::Index(index)) => list.get(*index)?,
            _ => return None,
        };
    }
    Some(value)
}

fn value_of(operand: &Operand, item: &Item) -> Option<AttributeValue> {
    match operand {
        Operand::Path(path) => get(item, path).cloned(),
        Operand::Value(value) => Some(value.clone()),
        Operand::Size(operand) => {
            let size = match value_of(operand, item)? {
                AttributeValue::S(text) => text
                    .chars()
                    .map(|c| if c > '\u{ffff}' { 2 } else { 1 })
                    .sum(),
                AttributeValue::B(bytes) => bytes.len(),
                AttributeValue::L(list) => list.len(),
                AttributeValue::M(map) => map.len(),
                AttributeValue::Ss(set) => set.len(),
                AttributeValue::Ns(set) => set.len(),
                AttributeValue::Bs(set) => set.len(),
                _ => return None,
            };
            Some(size.into())
        }
    }
}

pub(crate) fn order(left: &AttributeValue, right: &AttributeValue) -> Option<Ordering> {
    match (left, right) {
        (AttributeValue::S(a), AttributeValue::S(b)) => Some(a.as_bytes().cmp(b.as_bytes())),
        (AttributeValue::N(a), AttributeValue::N(b)) => Some(a.cmp(b)),
        (AttributeValue::B(a), AttributeValue::B(b)) => Some(a.cmp(b)),
        _ => None,
    }
}

pub(crate) fn is_true(condition: &Condition, item: &Item) -> bool {
    match condition {
        Condition::Compare(operator, left, right) => {
            let (left, right) = (value_of(left, item), value_of(right, item));
            let both = left.as_ref().zip(right.as_ref());
            let equal = both.is_some_and(|(left, right)| left == right);
            let order = both.and_then(|(left, right)| order(left, right));
            match *operator {
                "=" => equal,
                "<>" => !equal,
                "<" => order == Some(Ordering::Less),
                "<=" => matches!(order, Some(Ordering::Less | Ordering::Equal)),
                ">" => order == Some(Ordering::Greater),
                ">=" => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
                other => panic!("{other}"),
            }
        }
        Condition::Between(operand, lower, upper) => {
            let at_least = Condition::Compare(">=", operand.clone(), lower.clone());
            let at_most = Condition::Compare("<=", operand.clone(), upper.clone());
            is_true(&at_least, item) && is_true(&at_most, item)
        }
        Condition::In(operand, candidates) => candidates.iter().any(|candidate| {
            is_true(
                &Condition::Compare("=", operand.clone(), candidate.clone()),
                item,
            )
        }),
        Condition::Exists(path) => get(item, path).is_some(),
        Condition::NotExists(path) => get(item, path).is_none(),
        Condition::Type(operand, kind) => {
            value_of(operand, item).is_some_and(|value| value.attribute_type() == *kind)
        }
        Condition::BeginsWith(operand, prefix) => {
            match (value_of(operand, item), value_of(prefix, item)) {
                (Some(AttributeValue::S(text)), Some(AttributeValue::S(prefix))) => {
                    text.find(&prefix) == Some(0)
                }
                (Some(AttributeValue::B(bytes)), Some(AttributeValue::B(prefix))) => {
                    bytes.get(..prefix.len()) == Some(&prefix)
                }
                _ => false,
            }
        }
        Condition::Contains(operand, element) => {
            match (value_of(operand, item), value_of(element, item)) {
                (Some(operand), Some(element)) => contains(&operand, &element),
                _ => false,
            }
        }
        Condition::Not(inner) => !is_true(inner, item),
        Condition::And(left, right) => is_true(left, item) && is_true(right, item),
        Condition::Or(left, right) => is_true(left, item) || is_true(right, item),
    }
}

fn contains(operand: &AttributeValue, element: &AttributeValue) -> bool {
    match (operand, element) {
        (AttributeValue::S(text), AttributeValue::S(part)) => text.find(part.as_str()).is_some(),
        (AttributeValue::B(bytes), AttributeValue::B(part)) => {
            (0..=bytes.len()).any(|start| bytes[start..].starts_with(part))
        }
        (AttributeValue::Ss(set), AttributeValue::S(element)) => set.contains(element),
        (AttributeValue::Ns(set), AttributeValue::N(element)) => set.contains(element),
        (AttributeValue::Bs(set), AttributeValue::B(element)) => set.contains(element),
        (AttributeValue::L(list), element) => list.contains(element),
        _ => false,
    }
}

/// Whether AWS takes the condition at all.
pub(crate) fn is_valid(condition: &Condition) -> bool {
    let ordered = |kind| matches!(kind, AttributeType::S | AttributeType::N | AttributeType::B);
    match condition {
        Condition::Compare(operator, left, right) => {
            distinct(left, &[right])
                && sized(&[left, right])
                && (matches!(*operator, "=" | "<>") || typed(&[left, right], ordered))
        }
        Condition::Between(operand, lower, upper) => {
            let bounds_fit = match (lower, upper) {
                (Operand::Value(lower), Operand::Value(upper)) => {
                    order(lower, upper).is_some_and(|order| order != Ordering::Greater)
                }
                _ => true,
            };
            distinct(operand, &[lower, upper])
                && sized(&[operand, lower, upper])
                && typed(&[operand, lower, upper], ordered)
                && bounds_fit
        }
        Condition::In(operand, candidates) => {
            let candidates: Vec<_> = candidates.iter().collect();
            distinct(operand, &candidates) && sized(&[operand]) && sized(&candidates)
        }
        Condition::Exists(_) | Condition::NotExists(_) => true,
        Condition::Type(operand, _) => sized(&[operand]),
        Condition::BeginsWith(operand, prefix) => {
            distinct(operand, &[prefix])
                && sized(&[operand, prefix])
                && typed(&[operand, prefix], |kind| {
                    matches!(kind, AttributeType::S | AttributeType::B)
                })
        }
        Condition::Contains(operand, element) => {
            distinct(operand, &[element]) && sized(&[operand, element])
        }
        Condition::Not(inner) => is_valid(inner),
        Condition::And(left, right) | Condition::Or(left, right) => {
            is_valid(left) && is_valid(right)
        }
    }
}

fn distinct(first: &Operand, rest: &[&Operand]) -> bool {
    let Operand::Path(first) = first else {
        return true;
    };
    !rest
        .iter()
        .any(|operand| matches!(operand, Operand::Path(path) if path == first))
}

fn typed(operands: &[&Operand], accepts: impl Fn(AttributeType) -> bool) -> bool {
    operands.iter().all(|operand| match operand {
        Operand::Path(_) => true,
        Operand::Value(value) => accepts(value.attribute_type()),
        Operand::Size(_) => accepts(AttributeType::N),
    })
}

/// Whether every `size` is of something that may have one.
fn sized(operands: &[&Operand]) -> bool {
    operands.iter().all(|operand| match operand {
        Operand::Size(inner) => match &**inner {
            Operand::Path(_) => true,
            Operand::Value(value) => !matches!(
                value.attribute_type(),
                AttributeType::N | AttributeType::Bool | AttributeType::Null
            ),
            Operand::Size(_) => false,
        },
        Operand::Path(_) | Operand::Value(_) => true,
    })
}

/// Whether no path reaches what another one reaches, or takes a map for a list.
pub(crate) fn are_apart(paths: &[&Path]) -> bool {
    paths.iter().enumerate().all(|(position, one)| {
        paths[..position].iter().all(|two| {
            let first_difference = one.iter().zip(two.iter()).find(|(a, b)| a != b);
            matches!(
                first_difference,
                Some((Step::Name(_), Step::Name(_)) | (Step::Index(_), Step::Index(_)))
            )
        })
    })
}

/// The parts of the item that the paths lead to.
pub(crate) fn project(item: &Item, paths: &[&Path]) -> Item {
    let paths: Vec<&[Step]> = paths.iter().map(|path| path.as_slice()).collect();
    match project_value(&AttributeValue::M(item.clone()), &paths) {
        Some(AttributeValue::M(item)) => item,
        _ => Item::new(),
    }
}

fn project_value(value: &AttributeValue, paths: &[&[Step]]) -> Option<AttributeValue> {
    if paths.iter().any(|path| path.is_empty()) {
        return Some(value.clone());
    }
    let below = |step: &Step| -> Vec<&[Step]> {
        let matching = paths.iter().filter(|path| path[0] == *step);
        matching.map(|path| &path[1..]).collect()
    };
    match value {
        AttributeValue::M(map) => {
            let projected: Item = map
                .iter()
                .filter_map(|(name, value)| {
                    let below = below(&Step::Name(name.clone()));
                    Some((name.clone(), project_value(value, &below)?))
                })
                .collect();
            (!projected.is_empty()).then_some(AttributeValue::M(projected))
        }
        AttributeValue::L(list) => {
            let projected: Vec<_> = list
                .iter()
                .enumerate()
                .filter_map(|(index, value)| project_value(value, &below(&Step::Index(index))))
                .collect();
            (!projected.is_empty()).then_some(AttributeValue::L(projected))
        }
        _ => None,
    }
}

/// The item after the actions, or nothing if one of them does not fit it.
///
/// Changes in place; what is appended to lists comes after that, what is removed last and from the back.
pub(crate) fn update(item: &Item, actions: &[Action]) -> Option<Item> {
    let mut updated = item.clone();
    let mut removed: Vec<&Path> = Vec::new();
    let mut appended: Vec<(&Path, AttributeValue)> = Vec::new();
    for action in actions {
        let path = action.path();
        check_parent(item, path)?;
        let old = get(item, path);
        let new = match action {
            Action::Set(_, value) => Some(new_value(item, value)?),
            Action::Remove(_) => None,
            Action::Add(_, value) => Some(added(old, value)?),
            Action::Delete(_, value) => deleted(old, value)?,
        };
        match new {
            None if old.is_some() => removed.push(path),
            None => {}
            Some(value) if old.is_none() && matches!(path.last(), Some(Step::Index(_))) => {
                appended.push((path, value));
            }
            Some(value) => put(&mut updated, path, value),
        }
    }
    appended.sort_by_key(|(path, _)| (*path).clone());
    for (path, value) in appended {
        let (_, parent) = path.split_last()?;
        let AttributeValue::L(list) = get_mut(&mut updated, parent)? else {
            return None;
        };
        list.push(value);
    }
    removed.sort();
    for path in removed.into_iter().rev() {
        remove(&mut updated, path);
    }
    Some(updated)
}

fn check_parent(item: &Item, path: &Path) -> Option<()> {
    let (last, parent) = path.split_last()?;
    if parent.is_empty() {
        return Some(());
    }
    match (get(item, parent)?, last) {
        (AttributeValue::M(_), Step::Name(_)) | (AttributeValue::L(_), Step::Index(_)) => Some(()),
        _ => None,
    }
}

fn new_value(item: &Item, value: &NewValue) -> Option<AttributeValue> {
    let number = |value| match new_value(item, value)? {
        AttributeValue::N(number) => Some(number),
        _ => None,
    };
    let list = |value| match new_value(item, value)? {
        AttributeValue::L(list) => Some(list),
        _ => None,
    };
    let sum = |left: Number, right: Number| Some(AttributeValue::N(left.checked_add(right).ok()?));
    match value {
        NewValue::Path(path) => get(item, path).cloned(),
        NewValue::Value(value) => Some(value.clone()),
        NewValue::IfNotExists(path, value) => {
            get(item, path).cloned().or_else(|| new_value(item, value))
        }
        NewValue::ListAppend(first, second) => {
            let mut all = list(first)?;
            all.append(&mut list(second)?);
            Some(AttributeValue::L(all))
        }
        NewValue::Plus(left, right) => sum(number(left)?, number(right)?),
        NewValue::Minus(left, right) => sum(number(left)?, number(right)?.negated()),
    }
}

fn added(old: Option<&AttributeValue>, value: &AttributeValue) -> Option<AttributeValue> {
    Some(match (old, value) {
        (None, value) => value.clone(),
        (Some(AttributeValue::N(a)), AttributeValue::N(b)) => {
            AttributeValue::N(b.checked_add(*a).ok()?)
        }
        (Some(AttributeValue::Ss(a)), AttributeValue::Ss(b)) => AttributeValue::Ss(a | b),
        (Some(AttributeValue::Ns(a)), AttributeValue::Ns(b)) => AttributeValue::Ns(a | b),
        (Some(AttributeValue::Bs(a)), AttributeValue::Bs(b)) => AttributeValue::Bs(a | b),
        _ => return None,
    })
}

fn deleted(old: Option<&AttributeValue>, value: &AttributeValue) -> Option<Option<AttributeValue>> {
    Some(match (old, value) {
        (None, _) => None,
        (Some(AttributeValue::Ss(a)), AttributeValue::Ss(b)) => {
            (!a.is_subset(b)).then(|| AttributeValue::Ss(a - b))
        }
        (Some(AttributeValue::Ns(a)), AttributeValue::Ns(b)) => {
            (!a.is_subset(b)).then(|| AttributeValue::Ns(a - b))
        }
        (Some(AttributeValue::Bs(a)), AttributeValue::Bs(b)) => {
            (!a.is_subset(b)).then(|| AttributeValue::Bs(a - b))
        }
        _ => return None,
    })
}

fn get_mut<'v>(item: &'v mut Item, path: &[Step]) -> Option<&'v mut AttributeValue> {
    let (Step::Name(name), rest) = path.split_first()? else {
        return None;
    };
    let mut value = item.get_mut(name)?;
    for step in rest {
        value = match (value, step) {
            (AttributeValue::M(map), Step::Name(name)) => map.get_mut(name)?,
            (AttributeValue::L(list), Step::Index(index)) => list.get_mut(*index)?,
            _ => return None,
        };
    }
    Some(value)
}

fn put(item: &mut Item, path: &Path, value: AttributeValue) {
    match path.split_last().unwrap() {
        (Step::Name(name), []) => {
            item.insert(name.clone(), value);
        }
        (last, parent) => match (get_mut(item, parent).unwrap(), last) {
            (AttributeValue::M(map), Step::Name(name)) => {
                map.insert(name.clone(), value);
            }
            (AttributeValue::L(list), Step::Index(index)) => list[*index] = value,
            other => panic!("{other:?}"),
        },
    }
}

fn remove(item: &mut Item, path: &Path) {
    match path.split_last().unwrap() {
        (Step::Name(name), []) => {
            item.remove(name);
        }
        (last, parent) => match (get_mut(item, parent).unwrap(), last) {
            (AttributeValue::M(map), Step::Name(name)) => {
                map.remove(name);
            }
            (AttributeValue::L(list), Step::Index(index)) => {
                list.remove(*index);
            }
            other => panic!("{other:?}"),
        },
    }
}
