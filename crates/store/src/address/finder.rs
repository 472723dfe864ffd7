//! Ways to rows of which some attributes are known: by their key, by a beginning of it, or by an index.

use super::{Address, Addressing, KeyValue, Partition, PartitionRange};
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
        let at = &key.at;
        let own = self.render_known(&key.partition, known);
        if !own.is_whole {
            return None;
        }
        let mut partition = self.partition(at, own.text);
        if at.is_number(&at.partition_attribute) {
            partition = partition.of_number();
        }
        let mut further = Vec::new();
        for (name, parts) in at.further.hash.iter().zip(&key.further.hash) {
            let value = self.render_known(parts, known);
            let value = value.is_whole.then_some(value.text)?;
            further.push(KeyValue::of_text(value, at.is_number(name)));
        }
        let partition = partition.with_further(further);
        if at.place == KeyPlace::Primary {
            let sort = key.sort.as_ref();
            match sort.map(|parts| self.render_known(parts, known)) {
                Some(sort) if !sort.is_whole => {
                    return Some(Finder::Range(partition.beginning_with(sort.text)));
                }
                sort => {
                    let sort = sort.map(|sort| sort.text);
                    return Some(Finder::Key(self.locate_in(&partition, sort).ok()?));
                }
            }
        }
        Some(Finder::Range(self.find_range(key, partition, known)))
    }

    /// The items of an index whose sort keys begin as far as they are known.
    fn find_range(self, key: &KeyText, partition: Partition, known: &Item) -> PartitionRange {
        let mut range = partition.whole();
        let mut sort = key.at.sort_attributes().zip(key.sort_texts()).peekable();
        while let Some((name, parts)) = sort.next() {
            let KnownText { text, is_whole } = self.render_known(parts, known);
            let is_number = key.at.is_number(name);
            // A number has no beginning; an attribute that is known whole may be followed by another.
            if is_whole && (is_number || sort.peek().is_some()) {
                range.leading.push(KeyValue::of_text(text, is_number));
                continue;
            }
            if !is_number {
                range.prefix = text;
            }
            break;
        }
        range
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
