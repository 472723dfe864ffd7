//! Whose file it is.

use crate::document::Node;
use crate::error::ImportError;
use crate::{cloudformation, describe_table, electrodb, onetable, workbench};
use monotable_sketch::Sketch;
use std::fmt;

/// A tool whose files are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// NoSQL Workbench for DynamoDB: a data model.
    Workbench,
    /// OneTable: a schema.
    OneTable,
    /// ElectroDB: schemas of entities.
    ElectroDb,
    /// CloudFormation: a template.
    CloudFormation,
    /// DynamoDB itself: the answer of DescribeTable.
    DescribeTable,
}

impl Source {
    /// What a file looks like.
    pub(crate) fn recognise(document: &Node) -> Result<Self, ImportError> {
        if workbench::is_model(document) {
            Ok(Self::Workbench)
        } else if onetable::is_schema(document) {
            Ok(Self::OneTable)
        } else if cloudformation::is_template(document) {
            Ok(Self::CloudFormation)
        } else if describe_table::find(document).is_some() {
            Ok(Self::DescribeTable)
        } else if electrodb::is_schema(document) {
            Ok(Self::ElectroDb)
        } else {
            Err(ImportError::new(
                "the file looks like none that can be imported: a data model of NoSQL Workbench (`DataModel`), a schema of OneTable \
                 (`indexes` and `models`), entities of ElectroDB (`model`, `attributes` and `indexes`), a CloudFormation template \
                 (`Resources`) or the answer of DescribeTable (`Table`)",
            )
            .help("say whose file it is with --from, and the error will be about that"))
        }
    }

    pub(crate) fn import(self, document: &Node) -> Result<Sketch, ImportError> {
        match self {
            Self::Workbench => workbench::import(document),
            Self::OneTable => onetable::import(document),
            Self::ElectroDb => electrodb::import(document),
            // A description of a table is what a template has, without the template.
            Self::CloudFormation if describe_table::find(document).is_some() => {
                describe_table::import(document)
            }
            Self::CloudFormation => cloudformation::import(document),
            Self::DescribeTable => describe_table::import(document),
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Workbench => "a data model of NoSQL Workbench",
            Self::OneTable => "a schema of OneTable",
            Self::ElectroDb => "entities of ElectroDB",
            Self::CloudFormation => "a CloudFormation template",
            Self::DescribeTable => "the answer of DescribeTable",
        })
    }
}
