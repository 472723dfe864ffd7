//! All facts about one subject, one after the other.

use super::fact::{self, FactSink, FieldReader, Fields, SubjectKey, Topic};
use super::merge::Merge;
use crate::error::Error;

/// Facts in order, subject by subject.
pub(crate) struct Facts {
    source: Source,
    ahead: Option<Vec<u8>>,
    error: Option<Error>,
}

enum Source {
    Merge(Box<Merge>),
    Memory(std::vec::IntoIter<Vec<u8>>),
}

impl Facts {
    pub(crate) fn new(merge: Merge) -> Self {
        Self::from_source(Source::Merge(Box::new(merge)))
    }

    /// Facts of a few rows.
    pub(crate) fn from_memory(mut facts: Vec<Vec<u8>>) -> Self {
        facts.sort_unstable();
        facts.dedup();
        Self::from_source(Source::Memory(facts.into_iter()))
    }

    fn from_source(source: Source) -> Self {
        let mut facts = Self {
            source,
            ahead: None,
            error: None,
        };
        facts.advance();
        facts
    }

    fn advance(&mut self) {
        self.ahead = match &mut self.source {
            Source::Memory(facts) => facts.next(),
            Source::Merge(merge) => match merge.next_record() {
                Ok(next) => next,
                Err(error) => {
                    self.error = Some(error);
                    None
                }
            },
        };
    }

    /// The next subject. What is left of the one before is passed over.
    pub(crate) fn next_subject(&mut self) -> Result<Option<Subject<'_>>, Error> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let Some(ahead) = &self.ahead else {
            return Ok(None);
        };
        let Some((key, _, _)) = fact::decode(ahead) else {
            return Err(Error::integrity("a temporary file was changed meanwhile"));
        };
        Ok(Some(Subject { facts: self, key }))
    }
}

/// One thing that facts are about. Its facts come by their ranks, and are gone once they were read.
pub(crate) struct Subject<'f> {
    facts: &'f mut Facts,
    key: SubjectKey,
}

/// A fact about a subject.
pub(crate) struct StatedFact {
    pub(crate) rank: u8,
    fields: Vec<u8>,
}

impl StatedFact {
    pub(crate) fn fields(&self) -> FieldReader<'_> {
        FieldReader(&self.fields)
    }
}

/// The bytes of a fact about a subject.
pub(crate) fn encode_fact(subject: &SubjectKey, fact: &StatedFact) -> Vec<u8> {
    fact::encode_raw(subject, fact.rank, &fact.fields)
}

impl Subject<'_> {
    pub(crate) const fn key(&self) -> &SubjectKey {
        &self.key
    }

    /// The next fact.
    pub(crate) fn next_fact(&mut self) -> Option<StatedFact> {
        let (key, rank, fields) = fact::decode(self.facts.ahead.as_ref()?)?;
        if key != self.key {
            return None;
        }
        let fields = fields.to_vec();
        self.facts.advance();
        Some(StatedFact { rank, fields })
    }
}

impl Drop for Subject<'_> {
    fn drop(&mut self) {
        while self.next_fact().is_some() {}
    }
}

/// Facts about one subject, kept in memory: what is said of others is passed over.
pub(crate) struct FactFilter<'k> {
    wanted: &'k SubjectKey,
    pub(crate) facts: Vec<Vec<u8>>,
}

impl<'k> FactFilter<'k> {
    pub(crate) const fn new(wanted: &'k SubjectKey) -> Self {
        Self {
            wanted,
            facts: Vec::new(),
        }
    }
}

impl FactSink for FactFilter<'_> {
    fn state(&mut self, topic: Topic, subject: Fields, rank: u8, fields: Fields) {
        let subject = SubjectKey {
            topic,
            key: subject.into_bytes(),
        };
        if subject == *self.wanted {
            self.facts.push(fact::encode(&subject, rank, &fields));
        }
    }
}
