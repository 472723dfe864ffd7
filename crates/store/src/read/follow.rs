//! Rows that come along: those that references of the rows name.

use super::{Omitted, StoredRow, visible};
use crate::address::Address;
use crate::allowed::Allowed;
use crate::find::by_ids;
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::record::Record;
use crate::record::reference_values;
use monotable_item::{AttributeValue, EncodedItem};
use monotable_model::model::EntityId;
use monotable_model::plan::ReadPlan;
use std::collections::BTreeSet;

/// The rows that came along, each once, and what was named and not there.
#[derive(Debug, Default)]
pub(super) struct Followed {
    pub(super) rows: Vec<Allowed<StoredRow>>,
    pub(super) dangling: Vec<String>,
}

/// Reads the rows that the pattern's `follow` names.
pub(super) async fn follow(
    reader: &Reader<'_>,
    plan: &ReadPlan,
    rows: &[Allowed<StoredRow>],
    consistent: bool,
    omitted: &mut Omitted,
) -> Result<Followed, Interrupt> {
    let mut placed: Vec<(EntityId, Address)> = Vec::new();
    let mut unplaced: Vec<(EntityId, &Record, AttributeValue)> = Vec::new();
    for follow in &plan.follow {
        for found in rows {
            let entity = reader.entity(found.record.entity);
            let Some(attribute) = entity.attribute(&follow.attribute) else {
                continue;
            };
            let mut references = follow.references.iter();
            let Some(reference) = references.find(|one| one.source == found.record.entity) else {
                continue;
            };
            let target = reference.to.entity;
            for id in reference_values(attribute, &found.record) {
                match reader.route_address(&found.record, &reference.to, &id) {
                    Some(address) if !placed.iter().any(|(_, known)| *known == address) => {
                        placed.push((target, address));
                    }
                    Some(_) => {}
                    None if !unplaced
                        .iter()
                        .any(|(other, _, known)| *other == target && *known == id) =>
                    {
                        unplaced.push((target, &found.record, id));
                    }
                    None => {}
                }
            }
        }
    }
    let mut followed = Followed::default();
    let mut found = Vec::new();
    let addresses: Vec<_> = placed.iter().map(|(_, address)| address.clone()).collect();
    let items = match addresses.as_slice() {
        [] => Vec::new(),
        addresses => reader.get_many(addresses, consistent).await?,
    };
    for ((entity, address), item) in placed.into_iter().zip(items) {
        let row =
            item.and_then(|item| Some((reader.decode_view(address.table(), item.view())?, item)));
        match row {
            Some((record, item)) => found.push(StoredRow { record, item }),
            None => followed
                .dangling
                .push(format!("{} {address}", reader.name(entity))),
        }
    }
    followed_by_index(reader, unplaced, &mut found, &mut followed.dangling).await?;
    followed.rows = visible::see_alive(reader, found, omitted).await?;
    Ok(followed)
}

/// Rows whose key the reference does not tell: looked up by index, all at once.
async fn followed_by_index(
    reader: &Reader<'_>,
    unplaced: Vec<(EntityId, &Record, AttributeValue)>,
    followed: &mut Vec<StoredRow>,
    dangling: &mut Vec<String>,
) -> Result<(), Interrupt> {
    let targets: BTreeSet<EntityId> = unplaced.iter().map(|(target, ..)| *target).collect();
    for target in targets {
        let wanted: Vec<_> = unplaced.iter().filter(|(own, ..)| *own == target).collect();
        let ids: Vec<_> = wanted.iter().map(|(_, _, id)| id.clone()).collect();
        let beside = wanted.first().map(|(_, row, _)| &row.values);
        let Some(beside) = beside else { continue };
        let found = by_ids(reader, target, beside, &ids).await?;
        for (id, rows) in ids.into_iter().zip(found) {
            match rows.into_iter().next() {
                Some(record) => {
                    let item = EncodedItem::from(reader.encode(&record)?);
                    followed.push(StoredRow { record, item });
                }
                None => {
                    let id = crate::value::show(&id);
                    let id = match id {
                        Some(monotable_model::compiled::Shown::One(id)) => id,
                        _ => String::new(),
                    };
                    dangling.push(format!("{} {id}", reader.name(target)));
                }
            }
        }
    }
    Ok(())
}
