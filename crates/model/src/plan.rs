//! How rows are read: what each access pattern asks of DynamoDB, worked out once, as data.
//!
//! A [`ReadPlan`] has the key conditions of a pattern with their places still open, and what is done with the rows. The
//! store fills the places in and sends the requests; documents list the same plan with its places open ([`list_requests`]).
//! So what is shown is what is sent.
//!
//! Layout: `key_text.rs` and `condition.rs` are keys with places; `reach.rs` has one step for each way to rows; `route.rs`
//! leads from a row to others; `shape.rs` is what is done with rows; `compile/` makes all of it from a model; `listing/`
//! makes the requests of a plan with their places open.

mod compile;
mod condition;
mod key_text;
mod listing;
mod reach;
mod route;
mod shape;

pub use condition::{
    KeyCondition, LAST, LastValue, PartitionText, RangeText, SortText, Spread, ValueText,
};
pub use key_text::{KeyTarget, KeyText, is_known, known_parts, uses};
pub use listing::{
    Listing, Operation, Piece, PlannedRequest, PlannedText, PlannedValue, Purpose, Remark, Repeat,
    ValueKind, Variant, list_requests,
};
pub use reach::{
    Composite, DiffStep, GetStep, Link, PointerStep, QueryStep, Reach, SegmentKey, SegmentStep,
    WalkStep,
};
pub use route::{BackRoute, EntityPlan, Given, GuardKey, GuardPlan, RowRoute, Told};
pub use shape::{Follow, FollowedReference, Keep, Paging, PlanParameter, Shape, Within};

use crate::model::{AccessId, EntityId, KeyPlace, Model, Template};
use serde::{Deserialize, Serialize};

/// How every access pattern of a model is read, and how rows of its entities are found.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Plans {
    /// What stands before the partition keys of a tenant.
    pub prefix: Option<Template>,
    /// One for each entity of the model, in its order.
    pub entities: Vec<EntityPlan>,
    /// One for each access pattern of the model, in its order.
    pub patterns: Vec<ReadPlan>,
}

/// How the rows of an access pattern are read.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReadPlan {
    /// The pattern's name.
    pub name: String,
    /// What a caller gives.
    pub parameters: Vec<PlanParameter>,
    /// The requests.
    pub reach: Reach,
    /// Whether it sees every write that was acknowledged.
    pub consistent: bool,
    /// Which rows are kept, one by one.
    pub keep: Keep,
    /// What is done with the rows together.
    pub shape: Shape,
    /// Rows that come along.
    pub follow: Vec<Follow>,
    /// Ends of relations that may have tombstones, and are not among the pattern's own rows: they are looked at, because a
    /// relation with a buried end is not shown.
    pub ends: Vec<Follow>,
}

impl Plans {
    /// Works out every plan of a model.
    #[must_use]
    pub fn new(model: &Model) -> Self {
        compile::compile(model)
    }

    /// The plan of a pattern.
    #[must_use]
    pub fn pattern(&self, id: AccessId) -> &ReadPlan {
        #[expect(
            clippy::indexing_slicing,
            reason = "there is a plan for every pattern of the model"
        )]
        &self.patterns[id.index()]
    }

    /// The plan of a pattern with this name.
    #[must_use]
    pub fn pattern_named(&self, name: &str) -> Option<&ReadPlan> {
        self.patterns.iter().find(|plan| plan.name == name)
    }

    /// The key that finds the rows of an entity that refer to a row by an attribute; none if no key does.
    #[must_use]
    pub fn find_referrers(&self, entity: EntityId, attribute: &str) -> Option<KeyPlace> {
        let plan = self.entity(entity);
        let route = plan.reference(attribute)?;
        let is_given = |name: &str| route.given.iter().any(|given| given.name == name);
        let is_filled = |key: &&KeyText| {
            let mut parts = key.partition_parts();
            parts.all(|part| is_known(part, is_given))
        };
        let found = plan.candidates(attribute).find(is_filled);
        found.map(|key| key.at.place)
    }

    /// How rows of an entity are found.
    #[must_use]
    pub fn entity(&self, id: EntityId) -> &EntityPlan {
        #[expect(
            clippy::indexing_slicing,
            reason = "there is a plan for every entity of the model"
        )]
        &self.entities[id.index()]
    }
}
