//! What a key is of, told by the literals of templates alone: the item need not be read.

use monotable_model::model::{EntityId, Guard, Key, KeyPlace, Model, Part, TableId, Template};

/// Whose key it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum KeyOwner {
    Row(EntityId),
    Guard { entity: EntityId, claim: String },
    Store,
    Unknown,
}

/// Templates that a key may have.
struct Shape {
    owner: KeyOwner,
    table: TableId,
    key: Key,
    /// How many characters of a key are literals: of several templates that fit, the one that says most is meant.
    literals: usize,
}

/// Says of keys of a model what they are of.
pub(crate) struct KeyReader<'m> {
    model: &'m Model,
    shapes: Vec<Shape>,
}

impl<'m> KeyReader<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        let mut shapes = Vec::new();
        for (id, entity) in model.stored() {
            let shape = |owner: KeyOwner, key: &Key| Shape {
                owner,
                table: entity.table,
                key: key.clone(),
                literals: key.templates().map(count_literals).sum(),
            };
            shapes.extend(entity.primary().map(|key| shape(KeyOwner::Row(id), key)));
            for claim in &entity.claims {
                if let Guard::Row { key, .. } = &claim.guard {
                    let claim = claim.name.value.clone();
                    shapes.push(shape(KeyOwner::Guard { entity: id, claim }, key));
                }
            }
        }
        Self { model, shapes }
    }

    /// What the key of an item is of. Without a table, it may be of any.
    pub(crate) fn read(
        &self,
        table: Option<TableId>,
        partition: &str,
        sort: Option<&str>,
    ) -> KeyOwner {
        let partition = without_tenant(self.model, partition);
        let sort = sort.map(|sort| without_tenant(self.model, sort));
        if partition.starts_with("monotable#") {
            return KeyOwner::Store;
        }
        let fitting = self.shapes.iter().filter(|shape| {
            let sort_fits = match (&shape.key.range, sort) {
                (Some(template), Some(sort)) => fits(template, sort),
                (None, _) | (_, None) => true,
            };
            table.is_none_or(|table| table == shape.table)
                && fits(&shape.key.hash, partition)
                && sort_fits
        });
        let best = fitting.min_by_key(|shape| std::cmp::Reverse(shape.literals));
        best.map_or(KeyOwner::Unknown, |shape| shape.owner.clone())
    }

    /// The entity whose rows can stand in a partition of a table or an index; the one whose template says most.
    pub(crate) fn find_standing(
        &self,
        table: TableId,
        place: KeyPlace,
        partition: &str,
    ) -> Option<EntityId> {
        let partition = without_tenant(self.model, partition);
        let entities = self.model.stored();
        let entities = entities.filter(|(_, entity)| entity.table == table);
        let keys = entities.filter_map(|(id, entity)| Some((id, entity.key(place)?)));
        let fitting = keys.filter(|(_, key)| fits(&key.hash, partition));
        // Of several that say as much, the first of the model.
        let best = fitting.min_by_key(|(_, key)| std::cmp::Reverse(count_literals(&key.hash)));
        best.map(|(id, _)| id)
    }
}

/// The key behind the prefix of a tenant, if the model has such.
pub(crate) fn without_tenant<'t>(model: &Model, text: &'t str) -> &'t str {
    let Some(tenant) = &model.tenant else {
        return text;
    };
    let places = text.char_indices().map(|(place, _)| place).skip(1);
    let mut splits = places.filter_map(|place| text.split_at_checked(place));
    splits
        .find(|(before, _)| fits(&tenant.prefix, before))
        .map_or(text, |(_, after)| after)
}

/// Whether the literals of a template stand in a text, in their order. A template with an open end says how the text begins.
pub(crate) fn fits(template: &Template, text: &str) -> bool {
    let mut rest = text;
    let mut is_open = false;
    for part in &template.parts {
        let Part::Literal(literal) = part else {
            is_open = true;
            continue;
        };
        let at = if is_open {
            rest.find(&literal.value)
        } else {
            rest.starts_with(&literal.value).then_some(0)
        };
        let Some(after) = at.and_then(|at| rest.get(at + literal.value.len()..)) else {
            return false;
        };
        rest = after;
        is_open = false;
    }
    is_open || template.open_end || rest.is_empty()
}

/// How a guard's partition key is written.
pub(crate) fn find_guard_template<'m>(
    model: &'m Model,
    entity: EntityId,
    claim: &str,
) -> Option<&'m Template> {
    let mut claims = model.entity(entity).claims.iter();
    let claim = claims.find(|known| known.name.value == claim)?;
    match &claim.guard {
        Guard::Row { key, .. } => Some(&key.hash),
        _ => None,
    }
}

/// How many characters of a template are literals.
pub(crate) fn count_literals(template: &Template) -> usize {
    let parts = template.parts.iter();
    parts
        .map(|part| match part {
            Part::Literal(text) => text.value.len(),
            Part::Field(_) => 0,
        })
        .sum()
}
