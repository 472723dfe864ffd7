//! Deletes, with everything that goes with a row.
//!
//! What goes is gathered first: the rows that refer to the row and are deleted with it, those that refer to them, and so
//! on. If it fits one transaction, it is one. Else the row is marked, if the model has a mark, and what refers to it goes
//! in chunks, leaves first and the row itself last, each chunk a transaction; then everything is gathered again until
//! only what fits is left. A crash between two chunks leaves a smaller instance of the same task: the same call ends it.
//!
//! Rows may be created while others are deleted. Creating one demands that what it refers to exists, so after a row is
//! gone nothing new can refer to it; what came in between is found by looking once more, twice if only an index knows.

use super::claims;
use super::find::{self, Asked, Referrer};
use super::permission::{self, Scope};
use super::update::{self, Expected};
use super::{counted, derived, relations};
use crate::anatomy::{Inbound, references, stored_name};
use crate::draft::{Action, Blame, Demand, Draft, Write};
use crate::error::{Clash, Error};
use crate::execute::unexpected;
use crate::place::Place;
use crate::record::{Change, Record};
use crate::session::{Session, Stop};
use crate::steps::Answer;
use monotable_api::{Error as ServiceError, Request, Response, ReturnValue, UpdateItemInput};
use monotable_item::{Item, limits};
use monotable_model::model::{EntityId, OnDelete};
use std::collections::BTreeSet;

/// How often new rows are looked for that appeared while others were deleted.
const LOOKS: u32 = 8;

/// A row that goes.
#[derive(Clone, Debug)]
struct Going {
    record: Record,
    item: Item,
    /// The row that made it owned, which goes in the same transaction: it alone leads here.
    link: Option<(Record, Item)>,
    /// Rows whose reference to it is removed.
    cleared: Vec<Referrer>,
    /// What it goes because of: references whose rows are all gathered already.
    because: Vec<(String, EntityId)>,
    /// Some of those that refer to it may have been missed.
    uncertain: bool,
}

impl Going {
    fn new((record, item): (Record, Item)) -> Self {
        Self {
            record,
            item,
            link: None,
            cleared: Vec::new(),
            because: Vec::new(),
            uncertain: false,
        }
    }
}

/// Deletes the row with this key and everything that goes with it, in as many transactions as it takes.
pub(crate) async fn delete(
    session: &Session,
    entity: EntityId,
    key: &Item,
    expected: &Expected,
) -> Result<Record, Stop> {
    let place = session.place(entity, key)?;
    let mut mark = Mark::No;
    loop {
        let root = match root(session, entity, &place, expected, &mark).await {
            Ok(root) => root,
            Err(stop) => {
                if mark == Mark::No {
                    finish(session, entity, &place).await?;
                }
                return Err(stop);
            }
        };
        let record = root.record.clone();
        // An index shows what it shows: only after the mark it is known that nothing new comes.
        let marks = session.anatomy(entity).deleting.is_some();
        if mark == Mark::No && marks && find::asks_index(session, &record, &open(session, &root)) {
            set_mark(session, entity, &place).await?;
            mark = Mark::Set;
        }
        let mut going = gather(session, vec![root]).await?;
        let mut whole = together(session, &going)?;
        if whole.fits() {
            session.commit(&mut whole).await?;
            if session.pretend {
                return Ok(record);
            }
            look_again(session, going, mark == Mark::Set).await?;
            return Ok(record);
        }
        if mark == Mark::No && marks {
            set_mark(session, entity, &place).await?;
        }
        // All but the root, which comes first.
        let rest = going.split_off(1);
        in_chunks(session, &rest).await?;
        if session.pretend {
            in_chunks(session, &going).await?;
            return Ok(record);
        }
        look_again(session, rest, false).await?;
        mark = Mark::Set;
    }
}

/// A row that is not there may have been deleted by a call that ended before it had looked again: what was left behind
/// then goes now.
async fn finish(session: &Session, entity: EntityId, place: &Place) -> Result<(), Stop> {
    let key = place.key(session.model());
    if session.pretend || session.get(place, true).await?.is_some() {
        return Ok(());
    }
    match session
        .decode(place.table, &key)
        .filter(|row| row.entity == entity)
    {
        Some(row) => look_again(session, vec![Going::new((row, key))], false).await,
        None => Ok(()),
    }
}

/// Adds the delete of a row and everything that goes with it.
pub(crate) async fn delete_into(
    session: &Session,
    draft: &mut Draft,
    entity: EntityId,
    key: &Item,
    expected: &Expected,
) -> Result<Record, Stop> {
    let place = session.place(entity, key)?;
    let root = root(session, entity, &place, expected, &Mark::No).await?;
    let record = root.record.clone();
    let going = gather(session, vec![root]).await?;
    draft.join(together(session, &going)?)?;
    Ok(record)
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
    place: &Place,
    expected: &Expected,
    mark: &Mark,
) -> Result<Going, Stop> {
    let name = session.name(entity);
    if !session.entity(entity).writes.delete {
        return Err(Error::usage(format!("the model does not let callers delete {name}")).into());
    }
    let mut found = session.row(&Draft::default(), place).await?;
    if found.is_none() {
        found = mirrored(session, entity, place).await?;
    }
    let found = found.filter(|(row, _)| row.entity == entity);
    let Some((record, item)) = found else {
        return Err(Error::not_found(name, place.to_string()).into());
    };
    if *mark == Mark::No {
        permission::demand(session, &record, &place.to_string(), Scope::Delete).await?;
        expected.check(session, &record)?;
    }
    Ok(Going::new((record, item)))
}

/// A pair that is stored the other way round.
async fn mirrored(
    session: &Session,
    entity: EntityId,
    place: &Place,
) -> Result<Option<(Record, Item)>, Stop> {
    let relation = session.entity(entity).relation.as_ref();
    let Some(relation) = relation.filter(|relation| relation.symmetric) else {
        return Ok(None);
    };
    let key = place.key(session.model());
    let Some(row) = session.decode(place.table, &key) else {
        return Ok(None);
    };
    let twin = session.row_place(&relations::mirrored(relation, &row))?;
    session.row(&Draft::default(), &twin).await
}

/// Marks a row: from now on it is refused to reads and new references.
async fn set_mark(session: &Session, entity: EntityId, place: &Place) -> Result<(), Stop> {
    let Some(mark) = &session.anatomy(entity).deleting else {
        return Ok(());
    };
    let table = session.model().table(place.table);
    let input = UpdateItemInput::new(table.physical.clone(), place.key(session.model()))
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
            Err(Error::not_found(session.name(entity), place.to_string()).into())
        }
        Err(error) => Err(Error::service(error).into()),
    }
}

/// Everything that goes with these rows: what is referred to stands before what refers to it.
async fn gather(session: &Session, roots: Vec<Going>) -> Result<Vec<Going>, Stop> {
    let mut seen = BTreeSet::new();
    for root in &roots {
        seen.insert(place_of(session, &root.record, &root.item)?);
    }
    let mut all = Vec::new();
    let mut level = roots;
    level.sort_by_key(|going| depth(session, going.record.entity, 0));
    while !level.is_empty() {
        let asked: Vec<_> = level
            .iter()
            .map(|going| Asked {
                row: &going.record,
                inbound: open(session, going),
            })
            .collect();
        let found = find::referrers(session, &asked).await?;
        drop(asked);
        let mut next = Vec::new();
        let mut links = Vec::new();
        for (going, found) in level.iter_mut().zip(found) {
            going.uncertain = found.uncertain;
            for referrer in found.referrers {
                match on_delete(session, &referrer.inbound) {
                    OnDelete::Keep => {}
                    OnDelete::Restrict => return Err(in_use(session, going, &referrer)),
                    OnDelete::Clear => going.cleared.push(referrer),
                    OnDelete::Cascade => {
                        let place = place_of(session, &referrer.record, &referrer.item)?;
                        if seen.insert(place) {
                            match referrer.inbound.owns.clone() {
                                Some(end) => links.push((referrer, end)),
                                None => next.push(below(going, referrer)),
                            }
                        }
                    }
                }
            }
        }
        next.extend(owned(session, links, &mut seen).await?);
        next.sort_by_key(|going| depth(session, going.record.entity, 0));
        all.append(&mut level);
        level = next;
    }
    Ok(all)
}

fn below(above: &Going, referrer: Referrer) -> Going {
    let mut because = above.because.clone();
    because.push((referrer.inbound.attribute, above.record.entity));
    Going {
        because,
        ..Going::new((referrer.record, referrer.item))
    }
}

fn in_use(session: &Session, going: &Going, referrer: &Referrer) -> Stop {
    let clash = Clash::InUse {
        by: session.name(referrer.inbound.entity).to_owned(),
        attribute: referrer.inbound.attribute.clone(),
    };
    Error::conflict(session.name(going.record.entity), clash).into()
}

/// The rows at the other ends of owning relations, with the relations that lead to them.
async fn owned(
    session: &Session,
    links: Vec<(Referrer, String)>,
    seen: &mut BTreeSet<Place>,
) -> Result<Vec<Going>, Stop> {
    let mut places = Vec::new();
    for (link, end) in &links {
        let attribute = session.entity(link.record.entity).attribute(end);
        let reference = attribute.and_then(|attribute| attribute.reference.as_ref());
        let id = link.record.values.get(end);
        let place = reference
            .zip(id)
            .and_then(|(reference, id)| session.target_place(&link.record, reference.target, id));
        places.push(place);
    }
    let known: Vec<_> = places.iter().flatten().cloned().collect();
    let mut items = session.get_many_or_none(&known).await?.into_iter();
    let mut going = Vec::new();
    for ((link, _), place) in links.into_iter().zip(places) {
        let item = place.as_ref().and_then(|_| items.next().flatten());
        let row = place.zip(item).and_then(|(place, item)| {
            let row = session.decode(place.table, &item)?;
            seen.insert(place).then_some((row, item))
        });
        let link = (link.record, link.item);
        going.push(match row {
            Some(row) => Going {
                link: Some(link),
                ..Going::new(row)
            },
            None => Going::new(link),
        });
    }
    Ok(going)
}

fn place_of(session: &Session, row: &Record, item: &Item) -> Result<Place, Stop> {
    let table = session.entity(row.entity).table;
    Place::of_item(session.model(), table, item)
        .ok_or_else(|| Error::integrity("an item without its key was read").into())
}

fn on_delete(session: &Session, inbound: &Inbound) -> OnDelete {
    let attribute = session.entity(inbound.entity).attribute(&inbound.attribute);
    attribute
        .and_then(|attribute| attribute.reference.as_ref())
        .map_or(OnDelete::Keep, |reference| reference.on_delete)
}

/// How many cascading references lead from an entity: rows that refer go before those they refer to.
fn depth(session: &Session, entity: EntityId, steps: usize) -> usize {
    if steps > 16 {
        return steps;
    }
    let cascades = references(session.entity(entity))
        .filter(|(_, reference)| reference.on_delete == OnDelete::Cascade)
        .map(|(_, reference)| 1 + depth(session, reference.target, steps + 1));
    cascades.max().unwrap_or(0)
}

/// The references to a row that have to be followed: not those whose rows are gathered already, because they refer to
/// what the row goes because of as well.
fn open(session: &Session, going: &Going) -> Vec<Inbound> {
    let entity = going.record.entity;
    let inbound = session.anatomy(entity).inbound.iter();
    inbound
        .filter(|inbound| on_delete(session, inbound) != OnDelete::Keep)
        .filter(|inbound| {
            !going
                .because
                .iter()
                .any(|(attribute, root)| covered(session, entity, inbound, attribute, *root))
        })
        .cloned()
        .collect()
}

/// Whether every row that refers to an entity by `inbound` also refers to the same `root` by `attribute`.
fn covered(
    session: &Session,
    entity: EntityId,
    inbound: &Inbound,
    attribute: &str,
    root: EntityId,
) -> bool {
    let referrer = session.entity(inbound.entity);
    let reference = referrer
        .attribute(&inbound.attribute)
        .and_then(|attribute| attribute.reference.as_ref());
    let same = reference.is_some_and(|reference| {
        let said = reference
            .same
            .as_ref()
            .is_some_and(|same| same.value == attribute);
        said || session.entity(entity).key_attributes().contains(&attribute)
    });
    // The root itself: it goes anyway.
    if inbound.entity == root && same && session.entity(root).id.as_deref() == Some(attribute) {
        return true;
    }
    let leads_there = referrer
        .attribute(attribute)
        .and_then(|attribute| attribute.reference.as_ref())
        .is_some_and(|reference| {
            reference.target == root && reference.on_delete == OnDelete::Cascade
        });
    same && leads_there
}

/// All deletes as one draft, leaves first.
fn together(session: &Session, going: &[Going]) -> Result<Draft, Stop> {
    let mut whole = Draft::default();
    for going in going.iter().rev() {
        whole.join(unit(session, going, &BTreeSet::new())?)?;
    }
    Ok(whole)
}

/// Sends deletes in transactions as large as they may be, leaves first.
async fn in_chunks(session: &Session, going: &[Going]) -> Result<(), Stop> {
    let mut chunk = Draft::default();
    for going in going.iter().rev() {
        let unit = unit(session, going, &BTreeSet::new())?;
        if chunk.len() + unit.len() > limits::MAX_TRANSACTION_ACTIONS {
            session.commit(&mut chunk).await?;
            chunk = Draft::default();
        }
        chunk.join(unit)?;
    }
    session.commit(&mut chunk).await
}

/// What is deleted and changed with one row, in one transaction. Rows that are `gone` count nothing any more.
fn unit(session: &Session, going: &Going, gone: &BTreeSet<Place>) -> Result<Draft, Stop> {
    let mut draft = Draft::default();
    remove(session, &mut draft, &going.record, &going.item, gone)?;
    if let Some((link, item)) = &going.link {
        remove(session, &mut draft, link, item, gone)?;
    }
    for referrer in &going.cleared {
        clear(session, &mut draft, referrer)?;
    }
    Ok(draft)
}

/// The delete of one row, with its guards, what counts it and what follows from it.
fn remove(
    session: &Session,
    draft: &mut Draft,
    row: &Record,
    item: &Item,
    gone: &BTreeSet<Place>,
) -> Result<(), Stop> {
    let place = place_of(session, row, item)?;
    let anatomy = session.anatomy(row.entity);
    let mut action = Action::new(Write::Delete).demand(Demand::Present, Blame::Changed);
    action = update::unchanged(session, row, item, &anatomy.depends, action);
    // A row that was counted, numbered or related since would be left behind.
    let entity = session.entity(row.entity);
    for name in &anatomy.kept {
        let counter = stored_name(entity, name);
        let demand = Demand::is(counter.as_str(), item.get(&counter).cloned());
        action = action.demand(demand, Blame::Changed);
    }
    draft.add_first(place, action)?;
    claims::swap(
        session,
        draft,
        row.entity,
        claims::guards(session, row)?,
        Vec::new(),
    )?;
    counted::recount(session, draft, Some(row), None, gone)?;
    derived::follow(session, draft, Some(row), None)?;
    let relation = session.entity(row.entity).relation.as_ref();
    if let Some(relation) = relation.filter(|relation| relation.symmetric) {
        let twin = session.row_place(&relations::mirrored(relation, row))?;
        draft.add(twin, Action::new(Write::Delete))?;
    }
    Ok(())
}

/// Removes the reference of a row that stays.
fn clear(session: &Session, draft: &mut Draft, referrer: &Referrer) -> Result<(), Stop> {
    let change = Change {
        unset: vec![referrer.inbound.attribute.clone()],
        ..Change::default()
    };
    let place = place_of(session, &referrer.record, &referrer.item)?;
    let watched = BTreeSet::from([referrer.inbound.attribute.clone()]);
    let old = (referrer.record.clone(), referrer.item.clone());
    update::edit(session, draft, &place, old, &change, watched)
}

/// Looks for rows that began to refer to deleted ones before these were gone, and deletes them too. A row that somebody
/// has made anew is theirs, with all that refers to it.
async fn look_again(session: &Session, deleted: Vec<Going>, marked: bool) -> Result<(), Stop> {
    let mut deleted: Vec<Going> = deleted
        .into_iter()
        .filter(|going| !open(session, going).is_empty())
        .filter(|going| going.uncertain || !marked)
        .collect();
    // An index lags: what it did not show the first time it may show the second.
    let mut quiet = if deleted.iter().any(|going| going.uncertain) && !marked {
        2
    } else {
        1
    };
    for look in 0..LOOKS {
        deleted = still_gone(session, deleted).await?;
        if deleted.is_empty() || quiet == 0 {
            return Ok(());
        }
        let late = late(session, &deleted).await?;
        if late.is_empty() {
            quiet -= 1;
            continue;
        }
        match sweep(session, &deleted, late).await {
            Ok(more) => {
                let open = more
                    .into_iter()
                    .filter(|going| !open(session, going).is_empty());
                deleted.extend(open);
            }
            // Others were there too; what is left is seen by the next look.
            Err(Stop::Restart) => session.steps.wait(look).await,
            Err(Stop::Leave(place)) => session.leave(place),
            Err(stop) => return Err(stop),
        }
    }
    Ok(())
}

/// Those of the deleted rows that nobody has made anew.
async fn still_gone(session: &Session, deleted: Vec<Going>) -> Result<Vec<Going>, Stop> {
    let mut places = Vec::new();
    for going in &deleted {
        places.push(place_of(session, &going.record, &going.item)?);
    }
    let items = session.get_many_or_none(&places).await?;
    let gone = deleted
        .into_iter()
        .zip(items)
        .filter(|(_, item)| item.is_none());
    Ok(gone.map(|(going, _)| going).collect())
}

/// The rows that refer to rows that are gone.
async fn late(session: &Session, deleted: &[Going]) -> Result<Vec<Going>, Stop> {
    let asked: Vec<_> = deleted
        .iter()
        .map(|going| Asked {
            row: &going.record,
            inbound: open(session, going),
        })
        .collect();
    let found = find::referrers(session, &asked).await?;
    let mut late = Vec::new();
    for (going, found) in deleted.iter().zip(found) {
        for referrer in found.referrers {
            if on_delete(session, &referrer.inbound) == OnDelete::Cascade {
                late.push(below(going, referrer));
            }
        }
    }
    Ok(late)
}

/// Deletes late rows, as long as what they refer to is gone.
async fn sweep(session: &Session, deleted: &[Going], late: Vec<Going>) -> Result<Vec<Going>, Stop> {
    let more = gather(session, late).await?;
    let mut gone = BTreeSet::new();
    for above in deleted {
        gone.insert(place_of(session, &above.record, &above.item)?);
    }
    for going in more.iter().rev() {
        let mut unit = unit(session, going, &gone)?;
        for above in deleted {
            let refers = going.because.iter().any(|(name, entity)| {
                let id = session.entity(*entity).id.as_ref();
                let id = id.and_then(|id| above.record.values.get(id));
                *entity == above.record.entity && going.record.values.get(name) == id
            });
            if refers {
                let place = place_of(session, &above.record, &above.item)?;
                unit.add(
                    place,
                    Action::check().demand(Demand::Absent, Blame::Changed),
                )?;
            }
        }
        session.commit(&mut unit).await?;
    }
    Ok(more)
}
