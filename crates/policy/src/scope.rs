//! The names of resources.

use std::fmt;

/// The region and the account in the ARNs of a server's resources.
///
/// Where all regions share one data set, the region that a client signs for is not looked at: the client chooses it, and a
/// rule about a resource must not depend on that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// The region; `*` for warnings about the policies of a server that has data for each region.
    pub region: String,
    /// The account.
    pub account: String,
}

impl Default for Scope {
    /// Those that Monotable's engine names.
    fn default() -> Self {
        Self {
            region: "local".to_owned(),
            account: "000000000000".to_owned(),
        }
    }
}

/// Something that an action is done to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Resource {
    Table(String),
    /// Something that belongs to a table: `index`, `stream`, `backup`, `export` or `import`.
    PartOfTable {
        table: String,
        kind: &'static str,
        name: String,
    },
    GlobalTable(String),
    /// All tables: what is not about a single one.
    AllTables,
}

impl Resource {
    pub(crate) fn table(name: impl fmt::Display) -> Self {
        Self::Table(name.to_string())
    }

    pub(crate) fn part(
        table: impl fmt::Display,
        kind: &'static str,
        name: impl fmt::Display,
    ) -> Self {
        Self::PartOfTable {
            table: table.to_string(),
            kind,
            name: name.to_string(),
        }
    }

    /// A table, or one of its indexes.
    pub(crate) fn table_or_index(
        table: impl fmt::Display,
        index: Option<impl fmt::Display>,
    ) -> Self {
        match index {
            Some(index) => Self::part(table, "index", index),
            None => Self::table(table),
        }
    }

    /// The ARN. It is made of names alone: an ARN in a request may name any region and account.
    pub(crate) fn arn(&self, scope: &Scope) -> String {
        let Scope { region, account } = scope;
        match self {
            Self::Table(name) => format!("arn:aws:dynamodb:{region}:{account}:table/{name}"),
            Self::PartOfTable { table, kind, name } => {
                format!("arn:aws:dynamodb:{region}:{account}:table/{table}/{kind}/{name}")
            }
            Self::GlobalTable(name) => format!("arn:aws:dynamodb::{account}:global-table/{name}"),
            Self::AllTables => format!("arn:aws:dynamodb:{region}:{account}:table/*"),
        }
    }
}
