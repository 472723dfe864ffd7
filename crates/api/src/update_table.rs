//! UpdateTable: changes a table's throughput, indexes, stream or settings.

use crate::billing::{
    BillingMode, OnDemandThroughput, ProvisionedThroughput, Removal, Throughput, WarmThroughput,
};
use crate::choice::Chosen;
use crate::constraint::{Constraints, Path};
use crate::create_table::table_class;
use crate::encryption::SseSpecification;
use crate::index_update::{GlobalSecondaryIndexUpdate, IndexUpdate};
use crate::key_schema::{AttributeDefinition, Definitions, KeyAttribute, constrain_definitions};
use crate::refused::{self, RefusedParameter};
use crate::stream::{StreamChange, StreamSpecification, StreamWords};
use crate::structure::structure;
use crate::table_description::TableClass;
use crate::vector_index::{VectorIndexChange, VectorIndexUpdate};
use crate::{Error, IndexName, TableDescription, TableName, wording};
use std::collections::BTreeSet;

structure! {
    /// An UpdateTable request.
    pub struct UpdateTableInput {
        /// The types of the key attributes of new indexes.
        attribute_definitions: Vec<AttributeDefinition>,
        /// The table, by name or ARN.
        table_name: String,
        /// How it is to be paid for.
        billing_mode: Chosen<BillingMode>,
        /// Its new units per second.
        provisioned_throughput: ProvisionedThroughput,
        /// What to do with its global secondary indexes.
        global_secondary_index_updates: Vec<GlobalSecondaryIndexUpdate>,
        /// Its stream.
        stream_specification: StreamSpecification,
        /// How it is to be encrypted.
        #[serde(rename = "SSESpecification")]
        sse_specification: SseSpecification,
        /// Not carried out; refused.
        replica_updates: RefusedParameter,
        /// Its new class.
        table_class: Chosen<TableClass>,
        /// Whether it cannot be deleted.
        deletion_protection_enabled: bool,
        /// Not carried out; refused.
        multi_region_consistency: RefusedParameter,
        /// Not carried out; refused.
        global_table_witness_updates: RefusedParameter,
        /// The most it may use when it is paid by use.
        on_demand_throughput: OnDemandThroughput,
        /// What it can take at once.
        warm_throughput: WarmThroughput,
        /// Not carried out; refused.
        global_table_settings_replication_mode: RefusedParameter,
        /// Not carried out; refused.
        disassociation_protection_enabled: RefusedParameter,
        /// What to do with its vector indexes.
        vector_index_updates: Vec<VectorIndexUpdate>,
    }

    /// An UpdateTable answer.
    pub struct UpdateTableOutput {
        /// The table, as it is being changed.
        table_description: TableDescription,
    }
}

/// An UpdateTable request, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidUpdateTable {
    /// The table.
    pub table: TableName,
    /// The types of the key attributes of new indexes.
    pub attributes: Vec<KeyAttribute>,
    /// How it is to be paid for.
    pub billing_mode: Option<BillingMode>,
    /// Its new units per second; there when it is to be paid ahead, absent when by use.
    pub throughput: Option<Throughput>,
    /// What to do with its global secondary indexes; no index twice.
    pub index_updates: Vec<IndexUpdate>,
    /// Vector indexes that it gets and loses.
    pub vector_updates: Vec<VectorIndexChange>,
    /// Its stream.
    pub stream: Option<StreamChange>,
    /// How it is to be encrypted.
    pub encryption: Option<SseSpecification>,
    /// Its new class.
    pub class: Option<TableClass>,
    /// Whether it cannot be deleted.
    pub deletion_protection: Option<bool>,
    /// The most it may use when it is paid by use.
    pub on_demand: Option<OnDemandThroughput>,
    /// What it can take at once.
    pub warm_throughput: Option<WarmThroughput>,
}

impl UpdateTableInput {
    /// Changes this table.
    pub fn new(table: impl Into<String>) -> Self {
        Self {
            table_name: Some(table.into()),
            ..Self::default()
        }
    }

    /// Says the type of a key attribute of a new index.
    pub fn attribute(mut self, name: impl Into<String>, kind: crate::ScalarAttributeType) -> Self {
        let definition = AttributeDefinition::new(name, kind);
        self.attribute_definitions
            .get_or_insert_default()
            .push(definition);
        self
    }

    /// Does this with a global secondary index.
    pub fn index(mut self, update: GlobalSecondaryIndexUpdate) -> Self {
        self.global_secondary_index_updates
            .get_or_insert_default()
            .push(update);
        self
    }

    /// Adds or removes a vector index.
    pub fn vector_index(mut self, update: VectorIndexUpdate) -> Self {
        self.vector_index_updates
            .get_or_insert_default()
            .push(update);
        self
    }

    /// Allows or forbids that the table is deleted.
    pub fn deletion_protection(mut self, enabled: bool) -> Self {
        self.deletion_protection_enabled = Some(enabled);
        self
    }

    /// Checks everything that can be judged without the table.
    pub fn validate(self) -> Result<ValidUpdateTable, Error> {
        let table = TableName::of_table_operation(&self.table_name)?;
        let (index_names, vector_names) = self.constrain()?;
        let class = table_class(&self.table_class)?;
        self.refuse_unsupported()?;
        self.check_combination()?;
        let billing_mode = self.billing_mode.as_ref().and_then(Chosen::known);
        let throughput = throughput(billing_mode, self.provisioned_throughput)?;
        let definitions = Definitions::new(self.attribute_definitions.unwrap_or_default())?;
        let updates = self.global_secondary_index_updates.unwrap_or_default();
        let index_updates = index_updates(index_names, updates, &definitions)?;
        let updates = self.vector_index_updates.unwrap_or_default().into_iter();
        let vector_updates: Result<Vec<_>, Error> = vector_names
            .into_iter()
            .zip(updates)
            .map(|(name, update)| update.checked(name, &definitions))
            .collect();
        if let Some(on_demand) = &self.on_demand_throughput {
            on_demand.check("for table", Removal::Allowed)?;
        }
        if let Some(encryption) = &self.sse_specification {
            encryption.check()?;
        }
        let stream = self.stream_specification;
        Ok(ValidUpdateTable {
            table,
            attributes: definitions.into_attributes(),
            billing_mode,
            throughput,
            index_updates,
            vector_updates: vector_updates?,
            stream: stream
                .map(|stream| stream.checked(StreamWords::UPDATE))
                .transpose()?,
            encryption: self.sse_specification,
            class,
            deletion_protection: self.deletion_protection_enabled,
            on_demand: self.on_demand_throughput,
            warm_throughput: self.warm_throughput,
        })
    }

    /// Gives back one name per update of a global index and of a vector index; the names are names only if the constraints hold.
    fn constrain(&self) -> Result<(UpdatedNames, UpdatedNames), Error> {
        const VECTORS: Path<'static> = Path::Root("vectorIndexUpdates");
        const UPDATES: Path<'static> = Path::Root("globalSecondaryIndexUpdates");
        let mut constraints = Constraints::default();
        let definitions = self.attribute_definitions.as_deref().unwrap_or_default();
        let path = Path::Root("attributeDefinitions");
        constrain_definitions(definitions, &mut constraints, path);
        let path = Path::Root("provisionedThroughput");
        ProvisionedThroughput::constrain(&self.provisioned_throughput, &mut constraints, path);
        constraints.choice(Path::Root("billingMode"), &self.billing_mode);
        let updates = self
            .global_secondary_index_updates
            .iter()
            .flatten()
            .enumerate();
        let names = updates
            .map(|(at, update)| update.constrain(&mut constraints, UPDATES.element(at)))
            .collect();
        let updates = self.vector_index_updates.iter().flatten().enumerate();
        let vectors = updates
            .map(|(at, update)| update.constrain(&mut constraints, VECTORS.element(at)))
            .collect();
        StreamSpecification::constrain(&self.stream_specification, &mut constraints);
        SseSpecification::constrain(&self.sse_specification, &mut constraints);
        constraints.finish(Some((names, vectors)))
    }

    /// Most changes have to be asked for one at a time.
    fn check_combination(&self) -> Result<(), Error> {
        let updates = self.global_secondary_index_updates.as_deref();
        let throughput = self.provisioned_throughput.is_some() || self.billing_mode.is_some();
        let vectors = self.vector_index_updates.iter().flatten().count() > 0;
        let indexes = vectors || updates.is_some_and(|updates| !updates.is_empty());
        let stream = self.stream_specification.is_some();
        let on_demand = self.on_demand_throughput.is_some();
        let alone = [
            (
                self.sse_specification.is_some(),
                wording::ENCRYPTION_NOT_ALONE,
            ),
            (self.table_class.is_some(), wording::TABLE_CLASS_NOT_ALONE),
            (
                self.deletion_protection_enabled.is_some(),
                wording::DELETION_PROTECTION_NOT_ALONE,
            ),
            (
                self.warm_throughput.is_some(),
                wording::WARM_THROUGHPUT_NOT_ALONE,
            ),
        ];
        let given = [throughput, indexes, stream, on_demand]
            .into_iter()
            .chain(alone.iter().map(|(given, _)| *given))
            .filter(|given| *given)
            .count();
        if given == 0 {
            return Err(Error::validation(wording::NOTHING_TO_UPDATE));
        }
        if let Some((_, rule)) = alone.iter().find(|(is_given, _)| *is_given && given > 1) {
            return Err(Error::validation(rule));
        }
        if throughput && stream {
            return Err(Error::validation(wording::STREAM_WITH_THROUGHPUT));
        }
        let changes = updates
            .unwrap_or_default()
            .iter()
            .any(|update| update.changes_the_set())
            || vectors;
        if changes && throughput {
            return Err(Error::validation(wording::INDEX_WITH_THROUGHPUT));
        }
        if changes && stream {
            return Err(Error::validation(wording::INDEX_WITH_STREAM));
        }
        if on_demand && (indexes || stream) {
            return Err(Error::validation(wording::ON_DEMAND_NOT_ALONE));
        }
        if updates.is_some_and(<[_]>::is_empty) {
            return Err(Error::validation(wording::EMPTY_INDEX_UPDATES));
        }
        Ok(())
    }

    fn refuse_unsupported(&self) -> Result<(), Error> {
        refused::unsupported(&[
            ("ReplicaUpdates", self.replica_updates),
            ("MultiRegionConsistency", self.multi_region_consistency),
            (
                "GlobalTableWitnessUpdates",
                self.global_table_witness_updates,
            ),
            (
                "GlobalTableSettingsReplicationMode",
                self.global_table_settings_replication_mode,
            ),
            (
                "DisassociationProtectionEnabled",
                self.disassociation_protection_enabled,
            ),
        ])
    }
}

/// The names of the indexes of updates, where an update names one.
type UpdatedNames = Vec<Option<IndexName>>;

/// The new units, as far as they can be judged without knowing how the table is paid for now.
fn throughput(
    mode: Option<BillingMode>,
    given: Option<ProvisionedThroughput>,
) -> Result<Option<Throughput>, Error> {
    match (mode, given) {
        (Some(BillingMode::PayPerRequest), Some(_)) => {
            Err(Error::validation(wording::UNITS_WHEN_ON_DEMAND))
        }
        (Some(BillingMode::Provisioned), None) => {
            Err(Error::validation(wording::UNITS_REQUIRED_FOR_UPDATE))
        }
        (Some(BillingMode::Provisioned) | None, Some(given)) => given.checked().map(Some),
        (Some(BillingMode::PayPerRequest) | None, None) => Ok(None),
    }
}

fn index_updates(
    names: Vec<Option<IndexName>>,
    updates: Vec<GlobalSecondaryIndexUpdate>,
    definitions: &Definitions,
) -> Result<Vec<IndexUpdate>, Error> {
    let mut seen = BTreeSet::new();
    let mut checked = Vec::with_capacity(updates.len());
    for (name, update) in names.into_iter().zip(updates) {
        let update = update.checked(name, definitions)?;
        if !seen.insert(update.name().clone()) {
            return Err(Error::validation(wording::index_updated_twice(
                update.name(),
            )));
        }
        checked.push(update);
    }
    Ok(checked)
}
