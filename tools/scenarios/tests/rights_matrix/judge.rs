//! What a call asks of the rules: which rows it changes, and as what.
//!
//! What a call would change is seen by letting the program make it, of whom no rule is asked. Each raw item that it
//! changes is then asked about, or follows from one that is, by the kind of its row alone.

use super::evaluator::{Evaluator, Right, id_name};
use super::expectation::key_of;
use super::moves::{join_moved, move_questions};
use super::plain::{self, Values};
use super::state::{Owner, Row, is_place_in_item};
use super::template;
use super::world::Change;
use monotable_item::Item;
use monotable_model::model::{
    Entity, EntityId, Guard, Model, MoveKind, OnDelete, OnExists, Root, Way,
};
use monotable_store::{
    AnyOperation, Attach, Create, Delete, Detach, ErrorKind, MoveRow, Put, Transact, Update,
};

/// May the caller make of the old row the new one?
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) right: Right,
    pub(crate) old: Option<Row>,
    pub(crate) new: Option<Row>,
    /// The caller has named the row: if it may not see it, there is none.
    pub(crate) is_named: bool,
    /// The caller gives a whole row, which may also be new.
    pub(crate) is_put: bool,
}

impl Question {
    /// Why it is refused; none if it is not.
    pub(crate) fn refusal(&self, evaluator: &Evaluator<'_>) -> Option<ErrorKind> {
        let (old, new) = (self.old.as_ref(), self.new.as_ref());
        let may_delete = || evaluator.may(Right::Delete, old, None);
        if evaluator.may(self.right, old, new) && (!self.expires(evaluator) || may_delete()) {
            let is_kept = self.is_named && self.refers_to_kept(evaluator);
            return is_kept.then_some(ErrorKind::NotFound);
        }
        let is_hidden = self.is_named && old.is_some_and(|old| !evaluator.sees(old));
        // Whoever could not create the row is told the same whether there is one or not.
        let may_create = || evaluator.may(Right::Create, None, new);
        if is_hidden && (!self.is_put || may_create()) {
            return Some(ErrorKind::NotFound);
        }
        if self.is_named && self.refers_to_hidden(evaluator) {
            return Some(ErrorKind::NotFound);
        }
        Some(ErrorKind::Forbidden)
    }

    /// Whether the new row refers to one that the caller does not see, and nothing else refuses it: then it is told that
    /// there is no such row, as if there were none.
    fn refers_to_hidden(&self, evaluator: &Evaluator<'_>) -> bool {
        let Some(new) = self.new.as_ref() else {
            return false;
        };
        if self.right != Right::Create && self.right != Right::Update {
            return false;
        }
        let model = evaluator.state.model;
        let is_hidden = |name: &str, target: EntityId| {
            let said = new.values.get(name);
            if said.is_none() || self.old.as_ref().and_then(|old| old.values.get(name)) == said {
                return false;
            }
            let id = id_name(model.entity(target));
            let mut rows = evaluator.state.of_entity(target);
            let target = rows.find(|row| row.values.get(id) == said && evaluator.is_of_tenant(row));
            !target.is_some_and(|target| evaluator.sees(target))
        };
        let mut folders = model.paths.iter().map(|path| path.folder);
        let is_below = folders.any(|folder| {
            let parent = model.entity(folder).key_attributes()[0];
            folder == new.entity && is_hidden(parent, folder)
        });
        let mut references = model.entity(new.entity).attributes.iter();
        let refers = is_below
            || references.any(|attribute| {
                let reference = attribute.reference.as_ref();
                reference.is_some_and(|reference| {
                    !reference.missing_warns && is_hidden(&attribute.name.value, reference.target)
                })
            });
        refers && evaluator.may_without_owners(self.right, self.old.as_ref(), new)
    }

    /// Whether the new row refers to one that grants let the caller neither read nor change.
    fn refers_to_kept(&self, evaluator: &Evaluator<'_>) -> bool {
        let (Some(new), Right::Create | Right::Update) = (self.new.as_ref(), self.right) else {
            return false;
        };
        let model = evaluator.state.model;
        let is_kept = |name: &str, target: EntityId| {
            let said = new.values.get(name);
            let before = self.old.as_ref().and_then(|old| old.values.get(name));
            let mut grants = model.grants.iter();
            if said.is_none() || before == said || !grants.any(|grant| grant.of.contains(&target)) {
                return false;
            }
            let id = id_name(model.entity(target));
            let mut rows = evaluator.state.of_entity(target);
            let target = rows.find(|row| row.values.get(id) == said && evaluator.is_of_tenant(row));
            target.is_some_and(|target| {
                !evaluator.sees(target) && !evaluator.may(Right::Update, Some(target), Some(target))
            })
        };
        let entity = model.entity(new.entity);
        let mut references = entity.attributes.iter();
        references.any(|attribute| {
            let reference = attribute.reference.as_ref();
            reference.is_some_and(|reference| {
                !reference.missing_warns && is_kept(&attribute.name.value, reference.target)
            })
        })
    }

    /// Whether an update gives the row another time at which the table deletes it.
    fn expires(&self, evaluator: &Evaluator<'_>) -> bool {
        let (Some(old), Some(new)) = (&self.old, &self.new) else {
            return false;
        };
        let model = evaluator.state.model;
        let entity = model.entity(new.entity);
        let ttl = model.table(entity.table).ttl.as_ref();
        let name = ttl.map_or("", |ttl| ttl.value.as_str());
        let (before, after) = (old.values.get(name), new.values.get(name));
        self.right == Right::Update && after.is_some() && before != after
    }
}

/// A changed row, before and after.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) old: Option<Row>,
    pub(crate) new: Option<Row>,
}

impl Pair {
    pub(super) fn entity(&self) -> Option<EntityId> {
        self.old
            .as_ref()
            .or(self.new.as_ref())
            .map(|row| row.entity)
    }

    fn changed_names(&self) -> Vec<String> {
        let (Some(old), Some(new)) = (&self.old, &self.new) else {
            return Vec::new();
        };
        let names = old.values.keys().chain(new.values.keys());
        let mut names: Vec<String> = names
            .filter(|name| old.values.get(*name) != new.values.get(*name))
            .cloned()
            .collect();
        names.sort();
        names.dedup();
        names
    }
}

/// The rows among changed items.
pub(crate) fn read_pairs(evaluator: &Evaluator<'_>, changes: &[Change]) -> Vec<Pair> {
    let read = |change: &Change, item: &Option<Item>| {
        let item = item.as_ref()?;
        evaluator.state.recognise(&change.place, item)
    };
    let pairs = changes.iter().map(|change| Pair {
        old: read(change, &change.old),
        new: read(change, &change.new),
    });
    pairs.filter(|pair| pair.entity().is_some()).collect()
}

/// What a call names: its verb, the entity, and what is given of the row.
pub(crate) fn named_rows(call: &AnyOperation) -> Vec<(&'static str, String, Values)> {
    match call {
        AnyOperation::Create(Create { entity, values })
        | AnyOperation::Attach(Attach { entity, values }) => {
            vec![("create", entity.clone(), plain::read_item(values))]
        }
        AnyOperation::Put(Put { entity, values }) => {
            vec![("put", entity.clone(), plain::read_item(values))]
        }
        AnyOperation::Update(Update { entity, key, .. }) => {
            vec![("update", entity.clone(), plain::read_item(key))]
        }
        AnyOperation::Delete(Delete { entity, key })
        | AnyOperation::Detach(Detach { entity, key }) => {
            vec![("delete", entity.clone(), plain::read_item(key))]
        }
        AnyOperation::Transact(Transact { operations }) => {
            operations.iter().flat_map(named_rows).collect()
        }
        _ => Vec::new(),
    }
}

/// Everything that a call asks, of what it changes.
pub(crate) fn questions(
    evaluator: &Evaluator<'_>,
    call: &AnyOperation,
    changes: &[Change],
) -> Vec<Question> {
    let pairs = read_pairs(evaluator, changes);
    match call {
        AnyOperation::MoveRow(MoveRow { name, .. }) => move_questions(evaluator, name, pairs),
        _ => row_questions(evaluator, call, pairs),
    }
}

fn row_questions(
    evaluator: &Evaluator<'_>,
    call: &AnyOperation,
    pairs: Vec<Pair>,
) -> Vec<Question> {
    let model = evaluator.state.model;
    let named: Vec<_> = named_rows(call)
        .into_iter()
        .filter_map(|(verb, entity, given)| {
            let (id, _) = model.entity_named(&entity)?;
            Some((verb, id, given))
        })
        .collect();
    let pairs = join_moved(model, pairs, &|id| {
        named.iter().any(|(_, own, _)| *own == id)
    });
    let own = |pair: &Pair| {
        let mut named = named.iter();
        named.find(|(verb, id, given)| {
            Some(*id) == pair.entity() && is_named(model.entity(*id), verb, given, pair)
        })
    };
    let owners: Vec<Row> = pairs
        .iter()
        .filter(|pair| own(pair).is_some())
        .filter_map(|pair| pair.old.clone())
        .collect();
    let mut questions = Vec::new();
    for (verb, id, given) in &named {
        let is_changed = pairs
            .iter()
            .any(|pair| own(pair).is_some_and(|(_, other, _)| other == id));
        let key = key_of(model.entity(*id), given);
        // A write that leaves everything as it is asks all the same.
        let replaces = *verb == "create" && model.entity(*id).on_exists == OnExists::Replace;
        if (replaces || ["put", "update"].contains(verb)) && !is_changed {
            let mut rows = evaluator.state.find(*id, &key);
            let row = rows.find(|row| evaluator.is_of_tenant(row)).cloned();
            questions.extend(row.map(|row| Question {
                right: Right::Update,
                old: Some(row.clone()),
                new: Some(row),
                is_named: true,
                is_put: *verb != "update",
            }));
        }
    }
    for pair in pairs {
        if let Some((verb, _, _)) = own(&pair) {
            let right = match (*verb, &pair.old, &pair.new) {
                ("delete", ..) => Right::Delete,
                // A row of an item that is stored as several is part of the change of the item.
                ("create" | "put", None, _) if owners.is_empty() => Right::Create,
                _ => Right::Update,
            };
            questions.push(Question {
                right,
                old: pair.old,
                new: pair.new,
                is_named: true,
                is_put: ["create", "put"].contains(verb),
            });
        } else {
            questions.extend(consequence(evaluator, &owners, pair));
        }
    }
    questions
}

fn is_named(entity: &Entity, verb: &str, given: &Values, pair: &Pair) -> bool {
    if verb == "create" {
        return pair.new.is_some();
    }
    let matches = |row: &Row| {
        let names = entity.key_attributes().into_iter();
        let mut names = names.filter(|name| !is_place_in_item(entity, name));
        names.all(|name| match (given.get(name), row.values.get(name)) {
            (Some(given), Some(stored)) => {
                template::show_value(given) == template::show_value(stored)
                    || template::show_value(given).contains("****")
            }
            _ => true,
        })
    };
    pair.old.iter().chain(&pair.new).any(matches)
}

/// What is asked of a row that changes because of another; none if it follows from a row that was asked.
pub(super) fn consequence(
    evaluator: &Evaluator<'_>,
    owners: &[Row],
    pair: Pair,
) -> Option<Question> {
    let model = evaluator.state.model;
    let id = pair.entity()?;
    if is_written_by_mechanism(model, id) {
        return None;
    }
    let question = |right, pair: Pair| {
        Some(Question {
            right,
            old: pair.old,
            new: pair.new,
            is_named: false,
            is_put: false,
        })
    };
    match (&pair.old, &pair.new) {
        (Some(old), None) if owners.iter().any(|owner| owns(evaluator, owner, old)) => None,
        (Some(_), None) => question(Right::CascadeDelete, pair),
        (Some(_), Some(_)) => {
            let entity = model.entity(id);
            let changed = pair.changed_names();
            let is_cleared = |name: &String| {
                let attribute = entity.attribute(name);
                let reference = attribute.and_then(|attribute| attribute.reference.as_ref());
                reference.is_some_and(|reference| reference.on_delete == OnDelete::Clear)
            };
            if changed.iter().any(is_cleared) {
                return question(Right::CascadeClear, pair);
            }
            let counts = counters(model, entity);
            if changed.iter().all(|name| counts.contains(&name.as_str())) {
                return None;
            }
            question(Right::Update, pair)
        }
        _ => question(Right::Create, pair),
    }
}

/// Rows that nobody is asked about because of what they are: audits, archives, derived rows, folders and leaves, guards.
pub(crate) fn is_written_by_mechanism(model: &Model, id: EntityId) -> bool {
    let guards = model
        .entities
        .iter()
        .flat_map(|entity| &entity.claims)
        .any(|claim| matches!(&claim.guard, Guard::Entity { entity, .. } if *entity == id));
    guards
        || is_note(model, id)
        || model.archives.iter().any(|known| known.entity == id)
        || model.derives.iter().any(|known| known.entity == id)
        || model
            .paths
            .iter()
            .any(|known| [known.folder, known.leaf].contains(&id))
        || model.repositories.iter().any(|known| known.intent == id)
        || model.moves.iter().any(
            |known| matches!(&known.kind, MoveKind::To { rest: Some(rest), .. } if *rest == id),
        )
}

/// Rows that say what happened.
pub(crate) fn is_note(model: &Model, id: EntityId) -> bool {
    model.audits.iter().any(|known| known.entity == id)
}

/// The attributes of an entity that mechanisms count with.
fn counters<'m>(model: &'m Model, entity: &'m Entity) -> Vec<&'m str> {
    let mut names = Vec::new();
    for other in &model.entities {
        for attribute in &other.attributes {
            let counted = attribute
                .reference
                .as_ref()
                .and_then(|reference| reference.counted.as_ref());
            names.extend(counted.map(|name| name.value.as_str()));
            names.extend(
                attribute
                    .numbered
                    .as_ref()
                    .map(|(_, name)| name.value.as_str()),
            );
        }
        let serial = other
            .relation
            .as_ref()
            .and_then(|relation| relation.serial.as_ref());
        names.extend(serial.map(|(_, name)| name.value.as_str()));
    }
    let times = entity
        .attributes
        .iter()
        .filter(|attribute| attribute.role.is_some());
    names.extend(times.map(|attribute| attribute.name.value.as_str()));
    names
}

/// Whether a row lives and dies with another: one of the patterns that the other owns finds it.
fn owns(evaluator: &Evaluator<'_>, owner: &Row, row: &Row) -> bool {
    let model = evaluator.state.model;
    model.entity(owner.entity).owns.iter().any(|pattern| {
        let Way::Query { table, key } = &model.pattern(*pattern).way else {
            return false;
        };
        let find = |_: Option<Root>, name: &str| owner.values.get(name).cloned();
        let hash = template::render(&key.hash, &find);
        let prefix = match &owner.owner {
            Owner::Tenant(id)
                if model
                    .tenant
                    .as_ref()
                    .and_then(|tenant| tenant.bare.as_deref())
                    != Some(id) =>
            {
                format!("{id}/")
            }
            _ => String::new(),
        };
        model.table(*table).physical == row.place.0
            && hash.is_some_and(|hash| format!("{prefix}{hash}") == row.place.1)
    })
}
