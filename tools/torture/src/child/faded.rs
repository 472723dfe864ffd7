//! Whether nothing has gone by itself but what has expired.

use super::indexes::scan;
use crate::fading::{self, EXPIRES, FADING, TOLD};
use monotable_api::{Error, ScanInput, UpdateTimeToLiveInput};
use monotable_engine::Engine;
use monotable_item::{EncodedItem, Item};
use std::collections::BTreeMap;

/// Lets nothing expire from here on, so that the table holds still while it is looked at.
pub(super) fn stop_expiry(engine: &Engine) -> Result<(), Error> {
    let disable = UpdateTimeToLiveInput::disable(FADING, EXPIRES);
    match engine.update_time_to_live(disable) {
        // It is off, or there is no table.
        Ok(_)
        | Err(Error::ValidationException { .. } | Error::ResourceNotFoundException { .. }) => {}
        Err(error) => return Err(error),
    }
    // Steps are made one after another, so the one that may have begun before has ended.
    engine.background_step()
}

/// What is wrong with the items that are there, and how many have gone.
pub(super) fn compare(engine: &Engine) -> Result<(Vec<String>, u64), Error> {
    let (told, there) = match (read(engine, TOLD), read(engine, FADING)) {
        (Ok(told), Ok(there)) => (told, there),
        // The tables are made one after the other.
        (Err(Error::ResourceNotFoundException { .. }), Ok(there)) => (BTreeMap::new(), there),
        (_, Err(Error::ResourceNotFoundException { .. })) => return Ok((Vec::new(), 0)),
        (Err(error), _) | (_, Err(error)) => return Err(error),
    };
    let now = fading::now_seconds();
    let mut problems = Vec::new();
    let mut gone = 0;
    for (key, told) in &told {
        match there.get(key) {
            Some(item) if item == told => {}
            Some(item) => problems.push(format!("{FADING}: {item:?} was written as {told:?}")),
            None if fading::may_be_gone(told, now) => gone += 1,
            None => problems.push(format!("{FADING}: {told:?} is gone and had not expired")),
        }
    }
    let strangers = there.iter().filter(|(key, _)| !told.contains_key(*key));
    problems.extend(strangers.map(|(_, item)| format!("{FADING}: nobody wrote {item:?}")));
    Ok((problems, gone))
}

fn read(engine: &Engine, table: &str) -> Result<BTreeMap<Vec<u8>, Item>, Error> {
    let items = scan(engine, ScanInput::new(table).consistent())?;
    let keyed = items.into_iter().map(|item| {
        let key: Item = item
            .get("pk")
            .map(|pk| ("pk".to_owned(), pk.clone()))
            .into_iter()
            .collect();
        (EncodedItem::from(&key).as_bytes().to_vec(), item)
    });
    Ok(keyed.collect())
}
