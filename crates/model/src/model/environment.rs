//! Names of tables that differ from one deployment to the next.
//!
//! A model says what its tables are called in DynamoDB, and what they are called in an environment of its own. Whoever
//! starts a program may add a prefix or name single tables. [`Model::rename_tables`] is the one place where all of that
//! comes together: everything that is made of the model afterwards uses the new names.

use super::{Model, Notes, TableId};
use crate::span::{Name, Span};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

/// How many characters the name of a table or an index of DynamoDB has.
const NAME_LENGTH: RangeInclusive<usize> = 3..=255;

/// A deployment that has names of its own.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Environment {
    /// Its name.
    pub name: Name,
    /// What it is.
    pub notes: Notes,
    /// What stands before the name of every table that it does not name itself.
    pub table_prefix: Option<Name>,
    /// Names of single tables.
    pub tables: Vec<EnvironmentTable>,
    /// Where it stands.
    #[serde(skip)]
    pub span: Span,
}

/// The name of a table in an environment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EnvironmentTable {
    /// The table.
    pub table: TableId,
    /// Its name in DynamoDB.
    pub physical: Name,
}

/// What the tables of a model are to be called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableNaming {
    /// The environment of the model that is used.
    pub environment: Option<String>,
    /// A prefix in the place of the environment's.
    pub prefix: Option<String>,
    /// Names in DynamoDB, by the names of the tables in the model. They come before everything else.
    pub names: BTreeMap<String, String>,
}

/// Why tables cannot be called so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamingError {
    /// The model has no such environment.
    UnknownEnvironment {
        /// What was asked for.
        name: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// DynamoDB refuses such a name.
    Refused {
        /// The table's name in the model.
        table: String,
        /// The name.
        physical: String,
    },
    /// Two tables would have one name.
    Shared {
        /// The tables' names in the model.
        tables: [String; 2],
        /// The name.
        physical: String,
    },
}

impl fmt::Display for NamingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownEnvironment { name, known } if known.is_empty() => write!(
                f,
                "the model has no environment `{name}`: it declares none; write [environment.{name}]"
            ),
            Self::UnknownEnvironment { name, known } => write!(
                f,
                "the model has no environment `{name}`; it has {}",
                known.join(", ")
            ),
            Self::Refused { table, physical } => write!(
                f,
                "DynamoDB refuses the name `{physical}` of the table `{table}`: it has 3 to 255 letters, digits, `_`, \
                 `.` or `-`"
            ),
            Self::Shared {
                tables: [one, other],
                physical,
            } => write!(
                f,
                "the tables `{one}` and `{other}` would both be called `{physical}`"
            ),
        }
    }
}

impl std::error::Error for NamingError {}

/// Whether DynamoDB takes a name for a table or an index.
#[must_use]
pub fn is_table_name(name: &str) -> bool {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    NAME_LENGTH.contains(&name.chars().count()) && name.chars().all(is_allowed)
}

impl Environment {
    /// What this environment calls a table whose name in DynamoDB is `physical` elsewhere.
    #[must_use]
    pub fn name_table(&self, id: TableId, physical: &str) -> String {
        let mut tables = self.tables.iter();
        match tables.find(|named| named.table == id) {
            Some(named) => named.physical.value.clone(),
            None => {
                let prefix = self.table_prefix.as_ref();
                format!("{}{physical}", prefix.map_or("", |prefix| &prefix.value))
            }
        }
    }
}

impl Model {
    /// The environment of that name.
    #[must_use]
    pub fn environment_named(&self, name: &str) -> Option<&Environment> {
        let mut known = self.environments.iter();
        known.find(|known| known.name.value == name)
    }

    /// Gives the tables other names in DynamoDB. The names in the model stay.
    ///
    /// # Errors
    ///
    /// If there is no such environment, if DynamoDB refuses a name, or if two tables would have one. The model is then
    /// as it was.
    pub fn rename_tables(&mut self, naming: &TableNaming) -> Result<(), NamingError> {
        let environment = match &naming.environment {
            Some(name) => Some(self.find_environment(name)?),
            None => None,
        };
        let mut renamed: Vec<String> = Vec::with_capacity(self.tables.len());
        for (id, table) in self.tables() {
            let physical = match (naming.names.get(&table.name.value), &naming.prefix) {
                (Some(given), _) => given.clone(),
                (None, prefix) => name_table(environment.as_ref(), prefix.as_deref(), id, table),
            };
            renamed.push(physical);
        }
        check_names(self, &renamed)?;
        for (table, physical) in self.tables.iter_mut().zip(renamed) {
            table.physical = physical;
        }
        Ok(())
    }

    fn find_environment(&self, name: &str) -> Result<Environment, NamingError> {
        let known = self.environments.iter();
        self.environment_named(name)
            .cloned()
            .ok_or_else(|| NamingError::UnknownEnvironment {
                name: name.to_owned(),
                known: known.map(|known| known.name.value.clone()).collect(),
            })
    }
}

/// A prefix that is given replaces the environment's own, and leaves the tables alone that the environment names.
fn name_table(
    environment: Option<&Environment>,
    prefix: Option<&str>,
    id: TableId,
    table: &super::Table,
) -> String {
    let own = environment.and_then(|environment| {
        let mut tables = environment.tables.iter();
        tables.find(|named| named.table == id)
    });
    match (own, prefix, environment) {
        (Some(named), ..) => named.physical.value.clone(),
        (None, Some(prefix), _) => format!("{prefix}{}", table.physical),
        (None, None, Some(environment)) => environment.name_table(id, &table.physical),
        (None, None, None) => table.physical.clone(),
    }
}

fn check_names(model: &Model, renamed: &[String]) -> Result<(), NamingError> {
    for (position, (table, physical)) in model.tables.iter().zip(renamed).enumerate() {
        if !is_table_name(physical) {
            return Err(NamingError::Refused {
                table: table.name.value.clone(),
                physical: physical.clone(),
            });
        }
        let mut before = model.tables.iter().zip(renamed).take(position);
        if let Some((other, _)) = before.find(|(_, known)| *known == physical) {
            return Err(NamingError::Shared {
                tables: [other.name.value.clone(), table.name.value.clone()],
                physical: physical.clone(),
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = r##"
        monotable = 1
        model     = "shop"

        [table.Main]
        key = ["PK", "SK"]

        [table.Old]
        name = "orders-2019"
        key  = ["PK", "SK"]

        [environment.staging]
        table_prefix = "staging-"
        tables       = { Old = "orders-test" }

        [entity.Thing]
        key = ["THING#{id}", "THING"]
        [entity.Thing.attributes]
        id = "ulid, generated"
    "##;

    fn model() -> Model {
        crate::read(MODEL).model.unwrap()
    }

    fn rename(naming: &TableNaming) -> Result<Vec<String>, NamingError> {
        let mut model = model();
        let outcome = model.rename_tables(naming);
        let names = model.tables.into_iter().map(|table| table.physical);
        outcome.map(|()| names.collect())
    }

    fn given(
        environment: Option<&str>,
        prefix: Option<&str>,
        names: &[(&str, &str)],
    ) -> TableNaming {
        let names = names.iter();
        TableNaming {
            environment: environment.map(str::to_owned),
            prefix: prefix.map(str::to_owned),
            names: names
                .map(|(table, name)| ((*table).to_owned(), (*name).to_owned()))
                .collect(),
        }
    }

    #[test]
    fn names_come_from_the_nearest_who_says_something() {
        for (naming, names) in [
            (given(None, None, &[]), ["Main", "orders-2019"]),
            (given(None, Some("p-"), &[]), ["p-Main", "p-orders-2019"]),
            (
                given(Some("staging"), None, &[]),
                ["staging-Main", "orders-test"],
            ),
            (
                given(Some("staging"), Some("p-"), &[]),
                ["p-Main", "orders-test"],
            ),
            (
                given(
                    Some("staging"),
                    Some("p-"),
                    &[("Main", "my-main"), ("Old", "my-old")],
                ),
                ["my-main", "my-old"],
            ),
        ] {
            assert_eq!(rename(&naming).unwrap(), names, "{naming:?}");
        }
    }

    #[test]
    fn names_that_cannot_be_are_refused() {
        let unknown = rename(&given(Some("live"), None, &[])).unwrap_err();
        assert_eq!(
            unknown.to_string(),
            "the model has no environment `live`; it has staging"
        );
        let slash = rename(&given(None, Some("a/"), &[])).unwrap_err();
        assert!(
            slash.to_string().contains("refuses the name `a/Main`"),
            "{slash}"
        );
        let shared = rename(&given(None, None, &[("Main", "orders-2019")])).unwrap_err();
        assert!(
            shared.to_string().contains("would both be called"),
            "{shared}"
        );
    }
}
