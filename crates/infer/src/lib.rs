//! A first model of a table, from its items.
//!
//! Keys of single-table designs are texts such as `USER#ann`. Each is cut into words at separators; a word that an attribute
//! of the same item shows, also in lower case or padded, is a value, and the others are what the design writes. Items whose
//! primary keys have one shape are rows of one entity. What decides is statistics over the sample, so the outcome is a first
//! draft for people to read.
//!
//! Layout, in the order of the work:
//! - `sample.rs`: items of a table; `guess.rs`: its keys, where nothing describes it; `separator.rs`: what the words of its keys are separated by; `tenant.rs`: prefixes of tenants;
//! - `rendering.rs`, `word.rs`: how attributes show in keys, and keys as words;
//! - `shape.rs`, `grouping.rs`: items whose keys have one shape;
//! - `discriminator.rs`, `naming.rs`: what tells entities apart, and what they are called;
//! - `template.rs`: key templates of a group; `kind.rs`: types of attributes; `presence.rs`: which rows are in an index;
//! - `entity.rs`: all of it for one group; `reference.rs`: attributes that hold ids of others.

mod discriminator;
mod entity;
mod grouping;
mod guess;
mod kind;
mod naming;
mod presence;
mod reference;
mod rendering;
mod sample;
mod separator;
mod shape;
mod template;
mod tenant;
mod word;

pub use guess::guess_table;
pub use sample::Sample;

use grouping::Group;
use monotable_sketch::{Entity, Names, Sketch, suggest_patterns};

/// A model that was found, and what it was found in.
#[derive(Debug)]
pub struct Inference {
    /// The model.
    pub sketch: Sketch,
    /// For each entity of the sketch, the items it was found in.
    pub groups: Vec<FoundGroup>,
}

/// The items that an entity was found in.
#[derive(Clone, Debug)]
pub struct FoundGroup {
    /// The position of the sample.
    pub sample: usize,
    /// The positions of the items in the sample.
    pub items: Vec<usize>,
}

/// Finds a model in samples of tables. Items whose partition key begins with `monotable#` belong to the store and are left out.
#[must_use]
pub fn infer(name: &str, samples: &[Sample]) -> Inference {
    let mut sketch = Sketch {
        origin: Some("A first draft, found in items by `monotable infer`: names, types and patterns follow from the sample alone.".to_owned()),
        name: name.to_owned(),
        ..Sketch::default()
    };
    sketch.tenant = tenant::find(samples);
    let mut names = Names::default();
    let mut found: Vec<FoundGroup> = Vec::new();
    let mut values = Vec::new();
    for (position, sample) in samples.iter().enumerate() {
        sketch.tables.push(sample.table.clone());
        let prepared = sample::prepare(sample, sketch.tenant.as_ref());
        let groups = grouping::group(&prepared);
        let known = discriminator::find(&prepared, &groups);
        let labels = naming::name(&prepared, &groups, &known, &mut names);
        for (group, label) in groups.iter().zip(labels) {
            let mut entity = entity::describe(&prepared, group, label);
            if position > 0 {
                entity.table = Some(sample.table.name.clone());
            }
            sketch.entities.push(entity);
            found.push(FoundGroup {
                sample: position,
                items: prepared.positions(group),
            });
            values.push(reference::ids(&prepared, group));
        }
    }
    reference::remark(&mut sketch.entities, &values);
    suggest_patterns(&mut sketch);
    Inference {
        sketch,
        groups: found,
    }
}

/// Whether two groups have mostly the same attributes.
fn are_alike(one: &Group, other: &Group) -> bool {
    let (one, other) = (&one.attributes, &other.attributes);
    let shared = one.intersection(other).count();
    let all = one.union(other).count();
    // Three of four.
    shared * 4 >= all * 3
}

/// Attributes whose name says what an entity is called.
fn is_named_after(attribute: &str, word: &str) -> bool {
    let plain = |text: &str| -> String {
        let kept = text.chars().filter(|c| c.is_alphanumeric());
        kept.flat_map(char::to_lowercase).collect()
    };
    let (attribute, word) = (plain(attribute), plain(word));
    let stem = attribute.strip_suffix("id").unwrap_or(&attribute);
    word.len() > 1
        && !stem.is_empty()
        && (stem == word || attribute == word || format!("{stem}s") == word)
}

/// What a group's entity is, before its keys and attributes are known.
#[derive(Clone, Debug, Default)]
struct Label {
    name: String,
    is: Vec<(String, String)>,
}

impl Label {
    fn into_entity(self) -> Entity {
        Entity {
            name: self.name,
            is: self.is,
            ..Entity::default()
        }
    }
}
