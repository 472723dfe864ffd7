//! Rights to the rows that go, or lose a reference, because another row is deleted, and the checks of their deletes.

use super::super::collection::partitions;
use super::gather::{Removal, gather};
use crate::address::PartitionRange;
use crate::change::{ItemChange, StoredRow};
use crate::draft::Draft;
use crate::find::Referrer;
use crate::interrupt::Interrupt;
use crate::pipeline;
use crate::reader::Reader;
use crate::record::Record;
use crate::rights::{Gate, Question, Right, decided_by};
use crate::scope::Scope;
use monotable_model::model::{EntityId, OnDelete};
use std::collections::BTreeSet;

/// Refuses a delete that takes a row along which the caller may not delete, or changes one which it may not change, or
/// whose own checks forbid its delete.
///
/// Rows that follow from others (leaves of paths, derived rows) are not asked: what they follow from was.
pub(super) async fn admit_cascade(
    reader: &Reader<'_>,
    draft: &Draft,
    removal: &mut [Removal],
) -> Result<(), Interrupt> {
    admit_rights(reader, draft, removal).await?;
    for removal in removal.iter_mut().filter(|removal| removal.is_cascaded()) {
        let stored = StoredRow::locate(reader, removal.record.clone(), removal.item.clone())?;
        let change = ItemChange::new(removal.cause(), Some(stored), None);
        let names = pipeline::judge_removal(reader, &change).await?;
        removal.expected.extend(names);
    }
    Ok(())
}

/// Whether a delete of a row of this entity may be refused because of the rows that go with it.
pub(super) fn may_be_refused(scope: &Scope, entity: EntityId) -> bool {
    if scope.asks_rights() {
        return true;
    }
    let mut seen = BTreeSet::from([entity]);
    let mut open = vec![entity];
    while let Some(above) = open.pop() {
        for inbound in &scope.profile(above).inbound {
            let below = scope.entity(inbound.entity).attribute(&inbound.attribute);
            let reference = below.and_then(|attribute| attribute.reference.as_ref());
            let goes_too = reference.is_some_and(|known| known.on_delete == OnDelete::Cascade);
            if goes_too && seen.insert(inbound.entity) {
                open.push(inbound.entity);
            }
        }
    }
    seen.remove(&entity);
    let mut checks = scope.model().checks.iter();
    checks.any(|check| check.on.delete && seen.contains(&check.of))
}

async fn admit_rights(
    reader: &Reader<'_>,
    draft: &Draft,
    removal: &mut [Removal],
) -> Result<(), Interrupt> {
    if !reader.asks_rights() {
        return Ok(());
    }
    let cleared = removal.iter().flat_map(|removal| &removal.cleared);
    let cleared: Vec<(&Record, Record)> = cleared
        .map(|referrer| (&referrer.record, without_reference(referrer)))
        .collect();
    let changed = cleared.iter().map(|(old, new)| Question {
        right: Right::Cascade,
        old: Some(*old),
        new: Some(new),
    });
    let owned = owned_by_named(reader, removal)?;
    let is_asked = |removal: &Removal| removal.is_cascaded() && !owned.hold(reader, removal);
    let removed = removal.iter().filter(|removal| is_asked(removal));
    let removed = removed.flat_map(|removal| {
        let link = removal.link.iter().map(|(row, _)| row);
        std::iter::once(&removal.record).chain(link)
    });
    let removed = removed.map(|row| Question {
        right: Right::Cascade,
        ..Question::delete(row)
    });
    let questions: Vec<_> = removed.chain(changed).collect();
    let mut gate = Gate::new(reader);
    gate.admit_all(draft, &questions).await?;
    for removal in removal.iter_mut().filter(|removal| is_asked(removal)) {
        let names = decided_by(reader, removal.record.entity, Right::Cascade, false);
        removal.expected.extend(names);
    }
    Ok(())
}

/// Where rows stand that the rows own which the caller names. Who may delete the owner may delete what lives with it.
struct Owned(Vec<PartitionRange>);

impl Owned {
    fn hold(&self, scope: &Scope, removal: &Removal) -> bool {
        let table = scope.entity(removal.record.entity).table;
        let address = scope.addressing().locate_item(table, &removal.item);
        address.is_some_and(|address| self.0.iter().any(|rows| rows.holds(&address)))
    }
}

fn owned_by_named(scope: &Scope, removal: &[Removal]) -> Result<Owned, Interrupt> {
    let mut all = Vec::new();
    for removal in removal.iter().filter(|removal| removal.is_named()) {
        all.extend(partitions(scope, &removal.record)?);
    }
    Ok(Owned(all))
}

/// Refuses the delete of these rows if the caller may not delete what goes with them.
pub(in crate::write) async fn admit_removal_of(
    reader: &Reader<'_>,
    rows: Vec<Removal>,
) -> Result<(), Interrupt> {
    let mut removal = gather(reader, rows).await?;
    admit_cascade(reader, &Draft::default(), &mut removal).await
}

/// A row that stays, without its reference to the row that goes.
fn without_reference(referrer: &Referrer) -> Record {
    let mut row = referrer.record.clone();
    row.values.remove(&referrer.inbound.attribute);
    row
}
