//! Vector indexes as requests ask for them and as AWS describes them.

use crate::choice::{Chosen, choices};
use crate::constraint::{Constraints, Path};
use crate::key_schema::{Definitions, KeyAttribute};
use crate::structure::structure;
use crate::{Error, IndexName, IndexProjection, IndexStatus, ProjectedAttributes, wording};
use monotable_item::limits;
use std::collections::BTreeSet;

choices! {
    /// How near two vectors are to each other.
    pub enum VectorDistanceFunction {
        /// One less the cosine of the angle between them: 0 for the same direction, 2 for opposite ones.
        Cosine = "COSINE",
        /// The sum of the products of their elements: the larger, the nearer.
        DotProduct = "DOT_PRODUCT",
        /// The length of their difference.
        Euclidean = "EUCLIDEAN",
    }

    /// The part that an attribute plays in a search.
    pub enum SearchSchemaElementType {
        /// The partition key of the index: every search names its value.
        Hash = "HASH",
        /// A search may name its value.
        InlineFilter = "INLINE_FILTER",
    }
}

structure! {
    /// A vector index. AWS calls the same structure `CreateVectorIndexAction` and `VectorIndexInfo` elsewhere.
    pub struct VectorIndex {
        /// Its name.
        index_name: String,
        /// The attribute with the vectors.
        vector_attribute: VectorAttributeDefinition,
        /// The attributes whose values searches name.
        search_schema: Vec<SearchSchemaElement>,
        /// Which attributes it holds.
        projection: IndexProjection,
        /// How many elements each vector has.
        dimensions: i64,
        /// How near two vectors are to each other.
        distance_function: Chosen<VectorDistanceFunction>,
    }

    /// The attribute with the vectors of an index.
    pub struct VectorAttributeDefinition {
        /// Its name.
        attribute_name: String,
    }

    /// An attribute whose value searches name.
    pub struct SearchSchemaElement {
        /// The attribute.
        attribute_name: String,
        /// Its part.
        search_schema_element_type: Chosen<SearchSchemaElementType>,
    }

    /// A vector index of a table.
    pub struct VectorIndexDescription {
        /// Its name.
        index_name: String,
        /// The attributes whose values searches name.
        search_schema: Vec<SearchSchemaElement>,
        /// Which attributes it holds.
        projection: IndexProjection,
        /// The attribute with the vectors.
        vector_attribute: VectorAttributeDefinition,
        /// How many elements each vector has.
        dimensions: i64,
        /// How near two vectors are to each other.
        distance_function: Chosen<VectorDistanceFunction>,
        /// How far it is.
        index_status: IndexStatus,
        /// Whether items from before are being put into it.
        backfilling: bool,
        /// How large its entries are.
        index_size_bytes: u64,
        /// How many entries there are.
        item_count: u64,
        /// Its ARN.
        index_arn: String,
    }

    /// A vector index that is added to a table or removed from it: exactly one of the members.
    pub struct VectorIndexUpdate {
        /// Creates an index.
        create: VectorIndex,
        /// Removes an index.
        delete: DeleteVectorIndexAction,
    }

    /// Removes an index.
    pub struct DeleteVectorIndexAction {
        /// Its name.
        index_name: String,
    }
}

/// A vector index, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidVectorIndex {
    /// Its name.
    pub name: IndexName,
    /// The attribute with the vectors.
    pub attribute: String,
    /// How many elements each vector has.
    pub dimensions: usize,
    /// How near two vectors are to each other.
    pub function: VectorDistanceFunction,
    /// The partition key of the index, if it has one.
    pub hash: Option<KeyAttribute>,
    /// Attributes whose values searches may name.
    pub filters: Vec<KeyAttribute>,
    /// Which attributes it holds.
    pub projection: ProjectedAttributes,
}

/// A vector index that is added or removed, checked.
#[derive(Clone, Debug, PartialEq)]
pub enum VectorIndexChange {
    /// Creates this index.
    Create(ValidVectorIndex),
    /// Removes an index.
    Delete {
        /// Its name.
        name: IndexName,
    },
}

impl VectorIndex {
    /// An index of vectors that stand in this attribute, which holds all attributes.
    pub fn new(
        name: impl Into<String>,
        attribute: impl Into<String>,
        dimensions: u32,
        function: VectorDistanceFunction,
    ) -> Self {
        Self {
            index_name: Some(name.into()),
            vector_attribute: Some(VectorAttributeDefinition {
                attribute_name: Some(attribute.into()),
            }),
            search_schema: None,
            projection: Some(IndexProjection::all()),
            dimensions: Some(dimensions.into()),
            distance_function: Some(function.into()),
        }
    }

    /// With one more attribute whose value searches name.
    pub fn search(mut self, name: impl Into<String>, part: SearchSchemaElementType) -> Self {
        let element = SearchSchemaElement {
            attribute_name: Some(name.into()),
            search_schema_element_type: Some(part.into()),
        };
        self.search_schema.get_or_insert_default().push(element);
        self
    }

    /// Holds these attributes instead of all.
    pub fn projection(mut self, projection: IndexProjection) -> Self {
        self.projection = Some(projection);
        self
    }

    /// Checks the constraints of all members. The name is a name only if they hold.
    pub(crate) fn constrain(
        &self,
        constraints: &mut Constraints,
        path: Path<'_>,
    ) -> Option<IndexName> {
        let name = IndexName::require(constraints, path.field("indexName"), &self.index_name);
        let at = path.field("vectorAttribute");
        if let Some(attribute) = constraints.required(at, &self.vector_attribute) {
            let at = at.field("attributeName");
            if let Some(name) = constraints.required(at, &attribute.attribute_name) {
                constraints.text_length(at, name, 1..=limits::MAX_KEY_NAME_BYTES);
            }
        }
        if let Some(schema) = &self.search_schema {
            constrain_schema(schema, constraints, path.field("searchSchema"));
        }
        IndexProjection::constrain(&self.projection, constraints, path.field("projection"));
        let at = path.field("dimensions");
        if let Some(dimensions) = constraints.required(at, &self.dimensions) {
            constraints.range(at, *dimensions, 1..=i64::MAX);
        }
        let at = path.field("distanceFunction");
        constraints.required(at, &self.distance_function);
        constraints.choice(at, &self.distance_function);
        name
    }

    /// The index, once its constraints hold.
    pub(crate) fn checked(
        self,
        name: IndexName,
        definitions: &Definitions,
    ) -> Result<ValidVectorIndex, Error> {
        let attribute = self.vector_attribute.and_then(|given| given.attribute_name);
        let attribute = attribute.unwrap_or_default();
        let dimensions = self.dimensions.unwrap_or_default();
        let dimensions = usize::try_from(dimensions).unwrap_or(usize::MAX);
        if dimensions > limits::MAX_VECTOR_DIMENSIONS {
            return Err(Error::validation(wording::too_many_dimensions(
                &name, dimensions,
            )));
        }
        let function = self.distance_function.as_ref().and_then(Chosen::known);
        let (hash, filters) = resolve(self.search_schema.unwrap_or_default(), definitions)?;
        let mut named = hash.iter().chain(&filters);
        if named.any(|key| key.name == attribute) || definitions.find(&attribute).is_some() {
            return Err(Error::validation(wording::vector_is_key(&name, &attribute)));
        }
        Ok(ValidVectorIndex {
            projection: self.projection.unwrap_or_default().checked()?,
            function: function.unwrap_or(VectorDistanceFunction::Cosine),
            name,
            attribute,
            dimensions,
            hash,
            filters,
        })
    }
}

fn constrain_schema(schema: &[SearchSchemaElement], constraints: &mut Constraints, path: Path<'_>) {
    constraints.list_length(path, schema, 1..=usize::MAX);
    for (index, element) in schema.iter().enumerate() {
        let path = path.element(index);
        let at = path.field("attributeName");
        if let Some(name) = constraints.required(at, &element.attribute_name) {
            constraints.text_length(at, name, 0..=limits::MAX_ATTRIBUTE_NAME_BYTES);
        }
        let at = path.field("searchSchemaElementType");
        constraints.required(at, &element.search_schema_element_type);
        constraints.choice(at, &element.search_schema_element_type);
    }
}

/// The attributes that a schema names, with their types.
fn resolve(
    schema: Vec<SearchSchemaElement>,
    definitions: &Definitions,
) -> Result<(Option<KeyAttribute>, Vec<KeyAttribute>), Error> {
    let (mut hash, mut filters) = (None, Vec::new());
    let mut seen = BTreeSet::new();
    for element in schema {
        let name = element.attribute_name.unwrap_or_default();
        let key = definitions.find(&name);
        let key = key.ok_or_else(|| Error::validation(wording::SEARCH_SCHEMA_UNDEFINED))?;
        let part = element.search_schema_element_type.as_ref();
        if !seen.insert(name.clone()) {
            return Err(Error::validation(wording::search_schema_names_twice(&name)));
        }
        match part.and_then(Chosen::known) {
            Some(SearchSchemaElementType::Hash) if hash.is_some() => {
                return Err(Error::validation(wording::SEARCH_SCHEMA_OF_TWO_HASHES));
            }
            Some(SearchSchemaElementType::Hash) => hash = Some(key),
            Some(SearchSchemaElementType::InlineFilter) | None => filters.push(key),
        }
    }
    Ok((hash, filters))
}

impl ValidVectorIndex {
    /// All attributes whose values searches name.
    pub fn search_attributes(&self) -> impl Iterator<Item = &KeyAttribute> {
        self.hash.iter().chain(&self.filters)
    }

    /// The index as a request would ask for it.
    pub fn describe(&self) -> VectorIndex {
        let hash = self.hash.iter();
        let hash = hash.map(|key| (key, SearchSchemaElementType::Hash));
        let filters = self.filters.iter();
        let filters = filters.map(|key| (key, SearchSchemaElementType::InlineFilter));
        let index = VectorIndex::new(
            self.name.as_str(),
            &*self.attribute,
            u32::try_from(self.dimensions).unwrap_or(u32::MAX),
            self.function,
        );
        hash.chain(filters)
            .fold(index, |index, (key, part)| index.search(&*key.name, part))
            .projection(self.projection.describe())
    }
}

/// Checks that vectors in one attribute have one number of elements.
pub(crate) fn check_dimensions(indexes: &[ValidVectorIndex]) -> Result<(), Error> {
    for (place, index) in indexes.iter().enumerate() {
        let mut before = indexes.iter().take(place);
        let other = before.find(|other| {
            other.attribute == index.attribute && other.dimensions != index.dimensions
        });
        if let Some(other) = other {
            return Err(Error::validation(wording::dimensions_differ(
                &index.attribute,
                other.dimensions,
                index.dimensions,
            )));
        }
    }
    Ok(())
}

impl VectorIndexUpdate {
    /// Creates this index.
    pub fn create(index: VectorIndex) -> Self {
        Self {
            create: Some(index),
            delete: None,
        }
    }

    /// Removes an index.
    pub fn delete(name: impl Into<String>) -> Self {
        Self {
            create: None,
            delete: Some(DeleteVectorIndexAction {
                index_name: Some(name.into()),
            }),
        }
    }

    /// Checks the constraints of the members of every change that is there. The name is a name only if they hold.
    pub(crate) fn constrain(
        &self,
        constraints: &mut Constraints,
        path: Path<'_>,
    ) -> Option<IndexName> {
        let mut name = None;
        if let Some(create) = &self.create {
            name = create.constrain(constraints, path.field("create"));
        }
        if let Some(delete) = &self.delete {
            let path = path.field("delete");
            name = IndexName::require(constraints, path.field("indexName"), &delete.index_name);
        }
        name
    }

    /// The change, once its constraints hold.
    pub(crate) fn checked(
        self,
        name: Option<IndexName>,
        definitions: &Definitions,
    ) -> Result<VectorIndexChange, Error> {
        match (name, self.create, self.delete) {
            (Some(name), Some(create), None) => {
                let index = create.checked(name, definitions)?;
                Ok(VectorIndexChange::Create(index))
            }
            (Some(name), None, Some(_)) => Ok(VectorIndexChange::Delete { name }),
            (_, Some(_), Some(_)) => Err(Error::validation(wording::TWO_VECTOR_INDEX_ACTIONS)),
            _ => Err(Error::validation(wording::NO_VECTOR_INDEX_ACTION)),
        }
    }
}
