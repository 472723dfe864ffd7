//! What UpdateTable does with global secondary indexes.

use crate::billing::{
    OnDemandThroughput, ProvisionedThroughput, Removal, Throughput, WarmThroughput,
};
use crate::constraint::{Constraints, Path};
use crate::key_schema::Definitions;
use crate::secondary_index::{GlobalSecondaryIndex, ValidGlobalIndex};
use crate::structure::structure;
use crate::{Error, IndexName, wording};

structure! {
    /// One change: exactly one of the members.
    pub struct GlobalSecondaryIndexUpdate {
        /// Changes an index.
        update: UpdateGlobalSecondaryIndexAction,
        /// Creates an index.
        create: GlobalSecondaryIndex,
        /// Removes an index.
        delete: DeleteGlobalSecondaryIndexAction,
    }

    /// Changes an index.
    pub struct UpdateGlobalSecondaryIndexAction {
        /// Its name.
        index_name: String,
        /// Its new units per second.
        provisioned_throughput: ProvisionedThroughput,
        /// The most it may use when it is paid by use.
        on_demand_throughput: OnDemandThroughput,
        /// What it can take at once.
        warm_throughput: WarmThroughput,
    }

    /// Removes an index.
    pub struct DeleteGlobalSecondaryIndexAction {
        /// Its name.
        index_name: String,
    }
}

/// One change, checked.
#[derive(Clone, Debug, PartialEq)]
pub enum IndexUpdate {
    /// Creates this index.
    Create(ValidGlobalIndex),
    /// Changes an index.
    Update {
        /// Its name.
        name: IndexName,
        /// Its new units per second.
        throughput: Option<Throughput>,
        /// The most it may use when it is paid by use.
        on_demand: Option<OnDemandThroughput>,
    },
    /// Removes an index.
    Delete {
        /// Its name.
        name: IndexName,
    },
}

impl IndexUpdate {
    /// The index.
    pub const fn name(&self) -> &IndexName {
        match self {
            Self::Create(index) => &index.name,
            Self::Update { name, .. } | Self::Delete { name } => name,
        }
    }
}

impl GlobalSecondaryIndexUpdate {
    /// Creates this index.
    pub fn create(index: GlobalSecondaryIndex) -> Self {
        Self {
            create: Some(index),
            ..Self::default()
        }
    }

    /// Gives an index these units per second.
    pub fn provision(name: impl Into<String>, read: i64, write: i64) -> Self {
        let update = UpdateGlobalSecondaryIndexAction {
            index_name: Some(name.into()),
            provisioned_throughput: Some(ProvisionedThroughput::new(read, write)),
            ..UpdateGlobalSecondaryIndexAction::default()
        };
        Self {
            update: Some(update),
            ..Self::default()
        }
    }

    /// Removes an index.
    pub fn delete(name: impl Into<String>) -> Self {
        let delete = DeleteGlobalSecondaryIndexAction {
            index_name: Some(name.into()),
        };
        Self {
            delete: Some(delete),
            ..Self::default()
        }
    }

    /// Whether there is an index more or less afterwards.
    pub(crate) const fn changes_the_set(&self) -> bool {
        self.create.is_some() || self.delete.is_some()
    }

    /// Checks the constraints of the members of every change that is there. The name is a name only
    /// if they hold.
    pub(crate) fn constrain(
        &self,
        constraints: &mut Constraints,
        path: Path<'_>,
    ) -> Option<IndexName> {
        let mut name = None;
        if let Some(update) = &self.update {
            let path = path.field("update");
            name = IndexName::require(constraints, path.field("indexName"), &update.index_name);
            let path = path.field("provisionedThroughput");
            ProvisionedThroughput::constrain(&update.provisioned_throughput, constraints, path);
        }
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
    ) -> Result<IndexUpdate, Error> {
        let Some(name) = name else {
            return Err(Error::validation(wording::NO_INDEX_ACTION));
        };
        match (self.update, self.create, self.delete) {
            (Some(update), None, None) => update.checked(name),
            (None, Some(create), None) => {
                if definitions.len() == 0 {
                    return Err(Error::validation(wording::index_without_definitions(&name)));
                }
                create.checked(name, definitions).map(IndexUpdate::Create)
            }
            (None, None, Some(_)) => Ok(IndexUpdate::Delete { name }),
            (None, None, None) => Err(Error::validation(wording::NO_INDEX_ACTION)),
            _ => Err(Error::validation(wording::TWO_INDEX_ACTIONS)),
        }
    }
}

impl UpdateGlobalSecondaryIndexAction {
    fn checked(self, name: IndexName) -> Result<IndexUpdate, Error> {
        if let Some(on_demand) = &self.on_demand_throughput {
            on_demand.check(&format!("for index : {name}"), Removal::Allowed)?;
        }
        let throughput = self
            .provisioned_throughput
            .map(|units| units.checked())
            .transpose()?;
        Ok(IndexUpdate::Update {
            name,
            throughput,
            on_demand: self.on_demand_throughput,
        })
    }
}
