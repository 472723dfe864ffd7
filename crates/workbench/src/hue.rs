//! The hue of each entity.
//!
//! Entities that can stand in one partition never share a hue while there are enough of them. The order of the model decides, so
//! hues stay as they are while a model grows at its end.

use monotable_model::model::{Entity, EntityId, Model, Part, Template};
use std::collections::{BTreeMap, BTreeSet};

/// How many hues the style sheet has.
const HUES: usize = 12;

/// The hues of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hues {
    classes: BTreeMap<String, String>,
}

impl Hues {
    pub(crate) fn new(model: &Model) -> Self {
        let entities: Vec<(EntityId, &Entity)> = model.stored().collect();
        let partitions: Vec<BTreeSet<String>> = entities
            .iter()
            .map(|(_, entity)| list_partitions(entity))
            .collect();
        let mut chosen: Vec<usize> = Vec::new();
        let mut used = [0_usize; HUES];
        for own in &partitions {
            let neighbours = chosen.iter().zip(&partitions);
            let taken: BTreeSet<usize> = neighbours
                .filter(|(_, other)| !own.is_disjoint(other))
                .map(|(hue, _)| *hue)
                .collect();
            // Of the hues that no neighbour has, the one that is used least; of several, the first.
            let free = (0..HUES).filter(|hue| taken.len() >= HUES || !taken.contains(hue));
            let hue = free
                .min_by_key(|hue| used.get(*hue).copied().unwrap_or_default())
                .unwrap_or_default();
            if let Some(count) = used.get_mut(hue) {
                *count += 1;
            }
            chosen.push(hue);
        }
        let classes = entities.iter().zip(chosen);
        Self {
            classes: classes
                .map(|((_, entity), hue)| (entity.name.value.clone(), format!("e h{hue}")))
                .collect(),
        }
    }

    /// The classes of an entity; those of what is unknown if the model has no such entity.
    pub(crate) fn class(&self, entity: &str) -> &str {
        self.classes.get(entity).map_or("e unknown", String::as_str)
    }
}

/// The shapes of the partitions that an entity stands in: the place, and the literal texts of the partition key.
fn list_partitions(entity: &Entity) -> BTreeSet<String> {
    let keys = entity.keys.iter();
    keys.map(|key| {
        let shape: String = key.partition_templates().map(shape).collect();
        format!("{} {:?} {shape}", entity.table.index(), key.place)
    })
    .collect()
}

fn shape(template: &Template) -> String {
    let parts = template.parts.iter();
    parts
        .map(|part| match part {
            Part::Literal(text) => text.value.as_str(),
            Part::Field(_) => "\0",
        })
        .collect()
}
