//! The ARN of a backup, once it is known to be one.

use crate::constraint::{Constraints, Path};
use crate::{Error, wording};

/// How long the ARN of a backup, an export or an import may be, in characters.
pub(crate) const ARN_CHARS: std::ops::RangeInclusive<usize> = 37..=1024;

/// The ARN of a backup: `arn:aws:dynamodb:REGION:ACCOUNT:table/NAME/backup/ID`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupArn {
    given: Box<str>,
    table: Box<str>,
    id: Box<str>,
}

impl BackupArn {
    /// Reads an ARN.
    pub fn parse(given: &str) -> Result<Self, Error> {
        let parsed = resource_of_table(given, "backup").map(|(table, id)| Self {
            given: given.into(),
            table: table.into(),
            id: id.into(),
        });
        parsed.ok_or_else(|| Error::validation(wording::INVALID_BACKUP_ARN))
    }

    /// The ARN as the request gave it. AWS does not look at its region, and answers with it.
    pub fn as_str(&self) -> &str {
        &self.given
    }

    /// The name of the table.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// What tells the backups of a table apart. It begins with the time of the backup, so that texts have its order.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Checks a member that must be there; gives back its text.
    pub(crate) fn require<'a>(
        constraints: &mut Constraints,
        given: &'a Option<String>,
    ) -> Option<&'a String> {
        let path = Path::Root("backupArn");
        let given = constraints.required(path, given)?;
        constraints.text_length(path, given, ARN_CHARS);
        Some(given)
    }
}

/// The table and the id in `arn:PARTITION:dynamodb:REGION:ACCOUNT:table/NAME/KIND/ID`.
pub(crate) fn resource_of_table<'a>(given: &'a str, kind: &str) -> Option<(&'a str, &'a str)> {
    let mut parts = given.splitn(6, ':');
    let head = (parts.next()?, parts.next()?, parts.next()?);
    let ("arn", partition, "dynamodb") = head else {
        return None;
    };
    let resource = parts.nth(2)?.strip_prefix("table/")?;
    let (table, rest) = resource.split_once('/')?;
    let id = rest.strip_prefix(kind)?.strip_prefix('/')?;
    let is_whole = partition.starts_with("aws") && !table.is_empty() && !id.is_empty();
    (is_whole && !id.contains('/')).then_some((table, id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_and_id_are_read() {
        let given =
            "arn:aws:dynamodb:local:000000000000:table/Music/backup/01489602797149-73d8d5bc";
        let arn = BackupArn::parse(given).unwrap();
        assert_eq!(arn.table(), "Music");
        assert_eq!(arn.id(), "01489602797149-73d8d5bc");
        assert_eq!(arn.as_str(), given);
    }

    #[test]
    fn other_texts_are_no_backup() {
        for given in [
            "Music",
            "arn:aws:dynamodb:local:000000000000:table/Music",
            "arn:aws:dynamodb:local:000000000000:table/Music/backup/",
            "arn:aws:dynamodb:local:000000000000:table/Music/export/01489602797149-73d8d5bc",
            "arn:aws:s3:local:000000000000:table/Music/backup/01489602797149-73d8d5bc",
        ] {
            assert_eq!(
                BackupArn::parse(given).unwrap_err().message(),
                "Invalid Backup ARN"
            );
        }
    }
}
