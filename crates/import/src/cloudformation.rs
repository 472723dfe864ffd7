//! CloudFormation: the resources of type AWS::DynamoDB::Table and AWS::DynamoDB::GlobalTable, also SAM's SimpleTable.

use crate::aws_table::{self, AwsTable, Resolve};
use crate::document::Node;
use crate::error::ImportError;
use monotable_sketch::{Names, Sketch, Table, name_table};

const TABLE: &str = "AWS::DynamoDB::Table";
const GLOBAL_TABLE: &str = "AWS::DynamoDB::GlobalTable";
const SIMPLE_TABLE: &str = "AWS::Serverless::SimpleTable";

/// What a template knows of its parameters.
struct Parameters<'d> {
    parameters: Option<&'d Node>,
}

impl Resolve for Parameters<'_> {
    fn resolve<'n>(&'n self, node: &'n Node) -> Option<&'n Node> {
        if !node.is_map() {
            return Some(node);
        }
        let name = node.get("Ref").and_then(Node::as_text)?;
        self.parameters?.get(name)?.get("Default")
    }
}

/// Whether a file is a template.
pub(crate) fn is_template(document: &Node) -> bool {
    document.get("Resources").is_some_and(Node::is_map)
}

pub(crate) fn import(document: &Node) -> Result<Sketch, ImportError> {
    let resources = document.need("Resources")?;
    let parameters = Parameters {
        parameters: document.get("Parameters"),
    };
    let description = document.get("Description").and_then(Node::as_text);
    let mut sketch = Sketch {
        about: description.map(ToOwned::to_owned),
        ..Sketch::default()
    };
    let (mut tables, mut entities) = (Names::default(), Names::default());
    for (logical, resource) in resources.map()? {
        let kind = resource.get("Type").and_then(Node::as_text);
        let kind = match kind {
            Some(kind @ (TABLE | GLOBAL_TABLE | SIMPLE_TABLE)) => kind,
            _ => continue,
        };
        let name = tables.claim(&name_table(logical));
        let mut aws = match kind {
            SIMPLE_TABLE => read_simple(resource, name),
            _ => aws_table::read(resource.need("Properties")?, name, &parameters)?,
        };
        if kind == GLOBAL_TABLE {
            read_replicas(resource, &mut aws.table)?;
        }
        remark_settings(resource, &mut aws.table);
        aws_table::sketch_rows(&mut sketch, aws, &mut entities);
    }
    if sketch.tables.is_empty() {
        return Err(resources.error("there is no resource of the type AWS::DynamoDB::Table here"));
    }
    Ok(sketch)
}

/// SAM's short form: one key, called `id` unless it says otherwise.
fn read_simple(resource: &Node, name: String) -> AwsTable {
    let properties = resource.get("Properties");
    let key = properties.and_then(|node| node.get("PrimaryKey"));
    let attribute = key.and_then(|key| key.get("Name")).and_then(Node::as_text);
    let attribute = attribute.unwrap_or("id").to_owned();
    let kind = key.and_then(|key| key.get("Type")).and_then(Node::as_text);
    let kind = match kind {
        Some("Number") => "N",
        Some("Binary") => "B",
        _ => "S",
    };
    let stored = properties.and_then(|node| node.get("TableName")?.as_text());
    AwsTable {
        kinds: [(attribute.clone(), kind.to_owned())].into(),
        table: Table {
            stored: stored
                .map(ToOwned::to_owned)
                .filter(|stored| *stored != name),
            name,
            partition: attribute,
            ..Table::default()
        },
    }
}

/// What a global table says of each region.
fn read_replicas(resource: &Node, table: &mut Table) -> Result<(), ImportError> {
    let Some(replicas) = resource.need("Properties")?.get("Replicas") else {
        return Ok(());
    };
    let replicas = replicas.list()?;
    let has = |section: &str, flag: &str| {
        let mut said = replicas.iter().filter_map(|replica| replica.get(section));
        said.any(|section| section.is_true(flag))
    };
    if has(
        "PointInTimeRecoverySpecification",
        "PointInTimeRecoveryEnabled",
    ) {
        table.set("pitr", "true");
    }
    if replicas
        .iter()
        .any(|replica| replica.is_true("DeletionProtectionEnabled"))
    {
        table.set("deletion_protection", "true");
    }
    Ok(())
}

/// Settings around the properties that no model has a word for.
fn remark_settings(resource: &Node, table: &mut Table) {
    for name in ["DeletionPolicy", "UpdateReplacePolicy"] {
        if resource.get(name).is_some() {
            table
                .remarks
                .push(format!("`{name}` is not part of a model."));
        }
    }
    if resource.get("Condition").is_some() {
        table
            .remarks
            .push("The template makes this table under a condition only.".to_owned());
    }
}
