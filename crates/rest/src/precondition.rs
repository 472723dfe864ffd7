//! `If-Match` and `If-None-Match`: what a caller has seen of a row before it acts.

use crate::problem::Problem;
use crate::request::Request;
use http::header::{IF_MATCH, IF_NONE_MATCH};

/// What must be so before a call is carried out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Precondition {
    /// The row has one of these tags.
    pub(crate) matches: Option<Tags>,
    /// The row has none of these tags.
    pub(crate) differs: Option<Tags>,
}

/// Tags of a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tags {
    /// Whatever tag there is.
    Any,
    /// One of these, each without its quotes.
    List(Vec<Tag>),
}

/// A tag as a client sends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tag {
    text: String,
    is_weak: bool,
}

impl Precondition {
    /// Reads both headers.
    pub(crate) fn read(request: &Request) -> Result<Self, Problem> {
        let read = |name| request.header(name)?.map(Tags::parse).transpose();
        Ok(Self {
            matches: read(IF_MATCH)?,
            differs: read(IF_NONE_MATCH)?,
        })
    }

    /// Whether a write depends on the tag of the row.
    pub(crate) const fn has_tags(&self) -> bool {
        self.matches.is_some() || self.differs.is_some()
    }
}

impl Tags {
    fn parse(text: &str) -> Result<Self, Problem> {
        if text == "*" {
            return Ok(Self::Any);
        }
        let tags: Option<Vec<_>> = text.split(',').map(|tag| Tag::parse(tag.trim())).collect();
        let tags = tags.ok_or_else(|| {
            Problem::bad_request(format!(
                "`{text}` is no list of entity tags, which stand in quotes as the header `ETag` has them"
            ))
        })?;
        Ok(Self::List(tags))
    }

    /// Whether a write may go on that demands one of these: weak tags say nothing about that.
    pub(crate) fn has_strong(&self, current: &str) -> bool {
        match self {
            Self::Any => true,
            Self::List(tags) => tags.iter().any(|tag| !tag.is_weak && tag.text == current),
        }
    }

    /// Whether a reader has this already.
    pub(crate) fn has(&self, current: &str) -> bool {
        match self {
            Self::Any => true,
            Self::List(tags) => tags.iter().any(|tag| tag.text == current),
        }
    }
}

/// As a header says it.
impl std::fmt::Display for Tags {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self::List(tags) = self else {
            return f.write_str("*");
        };
        for (position, tag) in tags.iter().enumerate() {
            let comma = if position > 0 { ", " } else { "" };
            let weak = if tag.is_weak { "W/" } else { "" };
            write!(f, "{comma}{weak}\"{}\"", tag.text)?;
        }
        Ok(())
    }
}

impl Tag {
    fn parse(text: &str) -> Option<Self> {
        let (text, is_weak) = match text.strip_prefix("W/") {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        let text = text.strip_prefix('"')?.strip_suffix('"')?;
        (!text.contains('"')).then(|| Self {
            text: text.to_owned(),
            is_weak,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weak_tags_are_enough_for_readers_only() {
        let tags = Tags::parse(r#"W/"a", "b""#).unwrap();
        assert!(tags.has("a") && tags.has("b") && !tags.has("c"));
        assert!(!tags.has_strong("a") && tags.has_strong("b"));
        assert!(Tags::parse("*").unwrap().has_strong("x"));
        for wrong in ["a", "\"a", "a\"b\"", "\"a\"\"", ""] {
            assert!(Tags::parse(wrong).is_err(), "{wrong}");
        }
    }
}
