//! The thread that writes items that go by themselves.

use super::refused::{Stopped, unless_refused};
use crate::fading::{self, EXPIRES, Expiry, FADING, ITEMS};
use crate::planted::Bug;
use crate::version::Stamp;
use monotable_api::{
    Chosen, DeleteItemInput, StreamSpecification, StreamViewType, TransactWriteItemsInput,
    UpdateTableInput, UpdateTimeToLiveInput,
};
use monotable_engine::Engine;
use monotable_item::Item;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Writes until the writers end, or the store refuses.
pub(super) fn run(engine: &Engine, seed: u64, stamp: Stamp, ended: &AtomicBool) {
    let mut fader = Fader {
        engine,
        dice: fastrand::Rng::with_seed(seed),
        stamp,
    };
    let Ok(()) = fader.prepare() else {
        return;
    };
    while !ended.load(Ordering::Relaxed) {
        if fader.act().is_err() {
            return;
        }
        thread::sleep(Duration::from_millis(fader.dice.u64(0..4)));
    }
}

struct Fader<'a> {
    engine: &'a Engine,
    dice: fastrand::Rng,
    stamp: Stamp,
}

impl Fader<'_> {
    fn prepare(&mut self) -> Result<(), Stopped> {
        for table in fading::creations() {
            unless_refused(self.engine.create_table(table))?;
        }
        self.switch(true)
    }

    fn switch(&self, on: bool) -> Result<(), Stopped> {
        let update = if on {
            UpdateTimeToLiveInput::enable(FADING, EXPIRES)
        } else {
            UpdateTimeToLiveInput::disable(FADING, EXPIRES)
        };
        unless_refused(self.engine.update_time_to_live(update)).map(drop)
    }

    fn act(&mut self) -> Result<(), Stopped> {
        match self.dice.u8(0..40) {
            0 => self.switch(false),
            1 | 2 => self.switch(true),
            3 => self.misbehave(),
            _ => {
                let expiry = self.dice.choice(Expiry::ALL).unwrap_or(Expiry::Far);
                self.put(expiry).map(drop)
            }
        }
    }

    fn put(&mut self, expiry: Expiry) -> Result<Item, Stopped> {
        self.stamp.sequence += 1;
        let item = fading::item(self.dice.u64(0..ITEMS), self.stamp, expiry);
        let writes = TransactWriteItemsInput::new(fading::writes(&item));
        unless_refused(self.engine.transact_write_items(writes))?;
        Ok(item)
    }

    /// What a planted bug would do.
    fn misbehave(&mut self) -> Result<(), Stopped> {
        match Bug::of_this_process() {
            Some(Bug::ExpiryOfALivingItem) => {
                let item = self.put(Expiry::Far)?;
                let key = item.iter().filter(|(name, _)| *name == "pk");
                let key: Item = key
                    .map(|(name, value)| (name.clone(), value.clone()))
                    .collect();
                let delete = DeleteItemInput::new(FADING, key);
                unless_refused(self.engine.delete_item(delete)).map(drop)
            }
            Some(Bug::ChangeOutsideTheStream) => {
                self.stream(None)?;
                self.put(Expiry::Far)?;
                self.stream(Some(StreamViewType::NewAndOldImages))
            }
            _ => Ok(()),
        }
    }

    fn stream(&self, shown: Option<StreamViewType>) -> Result<(), Stopped> {
        let update = UpdateTableInput {
            table_name: Some(FADING.to_owned()),
            stream_specification: Some(StreamSpecification {
                stream_enabled: Some(shown.is_some()),
                stream_view_type: shown.map(Chosen::Known),
            }),
            ..UpdateTableInput::default()
        };
        unless_refused(self.engine.update_table(update)).map(drop)
    }
}
