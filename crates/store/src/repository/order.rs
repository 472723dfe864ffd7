//! Rows in an order: places from 0, without gaps.

use super::change_set::{name_row, position};
use super::instance::RepositoryInstance;
use super::snapshot_rows::{SnapshotRow, SnapshotRows, State, place_number, place_value, text};
use crate::error::Error;
use crate::field_error::FieldError;
use crate::value;
use std::collections::BTreeMap;

/// Gives every row its place. Rows that a change gave a place get it; the others keep their order around them, and new
/// ones come last.
pub(super) fn settle(
    instance: &RepositoryInstance<'_>,
    contents: &mut SnapshotRows<'_>,
) -> Result<(), Error> {
    for id in &instance.declared.entities {
        let entity = instance.reader.entity(*id);
        let Some(attribute) = position(entity).filter(|_| contents.differs(*id)) else {
            continue;
        };
        let (name, group) = (&attribute.name.value, attribute.position.as_ref());
        let mut groups: BTreeMap<Option<String>, Vec<usize>> = BTreeMap::new();
        for index in 0..contents.len() {
            let member = contents.member(index);
            let ours = |member: &&SnapshotRow| member.entity == *id && member.is_there();
            if let Some(member) = member.filter(ours) {
                let values = &contents.record(member).values;
                let of = group.and_then(|group| text(values, &group.value));
                groups.entry(of).or_default().push(index);
            }
        }
        for group in groups.into_values() {
            for (address, index) in arrange(contents, name, group).into_iter().enumerate() {
                let Some(member) = contents.member(index) else {
                    continue;
                };
                let record = contents.record(member);
                let address = place_value(address);
                if record.values.get(name) == Some(&address) {
                    continue;
                }
                let address = value::accept(&attribute.kind, address).map_err(|problem| {
                    name_row(instance, record, vec![FieldError::new(name, problem)])
                })?;
                let mut record = record.clone();
                record.values.insert(name.clone(), address);
                contents.replace(index, record, State::Moved);
            }
        }
    }
    Ok(())
}

/// The rows of a group in their order.
fn arrange(contents: &SnapshotRows<'_>, name: &str, group: Vec<usize>) -> Vec<usize> {
    let member = |index: &usize| contents.member(*index);
    let (mut asked, mut others): (Vec<_>, Vec<_>) = group
        .into_iter()
        .partition(|index| member(index).is_some_and(|member| member.asked.is_some()));
    // A row that has no place yet comes last.
    others.sort_by_key(|index| {
        let values = member(index).map(|member| &contents.record(member).values);
        let address = values.and_then(|values| place_number(values.get(name)));
        address.unwrap_or(u64::MAX)
    });
    asked.sort_by_key(|index| member(index).and_then(|member| member.asked));
    for index in asked {
        let address = member(&index).and_then(|member| member.asked);
        let address = address.and_then(|address| usize::try_from(address).ok());
        others.insert(address.unwrap_or(usize::MAX).min(others.len()), index);
    }
    others
}
