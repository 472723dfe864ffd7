//! `monotable export`: what a model says and what a store can be asked, for other programs.

use crate::exit::{Failure, note};
use crate::findings::{Findings, Tally};
use crate::model_file::ModelFile;
use crate::output::print;
use clap::{Args, Subcommand, ValueHint};
use monotable_describe::{PolicyScope, iam_policy};
use monotable_model::compiled::CompiledModel;
use monotable_model::model::Model;
use monotable_rest::openapi::{Security, describe};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  $ monotable export iam-policy model.toml
  $ monotable export iam-policy model.toml --region eu-west-1 --account 123456789012 > policy.json
  $ monotable export model model.toml > model.bin
  $ monotable export openapi model.toml > openapi.json
  $ monotable export operations > operations.schema.json";

/// Print a model, its OpenAPI document, its IAM policy or the list of operations, for other programs
///
/// A model with errors is not exported: the errors are shown as `check` shows them.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Export {
    #[command(subcommand)]
    form: Form,
}

#[derive(Subcommand, Debug)]
enum Form {
    IamPolicy(IamPolicy),
    /// The model with its plans as bytes: a program binds a store from them without the model's text (`Store::from_bytes`)
    Model(Exported),
    /// The OpenAPI 3.1 document of what `monotable serve MODEL` serves below /v1
    Openapi(Exported),
    /// The JSON Schema of all operations of a store, whatever its model
    Operations,
}

/// The IAM policy of a model with an isolation: callers touch only their own partitions
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
struct IamPolicy {
    /// The model; - is stdin
    #[arg(value_hint = ValueHint::FilePath)]
    model: PathBuf,

    /// The region of the tables; * is any
    #[arg(long, default_value = "*", value_parser = region)]
    region: String,

    /// The account of the tables, 12 digits; * is any
    #[arg(long, default_value = "*", value_parser = account)]
    account: String,
}

/// A model that is exported whole.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
struct Exported {
    /// The model; - is stdin
    #[arg(value_hint = ValueHint::FilePath)]
    model: PathBuf,
}

impl Export {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.form {
            Form::IamPolicy(policy) => policy.run(),
            Form::Model(exported) => {
                exported.run(|compiled| compiled.to_bytes().map_err(unwritable))
            }
            Form::Openapi(exported) => exported.run(|compiled| {
                let document = describe(compiled.model(), Security::Verified);
                Ok(format!("{document:#}\n").into_bytes())
            }),
            Form::Operations => {
                let schema = format!("{:#}\n", monotable_store::operations_schema());
                print(schema.as_bytes())
            }
        }
    }
}

impl Exported {
    /// Prints what is made of the model, if it has no errors.
    fn run(
        self,
        write: impl FnOnce(&CompiledModel) -> Result<Vec<u8>, Failure>,
    ) -> Result<(), Failure> {
        let findings = Findings::of(ModelFile::read(&self.model)?);
        let tally = Tally::of(&findings);
        let model = usable(&findings)?;
        let bytes = write(&CompiledModel::new(model.clone()))?;
        if tally.has_warnings() {
            note(format_args!("{tally}; `monotable check` shows them"));
        }
        print(&bytes)
    }
}

/// The model, or what is wrong with it.
fn usable(findings: &Findings) -> Result<&Model, Failure> {
    findings.usable().ok_or_else(|| {
        findings.show();
        findings.note_other_kind();
        Failure::configuration(Tally::of(findings))
    })
}

fn unwritable(problem: impl std::fmt::Display) -> Failure {
    Failure::configuration(format_args!("the model cannot be written: {problem}"))
}

impl IamPolicy {
    fn run(self) -> Result<(), Failure> {
        let findings = Findings::of(ModelFile::read(&self.model)?);
        let tally = Tally::of(&findings);
        let model = usable(&findings)?;
        let scope = PolicyScope {
            region: &self.region,
            account: &self.account,
        };
        let policy = iam_policy(model, scope).ok_or_else(|| no_isolation(findings.name()))?;
        if tally.has_warnings() {
            note(format_args!("{tally}; `monotable check` shows them"));
        }
        print(policy.as_bytes())
    }
}

fn no_isolation(name: &str) -> Failure {
    let what = format_args!("{name} has no [isolation], so there is no policy");
    Failure::configuration(what).help(
        "add [isolation] with the partitions of a caller, as in \
         partitions = [\"U#{principal.userId}\", \"U#{principal.userId}#*\"]",
    )
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
