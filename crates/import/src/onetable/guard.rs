//! `unique`: OneTable keeps an item `_unique#Model#attribute#value` for each unique value, of the type `_Unique`.

use super::template;
use crate::document::Node;
use crate::error::ImportError;
use monotable_sketch::{
    Attribute, Claim, Entity, Field, Key, Names, Place, Sketch, Table, Template, name_entity, quote,
};

/// A unique field of a model.
pub(super) struct Guard<'d> {
    pub(super) model: &'d str,
    /// The field's name in the model, and in the table.
    pub(super) field: &'d str,
    pub(super) stored: String,
    /// What stands before the model's name.
    pub(super) scope: Option<&'d str>,
    pub(super) fields: &'d Node,
    /// The position of the model's entity.
    pub(super) owner: usize,
}

/// Adds the entity of the guards, and the claim to the model's entity.
pub(super) fn add(
    sketch: &mut Sketch,
    names: &mut Names,
    type_field: &str,
    table: &Table,
    guard: Guard<'_>,
) -> Result<(), ImportError> {
    let mut partition = Template::text("_unique#");
    let mut set = vec![format!(
        "value = {}",
        quote(&format!("{{{}}}", guard.field))
    )];
    let mut attributes = Vec::new();
    if let Some(scope) = guard.scope {
        let scope =
            template::read(scope, guard.fields).map_err(|reason| guard.fields.error(reason))?;
        for field in scope.fields() {
            set.push(format!(
                "{} = {}",
                field.attribute,
                quote(&format!("{{{}}}", field.attribute))
            ));
            attributes.push(Attribute::new(&field.attribute, "text").clause("key_only"));
        }
        partition.parts.extend(scope.parts);
        partition.push_text("#");
    }
    partition.push_text(&format!("{}#{}#", guard.model, guard.stored));
    partition.push_field(Field::plain("value"));
    attributes.push(Attribute::new("value", "text").clause("key_only"));
    let name = names.claim(&format!(
        "{}{}Guard",
        name_entity(guard.model),
        name_entity(guard.field)
    ));
    let sort = table.sort.is_some().then(|| Template::text("_unique#"));
    if let Some(owner) = sketch.entities.get_mut(guard.owner) {
        owner.claims.push(Claim {
            name: guard.field.to_owned(),
            toml: format!(
                "{{ entity = {}, set = {{ {} }} }}",
                quote(&name),
                set.join(", ")
            ),
            is_readable: false,
        });
    }
    sketch.entities.push(Entity {
        about: Some(format!(
            "Keeps {} of {} unique, as OneTable does",
            guard.field, guard.model
        )),
        is: vec![(type_field.to_owned(), "_Unique".to_owned())],
        keys: vec![Key::new(Place::Primary, partition, sort)],
        settings: vec![("writes".to_owned(), "[]".to_owned())],
        attributes,
        name,
        ..Entity::default()
    });
    Ok(())
}
