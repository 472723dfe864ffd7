//! Guards: the rows that keep values unique, and lead to the row that has a value.

use crate::address::Address;
use crate::assignment::assigned_value;
use crate::draft::Demand;
use crate::error::Error;
use crate::field_error::FieldError;
use crate::record::{self, Conditions, Record};
use crate::scope::Scope;
use crate::template::find_value;
use monotable_item::Item;
use monotable_model::compiled::SourcePath;
use monotable_model::model::{Assignment, Claim, EntityId, Guard, Key};
use monotable_model::span::Name;

/// A guard row that a row has.
#[derive(Clone, Debug)]
pub(crate) struct GuardRow {
    /// The claim.
    pub(crate) claim: String,
    pub(crate) address: Address,
    pub(crate) item: Item,
    /// What tells that a guard row belongs to this owner.
    pub(crate) owner: Vec<Demand>,
    /// Where old guards of the same value stand.
    pub(crate) also: Vec<Address>,
    /// What it holds of the row beside what it claims.
    pub(crate) kept: Item,
}

/// The guards that a row has.
pub(crate) fn guards(scope: &Scope, row: &Record) -> Result<Vec<GuardRow>, Error> {
    let guards = claimed(scope, row).into_iter();
    let guards = guards.map(|claim| guard(scope, row, claim));
    guards.filter_map(Result::transpose).collect()
}

/// The guards that a stored row has. A value that no key can show has none, because no write of the store takes it: another
/// program wrote it. It must not keep the row from being corrected or deleted, nor its other values from being guarded.
pub(crate) fn stored_guards(scope: &Scope, row: &Record) -> Vec<GuardRow> {
    let guards = claimed(scope, row).into_iter();
    guards
        .filter_map(|claim| guard(scope, row, claim).ok().flatten())
        .collect()
}

/// Why claims of a stored row have no guard although what they claim is there.
pub(crate) fn unguarded_claims(scope: &Scope, row: &Record) -> Vec<Error> {
    let guards = claimed(scope, row).into_iter();
    guards
        .filter_map(|claim| guard(scope, row, claim).err())
        .collect()
}

/// The claims that are in force for a row.
fn claimed<'s>(scope: &'s Scope, row: &Record) -> Vec<&'s Claim> {
    let entity = scope.entity(row.entity);
    if entity.claims.is_empty() {
        return Vec::new();
    }
    let conditions = Conditions::new(scope.model(), &row.values, &scope.circumstances);
    let holds = |claim: &&Claim| {
        let when = claim.when.as_ref();
        when.is_none_or(|when| conditions.holds(entity, when) == Some(true))
    };
    entity.claims.iter().filter(holds).collect()
}

/// The guard of one claim; none if what it claims is absent.
pub(crate) fn guard(scope: &Scope, row: &Record, claim: &Claim) -> Result<Option<GuardRow>, Error> {
    match &claim.guard {
        Guard::Row {
            key,
            former,
            kind,
            attributes,
            keeps,
        } => {
            let guard = hidden(scope, row, claim, (key, former), (kind, attributes))?;
            Ok(guard.map(|guard| with_kept(scope, row, (attributes, keeps), guard)))
        }
        Guard::Entity {
            entity,
            set,
            also,
            former,
        } => {
            let Some(guard) = visible(scope, row, claim, *entity, set)? else {
                return Ok(None);
            };
            let address = scope.row_address(&guard)?;
            let mut others = Vec::new();
            for other in also.iter().chain(former) {
                let mut all = set.clone();
                all.retain(|known| other.iter().all(|own| own.name.value != known.name.value));
                all.extend(other.iter().cloned());
                if let Some(other) = visible(scope, row, claim, *entity, &all)? {
                    let other = scope.row_address(&other)?;
                    if other != address && !others.contains(&other) {
                        others.push(other);
                    }
                }
            }
            let declared = scope.entity(*entity);
            let of_key = declared.key_attributes();
            let owner = set
                .iter()
                .filter(|assignment| !of_key.contains(&assignment.name.value.as_str()))
                .map(|assignment| {
                    let name = &assignment.name.value;
                    let stored = crate::profile::stored_name(declared, name);
                    Demand::is(stored, guard.values.get(name).cloned())
                })
                .collect();
            Ok(Some(GuardRow {
                claim: claim.name.value.clone(),
                address,
                item: record::encode(scope.compiled(), &guard, &scope.circumstances)
                    .map_err(|errors| blame_owner(scope, row, claim, errors))?,
                owner,
                also: others,
                kept: Item::new(),
            }))
        }
        // Decided when a snapshot is committed.
        Guard::Snapshot => Ok(None),
    }
}

/// A guard row that is not an entity: its key, what it is, what it claims and whose it is.
fn hidden(
    scope: &Scope,
    row: &Record,
    claim: &Claim,
    (key, former): (&Key, &[Key]),
    (kind, attributes): (&str, &[String]),
) -> Result<Option<GuardRow>, Error> {
    let entity = scope.entity(row.entity);
    if attributes.iter().any(|name| row.values.get(name).is_none()) {
        return Ok(None);
    }
    let Some(address) = hidden_place(scope, row, key)? else {
        return Ok(None);
    };
    let mut item = address.key(scope.model());
    if let Some(first) = entity.is.first() {
        item.insert(first.attribute.value.clone(), kind);
    }
    for name in attributes.iter().chain(&entity.id) {
        if let Some(value) = row.values.get(name) {
            item.insert(crate::profile::stored_name(entity, name), value.clone());
        }
    }
    let owner = entity.id.iter().map(|id| {
        Demand::is(
            crate::profile::stored_name(entity, id),
            row.values.get(id).cloned(),
        )
    });
    Ok(Some(GuardRow {
        claim: claim.name.value.clone(),
        owner: owner.collect(),
        also: former_places(scope, row, former, &address)?,
        address,
        item,
        kept: Item::new(),
    }))
}

/// Where earlier releases may have written the guard that stands at an address today.
fn former_places(
    scope: &Scope,
    row: &Record,
    former: &[Key],
    address: &Address,
) -> Result<Vec<Address>, Error> {
    let mut places = Vec::new();
    for key in former {
        let place = hidden_place(scope, row, key)?;
        places.extend(place.filter(|place| place != address && !places.contains(place)));
    }
    Ok(places)
}

/// The name under which a guard holds a key attribute of its owner: it has one of that name itself.
pub(crate) fn kept_name(scope: &Scope, entity: EntityId, name: &str) -> String {
    let declared = scope.entity(entity);
    if scope.model().table(declared.table).is_key(name) {
        format!("owner{name}")
    } else {
        crate::profile::stored_name(declared, name)
    }
}

/// The guard with what it keeps of its owner: attributes, or parts of its key, which lead to it wherever it moves.
fn with_kept(
    scope: &Scope,
    row: &Record,
    (attributes, keeps): (&[String], &[Name]),
    mut guard: GuardRow,
) -> GuardRow {
    if keeps.is_empty() {
        return guard;
    }
    let entity = scope.entity(row.entity);
    let table = scope.model().table(entity.table);
    let claims_id_alone = attributes
        .iter()
        .all(|name| Some(name) == entity.id.as_ref());
    let key = scope
        .row_address(row)
        .map(|address| address.key(scope.model()))
        .unwrap_or_default();
    for name in keeps {
        let value = if table.is_key(&name.value) {
            key.get(&name.value)
        } else {
            row.values.get(&name.value)
        };
        if let Some(value) = value {
            let name = kept_name(scope, row.entity, &name.value);
            guard.kept.insert(name.clone(), value.clone());
            guard.item.insert(name, value.clone());
        }
    }
    // Every row with this id has the same id: only the rest of its key tells whose guard of the id it is. A guard from
    // before it kept anything is told by the id alone.
    if claims_id_alone {
        let kept = guard.kept.iter();
        guard
            .owner
            .extend(kept.map(|(name, value)| Demand::AbsentOrIs {
                attribute: name.clone(),
                value: value.clone(),
            }));
    }
    guard
}

/// Where a hidden guard row stands; none if a value it shows is absent.
pub(crate) fn hidden_place(
    scope: &Scope,
    row: &Record,
    key: &Key,
) -> Result<Option<Address>, Error> {
    let value =
        |path: &SourcePath<'_>| find_value(scope.model(), &row.values, path, &scope.circumstances);
    let table = scope.entity(row.entity).table;
    match scope.addressing().locate(table, key, value) {
        Ok(address) => Ok(Some(address)),
        Err(problem) if problem.is_absence() => Ok(None),
        Err(problem) => Err(scope.refuse_key(row.entity, problem)),
    }
}

/// The row of an entity that guards a value; none if something its key needs is absent.
fn visible(
    scope: &Scope,
    owner: &Record,
    claim: &Claim,
    guard: EntityId,
    set: &[Assignment],
) -> Result<Option<Record>, Error> {
    let declared = scope.entity(guard);
    let mut values = Item::new();
    for attribute in &declared.attributes {
        let name = &attribute.name.value;
        let assigned = set.iter().find(|assignment| assignment.name.value == *name);
        let value = match assigned {
            Some(assignment) => assigned_value(scope, &owner.values, &assignment.value),
            None if record::is_set_by_the_store(attribute) => None,
            None => owner.values.get(name).cloned(),
        };
        if let Some(value) = value {
            values.insert(name.clone(), value);
        }
    }
    if declared
        .key_attributes()
        .iter()
        .any(|name| values.get(name).is_none())
    {
        return Ok(None);
    }
    let created = record::create(scope.compiled(), guard, values, &scope.circumstances);
    created
        .map(Some)
        .map_err(|errors| blame_owner(scope, owner, claim, errors))
}

/// What is wrong with a guard's value is wrong with the value that its owner claims.
fn blame_owner(scope: &Scope, owner: &Record, claim: &Claim, errors: Vec<FieldError>) -> Error {
    let name = &claim.name.value;
    let errors = errors
        .into_iter()
        .map(|error| FieldError::new(name, error.problem));
    scope.refused(owner.entity, errors.collect())
}
