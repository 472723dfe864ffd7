//! Who may do what: predicates of the model over a row and the caller.

use super::grants;
use crate::error::{Error, Failure};
use crate::record::{Conditions, Record, leads_away};
use crate::session::{Interrupt, Session, referred};
use monotable_item::Item;
use monotable_model::model::{Entity, Predicate};
use std::collections::{BTreeMap, BTreeSet};

/// What a caller wants to do with a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    Read,
    Create,
    Update,
    Delete,
}

impl Scope {
    const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
        }
    }

    const fn predicate(self, entity: &Entity) -> Option<&Predicate> {
        match self {
            Self::Read => entity.allow.read.as_ref(),
            Self::Create => entity.allow.create.as_ref(),
            Self::Update => entity.allow.update.as_ref(),
            Self::Delete => entity.allow.delete.as_ref(),
        }
    }
}

/// Refuses what the caller may not do with a row: one it may not even see does not exist for it.
pub(crate) async fn demand(
    session: &Session,
    row: &Record,
    key: &str,
    scope: Scope,
) -> Result<(), Interrupt> {
    if !session.guarded {
        return Ok(());
    }
    let rows = std::slice::from_ref(row);
    let allowed = allowed(session, rows, scope).await?;
    if allowed == [true] {
        return Ok(());
    }
    let entity = session.name(row.entity).to_owned();
    let visible = scope == Scope::Create || may_see(session, rows).await? == [true];
    Err(match visible {
        true => Failure::Forbidden {
            entity,
            action: scope.name(),
        }
        .into(),
        false => Error::not_found(&entity, key).into(),
    })
}

/// Refuses a row that would come to stand where rights of other rows do not let the caller write.
pub(super) async fn demand_there(session: &Session, row: &Record) -> Result<(), Interrupt> {
    if !session.guarded || session.model().grants.is_empty() {
        return Ok(());
    }
    let scope = Scope::Update;
    match grants::allow(session, std::slice::from_ref(row), scope)
        .await?
        .as_slice()
    {
        [true] => Ok(()),
        _ => Err(Failure::Forbidden {
            entity: session.name(row.entity).to_owned(),
            action: scope.name(),
        }
        .into()),
    }
}

/// Which of these rows the caller may see.
pub(crate) async fn may_see(session: &Session, rows: &[Record]) -> Result<Vec<bool>, Interrupt> {
    match session.guarded {
        true => allowed(session, rows, Scope::Read).await,
        false => Ok(rows.iter().map(|_| true).collect()),
    }
}

async fn allowed(session: &Session, rows: &[Record], scope: Scope) -> Result<Vec<bool>, Interrupt> {
    let mut decided: Vec<Option<bool>> = rows
        .iter()
        .map(|row| at_once(session, row, scope))
        .collect();
    // What is not decided by the row itself asks the rows it refers to, each once.
    let mut asked = Vec::new();
    for (position, row) in rows.iter().enumerate() {
        if decided.get(position) != Some(&None) {
            continue;
        }
        let entity = session.entity(row.entity);
        for name in scope
            .predicate(entity)
            .map(|p| through(entity, p))
            .unwrap_or_default()
        {
            let Some(attribute) = entity.attribute(&name) else {
                continue;
            };
            let Some(reference) = &attribute.reference else {
                continue;
            };
            let id = referred(attribute, row).into_iter().next();
            let address = id.and_then(|id| session.target_address(row, reference.target, &id));
            if let Some(address) = address {
                asked.push((position, name, address));
            }
        }
    }
    let addresses: Vec<_> = asked
        .iter()
        .map(|(_, _, address)| address.clone())
        .collect();
    let items = session.get_many_or_none(&addresses).await?;
    let mut known: BTreeMap<usize, BTreeMap<String, Item>> = BTreeMap::new();
    for ((position, name, address), item) in asked.into_iter().zip(items) {
        let row = item.and_then(|item| session.decode(address.table, &item));
        let values = row.map(|row| row.values).unwrap_or_default();
        known.entry(position).or_default().insert(name, values);
    }
    for (position, row) in rows.iter().enumerate() {
        if let Some(slot) = decided.get_mut(position)
            && slot.is_none()
        {
            *slot = Some(with_others(session, row, scope, known.remove(&position)));
        }
    }
    let decided: Vec<bool> = decided
        .into_iter()
        .map(|decided| decided == Some(true))
        .collect();
    if session.model().grants.is_empty() {
        return Ok(decided);
    }
    let granted = grants::allow(session, rows, scope).await?;
    let both = decided.into_iter().zip(granted);
    Ok(both.map(|(rule, grant)| rule && grant).collect())
}

/// What the row alone decides: no rule, or one that holds whatever other rows say.
fn at_once(session: &Session, row: &Record, scope: Scope) -> Option<bool> {
    let entity = session.entity(row.entity);
    let Some(predicate) = scope.predicate(entity) else {
        return Some(true);
    };
    let names = through(entity, predicate);
    if names.is_empty() {
        return Some(with_others(session, row, scope, None));
    }
    // Without a negation more values can only make more true.
    let text = predicate.to_string();
    let plain = !text.contains("NOT") && !text.contains("<>") && !text.contains("not_exists");
    let nothing = names.into_iter().map(|name| (name, Item::new())).collect();
    (plain && with_others(session, row, scope, Some(nothing))).then_some(true)
}

fn with_others(
    session: &Session,
    row: &Record,
    scope: Scope,
    others: Option<BTreeMap<String, Item>>,
) -> bool {
    let entity = session.entity(row.entity);
    let Some(predicate) = scope.predicate(entity) else {
        return true;
    };
    let around = session.around.with_referred(others.unwrap_or_default());
    let conditions = Conditions::new(session.model(), &row.values, &around);
    conditions.holds(entity, predicate) == Some(true)
}

/// The references that a predicate looks through.
fn through(entity: &Entity, predicate: &Predicate) -> BTreeSet<String> {
    let paths = predicate.parsed().paths();
    let names = paths.iter().filter_map(|path| leads_away(entity, path));
    names.map(str::to_owned).collect()
}
