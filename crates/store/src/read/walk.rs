//! Walks along relations, from row to row until there is nothing new. The row it begins with comes first.

use super::{Omitted, StoredRow, visible};
use crate::allowed::Allowed;
use crate::error::Error;
use crate::find::{ReferrerQuery, referrers};
use crate::interrupt::Interrupt;
use crate::profile::Inbound;
use crate::reader::Reader;
use crate::record::Conditions;
use monotable_item::{EncodedItem, Item};
use monotable_model::plan::{Link, ReadPlan, WalkStep};
use std::collections::BTreeSet;

/// The rows that a walk meets, in the order of its steps.
pub(super) async fn walk(
    reader: &Reader<'_>,
    plan: &ReadPlan,
    walk: &WalkStep,
    given: &Item,
    omitted: &mut Omitted,
) -> Result<Vec<Allowed<StoredRow>>, Interrupt> {
    let address = reader.address(walk.start, given)?;
    let Some(item) = reader.get(&address, true).await? else {
        return Err(Error::not_found(
            reader.name(walk.start),
            reader.mention(walk.start, &address),
        )
        .into());
    };
    let record = reader.decode_view(address.table(), item.view());
    let mut level: Vec<StoredRow> = record
        .map(|record| StoredRow { record, item })
        .into_iter()
        .collect();
    let mut seen = BTreeSet::from([address]);
    let mut all = Vec::new();
    while !level.is_empty() {
        let next = step(reader, &walk.links, &level, &mut seen).await?;
        all.append(&mut level);
        level = next;
    }
    all.retain(|found| plan.keep.entities.contains(&found.record.entity));
    visible::see_alive(reader, all, omitted).await
}

/// The rows one step further.
async fn step(
    reader: &Reader<'_>,
    links: &[Link],
    level: &[StoredRow],
    seen: &mut BTreeSet<crate::address::Address>,
) -> Result<Vec<StoredRow>, Interrupt> {
    let mut addresses = Vec::new();
    for link in links {
        let inbound = Inbound {
            entity: link.back.entity,
            attribute: link.back.attribute.clone(),
            owns: None,
        };
        let asked: Vec<_> = level
            .iter()
            .map(|found| ReferrerQuery {
                row: &found.record,
                inbound: vec![inbound.clone()],
            })
            .collect();
        let entity = reader.entity(link.back.entity);
        for found in referrers(reader, &asked).await? {
            for linking in found.referrers {
                let values = &linking.record.values;
                let conditions = Conditions::new(reader.model(), values, &reader.circumstances);
                let counts = link
                    .filter
                    .as_ref()
                    .is_none_or(|filter| conditions.holds(entity, filter) == Some(true));
                let id = values.get(&link.end);
                let address =
                    id.and_then(|id| reader.route_address(&linking.record, &link.next, id));
                if let (true, Some(address)) = (counts, address)
                    && seen.insert(address.clone())
                {
                    addresses.push(address);
                }
            }
        }
    }
    let items = reader.get_many_or_none(&addresses).await?;
    let rows = addresses.iter().zip(items).filter_map(|(address, item)| {
        let item = item?;
        let record = reader.decode(address.table(), &item)?;
        let item = EncodedItem::from(item);
        Some(StoredRow { record, item })
    });
    Ok(rows.collect())
}
