//! Access patterns.

use super::names::Names;
use super::sections::NOWHERE;
use super::{accepts, assignments, notes, parameters};
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::model::{
    Access, Entity, EntityId, Key, KeyPlace, Model, Order, TableId, Template, Walk, Way,
};
use crate::span::{Name, Span};
use crate::suggest::did_you_mean;
use crate::syntax;
use crate::syntax::access::Access as Declared;
use crate::syntax::file::File;

/// The keys of `[access.N]` that are no index.
const WORDS: &[&str] = &[
    "key",
    "through",
    "union",
    "steps",
    "walk",
    "resolve",
    "diff",
    "pointer",
    "returns",
    "drops",
    "one",
    "order",
    "limit",
    "consistent",
    "filter",
    "sort",
    "distinct",
    "follow",
    "only",
    "set",
    "layout",
    "accept",
    "covers",
    "about",
];

/// Adds all patterns to the model.
pub(super) fn add(model: &mut Model, file: &File, names: &Names, findings: &mut Findings) {
    for declared in &file.access {
        let access = access(declared, model, names, findings);
        model.access.extend(access);
    }
    // Patterns refer to each other by position: with one missing nothing below makes sense.
    if model.access.len() != file.access.len() {
        return;
    }
    fill_returns(model, findings);
    parameters::fill(model);
    check_options(model, findings);
}

fn access(
    declared: &Declared,
    model: &Model,
    names: &Names,
    findings: &mut Findings,
) -> Option<Access> {
    let returns: Vec<_> = names
        .entities(&declared.returns, findings)
        .into_iter()
        .flat_map(|id| model.kinds_of(id))
        .collect();
    let drops: Vec<_> = names
        .entities(&declared.drops, findings)
        .into_iter()
        .flat_map(|id| model.kinds_of(id))
        .collect();
    if !indexes_exist(declared, model, findings) {
        return None;
    }
    let way = match declared.ways.as_slice() {
        [way] => way,
        ways => {
            let message = match ways.is_empty() {
                true => {
                    "an access pattern says how it reaches its rows: by `key`, by an index, or by other patterns"
                }
                false => "an access pattern reaches its rows in one way",
            };
            findings.error(Code::Contradiction, declared.span, message);
            return None;
        }
    };
    let way = resolve_way(way, declared, &returns, model, names, findings)?;
    let pairs = matches!(declared.distinct.as_slice(), [only] if only.value == "relation");
    Some(Access {
        name: declared.name.clone(),
        notes: notes(&declared.notes),
        consistent: consistent(declared, &way, findings),
        way,
        returns,
        drops,
        one: declared.one,
        order: order(declared.order.as_ref(), findings),
        limit: declared.limit.as_ref().map(|limit| limit.value),
        filter: declared.filter.clone(),
        sort: declared.sort.clone(),
        distinct: if pairs {
            Vec::new()
        } else {
            declared.distinct.clone()
        },
        distinct_pairs: pairs,
        follow: declared.follow.clone(),
        only: declared.only.clone(),
        set: assignments(&declared.set),
        layout: declared.layout.clone(),
        accepts: accepts(&declared.accepts, findings),
        parameters: Vec::new(),
        span: declared.name.span,
    })
}

/// Whether every key that could be an index is one, of any table: a slip of a word is not a second way.
fn indexes_exist(declared: &Declared, model: &Model, findings: &mut Findings) -> bool {
    let indexes = || {
        model
            .tables
            .iter()
            .flat_map(|table| &table.indexes)
            .map(|index| index.name.value.as_str())
    };
    let mut exist = true;
    for way in &declared.ways {
        let syntax::access::Way::Keys { index, .. } = way else {
            continue;
        };
        let known = index.value == "key" || indexes().any(|name| name == index.value);
        if !known {
            let message = format!(
                "a pattern has no key `{}`, and no table has an index of that name",
                index.value
            );
            let help = did_you_mean(&index.value, indexes().chain(WORDS.iter().copied()));
            findings.push(Diagnostic::new(Code::UnknownKey, index.span, message).help_if(help));
            exist = false;
        }
    }
    exist
}

fn consistent(declared: &Declared, way: &Way, findings: &mut Findings) -> bool {
    let Some(consistent) = &declared.consistent else {
        return false;
    };
    if let Way::Query { key, .. } = way
        && key.place != KeyPlace::Primary
        && consistent.value
    {
        let message = "an index has no consistent reads; only the table does";
        findings.error(Code::Contradiction, consistent.span, message);
    }
    consistent.value
}

fn order(name: Option<&Name>, findings: &mut Findings) -> Order {
    match name.map(|name| (name.value.as_str(), name.span)) {
        None | Some(("asc", _)) => Order::Ascending,
        Some(("desc", _)) => Order::Descending,
        Some((_, span)) => {
            findings.error(Code::UnknownName, span, "`order` is \"asc\" or \"desc\"");
            Order::Ascending
        }
    }
}

fn resolve_way(
    way: &syntax::access::Way,
    declared: &Declared,
    returns: &[EntityId],
    model: &Model,
    names: &Names,
    findings: &mut Findings,
) -> Option<Way> {
    use syntax::access::Way as Declared;
    Some(match way {
        Declared::Keys {
            index,
            templates,
            fills_all,
            span,
        } => {
            let condition = Condition {
                index,
                templates,
                fills_all: *fills_all,
                span: *span,
            };
            return condition.resolve(declared, returns, model, findings);
        }
        Declared::Through { entity, claim } => {
            let id = names.entity(entity, findings)?;
            let entity = model.entity(id);
            let position = entity
                .claims
                .iter()
                .position(|known| known.name.value == claim.value);
            let Some(position) = position else {
                let known = entity.claims.iter().map(|claim| claim.name.value.as_str());
                let message = format!("`{}` claims no `{}`", entity.name.value, claim.value);
                let help = did_you_mean(&claim.value, known);
                findings
                    .push(Diagnostic::new(Code::UnknownName, claim.span, message).help_if(help));
                return None;
            };
            Way::Through {
                entity: id,
                claim: position,
            }
        }
        Declared::Union(patterns) => Way::Union(patterns_of(patterns, declared, names, findings)?),
        Declared::Steps(patterns) => Way::Steps(patterns_of(patterns, declared, names, findings)?),
        Declared::Walk(walks) => {
            let walks: Vec<_> = walks
                .iter()
                .filter_map(|walk| self::walk(walk, model, names, findings))
                .collect();
            Way::Walk(walks)
        }
        Declared::Resolve(path) => Way::Resolve(names.path(path, findings)?),
        Declared::Diff(repository) => Way::Diff(names.repository(repository, findings)?),
        Declared::Pointer(attributes) => {
            return pointer(attributes, declared.span, model, names, findings);
        }
    })
}

fn patterns_of(
    patterns: &[Name],
    declared: &Declared,
    names: &Names,
    findings: &mut Findings,
) -> Option<Vec<crate::model::AccessId>> {
    if let Some(own) = patterns
        .iter()
        .find(|name| name.value == declared.name.value)
    {
        findings.error(Code::Cycle, own.span, "a pattern cannot be made of itself");
        return None;
    }
    let found = names.patterns(patterns, findings);
    (found.len() == patterns.len()).then_some(found)
}

fn walk(
    declared: &syntax::access::Walk,
    model: &Model,
    names: &Names,
    findings: &mut Findings,
) -> Option<Walk> {
    let id = names.entity(&declared.entity, findings)?;
    let entity = model.entity(id);
    let is_reference = entity
        .attribute(&declared.end.value)
        .is_some_and(|attribute| attribute.reference.is_some());
    if !is_reference {
        let message = format!(
            "`{}` has no reference `{}` to walk to",
            entity.name.value, declared.end.value
        );
        findings.error(Code::UnknownName, declared.end.span, message);
        return None;
    }
    Some(Walk {
        entity: id,
        end: declared.end.clone(),
        filter: declared.filter.clone(),
    })
}

fn pointer(
    attributes: &[(Name, Name)],
    span: Span,
    model: &Model,
    names: &Names,
    findings: &mut Findings,
) -> Option<Way> {
    let (first, _) = attributes.first()?;
    let id = names.entity(first, findings)?;
    let entity = model.entity(id);
    for (holder, attribute) in attributes {
        if holder.value != first.value {
            findings.error(
                Code::Contradiction,
                holder.span,
                "both parts of a pointer are attributes of one entity",
            );
        }
        if entity.attribute(&attribute.value).is_none() {
            unknown_attribute(entity, attribute, findings);
        }
    }
    let parts = 1 + usize::from(model.table(entity.table).range.is_some());
    if attributes.len() != parts {
        findings.error(
            Code::WrongKind,
            span,
            format!("a pointer holds {parts} parts of a key"),
        );
    }
    Some(Way::Pointer {
        entity: id,
        attributes: attributes
            .iter()
            .map(|(_, attribute)| attribute.clone())
            .collect(),
    })
}

/// Reports that an entity has no such attribute.
pub(super) fn unknown_attribute(entity: &Entity, name: &Name, findings: &mut Findings) {
    let known = entity
        .attributes
        .iter()
        .map(|attribute| attribute.name.value.as_str());
    let message = format!("`{}` has no attribute `{}`", entity.name.value, name.value);
    let help = did_you_mean(&name.value, known);
    findings.push(Diagnostic::new(Code::UnknownName, name.span, message).help_if(help));
}

struct Condition<'d> {
    index: &'d Name,
    templates: &'d [Template],
    fills_all: bool,
    span: Span,
}

impl Condition<'_> {
    fn resolve(
        &self,
        declared: &Declared,
        returns: &[EntityId],
        model: &Model,
        findings: &mut Findings,
    ) -> Option<Way> {
        let Some(first) = returns.first() else {
            if declared.returns.is_empty() {
                let message = "a pattern on a key says which entities it returns";
                findings.error(Code::MissingKey, declared.name.span, message);
            }
            return None;
        };
        let layout = declared.layout.as_ref().map(|name| name.value.as_str());
        let table_id = table_of(model.entity(*first), layout);
        let table = model.table(table_id);
        let place = self.place(table, findings)?;
        let has_range = match place {
            KeyPlace::Primary => table.range.is_some(),
            KeyPlace::Index(index) => table
                .indexes
                .get(index)
                .is_some_and(|index| index.range.is_some()),
        };
        let (hash, range) = match (self.templates, has_range) {
            ([both], true) if self.fills_all => (both.clone(), Some(both.clone())),
            ([hash], _) => (hash.clone(), None),
            ([hash, range], true) => (hash.clone(), Some(range.clone())),
            _ => {
                findings.error(
                    Code::WrongKind,
                    self.span,
                    "a key condition has a partition key, and at most one sort key",
                );
                return None;
            }
        };
        self.check_hash(&hash, findings);
        let full = hash.is_full() && (!has_range || range.as_ref().is_some_and(Template::is_full));
        let global = returns
            .iter()
            .all(|id| key_is_global(model.entity(*id), place, layout));
        let key = Box::new(Key {
            place,
            hash,
            range,
            when: None,
            global,
            implied: false,
            span: self.span,
        });
        let table = table_id;
        Some(match full && place == KeyPlace::Primary {
            true => Way::Get { table, key },
            false => Way::Query { table, key },
        })
    }

    fn place(&self, table: &crate::model::Table, findings: &mut Findings) -> Option<KeyPlace> {
        if self.index.value == "key" {
            return Some(KeyPlace::Primary);
        }
        let position = table
            .indexes
            .iter()
            .position(|index| index.name.value == self.index.value);
        if position.is_none() {
            let message = format!(
                "`{}` has no index `{}`, and a pattern no such key",
                table.name.value, self.index.value
            );
            let known = table.indexes.iter().map(|index| index.name.value.as_str());
            let help = did_you_mean(&self.index.value, known.chain(WORDS.iter().copied()));
            findings
                .push(Diagnostic::new(Code::UnknownKey, self.index.span, message).help_if(help));
        }
        position.map(KeyPlace::Index)
    }

    /// A partition is one value; a range of it is asked one after the other, which needs steps.
    fn check_hash(&self, hash: &Template, findings: &mut Findings) {
        use crate::model::{Format, Mode};
        if hash.open_end
            || hash
                .fields()
                .any(|field| matches!(field.mode, Mode::Open | Mode::Optional))
        {
            let message = "a partition key is given whole: DynamoDB has no prefix of it";
            findings.error(Code::BadTemplate, hash.span, message);
        }
        for field in hash.fields().filter(|field| field.mode == Mode::Range) {
            let steps = matches!(
                field.formats.last().map(|format| &format.value),
                Some(Format::Date | Format::Shard(_))
            );
            if !steps {
                let message =
                    "a range of partitions is a range of days (`{time:date..}`) or of shards";
                findings.error(Code::BadTemplate, field.span, message);
            }
        }
    }
}

fn table_of(entity: &Entity, layout: Option<&str>) -> TableId {
    let layout = layout.and_then(|name| {
        entity
            .layouts
            .iter()
            .find(|layout| layout.name.value == name)
    });
    layout.map_or(entity.table, |layout| layout.table)
}

fn key_is_global(entity: &Entity, place: KeyPlace, layout: Option<&str>) -> bool {
    let layout = layout.and_then(|name| {
        entity
            .layouts
            .iter()
            .find(|layout| layout.name.value == name)
    });
    let keys = layout.map_or(entity.keys.as_slice(), |layout| layout.keys.as_slice());
    keys.iter()
        .find(|key| key.place == place)
        .is_some_and(|key| key.global)
}

/// What patterns that are made of others return.
fn fill_returns(model: &mut Model, findings: &mut Findings) {
    // As often as patterns can be made of patterns; then every one that can be filled is.
    for _ in 0..model.access.len() {
        let mut changed = false;
        for position in 0..model.access.len() {
            let Some(access) = model.access.get(position) else {
                continue;
            };
            if !access.returns.is_empty() {
                continue;
            }
            let returns = returned(access, model);
            if let (false, Some(access)) = (returns.is_empty(), model.access.get_mut(position)) {
                access.returns = returns;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    for access in model
        .access
        .iter()
        .filter(|access| access.returns.is_empty())
    {
        let message = format!(
            "`{}` returns nothing that is known: say `returns`",
            access.name.value
        );
        findings.error(Code::MissingKey, access.span, message);
    }
}

fn returned(access: &Access, model: &Model) -> Vec<EntityId> {
    let of = |id: &crate::model::AccessId| model.pattern(*id).returns.clone();
    match &access.way {
        Way::Get { .. } | Way::Query { .. } | Way::Pointer { .. } => Vec::new(),
        Way::Through { entity, .. } => vec![*entity],
        Way::Union(patterns) => {
            let mut all: Vec<EntityId> = Vec::new();
            for id in patterns.iter().flat_map(of) {
                if !all.contains(&id) {
                    all.push(id);
                }
            }
            all
        }
        Way::Steps(patterns) => patterns.last().map(of).unwrap_or_default(),
        Way::Walk(walks) => {
            let ends = walks.iter().filter_map(|walk| {
                let attribute = model.entity(walk.entity).attribute(&walk.end.value)?;
                attribute
                    .reference
                    .as_ref()
                    .map(|reference| reference.target)
            });
            let mut all: Vec<EntityId> = ends.collect();
            all.dedup();
            all
        }
        Way::Resolve(path) => {
            let path = model.path(*path);
            vec![path.folder, path.leaf]
        }
        Way::Diff(repository) => model.repository(*repository).entities.clone(),
    }
}

/// Names in options that must be attributes of what is returned.
fn check_options(model: &Model, findings: &mut Findings) {
    for access in &model.access {
        let known = |name: &str| {
            access.returns.iter().any(|id| {
                let entity = model.entity(*id);
                entity.attribute(name).is_some() || entity.family(name).is_some()
            })
        };
        let named = access
            .sort
            .iter()
            .chain(&access.distinct)
            .chain(&access.only)
            .chain(&access.follow);
        for name in named.filter(|name| !known(&name.value)) {
            if let Some(id) = access.returns.first() {
                unknown_attribute(model.entity(*id), name, findings);
            }
        }
        for name in &access.follow {
            let is_reference = access.returns.iter().any(|id| {
                let attribute = model.entity(*id).attribute(&name.value);
                attribute.is_some_and(|attribute| attribute.reference.is_some())
            });
            if known(&name.value) && !is_reference {
                let message = format!(
                    "`{}` is no reference, so there is nothing to follow",
                    name.value
                );
                findings.error(Code::WrongKind, name.span, message);
            }
        }
        if let Some(layout) = &access.layout {
            let has = |id: &EntityId| {
                model
                    .entity(*id)
                    .layouts
                    .iter()
                    .any(|own| own.name.value == layout.value)
            };
            if !access.returns.iter().any(has) {
                let message = format!(
                    "nothing that `{}` returns has a layout `{}`",
                    access.name.value, layout.value
                );
                findings.error(Code::UnknownName, layout.span, message);
            }
        }
        let composed = matches!(access.way, Way::Union(_) | Way::Steps(_));
        if let (Some(first), false) = (access.set.first(), composed) {
            let message =
                "`set` gives parameters to the patterns of `union` and `steps`; here are none";
            findings.error(Code::Contradiction, first.name.span, message);
        }
        if access.limit == Some(0) {
            findings.error(Code::WrongKind, access.span, "a limit is at least 1");
        }
        let tables: Vec<_> = access
            .returns
            .iter()
            .map(|id| {
                table_of(
                    model.entity(*id),
                    access.layout.as_ref().map(|name| name.value.as_str()),
                )
            })
            .collect();
        let keyed = matches!(access.way, Way::Get { .. } | Way::Query { .. });
        if keyed && tables.windows(2).any(|pair| pair.first() != pair.last()) {
            findings.error(
                Code::Contradiction,
                access.span,
                "one query reads one table; these entities stand in several",
            );
        }
    }
    if model.access.is_empty() {
        findings.push(
            Diagnostic::new(Code::MissingKey, NOWHERE, "the model has no access pattern")
                .severity(crate::diagnostic::Severity::Warning),
        );
    }
}
