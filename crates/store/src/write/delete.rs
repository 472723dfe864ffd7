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
mod counted;
mod gather;
mod late;
mod moving;
mod unit;

use super::collection::owned;
use super::each;
use super::marking::mark_delete;
use super::relocation::left_by_moves;
use super::update::{self, Expected};
use crate::address::Address;
use crate::allowed::Allowed;
use crate::caller::is_of_tenant;
use crate::change::{Cause, ItemChange, StoredRow, WriteKind};
use crate::declaration::Declaration;
use crate::draft::{Action, Draft, Write};
use crate::error::{Clash, Error};
use crate::find;
use crate::interrupt::Interrupt;
use crate::mark::{self, Begun};
use crate::mechanism::{relations, times};
use crate::pipeline;
use crate::reader::Reader;
use crate::record::Record;
use crate::record::reference_values;
use crate::rights::{Gate, Permit, Question, Right, decided_by};
use crate::scope::Scope;
use crate::spread;
use crate::token;
use crate::writer;
pub(super) use cascade::admit_removal_of;
use cascade::{admit_cascade, may_be_refused};
pub(crate) use gather::Removal;
use gather::{gather, inbound_references, on_delete};
pub(crate) use late::delete_late_referrers;
use monotable_item::{Item, limits};
use monotable_model::model::{EntityId, OnDelete};
use moving::{may_lose_rows, stands_elsewhere};
use std::collections::BTreeSet;
use unit::{in_chunks, together, unit};

/// Deletes the row with this key and everything that goes with it, in as many transactions as it takes.
pub(crate) async fn delete(
    reader: &Reader<'_>,
    entity: EntityId,
    key: &Item,
    expected: &Expected,
) -> Result<Allowed<Record>, Interrupt> {
    if stays(reader, entity) || spread::is_spread(reader, entity) {
        let mut draft = Draft::default();
        let mut gone = Vec::new();
        let record = delete_into(reader, &mut draft, &mut gone, entity, key, expected).await?;
        token::note_answer(reader, &mut draft, [&*record])?;
        writer::commit(reader, &mut draft).await?;
        if reader.mode.writes() {
            delete_late_referrers(reader, gone, false).await?;
        }
        return Ok(record);
    }
    let address = find::stored_place_of_key(reader, &Draft::default(), entity, key).await?;
    let mut mark = Mark::No;
    let mut permit = None;
    loop {
        let (mut root, asked) = match root(reader, entity, &address, expected, &mark).await {
            Ok(root) => root,
            Err(stop) => {
                if mark == Mark::No {
                    finish(reader, entity, &address).await?;
                }
                return Err(stop);
            }
        };
        let attempt = times::read_occupied_seconds(reader).await?;
        let reader = &reader.with_attempt(&attempt);
        let record = root.record.clone();
        let permit = *permit.get_or_insert(asked);
        let is_first = mark == Mark::No;
        // An index shows what it shows: only after the mark it is known that nothing new comes.
        let marks = reader.profile(entity).deleting.is_some();
        let asks_index = || find::asks_index(reader, &record, &inbound_references(reader, &root));
        // Of a row that moves it is known where everything is only when the move can go on no more.
        let marks_first =
            is_first && marks && (begun_move(reader, &root).is_some() || asks_index());
        if marks_first {
            // A row that stays because of others must not be marked.
            if may_be_refused(reader, entity) {
                admit_removal_of(reader, vec![root.clone()]).await?;
            }
            mark_delete(reader, (entity, &address), &mut root.item).await?;
            mark = Mark::Set;
        }
        let mut removal = gather(reader, vec![root]).await?;
        if is_first && !marks_first {
            admit_cascade(reader, &Draft::default(), &mut removal).await?;
        }
        let unknown_items = unknown_items(reader, &record, &address, &removal).await?;
        // What follows from a row alone may be more than a transaction takes.
        let alone = match removal.as_slice() {
            [root] if unknown_items.is_empty() => Some(root),
            _ => None,
        };
        let mut whole = Draft::default();
        match alone {
            Some(root) => whole = unit(reader, root, &BTreeSet::new(), &whole).await?,
            None => together(reader, &removal, &mut whole).await?,
        }
        for unknown_item in &unknown_items {
            whole.add(unknown_item.clone(), Action::new(Write::Delete))?;
        }
        token::note_answer(reader, &mut whole, [&record])?;
        if whole.fits() || alone.is_some() {
            writer::commit(reader, &mut whole).await?;
            if !reader.mode.writes() {
                return Ok(permit.answer(reader, record));
            }
            delete_late_referrers(reader, removal, mark == Mark::Set).await?;
            return Ok(permit.answer(reader, record));
        }
        if mark == Mark::No
            && let Some(root) = removal.first_mut()
        {
            mark_delete(reader, (entity, &address), &mut root.item).await?;
            // Since it was gathered, a move may have begun to take rows away.
            if reader.mode.writes() && may_lose_rows(reader, entity) {
                mark = Mark::Set;
                continue;
            }
        }
        delete_unknown_items(reader, unknown_items).await?;
        // All but the root, which comes first.
        let rest = removal.split_off(1);
        in_chunks(reader, &rest).await?;
        if !reader.mode.writes() {
            let mut last = Draft::default();
            together(reader, &removal, &mut last).await?;
            token::note_answer(reader, &mut last, [&record])?;
            writer::commit(reader, &mut last).await?;
            return Ok(permit.answer(reader, record));
        }
        delete_late_referrers(reader, rest, false).await?;
        mark = Mark::Set;
    }
}

/// Items that the row owns and that nothing else leads to: rows that the model does not know.
async fn unknown_items(
    reader: &Reader<'_>,
    row: &Record,
    address: &Address,
    removal: &[Removal],
) -> Result<Vec<Address>, Interrupt> {
    if reader.entity(row.entity).owns.is_empty() {
        return Ok(Vec::new());
    }
    let mut known = BTreeSet::new();
    for removal in removal {
        known.extend(removal.addresses(reader)?);
    }
    let mut owned = owned(reader, row, address).await?;
    owned.extend(left_by_moves(reader, row, address).await?);
    let addresses = owned.into_iter().map(|owned| owned.address);
    Ok(addresses
        .filter(|address| !known.contains(address))
        .collect())
}

async fn delete_unknown_items(
    reader: &Reader<'_>,
    unknown_items: Vec<Address>,
) -> Result<(), Interrupt> {
    for chunk in unknown_items.chunks(limits::MAX_TRANSACTION_ACTIONS) {
        let mut draft = Draft::default();
        for address in chunk {
            draft.add(address.clone(), Action::new(Write::Delete))?;
        }
        writer::commit(reader, &mut draft).await?;
    }
    Ok(())
}

/// A row that is not there may have been deleted by a call that ended before it had looked again: what was left behind
/// then goes now.
pub(crate) async fn finish(
    reader: &Reader<'_>,
    entity: EntityId,
    address: &Address,
) -> Result<(), Interrupt> {
    let key = address.key(reader.model());
    // A tombstone is set, and an item of several rows deleted, in one transaction.
    if stays(reader, entity) || spread::is_spread(reader, entity) {
        return Ok(());
    }
    if !reader.mode.writes() || reader.get(address, true).await?.is_some() {
        return Ok(());
    }
    let row = reader.decode(address.table(), &key);
    let Some(row) = row.filter(|row| row.entity == entity) else {
        return Ok(());
    };
    if stands_elsewhere(reader, &row).await? {
        return Ok(());
    }
    let gone = vec![Removal::presumed((row, key))];
    // Nobody was asked about these rows yet: a caller who may not delete one of them leaves them to others.
    if reader.asks_rights() {
        match admit_removal_of(reader, gone.clone()).await {
            Ok(()) => {}
            Err(Interrupt::Fail(_)) => return Ok(()),
            Err(stop) => return Err(stop),
        }
    }
    delete_late_referrers(reader, gone, false).await
}

/// Adds the delete of a row and everything that goes with it; what goes has to be looked at again ([`delete_late_referrers`]).
pub(crate) async fn delete_into(
    reader: &Reader<'_>,
    draft: &mut Draft,
    gone: &mut Vec<Removal>,
    entity: EntityId,
    key: &Item,
    expected: &Expected,
) -> Result<Allowed<Record>, Interrupt> {
    if spread::is_spread(reader, entity) {
        return each::delete(reader, draft, gone, entity, key, expected).await;
    }
    if stays(reader, entity) {
        return update::set_tombstone(reader, draft, entity, key, expected).await;
    }
    let address = find::stored_place_of_key(reader, draft, entity, key).await?;
    let (root, permit) = root(reader, entity, &address, expected, &Mark::No).await?;
    // What has gone along already does not go with this transaction.
    if let Some(name) = begun_move(reader, &root) {
        return Err(find::being_moved(reader, entity, &name).into());
    }
    let attempt = times::read_occupied_seconds(reader).await?;
    let reader = &reader.with_attempt(&attempt);
    let record = root.record.clone();
    let mut removal = gather(reader, vec![root]).await?;
    admit_cascade(reader, draft, &mut removal).await?;
    refuse_new_referrers(reader, draft, &removal)?;
    together(reader, &removal, draft).await?;
    gone.extend(removal);
    Ok(permit.answer(reader, record))
}

/// Adds the deletes of everything that goes with the rows of an item, and gives back what goes.
pub(super) async fn delete_belongings(
    reader: &Reader<'_>,
    draft: &mut Draft,
    rows: &[(Record, Item)],
) -> Result<Vec<Removal>, Interrupt> {
    let roots: Vec<_> = rows.iter().cloned().map(Removal::new).collect();
    let mut removal = gather(reader, roots).await?;
    admit_cascade(reader, draft, &mut removal).await?;
    refuse_new_referrers(reader, draft, &removal)?;
    let (rest, _): (Vec<_>, Vec<_>) = removal
        .iter()
        .cloned()
        .partition(|removal| !removal.is_named());
    together(reader, &rest, draft).await?;
    Ok(removal)
}

/// Refuses to delete a row that a row refers to which the same transaction puts: no read has seen that one.
fn refuse_new_referrers(scope: &Scope, draft: &Draft, removal: &[Removal]) -> Result<(), Error> {
    for removal in removal {
        for inbound in inbound_references(scope, removal) {
            if on_delete(scope, &inbound) == OnDelete::Keep {
                continue;
            }
            let entity = scope.entity(inbound.entity);
            let attribute = entity.attribute(&inbound.attribute);
            let id = scope.entity(removal.record.entity).id.as_ref();
            let id = id.and_then(|id| removal.record.values.get(id));
            for item in draft.puts(entity.table) {
                let row = scope.decode(entity.table, item);
                let row = row.filter(|row| row.entity == inbound.entity);
                let named = attribute.zip(row.as_ref());
                let named = named.map(|(attribute, row)| reference_values(attribute, row));
                if id.is_some_and(|id| named.is_some_and(|named| named.contains(id))) {
                    let clash = Clash::InUse {
                        by: entity.name.value.clone(),
                        attribute: inbound.attribute.clone(),
                    };
                    return Err(Error::conflict(scope.name(removal.record.entity), clash));
                }
            }
        }
    }
    Ok(())
}

/// The move that has begun on a row.
fn begun_move(scope: &Scope, root: &Removal) -> Option<String> {
    let mark = scope.profile(root.record.entity).deleting.as_deref()?;
    match mark::read(&root.item, mark)? {
        Begun::Move { name, .. } => Some(name),
        Begun::Delete => None,
    }
}

/// Whether a delete only sets a tombstone.
fn stays(scope: &Scope, entity: EntityId) -> bool {
    !scope.entity(entity).tombstone.is_empty()
}

/// Whether the row is marked, and so is refused to everybody but its delete.
#[derive(PartialEq, Eq)]
enum Mark {
    No,
    Set,
}

/// The row that is deleted, if the caller may.
async fn root(
    reader: &Reader<'_>,
    entity: EntityId,
    address: &Address,
    expected: &Expected,
    mark: &Mark,
) -> Result<(Removal, Permit), Interrupt> {
    let name = reader.name(entity);
    let declared = reader.entity(entity);
    if !declared.writes.delete {
        let refused = Error::usage(format!("the model does not let callers delete {name}"));
        return Err(refused.by(Declaration::of_writes(declared)).into());
    }
    let mut found = reader.row(&Draft::default(), address).await?;
    if found.is_none() {
        found = mirrored_row(reader, entity, address).await?;
    }
    let found =
        found.filter(|(row, _)| row.entity == entity && is_of_tenant(reader, entity, &row.values));
    let Some((record, item)) = found else {
        return Err(Error::not_found(name, reader.mention(entity, address)).into());
    };
    let mut names: BTreeSet<_> = expected.0.iter().map(|(name, _)| name.clone()).collect();
    // Whoever has set the mark was asked.
    let mut gate = match mark {
        Mark::No => Gate::new(reader),
        Mark::Set => Gate::for_consequences(reader),
    };
    let mention = || reader.mention(entity, address);
    let question = Question::delete(&record);
    let permit = gate.admit(&Draft::default(), question, mention).await?;
    if *mark == Mark::No {
        expected.check_for(&mut gate, &record).await?;
        names.extend(decided_by(reader, entity, Right::Delete, false));
        let stored = StoredRow {
            address: address.clone(),
            record: record.clone(),
            item: item.clone(),
        };
        let cause = Cause::Caller(WriteKind::Delete);
        let change = ItemChange::new(cause, Some(stored), None);
        names.extend(pipeline::judge_removal(reader, &change).await?);
    }
    let removal = Removal {
        expected: names,
        ..Removal::new((record, item))
    };
    Ok((removal, permit))
}

/// A pair that is stored the other way round.
async fn mirrored_row(
    reader: &Reader<'_>,
    entity: EntityId,
    address: &Address,
) -> Result<Option<(Record, Item)>, Interrupt> {
    let relation = reader.entity(entity).relation.as_ref();
    let Some(relation) = relation.filter(|relation| relation.symmetric) else {
        return Ok(None);
    };
    let key = address.key(reader.model());
    let Some(row) = reader.decode(address.table(), &key) else {
        return Ok(None);
    };
    let twin = reader.row_address(&relations::mirrored_row(relation, &row))?;
    reader.row(&Draft::default(), &twin).await
}
