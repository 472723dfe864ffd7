//! `monotable export`: what a model says and what a store can be asked, for other programs.

mod deployment;
mod dynamodb_json;
mod iam_policy;
mod sample_store;
mod stored_items;
mod workbench;

use crate::exit::{Failure, note};
use crate::findings::{Findings, Tally};
use crate::interrupt::interruptible;
use crate::model_file::ModelFile;
use crate::output::print;
use clap::{Args, Subcommand, ValueHint};
use deployment::{AlarmsForm, CdkForm, CloudFormationForm, TerraformForm};
use dynamodb_json::DynamoDbJson;
use iam_policy::IamPolicy;
use monotable_model::compiled::CompiledModel;
use monotable_model::model::Model;
use monotable_rest::openapi::{Security, describe};
use serde_json::json;
use std::path::PathBuf;
use workbench::WorkbenchForm;

const EXAMPLES: &str = "\
Examples:
  $ monotable export cloudformation model.toml > template.json
  $ monotable export terraform model.toml > tables.tf
  $ monotable export workbench yggdrasil > yggdrasil-workbench.json
  $ monotable export iam-policy model.toml
  $ monotable export iam-policy model.toml --region eu-west-1 --account 123456789012 > policy.json
  $ monotable export model model.toml > model.bin
  $ monotable export model --json model.toml > model.json
  $ monotable export openapi model.toml > openapi.json
  $ monotable export operations > operations.schema.json";

/// Print a model for other programs: CloudFormation, Terraform, the CDK, NoSQL Workbench, IAM, OpenAPI and more
///
/// An export depends on the model alone: it has the same bytes whenever and wherever it is made.
/// A model with errors is not exported: the errors are shown as `check` shows them.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Export {
    #[command(subcommand)]
    form: Form,
}

#[derive(Subcommand, Debug)]
enum Form {
    #[command(name = "cloudformation")]
    CloudFormation(CloudFormationForm),
    Terraform(TerraformForm),
    Cdk(CdkForm),
    Alarms(AlarmsForm),
    IamPolicy(IamPolicy),
    Workbench(WorkbenchForm),
    #[command(name = "dynamodb-json")]
    DynamoDbJson(DynamoDbJson),
    /// The model with its plans as bytes: a program binds a store from them without the model's text (`Store::from_bytes`)
    Model(ExportedModel),
    /// The OpenAPI 3.1 document of what `monotable serve MODEL` serves below /v1
    Openapi(WholeModel),
    /// The JSON Schema of all operations of a store, whatever its model
    Operations,
}

/// A model that is exported whole.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
struct WholeModel {
    /// The model; - is stdin
    #[arg(value_hint = ValueHint::FilePath)]
    model: PathBuf,
}

/// A model for programs.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
struct ExportedModel {
    /// As JSON, for programs that look at a model and do not bind it: every release may write it differently
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    exported: WholeModel,
}

impl Export {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.form {
            Form::CloudFormation(form) => form.run(),
            Form::Terraform(form) => form.run(),
            Form::Cdk(form) => form.run(),
            Form::Alarms(form) => form.run(),
            Form::IamPolicy(policy) => policy.run(),
            Form::Workbench(form) => interruptible(form.run()),
            Form::DynamoDbJson(form) => interruptible(form.run()),
            Form::Model(ExportedModel { json, exported }) => exported.run(|compiled| {
                if json {
                    let all = json!({ "model": compiled.model(), "plans": compiled.plans() });
                    Ok(format!("{all}\n").into_bytes())
                } else {
                    compiled.to_bytes().map_err(unwritable)
                }
            }),
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

impl WholeModel {
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
