//! Updates: as text for the engine, as plain changes of a tree for the model.

use crate::path::{Path, Placeholders, Step, any_path, changed_path};
use crate::value::{Kind, kind_of, list, numeric, set, value_of};
use monotable_item::{AttributeValue, Item};
use proptest::prelude::*;
use std::collections::BTreeSet;

#[derive(Clone, Debug)]
pub enum Action {
    Set(Path, NewValue),
    Remove(Path),
    Add(Path, AttributeValue),
    Delete(Path, AttributeValue),
}

#[derive(Clone, Debug)]
pub enum NewValue {
    Given(AttributeValue),
    Copy(Path),
    /// A path plus (or minus) a number.
    Sum(Path, bool, AttributeValue),
    Appended(Path, AttributeValue),
    Default(Path, AttributeValue),
}

/// Why an update fails on an item, in AWS's words.
pub const INVALID_PATH: &str =
    "The document path provided in the update expression is invalid for update";
pub const OPERAND_TYPE: &str = "An operand in the update expression has an incorrect data type";
pub const MISSING_ATTRIBUTE: &str =
    "The provided expression refers to an attribute that does not exist in the item";

impl Action {
    pub const fn path(&self) -> &Path {
        match self {
            Self::Set(path, _)
            | Self::Remove(path)
            | Self::Add(path, _)
            | Self::Delete(path, _) => path,
        }
    }

    /// Whether what is written is of another type than this, whatever the item is.
    pub fn is_never(&self, kind: Kind) -> bool {
        match self {
            Self::Set(_, NewValue::Given(value)) | Self::Add(_, value) | Self::Delete(_, value) => {
                kind_of(value) != Some(kind)
            }
            Self::Set(_, NewValue::Sum(..)) => kind != Kind::N,
            Self::Set(_, NewValue::Appended(..)) => true,
            Self::Set(_, NewValue::Copy(_) | NewValue::Default(..)) | Self::Remove(_) => false,
        }
    }

    const fn creates_item(&self) -> bool {
        matches!(self, Self::Set(..) | Self::Add(..))
    }
}

/// The item after the update; none if there was none and nothing makes one.
pub fn apply(
    actions: &[Action],
    old: Option<&Item>,
    key: &Item,
) -> Result<Option<Item>, &'static str> {
    if old.is_none() && !actions.is_empty() && !actions.iter().any(Action::creates_item) {
        return Ok(None);
    }
    let before = old.unwrap_or(key);
    let mut after = before.clone();
    // All right sides see the item as it was; attributes are distinct, so that order is no matter.
    for action in actions {
        let path = action.path();
        let found = path.find(before);
        match action {
            Action::Set(_, value) => {
                let value = value.of(before)?;
                put(&mut after, path, value)?;
            }
            Action::Add(_, value) => {
                let value = match found {
                    None => value.clone(),
                    Some(found) => add(found, value)?,
                };
                put(&mut after, path, value)?;
            }
            Action::Remove(_) if old.is_none() && path.step.is_some() => {}
            Action::Remove(_) => take(&mut after, path)?,
            Action::Delete(_, value) => match found {
                None => check_parent(&after, path)?,
                Some(found) => match subtract(found, value)? {
                    Some(rest) => put(&mut after, path, rest)?,
                    None => take(&mut after, path)?,
                },
            },
        }
    }
    Ok(Some(after))
}

impl NewValue {
    fn of(&self, item: &Item) -> Result<AttributeValue, &'static str> {
        let find = |path: &Path| path.find(item).ok_or(MISSING_ATTRIBUTE);
        match self {
            Self::Given(value) => Ok(value.clone()),
            Self::Copy(path) => find(path).cloned(),
            Self::Sum(path, plus, value) => match (find(path)?, value) {
                (AttributeValue::N(left), AttributeValue::N(right)) => {
                    let sum = if *plus {
                        left.checked_add(*right)
                    } else {
                        left.checked_sub(*right)
                    };
                    Ok(AttributeValue::N(sum.unwrap()))
                }
                _ => Err(OPERAND_TYPE),
            },
            Self::Appended(path, value) => match (find(path)?, value) {
                (AttributeValue::L(left), AttributeValue::L(right)) => {
                    Ok(AttributeValue::L([left.as_slice(), right].concat()))
                }
                _ => Err(OPERAND_TYPE),
            },
            Self::Default(path, value) => Ok(path.find(item).unwrap_or(value).clone()),
        }
    }

    fn render(&self, out: &mut Placeholders) -> String {
        match self {
            Self::Given(value) => out.value(value),
            Self::Copy(path) => path.render(out),
            Self::Sum(path, true, value) => format!("{} + {}", path.render(out), out.value(value)),
            Self::Sum(path, false, value) => format!("{} - {}", path.render(out), out.value(value)),
            Self::Appended(path, value) => {
                format!("list_append({}, {})", path.render(out), out.value(value))
            }
            Self::Default(path, value) => {
                format!("if_not_exists({}, {})", path.render(out), out.value(value))
            }
        }
    }
}

/// What a path's last step is taken in must be there.
fn check_parent(item: &Item, path: &Path) -> Result<(), &'static str> {
    match (&path.step, item.get(path.attribute)) {
        (None, _)
        | (Some(Step::Member(_)), Some(AttributeValue::M(_)))
        | (Some(Step::Element(_)), Some(AttributeValue::L(_))) => Ok(()),
        (Some(_), _) => Err(INVALID_PATH),
    }
}

fn put(item: &mut Item, path: &Path, value: AttributeValue) -> Result<(), &'static str> {
    check_parent(item, path)?;
    match (&path.step, item.get_mut(path.attribute)) {
        (Some(Step::Member(name)), Some(AttributeValue::M(map))) => {
            map.insert(*name, value);
        }
        (Some(Step::Element(index)), Some(AttributeValue::L(list))) => match list.get_mut(*index) {
            Some(element) => *element = value,
            None => list.push(value),
        },
        _ => {
            item.insert(path.attribute, value);
        }
    }
    Ok(())
}

fn take(item: &mut Item, path: &Path) -> Result<(), &'static str> {
    check_parent(item, path)?;
    match (&path.step, item.get_mut(path.attribute)) {
        (Some(Step::Member(name)), Some(AttributeValue::M(map))) => {
            map.remove(name);
        }
        (Some(Step::Element(index)), Some(AttributeValue::L(list))) => {
            if *index < list.len() {
                list.remove(*index);
            }
        }
        _ => {
            item.remove(path.attribute);
        }
    }
    Ok(())
}

fn add(found: &AttributeValue, value: &AttributeValue) -> Result<AttributeValue, &'static str> {
    Ok(match (found, value) {
        (AttributeValue::N(left), AttributeValue::N(right)) => {
            AttributeValue::N(left.checked_add(*right).unwrap())
        }
        (AttributeValue::Ss(left), AttributeValue::Ss(right)) => AttributeValue::Ss(left | right),
        (AttributeValue::Ns(left), AttributeValue::Ns(right)) => AttributeValue::Ns(left | right),
        (AttributeValue::Bs(left), AttributeValue::Bs(right)) => AttributeValue::Bs(left | right),
        _ => return Err(OPERAND_TYPE),
    })
}

/// The rest of a set; nothing if that is empty.
fn subtract(
    found: &AttributeValue,
    value: &AttributeValue,
) -> Result<Option<AttributeValue>, &'static str> {
    fn rest<T: Ord + Clone>(left: &BTreeSet<T>, right: &BTreeSet<T>) -> Option<BTreeSet<T>> {
        let rest = left - right;
        (!rest.is_empty()).then_some(rest)
    }
    Ok(match (found, value) {
        (AttributeValue::Ss(left), AttributeValue::Ss(right)) => {
            rest(left, right).map(AttributeValue::Ss)
        }
        (AttributeValue::Ns(left), AttributeValue::Ns(right)) => {
            rest(left, right).map(AttributeValue::Ns)
        }
        (AttributeValue::Bs(left), AttributeValue::Bs(right)) => {
            rest(left, right).map(AttributeValue::Bs)
        }
        _ => return Err(OPERAND_TYPE),
    })
}

pub fn render(actions: &[Action], out: &mut Placeholders) -> String {
    let mut clauses: [Vec<String>; 4] = Default::default();
    for action in actions {
        let path = action.path().render(out);
        let (clause, text) = match action {
            Action::Set(_, value) => (0, format!("{path} = {}", value.render(out))),
            Action::Remove(_) => (1, path),
            Action::Add(_, value) => (2, format!("{path} {}", out.value(value))),
            Action::Delete(_, value) => (3, format!("{path} {}", out.value(value))),
        };
        clauses[clause].push(text);
    }
    let names = ["SET", "REMOVE", "ADD", "DELETE"].into_iter().zip(clauses);
    let clauses = names.filter(|(_, actions)| !actions.is_empty());
    let clauses: Vec<_> = clauses
        .map(|(name, actions)| format!("{name} {}", actions.join(", ")))
        .collect();
    clauses.join(" ")
}

fn new_value(path: &Path) -> impl Strategy<Value = NewValue> + use<> {
    prop_oneof![
        6 => value_of(path.attribute).prop_map(NewValue::Given),
        1 => any_path().prop_map(NewValue::Copy),
        2 => (any_path(), any::<bool>(), numeric())
            .prop_map(|(path, plus, value)| NewValue::Sum(path, plus, value)),
        1 => (any_path(), list()).prop_map(|(path, value)| NewValue::Appended(path, value)),
        1 => (any_path(), value_of(path.attribute))
            .prop_map(|(path, value)| NewValue::Default(path, value)),
    ]
}

fn action() -> impl Strategy<Value = Action> {
    // Rarely a key, which no update may change.
    let path = prop_oneof![40 => changed_path(), 1 => Just(Path::to("pk"))];
    path.prop_flat_map(|path| {
        let addend = match path.attribute {
            "n" | "y" => numeric().boxed(),
            _ => prop_oneof![set(), numeric()].boxed(),
        };
        let (set_path, add_path, delete_path) = (path.clone(), path.clone(), path.clone());
        prop_oneof![
            4 => new_value(&path).prop_map(move |value| Action::Set(set_path.clone(), value)),
            2 => Just(Action::Remove(path)),
            2 => addend.prop_map(move |value| Action::Add(add_path.clone(), value)),
            1 => set().prop_map(move |value| Action::Delete(delete_path.clone(), value)),
        ]
    })
}

/// Actions on distinct attributes.
pub fn actions() -> impl Strategy<Value = Vec<Action>> {
    proptest::collection::vec(action(), 1..4).prop_map(|actions| {
        let mut kept: Vec<Action> = Vec::new();
        for action in actions {
            let attribute = action.path().attribute;
            if kept.iter().all(|other| other.path().attribute != attribute) {
                kept.push(action);
            }
        }
        kept
    })
}
