//! What the tables of a model are called in the deployment that a command works on.

use crate::exit::Failure;
use clap::Args;
use monotable_model::model::{Model, NamingError, TableNaming};
use monotable_model::suggest::nearest;

/// The variable that names an environment of the model.
const VARIABLE: &str = "MONOTABLE_ENVIRONMENT";
/// What the name of a variable begins with that names a single table.
const TABLE_VARIABLE: &str = "MONOTABLE_TABLE_";

/// The names of tables as the command line says them.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct EnvironmentArguments {
    /// The environment of the model whose names of tables are used [default: $MONOTABLE_ENVIRONMENT]
    #[arg(help_heading = "Names of tables", long, value_name = "NAME")]
    environment: Option<String>,

    /// Put this before the names of the model's tables in DynamoDB
    ///
    /// The variable MONOTABLE_TABLE_NAME gives the table NAME of the model another name altogether.
    #[arg(help_heading = "Names of tables", long, value_name = "PREFIX")]
    table_prefix: Option<String>,
}

impl EnvironmentArguments {
    /// Gives the tables of a model the names that they have in this deployment.
    pub(crate) fn rename_tables(&self, model: &mut Model) -> Result<(), Failure> {
        let from_variable = || std::env::var(VARIABLE).ok().filter(|name| !name.is_empty());
        let naming = TableNaming {
            environment: self.environment.clone().or_else(from_variable),
            prefix: self.table_prefix.clone(),
            names: model
                .tables
                .iter()
                .filter_map(|table| {
                    let table = &table.name.value;
                    Some((table.clone(), find_variable(table)?))
                })
                .collect(),
        };
        model.rename_tables(&naming).map_err(|error| refuse(&error))
    }
}

/// The name that the environment gives to a table: MONOTABLE_TABLE_Main or MONOTABLE_TABLE_MAIN for the table Main.
fn find_variable(table: &str) -> Option<String> {
    let upper: String = table
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() {
                c.to_ascii_uppercase()
            } else {
                '_'
            }
        })
        .collect();
    let read = |name: &str| std::env::var(format!("{TABLE_VARIABLE}{name}")).ok();
    let found = read(table).or_else(|| read(&upper));
    found.filter(|name| !name.is_empty())
}

fn refuse(error: &NamingError) -> Failure {
    let failure = Failure::usage(error);
    let near = match error {
        NamingError::UnknownEnvironment { name, known } => {
            nearest(name, known.iter().map(String::as_str))
        }
        NamingError::Refused { .. } | NamingError::Shared { .. } => {
            return failure.help(
                "see --table-prefix, --environment, and variables that begin with MONOTABLE_TABLE_",
            );
        }
    };
    match near {
        Some(near) => failure.help(format_args!("did you mean `{near}`?")),
        None => failure.help("see --environment, and the variable MONOTABLE_ENVIRONMENT"),
    }
}
