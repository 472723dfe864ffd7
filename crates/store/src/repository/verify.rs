//! What contradicts the model in a snapshot that is stored: its rows, taken together.

use super::change_set::{name_row, position};
use super::instance::RepositoryInstance;
use super::snapshot_rows::{SnapshotRows, text};
use super::{order, relation_rules, roots, rules};
use crate::error::Error;
use crate::field_error::{FieldError, Problem};
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use monotable_item::{AttributeValue, EncodedItem};
use monotable_model::model::{Attribute, Repository};

/// Everything that is wrong with the rows of one revision. `counted` is how many rows its log says it has; the log of a
/// revision that another program wrote does not say it.
pub(crate) async fn violations(
    reader: &Reader<'_>,
    repository: &Repository,
    items: Vec<EncodedItem>,
    counted: Option<u64>,
) -> Result<Vec<String>, Interrupt> {
    let Some((instance, revision)) = first_row(reader, repository, &items) else {
        return Ok(Vec::new());
    };
    let mut messages = Vec::new();
    if let Some(counted) = counted.filter(|counted| *counted != items.len() as u64) {
        messages.push(format!(
            "its log says that it has {counted} rows, and it has {}",
            items.len()
        ));
    }
    let mut contents = SnapshotRows::from_items(&instance, &revision, items);
    contents.recheck_all();
    let mut wrong = Vec::new();
    for member in contents.there() {
        let record = contents.record(member);
        let errors = rules::find_dangling(&instance, &contents, record);
        if !errors.is_empty() {
            wrong.push(name_row(&instance, record, errors));
        }
    }
    wrong.extend(rules::broken_checks(&instance, &contents).await?);
    wrong.extend(rules::unique(&instance, &contents).err());
    wrong.extend(relation_rules::judge(&instance, &contents).err());
    // Other programs left gaps in their orders, which the next commit closes.
    if counted.is_some() {
        order::settle(&instance, &mut contents)?;
    }
    roots::settle(&instance, &mut contents);
    wrong.extend(find_unsettled(&instance, &contents));
    messages.extend(wrong.iter().map(ToString::to_string));
    Ok(messages)
}

/// Rows that stand at another place than their order gives, or say something else of other rows than what those say.
fn find_unsettled(instance: &RepositoryInstance<'_>, contents: &SnapshotRows<'_>) -> Vec<Error> {
    let mut wrong = Vec::new();
    for member in contents.there() {
        let entity = instance.reader.entity(member.entity);
        let (before, after) = (contents.before(member), contents.record(member));
        let ordered = position(entity);
        let followed = entity
            .attributes
            .iter()
            .filter(|attribute| follows(attribute));
        let errors: Vec<_> = ordered
            .into_iter()
            .chain(followed)
            .filter_map(|attribute| {
                let name = &attribute.name.value;
                let (stored, wanted) = (before.values.get(name)?, after.values.get(name)?);
                let wanted = (stored != wanted).then(|| show(wanted))?;
                Some(FieldError::new(name, Problem::Wrong { wanted }))
            })
            .collect();
        if !errors.is_empty() {
            wrong.push(name_row(instance, &before, errors));
        }
    }
    wrong
}

/// Whether a commit works it out from other rows.
const fn follows(attribute: &Attribute) -> bool {
    attribute.top.is_some() || (attribute.computed.is_some() && !attribute.key_only)
}

fn show(value: &AttributeValue) -> String {
    match value {
        AttributeValue::S(text) => text.clone(),
        AttributeValue::N(number) => number.to_string(),
        other => format!("{other:?}"),
    }
}

/// The repository and the revision that the rows of a snapshot name.
fn first_row<'s>(
    reader: &'s Reader<'s>,
    repository: &'s Repository,
    items: &[EncodedItem],
) -> Option<(RepositoryInstance<'s>, String)> {
    let table = reader.entity(*repository.entities.first()?).table;
    let record = items
        .iter()
        .find_map(|item| reader.decode_view(table, item.view()))?;
    let revision = text(&record.values, &repository.revision.value)?;
    let instance = RepositoryInstance::named_by(reader, repository, &record.values)?;
    Some((instance, revision))
}
