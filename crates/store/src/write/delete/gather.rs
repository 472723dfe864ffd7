//! What goes with a row: the rows that refer to it, those that refer to them, and so on.

use super::counted::find_missed;
use super::moving::refuse_moving;
use crate::address::Address;
use crate::change::{Cause, WriteKind};
use crate::draft::Demand;
use crate::error::{Clash, Error};
use crate::find::{self, Referrer, ReferrerQuery};
use crate::interrupt::Interrupt;
use crate::mechanism::derived;
use crate::mechanism::paths::{self, FoundLeaf};
use crate::profile::{Inbound, references};
use crate::reader::Reader;
use crate::record::Record;
use crate::rights::Gate;
use crate::scope::Scope;
use monotable_item::Item;
use monotable_model::model::{EntityId, OnDelete};
use std::collections::BTreeSet;

/// A row that goes.
#[derive(Clone, Debug)]
pub(crate) struct Removal {
    pub(super) record: Record,
    pub(super) item: Item,
    /// The row that made it owned, which goes in the same transaction: it alone leads here.
    pub(super) link: Option<(Record, Item)>,
    /// Where its leaf should be and is not: that must still be so when it goes.
    pub(super) missing_leaves: Vec<(Address, Demand)>,
    /// Rows whose reference to it is removed.
    pub(super) cleared: Vec<Referrer>,
    /// What it goes because of: references whose rows are all gathered already.
    pub(super) cascade_path: Vec<(String, EntityId)>,
    /// Why it goes: the caller names it, it refers to a row that goes, or it follows from one.
    pub(super) reason: RemovalReason,
    /// Attributes that are demanded to be what they are: the caller expects it, or its rights were decided by them.
    pub(super) expected: BTreeSet<String>,
    /// Some of those that refer to it may have been missed.
    pub(super) uncertain: bool,
    /// It was not there: whether it ever was, and whose, is not known.
    pub(super) is_presumed: bool,
}

/// Why a row goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RemovalReason {
    Named,
    Cascade,
    Derived,
    Path,
}

impl Removal {
    pub(in crate::write) fn new((record, item): (Record, Item)) -> Self {
        Self {
            record,
            item,
            link: None,
            missing_leaves: Vec::new(),
            cleared: Vec::new(),
            cascade_path: Vec::new(),
            reason: RemovalReason::Named,
            expected: BTreeSet::new(),
            uncertain: false,
            is_presumed: false,
        }
    }

    /// A row that is not there, and that an earlier call may have deleted.
    pub(super) fn presumed(found: (Record, Item)) -> Self {
        Self {
            is_presumed: true,
            ..Self::new(found)
        }
    }
}

impl Removal {
    pub(super) fn is_named(&self) -> bool {
        self.reason == RemovalReason::Named
    }

    pub(super) fn is_cascaded(&self) -> bool {
        self.reason == RemovalReason::Cascade
    }

    /// Why the row changes.
    pub(super) fn cause(&self) -> Cause {
        match self.reason {
            RemovalReason::Named => Cause::Caller(WriteKind::Delete),
            RemovalReason::Cascade => Cause::Cascade(self.cascade_path.clone()),
            RemovalReason::Derived => Cause::Derived,
            RemovalReason::Path => Cause::Path,
        }
    }

    /// The items that go by this.
    pub(super) fn addresses(&self, scope: &Scope) -> Result<Vec<Address>, Interrupt> {
        let link = self.link.as_ref().map(|(row, item)| (row, item));
        let rows = std::iter::once((&self.record, &self.item)).chain(link);
        rows.map(|(row, item)| address_of(scope, row, item))
            .collect()
    }
}

/// Everything that goes with these rows: what is referred to stands before what refers to it.
pub(super) async fn gather(
    reader: &Reader<'_>,
    roots: Vec<Removal>,
) -> Result<Vec<Removal>, Interrupt> {
    let mut seen = BTreeSet::new();
    for root in &roots {
        seen.insert(address_of(reader, &root.record, &root.item)?);
    }
    let mut all = Vec::new();
    let mut level = roots;
    let mut recounted = BTreeSet::new();
    level.sort_by_key(|removal| depth(reader, removal.record.entity, 0));
    while !level.is_empty() {
        let asked: Vec<_> = level
            .iter()
            .map(|removal| ReferrerQuery {
                row: &removal.record,
                inbound: inbound_references(reader, removal),
            })
            .collect();
        let found = find::referrers(reader, &asked).await?;
        drop(asked);
        let mut next = Vec::new();
        let mut links = Vec::new();
        for (removal, found) in level.iter_mut().zip(found) {
            removal.uncertain = found.uncertain;
            refuse_in_use(reader, removal, &found.referrers).await?;
            for referrer in found.referrers {
                match on_delete(reader, &referrer.inbound) {
                    OnDelete::Keep | OnDelete::Restrict => {}
                    OnDelete::Clear => removal.cleared.push(referrer),
                    OnDelete::Cascade => {
                        let address = address_of(reader, &referrer.record, &referrer.item)?;
                        if seen.insert(address) {
                            match referrer.inbound.owns.clone() {
                                Some(end) => links.push((referrer, end)),
                                None => next.push(below(removal, referrer)),
                            }
                        }
                    }
                }
            }
        }
        next.extend(owned(reader, links, &mut seen).await?);
        next.extend(leaves(reader, &mut level, &mut seen).await?);
        all.append(&mut level);
        if next.is_empty() {
            next = find_missed(reader, &mut all, &mut recounted, &mut seen).await?;
        }
        next.sort_by_key(|removal| depth(reader, removal.record.entity, 0));
        level = next;
    }
    refuse_moving(reader, &all, &seen).await?;
    Ok(all)
}

/// The leaves of the paths of rows that go, and derived rows whose keys do not follow from them.
async fn leaves(
    reader: &Reader<'_>,
    level: &mut [Removal],
    seen: &mut BTreeSet<Address>,
) -> Result<Vec<Removal>, Interrupt> {
    let mut leaves = Vec::new();
    for removal in level {
        let paths = reader.model().paths.iter();
        for path in paths.filter(|path| path.of == removal.record.entity) {
            match paths::find_leaf(reader, path, &removal.record).await? {
                FoundLeaf::Own(leaf, item) => {
                    if seen.insert(reader.row_address(&leaf)?) {
                        leaves.push(Removal {
                            reason: RemovalReason::Path,
                            ..Removal::new((leaf, item))
                        });
                    }
                }
                FoundLeaf::Missing(address, demand) => {
                    removal.missing_leaves.push((address, demand));
                }
                FoundLeaf::Nothing => {}
            }
        }
        for stored in derived::stored_with_referrers(reader, &removal.record).await? {
            if seen.insert(address_of(reader, &stored.0, &stored.1)?) {
                leaves.push(Removal {
                    reason: RemovalReason::Derived,
                    ..Removal::new(stored)
                });
            }
        }
        let derives = reader.model().derives.iter();
        for derive in derives.filter(|derive| derive.of == removal.record.entity) {
            if !derived::is_fresh(reader, derive) {
                continue;
            }
            for stored in derived::stored(reader, derive, &removal.record).await? {
                if seen.insert(address_of(reader, &stored.0, &stored.1)?) {
                    leaves.push(Removal {
                        reason: RemovalReason::Derived,
                        ..Removal::new(stored)
                    });
                }
            }
        }
    }
    Ok(leaves)
}

pub(super) fn below(above: &Removal, referrer: Referrer) -> Removal {
    let mut cascade_path = above.cascade_path.clone();
    cascade_path.push((referrer.inbound.attribute, above.record.entity));
    Removal {
        cascade_path,
        reason: RemovalReason::Cascade,
        ..Removal::new((referrer.record, referrer.item))
    }
}

/// Refuses to delete a row while rows refer to it that the model does not let go. A caller is told which only if it
/// may see such a row.
async fn refuse_in_use(
    reader: &Reader<'_>,
    removal: &Removal,
    referrers: &[Referrer],
) -> Result<(), Interrupt> {
    let mut is_used = false;
    let mut gate = Gate::new(reader);
    for referrer in referrers {
        if on_delete(reader, &referrer.inbound) != OnDelete::Restrict
            || !find::still_refers(reader, &removal.record, referrer).await?
        {
            continue;
        }
        if gate.sees([&referrer.record]).await? == [true] {
            let clash = Clash::InUse {
                by: reader.name(referrer.inbound.entity).to_owned(),
                attribute: referrer.inbound.attribute.clone(),
            };
            return Err(Error::conflict(reader.name(removal.record.entity), clash).into());
        }
        is_used = true;
    }
    if is_used {
        let clash = Clash::InUse {
            by: String::new(),
            attribute: String::new(),
        };
        return Err(Error::conflict(reader.name(removal.record.entity), clash).into());
    }
    Ok(())
}

/// The rows at the other ends of owning relations, with the relations that lead to them.
async fn owned(
    reader: &Reader<'_>,
    links: Vec<(Referrer, String)>,
    seen: &mut BTreeSet<Address>,
) -> Result<Vec<Removal>, Interrupt> {
    let mut addresses = Vec::new();
    for (link, end) in &links {
        let attribute = reader.entity(link.record.entity).attribute(end);
        let reference = attribute.and_then(|attribute| attribute.reference.as_ref());
        let id = link.record.values.get(end);
        let address = reference
            .zip(id)
            .and_then(|(reference, id)| reader.target_address(&link.record, reference.target, id));
        addresses.push(address);
    }
    let known: Vec<_> = addresses.iter().flatten().cloned().collect();
    let mut items = reader.get_many_or_none(&known).await?.into_iter();
    let mut removal = Vec::new();
    for ((link, _), address) in links.into_iter().zip(addresses) {
        let item = address.as_ref().and_then(|_| items.next().flatten());
        let row = address.zip(item).and_then(|(address, item)| {
            let row = reader.decode(address.table(), &item)?;
            seen.insert(address).then_some((row, item))
        });
        let link = (link.record, link.item);
        let (row, link) = match row {
            Some(row) => (row, Some(link)),
            None => (link, None),
        };
        removal.push(Removal {
            link,
            reason: RemovalReason::Cascade,
            ..Removal::new(row)
        });
    }
    Ok(removal)
}

pub(super) fn on_delete(scope: &Scope, inbound: &Inbound) -> OnDelete {
    let attribute = scope.entity(inbound.entity).attribute(&inbound.attribute);
    attribute
        .and_then(|attribute| attribute.reference.as_ref())
        .map_or(OnDelete::Keep, |reference| reference.on_delete)
}

/// How many cascading references lead from an entity: rows that refer go before those they refer to.
fn depth(scope: &Scope, entity: EntityId, steps: usize) -> usize {
    if steps > 16 {
        return steps;
    }
    let cascades = references(scope.entity(entity))
        .filter(|(_, reference)| reference.on_delete == OnDelete::Cascade)
        .map(|(_, reference)| 1 + depth(scope, reference.target, steps + 1));
    cascades.max().unwrap_or(0)
}

/// The references to a row that have to be followed: not those whose rows are gathered already, because they refer to
/// what the row goes because of as well.
pub(super) fn inbound_references(scope: &Scope, removal: &Removal) -> Vec<Inbound> {
    let entity = removal.record.entity;
    let inbound = scope.profile(entity).inbound.iter();
    inbound
        .filter(|inbound| on_delete(scope, inbound) != OnDelete::Keep)
        .filter(|inbound| {
            !removal
                .cascade_path
                .iter()
                .any(|(attribute, root)| covered(scope, entity, inbound, attribute, *root))
        })
        .cloned()
        .collect()
}

/// Whether every row that refers to an entity by `inbound` also refers to the same `root` by `attribute`.
fn covered(
    scope: &Scope,
    entity: EntityId,
    inbound: &Inbound,
    attribute: &str,
    root: EntityId,
) -> bool {
    let referrer = scope.entity(inbound.entity);
    let reference = referrer
        .attribute(&inbound.attribute)
        .and_then(|attribute| attribute.reference.as_ref());
    let same = reference.is_some_and(|reference| {
        let said = reference
            .same
            .as_ref()
            .is_some_and(|same| same.value == attribute);
        said || scope.entity(entity).key_attributes().contains(&attribute)
    });
    // The root itself: it goes anyway.
    if inbound.entity == root && same && scope.entity(root).id.as_deref() == Some(attribute) {
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

pub(super) fn address_of(scope: &Scope, row: &Record, item: &Item) -> Result<Address, Interrupt> {
    let table = scope.entity(row.entity).table;
    scope
        .addressing()
        .locate_item(table, item)
        .ok_or_else(|| Error::integrity("an item without its key was read").into())
}
