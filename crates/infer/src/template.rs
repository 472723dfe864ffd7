//! The key templates of a group: which attribute shows at which place.

use crate::grouping::Group;
use crate::is_named_after;
use crate::rendering::{apply, is_date, is_timestamp};
use crate::sample::{ReadSample, Row};
use crate::shape::{self, Slot};
use crate::word::{Source, Word};
use monotable_sketch::{Field, Template};
use std::collections::{BTreeMap, BTreeSet};

/// The values of a place that no attribute shows, under the name that it gets.
pub(crate) type Unnamed = BTreeMap<String, Vec<String>>;

/// Finds templates of one group, and remembers names that it gives.
pub(crate) struct Finder<'p, 's> {
    pub(crate) prepared: &'p ReadSample<'s>,
    pub(crate) group: &'p Group,
    pub(crate) unnamed: Unnamed,
}

/// Which key an attribute is of. A primary key never changes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyRole {
    Primary,
    Index,
}

/// What a key attribute of a group is.
pub(crate) enum Found {
    /// Some text that the design writes.
    Template(Template),
    /// An attribute that rows have for its own sake.
    Own,
    /// No row has it.
    Absent,
    /// Rows have several shapes of it; an example of two.
    Mixed(String, String),
}

impl Finder<'_, '_> {
    /// The template of a key attribute.
    pub(crate) fn find(&mut self, name: &str) -> Found {
        let Some(slot) = self.prepared.slot(name) else {
            return Found::Absent;
        };
        let rows: Vec<(&Row<'_>, &[Word])> = self
            .prepared
            .rows_of(self.group)
            .filter_map(|row| Some((row, row.keys.get(slot)?.as_deref()?)))
            .collect();
        let has_other = self.prepared.rows_of(self.group).any(|row| {
            row.item.get(name).is_some() && row.keys.get(slot).is_some_and(Option::is_none)
        });
        if rows.is_empty() {
            return if has_other { Found::Own } else { Found::Absent };
        }
        let shape = match self.shape_of(name, &rows) {
            Ok(shape) => shape,
            Err((one, other)) => return Found::Mixed(one, other),
        };
        if self.is_own(name, &shape, &rows) {
            return Found::Own;
        }
        let table = self.prepared.table;
        let is_primary = name == table.partition || table.sort.as_deref() == Some(name);
        let role = if is_primary {
            KeyRole::Primary
        } else {
            KeyRole::Index
        };
        let mut template = Template::default();
        let mut label = String::new();
        for (position, slot) in shape.iter().enumerate() {
            match slot {
                Slot::Text(text) => {
                    template.push_text(text);
                    if text.chars().any(char::is_alphanumeric) {
                        label.clone_from(text);
                    }
                }
                Slot::Literal(word) => {
                    template.push_text(word);
                    label.clone_from(word);
                }
                Slot::Value => {
                    let field = self.choose(&rows, position, &label, role);
                    template.push_field(field);
                }
            }
        }
        Found::Template(template)
    }

    /// The shape that all rows have in common: of the primary key it is the group's.
    fn shape_of(
        &self,
        name: &str,
        rows: &[(&Row<'_>, &[Word])],
    ) -> Result<Vec<Slot>, (String, String)> {
        let table = self.prepared.table;
        if name == table.partition {
            return Ok(self.group.partition().to_vec());
        }
        if Some(name) == table.sort.as_deref() {
            return Ok(self.group.sort().unwrap_or_default().to_vec());
        }
        let mut united: Option<Vec<Slot>> = None;
        let mut first = String::new();
        for (_, words) in rows {
            let shape = shape::of(name, words);
            united = match united {
                None => {
                    first = write(words);
                    Some(shape)
                }
                Some(known) => match shape::unite(&known, &shape) {
                    Some(united) => Some(united),
                    None => return Err((first, write(words))),
                },
            };
        }
        Ok(united.unwrap_or_default())
    }

    /// One word that no other attribute shows is an attribute itself.
    fn is_own(&self, name: &str, shape: &[Slot], rows: &[(&Row<'_>, &[Word])]) -> bool {
        let is_one_value = matches!(shape, [Slot::Value]);
        let is_itself = |sources: &[Source]| {
            sources.is_empty() || sources.iter().any(|source| source.attribute == name)
        };
        is_one_value
            && rows.iter().all(
                |(_, words)| matches!(words, [Word::Value { sources, .. }] if is_itself(sources)),
            )
    }

    /// The attribute that shows at a place in all rows, or a name for it.
    fn choose(
        &mut self,
        rows: &[(&Row<'_>, &[Word])],
        position: usize,
        label: &str,
        role: KeyRole,
    ) -> Field {
        let candidates: BTreeSet<&Source> = rows
            .iter()
            .filter_map(|(_, words)| match words.get(position) {
                Some(Word::Value { sources, .. }) => Some(sources),
                _ => None,
            })
            .flatten()
            .collect();
        let changes = |source: &Source| {
            let name = source.attribute.to_lowercase();
            role == KeyRole::Primary
                && ["updat", "modif", "changed"]
                    .iter()
                    .any(|word| name.contains(word))
        };
        let fits = |source: &Source| {
            rows.iter().all(|(row, words)| {
                let shown = row.item.get(&source.attribute);
                let shown = shown.and_then(|value| apply(value, &source.formats));
                matches!((shown, words.get(position)), (Some(shown), Some(Word::Value { text, .. })) if shown == *text)
            })
        };
        let best = candidates
            .into_iter()
            .filter(|source| fits(source) && !changes(source))
            .min_by_key(|source| {
                (
                    source.formats.len(),
                    !is_named_after(&source.attribute, label),
                    !source.attribute.to_lowercase().ends_with("id"),
                    source.attribute.clone(),
                )
            });
        match best {
            Some(source) => Field {
                attribute: source.attribute.clone(),
                formats: source.formats.clone(),
                or_nothing: false,
            },
            None => Field::plain(self.name_place(rows, position, label)),
        }
    }

    /// A name for a place that no attribute shows. The same values elsewhere in the key have the same name.
    fn name_place(&mut self, rows: &[(&Row<'_>, &[Word])], position: usize, label: &str) -> String {
        let words: Vec<String> = rows
            .iter()
            .map(|(_, words)| match words.get(position) {
                Some(Word::Value { text, .. }) => text.clone(),
                _ => String::new(),
            })
            .collect();
        let known = self.unnamed.iter().find(|(_, values)| **values == words);
        if let Some((name, _)) = known {
            return name.clone();
        }
        let ending = if words.iter().all(|word| is_date(word)) {
            "Date"
        } else if words.iter().all(|word| is_timestamp(word)) {
            "At"
        } else {
            "Id"
        };
        let stem = stem(label);
        let mut name = format!("{stem}{ending}");
        while self.group.attributes.contains(&name) || self.unnamed.contains_key(&name) {
            name.push_str("Key");
        }
        self.unnamed.insert(name.clone(), words);
        name
    }
}

/// A label as the beginning of a name: `PLAN` is `plan`, `ORDER_ITEM` is `orderItem`.
fn stem(label: &str) -> String {
    let entity = monotable_sketch::name_entity(label);
    let mut characters = entity.chars();
    let first = characters.next().map(|first| first.to_ascii_lowercase());
    let stem: String = first.into_iter().chain(characters).collect();
    if label.is_empty() {
        "part".to_owned()
    } else {
        stem
    }
}

fn write(words: &[Word]) -> String {
    let texts = words.iter().map(|word| match word {
        Word::Text(text) | Word::Value { text, .. } => text.as_str(),
    });
    texts.collect()
}
