//! What goes with a row: the rows that refer to it, those that refer to them, and so on.

use crate::anatomy::{Inbound, references};
use crate::error::{Clash, Error};
use crate::place::Place;
use crate::record::Record;
use crate::session::{Session, Stop};
use crate::write::find::{self, Asked, Referrer};
use crate::write::{derived, paths};
use monotable_item::Item;
use monotable_model::model::{EntityId, OnDelete};
use std::collections::BTreeSet;

/// A row that goes.
#[derive(Clone, Debug)]
pub(crate) struct Going {
    pub(super) record: Record,
    pub(super) item: Item,
    /// The row that made it owned, which goes in the same transaction: it alone leads here.
    pub(super) link: Option<(Record, Item)>,
    /// Rows whose reference to it is removed.
    pub(super) cleared: Vec<Referrer>,
    /// What it goes because of: references whose rows are all gathered already.
    pub(super) because: Vec<(String, EntityId)>,
    /// Attributes that the caller expects to be what they are.
    pub(super) expected: BTreeSet<String>,
    /// Some of those that refer to it may have been missed.
    pub(super) uncertain: bool,
}

impl Going {
    pub(in crate::write) fn new((record, item): (Record, Item)) -> Self {
        Self {
            record,
            item,
            link: None,
            cleared: Vec::new(),
            because: Vec::new(),
            expected: BTreeSet::new(),
            uncertain: false,
        }
    }
}

impl Going {
    /// The items that go by this.
    pub(super) fn places(&self, session: &Session) -> Result<Vec<Place>, Stop> {
        let link = self.link.as_ref().map(|(row, item)| (row, item));
        let rows = std::iter::once((&self.record, &self.item)).chain(link);
        rows.map(|(row, item)| place_of(session, row, item))
            .collect()
    }
}

/// Everything that goes with these rows: what is referred to stands before what refers to it.
pub(super) async fn gather(session: &Session, roots: Vec<Going>) -> Result<Vec<Going>, Stop> {
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
                    OnDelete::Restrict => {
                        if find::still_refers(session, &going.record, &referrer).await? {
                            return Err(in_use(session, going, &referrer));
                        }
                    }
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
        next.extend(leaves(session, &level, &mut seen).await?);
        next.sort_by_key(|going| depth(session, going.record.entity, 0));
        all.append(&mut level);
        level = next;
    }
    Ok(all)
}

/// The leaves of the paths of rows that go, and derived rows whose keys do not follow from them.
async fn leaves(
    session: &Session,
    level: &[Going],
    seen: &mut BTreeSet<Place>,
) -> Result<Vec<Going>, Stop> {
    let mut leaves = Vec::new();
    for going in level {
        let paths = session.model().paths.iter();
        for path in paths.filter(|path| path.of == going.record.entity) {
            if let Some(leaf) = paths::leaf(session, path, &going.record).await?
                && seen.insert(session.row_place(&leaf.0)?)
            {
                leaves.push(Going::new(leaf));
            }
        }
        let derives = session.model().derives.iter();
        for derive in derives.filter(|derive| derive.of == going.record.entity) {
            if !derived::is_fresh(session, derive) {
                continue;
            }
            for stored in derived::stored(session, derive, &going.record).await? {
                if seen.insert(place_of(session, &stored.0, &stored.1)?) {
                    leaves.push(Going::new(stored));
                }
            }
        }
    }
    Ok(leaves)
}

pub(super) fn below(above: &Going, referrer: Referrer) -> Going {
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

pub(super) fn on_delete(session: &Session, inbound: &Inbound) -> OnDelete {
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
pub(super) fn open(session: &Session, going: &Going) -> Vec<Inbound> {
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

pub(super) fn place_of(session: &Session, row: &Record, item: &Item) -> Result<Place, Stop> {
    let table = session.entity(row.entity).table;
    Place::of_item(session.model(), table, item)
        .ok_or_else(|| Error::integrity("an item without its key was read").into())
}
