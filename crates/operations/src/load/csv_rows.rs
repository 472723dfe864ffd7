//! Rows as CSV: the first line has the names, and an empty field is no value.

use super::input_row::{
    ENTITY, InputRow, NO_ENTITY, ReadRows, TENANT, UnreadableCause, UnreadableRow,
};
use csv::{ByteRecord, ErrorKind, ReaderBuilder, StringRecord};
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Kind, Model};
use monotable_store::wire;
use std::collections::BTreeSet;
use std::io::BufRead;
use std::iter;
use std::sync::Arc;

/// The line with the names, and the rows.
pub(super) fn read(
    mut input: impl BufRead + Send + 'static,
    entity: Option<String>,
    model: Arc<Model>,
) -> (String, ReadRows) {
    let ending = LineEnding::guess(&mut input);
    // Rows with too few or too many fields are refused here, where their text is known.
    let mut reader = ReaderBuilder::new().flexible(true).from_reader(input);
    let names = reader.headers().cloned();
    let names = names.map_err(|error| error.to_string());
    let names = match names.and_then(refuse_twins) {
        Ok(names) => names,
        Err(why) => {
            let unreadable = UnreadableRow {
                line: 1,
                text: String::new(),
                why,
                cause: UnreadableCause::Input,
            };
            return (String::new(), Box::new(iter::once(Err(unreadable))));
        }
    };
    let header = write_record(&names);
    let rows =
        iter::from_fn(move || {
            let mut record = ByteRecord::new();
            match reader.read_byte_record(&mut record) {
                Ok(false) => None,
                Ok(true) => {
                    let line = find_line(&record, reader.position().line(), ending);
                    let row = read_record(line, record);
                    Some(row.and_then(|record| {
                        read_row(line, &names, &record, entity.as_deref(), &model)
                    }))
                }
                Err(error) => Some(Err(UnreadableRow {
                    line: reader.position().line(),
                    text: String::new(),
                    why: error.to_string(),
                    cause: match error.kind() {
                        ErrorKind::Io(_) => UnreadableCause::Input,
                        _ => UnreadableCause::Row,
                    },
                })),
            }
        });
    (header, Box::new(rows))
}

/// What ends the lines of an input.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineEnding {
    /// A line feed.
    Lf,
    /// A carriage return before it.
    CrLf,
}

impl LineEnding {
    /// What the first line ends with.
    fn guess(input: &mut impl BufRead) -> Self {
        let text = input.fill_buf().unwrap_or_default();
        let mut lines = text.split(|byte| *byte == b'\n');
        if lines.next().is_some_and(|line| line.ends_with(b"\r")) {
            Self::CrLf
        } else {
            Self::Lf
        }
    }
}

/// The line that a record begins on. The reader says where it began to look, which may be before empty lines, and where it has ended: of
/// two characters that end a line, between them.
fn find_line(record: &ByteRecord, end: u64, ending: LineEnding) -> u64 {
    let began = record.position().map_or(0, csv::Position::line);
    let fields = record.iter().flatten();
    let inside = fields.filter(|byte| **byte == b'\n').count() as u64;
    let behind = u64::from(ending == LineEnding::Lf);
    began.max(end.saturating_sub(inside + behind))
}

/// Of two fields with one name, only one could become the attribute.
fn refuse_twins(names: StringRecord) -> Result<StringRecord, String> {
    let mut known = BTreeSet::new();
    match names.iter().find(|name| !known.insert(*name)) {
        Some(twin) => Err(format!("the name `{twin}` is there twice")),
        None => Ok(names),
    }
}

fn read_record(line: u64, record: ByteRecord) -> Result<StringRecord, UnreadableRow> {
    StringRecord::from_byte_record(record).map_err(|error| {
        let fields = error.into_byte_record();
        let fields: Vec<_> = fields.iter().map(String::from_utf8_lossy).collect();
        UnreadableRow {
            line,
            text: write_record(fields.iter().map(|field| &**field)),
            why: "it is no text in UTF-8".to_owned(),
            cause: UnreadableCause::Row,
        }
    })
}

fn read_row(
    line: u64,
    names: &StringRecord,
    record: &StringRecord,
    entity: Option<&str>,
    model: &Model,
) -> Result<InputRow, UnreadableRow> {
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
        cause: UnreadableCause::Row,
    };
    if record.len() != names.len() {
        let (fields, wanted) = (record.len(), names.len());
        return Err(refuse(format!(
            "the first line names {wanted} fields, and this one has {fields}"
        )));
    }
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
