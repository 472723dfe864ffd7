//! What makes an index one of vectors.
//!
//! Field names and meanings are part of the format on disk.

use super::definition::{IndexDefinition, ProjectionDefinition};
use monotable_api::{
    IndexName, KeyAttribute, ProjectedAttributes, ScalarAttributeType, ValidKeySchema,
    ValidVectorIndex, VectorDistanceFunction,
};
use serde::{Deserialize, Serialize};

/// The vectors of an index. Its partition key, if it has one, is the key of the index.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct VectorDefinition {
    /// The attribute with the vectors.
    pub(crate) attribute: String,
    /// How many elements each has.
    pub(crate) dimensions: usize,
    pub(crate) function: VectorDistanceFunction,
    /// Attributes whose values searches may name.
    filters: Vec<(String, ScalarAttributeType)>,
}

impl VectorDefinition {
    pub(crate) fn new(index: &ValidVectorIndex) -> Self {
        let filters = index.filters.iter();
        Self {
            attribute: index.attribute.clone(),
            dimensions: index.dimensions,
            function: index.function,
            filters: filters
                .map(|key| (key.name.clone(), key.kind.into()))
                .collect(),
        }
    }

    /// Attributes whose values searches may name.
    pub(crate) fn filters(&self) -> Vec<KeyAttribute> {
        let filters = self.filters.iter();
        let filters = filters.map(|(name, kind)| KeyAttribute {
            name: name.clone(),
            kind: (*kind).into(),
        });
        filters.collect()
    }
}

impl IndexDefinition {
    /// The vector index that was asked for; none if it is another index.
    pub(crate) fn vector_index(&self) -> Option<ValidVectorIndex> {
        let vector = self.vector.as_ref()?;
        let key: ValidKeySchema = (&self.key).into();
        let projection: &ProjectionDefinition = &self.projection;
        Some(ValidVectorIndex {
            name: IndexName::parse(&self.name).ok()?,
            attribute: vector.attribute.clone(),
            dimensions: vector.dimensions,
            function: vector.function,
            hash: key.hash.into_iter().next(),
            filters: vector.filters(),
            projection: ProjectedAttributes::from(projection),
        })
    }
}
