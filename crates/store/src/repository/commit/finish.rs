//! Revisions that are ready, written.

use super::super::batch::put_all;
use super::super::change_set::name_row;
use super::super::instance::{Head, RepositoryInstance};
use super::super::intent::Intent;
use super::super::other_repositories::{self, Named, Upcoming, home};
use super::super::rules;
use super::Prepared;
use crate::allowed::Allowed;
use crate::change::{Cause, ItemChange, Run, StoredRow};
use crate::draft::{Blame, Demand, Draft};
use crate::error::{Clash, Error};
use crate::field_error::{FieldError, Problem};
use crate::interrupt::Interrupt;
use crate::mention::Mention;
use crate::operation::Committed;
use crate::pipeline;
use crate::profile::references;
use crate::read::has_tombstone;
use crate::reader::Reader;
use crate::record::reference_values;
use crate::record::{self, Record};
use crate::rights::{Gate, Permit, Question};
use crate::row::Row;
use crate::scope::Scope;
use crate::token;
use crate::writer;
use monotable_model::model::TableId;
use std::collections::BTreeMap;

/// Writes revisions that are ready.
pub(in crate::repository) async fn finish(
    reader: &Reader<'_>,
    prepared: Vec<Prepared<'_>>,
) -> Result<Committed, Interrupt> {
    let warnings = named_elsewhere(reader, &prepared).await?;
    let mut draft = Draft::default();
    let mut intents = Vec::new();
    let mut items = Vec::new();
    let mut permits = Vec::new();
    for one in &prepared {
        let rows = one.instance.partition(&one.revision)?;
        items.push((
            rows.table(),
            one.contents.items(&rows.partition.key_text())?,
        ));
        intents.push(Intent::new(&one.instance, &one.revision)?);
        permits.push(add(reader, &mut draft, one).await?);
    }
    for intent in &intents {
        intent.end(reader, &mut draft)?;
    }
    token::note_answer(reader, &mut draft, prepared.iter().map(|one| &one.log))?;
    if !draft.fits() {
        return Err(draft.too_large().into());
    }
    let mut beginning = Draft::default();
    for intent in &intents {
        intent.begin(reader, &mut beginning)?;
    }
    writer::commit(reader, &mut beginning).await?;
    let written = write(reader, items, &mut draft).await;
    if let Err(stop) = written {
        return match give_up(reader, &prepared, &intents).await {
            // The transaction was carried out; only its answer was lost.
            Ok(true) => Ok(build_answer(reader, prepared, &permits, warnings)),
            _ => Err(stop),
        };
    }
    Ok(build_answer(reader, prepared, &permits, warnings))
}

fn build_answer(
    scope: &Scope,
    prepared: Vec<Prepared<'_>>,
    permits: &[Permit],
    warnings: Vec<String>,
) -> Committed {
    let revisions = prepared
        .into_iter()
        .zip(permits)
        .map(|(one, permit)| Row::reveal(scope.compiled(), permit.answer(scope, one.log)));
    Committed {
        revisions: revisions.collect(),
        warnings,
    }
}

/// The snapshots, and then everything that makes them known.
async fn write(
    reader: &Reader<'_>,
    items: Vec<(TableId, Vec<monotable_item::EncodedItem>)>,
    draft: &mut Draft,
) -> Result<(), Interrupt> {
    for (table, items) in items {
        put_all(reader, table, items).await?;
    }
    writer::commit(reader, draft).await
}

/// Discards the snapshots of a commit that did not succeed. True: it did succeed, as its log says.
async fn give_up(
    reader: &Reader<'_>,
    prepared: &[Prepared<'_>],
    intents: &[Intent],
) -> Result<bool, Interrupt> {
    let mut ended = false;
    for intent in intents {
        ended |= intent.discard(reader).await?.is_none();
    }
    let Some(one) = prepared.first().filter(|_| ended) else {
        return Ok(false);
    };
    // An intent that is gone was committed, or swept.
    let address = reader.row_address(&one.log)?;
    if reader.get(&address, true).await?.is_some() {
        return Ok(true);
    }
    // What was written after the sweep had passed is found by nobody else.
    for intent in intents {
        intent.clear(reader).await?;
    }
    Ok(false)
}

/// Adds the log row, the head and what follows from the head.
async fn add(
    reader: &Reader<'_>,
    draft: &mut Draft,
    one: &Prepared<'_>,
) -> Result<Permit, Interrupt> {
    let mut gate = Gate::new(reader);
    let question = Question::create(&one.log);
    let permit = gate.admit(draft, question, Mention::default).await?;
    let instance = &one.instance;
    let key = reader.row_address(&one.log)?;
    let clash = Clash::key(reader.mention(one.log.entity, &key));
    let taken = Error::conflict(reader.name(one.log.entity), clash);
    let mut log = ItemChange::new(Cause::Committed, None, Some(one.log.clone()));
    for row in &mut log.rows {
        row.demands.push((Demand::Absent, taken.clone().into()));
    }
    pipeline::apply(&mut Run::new(*reader, draft), log).await?;
    let old = one.head.as_ref();
    add_head(reader, draft, instance, &one.log, old).await?;
    for member in one.contents.changed() {
        let row = one.contents.record(member).clone();
        let change = ItemChange::new(Cause::Snapshot, None, Some(row));
        pipeline::apply(&mut Run::new(*reader, draft), change).await?;
    }
    Ok(permit)
}

/// Adds the head with a pointer to a revision, if it is still what was read.
pub(in crate::repository) async fn add_head(
    reader: &Reader<'_>,
    draft: &mut Draft,
    instance: &RepositoryInstance<'_>,
    log: &Record,
    old: Option<&Head>,
) -> Result<Allowed<Record>, Interrupt> {
    let entity = instance.declared.head;
    let mut values = instance.key.clone();
    if let Some(revision) = log.values.get(instance.revision_name()) {
        values.insert(instance.pointer(), revision.clone());
    }
    let referred = BTreeMap::from([(instance.pointer().to_owned(), log.values.clone())]);
    let circumstances = reader.circumstances.with_referred(referred);
    let record = record::create(reader.compiled(), entity, values, &circumstances)
        .map_err(|errors| reader.refused(entity, errors))?;
    let question = match old {
        Some(old) => Question::update(&old.record, &record),
        None => Question::create(&record),
    };
    let address = instance.head_place()?;
    let mention = || reader.mention(entity, &address);
    let permit = Gate::new(reader).admit(draft, question, mention).await?;
    let old = old.map(|old| StoredRow {
        address: address.clone(),
        record: old.record.clone(),
        item: old.item.clone(),
    });
    let change = ItemChange::new(Cause::Committed, old, Some(record.clone()));
    let mut change = change.of_whole_rows();
    for row in change.rows.iter_mut().filter(|row| row.old.is_none()) {
        row.demands.push((Demand::Absent, Blame::Changed));
    }
    pipeline::apply(&mut Run::new(*reader, draft), change).await?;
    Ok(permit.answer(reader, record))
}

/// Holds references to rows of other repositories against their heads.
async fn named_elsewhere(
    reader: &Reader<'_>,
    prepared: &[Prepared<'_>],
) -> Result<Vec<String>, Interrupt> {
    let mut named_rows = Vec::new();
    let mut by = Vec::new();
    for one in prepared {
        for member in one.contents.changed() {
            let record = one.contents.record(member);
            for (attribute, reference) in references(reader.entity(record.entity)) {
                let own = one.instance.declared.entities.contains(&reference.target);
                if own || home(reader, reference.target).is_none() {
                    continue;
                }
                for id in reference_values(attribute, record) {
                    by.push((one, record, attribute, reference));
                    named_rows.push(Named {
                        by: record,
                        target: reference.target,
                        id,
                    });
                }
            }
        }
    }
    let upcoming: Vec<_> = prepared
        .iter()
        .map(|one| Upcoming {
            instance: &one.instance,
            contents: &one.contents,
        })
        .collect();
    let found = other_repositories::rows(reader, &named_rows, &upcoming).await?;
    let found = found
        .into_iter()
        .map(|found| found.filter(|found| !has_tombstone(reader, found)));
    let mut warnings = Vec::new();
    let mut refused = Vec::new();
    for ((one, record, attribute, reference), found) in by.into_iter().zip(found) {
        let wanted = match found {
            None => Some(format!("a {} that is there", reader.name(reference.target))),
            Some(found) => rules::unfit(reader, reference, &found),
        };
        let Some(wanted) = wanted else { continue };
        let error = FieldError::new(&attribute.name.value, Problem::Wrong { wanted });
        let error = name_row(&one.instance, record, vec![error]);
        if reference.missing_warns {
            warnings.push(error.to_string())
        } else {
            refused.push(error)
        }
    }
    match Error::together(refused) {
        Some(error) => Err(error.into()),
        None => Ok(warnings),
    }
}
