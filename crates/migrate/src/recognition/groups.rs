//! Rows of an entity taken apart by what discriminators say of them.

use super::forms::Form;
use monotable_model::model::{Attribute, Entity, Kind};
use std::collections::{BTreeMap, BTreeSet};

/// More groups are not looked at.
const MOST_GROUPS: usize = 512;

/// The text that rows have in each attribute that tells entities apart; none if they lack it. Of attributes that are not named
/// nothing is known.
#[derive(Clone, Default)]
pub(super) struct Group(BTreeMap<String, Option<String>>);

/// What discriminators say about an entity.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum DiscriminatorVerdict {
    /// The row is one of it, if its key fits.
    This,
    /// It has none, or the row has none of them: the key decides.
    ByKey,
    /// The row is of another entity.
    Other,
    /// It is not known.
    Unknown,
}

impl Group {
    pub(super) fn get(&self, attribute: &str) -> Option<&Option<String>> {
        self.0.get(attribute)
    }

    pub(super) fn tell(&self, entity: &Entity) -> DiscriminatorVerdict {
        let mut telling = DiscriminatorVerdict::ByKey;
        let mut is_known = true;
        for known in &entity.is {
            match self.get(&known.attribute.value) {
                Some(Some(word)) if known.read.contains(word) => {
                    telling = DiscriminatorVerdict::This
                }
                Some(Some(_)) => return DiscriminatorVerdict::Other,
                Some(None) => {}
                None => is_known = false,
            }
        }
        if is_known {
            telling
        } else {
            DiscriminatorVerdict::Unknown
        }
    }
}

/// All groups of the rows of an entity; none if they are too many.
pub(super) fn list_groups(entity: &Entity, forms: &[Form<'_>]) -> Option<Vec<Group>> {
    let telling = forms.iter().flat_map(|form| &form.entity.is);
    let names: BTreeSet<&str> = telling
        .map(|known| known.attribute.value.as_str())
        .collect();
    let mut groups = vec![Group::default()];
    for name in names {
        let Some(texts) = list_texts(entity, name) else {
            continue;
        };
        if groups.len() * texts.len() > MOST_GROUPS {
            return None;
        }
        let split = groups.iter().flat_map(|group| {
            texts.iter().map(|text| {
                let mut group = group.clone();
                group.0.insert(name.to_owned(), text.clone());
                group
            })
        });
        groups = split.collect();
    }
    Some(groups)
}

/// What rows of an entity have under a stored name: each text, and none where a row may lack it. None if it may be anything.
pub(crate) fn list_texts(entity: &Entity, name: &str) -> Option<Vec<Option<String>>> {
    let mut discriminators = entity.is.iter();
    if let Some(known) = discriminators.find(|known| known.attribute.value == name) {
        return Some(known.read.iter().cloned().map(Some).collect());
    }
    let is_stored = |attribute: &&Attribute| attribute.stored == name && !attribute.key_only;
    match entity.attributes.iter().find(is_stored) {
        Some(attribute) => match &attribute.kind {
            Kind::Enum(words) => {
                let aliases = words.iter().flat_map(|word| &word.aliases);
                let words = words.iter().map(|word| &word.word).chain(aliases);
                let mut texts: Vec<_> = words.cloned().map(Some).collect();
                if !attribute.is_always_present() {
                    texts.push(None);
                }
                Some(texts)
            }
            _ => None,
        },
        None if entity.open || entity.family(name).is_some() => None,
        None => Some(vec![None]),
    }
}
