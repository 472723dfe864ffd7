//! Who calls.

use monotable_item::Item;
use monotable_store::{RequestFacts, Store};

/// Who calls, as it was proved or as the machine's own programs say.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    /// What tells callers apart whose requests are counted.
    pub(crate) account: String,
    /// Whose rights are asked.
    pub(crate) role: Role,
    /// Whose rows are meant; none where the model has no tenants, or where the tenant without a prefix is meant.
    pub(crate) tenant: Option<String>,
    /// Whether it is believed who it says that it calls for, and from where.
    pub(crate) forwarding: Forwarding,
}

/// Whether a caller is believed what it says of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Forwarding {
    Believed,
    Ignored,
}

/// Whose rights are asked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Role {
    /// Nobody's: the program itself calls.
    Program,
    /// Those of a principal of the model.
    Principal(Item),
}

impl Caller {
    /// A call's name as the store knows it. The store keeps names of principals apart, and takes all programs for one; two keys of
    /// programs know nothing of each other's names. An empty name stays one, and is refused.
    pub(crate) fn name_call(&self, name: String) -> String {
        if self.role == Role::Program && !name.is_empty() {
            format!("{}\n{name}", self.account)
        } else {
            name
        }
    }

    /// The store as this caller sees it.
    pub(crate) fn enter(&self, store: &Store, facts: RequestFacts) -> Store {
        let store = match &self.role {
            Role::Program => store.clone(),
            Role::Principal(principal) => store.as_principal(principal.clone()),
        };
        let store = match &self.tenant {
            None => store,
            Some(tenant) => store.tenant(tenant.clone()),
        };
        store.with_request(facts)
    }
}
