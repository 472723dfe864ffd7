//! The stores of the demo, filled.

use crate::demo_models::{self, DemoModel};
use crate::exit::Failure;
use crate::progress::Progress;
use crate::sample::Sample;
use monotable_engine::Engine;
use monotable_store::Store;

/// A store that is ready.
pub(super) struct DemoStore {
    pub(super) store: Store,
}

/// Makes the tables of all models and carries their sample data out. What a store on disk holds from an earlier time stays.
pub(super) async fn fill(engine: &Engine) -> Result<Vec<DemoStore>, Failure> {
    let mut progress = Progress::new();
    let mut filled = Vec::new();
    for demo in demo_models::ALL.iter() {
        progress.at(format_args!("filling {}", demo.name));
        filled.push(fill_one(engine, demo).await?);
    }
    Ok(filled)
}

async fn fill_one(engine: &Engine, demo: &'static DemoModel) -> Result<DemoStore, Failure> {
    let name = demo.name;
    let model = monotable_model::read(&demo.text).model;
    let model = model.ok_or_else(|| Failure::bug(format_args!("the model {name} has errors")))?;
    let store = Store::new(model, engine.clone());
    let made = store.setup().await?;
    if made.iter().any(|table| table.new) {
        let sample = Sample::parse(format!("the sample data of {name}"), &demo.sample)?;
        sample.apply(&store).await?;
    }
    Ok(DemoStore { store })
}
