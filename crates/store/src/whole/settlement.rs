//! Templates that no row of a store has any more, forgotten.

use crate::address;
use crate::address::Address;
use crate::address::tenant_ids;
use crate::error::Error;
use crate::operation::Options;
use crate::record::{self, Decoded};
use crate::scope::Scope;
use crate::store::Store;
use crate::store_item::{Recorded, TENANT, Templates, may_be_of};
use monotable_item::Item;
use monotable_model::model::{Entity, TableId};
use std::collections::BTreeMap;

/// What a scan looks for: names whose rows may have other templates than the model's.
struct Outdated {
    recorded: Recorded,
    templates: Templates,
    /// The items that still have another one: how many, and the first.
    left: BTreeMap<String, (u64, Address)>,
}

impl Store {
    /// Records that all rows have the templates of the model, as far as no item has any other one left, in any tenant.
    /// What is left is said.
    pub(super) async fn settle_templates(&self) -> Result<Vec<String>, Error> {
        let templates = Templates::new(self.model());
        let Some(mut recorded) = self.recorded_templates().await? else {
            return Ok(Vec::new());
        };
        recorded.retain(|name, known| {
            let written = templates.0.get(name);
            written.is_some_and(|written| known.iter().any(|old| *old != written.text))
        });
        if recorded.is_empty() {
            return Ok(Vec::new());
        }
        let mut outdated = Outdated {
            recorded,
            templates,
            left: BTreeMap::new(),
        };
        let mut scopes = BTreeMap::new();
        let whole = self.scope_of_whole_tables();
        for table in self.model().stored_tables() {
            self.scan(table, |item| {
                if let Some(address) = whole.addressing().locate_item(table, &item)
                    && !address::is_reserved(address.partition_key())
                {
                    let scope = self.scope_of_partition(address.partition_key(), &mut scopes);
                    outdated.judge(scope, table, address, &item);
                }
                Ok(())
            })
            .await?;
        }
        for (name, known) in &outdated.recorded {
            if let (None, Some(written)) = (outdated.left.get(name), outdated.templates.0.get(name))
            {
                self.replace_templates(name, known, &written.text).await?;
            }
        }
        Ok(outdated.describe())
    }

    /// The scope of the tenant whose partition key this is.
    fn scope_of_partition<'s>(
        &self,
        hash: &str,
        scopes: &'s mut BTreeMap<Option<String>, Scope>,
    ) -> &'s Scope {
        let tenant = self.model().tenant.as_ref();
        let id = tenant.and_then(|tenant| {
            let named = tenant_ids(tenant, hash).into_iter().next();
            named.or_else(|| tenant.bare.clone())
        });
        scopes.entry(id.clone()).or_insert_with(|| match id {
            Some(id) => self.tenant(id).scope(&Options::default()),
            None => self.scope(&Options::default()),
        })
    }
}

impl Outdated {
    /// Notes an item that has another template than that of the model.
    fn judge(&mut self, scope: &Scope, table: TableId, address: Address, item: &Item) {
        match record::decode(scope.compiled(), table, scope.addressing().prefix(), item) {
            Decoded::Row { record, layout } => {
                let entity = scope.entity(record.entity);
                if layout.is_some() {
                    self.note(&entity.name.value, &address);
                }
                for name in self.stale_indexes(scope, entity, table, item) {
                    self.note(&name, &address);
                }
            }
            Decoded::Unknown(_) => self.judge_unknown(&address),
        }
    }

    /// An item that the model does not know may be one of the old template.
    fn judge_unknown(&mut self, address: &Address) {
        let is_of = |text: &str| may_be_of(text, address.partition_key(), address.sort_key());
        let mut names = Vec::new();
        for (name, known) in &self.recorded {
            let Some(written) = self.templates.0.get(name) else {
                continue;
            };
            let is_guard = name.contains(".unique.");
            let is_index = name.contains('.') && !is_guard;
            let old = known.iter().any(|old| *old != written.text && is_of(old));
            if name == TENANT || (old && !is_index && !(is_guard && is_of(&written.text))) {
                names.push(name.clone());
            }
        }
        for name in names {
            self.note(&name, address);
        }
    }

    /// The indexes in which a row stands under another key than the model gives it.
    fn stale_indexes(
        &self,
        scope: &Scope,
        entity: &Entity,
        table: TableId,
        item: &Item,
    ) -> Vec<String> {
        let name = &entity.name.value;
        let indexes = scope.model().table(table).indexes.iter();
        let outdated = indexes.filter(|index| {
            let name = format!("{name}.{}", index.name.value);
            self.recorded.contains_key(&name)
        });
        let Some(wanted) = scope
            .decode(table, item)
            .and_then(|record| scope.encode(&record).ok())
        else {
            return Vec::new();
        };
        let stale = outdated.filter(|index| {
            let mut names = index.attributes();
            names.any(|name| wanted.get(&name.value) != item.get(&name.value))
        });
        stale
            .map(|index| format!("{name}.{}", index.name.value))
            .collect()
    }

    fn note(&mut self, name: &str, address: &Address) {
        if self.recorded.contains_key(name) {
            let left = self.left.entry(name.to_owned());
            left.or_insert_with(|| (0, address.clone())).0 += 1;
        }
    }

    fn describe(&self) -> Vec<String> {
        let left = self.left.iter().map(|(name, (count, first))| {
            let items = if *count == 1 { "item stands" } else { "items stand" };
            format!("the old template of `{name}`: {count} {items} under it, or may; the first is {first}")
        });
        left.collect()
    }
}
