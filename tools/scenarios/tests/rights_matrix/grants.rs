//! Rights that rows give: grants of a model, and the folders above a row.

use super::evaluator::{Evaluator, id_name};
use super::plain::Values;
use super::predicate::Truth;
use super::state::Row;
use super::template;
use monotable_model::model::{
    Assigned, Grant, MoveKind, OnDelete, Part, Path, Root, Source, Template, Way,
};
use serde_json::Value;

impl Evaluator<'_> {
    /// Whether the rows of a grant give a right to a row.
    pub(super) fn is_granted(&self, grant: &Grant, row: &Row, right: &str) -> bool {
        if !grant.of.contains(&row.entity) {
            return true;
        }
        let spared = grant.unless.as_ref();
        if spared.is_some_and(|rule| self.decide(rule, row, Some(row), Some(row)) == Truth::True) {
            return true;
        }
        let levels = match grant.above {
            None => Some(vec![row.values.clone()]),
            Some(path) => self.folders_above(self.state.model.path(path), row),
        };
        let Some(levels) = levels else {
            return false;
        };
        let names = self.show_lists(&grant.allows);
        let mut restricted = false;
        for level in levels {
            let Some(choices) = self.parameters(grant, level) else {
                // A question that cannot be asked is not answered with yes.
                return false;
            };
            let found: Vec<&Row> = choices
                .iter()
                .filter_map(|choice| self.granting_row(grant, choice))
                .collect();
            let gives = |row: &&Row| names.iter().any(|name| lists(row, name, right, grant));
            if !found.is_empty() && !found.iter().any(gives) {
                return false;
            }
            restricted |= !found.is_empty();
        }
        restricted || grant.allow_none
    }

    /// The row that a grant's pattern finds: all of them get one row by its whole key.
    fn granting_row(&self, grant: &Grant, given: &Values) -> Option<&Row> {
        let Way::Get { table, key } = &self.state.model.pattern(grant.access).way else {
            panic!("the matrix knows grants that get one row");
        };
        let find = |_: Option<Root>, name: &str| given.get(name).cloned();
        let hash = template::render(&key.hash, &find)?;
        let range = match &key.range {
            Some(range) => template::render(range, &find)?,
            None => String::new(),
        };
        let prefix = match (&self.state.model.tenant, self.tenant()) {
            (Some(declared), Some(id)) if !key.global && declared.bare.as_deref() != Some(id) => {
                format!("{id}/")
            }
            _ => String::new(),
        };
        let table = self.state.model.table(*table).physical.clone();
        self.state.at(&(table, format!("{prefix}{hash}"), range))
    }

    /// The parameters of a grant's pattern, one set for each element of a list of the caller's; none if one is not known.
    fn parameters(&self, grant: &Grant, level: Values) -> Option<Vec<Values>> {
        let mut all = vec![level];
        for assignment in &grant.set {
            let Assigned::Template(shown) = &assignment.value else {
                panic!("the matrix knows parameters that are templates");
            };
            let values = self.show_lists(shown);
            if values.is_empty() {
                return None;
            }
            let name = &assignment.name.value;
            let with = |known: &Values, value: &String| {
                let mut known = known.clone();
                known.insert(name.clone(), Value::from(value.as_str()));
                known
            };
            all = all
                .iter()
                .flat_map(|known| {
                    values
                        .iter()
                        .map(|value| with(known, value))
                        .collect::<Vec<_>>()
                })
                .collect();
        }
        Some(all)
    }

    /// The texts of a template of the caller and the tenant, one for each element of a list.
    fn show_lists(&self, shown: &Template) -> Vec<String> {
        let mut all = vec![String::new()];
        for part in &shown.parts {
            let pieces: Vec<String> = match part {
                Part::Literal(literal) => vec![literal.value.clone()],
                Part::Field(field) => match field.sources.first() {
                    Some(Source::Path { root, names, .. }) => {
                        self.caller_texts(*root, &names[0].value)
                    }
                    _ => panic!("the matrix knows grants that show the caller or the tenant"),
                },
            };
            all = all
                .iter()
                .flat_map(|text| {
                    pieces
                        .iter()
                        .map(|piece| format!("{text}{piece}"))
                        .collect::<Vec<_>>()
                })
                .collect();
        }
        all
    }

    fn caller_texts(&self, root: Option<Root>, name: &str) -> Vec<String> {
        let value = match root {
            Some(Root::Principal) => self
                .caller
                .principal
                .as_ref()
                .and_then(|known| known.get(name)),
            Some(Root::Tenant) => return self.tenant().map(str::to_owned).into_iter().collect(),
            other => panic!("the matrix does not know grants that show {other:?}"),
        };
        match value {
            Some(Value::Array(values)) => values.iter().map(template::show_value).collect(),
            Some(value) => vec![template::show_value(value)],
            None => Vec::new(),
        }
    }

    /// The row's values once for each folder above it, with the folder's path; none if nobody knows where it was.
    fn folders_above(&self, path: &Path, row: &Row) -> Option<Vec<Values>> {
        let mut levels = Vec::new();
        for segments in self.folder_names(path, row)? {
            for depth in 1..=segments.len() {
                let text = segments[..depth].join(&path.split);
                let mut values = row.values.clone();
                values.insert(path.attribute.value.clone(), text.into());
                levels.push(values);
            }
        }
        Some(levels)
    }

    /// The names of the folders above a row, for each row with a path that it belongs to.
    fn folder_names(&self, path: &Path, row: &Row) -> Option<Vec<Vec<String>>> {
        let model = self.state.model;
        let moved = model.moves.iter().filter_map(|known| match &known.kind {
            MoveKind::To { to, .. } if known.of == path.of => Some(*to),
            MoveKind::To { .. } | MoveKind::Changes { .. } => None,
        });
        let with_path: Vec<_> = std::iter::once(path.of).chain(moved).collect();
        if with_path.contains(&row.entity) {
            let text = row
                .values
                .get(&path.attribute.value)
                .map(template::show_value);
            let text = text.unwrap_or_default();
            let pieces = text
                .split(path.split.as_str())
                .filter(|piece| !piece.is_empty());
            let mut segments: Vec<String> = pieces.map(str::to_owned).collect();
            segments.pop();
            return Some(vec![segments]);
        }
        // A folder belongs to the one that it is put below.
        if self.is_alone && row.entity == path.folder {
            return Some(Vec::new());
        }
        if [path.folder, path.leaf].contains(&row.entity) {
            return Some(vec![self.folder_chain(path, row)]);
        }
        // A row that belongs to others with a path has the rights of all of them, also while they are in the bin.
        let entity = model.entity(row.entity);
        let owners = entity.attributes.iter().filter(|attribute| {
            attribute.reference.as_ref().is_some_and(|reference| {
                reference.target == path.of && reference.on_delete == OnDelete::Cascade
            })
        });
        let mut names: Vec<&str> = owners.map(|owner| owner.name.value.as_str()).collect();
        // A note names the document and outlives it; when it is gone, nobody knows where it was.
        let is_note = names.is_empty();
        let id_name = id_name(model.entity(path.of));
        if is_note {
            names.push(id_name);
        }
        let mut chains = Vec::new();
        if self.is_alone {
            return Some(chains);
        }
        for said in names.into_iter().filter_map(|name| row.values.get(name)) {
            let mut rows = with_path
                .iter()
                .flat_map(|entity| self.state.of_entity(*entity));
            let owner = rows.find(|other| {
                other.values.get(id_name) == Some(said) && self.is_tenants_own(other)
            });
            match owner {
                Some(owner) => chains.extend(self.folder_names(path, owner)?),
                None if is_note => return None,
                None => {}
            }
        }
        Some(chains)
    }

    /// The names of a folder or a leaf and of the folders above it, from the root on; a leaf's own name is no folder's.
    fn folder_chain(&self, path: &Path, row: &Row) -> Vec<String> {
        let folder = self.state.model.entity(path.folder);
        let id = id_name(folder);
        let Some([parent, name]) = folder
            .key_attributes()
            .get(..2)
            .map(|names| [names[0], names[1]])
        else {
            panic!("a folder is found by the folder above it and its name");
        };
        let mut names = Vec::new();
        if row.entity == path.folder {
            names.extend(row.values.get(name).map(template::show_value));
        }
        let mut above = row.values.get(parent);
        while let Some(wanted) = above {
            let mut rows = self.state.of_entity(path.folder);
            let next = rows
                .find(|other| other.values.get(id) == Some(wanted) && self.is_tenants_own(other));
            names.extend(
                next.and_then(|next| next.values.get(name))
                    .map(template::show_value),
            );
            above = next.and_then(|next| next.values.get(parent));
        }
        names.reverse();
        names
    }
}

fn lists(row: &Row, name: &str, right: &str, grant: &Grant) -> bool {
    match row.values.get(name) {
        Some(Value::Array(rights)) => rights.iter().any(|known| {
            let known = known.as_str();
            known == Some(right) || grant.all.is_some() && known == grant.all.as_deref()
        }),
        _ => false,
    }
}
