//! Who may do what, by the plain words of docs/model.md: rules of both rows, and the rights that rows give.

use super::plain::Values;
use super::predicate::{Finding, Truth};
use super::state::{Owner, Row, State};
use super::template;
use monotable_model::model::{
    Assigned, Default, Entity, Grant, MoveKind, OnDelete, Part, Path, Predicate, Root, Source, Template, Way,
};
use serde_json::Value;

/// Somebody who calls.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    pub(crate) name: String,
    /// None: the program itself.
    pub(crate) principal: Option<Values>,
    /// None: no tenant is named.
    pub(crate) tenant: Option<String>,
    /// How many calls of each subject it makes; none: all.
    pub(crate) sample: Option<usize>,
}

/// What somebody wants to do with a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Right {
    Read,
    Create,
    Update,
    Delete,
    /// It goes with a row that is deleted.
    CascadeDelete,
    /// It loses a reference to a row that is deleted.
    CascadeClear,
    /// It becomes a row of another entity.
    MoveAway,
}

/// Decides for one caller.
#[derive(Debug)]
pub(crate) struct Evaluator<'s> {
    pub(crate) state: &'s State<'s>,
    pub(crate) caller: &'s Caller,
    pub(crate) settings: &'s Values,
    /// New rows of the same transaction: rules see them too.
    pub(crate) written: Vec<Row>,
}

impl Evaluator<'_> {
    /// The id of the tenant that a call is of.
    pub(crate) fn tenant(&self) -> Option<&str> {
        let declared = self.state.model.tenant.as_ref()?;
        self.caller.tenant.as_deref().or(declared.bare.as_deref())
    }

    /// Whether a row is of the tenant's, or of everybody's.
    pub(crate) fn is_of_tenant(&self, row: &Row) -> bool {
        match &row.owner {
            Owner::Everybody => true,
            Owner::Tenant(id) => self.tenant() == Some(id.as_str()),
            Owner::Unsaid => {
                let entity = self.state.model.entity(row.entity);
                let owners: Vec<_> = references(entity)
                    .filter(|(_, on_delete)| *on_delete == OnDelete::Cascade)
                    .map(|(name, _)| self.referred(row, name))
                    .collect();
                !owners.is_empty() && owners.iter().all(Option::is_some)
            }
        }
    }

    /// Whether a row that all tenants share says that it is another's: only that one writes it.
    pub(crate) fn is_written_by_another(&self, row: &Row) -> bool {
        let entity = self.state.model.entity(row.entity);
        let mut attributes = entity.attributes.iter().filter(|attribute| {
            matches!(&attribute.default, Some(Default::Template(shown)) if shown.text.starts_with("{tenant."))
        });
        attributes.any(|attribute| {
            let said = row.values.get(&attribute.name.value);
            said.is_some_and(|said| said.as_str() != self.tenant())
        })
    }

    /// Whether a row exists for the caller.
    pub(crate) fn sees(&self, row: &Row) -> bool {
        self.is_of_tenant(row) && self.is_inside(row) && self.may(Right::Read, Some(row), Some(row))
    }

    /// Whether `[isolation]` gives the partition of a row to the caller. Templates of it begin with the caller's own key,
    /// and some let anything follow.
    fn is_inside(&self, row: &Row) -> bool {
        let (Some(isolation), Some(principal)) = (&self.state.model.isolation, &self.caller.principal) else {
            return true;
        };
        let find = |_: Option<Root>, name: &str| principal.get(name).cloned();
        isolation.partitions.iter().any(|known| {
            let own = template::render(known, &find);
            // A row that is only about to be written has no partition yet; what a call names is held against it before.
            row.place.1.is_empty() || own.is_some_and(|own| row.place.1 == own || known.open_end && row.place.1.starts_with(&own))
        })
    }

    /// Whether the caller may make of the old row the new one: rules and grants, of both.
    pub(crate) fn may(&self, right: Right, old: Option<&Row>, new: Option<&Row>) -> bool {
        if self.caller.principal.is_none() {
            return true;
        }
        let sides = if right == Right::Read { vec![old] } else { vec![old, new] };
        let by_rules = sides.iter().enumerate().all(|(side, row)| {
            row.is_none_or(|row| {
                let entity = self.state.model.entity(row.entity);
                let rule = rule_of(entity, right, side == 0);
                rule.is_none_or(|rule| self.decide(rule, row, old, new) == Truth::True)
            })
        });
        let granted = granted_as(right);
        by_rules
            && sides.into_iter().flatten().all(|row| {
                let mut grants = self.state.model.grants.iter();
                grants.all(|grant| self.is_granted(grant, row, granted))
            })
    }

    fn decide(
        &self,
        rule: &Predicate,
        row: &Row,
        old: Option<&Row>,
        new: Option<&Row>,
    ) -> Truth {
        self.state.rule(rule).decide(&|path: &[String]| {
            let (first, rest) = path.split_first().unwrap();
            let of_caller = |values: Option<&Values>| -> Finding {
                let value = values.and_then(|values| values.get(rest.first()?));
                Finding::from(value)
            };
            match first.as_str() {
                "principal" => of_caller(self.caller.principal.as_ref()),
                "setting" => of_caller(Some(self.settings)),
                "tenant" => self.tenant().map_or(Finding::Absent, |id| Finding::Value(id.into())),
                "old" => self.find(old, rest),
                "new" => self.find(new, rest),
                "now" | "param" => Finding::Unknown,
                _ => self.find(Some(row), path),
            }
        })
    }

    /// What a path leads to in a row, or behind one reference of it.
    fn find(&self, row: Option<&Row>, path: &[String]) -> Finding {
        let (Some(row), Some(name)) = (row, path.first()) else {
            return Finding::Absent;
        };
        let value = row.values.get(name);
        match (path.get(1), value) {
            (None, value) => value.into(),
            (Some(_), None) => Finding::Absent,
            (Some(next), Some(_)) => match self.referred(row, name) {
                Some(target) => target.values.get(next).into(),
                None => Finding::Unknown,
            },
        }
    }

    /// The row behind a reference: it has the id, and the rest of its key is what attributes of that name say here.
    pub(crate) fn referred(&self, row: &Row, name: &str) -> Option<&Row> {
        let model = self.state.model;
        let attribute = model.entity(row.entity).attribute(name)?;
        let target = model.entity(attribute.reference.as_ref()?.target);
        let id = id_name(target);
        let (entity, _) = model.entity_named(&target.name.value)?;
        let written = self.written.iter().filter(|other| other.entity == entity);
        let rows = self.state.of_entity(entity).chain(written);
        let mut found = rows.filter(|other| {
            let mut key = target.key_attributes().into_iter();
            other.values.get(id) == row.values.get(name)
                && key.all(|part| {
                    part == id
                        || row.values.get(part).is_none()
                        || row.values.get(part) == other.values.get(part)
                })
                && (other.owner == Owner::Everybody || self.is_tenants_own(other))
        });
        let first = found.next()?;
        found.all(|other| other.values == first.values).then_some(first)
    }

    fn is_tenants_own(&self, row: &Row) -> bool {
        matches!(&row.owner, Owner::Tenant(id) if self.tenant() == Some(id.as_str()))
    }

    /// Whether the rows of a grant give a right to a row.
    fn is_granted(&self, grant: &Grant, row: &Row, right: &str) -> bool {
        if !grant.of.contains(&row.entity) {
            return true;
        }
        let spared = grant.unless.as_ref();
        if spared.is_some_and(|rule| self.decide(rule, row, Some(row), Some(row)) == Truth::True) {
            return true;
        }
        let levels = match grant.above {
            None => vec![row.values.clone()],
            Some(path) => self.folders_above(self.state.model.path(path), row),
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
                .flat_map(|known| values.iter().map(|value| with(known, value)).collect::<Vec<_>>())
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
                    Some(Source::Path { root, names, .. }) => self.caller_texts(*root, &names[0].value),
                    _ => panic!("the matrix knows grants that show the caller or the tenant"),
                },
            };
            all = all
                .iter()
                .flat_map(|text| pieces.iter().map(|piece| format!("{text}{piece}")).collect::<Vec<_>>())
                .collect();
        }
        all
    }

    fn caller_texts(&self, root: Option<Root>, name: &str) -> Vec<String> {
        let value = match root {
            Some(Root::Principal) => self.caller.principal.as_ref().and_then(|known| known.get(name)),
            Some(Root::Tenant) => return self.tenant().map(str::to_owned).into_iter().collect(),
            other => panic!("the matrix does not know grants that show {other:?}"),
        };
        match value {
            Some(Value::Array(values)) => values.iter().map(template::show_value).collect(),
            Some(value) => vec![template::show_value(value)],
            None => Vec::new(),
        }
    }

    /// The row's values once for each folder above it, with the folder's path.
    fn folders_above(&self, path: &Path, row: &Row) -> Vec<Values> {
        let segments = self.folder_names(path, row);
        let paths = (1..=segments.len()).map(|depth| segments[..depth].join(&path.split));
        paths
            .map(|text| {
                let mut values = row.values.clone();
                values.insert(path.attribute.value.clone(), text.into());
                values
            })
            .collect()
    }

    fn folder_names(&self, path: &Path, row: &Row) -> Vec<String> {
        let model = self.state.model;
        let moved = model.moves.iter().filter_map(|known| match &known.kind {
            MoveKind::To { to, .. } if known.of == path.of => Some(*to),
            MoveKind::To { .. } | MoveKind::Changes { .. } => None,
        });
        let with_path: Vec<_> = std::iter::once(path.of).chain(moved).collect();
        if with_path.contains(&row.entity) {
            let text = row.values.get(&path.attribute.value).map(template::show_value);
            let text = text.unwrap_or_default();
            let pieces = text.split(path.split.as_str()).filter(|piece| !piece.is_empty());
            let mut segments: Vec<String> = pieces.map(str::to_owned).collect();
            segments.pop();
            return segments;
        }
        if [path.folder, path.leaf].contains(&row.entity) {
            return self.folder_chain(path, row);
        }
        // A row that belongs to one with a path has the rights of that one, also while it is in the bin.
        let entity = model.entity(row.entity);
        let owner = entity.attributes.iter().find(|attribute| {
            attribute.reference.as_ref().is_some_and(|reference| {
                reference.target == path.of && reference.on_delete == OnDelete::Cascade
            })
        });
        let owner = owner.and_then(|attribute| row.values.get(&attribute.name.value));
        let owner = owner.and_then(|id| {
            let id_name = id_name(model.entity(path.of));
            let mut rows = with_path.iter().flat_map(|entity| self.state.of_entity(*entity));
            rows.find(|other| {
                other.values.get(id_name) == Some(id)
                    && self.is_tenants_own(other)
            })
        });
        owner.map(|owner| self.folder_names(path, owner)).unwrap_or_default()
    }

    /// The names of a folder or a leaf and of the folders above it, from the root on; a leaf's own name is no folder's.
    fn folder_chain(&self, path: &Path, row: &Row) -> Vec<String> {
        let folder = self.state.model.entity(path.folder);
        let id = id_name(folder);
        let Some([parent, name]) = folder.key_attributes().get(..2).map(|names| [names[0], names[1]]) else {
            panic!("a folder is found by the folder above it and its name");
        };
        let mut names = Vec::new();
        if row.entity == path.folder {
            names.extend(row.values.get(name).map(template::show_value));
        }
        let mut above = row.values.get(parent);
        while let Some(wanted) = above {
            let mut rows = self.state.of_entity(path.folder);
            let next = rows.find(|other| {
                other.values.get(id) == Some(wanted) && self.is_tenants_own(other)
            });
            names.extend(next.and_then(|next| next.values.get(name)).map(template::show_value));
            above = next.and_then(|next| next.values.get(parent));
        }
        names.reverse();
        names
    }
}

/// The attribute that references to an entity hold: its `id`, or the last attribute of its key.
pub(crate) fn id_name(entity: &Entity) -> &str {
    match &entity.id {
        Some(id) => id,
        None => entity.key_attributes().last().copied().unwrap_or(""),
    }
}

/// The references of an entity, and what becomes of its rows with what they refer to.
fn references(entity: &Entity) -> impl Iterator<Item = (&str, OnDelete)> {
    entity.attributes.iter().filter_map(|attribute| {
        let reference = attribute.reference.as_ref()?;
        Some((attribute.name.value.as_str(), reference.on_delete))
    })
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

fn rule_of(entity: &Entity, right: Right, is_old: bool) -> Option<&Predicate> {
    let allow = &entity.allow;
    match right {
        Right::Read => allow.read.as_ref(),
        Right::Create => allow.create.as_ref(),
        Right::Update => allow.update.as_ref(),
        Right::Delete => allow.delete.as_ref(),
        Right::CascadeDelete => allow.cascade.as_ref().or(allow.delete.as_ref()),
        Right::CascadeClear => allow.cascade.as_ref().or(allow.update.as_ref()),
        Right::MoveAway => {
            if is_old {
                allow.delete.as_ref()
            } else {
                allow.create.as_ref()
            }
        }
    }
}

const fn granted_as(right: Right) -> &'static str {
    match right {
        Right::Read => "READ",
        Right::Create | Right::Update | Right::CascadeClear => "WRITE",
        Right::Delete | Right::CascadeDelete | Right::MoveAway => "DELETE",
    }
}
