//! What patterns return, and whether their options fit it.

use super::condition::table_of;
use super::unknown_attribute;
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::model::{Access, AccessId, EntityId, Model, Way};
use crate::resolve::sections::NOWHERE;

/// Patterns of patterns are not deeper than this; whoever follows them may do so by recursion.
const MAX_DEPTH: usize = 16;

/// Whether no pattern is made of itself, by way of others too: whoever follows patterns comes to an end.
pub(super) fn is_well_founded(model: &Model, findings: &mut Findings) -> bool {
    let mut waiting: Vec<AccessId> = model.patterns().map(|(id, _)| id).collect();
    for _ in 0..=MAX_DEPTH {
        let (rest, ready): (Vec<_>, Vec<_>) = waiting.iter().partition(|id| {
            let parts = model.pattern(**id).way.parts();
            parts.iter().any(|part| waiting.contains(part))
        });
        if ready.is_empty() {
            for id in &rest {
                let access = model.pattern(*id);
                let message = format!(
                    "`{}` is made of patterns that are made of themselves",
                    access.name.value
                );
                findings.error(Code::Cycle, access.span, message);
            }
            return rest.is_empty();
        }
        waiting = rest;
    }
    for id in &waiting {
        let access = model.pattern(*id);
        let message = format!(
            "`{}` is made of patterns of patterns, more than {MAX_DEPTH} deep",
            access.name.value
        );
        findings.error(Code::TooLarge, access.span, message);
    }
    waiting.is_empty()
}

/// What patterns that are made of others return.
pub(super) fn fill_returns(model: &mut Model, findings: &mut Findings) {
    // As often as patterns can be made of patterns; then every one that can be filled is.
    for _ in 0..model.access.len() {
        let mut changed = false;
        for position in 0..model.access.len() {
            let Some(access) = model.access.get(position) else {
                continue;
            };
            if !access.returns.is_empty() {
                continue;
            }
            let returns = returned(access, model);
            if let (false, Some(access)) = (returns.is_empty(), model.access.get_mut(position)) {
                access.returns = returns;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    for access in model
        .access
        .iter()
        .filter(|access| access.returns.is_empty())
    {
        let message = format!(
            "`{}` returns nothing that is known: say `returns`",
            access.name.value
        );
        findings.error(Code::MissingKey, access.span, message);
    }
}

fn returned(access: &Access, model: &Model) -> Vec<EntityId> {
    let of = |id: &crate::model::AccessId| model.pattern(*id).returns.clone();
    match &access.way {
        Way::Get { .. } | Way::Query { .. } | Way::Pointer { .. } => Vec::new(),
        Way::Through { entity, .. } => vec![*entity],
        Way::Union(patterns) => {
            let mut all: Vec<EntityId> = Vec::new();
            for id in patterns.iter().flat_map(of) {
                if !all.contains(&id) {
                    all.push(id);
                }
            }
            all
        }
        Way::Steps(patterns) => patterns.last().map(of).unwrap_or_default(),
        Way::Walk(walks) => {
            let ends = walks.iter().filter_map(|walk| {
                let attribute = model.entity(walk.entity).attribute(&walk.end.value)?;
                attribute
                    .reference
                    .as_ref()
                    .map(|reference| reference.target)
            });
            let mut all: Vec<EntityId> = ends.collect();
            all.dedup();
            all
        }
        Way::Resolve(path) => {
            let path = model.path(*path);
            vec![path.folder, path.leaf]
        }
        Way::Diff(repository) => model.repository(*repository).entities.clone(),
    }
}

/// Whether what is returned is declared in the table that is read.
fn is_in_one_table(model: &Model, access: &Access) -> bool {
    if !matches!(access.way, Way::Get { .. } | Way::Query { .. }) {
        return true;
    }
    let layout = access.layout.as_ref().map(|name| name.value.as_str());
    let table_of = |id: &EntityId| match layout {
        Some(_) => table_of(model.entity(*id), layout),
        None => model.entity(*id).declared_keys().0,
    };
    let tables: Vec<_> = access.returns.iter().map(table_of).collect();
    tables.windows(2).all(|pair| pair.first() == pair.last())
}

/// Names in options that must be attributes of what is returned.
pub(super) fn check_options(model: &Model, findings: &mut Findings) {
    for access in &model.access {
        let known = |name: &str| {
            access.returns.iter().any(|id| {
                let entity = model.entity(*id);
                entity.attribute(name).is_some() || entity.family(name).is_some()
            })
        };
        let named = access
            .sort
            .iter()
            .chain(&access.distinct)
            .chain(&access.only)
            .chain(&access.follow);
        for name in named.filter(|name| !known(&name.value)) {
            if let Some(id) = access.returns.first() {
                unknown_attribute(model.entity(*id), name, findings);
            }
        }
        for name in &access.follow {
            let is_reference = access.returns.iter().any(|id| {
                let attribute = model.entity(*id).attribute(&name.value);
                attribute.is_some_and(|attribute| attribute.reference.is_some())
            });
            if known(&name.value) && !is_reference {
                let message = format!(
                    "`{}` is no reference, so there is nothing to follow",
                    name.value
                );
                findings.error(Code::WrongKind, name.span, message);
            }
        }
        if let Some(layout) = &access.layout {
            let has = |id: &EntityId| {
                model
                    .entity(*id)
                    .layouts
                    .iter()
                    .any(|own| own.name.value == layout.value)
            };
            if !access.returns.iter().any(has) {
                let message = format!(
                    "nothing that `{}` returns has a layout `{}`",
                    access.name.value, layout.value
                );
                findings.error(Code::UnknownName, layout.span, message);
            }
        }
        let composed = matches!(access.way, Way::Union(_) | Way::Steps(_));
        if let (Some(first), false) = (access.set.first(), composed) {
            let message =
                "`set` gives parameters to the patterns of `union` and `steps`; here are none";
            findings.error(Code::Contradiction, first.name.span, message);
        }
        if access.limit == Some(0) {
            findings.error(Code::WrongKind, access.span, "a limit is at least 1");
        }
        if !is_in_one_table(model, access) {
            findings.error(
                Code::Contradiction,
                access.span,
                "one query reads one table; these entities stand in several",
            );
        }
    }
    if model.access.is_empty() {
        findings.push(
            Diagnostic::new(Code::MissingKey, NOWHERE, "the model has no access pattern")
                .severity(crate::diagnostic::Severity::Warning),
        );
    }
}
