//! Reads of one item.

use crate::contest::{Contest, look_at};
use crate::dataset::TABLE;
use crate::failure::Failure;
use crate::pair::Pair;
use crate::row_key;
use bytes::Bytes;
use monotable_api::GetItemInput;
use monotable_engine::Engine;
use std::hint::black_box;

/// GetItem of a random item, against a snapshot and a get of its row.
pub(crate) struct Get<'a>(pub(crate) &'a Pair);

impl Contest for Get<'_> {
    type EngineRequest = GetItemInput;
    type RawRequest = Bytes;

    fn prepare(&self, random: &mut fastrand::Rng) -> Result<(GetItemInput, Bytes), Failure> {
        let key = self.0.dataset.random(random).key();
        let row = row_key::item(self.0.raw.table(), key.view())?;
        Ok((GetItemInput::new(TABLE, key), row))
    }

    fn engine(&self, request: GetItemInput) -> Result<(), Failure> {
        get(&self.0.engine, request)
    }

    fn raw(&self, key: Bytes) -> Result<(), Failure> {
        match black_box(self.0.raw.get(&key)?) {
            Some(value) => {
                look_at(&value);
                Ok(())
            }
            None => Err("the raw store does not find an item".into()),
        }
    }
}

/// Reads an item and looks at it.
pub(crate) fn get(engine: &Engine, request: GetItemInput) -> Result<(), Failure> {
    match black_box(engine.get_item(request)?).item {
        Some(item) => {
            look_at(item.as_bytes());
            Ok(())
        }
        None => Err("the engine does not find an item".into()),
    }
}
