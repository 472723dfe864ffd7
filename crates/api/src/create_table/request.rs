//! The request, its answer, and what holds of the table itself.

use super::indexes::{NewIndexes, global_indexes, local_indexes, vector_indexes};
use crate::billing::{
    self, Billing, BillingMode, OnDemandThroughput, ProvisionedThroughput, WarmThroughput,
};
use crate::choice::Chosen;
use crate::constraint::{Constraints, Path};
use crate::encryption::SseSpecification;
use crate::key_schema::{
    AttributeDefinition, Definitions, KeyAttribute, KeySchemaElement, KeyWidth, ValidKeySchema,
    constrain_definitions, constrain_schema,
};
use crate::put_resource_policy::{PolicyKind, check_policy};
use crate::refused::{self, RefusedParameter};
use crate::secondary_index::{
    GlobalSecondaryIndex, LocalSecondaryIndex, ValidGlobalIndex, ValidLocalIndex,
};
use crate::stream::{StreamChange, StreamSpecification, StreamViewType, StreamWords};
use crate::structure::structure;
use crate::table_description::TableClass;
use crate::vector_index::{ValidVectorIndex, VectorIndex};
use crate::{
    Error, IndexName, KeyRole, ScalarAttributeType, TableDescription, TableName, Tag, wording,
};
use std::collections::BTreeSet;

structure! {
    /// A CreateTable request.
    pub struct CreateTableInput {
        /// The types of all key attributes.
        attribute_definitions: Vec<AttributeDefinition>,
        /// The name.
        table_name: String,
        /// The key.
        key_schema: Vec<KeySchemaElement>,
        /// Local secondary indexes.
        local_secondary_indexes: Vec<LocalSecondaryIndex>,
        /// Global secondary indexes.
        global_secondary_indexes: Vec<GlobalSecondaryIndex>,
        /// How it is paid for.
        billing_mode: Chosen<BillingMode>,
        /// Its units per second.
        provisioned_throughput: ProvisionedThroughput,
        /// Its stream.
        stream_specification: StreamSpecification,
        /// How it is encrypted.
        #[serde(rename = "SSESpecification")]
        sse_specification: SseSpecification,
        /// Its tags.
        tags: Vec<Tag>,
        /// Its class.
        table_class: Chosen<TableClass>,
        /// Whether it cannot be deleted.
        deletion_protection_enabled: bool,
        /// What it can take at once.
        warm_throughput: WarmThroughput,
        /// The policy that is attached to it, a JSON document.
        resource_policy: String,
        /// The most it may use when it is paid by use.
        on_demand_throughput: OnDemandThroughput,
        /// Not carried out; refused.
        global_table_source_arn: RefusedParameter,
        /// Not carried out; refused.
        global_table_settings_replication_mode: RefusedParameter,
        /// Vector indexes.
        vector_indexes: Vec<VectorIndex>,
    }

    /// A CreateTable answer.
    pub struct CreateTableOutput {
        /// The table, as it is being created.
        table_description: TableDescription,
    }
}

/// A CreateTable request, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidCreateTable {
    /// The name.
    pub table: TableName,
    /// The types of all key attributes of the table and its indexes, in the order they were given.
    pub attributes: Vec<KeyAttribute>,
    /// The key.
    pub key: ValidKeySchema,
    /// Local secondary indexes.
    pub local_indexes: Vec<ValidLocalIndex>,
    /// Global secondary indexes.
    pub global_indexes: Vec<ValidGlobalIndex>,
    /// Vector indexes.
    pub vector_indexes: Vec<ValidVectorIndex>,
    /// How it is paid for.
    pub billing: Billing,
    /// Its stream.
    pub stream: Option<StreamChange>,
    /// How it is encrypted.
    pub encryption: Option<SseSpecification>,
    /// Its tags.
    pub tags: Vec<Tag>,
    /// Its class.
    pub class: Option<TableClass>,
    /// Whether it cannot be deleted.
    pub deletion_protection: bool,
    /// What it can take at once.
    pub warm_throughput: Option<WarmThroughput>,
    /// Its policy, in the form in which AWS gives it back.
    pub policy: Option<String>,
}

/// The members that have constraints, once these hold.
struct Constrained {
    schema: Vec<KeySchemaElement>,
    definitions: Vec<AttributeDefinition>,
    local_names: Vec<IndexName>,
    global_names: Vec<IndexName>,
    vector_names: Vec<IndexName>,
    class: Option<TableClass>,
}

impl CreateTableInput {
    /// A table with this partition key that is paid by use.
    pub fn new(
        table: impl Into<String>,
        hash: impl Into<String>,
        kind: ScalarAttributeType,
    ) -> Self {
        let hash = hash.into();
        Self {
            table_name: Some(table.into()),
            key_schema: Some(vec![KeySchemaElement::new(&*hash, KeyRole::Hash)]),
            attribute_definitions: Some(vec![AttributeDefinition::new(hash, kind)]),
            billing_mode: Some(BillingMode::PayPerRequest.into()),
            ..Self::default()
        }
    }

    /// With this sort key.
    pub fn range(mut self, name: impl Into<String>, kind: ScalarAttributeType) -> Self {
        let name = name.into();
        let element = KeySchemaElement::new(&*name, KeyRole::Range);
        self.key_schema.get_or_insert_default().push(element);
        self.attribute(name, kind)
    }

    /// Says the type of a key attribute of an index.
    pub fn attribute(mut self, name: impl Into<String>, kind: ScalarAttributeType) -> Self {
        let definition = AttributeDefinition::new(name, kind);
        self.attribute_definitions
            .get_or_insert_default()
            .push(definition);
        self
    }

    /// With a stream that shows this.
    pub fn stream(mut self, view: StreamViewType) -> Self {
        self.stream_specification = Some(StreamSpecification::enabled(view));
        self
    }

    /// With this local secondary index.
    pub fn local_index(mut self, index: LocalSecondaryIndex) -> Self {
        self.local_secondary_indexes
            .get_or_insert_default()
            .push(index);
        self
    }

    /// With this global secondary index.
    pub fn global_index(mut self, index: GlobalSecondaryIndex) -> Self {
        self.global_secondary_indexes
            .get_or_insert_default()
            .push(index);
        self
    }

    /// Paid ahead, with these units per second.
    pub fn provisioned(mut self, read: i64, write: i64) -> Self {
        self.billing_mode = Some(BillingMode::Provisioned.into());
        self.provisioned_throughput = Some(ProvisionedThroughput::new(read, write));
        self
    }

    /// With this vector index.
    pub fn vector_index(mut self, index: VectorIndex) -> Self {
        self.vector_indexes.get_or_insert_default().push(index);
        self
    }

    /// Checks everything that can be judged without other tables.
    pub fn validate(self) -> Result<ValidCreateTable, Error> {
        let table = TableName::of_table_operation(&self.table_name)?;
        let Constrained {
            schema,
            definitions,
            local_names,
            global_names,
            vector_names,
            class,
        } = self.constrain()?;
        self.refuse_unsupported()?;

        let billing = billing::of_new_table(
            &self.billing_mode,
            &self.provisioned_throughput,
            self.on_demand_throughput,
        )?;
        let definitions = Definitions::new(definitions)?;
        if schema.len() > definitions.len() {
            return Err(Error::validation(wording::KEY_WITHOUT_DEFINITION));
        }
        let key = definitions.resolve(&schema, KeyWidth::Single)?;
        let has_indexes = self.local_secondary_indexes.is_some()
            || self.global_secondary_indexes.is_some()
            || self.vector_indexes.is_some();
        if !has_indexes && schema.len() != definitions.len() {
            return Err(Error::validation(wording::DEFINITIONS_UNLIKE_KEY));
        }
        let mut names = BTreeSet::new();
        let local_indexes = self
            .local_secondary_indexes
            .map(|indexes| local_indexes(local_names, indexes, &key, &definitions, &mut names))
            .transpose()?
            .unwrap_or_default();
        let global_indexes = self
            .global_secondary_indexes
            .map(|indexes| {
                global_indexes(global_names, indexes, &billing, &definitions, &mut names)
            })
            .transpose()?
            .unwrap_or_default();
        let vector_indexes = self
            .vector_indexes
            .map(|indexes| {
                vector_indexes(vector_names, indexes, &billing, &definitions, &mut names)
            })
            .transpose()?
            .unwrap_or_default();
        let indexes = NewIndexes {
            local: &local_indexes,
            global: &global_indexes,
            vector: &vector_indexes,
        };
        indexes.check_all_used(&definitions, &key)?;
        indexes.check_projected()?;
        if let Some(encryption) = &self.sse_specification {
            encryption.check()?;
        }
        Tag::check_all(self.tags.as_deref().unwrap_or_default())?;
        let policy = self.resource_policy.as_deref();
        let policy = policy
            .map(|policy| check_policy(policy, PolicyKind::Table))
            .transpose()?;
        let stream = self.stream_specification;
        Ok(ValidCreateTable {
            table,
            attributes: definitions.into_attributes(),
            key,
            local_indexes,
            global_indexes,
            vector_indexes,
            billing,
            stream: stream
                .map(|stream| stream.checked(StreamWords::CREATE))
                .transpose()?,
            encryption: self.sse_specification,
            tags: self.tags.unwrap_or_default(),
            class,
            deletion_protection: self.deletion_protection_enabled.unwrap_or_default(),
            warm_throughput: self.warm_throughput,
            policy,
        })
    }

    fn constrain(&self) -> Result<Constrained, Error> {
        let mut constraints = Constraints::default();
        let path = Path::Root("attributeDefinitions");
        let definitions = constraints.required(path, &self.attribute_definitions);
        constrain_definitions(
            definitions.map_or(&[], Vec::as_slice),
            &mut constraints,
            path,
        );
        constraints.choice(Path::Root("billingMode"), &self.billing_mode);
        let path = Path::Root("provisionedThroughput");
        ProvisionedThroughput::constrain(&self.provisioned_throughput, &mut constraints, path);
        constrain_schema(
            &self.key_schema,
            KeyWidth::Single,
            &mut constraints,
            Path::Root("keySchema"),
        );
        // AWS lists what is wrong with global indexes first, however the request orders them.
        let global_names = self.constrain_global_indexes(&mut constraints);
        let local_names = self.constrain_local_indexes(&mut constraints);
        let vector_names = self.constrain_vector_indexes(&mut constraints);
        StreamSpecification::constrain(&self.stream_specification, &mut constraints);
        SseSpecification::constrain(&self.sse_specification, &mut constraints);
        let (schema, definitions) = constraints.finish(
            self.key_schema
                .clone()
                .zip(self.attribute_definitions.clone()),
        )?;
        let class = table_class(&self.table_class)?;
        Ok(Constrained {
            schema,
            definitions,
            local_names,
            global_names,
            vector_names,
            class,
        })
    }

    fn constrain_global_indexes(&self, constraints: &mut Constraints) -> Vec<IndexName> {
        const PATH: Path<'static> = Path::Root("globalSecondaryIndexes");
        let indexes = self.global_secondary_indexes.iter().flatten().enumerate();
        indexes
            .filter_map(|(at, index)| index.constrain(constraints, PATH.element(at)))
            .collect()
    }

    fn constrain_vector_indexes(&self, constraints: &mut Constraints) -> Vec<IndexName> {
        const PATH: Path<'static> = Path::Root("vectorIndexes");
        let indexes = self.vector_indexes.iter().flatten().enumerate();
        indexes
            .filter_map(|(at, index)| index.constrain(constraints, PATH.element(at)))
            .collect()
    }

    fn constrain_local_indexes(&self, constraints: &mut Constraints) -> Vec<IndexName> {
        const PATH: Path<'static> = Path::Root("localSecondaryIndexes");
        let indexes = self.local_secondary_indexes.iter().flatten().enumerate();
        indexes
            .filter_map(|(at, index)| index.constrain(constraints, PATH.element(at)))
            .collect()
    }

    fn refuse_unsupported(&self) -> Result<(), Error> {
        refused::unsupported(&[
            ("GlobalTableSourceArn", self.global_table_source_arn),
            (
                "GlobalTableSettingsReplicationMode",
                self.global_table_settings_replication_mode,
            ),
        ])
    }
}

/// The class. AWS has words of its own for an unknown one.
pub(crate) fn table_class(given: &Option<Chosen<TableClass>>) -> Result<Option<TableClass>, Error> {
    match given {
        None => Ok(None),
        Some(Chosen::Known(class)) => Ok(Some(*class)),
        Some(Chosen::Unknown(_)) => Err(Error::validation(wording::UNKNOWN_TABLE_CLASS)),
    }
}
