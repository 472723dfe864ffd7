//! Whether a damage contradicts the model, decided from its declarations and the items alone.
//!
//! Nothing of the store takes part. What cannot be decided so simply, such as conditions over several attributes, is
//! undecided and counted by its kind.

use crate::damage::{Damage, Kind};
use crate::removal::judge_removal;
use crate::sample::{Sample, SampleItem};
use monotable_item::AttributeValue;
use monotable_model::model::{
    Attribute, Entity, EntityId, Key, Kind as ValueKind, OnDelete, Predicate, Reference, Template,
};

/// What a damage means.
pub(crate) enum Judgement {
    /// It contradicts this declaration.
    Contradicts(&'static str),
    /// It contradicts nothing.
    Harmless(&'static str),
    Undecided(&'static str),
}

use Judgement::{Contradicts, Harmless, Undecided};

pub(crate) fn judge(sample: &Sample, damage: &Damage) -> Judgement {
    let stored = &sample.items[damage.index];
    let Some(id) = stored.entity else {
        return judge_guard(damage);
    };
    let entity = sample.model().entity(id);
    match &damage.kind {
        Kind::Removed => judge_removal(sample, stored, id),
        Kind::Copied => judge_copy(entity),
        Kind::AttributeAdded(_) => Contradicts("mark"),
        Kind::AttributeRemoved(name) => judge_attribute(sample, stored, id, name, Change::Removed),
        Kind::AttributeChanged(name) => {
            let after = damage.after.as_ref().and_then(|item| item.get(name));
            judge_attribute(sample, stored, id, name, Change::To(after))
        }
        Kind::AttributeRetyped(name) => judge_attribute(sample, stored, id, name, Change::Type),
    }
}

#[derive(Clone, Copy)]
enum Change<'v> {
    Removed,
    Type,
    To(Option<&'v AttributeValue>),
}

/// A row that does nothing but guard a value.
fn judge_guard(damage: &Damage) -> Judgement {
    match &damage.kind {
        Kind::Removed => Contradicts("guard"),
        Kind::Copied => Contradicts("orphan guard"),
        _ => Undecided("attribute of a guard"),
    }
}

fn judge_copy(entity: &Entity) -> Judgement {
    let key = entity.primary().unwrap();
    let last = key.range.as_ref().unwrap_or(&key.hash);
    // A copy under another key contradicts the attributes that the key shows, if the item has them.
    let mut names = names_in(last).into_iter();
    let is_shown = names.any(|name| {
        let attribute = entity.attribute(name);
        attribute.is_some_and(|attribute| !attribute.key_only)
    });
    if is_shown && last.fields().all(|field| field.formats.is_empty()) {
        Contradicts("key of a copy")
    } else {
        Undecided("copy under a key that no attribute repeats")
    }
}

fn names_in(template: &Template) -> Vec<&str> {
    let fields = template.fields();
    let names = fields.flat_map(monotable_model::model::Field::attributes);
    names.map(|name| name.value.as_str()).collect()
}

fn shows(key: &Key, name: &str) -> bool {
    key.templates()
        .any(|template| names_in(template).contains(&name))
}

pub(crate) fn references(entity: &Entity) -> impl Iterator<Item = (&Attribute, &Reference)> {
    let attributes = entity.attributes.iter();
    attributes.filter_map(|attribute| Some((attribute, attribute.reference.as_ref()?)))
}

pub(crate) fn may_dangle(reference: &Reference) -> bool {
    reference.missing_warns || reference.on_delete == OnDelete::Keep
}

fn judge_attribute(
    sample: &Sample,
    stored: &SampleItem,
    id: EntityId,
    name: &str,
    change: Change<'_>,
) -> Judgement {
    let model = sample.model();
    let entity = model.entity(id);
    let own = entity
        .attributes
        .iter()
        .find(|attribute| attribute.stored == name);
    if entity.is.iter().any(|known| known.attribute.value == name) {
        return Contradicts("discriminator");
    }
    let Some(attribute) = own else {
        let mut indexes = model.table(stored.table).indexes.iter();
        let is_index_key = indexes.any(|index| {
            let mut names = std::iter::once(&index.hash).chain(&index.range);
            names.any(|known| known.value == name)
        });
        return if is_index_key {
            Contradicts("index key")
        } else {
            Harmless("attribute that the model does not know")
        };
    };
    if is_in_condition(entity, &attribute.name.value) {
        return Undecided("attribute in a condition");
    }
    match change {
        Change::Removed => judge_lost(sample, stored, id, attribute),
        Change::Type => judge_retyped(attribute),
        Change::To(after) => judge_changed(sample, stored, id, attribute, after),
    }
}

/// Whether rules of an entity mention an attribute.
fn is_in_condition(entity: &Entity, name: &str) -> bool {
    let presence = entity.attributes.iter().flat_map(|attribute| {
        let presence = &attribute.presence;
        presence.required_if.iter().chain(&presence.only_if)
    });
    let musts = entity.must.iter().map(|must| &must.predicate);
    let keys = entity.keys.iter().filter_map(|key| key.when.as_ref());
    let claims = entity.claims.iter().filter_map(|claim| claim.when.as_ref());
    let mut all = presence.chain(musts).chain(keys).chain(claims);
    all.any(|predicate| mentions(predicate, name))
}

fn mentions(predicate: &Predicate, name: &str) -> bool {
    let paths = predicate.parsed().paths();
    paths
        .into_iter()
        .any(|path| path.first_name() == Some(name))
}

fn judge_retyped(attribute: &Attribute) -> Judgement {
    match (&attribute.reference, &attribute.kind) {
        (_, ValueKind::Any) => Harmless("value of any type"),
        (Some(reference), _) if may_dangle(reference) => Undecided("reference that may dangle"),
        _ => Contradicts("type"),
    }
}

fn judge_lost(
    sample: &Sample,
    stored: &SampleItem,
    id: EntityId,
    attribute: &Attribute,
) -> Judgement {
    let entity = sample.model().entity(id);
    let name = attribute.name.value.as_str();
    if entity.primary().is_some_and(|key| shows(key, name)) {
        return Harmless("attribute that the primary key shows");
    }
    if entity.keys.iter().any(|key| shows(key, name)) && !attribute.may_change() {
        return Harmless("attribute that never changes and that an index key shows");
    }
    let is_counter = kept_counter(sample, id, name);
    if is_counter
        && !matches!(stored.values.get(name), Some(AttributeValue::N(number)) if number.to_string() == "0")
    {
        return Contradicts("counter");
    }
    let reference = attribute.reference.as_ref();
    if reference.is_some_and(|reference| reference.counted.is_some()) {
        return Contradicts("counted reference");
    }
    let is_made = attribute.default.is_some()
        || attribute.generated.is_some()
        || attribute.numbered.is_some()
        || attribute.version.is_some()
        || attribute.computed.is_some()
        || attribute.top.is_some()
        || attribute.position.is_some();
    let presence = &attribute.presence;
    if !presence.optional && presence.only_if.is_none() && !is_made {
        return Contradicts("presence");
    }
    let is_indexed = entity.keys.iter().any(|key| shows(key, name));
    let is_claimed = entity.claims.iter().any(|claim| {
        let claimed = claim.guard.claimed(sample.model());
        claimed.contains(&name)
    });
    match (is_indexed, is_claimed) {
        (true, _) if attribute.may_change() && attribute.computed.is_none() => {
            Contradicts("attribute of an index key")
        }
        (false, true) => Contradicts("claimed attribute"),
        (false, false) if is_source(sample, id, name) => Undecided("source of derived rows"),
        (false, false) => Harmless("attribute that may be absent"),
        (true, _) => Undecided("attribute that an index key shows"),
    }
}

/// Whether the store keeps a count on it.
fn kept_counter(sample: &Sample, id: EntityId, name: &str) -> bool {
    let mut all = sample
        .model()
        .stored()
        .flat_map(|(_, entity)| references(entity));
    all.any(|(_, reference)| {
        reference.target == id
            && reference
                .counted
                .as_ref()
                .is_some_and(|counter| counter.value == name)
    })
}

fn is_source(sample: &Sample, id: EntityId, name: &str) -> bool {
    let model = sample.model();
    model
        .derives
        .iter()
        .any(|derive| derive.of == id || derive.entity == id)
        || model
            .paths
            .iter()
            .any(|path| path.of == id && path.attribute.value == name)
        || !model.entity(id).each.is_empty()
        || !model.entity(id).tombstone.is_empty()
}

fn judge_changed(
    sample: &Sample,
    stored: &SampleItem,
    id: EntityId,
    attribute: &Attribute,
    after: Option<&AttributeValue>,
) -> Judgement {
    let entity = sample.model().entity(id);
    let name = attribute.name.value.as_str();
    if attribute.hashed.is_some() {
        return Contradicts("hash");
    }
    if let Some(reference) = &attribute.reference {
        let versioned = sample.model().repository_of(reference.target).is_some();
        let is_list = matches!(after, Some(AttributeValue::L(_)));
        return match (may_dangle(reference), versioned || is_list) {
            (_, true) => Undecided("reference in a list or in a snapshot"),
            (true, false) => Undecided("reference that may dangle"),
            (false, false) => Contradicts("reference"),
        };
    }
    if kept_counter(sample, id, name) {
        return Contradicts("counter");
    }
    if entity.primary().is_some_and(|key| shows(key, name)) {
        return Contradicts("attribute of the primary key");
    }
    if attribute.computed.is_some() {
        return Undecided("computed attribute");
    }
    if let Some(after) = after
        && !is_of_kind(&attribute.kind, after)
    {
        return Contradicts("kind");
    }
    let present = |key: &&Key| {
        let table = sample.model().table(stored.table);
        let index = match key.place {
            monotable_model::model::KeyPlace::Index(position) => table.indexes.get(position),
            monotable_model::model::KeyPlace::Primary => None,
        };
        index.is_some_and(|index| stored.item.get(&index.hash.value).is_some())
    };
    let mut indexed = entity.keys.iter().filter(present);
    let is_plain = |key: &Key| {
        let mut fields = key.templates().flat_map(Template::fields);
        fields.all(|field| field.formats.is_empty())
    };
    if indexed.any(|key| shows(key, name) && is_plain(key)) {
        return Contradicts("attribute of an index key");
    }
    let is_claimed = entity
        .claims
        .iter()
        .any(|claim| claim.when.is_none() && claim.guard.claimed(sample.model()).contains(&name));
    if is_claimed && stored.values.get(name).is_some() {
        return Contradicts("claimed attribute");
    }
    if is_source(sample, id, name) {
        return Undecided("source of derived rows");
    }
    Harmless("attribute that nothing depends on")
}

/// Whether a value may be of a kind, by what everybody knows of it.
fn is_of_kind(kind: &ValueKind, value: &AttributeValue) -> bool {
    match (kind, value) {
        (ValueKind::Enum(words), AttributeValue::S(text)) => {
            words.iter().any(|word| word.word == *text)
        }
        (
            ValueKind::Uuid
            | ValueKind::UuidV7
            | ValueKind::Ulid
            | ValueKind::Date
            | ValueKind::Timestamp(_)
            | ValueKind::Token(_),
            AttributeValue::S(_),
        ) => false,
        _ => true,
    }
}
