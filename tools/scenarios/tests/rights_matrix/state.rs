//! The rows of a world, read from raw items without the store's code.

use super::plain::{self, Values};
use super::predicate::Rule;
use super::template;
use super::world::Change;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Entity, EntityId, Key, KeyPlace, Kind, Model, Predicate, TableId};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Where an item stands: table, partition key, sort key.
pub(crate) type Place = (String, String, String);

/// A stored row, under the model's names.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) entity: EntityId,
    pub(crate) values: Values,
    pub(crate) place: Place,
    /// The tenant whose prefix its key has; none of a key that all share.
    pub(crate) owner: Owner,
}

/// Whose a key is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// This tenant's; the one without a prefix is named too.
    Tenant(String),
    /// A key without a prefix, on purpose.
    Everybody,
    /// A key of an old layout without a prefix: whose it is, the rows say that it goes with.
    Unsaid,
}

/// All rows, and what they are read with.
#[derive(Debug)]
pub(crate) struct State<'m> {
    pub(crate) model: &'m Model,
    pub(crate) tenants: Vec<String>,
    pub(crate) rows: Vec<Row>,
    by_place: BTreeMap<Place, usize>,
    by_entity: BTreeMap<EntityId, Vec<usize>>,
    rules: RefCell<HashMap<usize, Rc<Rule>>>,
}

impl<'m> State<'m> {
    pub(crate) fn new<'i>(
        model: &'m Model,
        tenants: Vec<String>,
        items: impl Iterator<Item = (&'i Place, Item)>,
    ) -> Self {
        let mut state = Self {
            model,
            tenants,
            rows: Vec::new(),
            by_place: BTreeMap::new(),
            by_entity: BTreeMap::new(),
            rules: RefCell::default(),
        };
        for (place, item) in items {
            if let Some(row) = state.recognise(place, &item) {
                state.push(row);
            }
        }
        state
    }

    /// The rows after some items have changed.
    pub(crate) fn with_changes(&self, changes: &[Change]) -> Self {
        let changed: BTreeMap<&Place, &Change> = changes
            .iter()
            .map(|change| (&change.place, change))
            .collect();
        let kept = self
            .rows
            .iter()
            .filter(|row| !changed.contains_key(&row.place))
            .cloned();
        let new = changes
            .iter()
            .filter_map(|change| self.recognise(&change.place, change.new.as_ref()?));
        let mut state = Self::new(self.model, self.tenants.clone(), std::iter::empty());
        for row in kept.chain(new) {
            state.push(row);
        }
        state
    }

    fn push(&mut self, row: Row) {
        let at = self.rows.len();
        self.by_place.insert(row.place.clone(), at);
        self.by_entity.entry(row.entity).or_default().push(at);
        self.rows.push(row);
    }

    pub(crate) fn at(&self, place: &Place) -> Option<&Row> {
        self.by_place.get(place).map(|at| &self.rows[*at])
    }

    /// The rows of an entity.
    pub(crate) fn of_entity(&self, entity: EntityId) -> impl Iterator<Item = &Row> {
        let rows = self.by_entity.get(&entity).into_iter().flatten();
        rows.map(|at| &self.rows[*at])
    }

    /// A rule of the model, read once.
    pub(crate) fn rule(&self, rule: &Predicate) -> Rc<Rule> {
        let place = std::ptr::from_ref(rule).addr();
        let mut rules = self.rules.borrow_mut();
        Rc::clone(
            rules
                .entry(place)
                .or_insert_with(|| Rc::new(Rule::parse(&rule.to_string()))),
        )
    }

    /// The row that an item is; none for guards and the store's own items.
    pub(crate) fn recognise(&self, place: &Place, item: &Item) -> Option<Row> {
        let (table, hash, range) = place;
        let mut best: Option<(usize, usize, Row)> = None;
        for (id, entity) in self.model.stored() {
            if !has_discriminators(entity, item) {
                continue;
            }
            for (of, key) in primary_keys(entity) {
                if self.model.table(of).physical != *table {
                    continue;
                }
                let (owner, hash) = self.split_owner(entity, key, hash);
                let known = template::match_text(&key.hash, hash);
                let rest = match &key.range {
                    Some(template) => template::match_text(template, range),
                    None => Some(Values::new()),
                };
                let (Some(mut known), Some(rest)) = (known, rest) else {
                    continue;
                };
                known.extend(rest);
                let odd = known.values().filter(|value| holds_mark(value)).count();
                let letters: usize = key.templates().map(template::count_letters).sum();
                let row = Row {
                    entity: id,
                    values: self.read_values(id, item, known),
                    place: place.clone(),
                    owner,
                };
                // A key without a prefix that an old layout may have written does not say whose it is.
                let is_unsaid = row.owner == Owner::Unsaid;
                let is_better = best.as_ref().is_none_or(|(other_odd, other, _)| {
                    odd < *other_odd
                        || odd == *other_odd && (letters > *other || letters == *other && is_unsaid)
                });
                if is_better {
                    best = Some((odd, letters, row));
                }
            }
        }
        best.map(|(_, _, row)| row)
    }

    /// Whose a partition key is, and what stands behind the prefix.
    fn split_owner<'h>(&self, entity: &Entity, key: &Key, hash: &'h str) -> (Owner, &'h str) {
        let Some(tenant) = &self.model.tenant else {
            return (Owner::Everybody, hash);
        };
        if key.global {
            let kept_apart = primary_keys(entity).any(|(_, key)| !key.global);
            let owner = if kept_apart {
                Owner::Unsaid
            } else {
                Owner::Everybody
            };
            return (owner, hash);
        }
        for id in &self.tenants {
            if let Some(rest) = hash.strip_prefix(&format!("{id}/")) {
                return (Owner::Tenant(id.clone()), rest);
            }
        }
        (Owner::Tenant(tenant.bare.clone().unwrap_or_default()), hash)
    }

    fn read_values(&self, id: EntityId, item: &Item, from_key: Values) -> Values {
        let entity = self.model.entity(id);
        let table = self.model.table(entity.table);
        let indexes = table.indexes.iter();
        let mut keys: Vec<&str> = indexes
            .flat_map(|index| [Some(&index.hash), index.range.as_ref()])
            .chain([Some(&table.hash), table.range.as_ref()])
            .flatten()
            .map(|name| name.value.as_str())
            .collect();
        let mut values = Values::new();
        for attribute in &entity.attributes {
            let name = &attribute.name.value;
            let others = attribute.aliases.iter();
            let mut names = std::iter::once(&attribute.stored).chain(others);
            if let Some(value) = names.find_map(|name| item.get(name)) {
                values.insert(name.clone(), plain::read_value(value));
            } else if let Some(value) = from_key.get(name) {
                values.insert(name.clone(), read_kind(&attribute.kind, value));
            }
            keys.push(&attribute.stored);
        }
        for (name, value) in item.iter() {
            let is_known = keys.contains(&name.as_str()) && !values.contains_key(name);
            if !is_known && !values.contains_key(name) {
                values.insert(name.clone(), plain::read_value(value));
            }
        }
        values
    }

    /// The attributes of a row's primary key.
    pub(crate) fn read_key(&self, row: &Row) -> Values {
        let entity = self.model.entity(row.entity);
        let names = entity.key_attributes().into_iter();
        names
            .filter(|name| !is_place_in_item(entity, name))
            .filter_map(|name| Some((name.to_owned(), row.values.get(name)?.clone())))
            .collect()
    }

    /// The rows of an entity that have these values.
    pub(crate) fn find<'s>(
        &'s self,
        entity: EntityId,
        values: &'s Values,
    ) -> impl Iterator<Item = &'s Row> {
        self.of_entity(entity).filter(move |row| {
            let mut wanted = values.iter();
            wanted.all(|(name, value)| row.values.get(name) == Some(value))
        })
    }
}

/// All attributes of a row's primary key.
pub(crate) fn read_whole_key(entity: &Entity, values: &Values) -> Values {
    let names = entity.key_attributes().into_iter();
    names
        .filter_map(|name| Some((name.to_owned(), values.get(name)?.clone())))
        .collect()
}

/// The place of a row in an item that is stored as several rows is not given by callers.
pub(crate) fn is_place_in_item(entity: &Entity, name: &str) -> bool {
    let attribute = entity.attribute(name);
    !entity.each.is_empty() && attribute.is_some_and(|attribute| attribute.position.is_some())
}

/// The primary keys that rows of an entity have, in any layout.
fn primary_keys(entity: &Entity) -> impl Iterator<Item = (TableId, &Key)> {
    let written = entity.keys.iter().map(|key| (entity.table, key));
    let layouts = entity.layouts.iter();
    let others = layouts.flat_map(|layout| layout.keys.iter().map(|key| (layout.table, key)));
    let all = written.chain(others);
    all.filter(|(_, key)| key.place == KeyPlace::Primary)
}

fn has_discriminators(entity: &Entity, item: &Item) -> bool {
    entity
        .is
        .iter()
        .all(|known| match item.get(&known.attribute.value) {
            Some(AttributeValue::S(said)) => known.read.contains(said),
            _ => false,
        })
}

fn holds_mark(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.contains('#'))
}

fn read_kind(kind: &Kind, value: &Value) -> Value {
    match (kind, value) {
        (Kind::Integer(_) | Kind::Number(_), Value::String(digits)) => plain::read_number(digits),
        _ => value.clone(),
    }
}
