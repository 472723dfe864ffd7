//! The key of an entity in an index of several attributes.

use super::Maker;
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::model::{Further, Index, Key, KeyPlace, Table, Template};
use crate::span::Name;
use crate::syntax::key::KeyTemplates;

impl Maker<'_> {
    /// The key that templates fill, one for each attribute. An attribute that rows have anyway is not filled: there the
    /// template names it.
    pub(super) fn several(
        &self,
        place: KeyPlace,
        index: &Index,
        written: &KeyTemplates,
        primary: &Key,
        table: &Table,
        findings: &mut Findings,
    ) -> Option<Key> {
        let (partition, sort) = sides(index, written, findings)?;
        let mut own = Vec::new();
        let mut is_right = true;
        let templates = partition.iter().chain(sort);
        for (position, (name, template)) in index.attributes().zip(templates).enumerate() {
            let Some(attribute) = self.implied_part(name, primary, table) else {
                continue;
            };
            own.push(position);
            if attribute.text != template.text {
                is_right = false;
                findings.push(other_text(name, template, &attribute));
            }
        }
        let (hash, further_hash) = partition.split_first().filter(|_| is_right)?;
        // An ordinary attribute has no prefix; the table's own keys have theirs.
        let is_table_key = index.hash.value == table.hash.value;
        let global = own.contains(&0) && (primary.global || !is_table_key);
        Some(Key {
            place,
            hash: hash.clone(),
            range: sort.first().cloned(),
            further: Further {
                hash: further_hash.to_vec(),
                range: sort.get(1..).unwrap_or_default().to_vec(),
            },
            own,
            when: None,
            global,
            implied: false,
            span: written.span,
        })
    }
}

/// The templates of both parts of the key, as many as the index has attributes.
fn sides<'t>(
    index: &Index,
    written: &'t KeyTemplates,
    findings: &mut Findings,
) -> Option<(&'t [Template], &'t [Template])> {
    let sides: Option<(&[Template], &[Template])> = match written.parts.as_slice() {
        _ if written.fills_all => None,
        [partition] => Some((partition, &[])),
        [partition, sort] => Some((partition, sort)),
        _ => None,
    };
    let range = index.range.iter().chain(&index.further.range).count();
    let hash = 1 + index.further.hash.len();
    let fits = |(partition, sort): &(&[Template], &[Template])| {
        partition.len() == hash && sort.len() == range
    };
    let found = sides.filter(fits);
    if found.is_none() {
        let message = format!(
            "this key has one template for each attribute of `{}`: {}",
            index.name.value,
            shape(index)
        );
        findings.error(Code::WrongKind, written.span, message);
    }
    found
}

/// The attributes of an index as its key is written: `[["country", "city"], "street"]`.
pub(in crate::resolve) fn shape(index: &Index) -> String {
    let part = |names: Vec<&Name>| {
        let names = names.iter().map(|name| format!("\"{}\"", name.value));
        let names: Vec<_> = names.collect();
        match names.as_slice() {
            [only] => only.clone(),
            several => format!("[{}]", several.join(", ")),
        }
    };
    let hash = std::iter::once(&index.hash).chain(&index.further.hash);
    let partition = part(hash.collect());
    if index.range.is_none() {
        return format!("[{partition}]");
    }
    let range = index.range.iter().chain(&index.further.range);
    format!("[{partition}, {}]", part(range.collect()))
}

fn other_text(name: &Name, template: &Template, attribute: &Template) -> Diagnostic {
    let message = format!(
        "rows have `{}` for its own sake, so that is what stands in the index, and not `{}`",
        name.value, template.text
    );
    let help = format!(
        "write `{}` here, or give the index an attribute of another name",
        attribute.text
    );
    Diagnostic::new(Code::Contradiction, template.span, message).help(help)
}
