//! A table of the model, read key by key.

use super::{Text, span_of};
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::span::{Name, Span, Spanned};
use crate::suggest::nearest;
use std::collections::BTreeSet;
use toml::Spanned as TomlSpanned;
use toml::de::{DeTable, DeValue};

/// A value of the model, as TOML has it.
#[derive(Clone, Copy)]
pub(crate) struct Value<'a> {
    file: &'a str,
    value: &'a TomlSpanned<DeValue<'a>>,
}

impl<'a> Value<'a> {
    pub(crate) fn span(&self) -> Span {
        span_of(self.value)
    }

    pub(crate) fn text(&self) -> Option<Text> {
        let value = self.value.get_ref().as_str()?;
        Some(Text::new(self.file, self.span(), value.to_owned()))
    }

    pub(crate) fn flag(&self) -> Option<bool> {
        self.value.get_ref().as_bool()
    }

    pub(crate) fn integer(&self) -> Option<i64> {
        let integer = self.value.get_ref().as_integer()?;
        i64::from_str_radix(integer.as_str(), integer.radix()).ok()
    }

    /// A float as it is written, for literals of predicates and defaults.
    pub(crate) fn number_text(&self) -> Option<&'a str> {
        match self.value.get_ref() {
            DeValue::Integer(integer) if integer.radix() == 10 => Some(integer.as_str()),
            DeValue::Float(float) => Some(float.as_str()),
            _ => None,
        }
    }

    pub(crate) fn elements(&self) -> Option<Vec<Self>> {
        let array = self.value.get_ref().as_array()?;
        let file = self.file;
        Some(array.iter().map(|value| Self { file, value }).collect())
    }

    /// Whether it can be the key of an index: a text or a list.
    pub(crate) fn is_key(&self) -> bool {
        self.value.get_ref().is_str() || self.value.get_ref().is_array()
    }

    pub(crate) fn is_table(&self) -> bool {
        self.value.get_ref().is_table()
    }

    pub(crate) fn section(&self, name: &str) -> Option<Section<'a>> {
        let table = self.value.get_ref().as_table()?;
        Some(Section::new(self.file, name, self.span(), table))
    }

    fn kind(&self) -> &'static str {
        match self.value.get_ref() {
            DeValue::String(_) => "text",
            DeValue::Integer(_) => "a number",
            DeValue::Float(_) => "a number with a fraction",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        }
    }

    /// Reports that something else should stand here.
    pub(crate) fn wrong_kind(&self, name: &str, wanted: &str, findings: &mut Findings) {
        let message = format!("`{name}` is {}; it must be {wanted}", self.kind());
        findings.error(Code::WrongKind, self.span(), message);
    }
}

/// A table of the model. Every key must be taken; [`Section::finish`] reports the others.
pub(crate) struct Section<'a> {
    file: &'a str,
    /// As in its header: `entity.Person`.
    pub(crate) name: String,
    pub(crate) span: Span,
    /// In the order of the file.
    entries: Vec<(Name, Value<'a>)>,
    taken: BTreeSet<usize>,
    asked: BTreeSet<String>,
}

impl<'a> Section<'a> {
    pub(crate) fn new(file: &'a str, name: &str, span: Span, table: &'a DeTable<'a>) -> Self {
        let mut entries: Vec<_> = table
            .iter()
            .map(|(key, value)| {
                let name = Spanned::new(key.get_ref().to_string(), span_of(key));
                (name, Value { file, value })
            })
            .collect();
        entries.sort_by_key(|(name, _)| name.span.start);
        Self {
            file,
            name: name.to_owned(),
            span,
            entries,
            taken: BTreeSet::new(),
            asked: BTreeSet::new(),
        }
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|(name, _)| name.value == key)
    }

    /// The value of a key, which is taken by that.
    pub(crate) fn take(&mut self, key: &str) -> Option<(Name, Value<'a>)> {
        self.asked.insert(key.to_owned());
        let position = self
            .entries
            .iter()
            .position(|(name, _)| name.value == key)?;
        self.taken.insert(position);
        self.entries.get(position).cloned()
    }

    /// The keys that were asked for.
    #[cfg(test)]
    pub(crate) fn asked(&self) -> Vec<&str> {
        self.asked.iter().map(String::as_str).collect()
    }

    /// Everything that was not taken before, in the order of the file.
    pub(crate) fn take_rest(&mut self) -> Vec<(Name, Value<'a>)> {
        let rest: Vec<_> = (0..self.entries.len())
            .filter(|position| !self.taken.contains(position))
            .collect();
        self.taken.extend(rest.iter().copied());
        let entry = |position: usize| self.entries.get(position).cloned();
        rest.into_iter().filter_map(entry).collect()
    }

    pub(crate) fn text(&mut self, key: &str, findings: &mut Findings) -> Option<Text> {
        let (_, value) = self.take(key)?;
        let text = value.text();
        if text.is_none() {
            value.wrong_kind(key, "text", findings);
        }
        text
    }

    pub(crate) fn name(&mut self, key: &str, findings: &mut Findings) -> Option<Name> {
        self.text(key, findings).map(|text| text.name())
    }

    pub(crate) fn required_text(&mut self, key: &str, findings: &mut Findings) -> Option<Text> {
        if !self.has(key) {
            self.missing(key, findings);
        }
        self.text(key, findings)
    }

    pub(crate) fn required_name(&mut self, key: &str, findings: &mut Findings) -> Option<Name> {
        self.required_text(key, findings).map(|text| text.name())
    }

    pub(crate) fn flag(&mut self, key: &str, findings: &mut Findings) -> Option<Spanned<bool>> {
        let (_, value) = self.take(key)?;
        let flag = value.flag();
        if flag.is_none() {
            value.wrong_kind(key, "true or false", findings);
        }
        flag.map(|flag| Spanned::new(flag, value.span()))
    }

    /// A number that is not negative.
    pub(crate) fn count(&mut self, key: &str, findings: &mut Findings) -> Option<Spanned<usize>> {
        let (_, value) = self.take(key)?;
        let count = value
            .integer()
            .and_then(|number| usize::try_from(number).ok());
        if count.is_none() {
            value.wrong_kind(key, "a number that is not negative", findings);
        }
        count.map(|count| Spanned::new(count, value.span()))
    }

    /// A list of texts; one text alone is a list of one.
    pub(crate) fn texts(&mut self, key: &str, findings: &mut Findings) -> Option<Vec<Text>> {
        let (_, value) = self.take(key)?;
        texts(key, value, findings)
    }

    pub(crate) fn names(&mut self, key: &str, findings: &mut Findings) -> Vec<Name> {
        let texts = self.texts(key, findings).unwrap_or_default();
        texts.iter().map(Text::name).collect()
    }

    pub(crate) fn required_names(&mut self, key: &str, findings: &mut Findings) -> Vec<Name> {
        if !self.has(key) {
            self.missing(key, findings);
        }
        self.names(key, findings)
    }

    /// A table under this one.
    pub(crate) fn section(&mut self, key: &str, findings: &mut Findings) -> Option<Section<'a>> {
        let (_, value) = self.take(key)?;
        let section = value.section(&format!("{}.{key}", self.name));
        if section.is_none() {
            value.wrong_kind(key, "a table", findings);
        }
        section
    }

    /// The tables under a key of the model itself: `[entity.A]`, `[entity.B]`.
    pub(crate) fn sections(
        &mut self,
        key: &str,
        findings: &mut Findings,
    ) -> Vec<(Name, Section<'a>)> {
        let Some((_, value)) = self.take(key) else {
            return Vec::new();
        };
        let Some(mut outer) = value.section(key) else {
            value.wrong_kind(key, "a table of tables", findings);
            return Vec::new();
        };
        let mut sections = Vec::new();
        for (name, value) in outer.take_rest() {
            match value.section(&format!("{key}.{}", name.value)) {
                Some(section) => sections.push((name, section)),
                None => value.wrong_kind(&name.value, "a table", findings),
            }
        }
        sections
    }

    pub(crate) fn missing(&self, key: &str, findings: &mut Findings) {
        let message = if self.name.is_empty() {
            format!("the model has no `{key}`")
        } else {
            format!("[{}] has no `{key}`", self.name)
        };
        findings.error(Code::MissingKey, self.header(), message);
    }

    /// A place for what is about the whole section.
    pub(crate) fn header(&self) -> Span {
        let text = self.file.get(self.span.range()).unwrap_or_default();
        let first = text.lines().next().map_or(0, str::len);
        Span {
            start: self.span.start,
            end: self.span.start + first,
        }
    }

    /// Reports the keys that nobody took.
    pub(crate) fn finish(mut self, findings: &mut Findings) {
        for (name, _) in self.take_rest() {
            self.unknown(&name, findings);
        }
    }

    /// Reports a key that means nothing here.
    pub(crate) fn unknown(&self, name: &Name, findings: &mut Findings) {
        let place = if self.name.is_empty() {
            "a model".to_owned()
        } else {
            format!("[{}]", self.name)
        };
        let message = format!("{place} has no key `{}`", name.value);
        let known: Vec<_> = self.asked.iter().map(String::as_str).collect();
        let near = nearest(&name.value, known.iter().copied());
        let found = Diagnostic::new(Code::UnknownKey, name.span, message)
            .help(format!("known here: {}", known.join(", ")));
        findings.push(found.did_you_mean(near));
    }
}

/// A list of texts; one text alone is a list of one.
pub(crate) fn texts(key: &str, value: Value<'_>, findings: &mut Findings) -> Option<Vec<Text>> {
    if let Some(text) = value.text() {
        return Some(vec![text]);
    }
    let Some(elements) = value.elements() else {
        value.wrong_kind(key, "text or a list of texts", findings);
        return None;
    };
    let mut texts = Vec::with_capacity(elements.len());
    for element in elements {
        match element.text() {
            Some(text) => texts.push(text),
            None => element.wrong_kind(key, "a list of texts", findings),
        }
    }
    Some(texts)
}

/// A list whose elements are texts or lists of texts; one text alone is a list of one. An element that is a text is a list of
/// one, too.
pub(crate) fn text_lists(
    key: &str,
    value: Value<'_>,
    findings: &mut Findings,
) -> Option<Vec<Vec<Text>>> {
    if let Some(text) = value.text() {
        return Some(vec![vec![text]]);
    }
    let Some(elements) = value.elements() else {
        value.wrong_kind(key, "text or a list of texts", findings);
        return None;
    };
    let mut lists = Vec::with_capacity(elements.len());
    for element in elements {
        match (element.text(), element.elements()) {
            (Some(text), _) => lists.push(vec![text]),
            (None, Some(_)) => lists.push(texts(key, element, findings)?),
            (None, None) => {
                element.wrong_kind(key, "a list of texts, or of lists of texts", findings);
            }
        }
    }
    Some(lists)
}
