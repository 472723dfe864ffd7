//! A model with everything that follows from it, ready to run.

use crate::profile::EntityProfile;
use crate::store_item::StoreItem;
use monotable_model::compiled::CompiledModel;

/// A model, ready to run. All handles of a store share one.
#[derive(Debug)]
pub(crate) struct Runtime {
    pub(crate) compiled: CompiledModel,
    /// What operations want to know of each entity, by the entity's position.
    pub(crate) profile: Vec<EntityProfile>,
    /// What this process knows of the store's own item.
    pub(crate) own: StoreItem,
}
