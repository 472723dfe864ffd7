//! Keys: templates for the table's key and for each index an entity is in.

pub(super) mod several;

use super::names::Names;
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::model::{
    Attribute, Field, Further, Index, Key, KeyPlace, Layout, Mode, Model, Part, Predicate, Source,
    Table, TableId, Template,
};
use crate::span::{Name, Span, Spanned};
use crate::suggest::did_you_mean;
use crate::syntax::entity::{Entity as Declared, Keys};
use crate::syntax::key::KeyTemplates;

/// The keys of an entity and of its layouts.
pub(super) fn keys(
    declared: &Declared,
    table: TableId,
    attributes: &[Attribute],
    model: &Model,
    names: &Names,
    findings: &mut Findings,
) -> (Vec<Key>, Vec<Layout>) {
    let maker = Maker {
        declared,
        attributes,
    };
    let Some(primary) = &declared.keys.key else {
        // What others are like names indexes too.
        maker.check_names(model.table(table), &declared.keys, findings);
        return (Vec::new(), Vec::new());
    };
    maker.check_names(model.table(table), &declared.keys, findings);
    let keys = maker.make(primary, &declared.keys, model.table(table), findings);
    let mut layouts = Vec::new();
    for layout in &declared.layouts {
        let table = match &layout.keys.table {
            Some(name) => names.table(name, findings).unwrap_or(table),
            None => table,
        };
        maker.check_names(model.table(table), &layout.keys, findings);
        let merged = overlay(&declared.keys, &layout.keys);
        let primary = merged.key.clone().unwrap_or_else(|| primary.clone());
        layouts.push(Layout {
            name: layout.name.clone(),
            table,
            keys: maker.make(&primary, &merged, model.table(table), findings),
        });
    }
    (keys, layouts)
}

/// The entity's keys where a layout has none of its own.
fn overlay(base: &Keys, layout: &Keys) -> Keys {
    let own = |name: &Name| {
        layout
            .indexes
            .iter()
            .any(|(other, _)| other.value == name.value)
    };
    let inherited = base.indexes.iter().filter(|(name, _)| !own(name)).cloned();
    Keys {
        table: None,
        key: layout.key.clone().or_else(|| base.key.clone()),
        indexes: inherited.chain(layout.indexes.iter().cloned()).collect(),
        global: layout.global.clone().or_else(|| base.global.clone()),
    }
}

struct Maker<'a> {
    declared: &'a Declared,
    attributes: &'a [Attribute],
}

impl Maker<'_> {
    fn make(
        &self,
        primary: &KeyTemplates,
        keys: &Keys,
        table: &Table,
        findings: &mut Findings,
    ) -> Vec<Key> {
        let global = |name: &str| {
            let names = keys.global.as_deref().unwrap_or_default();
            names.iter().any(|global| global.value == name)
        };
        let mut made = Vec::new();
        let Some((hash, range)) = parts(primary, table.range.is_some(), None, findings) else {
            return made;
        };
        let is_global = global("key");
        let primary = Key {
            place: KeyPlace::Primary,
            hash,
            range,
            further: Further::none(),
            own: Vec::new(),
            when: None,
            global: is_global,
            implied: false,
            span: primary.span,
        };
        for (position, index) in table.indexes.iter().enumerate() {
            let place = KeyPlace::Index(position);
            let written = keys
                .indexes
                .iter()
                .find(|(name, _)| name.value == index.name.value);
            let key = match written {
                Some((_, templates)) if templates.parts.is_empty() => None,
                Some((_, templates)) if !index.further.is_empty() => {
                    let (is_global, span) = (global(&index.name.value), templates.span);
                    let key = self.several(place, index, templates, &primary, table, findings);
                    key.map(|key| Key {
                        global: key.global || is_global,
                        span,
                        ..key
                    })
                }
                Some((_, templates)) => {
                    let local = index.local.then_some(&primary.hash);
                    let has_range = index.range.is_some();
                    parts(templates, has_range, local, findings).map(|(hash, range)| Key {
                        place,
                        // A sort key that rows have for its own sake stays what it is, a number too.
                        own: self.own_sort(index, range.as_ref(), &primary, table),
                        hash,
                        range,
                        further: Further::none(),
                        when: None,
                        global: global(&index.name.value) || (index.local && is_global),
                        implied: false,
                        span: templates.span,
                    })
                }
                None => self.implied(place, index, &primary, table),
            };
            made.extend(key.map(|key| Key {
                when: self.when(&index.name.value),
                ..key
            }));
        }
        made.insert(0, primary);
        made
    }

    fn when(&self, index: &str) -> Option<Predicate> {
        let when = self
            .declared
            .when
            .iter()
            .find(|(name, _)| name.value == index);
        when.map(|(_, predicate)| predicate.clone())
    }

    /// The position of the sort key, if it is an attribute that the row has anyway, as it is.
    fn own_sort(
        &self,
        index: &Index,
        range: Option<&Template>,
        primary: &Key,
        table: &Table,
    ) -> Vec<usize> {
        let name = index.range.as_ref();
        let own = name.and_then(|name| self.implied_part(name, primary, table));
        let is_own = own.is_some_and(|own| range.is_some_and(|range| range.text == own.text));
        if is_own { vec![1] } else { Vec::new() }
    }

    /// The key in an index on attributes that the row has anyway.
    fn implied(&self, place: KeyPlace, index: &Index, primary: &Key, table: &Table) -> Option<Key> {
        let part = |name: &Name| self.implied_part(name, primary, table);
        let hash = part(&index.hash)?;
        let range = match &index.range {
            Some(name) => Some(part(name)?),
            None => None,
        };
        let all = |names: &[Name]| names.iter().map(part).collect::<Option<Vec<_>>>();
        Some(Key {
            place,
            // An ordinary attribute has no prefix; the table's own keys have theirs.
            global: primary.global || index.hash.value != table.hash.value,
            hash,
            range,
            further: Further {
                hash: all(&index.further.hash)?,
                range: all(&index.further.range)?,
            },
            own: Vec::new(),
            when: None,
            implied: true,
            span: self.declared.name.span,
        })
    }

    fn implied_part(&self, name: &Name, primary: &Key, table: &Table) -> Option<Template> {
        if name.value == table.hash.value {
            return Some(primary.hash.clone());
        }
        if table
            .range
            .as_ref()
            .is_some_and(|range| range.value == name.value)
        {
            return primary.range.clone();
        }
        let attribute = self
            .attributes
            .iter()
            .find(|attribute| attribute.stored == name.value)?;
        (!attribute.key_only).then(|| attribute_template(&attribute.name, attribute.span))
    }

    fn check_names(&self, table: &Table, keys: &Keys, findings: &mut Findings) {
        let indexes: Vec<_> = table
            .indexes
            .iter()
            .map(|index| index.name.value.as_str())
            .collect();
        let known = |name: &Name| indexes.contains(&name.value.as_str());
        let mut unknown = |name: &Name, what: &str| {
            let message = format!("`{}` {what} `{}`", table.name.value, name.value);
            let words = [
                "like",
                "table",
                "is",
                "id",
                "key",
                "when",
                "global",
                "open",
                "writes",
                "on_exists",
                "allow",
                "must",
                "owns",
                "each",
                "tombstone",
                "upgrade",
                "also",
                "volume",
                "layout",
                "accept",
                "unique",
                "relation",
                "attributes",
                "covers",
                "about",
            ];
            let candidates = indexes.iter().copied().chain(words);
            let help = did_you_mean(&name.value, candidates)
                .unwrap_or_else(|| format!("its indexes: {}", indexes.join(", ")));
            findings.push(Diagnostic::new(Code::UnknownKey, name.span, message).help(help));
        };
        for (name, _) in keys.indexes.iter().filter(|(name, _)| !known(name)) {
            unknown(name, "has no index, and an entity no key,");
        }
        for (name, _) in self.declared.when.iter().filter(|(name, _)| !known(name)) {
            unknown(name, "has no index");
        }
        let global = keys.global.as_deref().unwrap_or_default();
        for name in global
            .iter()
            .filter(|name| name.value != "key" && !known(name))
        {
            unknown(name, "has no index");
        }
    }
}

/// The template that shows one attribute.
pub(super) fn attribute_template(name: &Name, span: Span) -> Template {
    Template {
        text: format!("{{{}}}", name.value),
        span,
        parts: vec![Part::Field(Field {
            sources: vec![Source::Path {
                root: None,
                names: vec![Spanned::new(name.value.clone(), span)],
                span,
            }],
            formats: Vec::new(),
            mode: Mode::Plain,
            span,
        })],
        open_end: false,
    }
}

/// Partition and sort key of what is written.
pub(super) fn parts(
    key: &KeyTemplates,
    has_range: bool,
    local_hash: Option<&Template>,
    findings: &mut Findings,
) -> Option<(Template, Option<Template>)> {
    let Some(templates) = key.singles() else {
        let message = "each part of this key is one attribute: only a global index of several attributes has lists here";
        findings.error(Code::WrongKind, key.span, message);
        return None;
    };
    match (templates.as_slice(), has_range) {
        ([only], true) if local_hash.is_some() => {
            Some((local_hash?.clone(), Some((*only).clone())))
        }
        ([both], true) if key.fills_all => Some(((*both).clone(), Some((*both).clone()))),
        ([hash, range], true) => Some(((*hash).clone(), Some((*range).clone()))),
        ([hash], false) => Some(((*hash).clone(), None)),
        (_, true) => {
            let message = "this key has two parts: [partition, sort], or one text that fills both";
            findings.error(Code::WrongKind, key.span, message);
            None
        }
        (_, false) => {
            findings.error(Code::WrongKind, key.span, "this key has one part");
            None
        }
    }
}
