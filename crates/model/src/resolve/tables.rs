//! Tables and indexes.

use super::notes;
use crate::diagnostic::{Code, Findings};
use crate::model::{Further, Index, Projection, Stream, Table};
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
    let parts: Vec<_> = names.iter().map(std::slice::from_ref).collect();
    let key = key_attributes(&parts, span, findings)?;
    Some((key.hash, key.range))
}

/// The attributes of a key.
struct KeyAttributes {
    hash: Name,
    range: Option<Name>,
    further: Further<Name>,
}

fn key_attributes(parts: &[&[Name]], span: Span, findings: &mut Findings) -> Option<KeyAttributes> {
    let (partition, sort): (_, &[Name]) = match parts {
        [partition] => (*partition, &[]),
        [partition, sort] => (*partition, *sort),
        _ => {
            let message = "a key has a partition key, and at most one sort key";
            findings.error(Code::WrongKind, span, message);
            return None;
        }
    };
    let is_empty = parts.iter().any(|part| part.is_empty());
    let Some((hash, further_hash)) = partition.split_first().filter(|_| !is_empty) else {
        let message = "each part of a key names one attribute at least";
        findings.error(Code::WrongKind, span, message);
        return None;
    };
    let most = Index::MOST_ATTRIBUTES;
    if let Some(name) = parts.iter().find_map(|part| part.get(most)) {
        let message = format!(
            "`{}` is one too many: a partition key has at most {most} attributes, and so has a sort key",
            name.value
        );
        findings.error(Code::Contradiction, name.span, message);
        return None;
    }
    let all: Vec<_> = partition.iter().chain(sort).collect();
    let repeated = all.iter().enumerate().find(|(position, name)| {
        let mut before = all.iter().take(*position);
        before.any(|known| known.value == name.value)
    });
    if let Some((_, name)) = repeated {
        let message = "the two parts of a key are different attributes";
        let several = "the attributes of a key are different ones";
        let message = if all.len() == 2 { message } else { several };
        findings.error(Code::Contradiction, name.span, message);
        return None;
    }
    Some(KeyAttributes {
        hash: hash.clone(),
        range: sort.first().cloned(),
        further: Further {
            hash: further_hash.to_vec(),
            range: sort.get(1..).unwrap_or_default().to_vec(),
        },
    })
}

fn index(
    declared: &syntax::table::Index,
    table_hash: &Name,
    findings: &mut Findings,
) -> Option<Index> {
    let parts: Vec<_> = declared.key.iter().map(Vec::as_slice).collect();
    let KeyAttributes {
        hash,
        range,
        further,
    } = key_attributes(&parts, declared.span, findings)?;
    if declared.local && !further.is_empty() {
        let message = "a local index has one attribute in each part of its key; only a global one may have several";
        findings.error(Code::Contradiction, declared.span, message);
        return None;
    }
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
        further,
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
