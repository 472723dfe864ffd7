//! Which ARNs name resources of an engine: those of its account and its region.
//!
//! AWS refuses the others, each family of operations in its own words, and never looks for a table of that name here.

use crate::ops::ACCOUNT;
use crate::wording;
use monotable_api::{
    Error, Operation, ResourceArn, TableMember, TableName, TableReference, TableReferences,
};

/// The partition of all ARNs here.
const PARTITION: &str = "aws";

/// The account and the region of an engine.
#[derive(Debug)]
pub(crate) struct ResourceScope {
    /// The region; none if all regions are this one data set.
    region: Option<String>,
}

/// What of an ARN is not this engine's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Foreign {
    Partition,
    Region,
    Account,
}

impl ResourceScope {
    pub(crate) const fn new(region: Option<String>) -> Self {
        Self { region }
    }

    /// Whether a request means the table of this name.
    pub(crate) fn names(&self, given: &TableName, table: &str) -> bool {
        given.as_str() == table && self.foreign(given.given()).is_none()
    }

    /// Refuses a request that names a table of another account or region.
    pub(crate) fn check<O: Operation>(&self, input: &O::Input) -> Result<(), Error> {
        let mut refused = None;
        input.for_each_table(&mut |reference| {
            // Names are the usual case, and cost no more than this look.
            if reference.given.starts_with("arn:") && refused.is_none() {
                refused = self.foreign(reference.given).map(|foreign| {
                    let action = reference.action.unwrap_or(O::NAME.as_str());
                    refuse(reference, foreign, action)
                });
            }
        });
        refused.map_or(Ok(()), Err)
    }

    fn foreign(&self, given: &str) -> Option<Foreign> {
        let arn = ResourceArn::parse(given)?;
        if arn.partition != PARTITION {
            return Some(Foreign::Partition);
        }
        if self.region.as_ref().is_some_and(|own| own != arn.region) {
            return Some(Foreign::Region);
        }
        (arn.account != ACCOUNT).then_some(Foreign::Account)
    }
}

fn refuse(reference: TableReference<'_>, foreign: Foreign, action: &str) -> Error {
    let arn = reference.given;
    match (reference.member, foreign) {
        (TableMember::TableName, Foreign::Partition) => wording::foreign_partition(arn),
        (TableMember::TableName, Foreign::Region) => wording::foreign_region(arn),
        (TableMember::TableName | TableMember::TaggedResource, Foreign::Account) => {
            wording::foreign_account(arn, action)
        }
        (TableMember::TaggedResource, Foreign::Partition | Foreign::Region) => {
            wording::foreign_tagged_resource(arn)
        }
        (TableMember::PolicyResource, Foreign::Partition | Foreign::Region) => {
            wording::foreign_policy_resource(arn)
        }
        (TableMember::PolicyResource | TableMember::RestoredTable, Foreign::Account) => {
            wording::resource_of_other_account()
        }
        (TableMember::ExportedTable, Foreign::Account) => wording::access_is_denied(),
        (
            TableMember::ExportedTable | TableMember::RestoredTable,
            Foreign::Partition | Foreign::Region,
        ) => wording::source_table_not_found(arn),
    }
}
