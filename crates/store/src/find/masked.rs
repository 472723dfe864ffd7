//! Rows that callers name by the mask of a secret.
//!
//! A secret in a key is shown whole once, in the answer to the create. Whoever lists such rows afterwards sees masks, so a
//! mask names a row too, where an index has it: that is how an API key is revoked whose text nobody kept.

use super::Finder;
use super::elsewhere::{find_elsewhere, has_other_spelling, may_stand_elsewhere};
use crate::address::Address;
use crate::caller::is_of_tenant;
use crate::draft::Draft;
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::record;
use crate::scope::Scope;
use crate::secret;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{EntityId, Format, Part};
use monotable_model::plan::{KeyText, uses};

/// Where the row stands that a caller names by its key, or by a key with a mask in the place of a secret.
pub(crate) async fn place_of_key(
    reader: &Reader<'_>,
    entity: EntityId,
    key: &Item,
) -> Result<Address, Interrupt> {
    match masked_name(reader, entity, key) {
        Some(name) => Box::pin(place_of_mask(reader, entity, key, name)).await,
        None => Ok(reader.address(entity, key)?),
    }
}

/// Where the row really stands that a caller is going to write: rows of old layouts, and rows with times in other spellings,
/// are not where the model would put them. In a store without such rows nothing is read.
pub(crate) async fn stored_place_of_key(
    reader: &Reader<'_>,
    draft: &Draft,
    entity: EntityId,
    key: &Item,
) -> Result<Address, Interrupt> {
    let address = place_of_key(reader, entity, key).await?;
    let is_respelled = has_other_spelling(reader, entity, key);
    if !is_respelled && !may_stand_elsewhere(reader, entity).await?
        || reader.stored(draft, &address).await?.is_some()
    {
        return Ok(address);
    }
    let found = find_elsewhere(reader, entity, key).await?;
    let found = found.filter(|found| !draft.deletes(&found.address));
    Ok(found.map_or(address, |found| found.address))
}

/// Where the row of a place really stands.
pub(crate) async fn stored_place(
    reader: &Reader<'_>,
    draft: &Draft,
    entity: EntityId,
    address: Address,
) -> Result<Address, Interrupt> {
    if !may_stand_elsewhere(reader, entity).await?
        || draft.decides(&address)
        || reader.stored(draft, &address).await?.is_some()
    {
        return Ok(address);
    }
    let key = address.key(reader.model());
    let key = record::read_key(
        reader.compiled(),
        entity,
        reader.addressing().prefix(),
        &key,
    );
    let found = find_elsewhere(reader, entity, &key.values).await?;
    Ok(found.map_or(address, |found| found.address))
}

/// The secret of the key for which a mask is given.
fn masked_name<'s>(scope: &'s Scope, entity: EntityId, key: &Item) -> Option<&'s str> {
    let profile = scope.profile(entity);
    if !profile.has_secret_key {
        return None;
    }
    let declared = scope.entity(entity);
    let is_mask = |name: &&str| {
        let secret = declared.attribute(name).and_then(|known| known.secret);
        let mask = secret.and_then(|secret| secret.mask);
        // Stars are what a mask has and what no generated secret has.
        key.get(name).is_some_and(|given| {
            mask.is_some()
                && secret::masked(given, mask).as_ref() == Some(given)
                && matches!(given, AttributeValue::S(text) if text.contains('*'))
        })
    };
    let mut names = profile.key.iter().map(String::as_str);
    names.find(is_mask)
}

/// Where the one row of the tenant stands that has this mask. Two secrets may have one mask: then neither is meant.
async fn place_of_mask(
    reader: &Reader<'_>,
    entity: EntityId,
    key: &Item,
    name: &str,
) -> Result<Address, Interrupt> {
    let declared = reader.entity(entity);
    let table = declared.table;
    let shows_mask = |key: &&KeyText| {
        let parts = [
            key.partition.as_slice(),
            key.sort.as_deref().unwrap_or_default(),
        ];
        key.at.index().is_some() && parts.iter().any(|parts| shows_masked(parts, name))
    };
    let index = reader.plans().entity(entity).keys.iter().find(shows_mask);
    let finder = index.and_then(|index| reader.addressing().find(index, key));
    let Some(Finder::Range(rows)) = finder else {
        return Ok(reader.address(entity, key)?);
    };
    let mut found = Vec::new();
    for item in reader.all(&[rows]).await?.into_iter().flatten() {
        let record = reader.decode(table, &item);
        let own = record.filter(|record| {
            let mask = declared.attribute(name).and_then(|known| known.secret);
            let value = record.values.get(name);
            let shown = value.and_then(|value| secret::masked(value, mask?.mask));
            record.entity == entity
                && shown.as_ref() == key.get(name)
                && is_of_tenant(reader, entity, &record.values)
        });
        found.extend(own.and_then(|_| reader.addressing().locate_item(table, &item)));
    }
    let mut found = found.into_iter();
    match (found.next(), found.next()) {
        (Some(address), None) => Ok(address),
        (None, _) => {
            let address = reader.address(entity, key)?;
            let mention = reader.mention(entity, &address);
            Err(Error::not_found(reader.name(entity), mention).into())
        }
        (Some(_), Some(_)) => {
            let entity = reader.name(entity);
            let message = format!(
                "several rows of {entity} have this mask of `{name}`; name the one that is meant by `{name}` itself"
            );
            Err(Error::integrity(message).into())
        }
    }
}

fn shows_masked(parts: &[Part], name: &str) -> bool {
    let is_mask = |part: &Part| match part {
        Part::Field(field) => {
            let mut formats = field.formats.iter();
            formats.any(|format| matches!(format.value, Format::Mask { .. }))
        }
        Part::Literal(_) => false,
    };
    uses(parts, name) && parts.iter().any(is_mask)
}
