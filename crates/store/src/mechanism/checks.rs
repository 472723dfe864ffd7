//! Rules that need other rows, asked at writes.

pub(crate) mod verify;

use crate::address::Address;
use crate::assignment::assigned_value;
use crate::change::{CauseKind, ItemChange, Run};
use crate::declaration::Declaration;
use crate::draft::{Action, Demand, Draft};
use crate::error::Error;
use crate::field_error::{FieldError, Problem};
use crate::interrupt::Interrupt;
use crate::pattern;
use crate::profile::{in_predicate, in_template};
use crate::read;
use crate::reader::Reader;
use crate::record::{Conditions, Record, explain_rule, show_value};
use crate::rights::Gate;
use crate::scope::Scope;
use monotable_item::{AttributeValue, Item, Number};
use monotable_model::model::{AccessId, Check, CheckRule, Writes};
use std::collections::BTreeSet;

/// The attributes of a row that a check looks at.
pub(crate) fn names_in(check: &Check) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    if let Some(when) = &check.when {
        in_predicate(when, &mut names);
    }
    for template in check.set.iter().filter_map(|set| set.value.template()) {
        in_template(template, &mut names);
    }
    match &check.demand {
        CheckRule::Must(predicate) => in_predicate(predicate, &mut names),
        CheckRule::Among { value, .. } => {
            names.insert(value.value.clone());
        }
        CheckRule::Absent(_) => {}
    }
    names
}

/// What the pattern of a check is given: the row's attributes, and what the check sets.
pub(crate) fn parameters(scope: &Scope, check: &Check, row: &Record) -> Item {
    let mut known = row.values.clone();
    for assignment in &check.set {
        match assigned_value(scope, &row.values, &assignment.value) {
            Some(value) => known.insert(assignment.name.value.clone(), value),
            None => known.remove(&assignment.name.value),
        };
    }
    known
}

/// Whether a value is among those that were found.
pub(crate) fn is_among(
    own: &AttributeValue,
    found: &[Record],
    attribute: &str,
    allow_none: bool,
) -> bool {
    let mut values = found.iter().filter_map(|row| row.values.get(attribute));
    (found.is_empty() && allow_none) || values.any(|value| value == own)
}

/// Adds what the checks of an item look at to what must be unchanged.
pub(crate) fn complete(scope: &Scope, change: &mut ItemChange) {
    let (Some(row), true) = (change.after(), change.before().is_some()) else {
        return;
    };
    let entity = scope.entity(row.entity);
    let mut names = BTreeSet::new();
    for check in rules_of(scope, row, |on| on.update) {
        if matches!(check.demand, CheckRule::Must(_)) && applies(scope, check, row, change.before())
        {
            names.extend(names_in(check));
        }
    }
    names.retain(|name| entity.attribute(name).is_some_and(|known| !known.key_only));
    change.decided_by.extend(names);
}

/// Asks the checks of an item that is new, or changes.
pub(crate) async fn apply(run: &mut Run<'_>, change: &ItemChange) -> Result<(), Interrupt> {
    // For its checks a row that is taken away is deleted, and was asked before.
    let Some(row) = change
        .after()
        .filter(|_| change.kind() != CauseKind::MovedAway)
    else {
        return Ok(());
    };
    let reader = run.reader;
    if !reader
        .model()
        .checks
        .iter()
        .any(|check| check.of == row.entity)
    {
        return Ok(());
    }
    // For its checks a row that is taken back is the row that it was.
    let back = (change.kind() == CauseKind::MovedBack).then(|| row.clone());
    let old = back.as_ref().or(change.before());
    let on = |on: Writes| match old {
        None => on.create,
        Some(_) => on.update,
    };
    let mut refused = Vec::new();
    for check in rules_of(reader.scope, row, on) {
        // What it looks at is what it was: it held then.
        let same = old.is_some_and(|old| {
            let names = names_in(check);
            let same = |name: &String| old.values.get(name) == row.values.get(name);
            !names.is_empty() && names.iter().all(same)
        });
        if same && !matches!(check.demand, CheckRule::Must(_)) {
            continue;
        }
        if let Some(error) = broken(&reader, Some(run.draft), check, row, old).await? {
            refused.push(error);
        }
    }
    if refused.is_empty() {
        Ok(())
    } else {
        Err(reader.refused(row.entity, refused).into())
    }
}

/// Whether a check does not hold of a row that is stored. The row itself is not among those that must not be there.
pub(crate) async fn is_broken(
    reader: &Reader<'_>,
    check: &Check,
    row: &Record,
) -> Result<bool, Interrupt> {
    let CheckRule::Absent(pattern) = &check.demand else {
        return Ok(broken(reader, None, check, row, None).await?.is_some());
    };
    let known = parameters(reader, check, row);
    let own = reader.row_address(row).ok();
    let found = rows(reader, *pattern, &known).await?;
    let mut others = found
        .iter()
        .filter(|found| own.is_none() || reader.row_address(found).ok() != own);
    Ok(others.next().is_some())
}

/// Asks the checks of an item that is deleted, before anything is written, and gives back the attributes that they were
/// decided from.
pub(crate) async fn judge_removal(
    reader: &Reader<'_>,
    row: &Record,
) -> Result<BTreeSet<String>, Interrupt> {
    let mut refused = Vec::new();
    let mut names = BTreeSet::new();
    for check in rules_of(reader, row, |on| on.delete) {
        refused.extend(broken(reader, None, check, row, Some(row)).await?);
        names.extend(names_in(check));
    }
    let entity = reader.entity(row.entity);
    names.retain(|name| entity.attribute(name).is_some());
    if refused.is_empty() {
        Ok(names)
    } else {
        Err(reader.refused(row.entity, refused).into())
    }
}

/// Whether a check is asked of a row.
fn applies(scope: &Scope, check: &Check, row: &Record, old: Option<&Record>) -> bool {
    let mut conditions = Conditions::new(scope.model(), &row.values, &scope.circumstances);
    if let Some(old) = old {
        conditions = conditions.with_old(&old.values);
    }
    let entity = scope.entity(row.entity);
    let when = check.when.as_ref();
    when.is_none_or(|when| conditions.holds(entity, when) == Some(true))
}

fn rules_of<'s>(
    scope: &'s Scope,
    row: &Record,
    on: impl Fn(Writes) -> bool,
) -> impl Iterator<Item = &'s Check> {
    let entity = row.entity;
    let checks = scope.model().checks.iter();
    checks.filter(move |check| check.of == entity && on(check.on))
}

/// What a check refuses.
async fn broken(
    reader: &Reader<'_>,
    draft: Option<&mut Draft>,
    check: &Check,
    row: &Record,
    old: Option<&Record>,
) -> Result<Option<FieldError>, Interrupt> {
    if !applies(reader, check, row, old) {
        return Ok(None);
    }
    let entity = reader.entity(row.entity);
    let mut conditions = Conditions::new(reader.model(), &row.values, &reader.circumstances);
    if let Some(old) = old {
        conditions = conditions.with_old(&old.values);
    }
    let name = check.name.value.clone();
    let rule = Problem::Rule {
        name: name.clone(),
        meaning: explain(reader, check, row),
    };
    match &check.demand {
        CheckRule::Must(predicate) => {
            let holds = conditions.holds(entity, predicate) != Some(false);
            Ok((!holds).then(|| FieldError::new(name, rule)))
        }
        CheckRule::Among {
            value,
            pattern,
            attribute,
            allow_none,
        } => {
            let Some(own) = row.values.get(&value.value) else {
                return Ok(None);
            };
            let known = parameters(reader, check, row);
            let found = rows(reader, *pattern, &known).await?;
            if is_among(own, &found, &attribute.value, *allow_none) {
                return Ok(None);
            }
            let wanted = listed(&see(reader, found).await?, &attribute.value);
            let problem = Problem::Wrong { wanted };
            let meaning = explain(reader, check, row);
            let error = FieldError::new(&value.value, problem).by(Declaration::of_check(check));
            Ok(Some(error.noting(format!("the check `{name}`: {meaning}"))))
        }
        CheckRule::Absent(pattern) => {
            let known = parameters(reader, check, row);
            let found = rows(reader, *pattern, &known).await?;
            if let Some(draft) = draft {
                let refused =
                    reader.refused(row.entity, vec![FieldError::new(&name, rule.clone())]);
                stays_absent(reader, draft, *pattern, &known, &refused)?;
            }
            Ok((!found.is_empty()).then(|| FieldError::new(name, rule)))
        }
    }
}

/// What a check wants of a row, and what the row has of it.
pub(crate) fn explain(scope: &Scope, check: &Check, row: &Record) -> String {
    let is_hidden = |name: &str| {
        let attribute = scope.entity(row.entity).attribute(name);
        attribute.is_some_and(|known| known.secret.is_some() || known.internal)
    };
    let found_by = |pattern: AccessId| {
        let name = &scope.model().pattern(pattern).name.value;
        let given = parameters(scope, check, row);
        let named = scope.plans().pattern(pattern).parameters.iter();
        let given = named.filter_map(|parameter| {
            let value = given
                .get(&parameter.name)
                .filter(|_| !is_hidden(&parameter.name))?;
            Some(format!("`{}` {}", parameter.name, show_value(Some(value))))
        });
        let given: Vec<_> = given.collect();
        format!("`{name}` with {}", given.join(" and "))
    };
    match &check.demand {
        CheckRule::Must(predicate) => {
            explain_rule(scope.entity(row.entity), predicate, &row.values)
        }
        CheckRule::Among {
            value,
            pattern,
            attribute,
            ..
        } => {
            let (value, attribute) = (&value.value, &attribute.value);
            let own = row.values.get(value).filter(|_| !is_hidden(value));
            let own = own.map(|own| format!(" ({})", show_value(Some(own))));
            let (own, pattern) = (own.unwrap_or_default(), found_by(*pattern));
            format!(
                "wanted is a row that {pattern} finds and whose `{attribute}` is the `{value}` of this one{own}, and there \
                 is none"
            )
        }
        CheckRule::Absent(pattern) => {
            let pattern = found_by(*pattern);
            format!("wanted is that {pattern} finds no row, and there is one")
        }
    }
}

/// The rows that a pattern finds, whatever the caller may see of them: a rule holds for everybody.
async fn rows(
    reader: &Reader<'_>,
    pattern: AccessId,
    known: &Item,
) -> Result<Vec<Record>, Interrupt> {
    let program = reader.scope.for_program();
    let program = reader.with_scope(&program);
    let found = Box::pin(read::read_all(&program, pattern, known)).await?;
    Ok(found.into_iter().map(|found| found.record).collect())
}

/// Those of these rows that the caller may see: an error tells no other values.
async fn see(reader: &Reader<'_>, found: Vec<Record>) -> Result<Vec<Record>, Interrupt> {
    let seen = Gate::new(reader).sees(&found).await?;
    let found = found.into_iter().zip(seen).filter(|(_, seen)| *seen);
    Ok(found.map(|(row, _)| row).collect())
}

/// The values that would be taken, for people.
fn listed(found: &[Record], attribute: &str) -> String {
    const SHOWN: usize = 20;
    let values = found.iter().filter_map(|row| row.values.get(attribute));
    let texts: BTreeSet<String> = values
        .filter_map(|value| match value {
            AttributeValue::S(text) => Some(format!("`{text}`")),
            AttributeValue::N(number) => Some(number.to_string()),
            _ => None,
        })
        .collect();
    let texts: Vec<String> = texts.into_iter().collect();
    let more = texts.len().saturating_sub(SHOWN);
    let shown = texts.get(..SHOWN).unwrap_or(&texts).join(", ");
    match (texts.is_empty(), more) {
        (true, _) => "one of none: nothing is allowed here".to_owned(),
        (false, 0) => format!("one of {shown}"),
        (false, more) => format!("one of {shown} and {more} more"),
    }
}

/// Demands in the transaction that what was not found is not there: the one row of a whole key, or the first of rows that
/// stand for the elements of a list.
fn stays_absent(
    scope: &Scope,
    draft: &mut Draft,
    pattern: AccessId,
    known: &Item,
    refused: &Error,
) -> Result<(), Interrupt> {
    let mut addresses: Vec<Address> = pattern::whole_key(scope, pattern, known)?
        .into_iter()
        .collect();
    for id in &scope.model().pattern(pattern).returns {
        let entity = scope.entity(*id);
        let mut attributes = entity.attributes.iter();
        let position = attributes.find(|attribute| attribute.position.is_some());
        if let (false, Some(position)) = (entity.each.is_empty(), position) {
            let mut values = known.clone();
            values.insert(position.name.value.clone(), Number::from(0));
            addresses.extend(scope.addressing().locate_row(*id, &values).ok());
        }
    }
    for address in addresses {
        draft.add(
            address,
            Action::check().demand(Demand::Absent, refused.clone()),
        )?;
    }
    Ok(())
}
