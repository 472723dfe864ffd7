//! `monotable export cloudformation`, `terraform`, `cdk` and `alarms`: the tables of a model as other tools make them.

use crate::exit::Failure;
use crate::output::print;
use crate::rows::{EnvironmentArguments, load_model};
use clap::{Args, ValueEnum, ValueHint};
use monotable_describe::{
    AlarmOptions, Deployment, Encryption, cdk, cloudformation, terraform, yaml,
};
use monotable_model::model::Model;
use std::path::PathBuf;

const CLOUDFORMATION_EXAMPLES: &str = "\
Examples:
  $ monotable export cloudformation model.toml > template.json
  $ monotable export cloudformation model.toml --format yaml --table-prefix staging-
  $ monotable export cloudformation model.toml --encryption managed --no-alarms";
const TERRAFORM_EXAMPLES: &str = "\
Examples:
  $ monotable export terraform model.toml > tables.tf
  $ monotable export terraform model.toml --alarm-topic arn:aws:sns:eu-west-1:123456789012:on-call";
const CDK_EXAMPLES: &str = "\
Examples:
  $ monotable export cdk model.toml > tables.json

In a stack, in TypeScript:
  const { tables, alarms } = JSON.parse(readFileSync('tables.json', 'utf8'));
  for (const [id, props] of Object.entries(tables)) new CfnTable(this, id, props);
  for (const [id, props] of Object.entries(alarms)) new CfnAlarm(this, id, props);";
const ALARMS_EXAMPLES: &str = "\
Examples:
  $ monotable export alarms model.toml > alarms.json
  $ monotable export alarms model.toml --form terraform --latency 50";

/// A template of CloudFormation: tables with all that the model declares of them, and alarms
///
/// Indexes, time to live, streams, point-in-time recovery, deletion protection, billing, tags and encryption. A stack that
/// is deleted leaves its tables.
#[derive(Args, Debug)]
#[command(after_help = CLOUDFORMATION_EXAMPLES)]
pub(super) struct CloudFormationForm {
    #[command(flatten)]
    tables: TableArguments,

    /// The notation of the template
    #[arg(long, value_enum, default_value_t = Notation::Json)]
    format: Notation,
}

/// Resources of Terraform (HCL): tables with all that the model declares of them, and alarms
///
/// `terraform destroy` is refused for the tables (prevent_destroy).
#[derive(Args, Debug)]
#[command(after_help = TERRAFORM_EXAMPLES)]
pub(super) struct TerraformForm {
    #[command(flatten)]
    tables: TableArguments,
}

/// JSON for the AWS CDK: the properties of a CfnTable for each table, and of a CfnAlarm for each alarm
#[derive(Args, Debug)]
#[command(after_help = CDK_EXAMPLES)]
pub(super) struct CdkForm {
    #[command(flatten)]
    tables: TableArguments,
}

/// Alarms of CloudWatch alone, for tables that are made in another way, such as by `setup`
///
/// Throttled reads and writes of tables and global indexes, errors of the service, requests that DynamoDB finds wrong, and
/// how long reads and writes take. Each goes off when three of five minutes are bad.
#[derive(Args, Debug)]
#[command(after_help = ALARMS_EXAMPLES)]
pub(super) struct AlarmsForm {
    #[command(flatten)]
    model: DeployedModel,

    #[command(flatten)]
    alarms: AlarmArguments,

    /// The tool that makes them
    #[arg(long, value_enum, default_value_t = Tool::Cloudformation)]
    form: Tool,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Notation {
    Json,
    Yaml,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Tool {
    Cloudformation,
    Terraform,
    Cdk,
}

/// The model, with the names of its tables.
#[derive(Args, Debug)]
struct DeployedModel {
    /// The model; - is stdin
    #[arg(value_hint = ValueHint::FilePath)]
    model: PathBuf,

    #[command(flatten)]
    environment: EnvironmentArguments,
}

/// Tables that are made.
#[derive(Args, Debug)]
struct TableArguments {
    #[command(flatten)]
    model: DeployedModel,

    /// Whose keys encrypt the tables: owned (DynamoDB's), managed (aws/dynamodb of the account), or the ARN of a key of KMS
    #[arg(long, value_name = "KEYS", default_value = "owned")]
    encryption: Encryption,

    /// Without alarms
    #[arg(long, conflicts_with_all = ["latency", "alarm_topic"])]
    no_alarms: bool,

    #[command(flatten)]
    alarms: AlarmArguments,
}

/// What alarms there are.
#[derive(Args, Clone, Debug)]
struct AlarmArguments {
    /// Milliseconds inside of DynamoDB that 99 of 100 requests should stay below
    #[arg(long, value_name = "MS", default_value_t = AlarmOptions::LATENCY, value_parser = clap::value_parser!(u32).range(1..))]
    latency: u32,

    /// The ARN of the SNS topic that alarms tell
    #[arg(long, value_name = "ARN", value_parser = topic)]
    alarm_topic: Option<String>,
}

impl CloudFormationForm {
    pub(super) fn run(self) -> Result<(), Failure> {
        let (model, deployment) = self.tables.read()?;
        let template = cloudformation(&model, &deployment);
        let text = match self.format {
            Notation::Json => format!("{template:#}\n"),
            Notation::Yaml => yaml(&template),
        };
        print(text.as_bytes())
    }
}

impl TerraformForm {
    pub(super) fn run(self) -> Result<(), Failure> {
        let (model, deployment) = self.tables.read()?;
        print(terraform(&model, &deployment).as_bytes())
    }
}

impl CdkForm {
    pub(super) fn run(self) -> Result<(), Failure> {
        let (model, deployment) = self.tables.read()?;
        print(format!("{:#}\n", cdk(&model, &deployment)).as_bytes())
    }
}

impl AlarmsForm {
    pub(super) fn run(self) -> Result<(), Failure> {
        let model = self.model.read()?;
        let deployment = Deployment {
            tables: None,
            alarms: Some(self.alarms.into_options()),
        };
        let text = match self.form {
            Tool::Cloudformation => format!("{:#}\n", cloudformation(&model, &deployment)),
            Tool::Terraform => terraform(&model, &deployment),
            Tool::Cdk => format!("{:#}\n", cdk(&model, &deployment)),
        };
        print(text.as_bytes())
    }
}

impl DeployedModel {
    fn read(&self) -> Result<Model, Failure> {
        Ok(load_model(&self.model, &self.environment)?.0)
    }
}

impl TableArguments {
    fn read(self) -> Result<(Model, Deployment), Failure> {
        let model = self.model.read()?;
        let alarms = (!self.no_alarms).then(|| self.alarms.into_options());
        let deployment = Deployment {
            tables: Some(self.encryption),
            alarms,
        };
        Ok((model, deployment))
    }
}

impl AlarmArguments {
    fn into_options(self) -> AlarmOptions {
        AlarmOptions {
            latency: self.latency,
            topic: self.alarm_topic,
        }
    }
}

fn topic(text: &str) -> Result<String, String> {
    let parts: Vec<&str> = text.split(':').collect();
    match parts.as_slice() {
        ["arn", partition, "sns", region, account, name]
            if [partition, region, account, name]
                .iter()
                .all(|part| !part.is_empty()) =>
        {
            Ok(text.to_owned())
        }
        _ => Err(
            "the ARN of a topic is written as arn:aws:sns:eu-west-1:123456789012:on-call"
                .to_owned(),
        ),
    }
}
