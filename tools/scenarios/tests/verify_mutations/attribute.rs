//! What it means that an attribute of a row is gone, or says something else.

use crate::conditions::{Broken, judge_conditions};
use crate::judgement::Judgement::{self, Contradicts, Harmless, Undecided};
use crate::judgement::{may_dangle, names_in, references, shows};
use crate::sample::{Sample, SampleItem};
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{
    Attribute, Derive, Entity, EntityId, Key, KeyPlace, Kind as ValueKind, Template,
};

#[derive(Clone, Copy)]
pub(crate) enum Change<'v> {
    Removed,
    Type,
    To(Option<&'v AttributeValue>),
}

pub(crate) fn judge_attribute(
    sample: &Sample,
    stored: &SampleItem,
    id: EntityId,
    name: &str,
    change: Change<'_>,
) -> Judgement {
    let model = sample.model();
    let entity = model.entity(id);
    let mut attributes = entity.attributes.iter();
    let own = attributes.find(|attribute| attribute.stored == name);
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
    let row = Row {
        sample,
        stored,
        id,
        entity,
        attribute,
        name: &attribute.name.value,
    };
    match change {
        Change::Type => row.judge_retyped(),
        Change::Removed => {
            let mut after = stored.values.clone();
            after.remove(row.name);
            row.judge_rules(&after, Row::judge_lost)
        }
        Change::To(value) => {
            let value = value.cloned().unwrap_or(AttributeValue::Null);
            let after = stored.values.clone().with(row.name, value.clone());
            row.judge_rules(&after, |row| row.judge_changed(&value))
        }
    }
}

/// An attribute of a row.
struct Row<'s> {
    sample: &'s Sample,
    stored: &'s SampleItem,
    id: EntityId,
    entity: &'s Entity,
    attribute: &'s Attribute,
    name: &'s str,
}

impl Row<'_> {
    /// What the conditions of the entity say, and else what the attribute itself does.
    fn judge_rules(&self, after: &Item, rest: impl FnOnce(&Self) -> Judgement) -> Judgement {
        // Reads take the default for a value that is absent, and what a key shows for what is not beside it.
        let is_shown = |key: &Key| {
            let is_primary = key.place == KeyPlace::Primary;
            shows(key, self.name) && (is_primary || !self.attribute.may_change())
        };
        let comes_back = after.get(self.name).is_none()
            && (self.attribute.default.is_some() || self.entity.keys.iter().any(is_shown));
        match judge_conditions(self.sample, self.stored, after) {
            Broken::By(_) if comes_back => Undecided("attribute in a condition"),
            Broken::By(what) => Contradicts(what),
            Broken::Unknown => match rest(self) {
                Contradicts(what) => Contradicts(what),
                _ => Undecided("attribute in a condition of other rows"),
            },
            Broken::Nothing => rest(self),
        }
    }

    fn judge_retyped(&self) -> Judgement {
        match (&self.attribute.reference, &self.attribute.kind) {
            (_, ValueKind::Any) => Harmless("value of any type"),
            (Some(reference), _) if may_dangle(reference) => Undecided("reference that may dangle"),
            _ => Contradicts("type"),
        }
    }

    fn judge_lost(&self) -> Judgement {
        let Self {
            entity, attribute, ..
        } = self;
        if entity.primary().is_some_and(|key| shows(key, self.name)) {
            return Harmless("attribute that the primary key shows");
        }
        if entity.keys.iter().any(|key| shows(key, self.name)) && !attribute.may_change() {
            return Harmless("attribute that never changes and that an index key shows");
        }
        let zero = |value: Option<&AttributeValue>| matches!(value, Some(AttributeValue::N(number)) if number.to_string() == "0");
        if self.is_counter() && !zero(self.stored.values.get(self.name)) {
            return Contradicts("counter");
        }
        let reference = attribute.reference.as_ref();
        if reference.is_some_and(|reference| reference.counted.is_some()) {
            return Contradicts("counted reference");
        }
        if self.is_of_tombstone() {
            return Contradicts("tombstone in part");
        }
        if attribute.top.is_some() {
            return Contradicts("root of a row");
        }
        let is_made = attribute.default.is_some()
            || attribute.generated.is_some()
            || attribute.numbered.is_some()
            || attribute.version.is_some()
            || attribute.computed.is_some()
            || attribute.position.is_some();
        let presence = &attribute.presence;
        if !presence.optional && presence.only_if.is_none() && !is_made {
            return Contradicts("presence");
        }
        let is_indexed = entity.keys.iter().any(|key| shows(key, self.name));
        match (is_indexed, self.is_claimed()) {
            (true, _) if attribute.may_change() && attribute.computed.is_none() => {
                Contradicts("attribute of an index key")
            }
            (true, _) => Undecided("attribute that an index key shows"),
            (false, true) => Contradicts("claimed attribute"),
            (false, false) if is_made => self.judge_source("attribute that is made again"),
            (false, false) => self.judge_source("attribute that may be absent"),
        }
    }

    fn judge_changed(&self, after: &AttributeValue) -> Judgement {
        let attribute = self.attribute;
        if attribute.hashed.is_some() {
            return Contradicts("hash");
        }
        if attribute.top.is_some() {
            return Contradicts("root of a row");
        }
        if let Some(reference) = &attribute.reference {
            if self.is_history(reference.target) {
                return Contradicts("pointer of a history");
            }
            let target = snapshot_of(self.sample, reference.target);
            let own = snapshot_of(self.sample, self.id);
            let is_list = matches!(after, AttributeValue::L(_));
            if own.is_some() && own == target && !is_list && !reference.missing_warns {
                return Contradicts("reference within a snapshot");
            }
            return match (may_dangle(reference), target.is_some() || is_list) {
                (_, true) => Undecided("reference in a list or into a repository"),
                (true, false) => Undecided("reference that may dangle"),
                (false, false) => Contradicts("reference"),
            };
        }
        if self.is_counter() {
            return Contradicts("counter");
        }
        let primary = self.entity.primary();
        if primary.is_some_and(|key| shows(key, self.name)) {
            return Contradicts("attribute of the primary key");
        }
        if !is_of_kind(&attribute.kind, after) {
            return Contradicts("kind");
        }
        if let Some(template) = &attribute.computed {
            let is_own = template.fields().all(|field| {
                let mut sources = field.sources.iter();
                sources.all(|source| match source {
                    monotable_model::model::Source::Path { root, names, .. } => {
                        root.is_none() && names.len() == 1
                    }
                    _ => true,
                })
            });
            let in_snapshot = snapshot_of(self.sample, self.id).is_some();
            return if is_own || in_snapshot {
                Contradicts("computed attribute")
            } else {
                Undecided("attribute that is computed from other rows")
            };
        }
        if self.is_shown_by_index() {
            return Contradicts("attribute of an index key");
        }
        if self.is_claimed() && self.stored.values.get(self.name).is_some() {
            return Contradicts("claimed attribute");
        }
        self.judge_source("attribute that nothing depends on")
    }

    /// Whether the attribute is what leads from a head or a revision to a revision.
    fn is_history(&self, target: EntityId) -> bool {
        let mut repositories = self.sample.model().repositories.iter();
        repositories.any(|one| {
            let is_pointer = self.id == one.head && one.pointer.value == self.name;
            let parent = one.parent.as_ref().map(|parent| parent.value.as_str());
            one.log == target && (is_pointer || self.id == one.log && parent == Some(self.name))
        })
    }

    /// Whether an index in which the row stands shows the attribute as it is.
    fn is_shown_by_index(&self) -> bool {
        let table = self.sample.model().table(self.stored.table);
        let is_there = |key: &&Key| match key.place {
            KeyPlace::Index(position) => {
                let index = table.indexes.get(position);
                index.is_some_and(|index| self.stored.item.get(&index.hash.value).is_some())
            }
            KeyPlace::Primary => false,
        };
        let is_plain = |key: &Key| {
            let mut fields = key.templates().flat_map(Template::fields);
            fields.all(|field| field.formats.is_empty())
        };
        let mut keys = self.entity.keys.iter().filter(is_there);
        keys.any(|key| shows(key, self.name) && is_plain(key))
    }

    fn is_claimed(&self) -> bool {
        self.entity.claims.iter().any(|claim| {
            let claimed = claim.guard.claimed(self.sample.model());
            claim.when.is_none() && claimed.contains(&self.name)
        })
    }

    /// Whether the store keeps a count on it.
    fn is_counter(&self) -> bool {
        let model = self.sample.model();
        let mut all = model.stored().flat_map(|(_, entity)| references(entity));
        all.any(|(_, reference)| {
            let counter = reference.counted.as_ref();
            reference.target == self.id && counter.is_some_and(|known| known.value == self.name)
        })
    }

    /// Whether the row has a tombstone, of which the attribute is a part.
    fn is_of_tombstone(&self) -> bool {
        let own = &self.entity.tombstone;
        let mut names = own.iter().map(|assignment| assignment.name.value.as_str());
        let is_part = names.clone().any(|name| name == self.name);
        // A part that is always there says nothing by being there.
        let is_set = |name: &str| match self.stored.values.get(name) {
            Some(AttributeValue::Bool(flag)) => *flag,
            value => value.is_some(),
        };
        is_part && names.all(is_set)
    }

    /// What rows that follow from the row, or from which it follows, make of it.
    fn judge_source(&self, otherwise: &'static str) -> Judgement {
        let model = self.sample.model();
        if self.is_of_tombstone() {
            return Undecided("part of a tombstone");
        }
        if model.derives.iter().any(|derive| derive.entity == self.id) {
            return if self.attribute.is_fresh() || self.attribute.key_only {
                Harmless("time or id of a derived row")
            } else {
                Contradicts("what a derived row says")
            };
        }
        for derive in model.derives.iter().filter(|derive| derive.of == self.id) {
            if derive.when.is_some() || !derive.each.is_empty() {
                return Undecided("source of derived rows");
            }
            if self.is_taken_by(derive) {
                return Contradicts("source of a derived row");
            }
        }
        let mut paths = model.paths.iter();
        if paths.any(|path| path.of == self.id && path.attribute.value == self.name) {
            return Undecided("path of a row");
        }
        if !self.entity.each.is_empty() {
            return self.judge_element(otherwise);
        }
        Harmless(otherwise)
    }

    /// Whether rows that follow from the row have a value of the attribute.
    fn is_taken_by(&self, derive: &Derive) -> bool {
        let derived = self.sample.model().entity(derive.entity);
        let mut set = derive.set.iter();
        let is_named = set.any(|assignment| {
            let template = assignment.value.template();
            template.is_some_and(|template| names_in(template).contains(&self.name))
        });
        let is_set = derive.set.iter().any(|known| known.name.value == self.name);
        let same = derived.attribute(self.name);
        is_named || (!is_set && same.is_some_and(|same| !same.is_fresh()))
    }

    /// Rows of one item say the same but for their own element.
    fn judge_element(&self, otherwise: &'static str) -> Judgement {
        let lists = self.entity.each.iter().flat_map(|each| &each.lists);
        let lengths = lists.filter_map(|list| match self.stored.values.get(&list[0].value) {
            Some(AttributeValue::L(values)) => Some(values.len()),
            _ => None,
        });
        if lengths.max().unwrap_or(0) > 1 && !self.attribute.is_fresh() {
            Contradicts("row of an element that disagrees")
        } else {
            Harmless(otherwise)
        }
    }
}

/// The repository whose snapshots have rows of an entity.
fn snapshot_of(sample: &Sample, id: EntityId) -> Option<usize> {
    let mut repositories = sample.model().repositories.iter();
    repositories.position(|one| one.entities.contains(&id))
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
