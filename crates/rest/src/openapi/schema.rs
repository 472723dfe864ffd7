//! What values, rows and answers are.

mod answer;
mod kind;
mod operation;
mod problem;
mod row;

pub(super) use answer::page;
pub(super) use kind::{Direction, describe_kind};
pub(super) use operation::refer_operations;
pub(super) use problem::{list_headers, list_responses};

use monotable_model::model::{Access, AccessId, EntityId, KeyPlace, Model, Projection, Way};
use monotable_model::plan::Plans;
use serde_json::{Map, Value, json};

/// The schemas of a document, each once.
pub(super) struct Components<'m> {
    pub(super) model: &'m Model,
    pub(super) plans: Plans,
    schemas: Map<String, Value>,
}

/// What of a row a schema is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowForm {
    /// As it is read.
    Read,
    /// As it is read by a pattern that does not read all of it.
    Partial,
    /// As it is given to be created.
    New,
    /// As it is given to take another's place: the address has its key.
    Replacement,
    /// As a merge patch changes it.
    Patch,
    /// What is set, unset, added and appended.
    Change,
    /// The attributes of its key.
    Key,
}

impl RowForm {
    const fn suffix(self) -> &'static str {
        match self {
            Self::Read => "",
            Self::Partial => ".Partial",
            Self::New => ".New",
            Self::Replacement => ".Replacement",
            Self::Patch => ".Patch",
            Self::Change => ".Change",
            Self::Key => ".Key",
        }
    }
}

/// A reference to a schema of the document.
pub(super) fn refer(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

impl<'m> Components<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        let mut schemas = Map::new();
        problem::add_schemas(&mut schemas);
        answer::add_schemas(&mut schemas);
        operation::add_schemas(model, &mut schemas);
        Self {
            model,
            plans: Plans::new(model),
            schemas,
        }
    }

    pub(super) fn into_schemas(self) -> Value {
        Value::Object(self.schemas)
    }

    /// The schema of rows of an entity, which is added if it is not there yet.
    pub(super) fn refer_row(&mut self, id: EntityId, form: RowForm) -> Value {
        let entity = self.model.entity(id);
        let name = format!("{}{}", entity.name.value, form.suffix());
        if !self.schemas.contains_key(&name) {
            let schema = row::describe_row(self.model, id, form);
            self.schemas.insert(name.clone(), schema);
        }
        refer(&name)
    }

    /// Rows of one of several entities, with those that are like them.
    pub(super) fn refer_rows(&mut self, ids: &[EntityId], form: RowForm) -> Value {
        let mut choices: Vec<Value> = Vec::new();
        for id in ids {
            for kind in self.model.kinds_of(*id) {
                let choice = self.refer_row(kind, form);
                if !choices.contains(&choice) {
                    choices.push(choice);
                }
            }
        }
        if choices.len() == 1 {
            choices.remove(0)
        } else {
            json!({ "anyOf": choices })
        }
    }

    /// Whether rows of a pattern have all of their attributes.
    pub(super) fn form_of_pattern(&self, access: &Access) -> RowForm {
        if self.reads_all(access) {
            RowForm::Read
        } else {
            RowForm::Partial
        }
    }

    fn reads_all(&self, access: &Access) -> bool {
        if !access.only.is_empty() {
            return false;
        }
        let reads_all = |id: &AccessId| self.reads_all(self.model.pattern(*id));
        match &access.way {
            Way::Query { table, key } => match key.place {
                KeyPlace::Primary => true,
                KeyPlace::Index(position) => {
                    let indexes = &self.model.table(*table).indexes;
                    let index = indexes.get(position);
                    index.is_none_or(|index| index.projection == Projection::All)
                }
            },
            way => way.parts().iter().all(reads_all),
        }
    }
}
