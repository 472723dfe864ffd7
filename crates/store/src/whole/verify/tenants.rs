//! Whose an item is. Rows of all tenants stand in one table, and each is read in the scope of its own.

use crate::address::{Address, tenant_ids};
use crate::caller::tenant_names;
use crate::operation::Options;
use crate::read::{RowTenant, tenant_of_row};
use crate::record::{self, Decoded, Record, StoredRow};
use crate::scope::Scope;
use crate::store::Store;
use monotable_item::{AttributeValue, EncodedItem, Item};
use monotable_model::model::{KeyPlace, Part, Root, Source, TableId, Tenant};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How many scopes are kept: a store may have more tenants than memory has room for.
const MOST_SCOPES: usize = 1024;

/// An item with its address and the scope of its tenant.
pub(in crate::whole) struct LocatedItem {
    pub(in crate::whole) scope: Arc<Scope>,
    pub(in crate::whole) address: Address,
    pub(in crate::whole) content: Content,
    /// Whether it is looked at: it is of the tenant that was named, or of none, or none was named.
    pub(in crate::whole) is_asked: bool,
}

/// What an item is.
pub(in crate::whole) enum Content {
    Row {
        record: Record,
        layout: Option<String>,
        says_tenant: bool,
    },
    Other,
}

/// The tenants of a store.
pub(in crate::whole) struct Tenants<'s> {
    store: &'s Store,
    /// The scope of rows without a prefix.
    bare: Arc<Scope>,
    known: BTreeMap<String, Arc<Scope>>,
    /// The tenant that was named.
    only: Option<String>,
    /// What stands before the tenant in keys that show it later than at their beginning.
    literals: Vec<String>,
}

impl<'s> Tenants<'s> {
    pub(in crate::whole) fn new(store: &'s Store) -> Self {
        let only = store.scope_of_whole_tables().circumstances.tenant.clone();
        let without = store.without_tenant();
        Self {
            bare: Arc::new(without.scope(&Options::default())),
            store,
            known: BTreeMap::new(),
            only,
            literals: tenant_literals(store),
        }
    }

    fn scope_of(&mut self, id: &str) -> Arc<Scope> {
        if let Some(known) = self.known.get(id) {
            return Arc::clone(known);
        }
        if self.known.len() >= MOST_SCOPES {
            self.known.clear();
        }
        let scope = Arc::new(self.store.tenant(id).scope_of_whole_tables());
        self.known.insert(id.to_owned(), Arc::clone(&scope));
        scope
    }

    /// Says where an item stands, whose it is and what it is. None: it has no key of its table.
    pub(in crate::whole) fn locate(&mut self, table: TableId, item: &Item) -> Option<LocatedItem> {
        let address = self.bare.addressing().locate_item(table, item)?;
        let store = self.store;
        let Some(tenant) = &store.model().tenant else {
            let scope = Arc::clone(&self.bare);
            let content = read(&scope, table, item, true);
            return Some(LocatedItem {
                scope,
                address,
                content,
                is_asked: true,
            });
        };
        let (scope, content, whose) = self.find_owner(tenant, &address, item);
        let is_asked = match (&self.only, whose) {
            (None, _) | (_, RowTenant::Nobody) => true,
            (Some(only), _) => scope.circumstances.tenant.as_ref() == Some(only),
        };
        Some(LocatedItem {
            scope,
            address,
            content,
            is_asked,
        })
    }

    fn find_owner(
        &mut self,
        tenant: &Tenant,
        address: &Address,
        item: &Item,
    ) -> (Arc<Scope>, Content, RowTenant) {
        let table = address.table();
        let prefixed = tenant_ids(tenant, address.partition_key());
        for id in &prefixed {
            let scope = self.scope_of(id);
            // Its own prefix says whose it is, whatever the row itself says.
            let content = read(&scope, table, item, true);
            if matches!(content, Content::Row { .. }) {
                return (scope, content, RowTenant::Own);
            }
        }
        let bare = Arc::clone(&self.bare);
        let content = read(&bare, table, item, true);
        let Content::Row { record, .. } = &content else {
            let scope = match prefixed.first() {
                Some(id) => self.scope_of(id),
                None => bare,
            };
            return (scope, Content::Other, RowTenant::Own);
        };
        match whose(&bare, address, record, item) {
            RowTenant::Own => return (bare, content, RowTenant::Own),
            RowTenant::Nobody => return (bare, content, RowTenant::Nobody),
            RowTenant::Unsaid | RowTenant::Other => {}
        }
        for id in self.named_tenants(tenant, address, record, item) {
            let scope = self.scope_of(&id);
            if let Some(content) = own_row(&scope, address, item) {
                return (scope, content, RowTenant::Own);
            }
        }
        let content = read(&bare, table, item, false);
        (bare, content, RowTenant::Unsaid)
    }

    /// The tenants that an item in a partition for all tenants may name.
    fn named_tenants(
        &self,
        tenant: &Tenant,
        address: &Address,
        record: &Record,
        item: &Item,
    ) -> Vec<String> {
        let model = self.store.model();
        let mut ids = Vec::new();
        for literal in &self.literals {
            if let Some(rest) = address.partition_key().strip_prefix(literal.as_str()) {
                ids.extend(tenant_ids(tenant, rest));
            }
        }
        for name in tenant_names(model.entity(record.entity)) {
            if let Some(AttributeValue::S(id)) = record.values.get(name) {
                ids.push(id.clone());
            }
        }
        for index in &model.table(address.table()).indexes {
            if let Some(AttributeValue::S(hash)) = item.get(&index.hash.value) {
                ids.extend(tenant_ids(tenant, hash));
            }
        }
        ids
    }
}

/// The item as a row of the scope's tenant; none if it is not.
fn own_row(scope: &Scope, address: &Address, item: &Item) -> Option<Content> {
    let content = read(scope, address.table(), item, true);
    match &content {
        Content::Row { record, .. } => {
            (whose(scope, address, record, item) == RowTenant::Own).then_some(content)
        }
        Content::Other => None,
    }
}

fn whose(scope: &Scope, address: &Address, record: &Record, item: &Item) -> RowTenant {
    let found = StoredRow {
        item: EncodedItem::from(item),
        record: record.clone(),
    };
    tenant_of_row(scope, address, &found)
}

impl Content {
    /// An item as a scope sees it.
    pub(in crate::whole) fn read(scope: &Scope, table: TableId, item: &Item) -> Self {
        read(scope, table, item, true)
    }

    /// Whether it is a row that says whose it is; what is no row belongs where it stands.
    pub(in crate::whole) const fn says_tenant(&self) -> bool {
        match self {
            Self::Row { says_tenant, .. } => *says_tenant,
            Self::Other => true,
        }
    }
}

fn read(scope: &Scope, table: TableId, item: &Item, says_tenant: bool) -> Content {
    let prefix = scope.addressing().prefix();
    match record::decode(scope.compiled(), table, prefix, item) {
        Decoded::Row { mut record, layout } => {
            record::upgrade(scope.model(), &mut record, &scope.circumstances);
            record::add_unwritten(scope.model(), &mut record, &scope.circumstances);
            Content::Row {
                record,
                layout,
                says_tenant,
            }
        }
        Decoded::Unknown(_) => Content::Other,
    }
}

/// The texts before the tenant in partition keys that show it.
fn tenant_literals(store: &Store) -> Vec<String> {
    let entities = store.model().stored();
    let keys = entities.flat_map(|(_, entity)| {
        let layouts = entity.layouts.iter().flat_map(|layout| &layout.keys);
        entity.keys.iter().chain(layouts)
    });
    let mut literals: Vec<String> = keys
        .filter(|key| key.place == KeyPlace::Primary)
        .filter_map(|key| match key.hash.parts.as_slice() {
            [Part::Literal(literal), Part::Field(field), ..] => {
                let mut sources = field.sources.iter();
                let of_tenant = sources.any(|source| {
                    matches!(
                        source,
                        Source::Path {
                            root: Some(Root::Tenant),
                            ..
                        }
                    )
                });
                of_tenant.then(|| literal.value.clone())
            }
            _ => None,
        })
        .collect();
    literals.sort();
    literals.dedup();
    literals
}
