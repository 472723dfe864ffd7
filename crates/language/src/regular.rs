//! The type [`Language`].

use super::automaton::Automaton;
use super::length::Length;
use super::product::counted;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A regular language over UTF-8 text.
///
/// Its words are accepted by the automaton and have a number of characters inside the limit. If it is not
/// exact, both together allow more than the words; then `unrolled` may hold an automaton of exactly the
/// words, which is large and only used to test and find words.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Language {
    #[serde(with = "shared")]
    automaton: Arc<Automaton>,
    limit: Length,
    exact: bool,
    #[serde(with = "shared_or_none")]
    unrolled: Option<Arc<Automaton>>,
}

/// An automaton is written as if it were not shared.
mod shared {
    use super::{Arc, Automaton};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(
        automaton: &Arc<Automaton>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        automaton.as_ref().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Arc<Automaton>, D::Error> {
        Automaton::deserialize(deserializer).map(Arc::new)
    }
}

mod shared_or_none {
    use super::{Arc, Automaton};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(
        automaton: &Option<Arc<Automaton>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        automaton.as_deref().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Arc<Automaton>>, D::Error> {
        let automaton = Option::<Automaton>::deserialize(deserializer)?;
        Ok(automaton.map(Arc::new))
    }
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
