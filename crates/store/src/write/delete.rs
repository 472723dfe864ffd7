//! Deletes, with everything that goes with a row.
//!
//! What goes is gathered first: the rows that refer to the row and are deleted with it, those that refer to them, and so
//! on. If it fits one transaction, it is one. Else the row is marked, if the model has a mark, and what refers to it goes
//! in chunks, leaves first and the row itself last, each chunk a transaction; then everything is gathered again until
//! only what fits is left. A crash between two chunks leaves a smaller instance of the same task: the same call ends it.
//!
//! Rows may be created while others are deleted. Creating one demands that what it refers to exists, so after a row is
//! gone nothing new can refer to it; what came in between is found by looking once more, twice if only an index knows.

mod cascade;
mod gather;
mod late;
mod unit;

use super::audit::{self, AuditedAction};
use super::collection::owned;
use super::find;
use super::fraction;
use super::relations;
use super::relocation::left_by_moves;
use super::update::Expected;
use super::{checks, each, update};
use crate::address::Address;
use crate::allowed::Allowed;
use crate::caller::is_of_tenant;
use crate::draft::{Action, Draft, Write};
use crate::error::{Clash, Error};
use crate::execute::unexpected;
use crate::record::Record;
use crate::rights::{Gate, Permit, Question, Right, decided_by};
use crate::session::{Interrupt, Session, referred};
use crate::steps::Answer;
use crate::token;
use cascade::admit_cascade;
pub(super) use cascade::admit_removal_of;
pub(crate) use gather::Removal;
use gather::{gather, inbound_references, on_delete};
pub(crate) use late::delete_late_referrers;
use monotable_api::{Error as ServiceError, Request, Response, ReturnValue, UpdateItemInput};
use monotable_item::{Item, limits};
use monotable_model::model::{EntityId, OnDelete};
use std::collections::BTreeSet;
use unit::{in_chunks, together, unit};

/// Deletes the row with this key and everything that goes with it, in as many transactions as it takes.
pub(crate) async fn delete(
    session: &Session,
    entity: EntityId,
    key: &Item,
    expected: &Expected,
) -> Result<Allowed<Record>, Interrupt> {
    if stays(session, entity) || each::is_spread(session, entity) {
        let mut draft = Draft::default();
        let mut gone = Vec::new();
        let record = delete_into(session, &mut draft, &mut gone, entity, key, expected).await?;
        token::note_answer(session, &mut draft, [&*record])?;
        session.commit(&mut draft).await?;
        return Ok(record);
    }
    let address = find::place_of_key(session, entity, key).await?;
    let mut mark = Mark::No;
    let mut permit = None;
    loop {
        let (root, asked) = match root(session, entity, &address, expected, &mark).await {
            Ok(root) => root,
            Err(stop) => {
                if mark == Mark::No {
                    finish(session, entity, &address).await?;
                }
                return Err(stop);
            }
        };
        let record = root.record.clone();
        let permit = *permit.get_or_insert(asked);
        let is_first = mark == Mark::No;
        // An index shows what it shows: only after the mark it is known that nothing new comes.
        let marks = session.profile(entity).deleting.is_some();
        let marks_first = is_first
            && marks
            && find::asks_index(session, &record, &inbound_references(session, &root));
        if marks_first {
            // A row that stays because of the rights to others must not be marked.
            if session.guarded {
                admit_removal_of(session, vec![root.clone()]).await?;
            }
            set_mark(session, entity, &address).await?;
            mark = Mark::Set;
        }
        let mut removal = gather(session, vec![root]).await?;
        if is_first && !marks_first {
            admit_cascade(session, &Draft::default(), &mut removal).await?;
        }
        let unknown_items = unknown_items(session, &record, &address, &removal).await?;
        // What follows from a row alone may be more than a transaction takes.
        let alone = match removal.as_slice() {
            [root] if unknown_items.is_empty() => Some(root),
            _ => None,
        };
        let mut whole = Draft::default();
        match alone {
            Some(root) => whole = unit(session, root, &BTreeSet::new(), &whole)?,
            None => together(session, &removal, &mut whole)?,
        }
        for unknown_item in &unknown_items {
            whole.add(unknown_item.clone(), Action::new(Write::Delete))?;
        }
        audit::written(
            session,
            &mut whole,
            AuditedAction::Delete,
            &address,
            Some(&record),
            None,
        )?;
        token::note_answer(session, &mut whole, [&record])?;
        if whole.fits() || alone.is_some() {
            session.commit(&mut whole).await?;
            if session.pretend {
                return Ok(permit.answer(session, record));
            }
            delete_late_referrers(session, removal, mark == Mark::Set).await?;
            return Ok(permit.answer(session, record));
        }
        if mark == Mark::No && marks {
            set_mark(session, entity, &address).await?;
        }
        delete_unknown_items(session, unknown_items).await?;
        // All but the root, which comes first.
        let rest = removal.split_off(1);
        in_chunks(session, &rest).await?;
        if session.pretend {
            let mut last = Draft::default();
            together(session, &removal, &mut last)?;
            audit::written(
                session,
                &mut last,
                AuditedAction::Delete,
                &address,
                Some(&record),
                None,
            )?;
            token::note_answer(session, &mut last, [&record])?;
            session.commit(&mut last).await?;
            return Ok(permit.answer(session, record));
        }
        delete_late_referrers(session, rest, false).await?;
        mark = Mark::Set;
    }
}

/// Items that the row owns and that nothing else leads to: rows that the model does not know.
async fn unknown_items(
    session: &Session,
    row: &Record,
    address: &Address,
    removal: &[Removal],
) -> Result<Vec<Address>, Interrupt> {
    if session.entity(row.entity).owns.is_empty() {
        return Ok(Vec::new());
    }
    let mut known = BTreeSet::new();
    for removal in removal {
        known.extend(removal.addresses(session)?);
    }
    let mut owned = owned(session, row, address).await?;
    owned.extend(left_by_moves(session, row, address).await?);
    let addresses = owned.into_iter().map(|owned| owned.address);
    Ok(addresses
        .filter(|address| !known.contains(address))
        .collect())
}

async fn delete_unknown_items(
    session: &Session,
    unknown_items: Vec<Address>,
) -> Result<(), Interrupt> {
    for chunk in unknown_items.chunks(limits::MAX_TRANSACTION_ACTIONS) {
        let mut draft = Draft::default();
        for address in chunk {
            draft.add(address.clone(), Action::new(Write::Delete))?;
        }
        session.commit(&mut draft).await?;
    }
    Ok(())
}

/// A row that is not there may have been deleted by a call that ended before it had looked again: what was left behind
/// then goes now.
pub(crate) async fn finish(
    session: &Session,
    entity: EntityId,
    address: &Address,
) -> Result<(), Interrupt> {
    let key = address.key(session.model());
    // A tombstone is set, and an item of several rows deleted, in one transaction.
    if stays(session, entity) || each::is_spread(session, entity) {
        return Ok(());
    }
    if session.pretend || session.get(address, true).await?.is_some() {
        return Ok(());
    }
    let row = session.decode(address.table, &key);
    let Some(row) = row.filter(|row| row.entity == entity) else {
        return Ok(());
    };
    let gone = vec![Removal::new((row, key))];
    // Nobody was asked about these rows yet: a caller who may not delete one of them leaves them to others.
    if session.guarded {
        match admit_removal_of(session, gone.clone()).await {
            Ok(()) => {}
            Err(Interrupt::Fail(_)) => return Ok(()),
            Err(stop) => return Err(stop),
        }
    }
    delete_late_referrers(session, gone, false).await
}

/// Adds the delete of a row and everything that goes with it; what goes has to be [looked at again](look_again).
pub(crate) async fn delete_into(
    session: &Session,
    draft: &mut Draft,
    gone: &mut Vec<Removal>,
    entity: EntityId,
    key: &Item,
    expected: &Expected,
) -> Result<Allowed<Record>, Interrupt> {
    if each::is_spread(session, entity) {
        return each::delete(session, draft, entity, key, expected).await;
    }
    if stays(session, entity) {
        return update::set_tombstone(session, draft, entity, key, expected).await;
    }
    let address = find::place_of_key(session, entity, key).await?;
    let (root, permit) = root(session, entity, &address, expected, &Mark::No).await?;
    let record = root.record.clone();
    let mut removal = gather(session, vec![root]).await?;
    admit_cascade(session, draft, &mut removal).await?;
    refuse_new_referrers(session, draft, &removal)?;
    together(session, &removal, draft)?;
    audit::written(
        session,
        draft,
        AuditedAction::Delete,
        &address,
        Some(&record),
        None,
    )?;
    gone.extend(removal);
    Ok(permit.answer(session, record))
}

/// Refuses to delete a row that a row refers to which the same transaction puts: no read has seen that one.
fn refuse_new_referrers(
    session: &Session,
    draft: &Draft,
    removal: &[Removal],
) -> Result<(), Error> {
    for removal in removal {
        for inbound in inbound_references(session, removal) {
            if on_delete(session, &inbound) == OnDelete::Keep {
                continue;
            }
            let entity = session.entity(inbound.entity);
            let attribute = entity.attribute(&inbound.attribute);
            let id = session.entity(removal.record.entity).id.as_ref();
            let id = id.and_then(|id| removal.record.values.get(id));
            for item in draft.puts(entity.table) {
                let row = session.decode(entity.table, item);
                let row = row.filter(|row| row.entity == inbound.entity);
                let named = attribute.zip(row.as_ref());
                let named = named.map(|(attribute, row)| referred(attribute, row));
                if id.is_some_and(|id| named.is_some_and(|named| named.contains(id))) {
                    let clash = Clash::InUse {
                        by: entity.name.value.clone(),
                        attribute: inbound.attribute.clone(),
                    };
                    return Err(Error::conflict(session.name(removal.record.entity), clash));
                }
            }
        }
    }
    Ok(())
}

/// Whether a delete only sets a tombstone.
fn stays(session: &Session, entity: EntityId) -> bool {
    !session.entity(entity).tombstone.is_empty()
}

/// Whether the row is marked, and so is refused to everybody but its delete.
#[derive(PartialEq, Eq)]
enum Mark {
    No,
    Set,
}

/// The row that is deleted, if the caller may.
async fn root(
    session: &Session,
    entity: EntityId,
    address: &Address,
    expected: &Expected,
    mark: &Mark,
) -> Result<(Removal, Permit), Interrupt> {
    let name = session.name(entity);
    if !session.entity(entity).writes.delete {
        return Err(Error::usage(format!("the model does not let callers delete {name}")).into());
    }
    let mut found = session.row(&Draft::default(), address).await?;
    if found.is_none() {
        found = mirrored_row(session, entity, address).await?;
    }
    let found =
        found.filter(|(row, _)| row.entity == entity && is_of_tenant(session, entity, &row.values));
    let Some((record, item)) = found else {
        return Err(Error::not_found(name, session.mention(entity, address)).into());
    };
    let mut names: BTreeSet<_> = expected.0.iter().map(|(name, _)| name.clone()).collect();
    // Whoever has set the mark was asked.
    let mut gate = match mark {
        Mark::No => Gate::new(session),
        Mark::Set => Gate::for_consequences(session),
    };
    let mention = || session.mention(entity, address);
    let question = Question::delete(&record);
    let permit = gate.admit(&Draft::default(), question, mention).await?;
    if *mark == Mark::No {
        expected.check(session, &record)?;
        names.extend(decided_by(session, entity, Right::Delete, false));
        names.extend(checks::at_delete(session, &record).await?);
    }
    fraction::read_occupied_seconds(session).await?;
    names.extend(audit::watched(
        session,
        AuditedAction::Delete,
        &record,
        None,
    ));
    let removal = Removal {
        expected: names,
        ..Removal::new((record, item))
    };
    Ok((removal, permit))
}

/// A pair that is stored the other way round.
async fn mirrored_row(
    session: &Session,
    entity: EntityId,
    address: &Address,
) -> Result<Option<(Record, Item)>, Interrupt> {
    let relation = session.entity(entity).relation.as_ref();
    let Some(relation) = relation.filter(|relation| relation.symmetric) else {
        return Ok(None);
    };
    let key = address.key(session.model());
    let Some(row) = session.decode(address.table, &key) else {
        return Ok(None);
    };
    let twin = session.row_address(&relations::mirrored_row(relation, &row))?;
    session.row(&Draft::default(), &twin).await
}

/// Marks a row: from now on it is refused to reads and new references.
pub(super) async fn set_mark(
    session: &Session,
    entity: EntityId,
    address: &Address,
) -> Result<(), Interrupt> {
    let Some(mark) = &session.profile(entity).deleting else {
        return Ok(());
    };
    let table = session.model().table(address.table);
    let input = UpdateItemInput::new(table.physical.clone(), address.key(session.model()))
        .update("SET #mark = if_not_exists(#mark, :now)")
        .condition("attribute_exists(#pk)")
        .name("#mark", mark.as_str())
        .name("#pk", table.hash.value.as_str())
        .value(":now", session.around.now_text())
        .return_values(ReturnValue::None);
    let Answer { result, .. } = session.steps.call(Request::UpdateItem(input)).await;
    match result {
        Ok(Response::UpdateItem(_)) => Ok(()),
        Ok(other) => Err(unexpected(&other).into()),
        Err(ServiceError::ConditionalCheckFailedException { .. }) => {
            Err(Error::not_found(session.name(entity), session.mention(entity, address)).into())
        }
        Err(error) => Err(Error::service(error).into()),
    }
}
