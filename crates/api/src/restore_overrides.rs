//! What a restored table has other than the table that it was.

use crate::billing::{BillingMode, OnDemandThroughput, ProvisionedThroughput, Removal, Throughput};
use crate::choice::Chosen;
use crate::constraint::{Constraints, Path};
use crate::encryption::SseSpecification;
use crate::key_schema::KeySchemaElement;
use crate::secondary_index::{GlobalSecondaryIndex, LocalSecondaryIndex};
use crate::vector_index::VectorIndex;
use crate::{Error, IndexName, ProjectedAttributes, wording};

/// The members of a request to restore, as they were given.
#[derive(Default)]
pub(crate) struct RestoreOverrides {
    pub(crate) billing_mode: Option<Chosen<BillingMode>>,
    pub(crate) global_indexes: Option<Vec<GlobalSecondaryIndex>>,
    pub(crate) local_indexes: Option<Vec<LocalSecondaryIndex>>,
    pub(crate) vector_indexes: Option<Vec<VectorIndex>>,
    pub(crate) throughput: Option<ProvisionedThroughput>,
    pub(crate) on_demand: Option<OnDemandThroughput>,
    pub(crate) encryption: Option<SseSpecification>,
}

/// What a restored table has other than its source, checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidRestoreOverrides {
    /// How it is paid for.
    pub billing_mode: Option<BillingMode>,
    /// Its units per second.
    pub throughput: Option<Throughput>,
    /// The most it may use when it is paid by use.
    pub on_demand: Option<OnDemandThroughput>,
    /// The global secondary indexes that it keeps; all of them without.
    pub global_indexes: Option<Vec<RestoredIndex>>,
    /// The local secondary indexes that it keeps; all of them without.
    pub local_indexes: Option<Vec<RestoredIndex>>,
    /// The vector indexes that it keeps, as they were given; all of them without.
    pub vector_indexes: Option<Vec<VectorIndex>>,
    /// How it is encrypted.
    pub encryption: Option<SseSpecification>,
}

/// An index that a restored table keeps. It must be one of the source.
#[derive(Clone, Debug, PartialEq)]
pub struct RestoredIndex {
    /// Its name.
    pub name: IndexName,
    /// Its key.
    pub key: Vec<KeySchemaElement>,
    /// Which attributes it holds.
    pub projection: ProjectedAttributes,
    /// Its units per second; those of the source without.
    pub throughput: Option<Throughput>,
    /// The most it may use when the table is paid by use.
    pub on_demand: Option<OnDemandThroughput>,
}

/// The names of the indexes, in the order of the request.
pub(crate) struct IndexNames {
    global: Vec<IndexName>,
    local: Vec<IndexName>,
}

impl RestoreOverrides {
    /// Checks the constraints of all members.
    pub(crate) fn constrain(&self, constraints: &mut Constraints) -> IndexNames {
        const GLOBAL: Path<'static> = Path::Root("globalSecondaryIndexOverride");
        const LOCAL: Path<'static> = Path::Root("localSecondaryIndexOverride");
        const VECTORS: Path<'static> = Path::Root("vectorIndexOverride");
        constraints.choice(Path::Root("billingModeOverride"), &self.billing_mode);
        let global = self.global_indexes.iter().flatten().enumerate();
        let global =
            global.filter_map(|(at, index)| index.constrain(constraints, GLOBAL.element(at)));
        let global = global.collect();
        let local = self.local_indexes.iter().flatten().enumerate();
        let local = local.filter_map(|(at, index)| index.constrain(constraints, LOCAL.element(at)));
        let local = local.collect();
        let vectors = self.vector_indexes.iter().flatten().enumerate();
        for (at, index) in vectors {
            index.constrain(constraints, VECTORS.element(at));
        }
        let path = Path::Root("provisionedThroughputOverride");
        ProvisionedThroughput::constrain(&self.throughput, constraints, path);
        if let Some(encryption) = &self.encryption {
            let path = Path::Root("sseSpecificationOverride");
            constraints.choice(path.field("sseType"), &encryption.sse_type);
        }
        IndexNames { global, local }
    }

    /// The overrides, once their constraints hold.
    pub(crate) fn checked(self, names: IndexNames) -> Result<ValidRestoreOverrides, Error> {
        let billing_mode = self.billing_mode.as_ref().and_then(Chosen::known);
        let throughput = self.throughput.map(|units| units.checked()).transpose()?;
        if billing_mode == Some(BillingMode::Provisioned) && throughput.is_none() {
            return Err(Error::validation(wording::RESTORE_WITHOUT_UNITS));
        }
        if let Some(on_demand) = &self.on_demand {
            on_demand.check("", Removal::Allowed)?;
        }
        if let Some(encryption) = &self.encryption {
            encryption.check()?;
        }
        let global = self
            .global_indexes
            .map(|indexes| names.global.into_iter().zip(indexes).map(global).collect());
        let local = self
            .local_indexes
            .map(|indexes| names.local.into_iter().zip(indexes).map(local).collect());
        Ok(ValidRestoreOverrides {
            billing_mode,
            throughput,
            on_demand: self.on_demand,
            global_indexes: global.transpose()?,
            local_indexes: local.transpose()?,
            vector_indexes: self.vector_indexes,
            encryption: self.encryption,
        })
    }
}

fn global((name, index): (IndexName, GlobalSecondaryIndex)) -> Result<RestoredIndex, Error> {
    let throughput = index.provisioned_throughput;
    Ok(RestoredIndex {
        name,
        key: index.key_schema.unwrap_or_default(),
        projection: index.projection.unwrap_or_default().checked()?,
        throughput: throughput.map(|units| units.checked()).transpose()?,
        on_demand: index.on_demand_throughput,
    })
}

fn local((name, index): (IndexName, LocalSecondaryIndex)) -> Result<RestoredIndex, Error> {
    Ok(RestoredIndex {
        name,
        key: index.key_schema.unwrap_or_default(),
        projection: index.projection.unwrap_or_default().checked()?,
        throughput: None,
        on_demand: None,
    })
}
