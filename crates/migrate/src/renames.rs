//! Which attributes of two entities are the same.

use crate::pairs::Pair;
use monotable_model::model::{Attribute, Part, Source, Template};
use monotable_model::shape::variable_name;

/// An attribute of the new version, and the one of the old version that it was.
pub(crate) struct AttributePair<'m> {
    pub(crate) old: &'m Attribute,
    pub(crate) new: &'m Attribute,
}

/// The attributes of a pair of entities.
pub(crate) struct Renames<'m> {
    pub(crate) pairs: Vec<AttributePair<'m>>,
    pub(crate) removed: Vec<&'m Attribute>,
    pub(crate) added: Vec<&'m Attribute>,
}

impl<'m> Renames<'m> {
    pub(crate) fn new(pair: Pair<'m>) -> Self {
        let mut pairs = Vec::new();
        let mut removed = Vec::new();
        for old in &pair.old.attributes {
            match successor(pair, old) {
                Some(new) => pairs.push(AttributePair { old, new }),
                None => removed.push(old),
            }
        }
        let is_new = |attribute: &&Attribute| {
            !pairs
                .iter()
                .any(|known: &AttributePair<'_>| known.new.name.value == attribute.name.value)
        };
        let added = pair.new.attributes.iter().filter(is_new).collect();
        Self {
            pairs,
            removed,
            added,
        }
    }

    /// A template of the new version as the old one would write it.
    pub(crate) fn in_old_names(&self, template: &Template) -> String {
        let renamed = |name: &str| {
            let mut pairs = self.pairs.iter();
            let pair = pairs.find(|pair| pair.new.name.value == name)?;
            Some(pair.old.name.value.clone())
        };
        plain_text(template, renamed)
    }
}

/// A template with other names of attributes, in one spelling.
pub(crate) fn plain_text(template: &Template, rename: impl Fn(&str) -> Option<String>) -> String {
    let parts = template.parts.iter().map(|part| match part {
        Part::Literal(text) => text.value.clone(),
        Part::Field(field) => {
            let mut field = field.clone();
            for source in &mut field.sources {
                if let Source::Path {
                    root: None, names, ..
                } = source
                    && let Some(first) = names.first_mut()
                    && let Some(renamed) = rename(&first.value)
                {
                    first.value = renamed;
                }
            }
            format!("{{{}}}", variable_name(&field))
        }
    });
    parts.collect()
}

/// The attribute of the new version that an old one is: by its name, or by the name that its values are stored under.
fn successor<'m>(pair: Pair<'m>, old: &Attribute) -> Option<&'m Attribute> {
    if let Some(named) = pair.new.attribute(&old.name.value) {
        return Some(named);
    }
    let mut attributes = pair.new.attributes.iter();
    attributes.find(|new| {
        let is_taken = pair.old.attribute(&new.name.value).is_some();
        let is_stored = new.stored == old.stored && !new.key_only && !old.key_only;
        !is_taken && (is_stored || new.aliases.contains(&old.stored))
    })
}
