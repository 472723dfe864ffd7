//! Rows as CSV: the first line has the names, and an empty field is no value.

use super::input_row::{ENTITY, InputRow, NO_ENTITY, TENANT, UnreadableRow};
use csv::{ReaderBuilder, StringRecord};
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Kind, Model};
use monotable_store::wire;
use std::io::BufRead;
use std::sync::Arc;

/// The line with the names, and the rows.
pub(super) fn read(
    input: impl BufRead,
    entity: Option<String>,
    model: Arc<Model>,
) -> (
    String,
    impl Iterator<Item = Result<InputRow, UnreadableRow>>,
) {
    let mut reader = ReaderBuilder::new().flexible(false).from_reader(input);
    let names = reader.headers().cloned().unwrap_or_default();
    let header = write_record(&names);
    let rows = reader.into_records().map(move |record| match record {
        Ok(record) => read_row(&names, &record, entity.as_deref(), &model),
        Err(error) => Err(UnreadableRow {
            line: error.position().map_or(0, csv::Position::line),
            text: String::new(),
            why: error.to_string(),
        }),
    });
    (header, rows)
}

fn read_row(
    names: &StringRecord,
    record: &StringRecord,
    entity: Option<&str>,
    model: &Model,
) -> Result<InputRow, UnreadableRow> {
    let line = record.position().map_or(0, csv::Position::line);
    let text = write_record(record);
    let field = |wanted: &str| {
        let mut fields = names.iter().zip(record);
        let (_, text) = fields.find(|(name, text)| *name == wanted && !text.is_empty())?;
        Some(text.to_owned())
    };
    let refuse = |why: String| UnreadableRow {
        line,
        text: text.clone(),
        why,
    };
    let named = field(ENTITY).or_else(|| entity.map(str::to_owned));
    let named = named.ok_or_else(|| refuse(NO_ENTITY.to_owned()))?;
    let known = model.entity_named(&named).map(|(_, entity)| entity);
    let mut values = Item::new();
    for (name, text) in names.iter().zip(record) {
        if text.is_empty() || name == ENTITY || name == TENANT {
            continue;
        }
        let kind = known.and_then(|entity| entity.attribute(name));
        let value = parse(name, kind.map(|attribute| &attribute.kind), text);
        values.insert(
            name,
            value.map_err(|why| refuse(format!("`{name}`: {why}")))?,
        );
    }
    Ok(InputRow {
        line,
        tenant: field(TENANT),
        entity: named,
        values,
        text,
    })
}

/// The value of a field, as the model's kind has it. What a text cannot say is JSON, as the data layer writes it.
fn parse(name: &str, kind: Option<&Kind>, text: &str) -> Result<AttributeValue, String> {
    match kind {
        Some(Kind::Integer(_) | Kind::Number(_) | Kind::Epoch) => match text.parse() {
            Ok(number) => Ok(AttributeValue::N(number)),
            Err(error) => Err(format!("not a number: {error}")),
        },
        Some(Kind::Boolean) => match text.parse() {
            Ok(flag) => Ok(AttributeValue::Bool(flag)),
            Err(_) => Err("neither true nor false".to_owned()),
        },
        Some(Kind::List { .. } | Kind::Map | Kind::Binary | Kind::Any) => {
            wire::read_value(name, text).map_err(|error| format!("not JSON: {error}"))
        }
        _ => Ok(AttributeValue::S(text.to_owned())),
    }
}

/// A record as a line of CSV.
pub(crate) fn write_record<'f>(fields: impl IntoIterator<Item = &'f str>) -> String {
    let mut writer = csv::WriterBuilder::new()
        .terminator(csv::Terminator::Any(b'\n'))
        .from_writer(Vec::new());
    // Writing into memory does not fail.
    let _ = writer.write_record(fields);
    let bytes = writer.into_inner().unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    text.trim_end_matches('\n').to_owned()
}
