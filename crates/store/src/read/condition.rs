//! The key condition of a pattern with its parameters filled in.

use super::parameters::Given;
use crate::error::Error;
use crate::field_error::{FieldError, Problem};
use crate::session::Session;
use monotable_item::AttributeValue;
use monotable_model::compiled::RenderProblem;
use monotable_model::model::{
    Access, EntityId, Key, KeyPlace, Mode, Part, Table, TableId, Template,
};

/// The last character: nothing that begins alike sorts behind a text that ends in it.
const LAST: char = '\u{10FFFF}';

/// What is asked of the sort key.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Sort {
    Any,
    Is(AttributeValue),
    Begins(String),
    Between(AttributeValue, AttributeValue),
    AtLeast(AttributeValue),
    AtMost(AttributeValue),
}

/// A partition and what is asked of its sort keys.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    pub(super) table: TableId,
    pub(super) place: KeyPlace,
    pub(super) hash: AttributeValue,
    pub(super) sort: Sort,
}

/// Where a pattern asks.
struct Place<'s> {
    session: &'s Session,
    access: &'s Access,
    key: &'s Key,
    given: &'s Given,
}

/// The condition of a pattern.
pub(super) fn of(
    session: &Session,
    access: &Access,
    table: TableId,
    key: &Key,
    given: &Given,
) -> Result<Condition, Error> {
    let place = Place {
        session,
        access,
        key,
        given,
    };
    place
        .condition(table)
        .map_err(|problem| refused(access, &problem))
}

fn refused(access: &Access, problem: &RenderProblem) -> Error {
    let (field, problem) = match problem {
        RenderProblem::Absent { field } => (field, Problem::Missing),
        RenderProblem::Format { field, problem } => {
            let why = problem.to_string();
            (field, Problem::Key { why })
        }
    };
    Error::validation(&access.name.value, vec![FieldError::new(field, problem)])
}

/// The attributes of a key.
pub(super) fn attributes(table: &Table, place: KeyPlace) -> (&str, Option<&str>) {
    let index = match place {
        KeyPlace::Primary => None,
        KeyPlace::Index(position) => table.indexes.get(position),
    };
    let (hash, range) = index.map_or((&table.hash, &table.range), |index| {
        (&index.hash, &index.range)
    });
    (
        &hash.value,
        range.as_ref().map(|range| range.value.as_str()),
    )
}

impl Place<'_> {
    fn condition(&self, table: TableId) -> Result<Condition, RenderProblem> {
        let declared = self.session.model().table(table);
        let (hash_name, range_name) = attributes(declared, self.key.place);
        let prefix = if self.key.global {
            ""
        } else {
            &self.session.prefix
        };
        let hash = self.given.render(self.session, &self.key.hash, "")?;
        let hash = self.value(hash_name, &self.key.hash, format!("{prefix}{hash}"));
        let sort = match (range_name, &self.key.range) {
            (Some(name), Some(template)) if !template.parts.is_empty() => {
                self.sort(name, template)?
            }
            _ => Sort::Any,
        };
        Ok(Condition {
            table,
            place: self.key.place,
            hash,
            sort,
        })
    }

    fn sort(&self, name: &str, template: &Template) -> Result<Sort, RenderProblem> {
        let last = template.parts.split_last();
        if let Some((Part::Field(field), before)) = last
            && field.mode == Mode::Range
        {
            return self.range(name, template, before);
        }
        let open = template.fields().any(|field| field.mode == Mode::Open);
        if template.open_end || open {
            return Ok(Sort::Begins(self.prefix(template)?));
        }
        let text = self.given.render(self.session, template, "")?;
        Ok(Sort::Is(self.value(name, template, text)))
    }

    /// As much of a prefix as is given: it ends before the first optional field without a value.
    fn prefix(&self, template: &Template) -> Result<String, RenderProblem> {
        let mut end = template.parts.len();
        for (position, part) in template.parts.iter().enumerate() {
            let Part::Field(field) = part else { continue };
            if field.mode == Mode::Optional {
                let piece = std::slice::from_ref(part);
                if self.given.parts(self.session, template, piece, "").is_err() {
                    end = position;
                    break;
                }
            }
        }
        let parts = template.parts.get(..end).unwrap_or_default();
        self.given.parts(self.session, template, parts, "")
    }

    fn range(
        &self,
        name: &str,
        template: &Template,
        before: &[Part],
    ) -> Result<Sort, RenderProblem> {
        let prefix = self.given.parts(self.session, template, before, "")?;
        let Some(Part::Field(field)) = template.parts.last() else {
            return Ok(Sort::Any);
        };
        let reaches = if self.goes_on(&field.name()) {
            LAST.to_string()
        } else {
            String::new()
        };
        let end = |end: &str| {
            let piece = template
                .parts
                .last()
                .map(std::slice::from_ref)
                .unwrap_or_default();
            self.given.parts(self.session, template, piece, end).ok()
        };
        let value = |text: String| self.value(name, template, text);
        let from = end("from").map(|from| value(format!("{prefix}{from}")));
        let to = end("to").map(|to| value(format!("{prefix}{to}{reaches}")));
        let closed = !prefix.is_empty();
        Ok(match (from, to) {
            (Some(from), Some(to)) => Sort::Between(from, to),
            (Some(from), None) if closed => {
                Sort::Between(from, AttributeValue::S(format!("{prefix}{LAST}")))
            }
            (None, Some(to)) if closed => Sort::Between(AttributeValue::S(prefix), to),
            (Some(from), None) => Sort::AtLeast(from),
            (None, Some(to)) => Sort::AtMost(to),
            (None, None) if closed => Sort::Begins(prefix),
            (None, None) => Sort::Any,
        })
    }

    /// Whether keys go on behind the value that is a range.
    fn goes_on(&self, name: &str) -> bool {
        let ends_there = |id: &EntityId| {
            let key = self.session.entity(*id).key(self.key.place);
            let range = key.and_then(|key| key.range.as_ref());
            match range.and_then(|range| range.parts.last()) {
                Some(Part::Field(last)) => last.name() == name,
                Some(Part::Literal(_)) | None => false,
            }
        };
        !self.access.returns.iter().all(ends_there)
    }

    /// Keys are text, but for an index on a number that the rows have anyway.
    fn value(&self, attribute: &str, template: &Template, text: String) -> AttributeValue {
        let is_number = self.access.returns.iter().any(|id| {
            let attributes = &self.session.entity(*id).attributes;
            attributes
                .iter()
                .any(|known| known.stored == attribute && known.kind.is_number())
        });
        let bare = matches!(template.parts.as_slice(), [Part::Field(_)]);
        match text.parse() {
            Ok(number) if bare && is_number => AttributeValue::N(number),
            _ => AttributeValue::S(text),
        }
    }
}

/// The primary key that a condition asks for as a whole.
pub(super) fn whole(condition: &Condition) -> crate::place::Place {
    let text = |value: &AttributeValue| match value {
        AttributeValue::S(text) => text.clone(),
        AttributeValue::N(number) => number.to_string(),
        _ => String::new(),
    };
    crate::place::Place {
        table: condition.table,
        hash: text(&condition.hash),
        range: match &condition.sort {
            Sort::Is(value) => Some(text(value)),
            _ => None,
        },
    }
}
