//! What a caller is answered, row by row.

use super::evaluator::Evaluator;
use super::expectation::stored_row;
use super::plain;
use super::revisions;
use super::runner::Run;
use monotable_store::{AnyOutput, Row as Shown};
use std::collections::BTreeSet;

impl Run<'_> {
    /// Whoever may write a row and not read it is told its key alone.
    pub(super) fn judge_answer(&self, wanted: &AnyOutput, answer: &AnyOutput) -> Vec<String> {
        let (wanted, found) = (rows_of(wanted), rows_of(answer));
        let all = wanted.clone();
        let mut said = Vec::new();
        if wanted.len() != found.len() {
            said.push(format!(
                "{} rows in the answer, not {}",
                found.len(),
                wanted.len()
            ));
        }
        for (wanted, found) in wanted.iter().zip(&found) {
            let names = |row: &Shown| -> BTreeSet<String> {
                row.values.iter().map(|(name, _)| name.clone()).collect()
            };
            let mut allowed = names(wanted);
            if !self.sees_answer(wanted, &all) {
                let (_, entity) = self.state.model.entity_named(&wanted.entity).unwrap();
                let key = entity.key_attributes();
                allowed.retain(|name| key.contains(&name.as_str()));
            }
            if names(found) != allowed {
                said.push(format!(
                    "the answer tells {:?}, not {allowed:?}",
                    names(found)
                ));
            }
        }
        said
    }

    /// Whether the caller may read a row of the program's answer: as it is after the write, or was before a delete. Rules
    /// may look at other rows of the same answer.
    pub(crate) fn sees_answer(&self, shown: &Shown, all: &[Shown]) -> bool {
        let evaluator = Evaluator {
            written: all
                .iter()
                .map(|row| stored_row(self.evaluator, row))
                .collect(),
            ..*self.evaluator
        };
        let (id, _) = self.state.model.entity_named(&shown.entity).unwrap();
        let mut row = stored_row(self.evaluator, shown);
        let mut values = row.values.clone();
        values.extend(plain::read_item(&shown.values));
        row.values = values;
        row.entity = id;
        evaluator.sees(&row)
    }
}

/// All rows of an answer.
pub(crate) fn rows_of(answer: &AnyOutput) -> Vec<Shown> {
    match answer {
        AnyOutput::Row(row) => vec![row.clone()],
        AnyOutput::Rows(rows) => rows.clone(),
        AnyOutput::Page(page) => page.rows.clone(),
        AnyOutput::Committed(committed) => committed.revisions.clone(),
        AnyOutput::Snapshot(snapshot) => snapshot.rows.clone(),
        AnyOutput::Differences(differences) => differences
            .rows
            .iter()
            .flat_map(revisions::rows_of)
            .collect(),
        _ => Vec::new(),
    }
}

pub(super) fn judge_rows(rows: &[Shown], followed: &[Shown], answer: &AnyOutput) -> Vec<String> {
    let mut said = Vec::new();
    let keys = |rows: &[Shown]| -> Vec<String> {
        rows.iter()
            .map(|row| serde_json::to_string(row).unwrap())
            .collect()
    };
    let found = rows_of(answer);
    if keys(&found) != keys(rows) {
        said.push(format!("it shows {:?}, not {:?}", keys(&found), keys(rows)));
    }
    if let AnyOutput::Page(page) = answer {
        let (mut wanted, mut found) = (keys(followed), keys(&page.followed));
        wanted.sort();
        found.sort();
        if wanted != found {
            said.push(format!("{found:?} come along, not {wanted:?}"));
        }
    }
    said
}
