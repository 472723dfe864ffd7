//! NoSQL Workbench for DynamoDB: data models with tables, facets and sample data.
//!
//! A facet names a kind of row, and says which attributes it has; how its keys are written is shown only by the sample data. So
//! the keys are found there, as `monotable infer` finds them in items, and facets give the names.

mod facet;
mod sample;

use crate::aws_table::{self, AwsTable};
use crate::document::Node;
use crate::error::ImportError;
use facet::Facet;
use monotable_infer::{Inference, Sample, infer};
use monotable_sketch::{Index, Names, Projection, Reach, Sketch, Table, name_index, name_table};
use std::collections::BTreeMap;

/// Whether a file is a data model.
pub(crate) fn is_model(document: &Node) -> bool {
    document
        .get("DataModel")
        .is_some_and(|node| node.list().is_ok())
}

pub(crate) fn import(document: &Node) -> Result<Sketch, ImportError> {
    let name = document
        .get("ModelName")
        .and_then(Node::as_text)
        .unwrap_or_default();
    let metadata = document.get("ModelMetadata");
    let about = metadata.and_then(|node| node.get("Description")?.as_text());
    let mut tables = Names::default();
    let mut samples = Vec::new();
    let mut facets = Vec::new();
    let mut empty = Vec::new();
    for node in document.need("DataModel")?.list()? {
        let aws = read_table(node, &mut tables)?;
        let items = sample::read(node, &aws.table)?;
        facets.extend(facet::read(node, &aws.table)?);
        if items.is_empty() {
            empty.push(aws);
        } else {
            samples.push(Sample {
                table: aws.table,
                items,
            });
        }
    }
    let inference = infer(name, &samples);
    let mut sketch = name_by_facets(inference, &samples, &facets);
    // Patterns are suggested anew, with the names of the facets.
    sketch.patterns.clear();
    sketch.about = about
        .filter(|about| !about.is_empty())
        .map(ToOwned::to_owned);
    let mut names = Names::default();
    for aws in empty {
        aws_table::sketch_rows(&mut sketch, aws, &mut names);
    }
    Ok(sketch)
}

/// A table, its indexes and the types of its keys.
fn read_table(node: &Node, names: &mut Names) -> Result<AwsTable, ImportError> {
    let stored = node.need_text("TableName")?;
    let name = names.claim(&name_table(stored));
    let mut kinds = BTreeMap::new();
    let (partition, sort) = read_key(node, &mut kinds)?;
    let mut table = Table {
        stored: (name != stored).then(|| stored.to_owned()),
        name,
        partition,
        sort,
        ..Table::default()
    };
    let mut indexes = Names::default();
    for (list, reach) in [
        ("GlobalSecondaryIndexes", Reach::Global),
        ("LocalSecondaryIndexes", Reach::Local),
    ] {
        let Some(found) = node.get(list) else {
            continue;
        };
        for index in found.list()? {
            let stored = index.need_text("IndexName")?;
            let name = indexes.claim(&name_index(stored));
            let (partition, sort) = read_key(index, &mut kinds)?;
            table.indexes.push(Index {
                stored: (stored != name).then(|| stored.to_owned()),
                name,
                partition: vec![partition],
                sort: sort.into_iter().collect(),
                projection: read_projection(index)?,
                reach,
                remarks: Vec::new(),
            });
        }
    }
    if node.get("BillingMode").and_then(Node::as_text) == Some("PAY_PER_REQUEST") {
        table.set("billing", "\"on_demand\"");
    }
    Ok(AwsTable { table, kinds })
}

fn read_key(
    node: &Node,
    kinds: &mut BTreeMap<String, String>,
) -> Result<(String, Option<String>), ImportError> {
    let attributes = node.need("KeyAttributes")?;
    let mut read = |key: &Node| -> Result<String, ImportError> {
        let name = key.need_text("AttributeName")?.to_owned();
        let kind = key.get("AttributeType").and_then(Node::as_text);
        kinds.insert(name.clone(), kind.unwrap_or("S").to_owned());
        Ok(name)
    };
    let partition = read(attributes.need("PartitionKey")?)?;
    let sort = attributes.get("SortKey").map(read).transpose()?;
    Ok((partition, sort))
}

fn read_projection(index: &Node) -> Result<Projection, ImportError> {
    let Some(projection) = index.get("Projection") else {
        return Ok(Projection::All);
    };
    match projection.get("ProjectionType").and_then(Node::as_text) {
        Some("KEYS_ONLY") => Ok(Projection::Keys),
        Some("INCLUDE") => {
            let names = projection.need("NonKeyAttributes")?.list()?;
            let names: Result<Vec<String>, ImportError> = names
                .iter()
                .map(|name| name.text().map(ToOwned::to_owned))
                .collect();
            Ok(Projection::Some(names?))
        }
        Some(_) | None => Ok(Projection::All),
    }
}

/// Gives the entities that were found in the sample data the names of their facets.
fn name_by_facets(inference: Inference, samples: &[Sample], facets: &[Facet]) -> Sketch {
    let Inference { mut sketch, groups } = inference;
    let mut names = Names::default();
    let mut matched = vec![false; facets.len()];
    let tables: Vec<String> = sketch
        .entities
        .iter()
        .map(|entity| {
            let table = sketch.table_of(entity);
            table.map(|table| table.name.clone()).unwrap_or_default()
        })
        .collect();
    for ((entity, group), table) in sketch.entities.iter_mut().zip(&groups).zip(&tables) {
        let items: Vec<_> = samples
            .get(group.sample)
            .map(|sample| {
                group
                    .items
                    .iter()
                    .filter_map(|at| sample.items.get(*at))
                    .collect()
            })
            .unwrap_or_default();
        let best = facet::best(facets, table, entity, &items);
        entity.name = names.claim(&match best {
            Some((position, facet)) => {
                if let Some(flag) = matched.get_mut(position) {
                    *flag = true;
                }
                facet::complete(entity, facet);
                facet.name.clone()
            }
            None => entity.name.clone(),
        });
        if let Some(first) = entity.remarks.first_mut() {
            "Found in the sample data of the data model.".clone_into(first);
        }
    }
    for (facet, matched) in facets.iter().zip(matched) {
        if !matched {
            sketch.remarks.push(format!(
                "The facet {:?} of {} ({}) has no sample data of its own, so its keys are not known and it is not declared.",
                facet.name, facet.table, facet.aliases
            ));
        }
    }
    sketch
}
