//! Tables and indexes.

use super::notes;
use crate::diagnostic::{Code, Findings};
use crate::model::{Billing, Further, Index, Projection, Stream, Table};
use crate::span::{Name, Span};
use crate::syntax;
use crate::syntax::file::File;
use std::collections::BTreeMap;

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
        deletion_protection: declared.deletion_protection,
        billing: declared
            .billing
            .as_ref()
            .and_then(|declared| billing(declared, findings)),
        tags: tags(&declared.tags, declared.span, findings),
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

fn billing(declared: &syntax::table::Billing, findings: &mut Findings) -> Option<Billing> {
    match declared {
        syntax::table::Billing::Word(word) if word.value == "on_demand" => Some(Billing::OnDemand),
        syntax::table::Billing::Word(word) => {
            let message = format!(
                "billing is \"on_demand\", or units per second such as {{ read = 5, write = 5 }}; this is `{}`",
                word.value
            );
            findings.error(Code::WrongKind, word.span, message);
            None
        }
        syntax::table::Billing::Units { read, write, span } => {
            let units = |given: usize| u32::try_from(given).ok().filter(|units| *units > 0);
            let (read, write) = (read.as_ref()?.value, write.as_ref()?.value);
            let (Some(read), Some(write)) = (units(read), units(write)) else {
                let message =
                    "a table has at least one unit per second for reads, and one for writes";
                findings.error(Code::Contradiction, *span, message);
                return None;
            };
            Some(Billing::Provisioned { read, write })
        }
    }
}

/// The most tags of a table, the longest key and the longest value, as DynamoDB has it.
const MOST_TAGS: usize = 50;
const LONGEST_KEY: usize = 128;
const LONGEST_VALUE: usize = 256;

fn tags(
    declared: &[syntax::table::Tag],
    span: Span,
    findings: &mut Findings,
) -> BTreeMap<String, String> {
    if declared.len() > MOST_TAGS {
        let message = format!(
            "a table has at most {MOST_TAGS} tags; this has {}",
            declared.len()
        );
        findings.error(Code::Contradiction, span, message);
    }
    for tag in declared {
        let key = &tag.key.value;
        let message = if key.is_empty() || key.chars().count() > LONGEST_KEY {
            format!("the key of a tag has 1 to {LONGEST_KEY} characters")
        } else if key.to_ascii_lowercase().starts_with("aws:") {
            "AWS keeps tags that begin with `aws:` for itself".to_owned()
        } else if tag.value.chars().count() > LONGEST_VALUE {
            format!("the value of a tag has at most {LONGEST_VALUE} characters")
        } else {
            continue;
        };
        findings.error(Code::Contradiction, tag.key.span, message);
    }
    let tags = declared.iter();
    tags.map(|tag| (tag.key.value.clone(), tag.value.clone()))
        .collect()
}
