//! Rows as lines of JSON.

use super::input_row::{
    BYTE_ORDER_MARK, ENTITY, InputRow, NO_ENTITY, TENANT, UnreadableCause, UnreadableRow,
};
use monotable_store::wire;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::io::{self, BufRead};

/// Reads rows; empty lines are none. Nothing comes behind an input that fails: it would fail again and again.
pub(super) fn read(
    input: impl BufRead,
    entity: Option<String>,
) -> impl Iterator<Item = Result<InputRow, UnreadableRow>> {
    let lines = input.split(b'\n').scan(Reading::GoesOn, |reading, line| {
        if *reading == Reading::Ended {
            return None;
        }
        if line.is_err() {
            *reading = Reading::Ended;
        }
        Some(line)
    });
    (1..).zip(lines).filter_map(move |(number, line)| {
        let text = match read_line(number, line) {
            Ok(text) if text.trim().is_empty() => return None,
            Ok(text) => text,
            Err(unreadable) => return Some(Err(unreadable)),
        };
        Some(read_row(number, text, entity.as_deref()))
    })
}

/// Whether an input can be read on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    GoesOn,
    Ended,
}

fn read_line(number: u64, line: io::Result<Vec<u8>>) -> Result<String, UnreadableRow> {
    let bytes = line.map_err(|error| UnreadableRow {
        line: number,
        text: String::new(),
        why: error.to_string(),
        cause: UnreadableCause::Input,
    })?;
    let text = String::from_utf8(bytes).map_err(|error| UnreadableRow {
        line: number,
        text: String::from_utf8_lossy(error.as_bytes()).into_owned(),
        why: "it is no text in UTF-8".to_owned(),
        cause: UnreadableCause::Row,
    })?;
    Ok(match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(text) if number == 1 => text.to_owned(),
        _ => text,
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
        Err(why) => Err(UnreadableRow {
            line,
            text,
            why,
            cause: UnreadableCause::Row,
        }),
    }
}

type Parsed = (String, Option<String>, monotable_item::Item);

fn parse(text: &str, entity: Option<&str>) -> Result<Parsed, String> {
    let mut members: BTreeMap<String, Box<RawValue>> =
        serde_json::from_str(text).map_err(|error| explain(&error))?;
    let mut take = |name: &str| -> Result<Option<String>, String> {
        let Some(value) = members.remove(name) else {
            return Ok(None);
        };
        let text = serde_json::from_str(value.get());
        text.map(Some)
            .map_err(|error| format!("`{name}` is a text: {}", explain(&error)))
    };
    let named = take(ENTITY)?.or_else(|| entity.map(str::to_owned));
    let tenant = take(TENANT)?;
    let named = named.ok_or_else(|| NO_ENTITY.to_owned())?;
    let values = serde_json::to_string(&members).map_err(|error| error.to_string())?;
    let values = wire::read_item(&values).map_err(|error| error.to_string())?;
    Ok((named, tenant, values))
}

/// What is wrong with JSON. The line that it counts is the only one of the text, which stands on another line of the input.
fn explain(error: &serde_json::Error) -> String {
    error.to_string().replace(" at line 1 column", " at column")
}
