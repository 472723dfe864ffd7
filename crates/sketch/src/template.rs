//! Templates of keys.

use std::fmt;

/// A template: texts and places of values.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Template {
    /// Its parts, from left to right.
    pub parts: Vec<Part>,
}

/// A part of a template.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// Text as it stands.
    Text(String),
    /// The place of a value.
    Field(Field),
}

/// The place of a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Field {
    /// The attribute.
    pub attribute: String,
    /// What is done to it, from left to right: `trim`, `lower`, `05`.
    pub formats: Vec<String>,
    /// Whether an absent value shows as nothing, instead of keeping the row out of the index.
    pub or_nothing: bool,
}

impl Field {
    /// The value as it is.
    #[must_use]
    pub fn plain(attribute: impl Into<String>) -> Self {
        Self {
            attribute: attribute.into(),
            formats: Vec::new(),
            or_nothing: false,
        }
    }

    /// With a format more.
    #[must_use]
    pub fn format(mut self, format: impl Into<String>) -> Self {
        self.formats.push(format.into());
        self
    }
}

impl Template {
    /// A template of text alone.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        let mut template = Self::default();
        template.push_text(&text.into());
        template
    }

    /// A template that shows one attribute.
    #[must_use]
    pub fn attribute(name: impl Into<String>) -> Self {
        Self {
            parts: vec![Part::Field(Field::plain(name))],
        }
    }

    /// Adds text at the end.
    pub fn push_text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        match self.parts.last_mut() {
            Some(Part::Text(last)) => last.push_str(text),
            Some(Part::Field(_)) | None => self.parts.push(Part::Text(text.to_owned())),
        }
    }

    /// Adds a place at the end.
    pub fn push_field(&mut self, field: Field) {
        self.parts.push(Part::Field(field));
    }

    /// The places, from left to right.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        self.parts.iter().filter_map(|part| match part {
            Part::Field(field) => Some(field),
            Part::Text(_) => None,
        })
    }

    /// Whether it shows no value.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.fields().next().is_none()
    }

    /// The text that all its values begin with.
    #[must_use]
    pub fn leading_text(&self) -> &str {
        match self.parts.first() {
            Some(Part::Text(text)) => text,
            Some(Part::Field(_)) | None => "",
        }
    }
}

/// As a model writes it.
impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.parts {
            match part {
                Part::Text(text) => {
                    f.write_str(&text.replace('{', "{{").replace('}', "}}"))?;
                }
                Part::Field(field) => write!(f, "{field}")?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{}", self.attribute)?;
        if self.or_nothing {
            f.write_str("|")?;
        }
        for format in &self.formats {
            write!(f, ":{format}")?;
        }
        f.write_str("}")
    }
}
