//! Secondary indexes as a request asks for them.

use crate::billing::{OnDemandThroughput, ProvisionedThroughput, Throughput, WarmThroughput};
use crate::constraint::{Constraints, Path};
use crate::key_schema::{
    Definitions, KeySchemaElement, KeyWidth, ValidKeySchema, constrain_schema,
};
use crate::structure::structure;
use crate::{Error, IndexName, IndexProjection, KeyRole, ProjectedAttributes, wording};

structure! {
    /// A local secondary index: the table's partition key with another sort key.
    pub struct LocalSecondaryIndex {
        /// Its name.
        index_name: String,
        /// Its key.
        key_schema: Vec<KeySchemaElement>,
        /// Which attributes it holds.
        projection: IndexProjection,
    }

    /// A global secondary index: a key of its own.
    pub struct GlobalSecondaryIndex {
        /// Its name.
        index_name: String,
        /// Its key.
        key_schema: Vec<KeySchemaElement>,
        /// Which attributes it holds.
        projection: IndexProjection,
        /// Its own units per second.
        provisioned_throughput: ProvisionedThroughput,
        /// The most it may use when it is paid by use.
        on_demand_throughput: OnDemandThroughput,
        /// What it can take at once.
        warm_throughput: WarmThroughput,
    }
}

/// A local secondary index, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidLocalIndex {
    /// Its name.
    pub name: IndexName,
    /// Its key; the partition key is the table's.
    pub key: ValidKeySchema,
    /// Which attributes it holds.
    pub projection: ProjectedAttributes,
}

/// A global secondary index, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidGlobalIndex {
    /// Its name.
    pub name: IndexName,
    /// Its key.
    pub key: ValidKeySchema,
    /// Which attributes it holds.
    pub projection: ProjectedAttributes,
    /// Its own units per second, when the table has units.
    pub throughput: Option<Throughput>,
    /// The most it may use when the table is paid by use.
    pub on_demand: Option<OnDemandThroughput>,
}

impl LocalSecondaryIndex {
    /// An index that holds all attributes.
    pub fn new(name: impl Into<String>, hash: impl Into<String>, range: impl Into<String>) -> Self {
        Self {
            index_name: Some(name.into()),
            key_schema: Some(vec![
                KeySchemaElement::new(hash, KeyRole::Hash),
                KeySchemaElement::new(range, KeyRole::Range),
            ]),
            projection: Some(IndexProjection::all()),
        }
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
        constrain_schema(
            &self.key_schema,
            KeyWidth::Single,
            constraints,
            path.field("keySchema"),
        );
        IndexProjection::constrain(&self.projection, constraints, path.field("projection"));
        name
    }

    /// The index, once its constraints hold.
    pub(crate) fn checked(
        self,
        name: IndexName,
        table: &ValidKeySchema,
        definitions: &Definitions,
    ) -> Result<ValidLocalIndex, Error> {
        let key = definitions.resolve(&self.key_schema.unwrap_or_default(), KeyWidth::Single)?;
        if key.range.is_empty() {
            return Err(Error::validation(wording::local_index_without_range(&name)));
        }
        if key.hash != table.hash {
            return Err(Error::validation(wording::local_index_of_other_hash(
                &name, &key, table,
            )));
        }
        let projection = self.projection.unwrap_or_default().checked()?;
        Ok(ValidLocalIndex {
            name,
            key,
            projection,
        })
    }
}

impl GlobalSecondaryIndex {
    /// An index without a sort key that holds all attributes.
    pub fn new(name: impl Into<String>, hash: impl Into<String>) -> Self {
        Self {
            index_name: Some(name.into()),
            key_schema: Some(vec![KeySchemaElement::new(hash, KeyRole::Hash)]),
            projection: Some(IndexProjection::all()),
            ..Self::default()
        }
    }

    /// With one more attribute in the partition key.
    pub fn hash(mut self, name: impl Into<String>) -> Self {
        let element = KeySchemaElement::new(name, KeyRole::Hash);
        self.key_schema.get_or_insert_default().push(element);
        self
    }

    /// With this sort key, or one more attribute in it.
    pub fn range(mut self, name: impl Into<String>) -> Self {
        let element = KeySchemaElement::new(name, KeyRole::Range);
        self.key_schema.get_or_insert_default().push(element);
        self
    }

    /// Holds these attributes instead of all.
    pub fn projection(mut self, projection: IndexProjection) -> Self {
        self.projection = Some(projection);
        self
    }

    /// With these units per second of its own.
    pub fn provisioned(mut self, read: i64, write: i64) -> Self {
        self.provisioned_throughput = Some(ProvisionedThroughput::new(read, write));
        self
    }

    /// Checks the constraints of all members. The name is a name only if they hold.
    pub(crate) fn constrain(
        &self,
        constraints: &mut Constraints,
        path: Path<'_>,
    ) -> Option<IndexName> {
        let name = IndexName::require(constraints, path.field("indexName"), &self.index_name);
        constrain_schema(
            &self.key_schema,
            KeyWidth::Several,
            constraints,
            path.field("keySchema"),
        );
        IndexProjection::constrain(&self.projection, constraints, path.field("projection"));
        let path = path.field("provisionedThroughput");
        ProvisionedThroughput::constrain(&self.provisioned_throughput, constraints, path);
        name
    }

    /// The index, once its constraints hold. Whether its throughput fits the table's billing is for
    /// the caller to say, because CreateTable and UpdateTable say it differently.
    pub(crate) fn checked(
        self,
        name: IndexName,
        definitions: &Definitions,
    ) -> Result<ValidGlobalIndex, Error> {
        let key = definitions.resolve(&self.key_schema.unwrap_or_default(), KeyWidth::Several)?;
        let projection = self.projection.unwrap_or_default().checked()?;
        let throughput = self
            .provisioned_throughput
            .map(|units| units.checked())
            .transpose()?;
        Ok(ValidGlobalIndex {
            name,
            key,
            projection,
            throughput,
            on_demand: self.on_demand_throughput,
        })
    }
}
