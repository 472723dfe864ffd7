//! What a request asks for: which actions on which resources, with which keys and attributes.
//!
//! - `item_access.rs`: one action on items of one table or index, with everything that conditions can ask about;
//! - `items.rs`, `pages.rs`, `batches.rs`, `statements.rs`: the operations on items, as such accesses;
//! - `resources.rs`: all other operations, which are an action on a resource and nothing else;
//! - `keys.rs`: where the partition keys of an access stand in the request.

mod batches;
mod item_access;
mod items;
mod keys;
mod pages;
mod resources;
mod statements;

use crate::access::Access;
use crate::scope::{Resource, Scope};
use crate::table_keys::TableKeys;
use item_access::ItemAccess;
use monotable_api::{Error, Request};
use resources::ResourceAccess;
use std::collections::BTreeSet;

/// What a request asks for.
#[derive(Clone, Debug)]
pub struct Demand {
    items: Vec<ItemAccess>,
    resources: Vec<ResourceAccess>,
}

impl Demand {
    /// What a request asks for. A request that AWS would refuse whatever the tables are is refused in its words: what it
    /// asks for is not known, and nobody is going to do it.
    pub fn new(request: &Request) -> Result<Self, Error> {
        Ok(match items::accesses(request)? {
            Some(items) => Self {
                items,
                resources: Vec::new(),
            },
            None => Self {
                items: Vec::new(),
                resources: resources::accesses(request)?,
            },
        })
    }

    /// The tables whose keys must be known to tell which partitions the request is about.
    pub fn tables(&self) -> BTreeSet<&str> {
        let with_keys = self.items.iter().filter(|access| access.keys.is_some());
        with_keys.map(|access| access.table.as_str()).collect()
    }

    /// The accesses, given the keys of tables. Of a table that does not exist, no partition is named.
    pub fn accesses<'k>(
        &self,
        scope: &Scope,
        keys: impl Fn(&str) -> Option<&'k TableKeys>,
    ) -> Vec<Access> {
        let items = self.items.iter();
        let items = items.flat_map(|access| access.resolve(scope, keys(access.table.as_str())));
        let resources = self.resources.iter().map(|access| access.resolve(scope));
        items.chain(resources).collect()
    }
}

impl ResourceAccess {
    fn resolve(&self, scope: &Scope) -> Access {
        Access {
            action: self.action,
            resource: self.resource.arn(scope),
            ..Access::default()
        }
    }
}

impl ItemAccess {
    /// One access for each value that the request may return: a rule about one of them must not be evaded by the other.
    fn resolve(&self, scope: &Scope, table: Option<&TableKeys>) -> Vec<Access> {
        let access = self.resolve_place(scope, table);
        if self.return_values.is_empty() {
            return vec![access];
        }
        let values = self.return_values.iter();
        let accesses = values.map(|value| Access {
            return_values: Some(value),
            ..access.clone()
        });
        accesses.collect()
    }

    fn resolve_place(&self, scope: &Scope, table: Option<&TableKeys>) -> Access {
        let index = self.index.as_deref();
        let names = table.and_then(|table| table.find(index));
        let found = match (&self.keys, names) {
            (Some(keys), Some(names)) => keys.resolve(names),
            (Some(keys), None) => keys.unresolved(),
            (None, _) => keys::Found::default(),
        };
        Access {
            action: self.action,
            resource: Resource::table_or_index(&self.table, index).arn(scope),
            partitions: found.partitions,
            attributes: self.attributes.clone(),
            select: self.select,
            return_values: None,
            return_consumed_capacity: self.return_consumed_capacity,
            full_table_scan: found.full_table_scan,
            enclosing_operation: self.enclosing_operation,
        }
    }
}
