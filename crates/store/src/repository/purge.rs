//! Everything of an owner, deleted.
//!
//! No query lists the partitions of an owner. They are found from row to row: the partitions that the model's isolation
//! gives to the owner as a whole, then those that their rows name, by their attributes or by a text that is a partition
//! of the owner. What was found last is deleted first: a purge that breaks off still finds the rest.

use super::intent::delete_all;
use crate::error::{Error, Failure};
use crate::isolation::Partitions;
use crate::session::{Interrupt, PartitionRange, Session};
use crate::value;
use crate::write::render_known_prefix;
use monotable_item::{AttributeValue, EncodedItem, Item};
use monotable_model::model::TableId;
use serde::Serialize;
use std::collections::BTreeSet;

/// What a purge deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PurgeReport {
    /// Partitions.
    pub partitions: u64,
    /// Items.
    pub items: u64,
}

/// How often it looks whether others have written meanwhile.
const ROUNDS: usize = 8;

/// Deletes every item in the owner's partitions.
pub(crate) async fn purge(session: &Session, owner: &Item) -> Result<PurgeReport, Interrupt> {
    if session.guarded {
        let entity = "everything of an owner".to_owned();
        let action = "purge";
        return Err(Failure::Forbidden { entity, action }.into());
    }
    let own = partitions(session, owner)?;
    let mut purged = PurgeReport::default();
    for _ in 0..ROUNDS {
        let found = gather(session, &own).await?;
        if found.is_empty() {
            return Ok(purged);
        }
        for (table, items) in found.iter().rev() {
            delete_all(session, *table, items).await?;
            purged.partitions += 1;
            purged.items += items.len() as u64;
        }
        if session.pretend {
            return Ok(purged);
        }
    }
    let message = "others keep writing for this owner; stop them and purge again";
    Err(Error::usage(message).into())
}

/// The partitions that are the owner's.
fn partitions(session: &Session, owner: &Item) -> Result<Partitions, Error> {
    let model = session.model();
    let Some(isolation) = &model.isolation else {
        let message = "the model does not say what is an owner's: it has no `[isolation]`";
        return Err(Error::usage(message));
    };
    for (name, value) in owner.iter() {
        let mut known = model.principal.iter();
        let attribute = known.find(|attribute| attribute.name.value == *name);
        let fits = attribute
            .is_some_and(|attribute| value::accept(&attribute.kind, value.clone()).is_ok());
        if !fits {
            let message = format!("`{name}` is no attribute of a principal, or not such a value");
            return Err(Error::usage(message));
        }
    }
    let around = session.around.as_principal(owner.clone());
    let own = Partitions::of(model, isolation, &around);
    let told = own.whole().next().is_some();
    match told {
        true => Ok(own),
        false => Err(Error::usage(
            "the owner is not told by this: give the attributes of the principal that `[isolation]` shows",
        )),
    }
}

/// The items of every partition of the owner, in the order in which the partitions were found.
async fn gather(
    session: &Session,
    own: &Partitions,
) -> Result<Vec<(TableId, Vec<EncodedItem>)>, Interrupt> {
    let tables: BTreeSet<TableId> = session
        .model()
        .stored()
        .map(|(_, entity)| entity.table)
        .collect();
    let mut seen: BTreeSet<(TableId, String)> = BTreeSet::new();
    let mut open: Vec<(TableId, String)> = Vec::new();
    for hash in own.whole() {
        open.extend(tables.iter().map(|table| (*table, hash.clone())));
    }
    let mut found = Vec::new();
    while !open.is_empty() {
        open.retain(|partition| seen.insert(partition.clone()));
        let rows: Vec<_> = open
            .iter()
            .map(|(table, hash)| PartitionRange {
                table: *table,
                index: None,
                hash: hash.clone(),
                prefix: String::new(),
            })
            .collect();
        let answers = session.all_encoded(&rows).await?;
        let mut next = Vec::new();
        for ((table, _), items) in open.into_iter().zip(answers) {
            for item in &items {
                next.extend(named(session, own, table, item));
            }
            if !items.is_empty() {
                found.push((table, items));
            }
        }
        open = next;
    }
    Ok(found)
}

/// The partitions of the owner that a row names.
fn named(
    session: &Session,
    own: &Partitions,
    table: TableId,
    item: &EncodedItem,
) -> Vec<(TableId, String)> {
    let Some(record) = session.decode_view(table, item.view()) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (_, entity) in session.model().stored() {
        let Some(key) = entity.primary() else {
            continue;
        };
        if let (hash, true) = render_known_prefix(session, &key.hash, &record.values) {
            let prefix = if key.global { "" } else { &session.prefix };
            found.push((entity.table, format!("{prefix}{hash}")));
        }
    }
    for (_, value) in record.values.iter() {
        if let AttributeValue::S(text) = value {
            found.push((table, text.clone()));
        }
    }
    found.retain(|(_, hash)| own.allow(hash));
    found
}
