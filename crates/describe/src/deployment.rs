//! The tables of a model as other tools make them: CloudFormation, Terraform and the CDK; with alarms.
//!
//! A table is worked out once, as the properties of CloudFormation's `AWS::DynamoDB::Table` (`table.rs`), and an alarm once, as data
//! (`alarm.rs`); the other forms are made of these. The same model gives the same bytes.

mod alarm;
mod cdk;
mod cloudformation;
mod encryption;
mod hcl;
mod identifiers;
mod table;
mod terraform;
#[cfg(test)]
mod tests;
mod yaml;

pub use alarm::AlarmOptions;
pub use cdk::cdk;
pub use cloudformation::cloudformation;
pub use encryption::Encryption;
pub use terraform::terraform;
pub use yaml::yaml;

/// What a deployment says that no model says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deployment {
    /// How the tables are encrypted; none if they are made elsewhere.
    pub tables: Option<Encryption>,
    /// What alarms there are; none if there are none.
    pub alarms: Option<AlarmOptions>,
}
