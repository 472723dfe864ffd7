//! The visitors that encode while they read.

use super::set::SetElements;
use super::{Encoder, tag};
use crate::limits::MAX_NESTING;
use crate::problem::check_attribute_name;
use crate::{AttributeType, Number, ValueProblem};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

/// What was read so far. After the first problem the rest is still read, for its shape.
pub(super) struct Sink {
    encoder: Encoder,
    problem: Option<ValueProblem>,
    depth: usize,
}

impl Sink {
    pub(super) const fn new(encoder: Encoder) -> Self {
        Self {
            encoder,
            problem: None,
            depth: 0,
        }
    }

    /// The encoder, if there was no problem.
    pub(super) fn finish(self) -> Result<Encoder, ValueProblem> {
        match self.problem {
            None => Ok(self.encoder),
            Some(problem) => Err(problem),
        }
    }

    fn report(&mut self, problem: impl Into<ValueProblem>) {
        self.problem.get_or_insert(problem.into());
    }

    /// Keeps what `check` accepts; notes what it refuses.
    fn accept<T>(&mut self, checked: Result<T, ValueProblem>) -> Option<T> {
        checked.map_err(|problem| self.report(problem)).ok()
    }
}

/// Reads `{"Name": value, ...}` as entries.
pub(super) struct EntriesSeed<'s>(pub(super) &'s mut Sink);

impl<'de> Visitor<'de> for EntriesSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map of attribute values")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let sink = self.0;
        let start = sink.encoder.len();
        let mut entries = Default::default();
        while let Some(name) = map.next_key::<Text<'de>>()? {
            sink.accept(check_attribute_name(&name.0));
            sink.encoder.begin_entry(&mut entries, &name.0);
            map.next_value_seed(ValueSeed(sink))?;
        }
        sink.encoder.end_entries(entries, start);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for EntriesSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

/// Reads `{"S": "..."}`.
pub(super) struct ValueSeed<'s>(pub(super) &'s mut Sink);

impl<'de> DeserializeSeed<'de> for ValueSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for ValueSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an attribute value such as {\"S\": \"text\"}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let sink = self.0;
        let mut types = 0;
        while let Some(descriptor) = map.next_key::<Text<'de>>()? {
            match descriptor.0.parse::<AttributeType>() {
                Ok(kind) => types += usize::from(read_typed(kind, sink, &mut map)?),
                // An unknown member counts as no type at all.
                Err(_) => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        match types {
            0 => sink.report(ValueProblem::NoType),
            1 => {}
            _ => sink.report(ValueProblem::ManyTypes),
        }
        Ok(())
    }
}

/// Reads the value of one descriptor; false if it is `null`, which is as if it were not there.
fn read_typed<'de, A: MapAccess<'de>>(
    kind: AttributeType,
    sink: &mut Sink,
    map: &mut A,
) -> Result<bool, A::Error> {
    match kind {
        AttributeType::S => {
            let Some(text) = map.next_value::<Option<Text<'de>>>()? else {
                return Ok(false);
            };
            sink.encoder.scalar(tag::S, text.0.as_bytes());
        }
        AttributeType::N => {
            let Some(text) = map.next_value::<Option<Text<'de>>>()? else {
                return Ok(false);
            };
            if let Some(number) = sink.accept(text.0.parse::<Number>().map_err(Into::into)) {
                sink.encoder.number(number);
            }
        }
        AttributeType::B => {
            let Some(bytes) = map.next_value::<Option<Binary>>()? else {
                return Ok(false);
            };
            sink.encoder.scalar(tag::B, &bytes.0);
        }
        AttributeType::Bool => {
            let Some(value) = map.next_value::<Option<bool>>()? else {
                return Ok(false);
            };
            sink.encoder.bool(value);
        }
        AttributeType::Null => match map.next_value::<Option<bool>>()? {
            None => return Ok(false),
            Some(true) => sink.encoder.null(),
            Some(false) => sink.report(ValueProblem::NullIsFalse),
        },
        AttributeType::M => return map.next_value_seed(Nested(Document::Map, sink)),
        AttributeType::L => return map.next_value_seed(Nested(Document::List, sink)),
        AttributeType::Ss => return read_string_set(sink, map.next_value()?),
        AttributeType::Ns => return read_number_set(sink, map.next_value()?),
        AttributeType::Bs => return read_binary_set(sink, map.next_value()?),
    }
    Ok(true)
}

fn read_string_set<E>(sink: &mut Sink, given: Option<SetElements<String>>) -> Result<bool, E> {
    let Some(SetElements(given)) = given else {
        return Ok(false);
    };
    let set: BTreeSet<&[u8]> = given.iter().map(|text| text.as_bytes()).collect();
    if set.is_empty() {
        sink.report(ValueProblem::EmptyStringSet);
    } else if set.len() < given.len() {
        sink.report(ValueProblem::DuplicateStrings(given));
    } else {
        sink.encoder.set(tag::SS, set.into_iter());
    }
    Ok(true)
}

fn read_number_set<'de, E>(
    sink: &mut Sink,
    given: Option<SetElements<Text<'de>>>,
) -> Result<bool, E> {
    let Some(SetElements(given)) = given else {
        return Ok(false);
    };
    let numbers: Result<BTreeSet<Number>, _> = given.iter().map(|text| text.0.parse()).collect();
    match numbers {
        Err(problem) => sink.report(problem),
        Ok(set) if set.is_empty() => sink.report(ValueProblem::EmptyNumberSet),
        Ok(set) if set.len() < given.len() => sink.report(ValueProblem::DuplicateNumbers),
        Ok(set) => sink.encoder.number_set(set.iter()),
    }
    Ok(true)
}

fn read_binary_set<E>(sink: &mut Sink, given: Option<SetElements<Binary>>) -> Result<bool, E> {
    let Some(SetElements(given)) = given else {
        return Ok(false);
    };
    let set: BTreeSet<&[u8]> = given.iter().map(|bytes| bytes.0.as_slice()).collect();
    if set.is_empty() {
        sink.report(ValueProblem::EmptyBinarySet);
    } else if set.len() < given.len() {
        let texts = given.iter().map(|bytes| STANDARD.encode(&bytes.0));
        sink.report(ValueProblem::DuplicateBinaries(texts.collect()));
    } else {
        sink.encoder.set(tag::BS, set.into_iter());
    }
    Ok(true)
}

#[derive(Clone, Copy)]
enum Document {
    Map,
    List,
}

/// Reads the body of a map or list, or `null`; past the deepest level it only passes over it.
struct Nested<'s>(Document, &'s mut Sink);

impl<'de> DeserializeSeed<'de> for Nested<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        if self.1.depth + 1 >= MAX_NESTING {
            self.1.report(ValueProblem::TooDeep);
            deserializer.deserialize_ignored_any(IgnoredAny)?;
            return Ok(true);
        }
        deserializer.deserialize_option(self)
    }
}

impl<'de> Visitor<'de> for Nested<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Document::Map => "a map of attribute values",
            Document::List => "a list of attribute values",
        })
    }

    fn visit_unit<E>(self) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_none<E>(self) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        let Self(document, sink) = self;
        sink.depth += 1;
        match document {
            Document::Map => {
                let body = sink.encoder.open(tag::M);
                EntriesSeed(sink).deserialize(deserializer)?;
                sink.encoder.close(body);
            }
            Document::List => {
                let body = sink.encoder.open(tag::L);
                deserializer.deserialize_seq(ListVisitor(sink))?;
                sink.encoder.close(body);
            }
        }
        sink.depth -= 1;
        Ok(true)
    }
}

struct ListVisitor<'s>(&'s mut Sink);

impl<'de> Visitor<'de> for ListVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of attribute values")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element_seed(ValueSeed(self.0))?.is_some() {}
        Ok(())
    }
}

/// A string, borrowed from the input where it has no escapes.
struct Text<'de>(Cow<'de, str>);

impl<'de> serde::Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TextVisitor)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
        Ok(Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
        Ok(Text(Cow::Owned(text.to_owned())))
    }

    fn visit_string<E>(self, text: String) -> Result<Text<'de>, E> {
        Ok(Text(Cow::Owned(text)))
    }
}

/// Bytes in base64.
struct Binary(Vec<u8>);

impl<'de> serde::Deserialize<'de> for Binary {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Text::deserialize(deserializer)?;
        STANDARD
            .decode(text.0.as_bytes())
            .map(Binary)
            .map_err(|_| D::Error::custom(format_args!("\"{}\" is not base64", text.0)))
    }
}
