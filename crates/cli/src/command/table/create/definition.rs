//! Keys of tables and indexes as users type them: `Released:N`, `ByRelease=Released:N,Title`.

use monotable_api::{Choice, ScalarAttributeType};
use std::str::FromStr;

/// A key attribute: `Released:N`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KeyDefinition {
    pub(super) name: String,
    pub(super) kind: ScalarAttributeType,
}

impl FromStr for KeyDefinition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, kind) = text.rsplit_once(':').unwrap_or((text, "S"));
        let Some(kind) = ScalarAttributeType::from_word(kind) else {
            return Err(format!("{kind} is no type of a key: use S, N or B"));
        };
        if name.is_empty() {
            return Err("the attribute has no name".to_owned());
        }
        Ok(Self {
            name: name.to_owned(),
            kind,
        })
    }
}

/// An index and its key: `ByRelease=Released:N,Title`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct IndexDefinition {
    pub(super) name: String,
    pub(super) key: Vec<KeyDefinition>,
}

impl FromStr for IndexDefinition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((name, key)) = text.split_once('=') else {
            return Err("an index is NAME=KEY, for example ByRelease=Released:N".to_owned());
        };
        Ok(Self {
            name: name.to_owned(),
            key: key.split(',').map(str::parse).collect::<Result<_, _>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str, kind: ScalarAttributeType) -> KeyDefinition {
        KeyDefinition {
            name: name.to_owned(),
            kind,
        }
    }

    #[test]
    fn definitions() {
        use ScalarAttributeType::{B, N, S};
        assert_eq!("a".parse(), Ok(key("a", S)));
        assert_eq!("a:b:N".parse(), Ok(key("a:b", N)));
        let index: IndexDefinition = "i=x:B,y".parse().unwrap();
        assert_eq!(
            (index.name.as_str(), index.key),
            ("i", vec![key("x", B), key("y", S)])
        );
    }

    #[test]
    fn mistakes() {
        assert!(
            "a:X"
                .parse::<KeyDefinition>()
                .unwrap_err()
                .contains("X is no type")
        );
        assert!(":S".parse::<KeyDefinition>().is_err());
        assert!("i".parse::<IndexDefinition>().is_err());
        assert!("i=".parse::<IndexDefinition>().is_err());
    }
}
