//! Addresses of screens: read from requests, and written into links.

use monotable_rest::percent;

/// The words behind the question mark of an address, or of a form: names with values, in their order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words(Vec<(String, String)>);

impl Words {
    /// Reads `a=1&b=2`. What is not UTF-8 is read as well as it can be: an address that was mistyped is no reason for an error.
    pub(crate) fn parse(text: &str) -> Self {
        let words = text.split('&').filter(|word| !word.is_empty());
        Self(
            words
                .map(|word| {
                    let (name, value) = word.split_once('=').unwrap_or((word, ""));
                    (
                        decode(&name.replace('+', " ")),
                        decode(&value.replace('+', " ")),
                    )
                })
                .collect(),
        )
    }

    /// The first value of a name.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let mut words = self.0.iter();
        let found = words.find(|(known, _)| known == name)?;
        Some(&found.1)
    }

    /// The first value of a name, unless it is empty.
    pub(crate) fn filled(&self, name: &str) -> Option<&str> {
        self.get(name).filter(|value| !value.is_empty())
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let words = self.0.iter();
        words.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Those whose names begin like this, without the beginning.
    pub(crate) fn under<'w>(&'w self, prefix: &str) -> impl Iterator<Item = (&'w str, &'w str)> {
        self.iter()
            .filter_map(move |(name, value)| Some((name.strip_prefix(prefix)?, value)))
    }
}

/// A text with percent signs, as well as it can be read.
pub(crate) fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| {
            let digits = std::str::from_utf8(digits).ok()?;
            u8::from_str_radix(digits, 16).ok()
        });
        match (byte, digits) {
            (b'%', Some(decoded)) => {
                bytes.push(decoded);
                rest = after.get(2..).unwrap_or_default();
            }
            _ => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// An address in the making.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    path: String,
    query: String,
}

impl Link {
    /// A path of segments, each of which may be any text.
    pub(crate) fn new(segments: &[&str]) -> Self {
        let mut path = "/ui".to_owned();
        for segment in segments {
            path.push('/');
            // A segment that is empty or made of dots would be taken away by clients of HTTP.
            match *segment {
                "" => path.push_str("%00"),
                "." => path.push_str("%2E%00"),
                ".." => path.push_str("%2E%2E%00"),
                text => path.push_str(&percent::encode(text)),
            }
        }
        Self {
            path,
            query: String::new(),
        }
    }

    /// With a word behind the question mark.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        if !self.query.is_empty() {
            self.query.push('&');
        }
        self.query.push_str(&percent::encode(name));
        self.query.push('=');
        self.query.push_str(&percent::encode(value));
        self
    }

    /// With a word, if there is a value.
    pub(crate) fn with_some(self, name: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }
}

impl std::fmt::Display for Link {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.path)?;
        if !self.query.is_empty() {
            write!(f, "?{}", self.query)?;
        }
        Ok(())
    }
}

impl maud::Render for Link {
    fn render_to(&self, buffer: &mut String) {
        self.to_string().as_str().render_to(buffer);
    }
}

/// The segment of a path, as [`Link::new`] writes it.
pub(crate) fn read_segment(text: &str) -> String {
    let text = decode(text);
    match text.strip_suffix('\0') {
        Some(text) => text.to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_segment_comes_back() {
        for text in ["", ".", "..", "a/b?c", "%", "ä\u{1f600}", "<b>"] {
            let link = Link::new(&[text]).to_string();
            let segment = link.strip_prefix("/ui/");
            assert_eq!(segment.map(read_segment).as_deref(), Some(text));
        }
    }

    #[test]
    fn words_are_read_as_forms_write_them() {
        let words = Words::parse("a=1+2&set.b=%3Cb%3E&a=3&%zz");
        assert_eq!(words.get("a"), Some("1 2"));
        assert_eq!(words.under("set.").next(), Some(("b", "<b>")));
        assert!(words.has("%zz"));
    }
}
