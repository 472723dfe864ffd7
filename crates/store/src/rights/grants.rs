//! Rights that rows give: who may do what is read from the table.

use super::folders::{Folders, has_place};
use crate::assignment::assigned_value;
use crate::interrupt::Interrupt;
use crate::pattern;
use crate::reader::Reader;
use crate::record::{Conditions, Record};
use crate::scope::Scope;
use crate::template::find_value;
use monotable_item::{AttributeValue, Item};
use monotable_model::compiled::{SourcePath, render_parts};
use monotable_model::model::{AccessId, Assigned, EntityId, Grant, Part, Root, Source, Template};
use std::collections::BTreeMap;

/// The grants of a model, with the rows that were found for them: each is read once.
#[derive(Debug)]
pub(super) struct Grants<'s> {
    reader: &'s Reader<'s>,
    /// What was found, by the grant and the parameters of its pattern.
    found: BTreeMap<(usize, String), Vec<Record>>,
    folders: Folders<'s>,
}

/// What a grant asks of the table.
enum Lookup {
    /// With each of these parameters.
    With(Vec<Item>),
    /// Nothing: a parameter is not known of this caller.
    Impossible,
}

impl<'s> Grants<'s> {
    pub(super) const fn new(reader: &'s Reader<'s>) -> Self {
        Self {
            reader,
            found: BTreeMap::new(),
            folders: Folders::new(reader),
        }
    }

    /// For each of these rows, the first grant of the model that does not give the right to it.
    pub(super) async fn find_refusing(
        &mut self,
        rows: &[(&Record, &'static str)],
    ) -> Result<Vec<Option<&'s Grant>>, Interrupt> {
        let reader = self.reader;
        for grant in &reader.model().grants {
            if let Some(path) = grant.above {
                let asked = rows.iter().map(|(row, _)| *row);
                let asked = asked.filter(|row| protects(reader, grant, row));
                self.folders.read_owners(path, asked).await?;
            }
        }
        let mut refusing = Vec::with_capacity(rows.len());
        for (row, right) in rows {
            let mut found = None;
            for (position, grant) in reader.model().grants.iter().enumerate() {
                if found.is_none()
                    && protects(reader, grant, row)
                    && !self.gives((position, grant), row, right).await?
                {
                    found = Some(grant);
                }
            }
            refusing.push(found);
        }
        Ok(refusing)
    }

    /// Whether all grants would give the right to a row if the rows that it belongs to were not there.
    pub(super) async fn allow_without_owners(
        &mut self,
        row: &Record,
        right: &str,
    ) -> Result<bool, Interrupt> {
        let reader = self.reader;
        for (position, grant) in reader.model().grants.iter().enumerate() {
            if !protects(reader, grant, row) {
                continue;
            }
            let gives = match grant.above {
                None => self.gives((position, grant), row, right).await?,
                // A folder belongs to the one that it is put below.
                Some(path)
                    if has_place(reader, reader.model().path(path), row)
                        && row.entity != reader.model().path(path).folder =>
                {
                    self.gives((position, grant), row, right).await?
                }
                Some(_) => grant.allow_none,
            };
            if !gives {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a row with a path was found when rights were asked for what belongs to it.
    pub(super) fn knows_owner(&self, entity: EntityId, id: &AttributeValue) -> bool {
        self.folders.knows_owner(entity, id)
    }

    async fn gives(
        &mut self,
        (position, grant): (usize, &Grant),
        row: &Record,
        right: &str,
    ) -> Result<bool, Interrupt> {
        let reader = self.reader;
        let names = render_names(reader, &row.values, &grant.allows);
        let mut restricted = false;
        let Some(levels) = self.levels(grant, row).await? else {
            return Ok(false);
        };
        for level in levels {
            let Lookup::With(parameters) = lookup(reader, grant, &level) else {
                return Ok(false);
            };
            let mut found = false;
            let mut given = false;
            for parameters in &parameters {
                let rows = self.rows(position, grant.access, parameters).await?;
                found |= !rows.is_empty();
                given |= rows
                    .iter()
                    .any(|row| names.iter().any(|name| lists(row, name, right, grant)));
            }
            if found && !given {
                return Ok(false);
            }
            restricted |= found;
        }
        Ok(restricted || grant.allow_none)
    }

    /// What is asked for: the row itself, or each folder above it. None: nobody knows which those are.
    async fn levels(
        &mut self,
        grant: &Grant,
        row: &Record,
    ) -> Result<Option<Vec<Item>>, Interrupt> {
        let Some(id) = grant.above else {
            return Ok(Some(vec![row.values.clone()]));
        };
        let path = self.reader.model().path(id);
        let Some(chains) = self.folders.above(id, row).await? else {
            return Ok(None);
        };
        let above = chains.iter().flat_map(|folders| {
            let depths = 1..=folders.len();
            depths.filter_map(|depth| folders.get(..depth))
        });
        let levels = above.map(|above| {
            let level = row.values.clone();
            level.with(path.attribute.value.as_str(), above.join(&path.split))
        });
        Ok(Some(levels.collect()))
    }

    /// The rows that a pattern finds, whatever the caller may see.
    async fn rows(
        &mut self,
        grant: usize,
        pattern: AccessId,
        parameters: &Item,
    ) -> Result<&[Record], Interrupt> {
        let key = (grant, format!("{parameters:?}"));
        if !self.found.contains_key(&key) {
            let rows = read_rows(self.reader, pattern, parameters).await?;
            self.found.insert(key.clone(), rows);
        }
        Ok(self.found.get(&key).map(Vec::as_slice).unwrap_or_default())
    }
}

/// Whether a grant is asked for a row: it is of one of its entities, and not spared by `unless`.
pub(super) fn protects(scope: &Scope, grant: &Grant, row: &Record) -> bool {
    if !grant.of.contains(&row.entity) {
        return false;
    }
    let conditions = Conditions::new(scope.model(), &row.values, &scope.circumstances);
    let entity = scope.entity(row.entity);
    let mut unless = grant.unless.iter();
    !unless.any(|unless| conditions.holds(entity, unless) == Some(true))
}

/// Whether an attribute of a row lists a right, or the one that stands for all.
fn lists(row: &Record, name: &str, right: &str, grant: &Grant) -> bool {
    let is_right = |known: &str| known == right || grant.all.as_deref() == Some(known);
    match row.values.get(name) {
        Some(AttributeValue::L(rights)) => rights
            .iter()
            .any(|known| matches!(known, AttributeValue::S(known) if is_right(known))),
        Some(AttributeValue::Ss(rights)) => rights.iter().any(|known| is_right(known)),
        _ => false,
    }
}

/// The parameters of the pattern: one set for each element of a list of the caller's.
fn lookup(scope: &Scope, grant: &Grant, level: &Item) -> Lookup {
    let mut all = vec![level.clone()];
    for assignment in &grant.set {
        let name = &assignment.name.value;
        let values = assigned_values(scope, level, &assignment.value);
        if values.is_empty() {
            return Lookup::Impossible;
        }
        let chosen = all.into_iter().flat_map(|known: Item| {
            values
                .iter()
                .map(move |value| known.clone().with(name.as_str(), value.clone()))
                .collect::<Vec<_>>()
        });
        all = chosen.collect();
    }
    Lookup::With(all)
}

fn assigned_values(scope: &Scope, known: &Item, assigned: &Assigned) -> Vec<AttributeValue> {
    if let Assigned::Template(template) = assigned
        && let [part] = template.parts.as_slice()
        && let Some(AttributeValue::L(elements)) = principal_value(scope, part)
    {
        return elements;
    }
    assigned_value(scope, known, assigned).into_iter().collect()
}

/// The attribute of the caller that a part of a template shows.
fn principal_value(scope: &Scope, part: &Part) -> Option<AttributeValue> {
    let Part::Field(field) = part else {
        return None;
    };
    let [
        Source::Path {
            root: Some(Root::Principal),
            names,
            ..
        },
    ] = field.sources.as_slice()
    else {
        return None;
    };
    let name = names.last()?;
    scope.circumstances.principal.get(&name.value).cloned()
}

/// The texts of a template, one for each element of a list of the caller's; none if the caller has no such element, so
/// that no row gives it anything.
fn render_names(scope: &Scope, known: &Item, template: &Template) -> Vec<String> {
    let mut all = vec![String::new()];
    for part in &template.parts {
        let pieces: Vec<String> = match (part, principal_value(scope, part)) {
            (Part::Literal(literal), _) => vec![literal.value.clone()],
            (Part::Field(_), Some(AttributeValue::L(elements))) => elements
                .iter()
                .filter_map(|element| match element {
                    AttributeValue::S(text) => Some(text.clone()),
                    _ => None,
                })
                .collect(),
            (Part::Field(_), _) => {
                let value = |path: &SourcePath<'_>| {
                    find_value(scope.model(), known, path, &scope.circumstances)
                };
                let piece = render_parts(std::slice::from_ref(part), value);
                piece.into_iter().collect()
            }
        };
        let longer = all.iter().flat_map(|text| {
            pieces
                .iter()
                .map(move |piece| format!("{text}{piece}"))
                .collect::<Vec<_>>()
        });
        all = longer.collect();
    }
    all
}

async fn read_rows(
    reader: &Reader<'_>,
    pattern: AccessId,
    parameters: &Item,
) -> Result<Vec<Record>, Interrupt> {
    let returns = &reader.model().pattern(pattern).returns;
    let ours = |record: &Record| returns.contains(&record.entity);
    if let Some(address) = pattern::whole_key(reader, pattern, parameters)? {
        let table = address.table();
        let item = reader.get(&address, true).await?;
        let record = item.and_then(|item| reader.decode_view(table, item.view()));
        return Ok(record.filter(ours).into_iter().collect());
    }
    let Some(rows) = pattern::rows_of(reader, pattern, parameters)? else {
        return Ok(Vec::new());
    };
    let table = rows.table();
    let items = reader.all(&[rows]).await?.into_iter().flatten();
    let records = items.filter_map(|item| reader.decode(table, &item));
    Ok(records.filter(ours).collect())
}
