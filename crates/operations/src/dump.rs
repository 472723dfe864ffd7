//! Rows of a store as lines of JSON or as CSV, such as `load` takes.
//!
//! A row is written without what the store makes itself (times, counters, computed attributes) and without secrets. Rows that
//! nobody creates, such as revisions of a repository, audit entries and guards, are left out: a backup has them.

use crate::error::Error;
use crate::load::write_record;
use monotable_api::{Dynamo, DynamoExt, ScanInput};
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Attribute, Entity, EntityId, Model};
use monotable_store::{Image, Store, wire};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowFormat {
    /// A JSON object on each line, with `$entity`.
    Json,
    /// One entity as CSV, with the names in the first line.
    Csv,
}

/// What a dump wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DumpReport {
    /// Rows that were written.
    pub rows: u64,
    /// Rows that were left out because nobody creates them, by entity.
    pub left_out: BTreeMap<String, u64>,
    /// Secrets that were left out, as `Entity.Attribute`.
    pub secrets: Vec<String>,
}

/// Writes the rows of a store.
pub struct Dumper<'d> {
    store: &'d Store,
    dynamo: &'d dyn Dynamo,
    /// The only entity that is written.
    entity: Option<&'d str>,
}

impl<'d> Dumper<'d> {
    /// Writes the rows of this store, which are in this DynamoDB.
    pub const fn new(store: &'d Store, dynamo: &'d dyn Dynamo) -> Self {
        Self {
            store,
            dynamo,
            entity: None,
        }
    }

    /// Writes rows of one entity only.
    #[must_use]
    pub const fn entity(mut self, entity: &'d str) -> Self {
        self.entity = Some(entity);
        self
    }

    /// Writes the rows as lines of JSON.
    pub async fn write_json(&self, to: &mut (impl Write + Send)) -> Result<DumpReport, Error> {
        self.write_rows(|image, values| {
            let mut line = serde_json::Map::new();
            line.insert("$entity".into(), image.row.entity.clone().into());
            if let Some(tenant) = &image.tenant {
                line.insert("$tenant".into(), tenant.clone().into());
            }
            let mut text = serde_json::to_string(&line).unwrap_or_default();
            text.pop();
            for (name, value) in values.iter() {
                let name = serde_json::to_string(name).unwrap_or_default();
                let value = serde_json::to_string(&wire::PlainValue(value)).unwrap_or_default();
                text.push_str(&format!(",{name}:{value}"));
            }
            writeln!(to, "{text}}}")
        })
        .await
    }

    /// Writes the rows of one entity as CSV.
    pub async fn write_csv(
        &self,
        entity: &Entity,
        to: &mut (impl Write + Send),
    ) -> Result<DumpReport, Error> {
        let model = self.store.model();
        let has_tenants = model.tenant.is_some();
        let names: Vec<&str> = given_attributes(model, entity)
            .map(|attribute| attribute.name.value.as_str())
            .collect();
        let tenant = has_tenants.then_some("$tenant");
        let header = write_record(tenant.into_iter().chain(names.iter().copied()));
        writeln!(to, "{header}").map_err(Self::unwritable)?;
        self.write_rows(|image, values| {
            let mut fields = Vec::new();
            if has_tenants {
                fields.push(image.tenant.clone().unwrap_or_default());
            }
            for name in &names {
                fields.push(values.get(name).map(show_field).unwrap_or_default());
            }
            writeln!(to, "{}", write_record(fields.iter().map(String::as_str)))
        })
        .await
    }

    async fn write_rows(
        &self,
        mut write: impl FnMut(&Image, &Item) -> io::Result<()> + Send,
    ) -> Result<DumpReport, Error> {
        let model = self.store.model();
        let mut report = DumpReport::default();
        for (id, table) in model.tables() {
            let mut input = ScanInput::new(&table.physical);
            input.consistent_read = Some(true);
            loop {
                let page = self.dynamo.scan(input.clone()).await?;
                for item in page.items.unwrap_or_default() {
                    let item = item.to_item();
                    let Some(image) = self
                        .store
                        .read_image(Some(&model.table(id).physical), &item)
                    else {
                        continue;
                    };
                    self.write_row(&image, &mut report, &mut write)?;
                }
                input.exclusive_start_key = page.last_evaluated_key.map(Into::into);
                if input.exclusive_start_key.is_none() {
                    break;
                }
            }
        }
        report.secrets.sort();
        report.secrets.dedup();
        Ok(report)
    }

    fn write_row(
        &self,
        image: &Image,
        report: &mut DumpReport,
        write: &mut impl FnMut(&Image, &Item) -> io::Result<()>,
    ) -> Result<(), Error> {
        let model = self.store.model();
        let name = &image.row.entity;
        if self.entity.is_some_and(|only| only != name) {
            return Ok(());
        }
        let Some((id, entity)) = model.entity_named(name) else {
            return Ok(());
        };
        if !is_created(model, id) {
            *report.left_out.entry(name.clone()).or_default() += 1;
            return Ok(());
        }
        let mut values = Item::new();
        for attribute in given_attributes(model, entity) {
            let name = &attribute.name.value;
            if let Some(value) = image.row.values.get(name) {
                values.insert(name.clone(), value.clone());
            }
        }
        let open = image.row.values.iter();
        for (name, value) in open.filter(|(name, _)| entity.attribute(name).is_none()) {
            values.insert(name, value.clone());
        }
        let secrets = entity.attributes.iter();
        let secrets = secrets.filter(|attribute| attribute.secret.is_some());
        report
            .secrets
            .extend(secrets.map(|attribute| format!("{name}.{}", attribute.name.value)));
        report.rows += 1;
        write(image, &values).map_err(Self::unwritable)
    }

    fn unwritable(error: io::Error) -> Error {
        Error::file(std::path::Path::new("the output"), error)
    }
}

/// Whether rows of an entity are created one by one.
fn is_created(model: &Model, id: EntityId) -> bool {
    let entity = model.entity(id);
    model.repository_of(id).is_none() && entity.writes.create
}

/// The attributes that a caller gives when a row is created, and may read.
fn given_attributes<'e>(
    model: &'e Model,
    entity: &'e Entity,
) -> impl Iterator<Item = &'e Attribute> {
    let attributes = entity.attributes.iter();
    attributes.filter(move |attribute| {
        !attribute.is_set_by_the_store()
            && !attribute.stamped
            && attribute.secret.is_none()
            && !is_counter(model, entity, &attribute.name.value)
    })
}

/// Whether references of other rows count here.
fn is_counter(model: &Model, entity: &Entity, name: &str) -> bool {
    model.entities().any(|(_, other)| {
        other.attributes.iter().any(|attribute| {
            let counted = attribute.reference.as_ref();
            counted.is_some_and(|reference| {
                model.entity(reference.target).name == entity.name
                    && reference
                        .counted
                        .as_ref()
                        .is_some_and(|counter| counter.value == name)
            }) || attribute
                .numbered
                .as_ref()
                .is_some_and(|(through, counter)| {
                    let reference = other.attribute(&through.value);
                    let reference = reference.and_then(|through| through.reference.as_ref());
                    counter.value == name
                        && reference.is_some_and(|reference| {
                            model.entity(reference.target).name == entity.name
                        })
                })
        })
    })
}

/// A value as a field of CSV: texts, numbers and booleans as they are, anything else as JSON.
fn show_field(value: &AttributeValue) -> String {
    match value {
        AttributeValue::S(text) => text.clone(),
        AttributeValue::N(number) => number.to_string(),
        AttributeValue::Bool(flag) => flag.to_string(),
        other => serde_json::to_string(&wire::PlainValue(other)).unwrap_or_default(),
    }
}
