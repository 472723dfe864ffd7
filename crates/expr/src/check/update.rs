//! Updates.

use super::function::Function;
use super::new_value::new_value;
use super::paths::tree_of;
use super::words::{check_operator_count, check_words, resolve_path};
use crate::path_tree::PathTree;
use crate::syntax::{ActionSyntax, Clause, Node, UpdateSyntax};
use crate::tree::{Action, DocumentPath};
use crate::{Placeholders, Problem};
use monotable_item::{AttributeType, EncodedValue};
use std::vec::IntoIter;

/// Checks an update and fills it in.
pub(crate) fn check_update(
    update: &UpdateSyntax<'_>,
    placeholders: &mut Placeholders<'_>,
) -> Result<(Vec<Action>, PathTree<usize>), Problem> {
    if update.syntax.redundant_parentheses {
        return Err(Problem::RedundantParentheses);
    }
    check_words(&update.syntax)?;
    check_functions(update)?;
    check_clauses(update)?;
    check_operator_count(&update.syntax)?;
    let (targets, read) = resolve_paths(update, placeholders)?;
    let values = resolve_values(update, placeholders)?;
    let tree = tree_of(&targets.iter().collect::<Vec<_>>())?;
    check_action_types(update, &values)?;
    let leaves = Leaves {
        paths: read.into_iter(),
        values: values.into_iter(),
    };
    let actions = build(update, targets, leaves)?;
    Ok((actions, tree))
}

/// The operands of an update, in the order of its nodes.
pub(super) struct Leaves {
    pub(super) paths: IntoIter<DocumentPath>,
    pub(super) values: IntoIter<EncodedValue>,
}

fn check_functions(update: &UpdateSyntax<'_>) -> Result<(), Problem> {
    update.syntax.nodes().iter().try_for_each(|node| {
        let Node::Call { name, .. } = node else {
            return Ok(());
        };
        if Function::named(name)?.is_of_updates() {
            Ok(())
        } else {
            Err(Problem::FunctionInUpdate {
                name: (*name).to_owned(),
            })
        }
    })
}

fn check_clauses(update: &UpdateSyntax<'_>) -> Result<(), Problem> {
    for (position, clause) in update.clauses.iter().enumerate() {
        if update
            .clauses
            .iter()
            .take(position)
            .any(|other| other == clause)
        {
            return Err(Problem::RepeatedClause {
                clause: clause_name(*clause),
            });
        }
    }
    Ok(())
}

/// The paths that are changed, and those that are only read.
fn resolve_paths(
    update: &UpdateSyntax<'_>,
    placeholders: &mut Placeholders<'_>,
) -> Result<(Vec<DocumentPath>, Vec<DocumentPath>), Problem> {
    let syntax = &update.syntax;
    let mut targets = Vec::with_capacity(update.actions.len());
    let mut read = Vec::new();
    for action in &update.actions {
        targets.push(resolve_path(syntax, action.path, placeholders)?);
        for node in syntax.nodes_in(action.value.clone()) {
            if let Node::Path(path) = node {
                read.push(resolve_path(syntax, *path, placeholders)?);
            }
        }
    }
    Ok((targets, read))
}

fn resolve_values(
    update: &UpdateSyntax<'_>,
    placeholders: &mut Placeholders<'_>,
) -> Result<Vec<EncodedValue>, Problem> {
    let keys = update.syntax.nodes().iter().filter_map(|node| match node {
        Node::Value(key) => Some(*key),
        _ => None,
    });
    keys.map(|key| {
        placeholders
            .value(key)
            .ok_or_else(|| Problem::UndefinedValue { key: key.into() })
    })
    .collect()
}

/// `ADD` takes numbers and sets, `DELETE` sets.
fn check_action_types(update: &UpdateSyntax<'_>, values: &[EncodedValue]) -> Result<(), Problem> {
    let mut values = values.iter();
    for action in &update.actions {
        for node in update.syntax.nodes_in(action.value.clone()) {
            let Node::Value(_) = node else { continue };
            let Some(value) = values.next() else { continue };
            check_action_type(action, value.view().attribute_type())?;
        }
    }
    Ok(())
}

fn check_action_type(action: &ActionSyntax, attribute_type: AttributeType) -> Result<(), Problem> {
    let is_set = matches!(
        attribute_type,
        AttributeType::Ss | AttributeType::Ns | AttributeType::Bs
    );
    let fits = match action.clause {
        Clause::Set | Clause::Remove => true,
        Clause::Add => is_set || attribute_type == AttributeType::N,
        Clause::Delete => is_set,
    };
    if fits {
        return Ok(());
    }
    Err(Problem::ActionType {
        clause: clause_name(action.clause),
        attribute_type,
    })
}

fn build(
    update: &UpdateSyntax<'_>,
    targets: Vec<DocumentPath>,
    mut leaves: Leaves,
) -> Result<Vec<Action>, Problem> {
    let actions = update.actions.iter().zip(targets);
    actions
        .map(|(action, path)| {
            let nodes = update.syntax.nodes_in(action.value.clone());
            Ok(match action.clause {
                Clause::Set => Action::Set {
                    path,
                    value: new_value(nodes, &mut leaves)?,
                },
                Clause::Remove => Action::Remove { path },
                Clause::Add => Action::Add {
                    path,
                    value: leaves.values.next().ok_or(Problem::Empty)?,
                },
                Clause::Delete => Action::Delete {
                    path,
                    value: leaves.values.next().ok_or(Problem::Empty)?,
                },
            })
        })
        .collect()
}

const fn clause_name(clause: Clause) -> &'static str {
    match clause {
        Clause::Set => "SET",
        Clause::Remove => "REMOVE",
        Clause::Add => "ADD",
        Clause::Delete => "DELETE",
    }
}
