//! Which partitions a caller may touch: every request is held against them before it is sent.
//!
//! What the model's `[isolation]` says is decided here for all requests alike, so that no operation can forget it. The
//! same rule as an IAM policy is printed by `monotable export iam-policy`.

use crate::address::{Address, Owner, Partition};
use crate::circumstances::Circumstances;
use crate::request::Touched;
use crate::template;
use monotable_item::Item;
use monotable_model::model::{Isolation, Model};

/// Partition keys, and how they may begin.
#[derive(Clone, Debug, Default)]
pub(crate) struct Partitions {
    /// Before every partition key of the tenant.
    prefix: String,
    /// A key, or, if the flag says so, the beginning of one.
    keys: Vec<(String, bool)>,
}

impl Partitions {
    /// Those of the caller. What cannot be said for want of an attribute is nothing.
    pub(crate) fn new(model: &Model, isolation: &Isolation, circumstances: &Circumstances) -> Self {
        let keys = isolation.partitions.iter().filter_map(|template| {
            let text = template::render(model, &Item::new(), template, circumstances)?;
            Some((text, template.open_end))
        });
        Self {
            prefix: circumstances.tenant_prefix(model).to_owned(),
            keys: keys.collect(),
        }
    }

    pub(crate) fn allow(&self, hash: &str) -> bool {
        let Some(key) = hash.strip_prefix(self.prefix.as_str()) else {
            return false;
        };
        self.keys.iter().any(|(own, open)| {
            if *open {
                key.starts_with(own.as_str())
            } else {
                key == own
            }
        })
    }

    /// Whether keys are the owner's because of how they begin.
    pub(crate) fn has_open(&self) -> bool {
        self.keys.iter().any(|(_, open)| *open)
    }

    /// The keys that are whole.
    pub(crate) fn whole(&self) -> impl Iterator<Item = String> {
        let whole = self.keys.iter().filter(|(_, open)| !open);
        whole.map(|(key, _)| format!("{}{key}", self.prefix))
    }
}

/// Lets the requests of a caller through that touch nothing else.
#[derive(Debug)]
pub(crate) struct PartitionGate {
    partitions: Partitions,
}

impl PartitionGate {
    pub(crate) const fn new(partitions: Partitions) -> Self {
        Self { partitions }
    }

    /// The first partition that a request touches and the caller may not.
    pub(crate) fn find_refused(&self, touched: &Touched<'_>) -> Option<String> {
        match touched {
            Touched::Item(address) => self.refuse_item(address),
            Touched::Items(addresses) => {
                let mut addresses = addresses.iter();
                addresses.find_map(|address| self.refuse_item(address))
            }
            Touched::Partition(partition) => self.refuse_partition(partition),
            Touched::Partitions(partitions) => {
                let mut partitions = partitions.iter();
                partitions.find_map(|partition| self.refuse_partition(partition))
            }
            Touched::WholeTable => Some("a whole table".to_owned()),
        }
    }

    fn refuse_item(&self, address: &Address) -> Option<String> {
        let key = address.partition_key();
        (!self.allows(address.owner(), key)).then(|| key.to_owned())
    }

    fn refuse_partition(&self, partition: &Partition) -> Option<String> {
        let key = partition.key_text();
        (!self.allows(partition.owner(), &key)).then_some(key)
    }

    /// The store's own items are nobody's, and no caller can name them.
    fn allows(&self, owner: Owner, partition_key: &str) -> bool {
        owner == Owner::Reserved || self.partitions.allow(partition_key)
    }
}
