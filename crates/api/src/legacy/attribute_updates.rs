//! `AttributeUpdates`: what becomes of attributes.

use crate::choice::{Chosen, choices};
use crate::constraint::{Constraints, Path};
use crate::structure::structure;
use crate::{Error, wording};
use monotable_expr::Update;
use monotable_expr::tree::{Action, DocumentPath, NewValue};
use monotable_item::{
    AttributeType, AttributeValue, EncodedValue, GivenValue, check_attribute_name,
};
use std::collections::BTreeMap;

choices! {
    /// What is done to an attribute.
    pub enum AttributeAction {
        /// A number is added to it, elements are put into it, or a list is appended to it.
        Add = "ADD",
        /// It is removed, or elements of it are.
        Delete = "DELETE",
        /// It is set.
        Put = "PUT",
    }
}

structure! {
    /// What is done to one attribute.
    pub struct AttributeValueUpdate {
        /// The value to do it with.
        value: GivenValue,
        /// What is done; without it, the attribute is set.
        action: Chosen<AttributeAction>,
    }
}

/// What is done, by attribute.
pub type AttributeUpdates = BTreeMap<String, AttributeValueUpdate>;

/// Checks the constraints on the actions of a map.
pub(crate) fn constrain(constraints: &mut Constraints, updates: &Option<AttributeUpdates>) {
    const PATH: Path<'static> = Path::Root("attributeUpdates");
    for (name, update) in updates.iter().flatten() {
        let entry = PATH.entry(name);
        constraints.choice(entry.field("action"), &update.action);
    }
}

/// The update that a map makes; none if it is empty.
pub(crate) fn update(updates: &Option<AttributeUpdates>) -> Result<Option<Update>, Error> {
    let actions = updates
        .iter()
        .flatten()
        .map(|(name, update)| update.check(name))
        .collect::<Result<Vec<_>, _>>()?;
    if actions.is_empty() {
        return Ok(None);
    }
    Update::from_attribute_updates(actions)
        .map(Some)
        .map_err(Error::validation)
}

impl AttributeValueUpdate {
    /// Does this with the value.
    pub fn new(action: AttributeAction, value: impl Into<GivenValue>) -> Self {
        Self {
            value: Some(value.into()),
            action: Some(action.into()),
        }
    }

    /// Removes the attribute.
    pub fn remove() -> Self {
        Self {
            value: None,
            action: Some(AttributeAction::Delete.into()),
        }
    }

    fn check(&self, name: &str) -> Result<Action, Error> {
        check_attribute_name(name).map_err(Error::validation)?;
        let value = self.value.as_ref().map(GivenValue::checked).transpose();
        let value = value.map_err(Error::validation)?.cloned();
        let action = self.action.as_ref().and_then(Chosen::known);
        let path = DocumentPath::new(name);
        match (action.unwrap_or(AttributeAction::Put), value) {
            (AttributeAction::Delete, None) => Ok(Action::Remove { path }),
            (AttributeAction::Add | AttributeAction::Put, None) => {
                Err(Error::validation(wording::UPDATE_WITHOUT_VALUE))
            }
            (AttributeAction::Put, Some(value)) => Ok(Action::Set {
                path,
                value: NewValue::Value(value),
            }),
            (AttributeAction::Delete, Some(value)) => delete(path, value),
            (AttributeAction::Add, Some(value)) => add(path, value),
        }
    }
}

/// Elements can be taken from sets.
fn delete(path: DocumentPath, value: EncodedValue) -> Result<Action, Error> {
    match value.view().attribute_type() {
        AttributeType::Ss | AttributeType::Ns | AttributeType::Bs => {
            Ok(Action::Delete { path, value })
        }
        other => Err(Error::validation(wording::delete_of_type(other))),
    }
}

/// Numbers are summed and sets united, as by an expression; unlike in one, lists are appended, also to
/// an attribute that is not there.
fn add(path: DocumentPath, value: EncodedValue) -> Result<Action, Error> {
    match value.view().attribute_type() {
        AttributeType::N | AttributeType::Ss | AttributeType::Ns | AttributeType::Bs => {
            Ok(Action::Add { path, value })
        }
        AttributeType::L => {
            let empty = NewValue::Value(AttributeValue::L(Vec::new()).into());
            let before = NewValue::IfNotExists(path.clone(), Box::new(empty));
            let added = NewValue::Value(value);
            Ok(Action::Set {
                path,
                value: NewValue::ListAppend(Box::new(before), Box::new(added)),
            })
        }
        other => Err(Error::validation(wording::add_of_type(other))),
    }
}
