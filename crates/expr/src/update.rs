//! Updates.

mod apply;
mod evaluate;

use crate::check::{check_update, tree_of};
use crate::parser::parse_update;
use crate::path_tree::PathTree;
use crate::tree::{Action, DocumentPath};
use crate::{ExpressionError, ExpressionKind, Placeholders};
use monotable_item::{EncodedItem, ItemView, NumberError};
use std::sync::Arc;

/// A parsed update.
#[derive(Clone, Debug)]
pub struct Update {
    actions: Vec<Action>,
    /// Which action changes which path.
    tree: Arc<PathTree<usize>>,
    parameter: Parameter,
}

/// The parameter of a request that an update came in. AWS words one refusal differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parameter {
    UpdateExpression,
    AttributeUpdates,
}

/// Why an update cannot be applied to an item. Displays as AWS's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UpdateError {
    /// A path leads through something that is not there, or is no map or list.
    InvalidPath,
    /// A value of the item has a type that the action or function does not take.
    OperandType,
    /// An attribute has a type to which legacy updates cannot add, or from which they cannot delete.
    AttributeType,
    /// A value is read that the item does not have.
    MissingAttribute,
    /// A sum that is no DynamoDB number.
    Number(NumberError),
}

impl std::error::Error for UpdateError {}

/// The outcome of an update.
#[derive(Clone, Debug)]
pub struct Updated {
    /// The item after the update.
    pub item: EncodedItem,
    tree: Arc<PathTree<usize>>,
}

impl Update {
    /// Parses and checks an UpdateExpression.
    pub fn parse(text: &str, placeholders: &mut Placeholders<'_>) -> Result<Self, ExpressionError> {
        parse_update(text)
            .and_then(|syntax| check_update(&syntax, placeholders))
            .map(|(actions, tree)| Self::from_tree(actions, tree))
            .map_err(|problem| problem.of(ExpressionKind::Update))
    }

    /// The update of these actions, whose paths are this tree.
    pub(crate) fn from_tree(actions: Vec<Action>, tree: PathTree<usize>) -> Self {
        Self {
            actions,
            tree: Arc::new(tree),
            parameter: Parameter::UpdateExpression,
        }
    }

    /// The update of these actions, of which no two may change overlapping or conflicting paths.
    pub fn from_actions(actions: Vec<Action>) -> Result<Self, ExpressionError> {
        let paths: Vec<_> = actions.iter().map(Action::path).collect();
        let tree = tree_of(&paths).map_err(|problem| problem.of(ExpressionKind::Update))?;
        Ok(Self::from_tree(actions, tree))
    }

    /// The update that legacy `AttributeUpdates` stand for, of which no two may be of one attribute.
    /// It is refused in the words of that parameter.
    pub fn from_attribute_updates(actions: Vec<Action>) -> Result<Self, ExpressionError> {
        Ok(Self {
            parameter: Parameter::AttributeUpdates,
            ..Self::from_actions(actions)?
        })
    }

    /// Applies the update to an item that exists.
    pub fn apply(&self, item: ItemView<'_>) -> Result<Updated, UpdateError> {
        self.apply_as(item, apply::Existence::Stored)
    }

    /// Applies the update where there is no item yet; `key` has the key attributes alone.
    ///
    /// AWS treats one thing differently then: `REMOVE` of a path inside something that is missing is
    /// ignored instead of refused.
    pub fn apply_to_missing(&self, key: ItemView<'_>) -> Result<Updated, UpdateError> {
        self.apply_as(key, apply::Existence::Missing)
    }

    fn apply_as(
        &self,
        item: ItemView<'_>,
        existence: apply::Existence,
    ) -> Result<Updated, UpdateError> {
        let item = apply::apply(&self.actions, &self.tree, item, existence);
        Ok(Updated {
            item: item.map_err(|error| self.parameter.reword(error))?,
            tree: Arc::clone(&self.tree),
        })
    }

    /// Whether the update changes the attribute `name`, or something inside it.
    pub fn touches(&self, name: &str) -> bool {
        self.tree.attributes().contains_key(name)
    }

    /// Whether the update brings about an item where there is none: AWS does not create an item only to
    /// remove something from it.
    pub fn creates_item(&self) -> bool {
        let creates = |action: &Action| matches!(action, Action::Set { .. } | Action::Add { .. });
        self.actions.iter().any(creates)
    }

    /// The attributes that the update changes, each once, by name.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.tree.attributes().keys().map(String::as_str)
    }

    /// The document paths that the update changes or reads, as written.
    pub fn paths(&self) -> Vec<&DocumentPath> {
        let mut paths = Vec::new();
        for action in &self.actions {
            paths.push(action.path());
            if let Action::Set { value, .. } = action {
                value.for_each_path(&mut |path| paths.push(path));
            }
        }
        paths
    }

    /// What the update does, as written.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }
}

impl Parameter {
    fn reword(self, error: UpdateError) -> UpdateError {
        match (self, error) {
            (Self::AttributeUpdates, UpdateError::OperandType) => UpdateError::AttributeType,
            (_, error) => error,
        }
    }
}

impl Updated {
    /// What the updated paths led to in the item before, `old`: `ReturnValues` `UPDATED_OLD`.
    pub fn updated_old(&self, old: ItemView<'_>) -> EncodedItem {
        self.tree.project(old)
    }

    /// What the updated paths lead to now: `ReturnValues` `UPDATED_NEW`.
    ///
    /// As in AWS the paths are taken literally: an element appended by `SET l[99]` is not at 99, so it
    /// does not come back, and after `REMOVE l[0]` the element that moved to 0 does.
    pub fn updated_new(&self) -> EncodedItem {
        self.tree.project(self.item.view())
    }
}
