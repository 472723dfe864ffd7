//! Access patterns.

mod condition;
mod layout;
mod returned;
mod several;

use super::names::Names;
use super::{accepts, assignments, notes, parameters};
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::model::{Access, Entity, EntityId, KeyPlace, Model, Order, Walk, Way};
use crate::span::{Name, Span};
use crate::suggest::{did_you_mean, nearest};
use crate::syntax;
use crate::syntax::access::Access as Declared;
use crate::syntax::file::File;
use condition::Condition;

/// The keys of `[access.N]` that are no index.
const WORDS: &[&str] = &[
    "key",
    "through",
    "union",
    "steps",
    "walk",
    "resolve",
    "diff",
    "pointer",
    "returns",
    "drops",
    "one",
    "order",
    "limit",
    "consistent",
    "filter",
    "sort",
    "distinct",
    "follow",
    "only",
    "set",
    "layout",
    "accept",
    "covers",
    "about",
];

/// Adds all patterns to the model.
pub(super) fn add(model: &mut Model, file: &File, names: &Names, findings: &mut Findings) {
    for declared in &file.access {
        let access = access(declared, model, names, findings);
        model.access.extend(access);
    }
    // Patterns refer to each other by position: with one missing nothing below makes sense.
    if model.access.len() != file.access.len() {
        return;
    }
    if !returned::is_well_founded(model, findings) {
        return;
    }
    returned::fill_returns(model, findings);
    parameters::fill(model);
    returned::check_options(model, findings);
}

fn access(
    declared: &Declared,
    model: &Model,
    names: &Names,
    findings: &mut Findings,
) -> Option<Access> {
    let returns: Vec<_> = names
        .entities(&declared.returns, findings)
        .into_iter()
        .flat_map(|id| model.kinds_of(id))
        .collect();
    let drops: Vec<_> = names
        .entities(&declared.drops, findings)
        .into_iter()
        .flat_map(|id| model.kinds_of(id))
        .collect();
    if !indexes_exist(declared, model, findings) {
        return None;
    }
    let way = match declared.ways.as_slice() {
        [way] => way,
        ways => {
            let message = if ways.is_empty() {
                "an access pattern says how it reaches its rows: by `key`, by an index, or by other patterns"
            } else {
                "an access pattern reaches its rows in one way"
            };
            findings.error(Code::Contradiction, declared.span, message);
            return None;
        }
    };
    let way = resolve_way(way, declared, &returns, model, names, findings)?;
    let layout = condition::asked_layout(declared, &returns, model).cloned();
    let pairs = matches!(declared.distinct.as_slice(), [only] if only.value == "relation");
    Some(Access {
        name: declared.name.clone(),
        notes: notes(&declared.notes),
        consistent: consistent(declared, &way, findings),
        way,
        returns,
        drops,
        one: declared.one,
        order: order(declared.order.as_ref(), findings),
        limit: declared.limit.as_ref().map(|limit| limit.value),
        filter: declared.filter.clone(),
        sort: declared.sort.clone(),
        distinct: if pairs {
            Vec::new()
        } else {
            declared.distinct.clone()
        },
        distinct_pairs: pairs,
        follow: declared.follow.clone(),
        only: declared.only.clone(),
        set: assignments(&declared.set),
        layout,
        accepts: accepts(&declared.accepts, findings),
        parameters: Vec::new(),
        span: declared.name.span,
    })
}

/// Whether every key that could be an index is one, of any table: a slip of a word is not a second way.
fn indexes_exist(declared: &Declared, model: &Model, findings: &mut Findings) -> bool {
    let indexes = || {
        model
            .tables
            .iter()
            .flat_map(|table| &table.indexes)
            .map(|index| index.name.value.as_str())
    };
    let mut exist = true;
    for way in &declared.ways {
        let syntax::access::Way::Keys { index, .. } = way else {
            continue;
        };
        let known = index.value == "key" || indexes().any(|name| name == index.value);
        if !known {
            let message = format!(
                "a pattern has no key `{}`, and no table has an index of that name",
                index.value
            );
            let near = nearest(&index.value, indexes().chain(WORDS.iter().copied()));
            let found = Diagnostic::new(Code::UnknownKey, index.span, message);
            findings.push(found.did_you_mean(near));
            exist = false;
        }
    }
    exist
}

fn consistent(declared: &Declared, way: &Way, findings: &mut Findings) -> bool {
    let Some(consistent) = &declared.consistent else {
        return false;
    };
    if let Way::Query { key, .. } = way
        && key.place != KeyPlace::Primary
        && consistent.value
    {
        let message = "an index has no consistent reads; only the table does";
        findings.error(Code::Contradiction, consistent.span, message);
    }
    consistent.value
}

fn order(name: Option<&Name>, findings: &mut Findings) -> Order {
    match name.map(|name| (name.value.as_str(), name.span)) {
        None | Some(("asc", _)) => Order::Ascending,
        Some(("desc", _)) => Order::Descending,
        Some((_, span)) => {
            findings.error(Code::UnknownName, span, "`order` is \"asc\" or \"desc\"");
            Order::Ascending
        }
    }
}

fn resolve_way(
    way: &syntax::access::Way,
    declared: &Declared,
    returns: &[EntityId],
    model: &Model,
    names: &Names,
    findings: &mut Findings,
) -> Option<Way> {
    use syntax::access::Way as Declared;
    Some(match way {
        Declared::Keys { index, key } => {
            let condition = Condition { index, key };
            return condition.resolve(declared, returns, model, findings);
        }
        Declared::Through { entity, claim } => {
            let id = names.entity(entity, findings)?;
            let entity = model.entity(id);
            let position = entity
                .claims
                .iter()
                .position(|known| known.name.value == claim.value);
            let Some(position) = position else {
                let known = entity.claims.iter().map(|claim| claim.name.value.as_str());
                let message = format!("`{}` claims no `{}`", entity.name.value, claim.value);
                let help = did_you_mean(&claim.value, known);
                findings
                    .push(Diagnostic::new(Code::UnknownName, claim.span, message).help_if(help));
                return None;
            };
            Way::Through {
                entity: id,
                claim: position,
            }
        }
        Declared::Union(patterns) => Way::Union(patterns_of(patterns, declared, names, findings)?),
        Declared::Steps(patterns) => Way::Steps(patterns_of(patterns, declared, names, findings)?),
        Declared::Walk(walks) => {
            let walks: Vec<_> = walks
                .iter()
                .filter_map(|walk| self::walk(walk, model, names, findings))
                .collect();
            Way::Walk(walks)
        }
        Declared::Resolve(path) => Way::Resolve(names.path(path, findings)?),
        Declared::Diff(repository) => Way::Diff(names.repository(repository, findings)?),
        Declared::Pointer(attributes) => {
            return pointer(attributes, declared.span, model, names, findings);
        }
    })
}

fn patterns_of(
    patterns: &[Name],
    declared: &Declared,
    names: &Names,
    findings: &mut Findings,
) -> Option<Vec<crate::model::AccessId>> {
    if let Some(own) = patterns
        .iter()
        .find(|name| name.value == declared.name.value)
    {
        findings.error(Code::Cycle, own.span, "a pattern cannot be made of itself");
        return None;
    }
    let found = names.patterns(patterns, findings);
    (found.len() == patterns.len()).then_some(found)
}

fn walk(
    declared: &syntax::access::Walk,
    model: &Model,
    names: &Names,
    findings: &mut Findings,
) -> Option<Walk> {
    let id = names.entity(&declared.entity, findings)?;
    let entity = model.entity(id);
    let is_reference = entity
        .attribute(&declared.end.value)
        .is_some_and(|attribute| attribute.reference.is_some());
    if !is_reference {
        let message = format!(
            "`{}` has no reference `{}` to walk to",
            entity.name.value, declared.end.value
        );
        findings.error(Code::UnknownName, declared.end.span, message);
        return None;
    }
    Some(Walk {
        entity: id,
        end: declared.end.clone(),
        filter: declared.filter.clone(),
    })
}

fn pointer(
    attributes: &[(Name, Name)],
    span: Span,
    model: &Model,
    names: &Names,
    findings: &mut Findings,
) -> Option<Way> {
    let Some((first, _)) = attributes.first() else {
        let message = "a pointer names the attributes that hold the key";
        findings.error(Code::WrongKind, span, message);
        return None;
    };
    let id = names.entity(first, findings)?;
    let entity = model.entity(id);
    for (holder, attribute) in attributes {
        if holder.value != first.value {
            findings.error(
                Code::Contradiction,
                holder.span,
                "both parts of a pointer are attributes of one entity",
            );
        }
        if entity.attribute(&attribute.value).is_none() {
            unknown_attribute(entity, attribute, findings);
        }
    }
    let parts = 1 + usize::from(model.table(entity.table).range.is_some());
    if attributes.len() != parts {
        findings.error(
            Code::WrongKind,
            span,
            format!("a pointer holds {parts} parts of a key"),
        );
    }
    Some(Way::Pointer {
        entity: id,
        attributes: attributes
            .iter()
            .map(|(_, attribute)| attribute.clone())
            .collect(),
    })
}

/// Reports that an entity has no such attribute.
pub(super) fn unknown_attribute(entity: &Entity, name: &Name, findings: &mut Findings) {
    let known = entity
        .attributes
        .iter()
        .map(|attribute| attribute.name.value.as_str());
    let message = format!("`{}` has no attribute `{}`", entity.name.value, name.value);
    let found = Diagnostic::new(Code::UnknownName, name.span, message);
    findings.push(found.did_you_mean(nearest(&name.value, known)));
}
