//! Words from AWS's closed lists: `ALL_OLD`, `PAY_PER_REQUEST`, `HASH`.
//!
//! In a request any text may stand where such a word belongs, and AWS reports it together with the
//! request's other broken constraints. A request therefore holds a [`Chosen`], which keeps an
//! unknown word until validation; validated forms and answers hold the plain enum.

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

/// One of AWS's closed lists of words.
pub trait Choice: Copy + 'static {
    /// All the words, in the order AWS prints them in its messages.
    const ALL: &'static [Self];

    /// The word on the wire.
    fn as_str(self) -> &'static str;

    /// The choice that a word stands for.
    fn from_word(word: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|choice| choice.as_str() == word)
    }
}

/// What a request gave where a [`Choice`] belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chosen<C> {
    /// One of the words.
    Known(C),
    /// Something else, which validation refuses.
    Unknown(String),
}

impl<C> From<C> for Chosen<C> {
    fn from(choice: C) -> Self {
        Self::Known(choice)
    }
}

impl<C: Choice> Chosen<C> {
    /// The text on the wire.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Known(choice) => choice.as_str(),
            Self::Unknown(word) => word,
        }
    }

    /// The choice, when the word is one of the list.
    pub fn known(&self) -> Option<C> {
        match self {
            Self::Known(choice) => Some(*choice),
            Self::Unknown(_) => None,
        }
    }
}

impl<C: Choice> Serialize for Chosen<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de, C: Choice> Deserialize<'de> for Chosen<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        Ok(match C::from_word(&word) {
            Some(choice) => Self::Known(choice),
            None => Self::Unknown(word),
        })
    }
}

/// Declares a [`Choice`]: the enum, its words, and its JSON.
macro_rules! choices {
    ($(
        $(#[$meta:meta])*
        pub enum $name:ident {
            $( $(#[$variant_meta:meta])* $variant:ident = $word:literal, )*
        }
    )*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $( $(#[$variant_meta])* $variant, )* }

        impl $crate::choice::Choice for $name {
            const ALL: &'static [Self] = &[$( Self::$variant, )*];

            fn as_str(self) -> &'static str {
                match self { $( Self::$variant => $word, )* }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str($crate::choice::Choice::as_str(*self))
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str($crate::choice::Choice::as_str(*self))
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let word = <String as serde::Deserialize>::deserialize(deserializer)?;
                <Self as $crate::choice::Choice>::from_word(&word)
                    .ok_or_else(|| serde::de::Error::unknown_variant(&word, &[$( $word, )*]))
            }
        }
    )*};
}

pub(crate) use choices;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ReturnValue;

    #[test]
    fn a_request_keeps_unknown_words() {
        let chosen: Chosen<ReturnValue> = serde_json::from_str(r#""hi""#).unwrap();
        assert_eq!(chosen, Chosen::Unknown("hi".to_owned()));
        assert_eq!(chosen.known(), None);
        assert_eq!(serde_json::to_string(&chosen).unwrap(), r#""hi""#);
    }

    #[test]
    fn known_words_round_trip() {
        for choice in ReturnValue::ALL {
            let text = serde_json::to_string(choice).unwrap();
            assert_eq!(serde_json::from_str::<ReturnValue>(&text).unwrap(), *choice);
            let chosen: Chosen<ReturnValue> = serde_json::from_str(&text).unwrap();
            assert_eq!(chosen.known(), Some(*choice));
        }
    }
}
