//! A table's definition as it is kept: one row of JSON in the meta space.
//!
//! Field names and meanings are part of the format on disk.

use super::origin::{Recovery, TableOrigin};
use super::stream::TableStream;
use super::table::{IndexId, IndexKind, TableId};
use super::vector::VectorDefinition;
use monotable_api::{
    Billing, KeyAttribute, OnDemandThroughput, ProjectedAttributes, ScalarAttributeType,
    SseSpecification, TableClass, Tag, Throughput, ValidKeySchema, WarmThroughput,
};
use serde::{Deserialize, Serialize};

/// Everything that is known of a table, and kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TableDefinition {
    pub(crate) id: TableId,
    pub(crate) name: String,
    /// The TableId of AWS: a UUID.
    pub(crate) uuid: String,
    /// Milliseconds since 1970.
    pub(crate) created: u64,
    pub(crate) key: KeyDefinition,
    pub(crate) indexes: Vec<IndexDefinition>,
    pub(crate) billing: BillingState,
    pub(crate) deletion_protection: bool,
    pub(crate) class: Option<TableClass>,
    pub(crate) encryption: Option<SseSpecification>,
    pub(crate) tags: Vec<Tag>,
    /// Stores from before have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) policy: Option<PolicyState>,
    pub(crate) warm_throughput: Option<WarmThroughput>,
    /// The attribute that says when items go by themselves. Stores from before have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) time_to_live: Option<String>,
    /// The stream that the table has or had last. Stores from before have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stream: Option<TableStream>,
    /// What it can be restored from. Stores from before have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) recovery: Option<Recovery>,
    /// What it is being filled from; none of a table that is whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) origin: Option<TableOrigin>,
}

/// A policy that is attached to a table or a stream. It is kept and answered, never enforced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PolicyState {
    pub(crate) document: String,
    pub(crate) revision: String,
}

impl PolicyState {
    /// A policy in the place of one that was there. Its revision is the time of the change, as at AWS; of two in one
    /// millisecond the second is later.
    pub(crate) fn new(document: String, known: Option<&Self>, now: u64) -> Self {
        let last = known.and_then(|known| known.revision.parse::<u64>().ok());
        let next = last.map_or(now, |last| now.max(last + 1));
        Self {
            document,
            revision: next.to_string(),
        }
    }
}

/// Key attributes with their types.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct KeyDefinition {
    hash: Vec<(String, ScalarAttributeType)>,
    range: Vec<(String, ScalarAttributeType)>,
}

impl From<&ValidKeySchema> for KeyDefinition {
    fn from(key: &ValidKeySchema) -> Self {
        let keep = |attributes: &[KeyAttribute]| {
            let pairs = attributes.iter();
            pairs
                .map(|key| (key.name.clone(), key.kind.into()))
                .collect()
        };
        Self {
            hash: keep(&key.hash),
            range: keep(&key.range),
        }
    }
}

impl From<&KeyDefinition> for ValidKeySchema {
    fn from(key: &KeyDefinition) -> Self {
        let read = |attributes: &[(String, ScalarAttributeType)]| {
            let keys = attributes.iter().map(|(name, kind)| KeyAttribute {
                name: name.clone(),
                kind: (*kind).into(),
            });
            keys.collect()
        };
        Self {
            hash: read(&key.hash),
            range: read(&key.range),
        }
    }
}

/// An index of a table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct IndexDefinition {
    pub(crate) id: IndexId,
    pub(crate) name: String,
    pub(crate) kind: IndexKind,
    pub(crate) key: KeyDefinition,
    pub(crate) projection: ProjectionDefinition,
    pub(crate) throughput: Option<ThroughputState>,
    pub(crate) on_demand: Option<OnDemandThroughput>,
    /// Of an index that the table was created with it is not written, as in stores from before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) added: Option<AddedIndex>,
    /// What makes it an index of vectors. Other indexes have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) vector: Option<VectorDefinition>,
}

/// What is at with an index that was added to a table, or is being removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum AddedIndex {
    /// It has the entries of everything that was written since, and gets those of older items in the background.
    Creating,
    /// It has all entries. Items that it cannot take may be in the table, and have none.
    Active,
    /// Its entries are being removed, and no write adds any.
    Deleting,
}

/// Which attributes an index holds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum ProjectionDefinition {
    All,
    KeysOnly,
    Include(Vec<String>),
}

impl From<&ProjectedAttributes> for ProjectionDefinition {
    fn from(projection: &ProjectedAttributes) -> Self {
        match projection {
            ProjectedAttributes::All => Self::All,
            ProjectedAttributes::KeysOnly => Self::KeysOnly,
            ProjectedAttributes::Include(names) => Self::Include(names.clone()),
        }
    }
}

impl From<&ProjectionDefinition> for ProjectedAttributes {
    fn from(projection: &ProjectionDefinition) -> Self {
        match projection {
            ProjectionDefinition::All => Self::All,
            ProjectionDefinition::KeysOnly => Self::KeysOnly,
            ProjectionDefinition::Include(names) => Self::Include(names.clone()),
        }
    }
}

/// Units per second. They are described, never enforced: this is one machine's own disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ThroughputState {
    pub(crate) read: u64,
    pub(crate) write: u64,
}

impl From<Throughput> for ThroughputState {
    fn from(units: Throughput) -> Self {
        Self {
            read: units.read,
            write: units.write,
        }
    }
}

/// How a table is paid for, and what AWS remembers of changes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct BillingState {
    /// None when it is paid by use.
    pub(crate) provisioned: Option<ThroughputState>,
    pub(crate) on_demand: Option<OnDemandThroughput>,
    /// When it was last switched to being paid by use, in milliseconds since 1970.
    pub(crate) on_demand_since: Option<u64>,
    /// When the units were last raised.
    pub(crate) raised: Option<u64>,
    /// When the units were last lowered.
    pub(crate) lowered: Option<u64>,
}

impl BillingState {
    /// The billing of a table that is created at `now`.
    pub(crate) fn new(billing: Billing, now: u64) -> Self {
        let (provisioned, on_demand, on_demand_since) = match billing {
            Billing::OnDemand(limits) => (None, limits, Some(now)),
            Billing::Provisioned(units) => (Some(units.into()), None, None),
        };
        Self {
            provisioned,
            on_demand,
            on_demand_since,
            raised: None,
            lowered: None,
        }
    }

    /// The same after a change at `now`.
    pub(crate) fn changed(&self, billing: Billing, now: u64) -> Self {
        match billing {
            Billing::OnDemand(limits) => Self {
                provisioned: None,
                on_demand: limits,
                on_demand_since: match self.provisioned {
                    Some(_) => Some(now),
                    None => self.on_demand_since,
                },
                ..self.clone()
            },
            Billing::Provisioned(units) => self.provisioned_anew(units.into(), now),
        }
    }

    fn provisioned_anew(&self, units: ThroughputState, now: u64) -> Self {
        let before = self
            .provisioned
            .unwrap_or(ThroughputState { read: 0, write: 0 });
        let raised = units.read > before.read || units.write > before.write;
        let lowered = units.read < before.read || units.write < before.write;
        Self {
            provisioned: Some(units),
            on_demand: None,
            on_demand_since: self.on_demand_since,
            raised: if raised { Some(now) } else { self.raised },
            lowered: if lowered { Some(now) } else { self.lowered },
        }
    }
}
