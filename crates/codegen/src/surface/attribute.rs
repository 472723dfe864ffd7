//! Attributes as programs read, give and change them.

use monotable_model::model::{
    Attribute, Entity, Family, Field, Key, Kind, Model, Role, Source, Template,
};

/// An attribute of a row that is read.
#[derive(Clone, Copy)]
pub(crate) struct ReadAttribute<'m> {
    pub(crate) attribute: &'m Attribute,
    /// Whether every row has it.
    pub(crate) is_always_there: bool,
}

/// An attribute of a new row that a caller gives.
#[derive(Clone, Copy)]
pub(crate) struct GivenAttribute<'m> {
    pub(crate) attribute: &'m Attribute,
    /// Whether it must be given.
    pub(crate) is_required: bool,
    /// Whether rows may be without it.
    pub(crate) may_be_absent: bool,
}

/// An attribute that a caller changes.
#[derive(Clone, Copy)]
pub(crate) struct ChangedAttribute<'m> {
    pub(crate) attribute: &'m Attribute,
    /// Whether it can be removed.
    pub(crate) may_be_removed: bool,
}

/// Whether rows that a caller reads can have an attribute.
pub(super) fn is_read(attribute: &Attribute) -> bool {
    let is_hidden = attribute.secret.is_some_and(|secret| secret.mask.is_none());
    let is_shown_once = attribute.generated.is_some();
    !attribute.internal
        && !matches!(attribute.kind, Kind::Never)
        && (!is_hidden || is_shown_once)
        && attribute.hashed.is_none()
}

/// Whether every row that is read has an attribute.
pub(super) fn is_always_read(entity: &Entity, attribute: &Attribute) -> bool {
    let is_made = |template: &Template| template.fields().all(|field| is_there(entity, field));
    let is_computed = attribute.computed.as_ref().is_none_or(is_made);
    let is_known = attribute.top.is_none() && is_computed;
    attribute.is_always_read() && (is_known || is_demanded_by_key(entity, attribute))
}

/// Whether the primary key shows an attribute and nothing in its place: a row without it has no key.
fn is_demanded_by_key(entity: &Entity, attribute: &Attribute) -> bool {
    let templates = entity.primary().into_iter().flat_map(Key::templates);
    let mut fields = templates.flat_map(Template::fields);
    fields.any(|field| {
        let mut names = field.attributes();
        field.sources.len() == 1 && names.any(|name| name.value == attribute.name.value)
    })
}

/// Whether a field of a computed attribute always has a value.
fn is_there(entity: &Entity, field: &Field) -> bool {
    let is_sure = |source: &Source| match source {
        Source::Literal(_) => true,
        Source::Nothing(_) => false,
        Source::Path {
            root: None, names, ..
        } => {
            // What another row says was there when this one was written.
            let name = names.first().map(|name| name.value.as_str());
            let attribute = name.and_then(|name| entity.attribute(name));
            attribute.is_some_and(|attribute| {
                attribute.is_always_read() && attribute.computed.is_none() && names.len() == 1
            })
        }
        Source::Path { .. } => false,
    };
    field.sources.iter().any(is_sure)
}

/// Whether rows count something in an attribute: the store keeps it.
pub(super) fn is_counter(model: &Model, entity: &Entity, attribute: &Attribute) -> bool {
    let name = &attribute.name.value;
    let (id, _) = match model.entity_named(&entity.name.value) {
        Some(found) => found,
        None => return false,
    };
    let counts = |referring: &Entity, reference: &str, counter: &str| {
        let reference = referring.attribute(reference);
        let target = reference.and_then(|attribute| attribute.reference.as_ref());
        counter == name && target.is_some_and(|target| model.kinds_of(target.target).contains(&id))
    };
    model.stored().any(|(_, referring)| {
        let mut attributes = referring.attributes.iter();
        let is_counted = attributes.any(|other| {
            let reference = other.reference.as_ref();
            let counted = reference.and_then(|reference| reference.counted.as_ref());
            let numbered = other.numbered.as_ref();
            counted.is_some_and(|counter| counts(referring, &other.name.value, &counter.value))
                || numbered.is_some_and(|(reference, counter)| {
                    counts(referring, &reference.value, &counter.value)
                })
        });
        let serial = referring
            .relation
            .as_ref()
            .and_then(|it| it.serial.as_ref());
        is_counted
            || serial.is_some_and(|(reference, counter)| {
                counts(referring, &reference.value, &counter.value)
            })
    })
}

/// Whether a caller can give an attribute of a new row.
pub(super) fn is_given(model: &Model, entity: &Entity, attribute: &Attribute) -> bool {
    !attribute.is_set_by_the_store()
        && !attribute.stamped
        && attribute.version.is_none()
        && !is_part_of_each(entity, &attribute.name.value)
        && !is_counter(model, entity, attribute)
}

impl<'m> GivenAttribute<'m> {
    pub(super) fn new(attribute: &'m Attribute) -> Self {
        Self {
            attribute,
            is_required: attribute.must_be_given() && attribute.position.is_none(),
            may_be_absent: may_be_absent(attribute),
        }
    }
}

/// Whether a row may be without an attribute.
pub(super) fn may_be_absent(attribute: &Attribute) -> bool {
    !attribute.is_always_present() || attribute.presence.required_if.is_some()
}

/// Whether an attribute is what one row of an item of several has of its own: its element, or its place.
pub(super) fn is_part_of_each(entity: &Entity, name: &str) -> bool {
    entity.each.iter().any(|each| {
        let attribute = entity.attribute(name);
        let place = attribute.and_then(|attribute| attribute.position.as_ref());
        let mut lists = each.lists.iter().filter_map(|list| list.first());
        each.variable.value == name
            || place.is_some_and(|place| lists.any(|list| list.value == place.value))
    })
}

/// The families of an entity whose attributes programs see.
pub(super) fn list_families(entity: &Entity) -> impl Iterator<Item = &Family> {
    entity.families.iter().filter(|family| {
        let attribute = &family.attribute;
        !attribute.internal && !matches!(attribute.kind, Kind::Never)
    })
}

/// Whether an attribute says when a row was made or written.
pub(super) fn is_time_of_the_store(attribute: &Attribute) -> bool {
    matches!(attribute.role, Some(Role::Created | Role::Updated))
}
