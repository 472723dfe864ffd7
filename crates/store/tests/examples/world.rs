//! A model of the page in an empty store, with a row of everything.

use crate::sample;
use monotable_api::ScanInput;
use monotable_engine::Engine;
use monotable_item::{AttributeValue, Item};
use monotable_model::compiled::CompiledModel;
use monotable_model::model::{Access, Attribute, Entity, EntityId, Mode, Model, MoveKind, Way};
use monotable_store::record::{self, Decoded};
use monotable_store::{
    AnyOperation, At, Change, Commit, Create, ErrorKind, Failure, Parent, Problem, Row, Store,
};
use std::collections::{BTreeMap, BTreeSet};

/// How often a row is tried with other values.
const ATTEMPTS: usize = 12;

pub(crate) struct World {
    pub(crate) place: String,
    engine: Engine,
    pub(crate) store: Store,
    /// The rows of each entity, in the order in which they were made.
    rows: BTreeMap<EntityId, Vec<Row>>,
    order: Vec<(EntityId, usize)>,
    /// The patterns that have found a row.
    found: BTreeSet<String>,
}

impl World {
    pub(crate) async fn new(place: &str, text: &str) -> Self {
        let model = monotable_check::check(text).model.expect(place);
        let tenant = model.tenant.is_some();
        let engine = Engine::in_memory().unwrap();
        let mut store = Store::new(model, engine.clone());
        if tenant {
            store = store.tenant("blue");
        }
        store.setup().await.expect(place);
        Self {
            place: place.to_owned(),
            engine,
            store,
            rows: BTreeMap::new(),
            order: Vec::new(),
            found: BTreeSet::new(),
        }
    }

    fn model(&self) -> &Model {
        self.store.model()
    }

    /// Entities whose rows callers make, one by one.
    fn writable(&self) -> Vec<EntityId> {
        let model = self.model();
        let stored = model.stored();
        let is_of_path = |id: EntityId| {
            let mut paths = model.paths.iter();
            paths.any(|path| path.folder == id || path.leaf == id)
        };
        // Folders and leaves follow the rows with the paths.
        let created = stored.filter(|(id, entity)| {
            entity.writes.create && model.repository_of(*id).is_none() && !is_of_path(*id)
        });
        created.map(|(id, _)| id).collect()
    }

    /// A row of every entity.
    pub(crate) async fn create_all(&mut self) {
        for id in self.writable() {
            Box::pin(self.row(id, 0)).await;
        }
    }

    /// A row of an entity, made if it is not there; the rows that it refers to are made before.
    async fn row(&mut self, id: EntityId, variant: usize) -> Row {
        if let Some(row) = self.rows.get(&id).and_then(|rows| rows.get(variant)) {
            return row.clone();
        }
        let entity = self.model().entity(id).clone();
        let mut given = Item::new();
        // Both ends of a relation are different rows.
        let second = entity
            .relation
            .as_ref()
            .map(|relation| relation.to.value.clone());
        for attribute in &entity.attributes {
            let is_second = second.as_ref() == Some(&attribute.name.value);
            // Several rows refer to one and the same.
            let variant = if attribute.reference.is_some() {
                usize::from(is_second)
            } else {
                variant
            };
            let is_hinted = sample::hint(&entity.name.value, &attribute.name.value).is_some();
            if is_needed(attribute) || is_hinted {
                self.give(&entity, attribute, &mut given, variant).await;
            }
        }
        let mut last = None;
        for _ in 0..ATTEMPTS {
            let created = match &entity.relation {
                Some(_) => self.store.attach(&entity.name.value, given.clone()).await,
                None => self.store.create(&entity.name.value, given.clone()).await,
            };
            match created {
                Ok(row) => {
                    let rows = self.rows.entry(id).or_default();
                    rows.push(row.clone());
                    self.order.push((id, rows.len() - 1));
                    return row;
                }
                Err(error) => {
                    let Failure::Validation { errors, .. } = error.failure().clone() else {
                        panic!("{}: {}: {error}: {given:?}", self.place, entity.name.value);
                    };
                    let mut learned = false;
                    for error in errors {
                        let attribute = entity.attribute(&error.attribute);
                        match (&error.problem, attribute) {
                            (Problem::Missing, Some(attribute)) => {
                                self.give(&entity, attribute, &mut given, variant).await;
                                learned = true;
                            }
                            (Problem::NotGiven | Problem::Forbidden, Some(_)) => {
                                learned |= given.remove(&error.attribute).is_some();
                            }
                            _ => {}
                        }
                    }
                    last = Some(error.to_string());
                    if !learned {
                        break;
                    }
                }
            }
        }
        let why = last.unwrap_or_default();
        panic!(
            "{}: no {} can be created: {why}: {given:?}",
            self.place, entity.name.value
        );
    }

    /// Gives an attribute a value, and with a reference what the key of the other row shows.
    async fn give(
        &mut self,
        entity: &Entity,
        attribute: &Attribute,
        given: &mut Item,
        variant: usize,
    ) {
        let name = &attribute.name.value;
        if given.get(name).is_some() {
            return;
        }
        let Some(reference) = &attribute.reference else {
            let hinted = sample::hint(&entity.name.value, name);
            let value = hinted.or_else(|| sample::value(&attribute.kind, variant));
            if let Some(value) = value {
                given.insert(name.clone(), value);
            }
            return;
        };
        let target = self.model().entity(reference.target).clone();
        let row = Box::pin(self.row(reference.target, variant)).await;
        let id = target
            .id
            .as_deref()
            .and_then(|id| row.values.get(id))
            .cloned();
        let id = id.unwrap_or_else(|| panic!("{}: {} has no id", self.place, target.name.value));
        let value = if reference.many {
            AttributeValue::L(vec![id])
        } else {
            id
        };
        given.insert(name.clone(), value);
        let own = entity
            .attributes
            .iter()
            .filter(|own| own.reference.is_none());
        for own in own.filter(|own| own.computed.is_none()) {
            let shared = target.key_attributes().contains(&own.name.value.as_str());
            if let (true, Some(value)) = (shared, row.values.get(&own.name.value)) {
                given.insert(own.name.value.clone(), value.clone());
            }
        }
    }

    /// Commits a row of every entity of every repository, and another revision, and carries what can be carried.
    pub(crate) async fn commit_all(&mut self) {
        let model = self.model().clone();
        for repository in &model.repositories {
            let head = model.entity(repository.head);
            let key = sampled(head, &head.key_attributes());
            let log = model.entity(repository.log);
            let said = log.attributes.iter().filter(|attribute| {
                is_needed(attribute)
                    && attribute.reference.is_none()
                    && key.get(&attribute.name.value).is_none()
            });
            let said: Vec<_> = said
                .map(|attribute| attribute.name.value.as_str())
                .collect();
            for round in 0..2 {
                let changes = repository.entities.iter().map(|id| {
                    let entity = model.entity(*id);
                    let names = entity.attributes.iter().filter(|attribute| {
                        is_needed(attribute)
                            && attribute.name.value != repository.revision.value
                            && key.get(&attribute.name.value).is_none()
                    });
                    let values = names.filter_map(|attribute| {
                        let value = sample::value(&attribute.kind, round)?;
                        Some((attribute.name.value.clone(), value))
                    });
                    let mut item = Item::new();
                    for (name, value) in values {
                        item.insert(name, value);
                    }
                    AnyOperation::Create(Create {
                        entity: entity.name.value.clone(),
                        values: item,
                    })
                });
                let commit = Commit {
                    repository: repository.name.value.clone(),
                    key: key.clone(),
                    values: sampled(log, &said),
                    parent: Parent::Head,
                    changes: changes.collect(),
                };
                let place = format!("{}: commit to {}", self.place, repository.name.value);
                self.store.commit(commit).await.expect(&place);
            }
            let place = format!("{}: {}", self.place, repository.name.value);
            let shown = self
                .store
                .show(&repository.name.value, key.clone(), At::Head)
                .await
                .expect(&place);
            assert!(!shown.rows.is_empty(), "{place}");
            for row in shown.rows {
                let (id, _) = model.entity_named(&row.entity).unwrap();
                self.rows.entry(id).or_default().push(row);
            }
            let page = self
                .store
                .log(&repository.name.value, key.clone())
                .await
                .expect(&place);
            assert_eq!(page.rows.len(), 2, "{place}");
            self.rows
                .entry(repository.log)
                .or_default()
                .extend(page.rows);
            self.rows
                .entry(repository.head)
                .or_default()
                .extend(page.followed);
        }
        for carry in &model.carries {
            let from = model.repository(carry.from);
            let head = model.entity(from.head);
            let key = sampled(head, &head.key_attributes());
            let place = format!("{}: carry {}", self.place, carry.name.value);
            self.store
                .carry(&carry.name.value, key, Item::new())
                .await
                .expect(&place);
        }
    }

    /// Takes note of the rows that mechanisms have made.
    fn gather(&mut self) {
        let model = self.model().clone();
        let own: BTreeSet<EntityId> = self.order.iter().map(|(id, _)| *id).collect();
        let compiled = CompiledModel::new(model.clone());
        for table in model.stored_tables() {
            let name = &model.table(table).physical;
            let scanned = self.engine.scan(ScanInput::new(name)).unwrap();
            for item in scanned.items.unwrap_or_default() {
                let decoded = record::decode(&compiled, table, "blue/", &item.to_item());
                let Decoded::Row { record, .. } = decoded else {
                    continue;
                };
                let row = Row {
                    entity: model.entity(record.entity).name.value.clone(),
                    values: record.values,
                };
                let rows = self.rows.entry(record.entity).or_default();
                if !own.contains(&record.entity) && !rows.contains(&row) {
                    rows.push(row);
                }
            }
        }
    }

    /// Asks every pattern, with parameters of rows that it returns.
    pub(crate) async fn query_all(&mut self) {
        self.gather();
        let model = self.model().clone();
        for (_, access) in model.patterns() {
            if let Way::Diff(repository) = &access.way {
                let repository = model.repository(*repository);
                let head = model.entity(repository.head);
                let key = sampled(head, &head.key_attributes());
                let place = format!("{}: {}", self.place, access.name.value);
                let log = self
                    .store
                    .log(&repository.name.value, key.clone())
                    .await
                    .expect(&place);
                let [new, old] = log.rows.as_slice() else {
                    panic!("{place}")
                };
                let id = model.entity(repository.log).id.clone().unwrap();
                let at = |row: &Row| At::Revision(row.text(&id).to_owned());
                let diff = self
                    .store
                    .diff(&repository.name.value, key, at(old), at(new))
                    .await;
                assert!(!diff.expect(&place).rows.is_empty(), "{place}");
                self.found.insert(access.name.value.clone());
                continue;
            }
            for parameters in self.parameters(access) {
                let place = format!("{}: {} {parameters:?}", self.place, access.name.value);
                let page = self.store.query(&access.name.value, parameters).await;
                if !page.expect(&place).rows.is_empty() {
                    self.found.insert(access.name.value.clone());
                }
            }
        }
    }

    /// The parameters that a pattern is asked with: one set for each row that may tell them.
    fn parameters(&self, access: &Access) -> Vec<Item> {
        let all: Vec<&Row> = self.rows.values().flatten().collect();
        let own = access
            .returns
            .iter()
            .flat_map(|id| self.rows.get(id).into_iter().flatten());
        let mut sources: Vec<Vec<&Row>> = own.map(|row| vec![row]).collect();
        sources.push(Vec::new());
        let alone = sources.clone();
        for rows in &mut sources {
            rows.extend(all.iter().copied());
        }
        // What a row does not have is not asked for either.
        sources.extend(alone.into_iter().filter(|rows| !rows.is_empty()));
        let sets = sources.into_iter().map(|rows| {
            let mut given = Item::new();
            for parameter in &access.parameters {
                let name = &parameter.name;
                let alike = |own: &str| own.eq_ignore_ascii_case(name);
                let told = rows.iter().find_map(|row| {
                    row.values
                        .iter()
                        .find(|(own, _)| alike(own))
                        .map(|(_, value)| value.clone())
                });
                let told = told.or_else(|| {
                    let meant = sample::meant_by(name)?;
                    all.iter().find_map(|row| row.values.get(meant).cloned())
                });
                let is_told = rows.len() > 1 || parameter.mode != Mode::Optional;
                let told = told.or_else(|| sample::value(&parameter.kind, 0).filter(|_| is_told));
                match (told, parameter.mode) {
                    (Some(_), Mode::Range) if parameter.kind.is_time() => {
                        given.insert(format!("{name}.from"), "2026-01-01");
                        given.insert(format!("{name}.to"), "2035-12-31");
                    }
                    (Some(value), Mode::Range) => {
                        given.insert(format!("{name}.from"), value.clone());
                        given.insert(format!("{name}.to"), value);
                    }
                    (Some(AttributeValue::L(values)), _) => {
                        given.insert(name.clone(), values[0].clone());
                    }
                    (Some(value), _) => {
                        given.insert(name.clone(), value);
                    }
                    (None, _) => {}
                }
            }
            given
        });
        sets.collect()
    }

    /// Changes every row that may be changed: an attribute gets another value, or the row is touched.
    pub(crate) async fn update_all(&mut self) {
        for (id, position) in self.order.clone() {
            let entity = self.model().entity(id).clone();
            if !entity.writes.update {
                continue;
            }
            let row = self.rows[&id][position].clone();
            let changed = entity.attributes.iter().find(|attribute| {
                is_plain(self.model(), &entity, attribute)
                    && row.values.get(&attribute.name.value).is_some()
            });
            let mut change = Change::default();
            if let Some(attribute) = changed
                && let Some(value) = sample::value(&attribute.kind, 2 + position)
            {
                change.set.insert(attribute.name.value.clone(), value);
            }
            let key = key(&entity, &row);
            let place = format!("{}: update {} {change:?}", self.place, entity.name.value);
            let updated = self.store.update(&entity.name.value, key, change).await;
            self.rows.get_mut(&id).unwrap()[position] = updated.expect(&place);
        }
    }

    /// Makes every move that the model declares, and takes it back where it can be.
    pub(crate) async fn move_all(&mut self) {
        let model = self.model().clone();
        for declared in &model.moves {
            let row = self.row(declared.of, 0).await;
            let entity = model.entity(declared.of);
            let place = format!("{}: move {}", self.place, declared.name.value);
            let (set, undo) = match &declared.kind {
                MoveKind::To { undo, .. } => (Item::new(), undo.clone()),
                MoveKind::Changes { changes, .. } => {
                    let mut set = Item::new();
                    for name in changes {
                        let attribute = entity.attribute(&name.value).unwrap();
                        let value = match &attribute.reference {
                            // What a moved row refers to must be there.
                            Some(reference) => {
                                let target = Box::pin(self.row(reference.target, 1)).await;
                                let id = model.entity(reference.target).id.clone().unwrap();
                                target.values.get(&id).unwrap().clone()
                            }
                            None => sample::value(&attribute.kind, 5).unwrap(),
                        };
                        set.insert(name.value.clone(), value);
                    }
                    (set, None)
                }
            };
            let key = key(entity, &row);
            let moved = self
                .store
                .move_row(&declared.name.value, key.clone(), set)
                .await;
            let moved = moved.expect(&place);
            if let Some(undo) = undo {
                let (to, target) = model.entity_named(&moved.entity).unwrap();
                self.rows.entry(to).or_default().push(moved.clone());
                self.query_all().await;
                self.rows.remove(&to);
                let key = self::key(target, &moved);
                self.store
                    .move_row(&undo.value, key, Item::new())
                    .await
                    .expect(&place);
            } else {
                self.rows.get_mut(&declared.of).unwrap()[0] = moved;
            }
        }
    }

    /// Deletes every row that is still there, the latest first.
    pub(crate) async fn delete_all(&mut self) {
        let mut waiting: Vec<_> = self.order.iter().rev().copied().collect();
        while !waiting.is_empty() {
            let mut refused = Vec::new();
            let mut why = String::new();
            for (id, position) in &waiting {
                let entity = self.model().entity(*id).clone();
                if !entity.writes.delete {
                    continue;
                }
                let key = key(&entity, &self.rows[id][*position]);
                let name = &entity.name.value;
                match self.store.delete(name, key.clone()).await {
                    Ok(_) => {
                        let gone = self.store.get(name, key.clone()).await;
                        assert!(
                            gone.is_err(),
                            "{}: {name} {key:?} is still there",
                            self.place
                        );
                    }
                    // It went with another row.
                    Err(error) if error.kind() == ErrorKind::NotFound => {}
                    Err(error) => {
                        refused.push((*id, *position));
                        why = format!("{name} {key:?}: {error}");
                    }
                }
            }
            assert!(
                refused.len() < waiting.len(),
                "{}: delete {why}",
                self.place
            );
            waiting = refused;
        }
    }

    pub(crate) async fn verify(&self, when: &str) {
        let found = self.store.verify().await.unwrap();
        let wrong: Vec<_> = found.violations.iter().map(ToString::to_string).collect();
        assert!(wrong.is_empty(), "{} {when}: {wrong:#?}", self.place);
    }

    /// The patterns that never found a row.
    pub(crate) fn unfound(&self) -> Vec<String> {
        let patterns = self
            .model()
            .patterns()
            .map(|(_, access)| &access.name.value);
        patterns
            .filter(|name| !self.found.contains(*name))
            .cloned()
            .collect()
    }
}

/// Whether a caller has to give it.
fn is_needed(attribute: &Attribute) -> bool {
    let is_made = attribute.generated.is_some()
        || attribute.role.is_some()
        || (attribute.default.is_some() && !attribute.stamped)
        || attribute.computed.is_some()
        || attribute.numbered.is_some()
        || attribute.position.is_some()
        || attribute.top.is_some()
        || attribute.version.is_some();
    !is_made && !attribute.presence.optional
}

/// Whether it can be given any other value without a consequence.
fn is_plain(model: &Model, entity: &Entity, attribute: &Attribute) -> bool {
    let name = attribute.name.value.as_str();
    is_needed(attribute)
        && attribute.may_change()
        && !attribute.movable
        && attribute.reference.is_none()
        && !leads_somewhere(model, entity, name)
        && attribute.kind.language().is_some()
        && !entity.key_attributes().contains(&name)
        && entity.id.as_deref() != Some(name)
}

/// Whether references of the row need it to find their rows.
fn leads_somewhere(model: &Model, entity: &Entity, name: &str) -> bool {
    let references = entity.attributes.iter();
    let mut references = references.filter_map(|attribute| attribute.reference.as_ref());
    references.any(|reference| {
        model
            .entity(reference.target)
            .key_attributes()
            .contains(&name)
    })
}

fn sampled(entity: &Entity, names: &[&str]) -> Item {
    names.iter().fold(Item::new(), |item, name| {
        let attribute = entity.attribute(name).unwrap();
        match sample::value(&attribute.kind, 0) {
            Some(value) => item.with(*name, value),
            None => item,
        }
    })
}

/// The key of a row as a caller names it.
fn key(entity: &Entity, row: &Row) -> Item {
    let names = entity.key_attributes();
    names
        .iter()
        .fold(Item::new(), |key, name| match row.values.get(name) {
            Some(value) => key.with(*name, value.clone()),
            None => key,
        })
}
