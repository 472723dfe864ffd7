//! Writes of one item at a time, without a sync: what is left is the way there and back.

use crate::contest::Contest;
use crate::dataset::{Order, TABLE};
use crate::failure::Failure;
use crate::pair::Pair;
use crate::raw_committer::RawWriter;
use crate::raw_store::Row;
use monotable_api::PutItemInput;

/// PutItem over a loaded item, against the raw group commit of its row.
pub(crate) struct SinglePut<'a> {
    pub(crate) pair: &'a Pair,
    pub(crate) writer: RawWriter<1>,
}

impl Contest for SinglePut<'_> {
    type EngineRequest = PutItemInput;
    type RawRequest = [Row; 1];

    fn prepare(&self, random: &mut fastrand::Rng) -> Result<(PutItemInput, [Row; 1]), Failure> {
        let dataset = self.pair.dataset;
        let order = dataset.random(random);
        let item = dataset.item(Order {
            revision: random.u64(1..1_000),
            ..order
        });
        let row = self.pair.raw.row(&item)?;
        Ok((PutItemInput::new(TABLE, item), [row]))
    }

    fn engine(&self, request: PutItemInput) -> Result<(), Failure> {
        self.pair.engine.put_item(request)?;
        Ok(())
    }

    fn raw(&self, rows: [Row; 1]) -> Result<(), Failure> {
        self.writer.write(rows)
    }
}
