//! `monotable export iam-policy`: what programs and callers of a model may ask of DynamoDB.

use crate::exit::Failure;
use crate::output::print;
use crate::rows::{EnvironmentArguments, load_model};
use clap::{Args, ValueEnum, ValueHint};
use monotable_describe::{PolicyScope, Role, RoleError, role_policy};
use monotable_model::model::Model;
use monotable_model::suggest::nearest;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  $ monotable export iam-policy model.toml
  $ monotable export iam-policy model.toml --region eu-west-1 --account 123456789012 > policy.json
  $ monotable export iam-policy model.toml --role reader --pattern order --pattern orders_of_day
  $ monotable export iam-policy model.toml --role program
  $ monotable export iam-policy model.toml --role operator";

/// The IAM policy of one of four roles: a caller, a reader, a program, an operator
///
/// A caller has credentials of its own and touches only the partitions that `[isolation]` gives it. A reader asks access
/// patterns, all or those named, and is allowed the tables, indexes and partitions that they read. A program reads and
/// writes rows, and changes no table. An operator makes tables, changes their settings, backs them up and copies them.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct IamPolicy {
    /// The model; - is stdin
    #[arg(value_hint = ValueHint::FilePath)]
    model: PathBuf,

    /// Whose policy
    #[arg(long, value_enum, default_value_t = RoleName::Caller)]
    role: RoleName,

    /// A pattern that a reader asks; all of the model if none is named
    #[arg(long, value_name = "NAME")]
    pattern: Vec<String>,

    /// The region of the tables; * is any
    #[arg(long, default_value = "*", value_parser = region)]
    region: String,

    /// The account of the tables, 12 digits; * is any
    #[arg(long, default_value = "*", value_parser = account)]
    account: String,

    #[command(flatten)]
    environment: EnvironmentArguments,
}

/// A role as the command line names it.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum RoleName {
    /// Somebody with credentials of their own, by `[isolation]`
    Caller,
    /// A program that asks access patterns
    Reader,
    /// A program that reads and writes rows
    Program,
    /// Whoever makes tables and looks after them
    Operator,
}

impl IamPolicy {
    pub(super) fn run(self) -> Result<(), Failure> {
        if self.role != RoleName::Reader && !self.pattern.is_empty() {
            return Err(Failure::usage("--pattern says what a reader asks")
                .help("add --role reader, or leave --pattern out"));
        }
        let (model, file) = load_model(&self.model, &self.environment)?;
        let role = match self.role {
            RoleName::Caller => Role::Caller,
            RoleName::Reader => Role::Reader(self.pattern),
            RoleName::Program => Role::Program,
            RoleName::Operator => Role::Operator,
        };
        let scope = PolicyScope {
            region: &self.region,
            account: &self.account,
        };
        let policy = role_policy(&model, &role, scope);
        let policy = policy.map_err(|error| refuse(&error, &model, &file.name))?;
        print(policy.as_bytes())
    }
}

fn refuse(error: &RoleError, model: &Model, name: &str) -> Failure {
    match error {
        RoleError::NoIsolation => {
            let what = format_args!("{name} has no [isolation], so there is no policy of a caller");
            Failure::configuration(what).help(
                "add [isolation] with the partitions of a caller, as in \
                 partitions = [\"U#{principal.userId}\", \"U#{principal.userId}#*\"], or ask for another role: \
                 --role program",
            )
        }
        RoleError::UnknownPattern(pattern) => {
            let failure = Failure::usage(error);
            let known = model.patterns().map(|(_, known)| known.name.value.as_str());
            match nearest(pattern, known) {
                Some(near) => failure.help(format_args!("did you mean `{near}`?")),
                None => failure.help("`monotable patterns` lists them"),
            }
        }
    }
}

/// A name that AWS does not know would make a policy that allows nothing, and says so to nobody.
fn region(text: &str) -> Result<String, String> {
    let is_part = |part: &str| !part.is_empty() && part.chars().all(is_lower_or_digit);
    if text == "*" || (text.contains('-') && text.split('-').all(is_part)) {
        Ok(text.to_owned())
    } else {
        Err("a region is written as eu-west-1, or * for any".to_owned())
    }
}

const fn is_lower_or_digit(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit()
}

fn account(text: &str) -> Result<String, String> {
    let is_number = text.len() == 12 && text.chars().all(|c| c.is_ascii_digit());
    if text == "*" || is_number {
        Ok(text.to_owned())
    } else {
        Err("an account has 12 digits, or is * for any".to_owned())
    }
}
