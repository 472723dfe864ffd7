//! Unicode's normal forms.
//!
//! Every program with the data layer as WebAssembly loads these tables at its start. So they are kept as differences
//! (`normal_form/tables.rs`), a tenth of what tables to look things up in would add to what is downloaded, and are unpacked when
//! the first text comes that is not ASCII.

mod tables;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;
use tables::Tables;

static TABLES: OnceLock<Tables> = OnceLock::new();

/// A normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NormalForm {
    /// Letters with their marks as one character, where there is one.
    Nfc,
    /// Letters and marks apart.
    Nfd,
    /// NFC of what is alike to a reader: `ﬁ` is `fi`.
    Nfkc,
}

/// The text in a normal form.
pub(super) fn normalize(text: &str, form: NormalForm) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let tables = TABLES.get_or_init(Tables::unpack);
    let mut characters = Vec::with_capacity(text.len());
    for character in text.chars() {
        match form {
            NormalForm::Nfkc => tables.decompose_compatible(character, &mut characters),
            NormalForm::Nfc | NormalForm::Nfd => tables.decompose(character, &mut characters),
        }
    }
    order_marks(tables, &mut characters);
    match form {
        NormalForm::Nfd => characters.into_iter().collect(),
        NormalForm::Nfc | NormalForm::Nfkc => compose(tables, characters).into_iter().collect(),
    }
}

/// Brings the marks of each letter into the order of their classes. Marks of one class stay as they are.
fn order_marks(tables: &Tables, characters: &mut [char]) {
    for marks in characters.split_mut(|character| tables.class(*character) == 0) {
        marks.sort_by_key(|mark| tables.class(*mark));
    }
}

/// Puts letters and the marks behind them together.
fn compose(tables: &Tables, characters: Vec<char>) -> Vec<char> {
    let mut composed: Vec<char> = Vec::with_capacity(characters.len());
    let mut letter = None;
    // The class of the mark that stands last between the letter and what comes next.
    let mut between = None;
    for character in characters {
        let class = tables.class(character);
        let is_reached = between.is_none_or(|between| between < class);
        let place = letter.and_then(|position: usize| composed.get_mut(position));
        if let Some(place) = place.filter(|_| is_reached)
            && let Some(whole) = tables.compose(*place, character)
        {
            *place = whole;
            continue;
        }
        if class == 0 {
            letter = Some(composed.len());
            between = None;
        } else {
            between = Some(class);
        }
        composed.push(character);
    }
    composed
}
