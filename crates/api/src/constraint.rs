//! Constraints that AWS's service description puts on single members of a request.
//!
//! AWS checks all of them before anything else and reports those that are broken in one message:
//! `2 validation errors detected: Value null at 'tableName' failed to satisfy constraint: Member must
//! not be null; Value ...`.
//!
//! Which version of the wording: AWS is moving its item operations to a framework that stops at the
//! first broken constraint and does not repeat the value (`Value at 'TableName' failed to satisfy
//! constraint: ...`), region by region since June 2026. This is the older wording, which the table
//! operations, DynamoDB Local and most tools still speak; two constraints are in the newer one already
//! wherever they were recorded ([`Constraints::report_newer`]). It is all in this file.

use crate::Error;
use crate::choice::{Choice, Chosen};
use crate::echo::{Echo, MOST_ECHOED};
use serde::Serialize;
use std::fmt::{self, Display};
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;

/// AWS lists at most this many broken constraints.
const MOST_REPORTED: usize = 10;

/// Where a member stands in the request: `keySchema.1.member.keyType`.
#[derive(Clone, Copy)]
pub(crate) enum Path<'a> {
    /// A member of the request.
    Root(&'static str),
    /// A member of the structure at the path.
    Field(&'a Path<'a>, &'static str),
    /// A member of a list, counted from 0 here and from 1 in the message.
    Element(&'a Path<'a>, usize),
    /// A member of a map.
    Entry(&'a Path<'a>, &'a str),
}

impl<'a> Path<'a> {
    pub(crate) const fn field(&'a self, name: &'static str) -> Self {
        Self::Field(self, name)
    }

    pub(crate) const fn element(&'a self, index: usize) -> Self {
        Self::Element(self, index)
    }

    pub(crate) const fn entry(&'a self, key: &'a str) -> Self {
        Self::Entry(self, key)
    }
}

impl Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root(name) => f.write_str(name),
            Self::Field(parent, name) => write!(f, "{parent}.{name}"),
            Self::Element(parent, index) => write!(f, "{parent}.{}.member", index + 1),
            Self::Entry(parent, key) => write!(f, "{parent}.{key}.member"),
        }
    }
}

/// The constraints of one request that are broken so far.
#[derive(Default)]
pub(crate) struct Constraints {
    broken: Vec<String>,
}

impl Constraints {
    /// The value must be there. Gives it back if it is.
    pub(crate) fn required<'a, T>(
        &mut self,
        path: Path<'_>,
        value: &'a Option<T>,
    ) -> Option<&'a T> {
        if value.is_none() {
            self.report("null", path, "Member must not be null");
        }
        value.as_ref()
    }

    /// The word must be one of its list. Gives back the choice, if one was made and is known.
    pub(crate) fn choice<C: Choice>(
        &mut self,
        path: Path<'_>,
        chosen: &Option<Chosen<C>>,
    ) -> Option<C> {
        match chosen.as_ref()? {
            Chosen::Known(choice) => Some(*choice),
            Chosen::Unknown(word) => {
                let words: Vec<_> = C::ALL.iter().map(|choice| choice.as_str()).collect();
                let rule = format!("Member must satisfy enum value set: [{}]", words.join(", "));
                self.report(Quoted(word), path, rule);
                None
            }
        }
    }

    /// The text must consist of the characters of table and index names.
    pub(crate) fn name_pattern(&mut self, path: Path<'_>, text: &str) {
        let fits = !text.is_empty() && text.bytes().all(is_name_byte);
        if !fits {
            let rule = "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+";
            self.report(Quoted(text), path, rule);
        }
    }

    /// The text must have a length, in characters, in the range.
    pub(crate) fn text_length(&mut self, path: Path<'_>, text: &str, range: RangeInclusive<usize>) {
        self.length(path, Quoted(text), text.chars().count(), range);
    }

    /// The list must have a length in the range.
    pub(crate) fn list_length<T: Serialize>(
        &mut self,
        path: Path<'_>,
        list: &[T],
        range: RangeInclusive<usize>,
    ) {
        self.length(path, Quoted(Echo(list)), list.len(), range);
    }

    /// The number must be in the range.
    pub(crate) fn range(&mut self, path: Path<'_>, number: i64, range: RangeInclusive<i64>) {
        if number < *range.start() {
            let rule = format!(
                "Member must have value greater than or equal to {}",
                range.start()
            );
            self.report(Quoted(number), path, rule);
        }
        if number > *range.end() {
            let rule = format!(
                "Member must have value less than or equal to {}",
                range.end()
            );
            self.report(Quoted(number), path, rule);
        }
    }

    /// The most items to read must be at least one. Gives it back if it is.
    pub(crate) fn limit(&mut self, limit: Option<i64>) -> Option<NonZeroUsize> {
        let limit = limit?;
        self.range(Path::Root("limit"), limit, 1..=i64::MAX);
        NonZeroUsize::new(usize::try_from(limit).ok()?)
    }

    /// All constraints have been checked. Gives back what was required, all of which is there if
    /// they hold.
    pub(crate) fn finish<T>(self, required: Option<T>) -> Result<T, Error> {
        if self.broken.is_empty() {
            return required.ok_or_else(|| Error::internal("a required member is not checked"));
        }
        let count = self.broken.len();
        let plural = if count == 1 { "" } else { "s" };
        let broken = self.broken.join("; ");
        Err(Error::validation(format_args!(
            "{count} validation error{plural} detected: {broken}"
        )))
    }

    /// Puts one more broken constraint on the list.
    pub(crate) fn report(&mut self, value: impl Display, path: Path<'_>, rule: impl Display) {
        self.push(format_args!(
            "Value {value} at '{path}' failed to satisfy constraint: {rule}"
        ));
    }

    /// Puts one more broken constraint on the list, in the words of AWS's newer framework: it does not
    /// repeat the value, and writes members as they are on the wire.
    pub(crate) fn report_newer(&mut self, path: Path<'_>, rule: impl Display) {
        self.push(format_args!(
            "Value at '{path}' failed to satisfy constraint: {rule}"
        ));
    }

    /// What is not going to be listed is not written down: a request can break a rule a million times.
    fn push(&mut self, broken: fmt::Arguments<'_>) {
        if self.broken.len() < MOST_REPORTED {
            self.broken.push(broken.to_string());
        }
    }

    fn length(
        &mut self,
        path: Path<'_>,
        value: impl Display,
        length: usize,
        range: RangeInclusive<usize>,
    ) {
        if length < *range.start() {
            let rule = format!(
                "Member must have length greater than or equal to {}",
                range.start()
            );
            self.report(&value, path, rule);
        }
        if length > *range.end() {
            let rule = format!(
                "Member must have length less than or equal to {}",
                range.end()
            );
            self.report(&value, path, rule);
        }
    }
}

const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-')
}

/// A value as the message repeats it, or the beginning of a long one.
pub(crate) struct Quoted<T>(pub(crate) T);

impl<T: Display> Display for Quoted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.to_string();
        match text.split_at_checked(text.floor_char_boundary(MOST_ECHOED)) {
            Some((beginning, rest)) if !rest.is_empty() => write!(f, "'{beginning}...'"),
            _ => write!(f, "'{text}'"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ReturnConsumedCapacity;

    fn message(constraints: Constraints) -> String {
        constraints
            .finish(Some(()))
            .unwrap_err()
            .message()
            .into_owned()
    }

    #[test]
    fn nothing_broken() {
        assert_eq!(Constraints::default().finish(Some(())), Ok(()));
    }

    #[test]
    fn one_broken() {
        let mut constraints = Constraints::default();
        constraints.required::<String>(Path::Root("tableName"), &None);
        assert_eq!(
            message(constraints),
            "1 validation error detected: Value null at 'tableName' failed to satisfy constraint: \
             Member must not be null",
        );
    }

    #[test]
    fn several_broken_in_one_message() {
        let mut constraints = Constraints::default();
        let hi = Some(Chosen::<ReturnConsumedCapacity>::Unknown("hi".into()));
        constraints.choice(Path::Root("returnConsumedCapacity"), &hi);
        constraints.name_pattern(Path::Root("tableName"), "abc;");
        constraints.list_length(Path::Root("keySchema"), &[1, 2, 3], 1..=2);
        assert_eq!(
            message(constraints),
            "3 validation errors detected: \
             Value 'hi' at 'returnConsumedCapacity' failed to satisfy constraint: \
             Member must satisfy enum value set: [INDEXES, TOTAL, NONE]; \
             Value 'abc;' at 'tableName' failed to satisfy constraint: \
             Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+; \
             Value '[1, 2, 3]' at 'keySchema' failed to satisfy constraint: \
             Member must have length less than or equal to 2",
        );
    }

    #[test]
    fn at_most_ten_are_listed() {
        let mut constraints = Constraints::default();
        for _ in 0..11 {
            constraints.range(Path::Root("limit"), 0, 1..=100);
        }
        assert!(message(constraints).starts_with("10 validation errors detected: "));
    }

    #[test]
    fn a_long_value_is_not_repeated_as_a_whole() {
        let mut constraints = Constraints::default();
        let path = Path::Root("tableName");
        constraints.text_length(path, &"\u{e4}".repeat(1 << 20), 3..=255);
        constraints.list_length(path, &vec!["element"; 1 << 20], 1..=2);
        let message = message(constraints);
        assert!(message.len() < 3 * MOST_ECHOED, "{}", message.len());
        let end = "...' at 'tableName' failed to satisfy constraint: Member must have length less than or equal to 2";
        assert!(message.ends_with(end), "{message}");
    }

    #[test]
    fn nested_paths() {
        let schema = Path::Root("keySchema");
        let element = schema.element(0);
        assert_eq!(
            element.field("keyType").to_string(),
            "keySchema.1.member.keyType"
        );
    }
}
