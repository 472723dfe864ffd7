//! Whether a damage contradicts the model, decided from its declarations and the items alone.
//!
//! Nothing of the store takes part. What cannot be decided so simply, such as conditions over several rows, is
//! undecided and counted by its kind.

use crate::attribute::{Change, judge_attribute};
use crate::conditions::{Broken, judge_conditions};
use crate::damage::{Damage, Kind};
use crate::guards::judge_guard;
use crate::removal::{judge_removal, judge_snapshot_loss};
use crate::sample::{Sample, SampleItem};
use monotable_item::AttributeValue;
use monotable_model::model::{Attribute, Entity, Key, OnDelete, Reference, Template};

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
        return judge_guard(sample, stored, damage);
    };
    let entity = sample.model().entity(id);
    let after = damage.after();
    match &damage.kind {
        Kind::Removed => judge_removal(sample, stored, id),
        Kind::SnapshotRemoved => judge_snapshot_loss(sample, stored, id),
        Kind::Looped => Contradicts("log that leads back"),
        Kind::Copied => judge_copy(sample, stored, entity),
        Kind::CopiedToTenant => judge_stranger(sample, stored, entity),
        Kind::MarkAdded(_) => Contradicts("mark"),
        Kind::IndexKeyAdded(_) => Contradicts("index key that was absent"),
        Kind::SecretShown(_) => Contradicts("plain text of a hash"),
        Kind::AttributeAdded(name) => {
            let value = after.and_then(|item| item.get(name));
            judge_added(sample, stored, entity, name, value)
        }
        Kind::AttributeRemoved(name) => judge_attribute(sample, stored, id, name, Change::Removed),
        Kind::AttributeChanged(name) => {
            let value = after.and_then(|item| item.get(name));
            judge_attribute(sample, stored, id, name, Change::To(value))
        }
        Kind::AttributeRetyped(name) => judge_attribute(sample, stored, id, name, Change::Type),
    }
}

/// A copy under another key contradicts the attributes that the key shows, if the item has them.
fn judge_copy(sample: &Sample, stored: &SampleItem, entity: &Entity) -> Judgement {
    let key = entity.primary().unwrap();
    let last = key.range.as_ref().unwrap_or(&key.hash);
    let mut names = names_in(last).into_iter();
    let is_shown = names.any(|name| {
        let attribute = entity.attribute(name);
        attribute.is_some_and(|attribute| {
            !attribute.key_only && stored.item.get(&attribute.stored).is_some()
        })
    });
    let is_plain = last.fields().all(|field| field.formats.is_empty());
    if is_shown && is_plain {
        return Contradicts("key of a copy");
    }
    if entity.id.is_some() && is_referred_by_many(sample, stored, entity) {
        return Contradicts("second row with one id");
    }
    Undecided("copy under a key that no attribute repeats")
}

/// Whether the copy has a value that only one row may have.
fn is_referred_by_many(sample: &Sample, stored: &SampleItem, entity: &Entity) -> bool {
    entity.claims.iter().any(|claim| {
        let claimed = claim.guard.claimed(sample.model());
        let has = |name: &&str| stored.values.get(name).is_some();
        claim.when.is_none() && !claimed.is_empty() && claimed.iter().all(has)
    })
}

/// A row in the partition of a tenant that has no other rows.
fn judge_stranger(sample: &Sample, stored: &SampleItem, entity: &Entity) -> Judgement {
    let mut own = references(entity);
    let names_a_row = own.any(|(attribute, reference)| {
        let target = sample.model().entity(reference.target);
        let is_kept_apart = target.primary().is_some_and(|key| !key.global);
        let value = stored.values.get(&attribute.name.value);
        is_kept_apart && value.is_some() && !may_dangle(reference)
    });
    if names_a_row {
        Contradicts("row of another tenant")
    } else {
        Undecided("row of another tenant that refers to nothing there")
    }
}

/// An attribute that was absent and may be.
fn judge_added(
    sample: &Sample,
    stored: &SampleItem,
    entity: &Entity,
    name: &str,
    value: Option<&AttributeValue>,
) -> Judgement {
    let mut attributes = entity.attributes.iter();
    let Some(attribute) = attributes.find(|attribute| attribute.stored == name) else {
        return Harmless("attribute that the model does not know");
    };
    let own = attribute.name.value.as_str();
    // An alias of it may be what the item has.
    let Some(value) = value.filter(|_| stored.values.get(own).is_none()) else {
        return Undecided("attribute under another name");
    };
    let after = stored.values.clone().with(own, value.clone());
    match judge_conditions(sample, stored, &after) {
        Broken::By(what) => return Contradicts(what),
        Broken::Unknown => return Undecided("attribute in a condition"),
        Broken::Nothing => {}
    }
    match &attribute.reference {
        Some(reference) if !may_dangle(reference) => Contradicts("reference"),
        Some(_) => Undecided("reference that may dangle"),
        None => Undecided("attribute that may be there"),
    }
}

pub(crate) fn names_in(template: &Template) -> Vec<&str> {
    let fields = template.fields();
    let names = fields.flat_map(monotable_model::model::Field::attributes);
    names.map(|name| name.value.as_str()).collect()
}

pub(crate) fn shows(key: &Key, name: &str) -> bool {
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
