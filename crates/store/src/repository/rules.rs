//! What a snapshot must satisfy as a whole.

use super::change_set::name_row;
use super::instance::RepositoryInstance;
use super::relation_rules;
use super::snapshot_rows::{SnapshotRow, SnapshotRows, text};
use crate::error::{Clash, Error};
use crate::field_error::{FieldError, Problem};
use crate::interrupt::Interrupt;
use crate::mechanism::checks::{
    explain as explain_check, is_among, names_in as names_in_check, parameters as check_parameters,
};
use crate::profile::{in_predicate, references};
use crate::read::{Overlay, has_tombstone};
use crate::reader::Reader;
use crate::record::reference_values;
use crate::record::{self, Conditions, Record};
use monotable_model::model::{Check, CheckRule, EntityId, Guard, Reference};
use std::collections::BTreeSet;

/// Refuses a snapshot that contradicts the model: everything that is wrong with it at once.
pub(super) async fn check(
    instance: &RepositoryInstance<'_>,
    contents: &SnapshotRows<'_>,
    mut refused: Vec<Error>,
) -> Result<(), Interrupt> {
    let reader = instance.reader;
    let unsettled = find_unsettled(instance, contents);
    // Checks ask about rows where they stand, which is not known of what is refused.
    let is_whole = refused.is_empty();
    for member in contents.there().filter(|member| !member.refused) {
        // Between rows that stay as they are nothing changes.
        if member.is_kept() && !unsettled.contains(&member.entity) {
            continue;
        }
        let record = contents.record(member);
        let mut errors = Vec::new();
        if !member.is_kept() {
            errors.extend(record::broken_rules(
                reader.model(),
                record,
                &reader.circumstances,
            ));
        }
        errors.extend(find_dangling(instance, contents, record));
        errors.extend(find_newly_buried(instance, contents, member));
        if !errors.is_empty() {
            refused.push(name_row(instance, record, errors));
        }
    }
    if is_whole {
        refused.extend(broken_checks(instance, contents).await?);
    }
    if let Some(error) = Error::together(refused) {
        return Err(error.into());
    }
    unique(instance, contents)?;
    relation_rules::judge(instance, contents)?;
    Ok(())
}

/// The entities whose rows refer to what is left out, or is no longer what they demand.
fn find_unsettled(
    instance: &RepositoryInstance<'_>,
    contents: &SnapshotRows<'_>,
) -> BTreeSet<EntityId> {
    let mut unsettled = BTreeSet::new();
    for id in &instance.declared.entities {
        for (_, reference) in references(instance.reader.entity(*id)) {
            let mut names = BTreeSet::new();
            if let Some(filter) = &reference.filter {
                in_predicate(filter, &mut names);
            }
            if contents.unsettles(reference.target, &names) {
                unsettled.insert(*id);
            }
        }
    }
    unsettled
}

/// References within the snapshot that lead nowhere, or to a row that they may not lead to.
pub(super) fn find_dangling(
    instance: &RepositoryInstance<'_>,
    contents: &SnapshotRows<'_>,
    record: &Record,
) -> Vec<FieldError> {
    let reader = instance.reader;
    let mut errors = Vec::new();
    for (attribute, reference) in references(reader.entity(record.entity)) {
        if !instance.declared.entities.contains(&reference.target) || reference.missing_warns {
            continue;
        }
        for id in reference_values(attribute, record) {
            let wanted = match contents.referred(reference.target, &id) {
                None => Some(format!(
                    "a {} of the same revision",
                    reader.name(reference.target)
                )),
                Some(target) => unfit(reader, reference, contents.record(target)),
            };
            errors.extend(
                wanted.map(|wanted| {
                    FieldError::new(&attribute.name.value, Problem::Wrong { wanted })
                }),
            );
        }
    }
    errors
}

/// References that a commit sets to rows with tombstones. Those that a row had before stay: deleting a row leaves what
/// refers to it as it is. The second end of a relation may be deleted: what lies below a row keeps its place there.
fn find_newly_buried(
    instance: &RepositoryInstance<'_>,
    contents: &SnapshotRows<'_>,
    member: &SnapshotRow,
) -> Vec<FieldError> {
    let reader = instance.reader;
    let record = contents.record(member);
    if member.is_kept() || has_tombstone(reader, record) {
        return Vec::new();
    }
    let changed = if member.is_new() {
        None
    } else {
        Some(contents.changed_names(member))
    };
    let entity = reader.entity(record.entity);
    let mut errors = Vec::new();
    for (attribute, reference) in references(entity) {
        let name = &attribute.name.value;
        let follows = attribute.top.is_some() || attribute.computed.is_some();
        let is_below = entity
            .relation
            .as_ref()
            .is_some_and(|relation| relation.to.value == *name);
        let is_set = changed
            .as_ref()
            .is_none_or(|changed| changed.contains(name));
        if follows || is_below || !is_set {
            continue;
        }
        let targets = reference_values(attribute, record);
        let mut targets = targets
            .iter()
            .filter_map(|id| contents.referred(reference.target, id));
        if targets.any(|target| has_tombstone(reader, contents.record(target))) {
            let wanted = format!("a {} that is not deleted", reader.name(reference.target));
            errors.push(FieldError::new(name, Problem::Wrong { wanted }));
        }
    }
    errors
}

/// What a reference demands and a row is not.
pub(super) fn unfit(reader: &Reader<'_>, reference: &Reference, target: &Record) -> Option<String> {
    let filter = reference.filter.as_ref()?;
    let conditions = Conditions::new(reader.model(), &target.values, &reader.circumstances);
    let fits = conditions.holds(reader.entity(target.entity), filter) != Some(false);
    (!fits).then(|| format!("one with {filter}"))
}

/// Values that one row of a snapshot may have.
pub(super) fn unique(
    instance: &RepositoryInstance<'_>,
    contents: &SnapshotRows<'_>,
) -> Result<(), Error> {
    let reader = instance.reader;
    for id in &instance.declared.entities {
        let entity = reader.entity(*id);
        if !contents.differs(*id) {
            continue;
        }
        let claims = entity
            .claims
            .iter()
            .filter(|claim| matches!(claim.guard, Guard::Snapshot));
        for claim in claims {
            let mut taken = BTreeSet::new();
            for member in contents.rows(*id) {
                let values = &contents.record(member).values;
                let holds = claim.when.as_ref().is_none_or(|when| {
                    let conditions = Conditions::new(reader.model(), values, &reader.circumstances);
                    conditions.holds(entity, when) == Some(true)
                });
                let value = text(values, &claim.name.value).filter(|_| holds);
                if value.is_some_and(|value| !taken.insert(value)) {
                    let claim = claim.name.value.clone();
                    return Err(Error::conflict(reader.name(*id), Clash::Unique { claim }));
                }
            }
        }
    }
    Ok(())
}

/// The model's checks of the rows of a snapshot.
pub(super) async fn broken_checks(
    instance: &RepositoryInstance<'_>,
    contents: &SnapshotRows<'_>,
) -> Result<Vec<Error>, Interrupt> {
    let model = instance.reader.model();
    let checks: Vec<_> = model
        .checks
        .iter()
        .filter(|check| instance.declared.entities.contains(&check.of))
        .collect();
    let mut broken = Vec::new();
    if checks.is_empty() {
        return Ok(broken);
    }
    for check in checks {
        // What a check asks is the same if none of the rows that it asks for has changed.
        let asked = match &check.demand {
            CheckRule::Must(_) => &[],
            CheckRule::Among { pattern, .. } | CheckRule::Absent(pattern) => {
                model.pattern(*pattern).returns.as_slice()
            }
        };
        let all = asked.iter().any(|id| contents.differs(*id));
        let names = names_in_check(check);
        let mut overlay = None;
        for member in contents.rows(check.of) {
            let concerned = all
                || member.is_changed()
                    && (member.is_new() || !contents.changed_names(member).is_disjoint(&names));
            if !concerned {
                continue;
            }
            let overlay = match &mut overlay {
                Some(overlay) => overlay,
                None => overlay.insert(overlaid(instance, contents, asked)?),
            };
            let record = contents.record(member);
            if !holds(instance, check, record, overlay).await? {
                let name = check.name.value.clone();
                let attribute = match &check.demand {
                    CheckRule::Among { value, .. } => value.value.clone(),
                    CheckRule::Must(_) | CheckRule::Absent(_) => name.clone(),
                };
                let meaning = explain_check(instance.reader, check, record);
                let error = FieldError::new(attribute, Problem::Rule { name, meaning });
                broken.push(name_row(instance, record, vec![error]));
            }
        }
    }
    Ok(broken)
}

/// Rows of the snapshot where they will stand.
fn overlaid(
    instance: &RepositoryInstance<'_>,
    contents: &SnapshotRows<'_>,
    asked: &[EntityId],
) -> Result<Overlay, Error> {
    let reader = instance.reader;
    let mut overlay = Overlay::default();
    for member in contents.there() {
        if overlay.covers_nothing() || asked.contains(&member.entity) {
            let record = contents.record(member);
            overlay.insert(reader.row_address(record)?, record.clone());
        }
    }
    Ok(overlay)
}

async fn holds(
    instance: &RepositoryInstance<'_>,
    check: &Check,
    record: &Record,
    overlay: &Overlay,
) -> Result<bool, Interrupt> {
    let reader = instance.reader;
    let entity = reader.entity(record.entity);
    let conditions = Conditions::new(reader.model(), &record.values, &reader.circumstances);
    let applies = check
        .when
        .as_ref()
        .is_none_or(|when| conditions.holds(entity, when) == Some(true));
    if !applies {
        return Ok(true);
    }
    let known = check_parameters(reader, check, record);
    // A rule holds for everybody, whatever the caller may see.
    let program = reader.scope.for_program();
    let program = reader.with_scope(&program);
    match &check.demand {
        CheckRule::Must(predicate) => Ok(conditions.holds(entity, predicate) != Some(false)),
        CheckRule::Absent(pattern) => {
            let rows = crate::read::whole_over(&program, *pattern, &known, overlay).await?;
            Ok(rows.is_empty())
        }
        CheckRule::Among {
            value,
            pattern,
            attribute,
            allow_none,
        } => {
            let Some(own) = record.values.get(&value.value) else {
                return Ok(true);
            };
            let rows = crate::read::whole_over(&program, *pattern, &known, overlay).await?;
            Ok(is_among(own, &rows, &attribute.value, *allow_none))
        }
    }
}
