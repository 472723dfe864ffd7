//! A model that is made of something else: a schema of another tool, or the items of a table.
//!
//! A [`Sketch`] holds the parts of such a model. [`prove`] writes its text and checks it; patterns that the check refuses
//! become comments. Whatever could not be said in the model language is a remark: a comment at its place in the text, and
//! one line in [`Sketch::remarks()`]. One sketch has one text, byte for byte.
//!
//! Layout:
//! - `template.rs`, `table.rs`, `entity.rs`, `attribute.rs`, `pattern.rs`: the parts;
//! - `names.rs`: names that the language accepts; `delimiters.rs`: which characters attributes of keys never contain;
//! - `settle.rs`: what the language wants to have said; `candidates.rs`: access patterns that follow from the keys; `prove.rs`: which of them hold;
//! - `write.rs`, `write/`: the text, one file per section.

mod attribute;
mod candidates;
mod delimiters;
mod entity;
mod names;
mod pattern;
mod prove;
mod settle;
mod table;
mod template;
mod write;

pub use attribute::Attribute;
pub use candidates::suggest_patterns;
pub use delimiters::separate_keys;
pub use entity::{Claim, Entity, Key, Place};
pub use names::{Names, name_attribute, name_entity, name_index, name_pattern, name_table};
pub use pattern::Pattern;
pub use prove::{Proof, prove, prove_found};
pub use table::{Index, Projection, Reach, Setting, Table};
pub use template::{Field, Part, Template};
pub use write::quote;

/// A model in the making.
#[derive(Clone, Debug, Default)]
pub struct Sketch {
    /// What it was made of, as a sentence that the text begins with.
    pub origin: Option<String>,
    /// The name of the model.
    pub name: String,
    /// A sentence about it.
    pub about: Option<String>,
    /// Whether entities keep attributes that they do not declare.
    pub open: bool,
    /// Who shares the tables.
    pub tenant: Option<Tenant>,
    /// The tables.
    pub tables: Vec<Table>,
    /// The entities.
    pub entities: Vec<Entity>,
    /// The access patterns.
    pub patterns: Vec<Pattern>,
    /// What is to be said about the whole.
    pub remarks: Vec<String>,
}

/// What goes before every partition key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tenant {
    /// What the id of a tenant is called.
    pub name: String,
    /// What stands between the id and the key.
    pub separator: String,
    /// Whether there are rows without prefix.
    pub bare: bool,
}

/// Something that a reader of the model has to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Which part of the model it is about.
    pub place: String,
    /// What there is to know.
    pub text: String,
}

impl Sketch {
    /// All remarks, in the order of the text.
    #[must_use]
    pub fn remarks(&self) -> Vec<Remark> {
        let mut all = Vec::new();
        let mut add = |place: String, remarks: &[String]| {
            all.extend(remarks.iter().map(|text| Remark {
                place: place.clone(),
                text: text.clone(),
            }));
        };
        add(format!("model {}", self.name), &self.remarks);
        for table in &self.tables {
            add(format!("table {}", table.name), &table.remarks);
            for index in &table.indexes {
                add(format!("index {}", index.name), &index.remarks);
            }
        }
        for entity in &self.entities {
            add(format!("entity {}", entity.name), &entity.remarks);
            for attribute in &entity.attributes {
                let place = format!("{}.{}", entity.name, attribute.name);
                add(place, &attribute.remarks);
            }
        }
        for pattern in &self.patterns {
            add(format!("access {}", pattern.name), &pattern.remarks);
        }
        all
    }

    /// The table that an entity stands in.
    #[must_use]
    pub fn table_of(&self, entity: &Entity) -> Option<&Table> {
        match &entity.table {
            Some(name) => self.tables.iter().find(|table| table.name == *name),
            None => self.tables.first(),
        }
    }
}
