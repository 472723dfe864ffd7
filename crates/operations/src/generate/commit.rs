//! Commits that are made up: revisions of repositories, with rows that refer to rows of the same repository.

use super::{Generator, MOST_CHOICES, MOST_REFUSALS};
use crate::error::Error;
use monotable_item::Item;
use monotable_model::model::{Entity, EntityId, Model, Repository};
use monotable_store::{Commit, Create, ErrorKind, Options};
use std::collections::{BTreeMap, BTreeSet};

/// One of so many commits begins a new repository.
const NEW_HEAD: u32 = 8;
/// The most rows of one commit.
const MOST_CHANGES: usize = 5;
/// The most rows of a commit after one that was refused. Some rows are allowed only beside another one: a node and its edge.
const MOST_AFTER_REFUSAL: usize = 3;

/// A repository that was begun: the key of its head, and its rows by entity.
#[derive(Clone, Debug, Default)]
pub(super) struct MadeHead {
    key: Item,
    rows: BTreeMap<String, Vec<Item>>,
}

impl Generator<'_> {
    /// Commits a few rows to a repository, or begins one; what the model refuses is tried again with other values.
    pub(super) async fn make_commit(
        &mut self,
        repository: &Repository,
        tenant: usize,
    ) -> Result<(), Error> {
        let model = self.store.model();
        let place = (tenant, repository.name.value.clone());
        let Some((position, head)) = self.pick_head(model, repository, &place) else {
            self.note_refusal(
                model,
                repository,
                &[],
                "no value of its head's key can be made up",
            );
            return Ok(());
        };
        let mut rows = head.rows.clone();
        let changes = self.make_changes(model, repository, tenant, &head.key, &mut rows);
        if changes.is_empty() {
            // The next choice may be of an entity that refers to nothing; if none ever is, all of them are given up.
            let misses = self.refusals.entry(repository.name.value.clone());
            let misses = misses.or_default();
            *misses += 1;
            if *misses >= MOST_REFUSALS {
                let reason = "there is no row that it must refer to";
                self.note_refusal(model, repository, &[], reason);
            }
            return Ok(());
        }
        let mut commit = Commit::new(&repository.name.value, head.key.clone());
        commit.values = self.make_revision(model, repository, tenant, &head.key);
        for (entity, values) in &changes {
            commit = commit.change(Create {
                entity: entity.clone(),
                values: values.clone(),
            });
        }
        let store = self.store_of(tenant);
        match store.run(commit.into(), Options::default()).await {
            Ok(_) => {
                self.refusals.remove(&repository.name.value);
                for (entity, _) in &changes {
                    self.refusals.remove(entity);
                }
                let log = model.entity(repository.log).name.value.clone();
                let made = changes.into_iter().map(|(entity, _)| entity);
                for entity in made.chain([log]) {
                    *self.report.rows.entry(entity).or_default() += 1;
                }
                let heads = self.heads.entry(place).or_default();
                let made = MadeHead { rows, ..head };
                match heads.get_mut(position) {
                    Some(known) => *known = made,
                    None => heads.push(made),
                }
                Ok(())
            }
            Err(error) if matches!(error.kind(), ErrorKind::Retryable | ErrorKind::Fatal) => {
                Err(Error::Store(error))
            }
            Err(error) => {
                self.note_refusal(model, repository, &changes, &error.to_string());
                Ok(())
            }
        }
    }

    /// Whether commits to a repository are still tried.
    pub(super) fn can_commit(&self, model: &Model, repository: &Repository) -> bool {
        let mut entities = repository.entities.iter();
        entities.any(|id| {
            let name = &model.entity(*id).name.value;
            !self.report.given_up.contains_key(name)
        })
    }

    /// A commit of one row that is refused again and again has its entity given up; one without rows, all of them.
    fn note_refusal(
        &mut self,
        model: &Model,
        repository: &Repository,
        changes: &[(String, Item)],
        reason: &str,
    ) {
        let all = repository.entities.iter();
        let all = all.map(|id| model.entity(*id).name.value.clone());
        let blamed: Vec<String> = match changes {
            [] => all.collect(),
            [(entity, _)] => vec![entity.clone()],
            // It may be any of them: the next commit has one row.
            _ => Vec::new(),
        };
        *self
            .refusals
            .entry(repository.name.value.clone())
            .or_default() += 1;
        for entity in blamed {
            let refusals = self.refusals.entry(entity.clone()).or_default();
            *refusals += 1;
            if *refusals >= MOST_REFUSALS {
                self.report.given_up.insert(entity, reason.to_owned());
            } else {
                self.reasons.insert(entity, reason.to_owned());
            }
        }
    }

    /// The head that is committed to, with its place among those of its repository; a new one stands behind them.
    fn pick_head(
        &mut self,
        model: &Model,
        repository: &Repository,
        place: &(usize, String),
    ) -> Option<(usize, MadeHead)> {
        let known = self.heads.get(place).map_or(0, Vec::len);
        if known > 0 && self.random.u32(..NEW_HEAD) > 0 {
            let position = self.random.usize(..known);
            let head = self.heads.get(place)?.get(position)?.clone();
            return Some((position, head));
        }
        let entity = model.entity(repository.head);
        let mut key = Item::new();
        for name in entity.key_attributes() {
            let attribute = entity.attribute(name)?;
            self.refer(entity, attribute, place.0, &[], &mut key);
            if key.get(name).is_none() {
                let value = self.values.make(&mut self.random, name, &attribute.kind)?;
                key.insert(name, value);
            }
        }
        let head = MadeHead {
            key,
            rows: BTreeMap::new(),
        };
        Some((known, head))
    }

    /// Rows of the repository's entities, in the order of the model. After a refusal there are few, and often
    /// one alone: so it is not some other row that is refused again and again.
    fn make_changes(
        &mut self,
        model: &Model,
        repository: &Repository,
        tenant: usize,
        key: &Item,
        rows: &mut BTreeMap<String, Vec<Item>>,
    ) -> Vec<(String, Item)> {
        let is_refused = self.refusals.contains_key(&repository.name.value);
        let limit = if is_refused {
            MOST_AFTER_REFUSAL
        } else {
            MOST_CHANGES
        };
        let most = self.random.usize(1..=limit);
        let mut changes = Vec::new();
        // Entities of which no row can be made yet: others come first.
        let mut waiting = BTreeSet::new();
        for _ in 0..most {
            // Rows refer to rows of the same repository, and to those beside all of them.
            for (entity, known) in rows.iter() {
                self.made.insert((tenant, entity.clone()), known.clone());
            }
            let ready = repository.entities.iter().copied();
            let ready: Vec<EntityId> = ready
                .filter(|id| self.can_make(model, model.entity(*id), tenant))
                .collect();
            let missing = ready.iter().copied().find(|id| {
                let name = &model.entity(*id).name.value;
                !is_refused && !rows.contains_key(name) && !waiting.contains(name)
            });
            if let Some(id) = missing.or_else(|| self.random.choice(ready)) {
                let entity = model.entity(id);
                let name = entity.name.value.clone();
                let mut tries = 0..MOST_CHOICES;
                if let Some(values) =
                    tries.find_map(|_| self.make_snapshot_row(repository, entity, tenant, key))
                {
                    rows.entry(name.clone()).or_default().push(values.clone());
                    changes.push((name, values));
                } else {
                    let reason = "there is no row that it must refer to";
                    self.reasons.insert(name.clone(), reason.to_owned());
                    waiting.insert(name);
                }
            }
            for id in &repository.entities {
                self.made
                    .remove(&(tenant, model.entity(*id).name.value.clone()));
            }
        }
        changes
    }

    fn make_snapshot_row(
        &mut self,
        repository: &Repository,
        entity: &Entity,
        tenant: usize,
        key: &Item,
    ) -> Option<Item> {
        let made = self.make_values(entity, tenant)?;
        let mut values = without(&made, repository, key);
        // Ids are given, so that other rows of the commit can name them.
        for name in entity.key_attributes() {
            let is_known = values.get(name).is_some() || key.get(name).is_some();
            let attribute = entity.attribute(name);
            let attribute = attribute.filter(|_| !is_known && name != repository.revision.value);
            let value = attribute
                .filter(|attribute| !attribute.is_set_by_the_store())
                .and_then(|attribute| self.values.make(&mut self.random, name, &attribute.kind));
            if let Some(value) = value {
                values.insert(name, value);
            }
        }
        Some(values)
    }

    /// What the revision says of itself.
    fn make_revision(
        &mut self,
        model: &Model,
        repository: &Repository,
        tenant: usize,
        key: &Item,
    ) -> Item {
        let log = model.entity(repository.log);
        let made = self.make_values(log, tenant).unwrap_or_default();
        let mut values = without(&made, repository, key);
        let own = repository.parent.iter().chain(&repository.count);
        for name in own {
            values.remove(&name.value);
        }
        values
    }
}

/// Values without what the key of the head and the revision say.
fn without(values: &Item, repository: &Repository, key: &Item) -> Item {
    let mut rest = Item::new();
    for (name, value) in values.iter() {
        if key.get(name).is_none() && *name != repository.revision.value {
            rest.insert(name, value.clone());
        }
    }
    rest
}
