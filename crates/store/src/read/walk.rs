//! Walks along relations, from row to row until there is nothing new. The row it begins with comes first.

use super::{Omitted, StoredRow, visible};
use crate::allowed::Allowed;
use crate::error::Error;
use crate::find::{ReferrerQuery, referrers};
use crate::interrupt::Interrupt;
use crate::profile::Inbound;
use crate::reader::Reader;
use crate::record::Conditions;
use crate::scope::Scope;
use monotable_item::{EncodedItem, Item};
use monotable_model::model::{Access, EntityId, Walk};
use std::collections::BTreeSet;

/// The rows that a walk meets, in the order of its steps.
pub(super) async fn walk(
    reader: &Reader<'_>,
    access: &Access,
    walks: &[Walk],
    given: &Item,
    omitted: &mut Omitted,
) -> Result<Vec<Allowed<StoredRow>>, Interrupt> {
    let Some(start) = walks.first().and_then(|walk| origin(reader, walk)) else {
        return Ok(Vec::new());
    };
    let address = reader.address(start.1, given)?;
    let Some(item) = reader.get(&address, true).await? else {
        return Err(
            Error::not_found(reader.name(start.1), reader.mention(start.1, &address)).into(),
        );
    };
    let record = reader.decode_view(address.table(), item.view());
    let mut level: Vec<StoredRow> = record
        .map(|record| StoredRow { record, item })
        .into_iter()
        .collect();
    let mut seen = BTreeSet::from([address]);
    let mut all = Vec::new();
    while !level.is_empty() {
        let next = step(reader, walks, &level, &mut seen).await?;
        all.append(&mut level);
        level = next;
    }
    all.retain(|found| access.returns.contains(&found.record.entity));
    visible::see_alive(reader, all, omitted).await
}

/// The reference that a walk comes by, and the entity it comes from.
fn origin(scope: &Scope, walk: &Walk) -> Option<(String, EntityId)> {
    let entity = scope.entity(walk.entity);
    let name = match &entity.relation {
        Some(relation) if relation.to.value == walk.end.value => relation.from.value.clone(),
        Some(relation) => relation.to.value.clone(),
        // Without a relation: the other reference of the row.
        None => {
            let mut others = entity.attributes.iter().filter(|attribute| {
                attribute.reference.is_some() && attribute.name.value != walk.end.value
            });
            others.next()?.name.value.clone()
        }
    };
    let target = entity.attribute(&name)?.reference.as_ref()?.target;
    Some((name, target))
}

/// The rows one step further.
async fn step(
    reader: &Reader<'_>,
    walks: &[Walk],
    level: &[StoredRow],
    seen: &mut BTreeSet<crate::address::Address>,
) -> Result<Vec<StoredRow>, Interrupt> {
    let mut addresses = Vec::new();
    for walk in walks {
        let Some((attribute, _)) = origin(reader, walk) else {
            continue;
        };
        let inbound = Inbound {
            entity: walk.entity,
            attribute,
            owns: None,
        };
        let asked: Vec<_> = level
            .iter()
            .map(|found| ReferrerQuery {
                row: &found.record,
                inbound: vec![inbound.clone()],
            })
            .collect();
        let entity = reader.entity(walk.entity);
        let end = entity.attribute(&walk.end.value);
        let target = end
            .and_then(|end| end.reference.as_ref())
            .map(|end| end.target);
        for found in referrers(reader, &asked).await? {
            for link in found.referrers {
                let conditions =
                    Conditions::new(reader.model(), &link.record.values, &reader.circumstances);
                let counts = walk
                    .filter
                    .as_ref()
                    .is_none_or(|filter| conditions.holds(entity, filter) == Some(true));
                let id = link.record.values.get(&walk.end.value);
                let address = target
                    .zip(id)
                    .and_then(|(target, id)| reader.target_address(&link.record, target, id));
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
