//! Names and what they stand for.

use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::model::{AccessId, EntityId, PathId, RepositoryId, TableId};
use crate::span::Name;
use crate::suggest::nearest;
use crate::syntax::file::File;
use std::collections::BTreeMap;

/// The names of one kind of thing.
pub(super) struct Space {
    kind: &'static str,
    positions: BTreeMap<String, usize>,
}

impl Space {
    fn of<'n>(kind: &'static str, names: impl Iterator<Item = &'n Name>) -> Self {
        let names = names.enumerate();
        Self {
            kind,
            positions: names
                .map(|(position, name)| (name.value.clone(), position))
                .collect(),
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<usize> {
        self.positions.get(name).copied()
    }

    /// The position of a name, or a report that there is none.
    pub(super) fn find(&self, name: &Name, findings: &mut Findings) -> Option<usize> {
        let position = self.get(&name.value);
        if position.is_none() {
            let message = format!("there is no {} `{}`", self.kind, name.value);
            let near = nearest(&name.value, self.positions.keys().map(String::as_str));
            let found = Diagnostic::new(Code::UnknownName, name.span, message);
            findings.push(found.did_you_mean(near));
        }
        position
    }
}

/// All names of a model.
pub(super) struct Names {
    pub(super) tables: Space,
    pub(super) entities: Space,
    access: Space,
    repositories: Space,
    pub(super) paths: Space,
}

impl Names {
    pub(super) fn of(file: &File, findings: &mut Findings) -> Self {
        for entity in &file.entities {
            let upper = entity
                .name
                .value
                .chars()
                .next()
                .is_some_and(char::is_uppercase);
            if !upper {
                let message = format!(
                    "the name of an entity begins with a capital letter: `{}` does not",
                    entity.name.value
                );
                findings.error(Code::WrongKind, entity.name.span, message);
            }
        }
        Self {
            tables: Space::of("table", file.tables.iter().map(|table| &table.name)),
            entities: Space::of("entity", file.entities.iter().map(|entity| &entity.name)),
            access: Space::of(
                "access pattern",
                file.access.iter().map(|access| &access.name),
            ),
            repositories: Space::of(
                "repository",
                file.repositories.iter().map(|repository| &repository.name),
            ),
            paths: Space::of("path", file.paths.iter().map(|path| &path.name)),
        }
    }

    pub(super) fn table(&self, name: &Name, findings: &mut Findings) -> Option<TableId> {
        self.tables.find(name, findings).map(TableId)
    }

    pub(super) fn entity(&self, name: &Name, findings: &mut Findings) -> Option<EntityId> {
        self.entities.find(name, findings).map(EntityId)
    }

    pub(super) fn entities(&self, names: &[Name], findings: &mut Findings) -> Vec<EntityId> {
        names
            .iter()
            .filter_map(|name| self.entity(name, findings))
            .collect()
    }

    pub(super) fn access(&self, name: &Name, findings: &mut Findings) -> Option<AccessId> {
        self.access.find(name, findings).map(AccessId)
    }

    pub(super) fn patterns(&self, names: &[Name], findings: &mut Findings) -> Vec<AccessId> {
        names
            .iter()
            .filter_map(|name| self.access(name, findings))
            .collect()
    }

    pub(super) fn repository(&self, name: &Name, findings: &mut Findings) -> Option<RepositoryId> {
        self.repositories.find(name, findings).map(RepositoryId)
    }

    pub(super) fn path(&self, name: &Name, findings: &mut Findings) -> Option<PathId> {
        self.paths.find(name, findings).map(PathId)
    }
}
