//! Names of tables and indexes, once they are known to be names.

use crate::constraint::{Constraints, Path};
use crate::resource_arn::ResourceArn;
use crate::{Error, wording};
use monotable_item::limits;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// Longest ARN that may stand where a table name belongs.
const MAX_ARN_CHARS: usize = 1024;

/// The name of a table.
///
/// Two are equal when the names are, whether a request gave the name or an ARN.
#[derive(Clone, Debug)]
pub struct TableName {
    name: Box<str>,
    arn: Option<Box<str>>,
}

/// The name of a secondary index.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IndexName(Box<str>);

impl TableName {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.name
    }

    /// The table as the request gave it, by name or ARN. Where an answer names the table, it names
    /// it this way.
    pub fn given(&self) -> &str {
        self.arn.as_deref().unwrap_or(&self.name)
    }

    /// The table that a request means: a name, or an ARN that ends in one.
    pub fn parse(given: &str) -> Result<Self, Error> {
        let mut constraints = Constraints::default();
        let name = Self::constrain(&mut constraints, Path::Root("tableName"), given);
        constraints.finish(Some(name))
    }

    /// The table whose ARN this is, if it is one.
    pub fn parse_arn(given: &str) -> Option<Self> {
        name_in_arn(given)?;
        Self::parse(given).ok()
    }

    /// Checks the member's constraints. What is given back is a name only if they hold.
    ///
    /// Nothing at all is measured against the length of an ARN, anything else against that of a
    /// name; that is how AWS has it since requests may name tables by ARN.
    pub(crate) fn constrain(constraints: &mut Constraints, path: Path<'_>, given: &str) -> Self {
        let in_arn = name_in_arn(given);
        let name = in_arn.unwrap_or(given);
        if given.is_empty() || given.len() > MAX_ARN_CHARS {
            constraints.text_length(path, given, 1..=MAX_ARN_CHARS);
        } else {
            constraints.name_pattern(path, name);
            constraints.text_length(path, name, limits::TABLE_NAME_CHARS);
        }
        Self {
            name: name.into(),
            arn: in_arn.map(|_| given.into()),
        }
    }

    /// The same for a member that must be there.
    pub(crate) fn require(
        constraints: &mut Constraints,
        path: Path<'_>,
        given: &Option<String>,
    ) -> Option<Self> {
        let given = constraints.required(path, given)?;
        Some(Self::constrain(constraints, path, given))
    }

    /// A member that must be there and be a name: the name of a new table, which no ARN can stand for.
    pub(crate) fn require_plain(
        constraints: &mut Constraints,
        path: Path<'_>,
        given: &Option<String>,
    ) -> Option<Self> {
        let given = constraints.required(path, given)?;
        constraints.name_pattern(path, given);
        constraints.text_length(path, given, limits::TABLE_NAME_CHARS);
        Some(Self {
            name: given.as_str().into(),
            arn: None,
        })
    }

    /// The table of a table operation. Those look at the name before all else and report it alone,
    /// and a missing name in words of their own.
    pub(crate) fn of_table_operation(given: &Option<String>) -> Result<Self, Error> {
        match given {
            None => Err(Error::validation(wording::TABLE_NAME_REQUIRED)),
            Some(given) => Self::parse(given),
        }
    }
}

impl IndexName {
    /// Reads a name.
    pub fn parse(given: &str) -> Result<Self, Error> {
        let mut constraints = Constraints::default();
        let name = Self::constrain(&mut constraints, Path::Root("indexName"), given);
        constraints.finish(Some(name))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Checks the member's constraints. What is given back is a name only if they hold.
    pub(crate) fn constrain(constraints: &mut Constraints, path: Path<'_>, given: &str) -> Self {
        constraints.name_pattern(path, given);
        constraints.text_length(path, given, limits::TABLE_NAME_CHARS);
        Self(given.into())
    }

    /// The same for a member that must be there.
    pub(crate) fn require(
        constraints: &mut Constraints,
        path: Path<'_>,
        given: &Option<String>,
    ) -> Option<Self> {
        let given = constraints.required(path, given)?;
        Some(Self::constrain(constraints, path, given))
    }
}

impl PartialEq for TableName {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for TableName {}

impl PartialOrd for TableName {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for TableName {
    fn cmp(&self, other: &Self) -> Ordering {
        self.name.cmp(&other.name)
    }
}

impl Hash for TableName {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl fmt::Display for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl fmt::Display for IndexName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for TableName {
    fn as_ref(&self) -> &str {
        &self.name
    }
}

impl AsRef<str> for IndexName {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// The table's name in `arn:PARTITION:dynamodb:REGION:ACCOUNT:table/NAME`.
fn name_in_arn(given: &str) -> Option<&str> {
    let arn = ResourceArn::parse(given)?;
    arn.resource.strip_prefix("table/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(given: &str) -> String {
        TableName::parse(given).unwrap_err().message().into_owned()
    }

    #[test]
    fn names_and_arns() {
        assert_eq!(TableName::parse("Music").unwrap().as_str(), "Music");
        let arn = "arn:aws:dynamodb:eu-west-2:000000000000:table/Music";
        let table = TableName::parse(arn).unwrap();
        assert_eq!((table.as_str(), table.given()), ("Music", arn));
        assert_eq!(table, TableName::parse("Music").unwrap());
    }

    #[test]
    fn too_short_too_long_and_wrong_characters() {
        let failed = "at 'tableName' failed to satisfy constraint:";
        assert_eq!(
            refusal(""),
            format!(
                "1 validation error detected: Value '' {failed} Member must have length greater than or equal to 1"
            ),
        );
        assert_eq!(
            refusal("ab"),
            format!(
                "1 validation error detected: Value 'ab' {failed} Member must have length greater than or equal to 3"
            ),
        );
        let long = "a".repeat(256);
        assert_eq!(
            refusal(&long),
            format!(
                "1 validation error detected: Value '{long}' {failed} Member must have length less than or equal to 255"
            ),
        );
        assert_eq!(
            refusal("a;"),
            format!(
                "2 validation errors detected: Value 'a;' {failed} Member must satisfy regular expression pattern: \
                 [a-zA-Z0-9_.-]+; Value 'a;' {failed} Member must have length greater than or equal to 3"
            ),
        );
    }

    #[test]
    fn an_arn_of_something_else_is_not_a_name() {
        assert!(TableName::parse("arn:aws:s3:::bucket").is_err());
        assert!(TableName::parse("arn:aws:dynamodb:eu-west-2:1:table/Music/index/x").is_err());
    }
}
