//! What is different between a table that is there and the model's.

use super::{IndexChange, IndexChangeKind, SetupScope};
use crate::error::Error;
use monotable_api::{
    CreateTableInput, GlobalSecondaryIndex, GlobalSecondaryIndexDescription, IndexProjection,
    IndexStatus, TableDescription,
};

/// What is different about the indexes of a table.
#[derive(Clone, Debug, Default)]
pub(super) struct IndexDifference {
    pub(super) changes: Vec<IndexChange>,
    /// Indexes that the table has and the model does not know.
    pub(super) unknown: Vec<String>,
}

impl IndexDifference {
    /// Compares a table with the model's. What no request can change is an error, and so is what the scope does not allow.
    pub(super) fn new(
        wanted: &CreateTableInput,
        found: &TableDescription,
        scope: SetupScope,
    ) -> Result<Self, Error> {
        let table = wanted.table_name.as_deref().unwrap_or_default();
        if wanted.key_schema != found.key_schema {
            return Err(Error::integrity(format!(
                "table `{table}` exists with another key than the model's; nothing was changed. The key of a table never changes: \
                 give the model's table another name, or copy the rows into a new table"
            )));
        }
        compare_local_indexes(table, wanted, found)?;
        let mut difference = Self::default();
        for index in wanted.global_secondary_indexes.iter().flatten() {
            let named = index.index_name.as_deref().unwrap_or_default();
            let kind = match find_index(found, named) {
                None => IndexChangeKind::Added,
                Some(known) => match compare_index(index, known) {
                    Some(kind) => kind,
                    None => continue,
                },
            };
            allow(scope, table, named, &kind)?;
            difference.changes.push(IndexChange {
                index: named.to_owned(),
                kind,
            });
        }
        difference.find_unknown(wanted, found, scope);
        Ok(difference)
    }

    fn find_unknown(
        &mut self,
        wanted: &CreateTableInput,
        found: &TableDescription,
        scope: SetupScope,
    ) {
        let mut unknown: Vec<_> = found.global_secondary_indexes.iter().flatten().collect();
        unknown.retain(|known| {
            let mut wanted = wanted.global_secondary_indexes.iter().flatten();
            !wanted.any(|index| index.index_name == known.index_name)
        });
        for known in unknown {
            let index = known.index_name.clone().unwrap_or_default();
            if scope == SetupScope::Everything {
                let kind = IndexChangeKind::Dropped;
                self.changes.push(IndexChange { index, kind });
            } else {
                self.unknown.push(index);
            }
        }
    }
}

/// The index of a table with this name.
pub(super) fn find_index<'f>(
    found: &'f TableDescription,
    name: &str,
) -> Option<&'f GlobalSecondaryIndexDescription> {
    let mut indexes = found.global_secondary_indexes.iter().flatten();
    indexes.find(|index| index.index_name.as_deref() == Some(name))
}

/// What has to be done about an index that is there; none if it is the model's.
fn compare_index(
    wanted: &GlobalSecondaryIndex,
    known: &GlobalSecondaryIndexDescription,
) -> Option<IndexChangeKind> {
    match known.index_status {
        Some(IndexStatus::Deleting) => return Some(IndexChangeKind::Added),
        _ if wanted.key_schema != known.key_schema => {
            return Some(IndexChangeKind::Replaced("its key is another one"));
        }
        _ => {}
    }
    let copied = wanted.projection.as_ref().map(normalize_projection);
    let has = known.projection.as_ref().map(normalize_projection);
    if has.is_some() && copied != has {
        return Some(IndexChangeKind::Replaced("it copies other attributes"));
    }
    (known.index_status == Some(IndexStatus::Creating)).then_some(IndexChangeKind::Awaited)
}

/// A projection whose attributes are in order: DynamoDB lists them in any.
fn normalize_projection(projection: &IndexProjection) -> IndexProjection {
    let mut projection = projection.clone();
    if let Some(names) = &mut projection.non_key_attributes {
        names.sort();
    }
    projection
}

fn allow(scope: SetupScope, table: &str, index: &str, kind: &IndexChangeKind) -> Result<(), Error> {
    let message = match (scope, kind) {
        (SetupScope::NewTables, IndexChangeKind::Added) => format!(
            "table `{table}` exists without the index `{index}` of the model; nothing was changed. `monotable setup` adds it"
        ),
        (
            SetupScope::NewTables | SetupScope::Additions,
            IndexChangeKind::Replaced("its key is another one"),
        ) => format!(
            "table `{table}` has the index `{index}` with another key than the model's; nothing was changed. \
             `monotable setup --drop-indexes` drops it and makes it anew"
        ),
        (SetupScope::Additions, IndexChangeKind::Replaced(reason)) => format!(
            "table `{table}` has the index `{index}`, but {reason}; nothing was changed. \
             `monotable setup --drop-indexes` drops it and makes it anew"
        ),
        _ => return Ok(()),
    };
    Err(Error::integrity(message))
}

/// Local indexes are made with their table and never change.
fn compare_local_indexes(
    table: &str,
    wanted: &CreateTableInput,
    found: &TableDescription,
) -> Result<(), Error> {
    for index in wanted.local_secondary_indexes.iter().flatten() {
        let named = index.index_name.as_deref().unwrap_or_default();
        let mut known = found.local_secondary_indexes.iter().flatten();
        let known = known.find(|known| known.index_name == index.index_name);
        let problem = match known {
            None => "exists without the local index",
            Some(known) if known.key_schema != index.key_schema => {
                "has, with another key than the model's, the local index"
            }
            Some(_) => continue,
        };
        return Err(Error::integrity(format!(
            "table `{table}` {problem} `{named}`; nothing was changed. DynamoDB makes local indexes with their table only: \
             declare a global index, or copy the rows into a new table"
        )));
    }
    Ok(())
}
