//! Access patterns that follow from the keys: a row by its key, a partition, and what begins alike in one.

use crate::entity::{Entity, Key, Place};
use crate::names::{Names, name_pattern};
use crate::pattern::Pattern;
use crate::template::Template;
use crate::{Sketch, Table};
use std::collections::BTreeSet;

/// Adds the patterns that the keys answer and that are not there yet. Which of them hold is for [`crate::prove`] to say.
pub fn suggest_patterns(sketch: &mut Sketch) {
    let mut found = Suggestions::default();
    for pattern in &sketch.patterns {
        found.names.claim(&pattern.name);
        found.seen.insert(conditions(pattern));
    }
    for entity in &sketch.entities {
        let Some(table) = sketch.table_of(entity) else {
            continue;
        };
        for key in &entity.keys {
            found.suggest_of_key(sketch, table, entity, key);
        }
        found.suggest_of_own_attributes(sketch, table, entity);
        for claim in entity.claims.iter().filter(|claim| claim.is_readable) {
            let name = format!("{} by {}", entity.name, claim.name);
            let mut pattern = Pattern::new(found.names.claim(&name_pattern(&name)), Place::Primary);
            pattern.through = Some(format!("{}.{}", entity.name, claim.name));
            found.patterns.push(pattern);
        }
    }
    sketch.patterns.extend(found.patterns);
}

#[derive(Default)]
struct Suggestions {
    names: Names,
    seen: BTreeSet<Conditions>,
    patterns: Vec<Pattern>,
}

/// What makes two patterns one.
type Conditions = (Place, Vec<String>, Vec<String>, Vec<String>);

fn conditions(pattern: &Pattern) -> Conditions {
    (
        pattern.place.clone(),
        pattern.partition.clone(),
        pattern.sort.clone(),
        pattern.returns.clone(),
    )
}

impl Suggestions {
    fn suggest_of_key(&mut self, sketch: &Sketch, table: &Table, entity: &Entity, key: &Key) {
        if key.partition.len() > 1 || key.sort.len() > 1 {
            return self.suggest_partition(sketch, table, entity, key, Sort::Any);
        }
        let Some(sort) = key.sort.first() else {
            return self.suggest_partition(sketch, table, entity, key, Sort::Any);
        };
        if key.place == Place::Primary {
            self.suggest_partition(sketch, table, entity, key, Sort::Whole);
        }
        let leading = sort.leading_text();
        if !sort.is_constant() && !leading.is_empty() {
            self.suggest_partition(sketch, table, entity, key, Sort::Beginning(leading));
        }
        let shares = rivals(sketch, table, entity, key).len() > 1;
        let is_open = !sort.is_constant() && leading.is_empty();
        if shares || is_open || (key.place != Place::Primary && sort.is_constant()) {
            self.suggest_partition(sketch, table, entity, key, Sort::Any);
        }
    }

    /// Indexes on attributes that rows have for their own sake.
    fn suggest_of_own_attributes(&mut self, sketch: &Sketch, table: &Table, entity: &Entity) {
        for index in &table.indexes {
            let place = Place::Index(index.name.clone());
            let is_written = entity.keys.iter().any(|key| key.place == place);
            let mut attributes = index.partition.iter().chain(&index.sort);
            if is_written || !attributes.all(|name| entity.attribute(name).is_some()) {
                continue;
            }
            let own = |names: &[String]| names.iter().map(Template::attribute).collect();
            let key = Key {
                place,
                partition: own(&index.partition),
                sort: own(&index.sort),
            };
            self.suggest_partition(sketch, table, entity, &key, Sort::Any);
        }
    }

    fn suggest_partition(
        &mut self,
        sketch: &Sketch,
        table: &Table,
        entity: &Entity,
        key: &Key,
        sort: Sort<'_>,
    ) {
        let met = rivals(sketch, table, entity, key);
        let met = met
            .into_iter()
            .filter(|(_, other)| sort.may_meet(key, other));
        let returns: Vec<String> = met.map(|(entity, _)| entity.name.clone()).collect();
        let mut pattern = Pattern::new(String::new(), key.place.clone());
        pattern.partition = key.partition.iter().map(ToString::to_string).collect();
        pattern.sort = match sort {
            Sort::Whole => key.sort.iter().map(ToString::to_string).collect(),
            Sort::Beginning(text) => vec![format!("{}*", Template::text(text))],
            Sort::Any => Vec::new(),
        };
        pattern.returns = if returns.is_empty() {
            vec![entity.name.clone()]
        } else {
            returns
        };
        if !self.seen.insert(conditions(&pattern)) {
            return;
        }
        let name = name_of(entity, key, sort, pattern.returns.len());
        pattern.name = self.names.claim(&name_pattern(&name));
        self.patterns.push(pattern);
    }
}

/// Which sort keys a pattern asks for.
#[derive(Clone, Copy)]
enum Sort<'s> {
    Whole,
    Beginning(&'s str),
    Any,
}

impl Sort<'_> {
    /// Whether a row of another key could be met by a pattern that was made of a key.
    fn may_meet(self, key: &Key, other: &Key) -> bool {
        let leading = other.sort.first().map_or("", Template::leading_text);
        let is_constant = other.sort.first().is_some_and(Template::is_constant);
        match self {
            Self::Whole => other.sort == key.sort,
            Self::Any => true,
            Self::Beginning(text) => {
                leading.starts_with(text) || (!is_constant && text.starts_with(leading))
            }
        }
    }
}

/// The entities that have the same partition key in the same place, with that key.
fn rivals<'s>(
    sketch: &'s Sketch,
    table: &Table,
    entity: &Entity,
    key: &Key,
) -> Vec<(&'s Entity, &'s Key)> {
    let mut found = Vec::new();
    for other in &sketch.entities {
        if sketch
            .table_of(other)
            .is_none_or(|own| own.name != table.name)
        {
            continue;
        }
        let same = other
            .keys
            .iter()
            .find(|own| own.place == key.place && own.partition == key.partition);
        if let Some(same) = same {
            let is_rival = key.place == Place::Primary || same.sort.len() == key.sort.len();
            if is_rival || other.name == entity.name {
                found.push((other, same));
            }
        }
    }
    found
}

fn name_of(entity: &Entity, key: &Key, sort: Sort<'_>, met: usize) -> String {
    let by = match &key.place {
        Place::Primary => String::new(),
        Place::Index(index) => format!(" in {index}"),
    };
    let owner = key
        .partition
        .iter()
        .flat_map(Template::fields)
        .last()
        .map(|field| field.attribute.clone());
    match (sort, owner) {
        (Sort::Whole, _) => entity.name.clone(),
        (Sort::Any, Some(owner)) if met > 1 => format!("all of {owner}{by}"),
        (Sort::Any, None) if met > 1 => format!("all with {}{by}", entity.name),
        (_, Some(owner)) => format!("{}s of {owner}{by}", entity.name),
        (_, None) => format!("{}s{by}", entity.name),
    }
}
