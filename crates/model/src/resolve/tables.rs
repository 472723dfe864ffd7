//! Tables and indexes.

use super::notes;
use crate::diagnostic::{Code, Findings};
use crate::model::{Index, Projection, Stream, Table};
use crate::span::{Name, Span};
use crate::syntax;
use crate::syntax::file::File;

pub(super) fn tables(file: &File, findings: &mut Findings) -> Vec<Table> {
    file.tables
        .iter()
        .filter_map(|declared| table(declared, findings))
        .collect()
}

fn table(declared: &syntax::table::Table, findings: &mut Findings) -> Option<Table> {
    let (hash, range) = key(&declared.key, declared.span, findings)?;
    let indexes = declared.indexes.iter();
    let table = Table {
        name: declared.name.clone(),
        notes: notes(&declared.notes),
        physical: declared
            .physical
            .clone()
            .unwrap_or_else(|| declared.name.value.clone()),
        indexes: indexes
            .filter_map(|index| self::index(index, &hash, findings))
            .collect(),
        hash,
        range,
        ttl: declared.ttl.clone(),
        pitr: declared.pitr,
        stream: declared
            .stream
            .as_ref()
            .and_then(|name| stream(name, findings)),
        span: declared.span,
    };
    let globals = table.indexes.iter().filter(|index| !index.local).count();
    for (count, most, kind) in [
        (globals, 20, "global"),
        (table.indexes.len() - globals, 5, "local"),
    ] {
        if count > most {
            let message = format!("a table has at most {most} {kind} indexes; this has {count}");
            findings.error(Code::Contradiction, declared.span, message);
        }
    }
    Some(table)
}

fn key(names: &[Name], span: Span, findings: &mut Findings) -> Option<(Name, Option<Name>)> {
    match names {
        [hash] => Some((hash.clone(), None)),
        [hash, range] if hash.value != range.value => Some((hash.clone(), Some(range.clone()))),
        [_, range] => {
            findings.error(
                Code::Contradiction,
                range.span,
                "the two parts of a key are different attributes",
            );
            None
        }
        _ => {
            findings.error(
                Code::WrongKind,
                span,
                "a key has a partition key, and at most one sort key",
            );
            None
        }
    }
}

fn index(
    declared: &syntax::table::Index,
    table_hash: &Name,
    findings: &mut Findings,
) -> Option<Index> {
    let (hash, range) = key(&declared.key, declared.span, findings)?;
    if declared.local && hash.value != table_hash.value {
        let message = format!(
            "a local index has the table's partition key, `{}`",
            table_hash.value
        );
        findings.error(Code::Contradiction, hash.span, message);
        return None;
    }
    let projection = match declared
        .project
        .as_ref()
        .map(|project| project.value.as_slice())
    {
        None => Projection::All,
        Some([only]) if only.value == "all" => Projection::All,
        Some([only]) if only.value == "keys" => Projection::Keys,
        Some(names) => Projection::Include(names.iter().map(|name| name.value.clone()).collect()),
    };
    Some(Index {
        name: declared.name.clone(),
        physical: declared
            .physical
            .clone()
            .unwrap_or_else(|| declared.name.value.clone()),
        hash,
        range,
        projection,
        local: declared.local,
        span: declared.span,
    })
}

fn stream(name: &Name, findings: &mut Findings) -> Option<Stream> {
    let stream = match name.value.as_str() {
        "new_and_old" => Some(Stream::NewAndOld),
        "new" => Some(Stream::New),
        "old" => Some(Stream::Old),
        "keys" => Some(Stream::Keys),
        _ => None,
    };
    if stream.is_none() {
        let message = "a stream shows `new_and_old`, `new`, `old` or `keys`";
        findings.error(Code::WrongKind, name.span, message);
    }
    stream
}
