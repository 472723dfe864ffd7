//! The type [`Language`].

use super::automaton::Automaton;
use super::length::Length;
use super::product::counted;
use std::sync::Arc;

/// A regular language over UTF-8 text.
///
/// Its words are accepted by the automaton and have a number of characters inside the limit. If it is not
/// exact, both together allow more than the words; then `unrolled` may hold an automaton of exactly the
/// words, which is large and only used to test and find words.
#[derive(Clone, Debug)]
pub struct Language {
    automaton: Arc<Automaton>,
    limit: Length,
    exact: bool,
    unrolled: Option<Arc<Automaton>>,
}

impl Language {
    /// The language of an automaton, without further limit.
    pub(super) fn plain(automaton: Automaton) -> Language {
        Language {
            automaton: Arc::new(automaton),
            limit: Length::ANY,
            exact: true,
            unrolled: None,
        }
    }

    /// Exactly the words of an automaton inside a limit of characters.
    pub(super) fn limited(automaton: Arc<Automaton>, limit: Length) -> Language {
        if automaton.chars().both(&limit).is_empty() {
            return Language::nothing();
        }
        let limit = if limit.covers(&automaton.chars()) {
            Length::ANY
        } else {
            limit
        };
        Language {
            automaton,
            limit,
            exact: true,
            unrolled: None,
        }
    }

    /// Some of the words of an automaton inside a limit; `unrolled` knows which.
    pub(super) fn approximate(
        automaton: Automaton,
        limit: Length,
        unrolled: Option<Automaton>,
    ) -> Language {
        if automaton.chars().both(&limit).is_empty() {
            return Language::nothing();
        }
        let unrolled = unrolled.map(Arc::new);
        Language {
            automaton: Arc::new(automaton),
            limit,
            exact: false,
            unrolled,
        }
    }

    pub(super) fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    pub(super) fn shared_automaton(&self) -> Arc<Automaton> {
        Arc::clone(&self.automaton)
    }

    pub(super) fn limit(&self) -> Length {
        self.limit
    }

    pub(super) fn unrolled(&self) -> Option<&Automaton> {
        self.unrolled.as_deref()
    }

    /// Do automaton and length interval together describe exactly its words?
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// Is the automaton alone exact, so that the limit forbids nothing?
    pub(super) fn is_plain(&self) -> bool {
        self.exact && self.limit.covers(&self.automaton.chars())
    }

    /// An automaton of exactly its words, with the limit as states; `None` if that is too large.
    pub(super) fn as_states(&self) -> Option<Arc<Automaton>> {
        if self.is_plain() {
            return Some(self.shared_automaton());
        }
        if self.exact {
            return counted(&self.automaton, self.limit).map(Arc::new);
        }
        self.unrolled.clone()
    }

    /// Do both share one automaton and limit? (Cheap: not a comparison of languages.)
    pub(super) fn is_same(&self, other: &Language) -> bool {
        Arc::ptr_eq(&self.automaton, &other.automaton)
            && self.limit == other.limit
            && self.exact == other.exact
            && self.exact
    }
}
