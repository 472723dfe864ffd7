//! The ARN of a stream, once it is known to be one.

use crate::constraint::{Constraints, Path};
use crate::{Error, wording};

/// How long the ARN of a stream may be, in characters.
const CHARS: std::ops::RangeInclusive<usize> = 37..=1024;

/// The ARN of a stream: `arn:aws:dynamodb:REGION:ACCOUNT:table/NAME/stream/LABEL`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamArn {
    given: Box<str>,
    table: Box<str>,
    label: Box<str>,
}

impl StreamArn {
    /// Reads an ARN.
    pub fn parse(given: &str) -> Result<Self, Error> {
        let parsed = table_and_label(given).map(|(table, label)| Self {
            given: given.into(),
            table: table.into(),
            label: label.into(),
        });
        parsed.ok_or_else(|| Error::validation(wording::INVALID_STREAM_ARN))
    }

    /// The ARN as the request gave it.
    pub fn as_str(&self) -> &str {
        &self.given
    }

    /// The name of the table.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// When the stream was made, as text: what tells the streams of a table apart.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Checks the length that the service description allows.
    pub(crate) fn constrain(constraints: &mut Constraints, path: Path<'_>, given: &str) {
        constraints.text_length(path, given, CHARS);
    }

    /// Checks a member that must be there; gives back its text.
    pub(crate) fn require<'a>(
        constraints: &mut Constraints,
        given: &'a Option<String>,
    ) -> Option<&'a String> {
        let path = Path::Root("streamArn");
        let given = constraints.required(path, given)?;
        Self::constrain(constraints, path, given);
        Some(given)
    }
}

fn table_and_label(given: &str) -> Option<(&str, &str)> {
    let mut parts = given.splitn(6, ':');
    let head = (parts.next()?, parts.next()?, parts.next()?);
    let ("arn", partition, "dynamodb") = head else {
        return None;
    };
    let resource = parts.nth(2)?.strip_prefix("table/")?;
    let (table, label) = resource.split_once("/stream/")?;
    let is_whole = partition.starts_with("aws") && !table.is_empty() && !label.is_empty();
    is_whole.then_some((table, label))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_and_label_are_read() {
        let given =
            "arn:aws:dynamodb:local:000000000000:table/Music/stream/2026-11-17T18:00:00.000";
        let arn = StreamArn::parse(given).unwrap();
        assert_eq!(arn.table(), "Music");
        assert_eq!(arn.label(), "2026-11-17T18:00:00.000");
        assert_eq!(arn.as_str(), given);
    }

    #[test]
    fn other_texts_are_no_stream() {
        for given in [
            "Music",
            "arn:aws:dynamodb:local:000000000000:table/Music",
            "arn:aws:dynamodb:local:000000000000:table/Music/stream/",
            "arn:aws:kinesis:local:000000000000:table/Music/stream/x",
        ] {
            assert_eq!(
                StreamArn::parse(given).unwrap_err().message(),
                "Invalid StreamArn"
            );
        }
    }
}
