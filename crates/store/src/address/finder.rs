//! Ways to rows of which some attributes are known: by their key, by a beginning of it, or by an index.

use super::{Address, Addressing, PartitionRange};
use monotable_item::Item;
use monotable_model::compiled::render_parts;
use monotable_model::model::{KeyPlace, Part};
use monotable_model::plan::{KeyText, is_known};

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

/// As much of a key as is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KnownText {
    pub(crate) text: String,
    /// Whether that is all of it.
    pub(crate) is_whole: bool,
}

impl Addressing<'_> {
    /// How rows with such a key are found, as far as these values lead there.
    pub(crate) fn find(self, key: &KeyText, known: &Item) -> Option<Finder> {
        let own = self.render_known(&key.partition, known);
        if !own.is_whole {
            return None;
        }
        let partition = self.partition(&key.at, own.text);
        let sort = key.sort.as_ref();
        let sort = sort.map(|parts| self.render_known(parts, known));
        let range = |prefix| {
            Finder::Range(PartitionRange {
                partition: partition.clone(),
                prefix,
            })
        };
        Some(match (key.at.place, sort) {
            (KeyPlace::Primary, None) => Finder::Key(self.locate_in(&partition, None).ok()?),
            (KeyPlace::Primary, Some(sort)) if sort.is_whole => {
                Finder::Key(self.locate_in(&partition, Some(sort.text)).ok()?)
            }
            (_, sort) => range(sort.map(|sort| sort.text).unwrap_or_default()),
        })
    }

    /// As much of a key as is known.
    pub(crate) fn render_known(self, parts: &[Part], known: &Item) -> KnownText {
        let mut text = String::new();
        for part in parts {
            let is_known = is_known(part, |name| known.get(name).is_some());
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
        let is_whole = true;
        KnownText { text, is_whole }
    }
}
