//! Slots that must be equal, with the words all of them allow.

use super::regular::Language;
use super::system::{Equation, Item, System};
use super::track::{Piece, Track};

/// A system cannot be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Contradiction;

/// A union-find over slots. The root of a class holds the intersection of its languages.
#[derive(Clone, Debug)]
pub(super) struct Classes {
    parents: Vec<usize>,
    languages: Vec<Language>,
    /// The value of a class that has only one word.
    constants: Vec<Option<Vec<u8>>>,
    /// Grows with every change.
    changes: usize,
}

impl Classes {
    pub(super) fn new(system: &System) -> Classes {
        let languages: Vec<Language> = system
            .slots
            .iter()
            .map(|slot| slot.language.clone())
            .collect();
        Classes {
            parents: (0..languages.len()).collect(),
            constants: languages.iter().map(constant_of).collect(),
            languages,
            changes: 0,
        }
    }

    pub(super) fn changes(&self) -> usize {
        self.changes
    }

    pub(super) fn root(&self, slot: usize) -> usize {
        let mut at = slot;
        while let Some(parent) = self.parents.get(at).copied().filter(|parent| *parent != at) {
            at = parent;
        }
        at
    }

    pub(super) fn language(&self, slot: usize) -> Option<&Language> {
        self.languages.get(self.root(slot))
    }

    pub(super) fn constant(&self, slot: usize) -> Option<&[u8]> {
        self.constants.get(self.root(slot))?.as_deref()
    }

    /// Must both have the same value?
    pub(super) fn agree(&self, a: usize, b: usize) -> bool {
        self.root(a) == self.root(b)
            || self
                .constant(a)
                .is_some_and(|value| self.constant(b) == Some(value))
    }

    pub(super) fn unite(&mut self, a: usize, b: usize) -> Result<(), Contradiction> {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return Ok(());
        }
        let (Some(left), Some(right)) = (self.languages.get(a), self.languages.get(b)) else {
            return Ok(());
        };
        let common = left.intersect(right);
        if let Some(parent) = self.parents.get_mut(b) {
            *parent = a;
        }
        self.set(a, common)
    }

    /// Gives a class one value.
    pub(super) fn bind(&mut self, slot: usize, value: &[u8]) -> Result<(), Contradiction> {
        let root = self.root(slot);
        if self.constant(root) == Some(value) {
            return Ok(());
        }
        let text = std::str::from_utf8(value).map_err(|_| Contradiction)?;
        if !self
            .languages
            .get(root)
            .is_some_and(|language| language.accepts(text))
        {
            return Err(Contradiction);
        }
        self.set(root, Language::from_bytes(value))
    }

    fn set(&mut self, root: usize, language: Language) -> Result<(), Contradiction> {
        self.changes += 1;
        if language.is_empty() {
            return Err(Contradiction);
        }
        if let (Some(constant), Some(own)) =
            (self.constants.get_mut(root), self.languages.get_mut(root))
        {
            *constant = constant_of(&language);
            *own = language;
        }
        Ok(())
    }

    /// The sides of an equation as tracks.
    pub(super) fn tracks<'a>(&'a self, equation: &'a Equation) -> (Track<'a>, Track<'a>) {
        (self.track(&equation.left), self.track(&equation.right))
    }

    fn track<'a>(&'a self, items: &'a [Item]) -> Track<'a> {
        Track::new(items.iter().map(|item| {
            match item {
                Item::Text(text) => Piece::Text(text),
                Item::Slot(slot) => self
                    .language(*slot)
                    .map_or(Piece::Text(b""), |known| Piece::Set(known.automaton())),
            }
        }))
    }
}

fn constant_of(language: &Language) -> Option<Vec<u8>> {
    language.automaton().only_word()
}
