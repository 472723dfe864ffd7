//! Rows as lines of JSON.

use super::input_row::{ENTITY, InputRow, NO_ENTITY, TENANT, UnreadableRow};
use monotable_store::wire;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::io::BufRead;

/// Reads rows; empty lines are none.
pub(super) fn read(
    input: impl BufRead,
    entity: Option<String>,
) -> impl Iterator<Item = Result<InputRow, UnreadableRow>> {
    (1..).zip(input.lines()).filter_map(move |(line, text)| {
        let text = match text {
            Ok(text) if text.trim().is_empty() => return None,
            Ok(text) => text,
            Err(error) => {
                return Some(Err(UnreadableRow {
                    line,
                    text: String::new(),
                    why: error.to_string(),
                }));
            }
        };
        Some(read_row(line, text, entity.as_deref()))
    })
}

fn read_row(line: u64, text: String, entity: Option<&str>) -> Result<InputRow, UnreadableRow> {
    match parse(&text, entity) {
        Ok((entity, tenant, values)) => Ok(InputRow {
            line,
            text,
            entity,
            tenant,
            values,
        }),
        Err(why) => Err(UnreadableRow { line, text, why }),
    }
}

type Parsed = (String, Option<String>, monotable_item::Item);

fn parse(text: &str, entity: Option<&str>) -> Result<Parsed, String> {
    let mut members: BTreeMap<String, Box<RawValue>> =
        serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut take = |name: &str| -> Result<Option<String>, String> {
        let Some(value) = members.remove(name) else {
            return Ok(None);
        };
        let text = serde_json::from_str(value.get());
        text.map(Some)
            .map_err(|error| format!("`{name}` is a text: {error}"))
    };
    let named = take(ENTITY)?.or_else(|| entity.map(str::to_owned));
    let tenant = take(TENANT)?;
    let named = named.ok_or_else(|| NO_ENTITY.to_owned())?;
    let values = serde_json::to_string(&members).map_err(|error| error.to_string())?;
    let values = wire::read_item(&values).map_err(|error| error.to_string())?;
    Ok((named, tenant, values))
}
