//! Ways to rows of which some attributes are known: by their key, by a beginning of it, or by an index.

use super::{Address, Addressing, PartitionRange};
use monotable_item::Item;
use monotable_model::compiled::render_parts;
use monotable_model::model::{Field, Key, KeyPlace, Part, Source, TableId, Template};

/// The way to rows of which some attributes are known.
#[derive(Clone, Debug)]
pub(crate) enum Finder {
    /// The one row with this key.
    Key(Address),
    /// All rows of a partition whose sort keys begin so.
    Range(PartitionRange),
}

impl Finder {
    /// Whether it sees every row that was written before: an index lags.
    pub(crate) const fn is_certain(&self) -> bool {
        match self {
            Self::Key(_) => true,
            Self::Range(rows) => rows.index().is_none(),
        }
    }
}

/// As much of a template as is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KnownText {
    pub(crate) text: String,
    /// Whether that is all of it.
    pub(crate) is_whole: bool,
}

impl Addressing<'_> {
    /// How rows are found whose key is made of this template, as far as these values lead there.
    pub(crate) fn find(self, table: TableId, key: &Key, known: &Item) -> Option<Finder> {
        let own = self.render_known(&key.hash, known);
        if !own.is_whole {
            return None;
        }
        let partition = self.partition(table, key, own.text);
        let sort = key.range.as_ref();
        let sort = sort.map(|template| self.render_known(template, known));
        let range = |prefix| {
            Finder::Range(PartitionRange {
                partition: partition.clone(),
                prefix,
            })
        };
        Some(match (key.place, sort) {
            (KeyPlace::Primary, None) => Finder::Key(self.locate_in(&partition, None).ok()?),
            (KeyPlace::Primary, Some(sort)) if sort.is_whole => {
                Finder::Key(self.locate_in(&partition, Some(sort.text)).ok()?)
            }
            (_, sort) => range(sort.map(|sort| sort.text).unwrap_or_default()),
        })
    }

    /// As much of a template as is known.
    pub(crate) fn render_known(self, template: &Template, known: &Item) -> KnownText {
        let mut text = String::new();
        for part in &template.parts {
            let is_known = match part {
                Part::Literal(_) => true,
                // What stands for an absent value does not stand for one that is not known.
                Part::Field(field) => is_known(field, known),
            };
            let piece = std::slice::from_ref(part);
            let rendered = render_parts(piece, |path| self.find_value(known, path));
            match rendered {
                Ok(piece) if is_known => text.push_str(&piece),
                Ok(_) | Err(_) => {
                    let is_whole = false;
                    return KnownText { text, is_whole };
                }
            }
        }
        let is_whole = !template.open_end;
        KnownText { text, is_whole }
    }
}

/// Whether the first value that a field may show is known.
fn is_known(field: &Field, known: &Item) -> bool {
    match field.sources.first() {
        Some(Source::Path {
            root: None, names, ..
        }) => names
            .first()
            .is_some_and(|name| known.get(&name.value).is_some()),
        _ => true,
    }
}
