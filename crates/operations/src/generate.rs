//! Rows that are made up: realistic, the same for the same seed, and obeying the model because they go through it.
//!
//! Rows refer to rows that were made before. A value that the model's kind does not allow is not given; what else the model
//! refuses is tried again with other values, and an entity that is refused again and again is given up and told of.

mod commit;
mod presence;
mod value;
mod words;

use crate::error::Error;
use crate::load::create_operation;
use commit::MadeHead;
use fastrand::Rng;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{
    Attribute, Default, Entity, EntityId, Model, Repository, Root, Source,
};
use monotable_store::{AnyOutput, ErrorKind, Options, Row, Store};
use presence::{Demand, demand, holds, is_conditional};
use std::collections::BTreeMap;
use value::ValueMaker;

/// So often an entity may be refused in a row until it is given up.
const MOST_REFUSALS: u32 = 120;
/// So often rows to refer to are chosen anew, until there are some that go together: two persons of one tree.
const MOST_CHOICES: u32 = 20;
/// So many rows of an entity are remembered, for others to refer to.
const MOST_REMEMBERED: usize = 2000;
/// The tenants of a model that has any.
const TENANTS: [&str; 3] = ["acme", "globex", "initech"];

/// What was made up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GenerateReport {
    /// Rows that were created, by entity.
    pub rows: BTreeMap<String, u64>,
    /// Entities of which there are none, or no more, with the reason.
    pub given_up: BTreeMap<String, String>,
}

impl GenerateReport {
    /// How many rows were created.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.rows.values().sum()
    }
}

/// Makes rows up.
pub struct Generator<'g> {
    store: &'g Store,
    random: Rng,
    values: ValueMaker,
    /// Rows that were made, by tenant and entity.
    made: BTreeMap<(usize, String), Vec<Item>>,
    /// Repositories that were begun, by tenant and name.
    heads: BTreeMap<(usize, String), Vec<MadeHead>>,
    refusals: BTreeMap<String, u32>,
    /// Why an entity was refused last.
    reasons: BTreeMap<String, String>,
    report: GenerateReport,
}

impl<'g> Generator<'g> {
    /// Makes rows up for a store; the same for the same seed, but for what the store itself makes of chance and time.
    #[must_use]
    pub fn new(store: &'g Store, seed: u64) -> Self {
        Self {
            store,
            random: Rng::with_seed(seed),
            values: ValueMaker::default(),
            made: BTreeMap::new(),
            heads: BTreeMap::new(),
            refusals: BTreeMap::new(),
            reasons: BTreeMap::new(),
            report: GenerateReport::default(),
        }
    }

    /// Creates so many rows, of every entity that rows are created of, and by commits those of repositories. A commit is not cut
    /// short, so there may be a few rows more.
    pub async fn generate(
        mut self,
        count: u64,
        watch: &(dyn Fn(u64) + Send + Sync),
    ) -> Result<GenerateReport, Error> {
        let model = self.store.model();
        let mut entities = Vec::new();
        for (id, entity) in model.stored() {
            if model.repository_of(id).is_none() && entity.writes.create {
                entities.push(id);
            }
        }
        while self.report.total() < count {
            let tenant = self.pick_tenant(model);
            if let Some(repository) = self.pick_repository(model, entities.len()) {
                self.make_commit(repository, tenant).await?;
                watch(self.report.total());
                continue;
            }
            let ready: Vec<EntityId> = entities
                .iter()
                .copied()
                .filter(|id| self.can_make(model, model.entity(*id), tenant))
                .collect();
            let Some(id) = self.pick_entity(model, &ready, tenant) else {
                let commits = model.repositories.iter();
                let mut commits = commits.filter(|known| self.can_commit(model, known));
                if commits.next().is_none() && self.note_unreachable(model, &entities) {
                    break;
                }
                continue;
            };
            self.make_row(model.entity(id), tenant).await?;
            watch(self.report.total());
        }
        // What was tried in vain until the end is told, too.
        for (entity, reason) in self.reasons {
            if !self.report.rows.contains_key(&entity) {
                self.report.given_up.entry(entity).or_insert(reason);
            }
        }
        Ok(self.report)
    }

    /// A repository that is committed to next; none if a row is created next. Every entity is as likely as any other, and
    /// repositories come after the rows that they may refer to.
    fn pick_repository<'m>(&mut self, model: &'m Model, others: usize) -> Option<&'m Repository> {
        let open = model.repositories.iter();
        let open: Vec<&Repository> = open.filter(|known| self.can_commit(model, known)).collect();
        let inside: usize = open.iter().map(|known| known.entities.len()).sum();
        if self.random.usize(..inside + others.max(1)) >= inside {
            return None;
        }
        self.random.choice(open)
    }

    fn pick_tenant(&mut self, model: &Model) -> usize {
        if model.tenant.is_some() {
            self.random.usize(..TENANTS.len())
        } else {
            0
        }
    }

    /// Every entity is as likely as any other, but those that there are none of come first.
    fn pick_entity(
        &mut self,
        model: &Model,
        ready: &[EntityId],
        tenant: usize,
    ) -> Option<EntityId> {
        let mut new = ready.iter().copied().filter(|id| {
            let name = &model.entity(*id).name.value;
            // One that was refused may have to wait for more rows of others: two persons for a couple.
            let is_refused = self.refusals.contains_key(name);
            !is_refused && !self.made.contains_key(&(tenant, name.clone()))
        });
        if let Some(first) = new.next() {
            return Some(first);
        }
        self.random.choice(ready.iter().copied())
    }

    /// Whether there are rows for everything that a new one must refer to.
    fn can_make(&self, model: &Model, entity: &Entity, tenant: usize) -> bool {
        let name = &entity.name.value;
        !self.report.given_up.contains_key(name)
            && entity.attributes.iter().all(|attribute| {
                let target = attribute.reference.as_ref();
                target.is_none_or(|reference| {
                    !attribute.must_be_given()
                        || reference.many
                        || reference.missing_warns
                        || self.has_rows(model, reference.target, tenant)
                })
            })
    }

    fn has_rows(&self, model: &Model, target: EntityId, tenant: usize) -> bool {
        let name = model.entity(target).name.value.clone();
        self.made.contains_key(&(tenant, name))
    }

    /// Says of entities that none can be made of because what they refer to is not there; whether there is nothing left to make.
    fn note_unreachable(&mut self, model: &Model, entities: &[EntityId]) -> bool {
        let tenants = if model.tenant.is_some() {
            TENANTS.len()
        } else {
            1
        };
        let mut is_over = true;
        for id in entities {
            let entity = model.entity(*id);
            if (0..tenants).any(|tenant| self.can_make(model, entity, tenant)) {
                is_over = false;
                continue;
            }
            let reason = "there is no row that it must refer to".to_owned();
            let given_up = &mut self.report.given_up;
            given_up.entry(entity.name.value.clone()).or_insert(reason);
        }
        is_over
    }

    async fn make_row(&mut self, entity: &Entity, tenant: usize) -> Result<(), Error> {
        let name = entity.name.value.clone();
        let mut tries = 0..MOST_CHOICES;
        let Some(values) = tries.find_map(|_| self.make_values(entity, tenant)) else {
            self.note_row_refusal(name, "there is no row that it must refer to".to_owned());
            return Ok(());
        };
        let store = self.store_of(tenant);
        let operation = create_operation(Some(entity), &name, values.clone());
        match store.run(operation, Options::default()).await {
            Ok(output) => {
                let row = match output {
                    AnyOutput::Row(Row { values, .. }) => values,
                    _ => values,
                };
                self.refusals.remove(&name);
                *self.report.rows.entry(name.clone()).or_default() += 1;
                self.remember(name, tenant, row);
                Ok(())
            }
            Err(error) if matches!(error.kind(), ErrorKind::Retryable | ErrorKind::Fatal) => {
                Err(Error::Store(error))
            }
            Err(error) => {
                self.note_row_refusal(name, error.to_string());
                Ok(())
            }
        }
    }

    /// An entity that is refused again and again is given up.
    fn note_row_refusal(&mut self, entity: String, reason: String) {
        let refusals = self.refusals.entry(entity.clone()).or_default();
        *refusals += 1;
        if *refusals >= MOST_REFUSALS {
            self.report.given_up.insert(entity, reason);
        } else {
            self.reasons.insert(entity, reason);
        }
    }

    fn store_of(&self, tenant: usize) -> Store {
        match (&self.store.model().tenant, TENANTS.get(tenant)) {
            (Some(_), Some(tenant)) => self.store.tenant(*tenant),
            _ => self.store.clone(),
        }
    }

    fn remember(&mut self, entity: String, tenant: usize, row: Item) {
        let rows = self.made.entry((tenant, entity)).or_default();
        if rows.len() < MOST_REMEMBERED {
            rows.push(row);
            return;
        }
        let place = self.random.usize(..rows.len());
        if let Some(old) = rows.get_mut(place) {
            *old = row;
        }
    }

    /// The values of a new row; none if there is no row that it must refer to. References come first: what a row shares with the one it
    /// refers to follows from them.
    fn make_values(&mut self, entity: &Entity, tenant: usize) -> Option<Item> {
        let mut values = Item::new();
        let keys: Vec<String> = entity
            .key_attributes()
            .into_iter()
            .map(str::to_owned)
            .collect();
        let (conditional, plain): (Vec<&Attribute>, Vec<&Attribute>) =
            entity.attributes.iter().partition(|it| is_conditional(it));
        for attribute in plain.iter().filter(|it| it.reference.is_some()) {
            if self.is_given(attribute) {
                self.refer(entity, attribute, tenant, &keys, &mut values);
            }
            let reference = attribute.reference.as_ref();
            let is_loose = reference.is_some_and(|known| known.many || known.missing_warns);
            if attribute.must_be_given() && !is_loose && values.get(&attribute.name.value).is_none()
            {
                return None;
            }
        }
        for attribute in plain.iter().filter(|it| it.reference.is_none()) {
            let is_key = keys.contains(&attribute.name.value);
            if is_key || self.is_given(attribute) {
                self.add_value(entity, attribute, &mut values);
            }
        }
        // What depends on other attributes is decided when those are there.
        for attribute in conditional {
            let is_given = match demand(attribute, &values) {
                Demand::Must => true,
                Demand::May => self.random.bool(),
                Demand::Never => keys.contains(&attribute.name.value),
            };
            if !is_given || attribute.is_set_by_the_store() {
                continue;
            }
            if attribute.reference.is_some() {
                self.refer(entity, attribute, tenant, &keys, &mut values);
            } else {
                self.add_value(entity, attribute, &mut values);
            }
        }
        Some(values)
    }

    /// Makes up the value of an attribute that is no reference, unless it is there already or somebody else's to say.
    fn add_value(&mut self, entity: &Entity, attribute: &Attribute, values: &mut Item) {
        let name = &attribute.name.value;
        // A row that is made up is not deleted, and does not expire if it need not.
        let mut buried = entity.tombstone.iter();
        let ttl = self.store.model().table(entity.table).ttl.as_ref();
        let is_expiry = ttl.is_some_and(|ttl| ttl.value == attribute.stored);
        // What the model makes itself is left to it; nobody calls, so what it takes from the caller is given.
        let is_made = attribute.generated.is_some() || attribute.default.is_some();
        if values.get(name).is_some()
            || is_made && !is_taken_from_caller(attribute)
            || is_expiry && !attribute.must_be_given()
            || attribute.is_set_by_the_store()
            || attribute.stamped && !is_taken_from_caller(attribute)
            || buried.any(|assignment| assignment.name.value == *name)
        {
            return;
        }
        if let Some(value) = self.values.make(&mut self.random, name, &attribute.kind) {
            values.insert(name.clone(), value);
        }
    }

    /// Whether an attribute that depends on no others is given: always if it must be, else as often as not.
    fn is_given(&mut self, attribute: &Attribute) -> bool {
        if attribute.is_set_by_the_store() {
            return false;
        }
        attribute.must_be_given()
            || is_taken_from_caller(attribute)
            || (attribute.default.is_none() && self.random.bool())
    }

    /// Refers to a row that there is, and takes over what both rows agree on.
    fn refer(
        &mut self,
        entity: &Entity,
        attribute: &Attribute,
        tenant: usize,
        keys: &[String],
        values: &mut Item,
    ) {
        let Some(reference) = &attribute.reference else {
            return;
        };
        if values.get(&attribute.name.value).is_some() {
            return;
        }
        let model = self.store.model();
        let target = model.entity(reference.target);
        let place = (tenant, target.name.value.clone());
        let rows = self.made.get(&place).map(Vec::as_slice).unwrap_or_default();
        let agreed = reference.same.as_ref().map(|name| name.value.as_str());
        let id = target.id.clone().or_else(|| {
            let keys = target.key_attributes();
            let own = keys.iter().find(|name| **name == attribute.name.value);
            own.or(keys.last()).map(|name| (*name).to_owned())
        });
        // Two references to one entity, such as both ends of a relation, lead to two rows.
        let others = entity.attributes.iter().filter(|other| {
            let known = other.reference.as_ref();
            known.is_some_and(|known| known.target == reference.target)
        });
        let taken: Vec<_> = others
            .filter_map(|other| values.get(&other.name.value))
            .collect();
        let fits = |row: &&Item| {
            let agrees = agreed
                .is_none_or(|name| values.get(name).is_none() || values.get(name) == row.get(name));
            let value = id.as_ref().and_then(|id| row.get(id));
            let filter = reference.filter.as_ref();
            let is_wanted = filter.and_then(|filter| holds(filter, row)) != Some(false);
            agrees && is_wanted && value.is_none_or(|value| !taken.contains(&value))
        };
        let fitting: Vec<&Item> = rows.iter().filter(fits).collect();
        let Some(row) = self.random.choice(fitting) else {
            return;
        };
        let Some(value) = id.as_ref().and_then(|id| row.get(id)).cloned() else {
            return;
        };
        // A row of the same entity is another one: it has an id of its own.
        let own = id.as_deref().filter(|_| target.name == entity.name);
        let shared = keys.iter().map(String::as_str).chain(agreed);
        for name in shared {
            if name != attribute.name.value
                && Some(name) != own
                && values.get(name).is_none()
                && entity
                    .attribute(name)
                    .is_some_and(|shared| !shared.is_set_by_the_store())
                && let Some(value) = row.get(name)
            {
                values.insert(name, value.clone());
            }
        }
        let value = if reference.many {
            AttributeValue::L(vec![value])
        } else {
            value
        };
        values.insert(attribute.name.value.clone(), value);
    }
}

/// Whether the model takes a value from whoever calls, and nobody calls.
fn is_taken_from_caller(attribute: &Attribute) -> bool {
    let Some(Default::Template(template)) = &attribute.default else {
        return false;
    };
    let mut sources = template.fields().flat_map(|field| &field.sources);
    attribute.is_always_present()
        && sources.any(|source| {
            matches!(
                source,
                Source::Path {
                    root: Some(Root::Principal),
                    ..
                }
            )
        })
}
