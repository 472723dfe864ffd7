//! What programs can do with a model, without a word of any language: what they give, what they get, and what they can call.
//!
//! Every generator writes this surface down in the customs of its language, so that all of them offer the same.

mod attribute;
mod entity;
mod movement;
mod pattern;
mod repository;

pub(crate) use attribute::{GivenAttribute, ReadAttribute};
pub(crate) use entity::{EntitySurface, KeyAttribute};
pub(crate) use movement::{MoveSurface, MoveTarget};
pub(crate) use pattern::{Answer, PatternSurface, ReturnedEntity};
pub(crate) use repository::{CarrySurface, RepositorySurface};

use monotable_model::model::Model;
use monotable_model::plan::Plans;

/// Everything that programs can do with a model.
pub(crate) struct Surface<'m> {
    pub(crate) model: &'m Model,
    /// Entities that have rows, in the order of the model.
    pub(crate) entities: Vec<EntitySurface<'m>>,
    pub(crate) patterns: Vec<PatternSurface<'m>>,
    pub(crate) moves: Vec<MoveSurface<'m>>,
    pub(crate) repositories: Vec<RepositorySurface<'m>>,
    pub(crate) carries: Vec<CarrySurface<'m>>,
}

impl<'m> Surface<'m> {
    pub(crate) fn new(model: &'m Model, plans: &'m Plans) -> Self {
        let entities = model.stored();
        let patterns = model.patterns();
        Self {
            model,
            entities: entities
                .map(|(id, _)| EntitySurface::new(model, id))
                .collect(),
            patterns: patterns
                .map(|(id, _)| PatternSurface::new(model, plans, id))
                .collect(),
            moves: movement::list_moves(model),
            repositories: repository::list_repositories(model),
            carries: repository::list_carries(model),
        }
    }

    /// The names of all claims, as errors have them: `User.Email`.
    pub(crate) fn list_claims(&self) -> Vec<String> {
        let entities = self.entities.iter().map(|surface| surface.entity);
        let claims = entities.flat_map(|entity| {
            let claims = entity.claims.iter();
            claims.map(|claim| format!("{}.{}", entity.name.value, claim.name.value))
        });
        claims.collect()
    }
}
