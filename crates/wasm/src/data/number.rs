//! Numbers as hosts have them.
//!
//! A host may give the digits of a declared number as text, because its own numbers round. It gets numbers of kind `number` as
//! text for that reason, and integers as numbers. An integer that a double does not hold is an error, unless the host has said
//! that it reads the attribute without a bound.

use monotable_item::{AttributeValue, Item};
use monotable_model::compiled::CompiledModel;
use monotable_model::model::Kind;
use monotable_model::plan::ReadPlan;
use monotable_store::{AnyOperation, AnyOutput, Difference, Error, Row};
use std::collections::BTreeSet;

/// The largest integer up to which a double holds every one.
const SAFE: i64 = (1 << 53) - 1;

/// Makes numbers of texts that an operation gives for declared numbers.
pub(super) fn read_texts(
    compiled: &CompiledModel,
    operation: &mut AnyOperation,
    expected: &mut Item,
) {
    let read = |entity: &str, items: &mut [&mut Item]| {
        for item in items {
            read_item(compiled, entity, item);
        }
    };
    match operation {
        AnyOperation::Create(one) => read(&one.entity, &mut [&mut one.values]),
        AnyOperation::Put(one) => read(&one.entity, &mut [&mut one.values, expected]),
        AnyOperation::Attach(one) => read(&one.entity, &mut [&mut one.values]),
        AnyOperation::Get(one) => read(&one.entity, &mut [&mut one.key]),
        AnyOperation::Delete(one) => read(&one.entity, &mut [&mut one.key, expected]),
        AnyOperation::Detach(one) => read(&one.entity, &mut [&mut one.key, expected]),
        AnyOperation::CheckSecret(one) => read(&one.entity, &mut [&mut one.key]),
        AnyOperation::Update(one) => {
            let change = &mut one.change;
            read(
                &one.entity,
                &mut [
                    &mut one.key,
                    &mut change.set,
                    &mut change.add,
                    &mut change.append,
                    expected,
                ],
            );
        }
        AnyOperation::Query(query) => {
            if let Some(plan) = compiled.plans().pattern_named(&query.pattern) {
                read_parameters(plan, &mut query.parameters);
            }
        }
        AnyOperation::Transact(several) => {
            for one in &mut several.operations {
                read_texts(compiled, one, &mut Item::new());
            }
        }
        AnyOperation::Commit(commit) => {
            for change in &mut commit.changes {
                read_texts(compiled, change, &mut Item::new());
            }
        }
        AnyOperation::CommitAll(all) => {
            for change in all.commits.iter_mut().flat_map(|one| &mut one.changes) {
                read_texts(compiled, change, &mut Item::new());
            }
        }
        _ => {}
    }
}

fn read_item(compiled: &CompiledModel, entity: &str, item: &mut Item) {
    let Some((_, entity)) = compiled.model().entity_named(entity) else {
        return;
    };
    for attribute in entity
        .attributes
        .iter()
        .filter(|one| holds_number(&one.kind))
    {
        read_member(&attribute.kind, &attribute.name.value, item);
    }
}

fn read_parameters(plan: &ReadPlan, parameters: &mut Item) {
    for parameter in plan.parameters.iter().filter(|one| holds_number(&one.kind)) {
        let name = &parameter.name;
        for name in [name.clone(), format!("{name}.from"), format!("{name}.to")] {
            read_member(&parameter.kind, &name, parameters);
        }
    }
}

fn holds_number(kind: &Kind) -> bool {
    match kind {
        Kind::List { of, .. } => holds_number(of),
        kind => kind.is_number(),
    }
}

fn read_member(kind: &Kind, name: &str, item: &mut Item) {
    if let Some(value) = item.get(name) {
        let value = read_value(kind, value);
        if let Some(value) = value {
            item.insert(name.to_owned(), value);
        }
    }
}

/// The number that a text stands for; none if it is none, which the store then refuses in its own words.
fn read_value(kind: &Kind, value: &AttributeValue) -> Option<AttributeValue> {
    match (kind, value) {
        (Kind::List { of, .. }, AttributeValue::L(values)) => {
            let values = values.iter();
            let read = values.map(|value| read_value(of, value).unwrap_or_else(|| value.clone()));
            Some(AttributeValue::L(read.collect()))
        }
        (_, AttributeValue::S(text)) => text.parse().ok().map(AttributeValue::N),
        _ => None,
    }
}

/// Brings the numbers of rows into the form in which hosts read them.
pub(super) fn show(
    compiled: &CompiledModel,
    bigint: &BTreeSet<String>,
    output: &mut AnyOutput,
) -> Result<(), Error> {
    let rows: Vec<&mut Row> = match output {
        AnyOutput::Row(row) => vec![row],
        AnyOutput::Rows(rows) => rows.iter_mut().collect(),
        AnyOutput::Page(page) => page.rows.iter_mut().chain(&mut page.followed).collect(),
        AnyOutput::Committed(committed) => committed.revisions.iter_mut().collect(),
        AnyOutput::Snapshot(snapshot) => snapshot.rows.iter_mut().collect(),
        AnyOutput::Differences(found) => {
            let rows = found.rows.iter_mut();
            rows.flat_map(|one| match one {
                Difference::Added(row) | Difference::Removed(row) => vec![row],
                Difference::Moved { before, after } | Difference::Changed { before, after, .. } => {
                    vec![before, after]
                }
            })
            .collect()
        }
        AnyOutput::Flag(_) | AnyOutput::SweepReport(_) | AnyOutput::PurgeReport(_) => Vec::new(),
    };
    for row in rows {
        show_row(compiled, bigint, row)?;
    }
    Ok(())
}

/// Brings the numbers of one row into the form in which hosts read them.
pub(super) fn show_row(
    compiled: &CompiledModel,
    bigint: &BTreeSet<String>,
    row: &mut Row,
) -> Result<(), Error> {
    let Some((_, entity)) = compiled.model().entity_named(&row.entity) else {
        return Ok(());
    };
    for attribute in entity
        .attributes
        .iter()
        .filter(|one| holds_number(&one.kind))
    {
        let name = &attribute.name.value;
        let Some(value) = row.values.get(name) else {
            continue;
        };
        let is_bounded = !bigint.contains(&format!("{}.{name}", row.entity));
        if is_bounded && has_unsafe_integer(&attribute.kind, value) {
            return Err(Error::contradiction(format!(
                "{}.{name} holds an integer beyond {SAFE}, which a number of JavaScript rounds; generate the client with \
                 --bigint {}.{name}",
                row.entity, row.entity
            )));
        }
        if let Some(value) = show_value(&attribute.kind, value) {
            row.values.insert(name.clone(), value);
        }
    }
    Ok(())
}

fn has_unsafe_integer(kind: &Kind, value: &AttributeValue) -> bool {
    match (kind, value) {
        (Kind::List { of, .. }, AttributeValue::L(values)) => {
            values.iter().any(|value| has_unsafe_integer(of, value))
        }
        (Kind::Integer(_) | Kind::Epoch, AttributeValue::N(number)) => {
            let digits: Option<i64> = number.to_string().parse().ok();
            digits.is_none_or(|digits| digits.abs() > SAFE)
        }
        _ => false,
    }
}

/// A number of kind `number` as its digits; none if the value stays as it is.
fn show_value(kind: &Kind, value: &AttributeValue) -> Option<AttributeValue> {
    match (kind, value) {
        (Kind::List { of, .. }, AttributeValue::L(values)) => {
            let values = values.iter();
            let shown = values.map(|value| show_value(of, value).unwrap_or_else(|| value.clone()));
            Some(AttributeValue::L(shown.collect()))
        }
        (Kind::Number(_), AttributeValue::N(number)) => Some(AttributeValue::S(number.to_string())),
        _ => None,
    }
}
