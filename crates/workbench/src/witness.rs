//! Whether the data contains what a finding is about: stored rows that show it, found by a scan of the tables.
//!
//! A finding names entities in its counterexample, and often stands at an access pattern. Rows show it if they are of such an entity,
//! and have a key that the pattern meets; without a pattern, if their key could be that of another named entity. A finding that names
//! one entity and no pattern is about all of its rows.

use crate::census::MOST_ITEMS;
use crate::context::OpenModel;
use crate::key_owner::{fits, without_tenant};
use crate::recognition::{Recogniser, Role, find_key_text};
use crate::value::show_value;
use monotable_api::{Dynamo, DynamoExt, ScanInput};
use monotable_item::Item;
use monotable_model::diagnostic::Diagnostic;
use monotable_model::model::{Access, EntityId, Key, KeyPlace, Model, TableId, Way};

/// So many rows are shown of each finding.
const MOST_SHOWN: usize = 5;

/// The stored rows that a finding is about.
#[derive(Clone, Debug, Default)]
pub(crate) struct Witnesses {
    pub(crate) rows: Vec<WitnessRow>,
    pub(crate) count: usize,
    /// Whether every item was looked at.
    pub(crate) is_complete: bool,
}

/// A row, by the key under which a pattern meets it.
#[derive(Clone, Debug)]
pub(crate) struct WitnessRow {
    pub(crate) entity: EntityId,
    pub(crate) place: KeyPlace,
    pub(crate) partition: String,
    pub(crate) sort: String,
}

/// What rows of a finding have in common.
enum Question<'m> {
    /// They are of one of these entities, and the pattern meets them.
    MetBy {
        entities: Vec<&'m str>,
        table: TableId,
        key: &'m Key,
    },
    /// They are of one of these entities, and another of these could have their key.
    Alike { entities: Vec<&'m str> },
    /// They are of this entity.
    Of(&'m str),
}

/// The rows of each finding; none of a finding that is about no rows.
pub(crate) async fn find(
    open: &OpenModel,
    dynamo: &dyn Dynamo,
    text: &str,
    findings: &[Diagnostic],
) -> Vec<Option<Witnesses>> {
    // The text has findings, but it can often be read; what the store runs may be an earlier text.
    let read = monotable_model::read(text).model;
    let model = read.as_ref().unwrap_or_else(|| open.model());
    let questions: Vec<Option<Question<'_>>> = findings
        .iter()
        .map(|found| ask(model, open.model(), found))
        .collect();
    let mut answers: Vec<Option<Witnesses>> = questions
        .iter()
        .map(|question| question.as_ref().map(|_| Witnesses::default()))
        .collect();
    if questions.iter().all(Option::is_none) {
        return answers;
    }
    let recogniser = Recogniser::new(&open.store);
    let mut is_complete = true;
    for table in open.model().stored_tables() {
        let mut seen = 0;
        let mut after = None;
        loop {
            let input = ScanInput {
                table_name: Some(open.model().table(table).physical.clone()),
                exclusive_start_key: after.take(),
                limit: Some(1000),
                ..ScanInput::default()
            };
            let Ok(page) = dynamo.scan(input).await else {
                break;
            };
            for item in page.items.unwrap_or_default() {
                seen += 1;
                let item = item.to_item();
                let Role::Row(row) = recogniser.recognise(table, &item) else {
                    continue;
                };
                for (question, answer) in questions.iter().zip(&mut answers) {
                    if let (Some(question), Some(answer)) = (question, answer)
                        && let Some(found) = question.answer(open, table, &row.entity, &item)
                    {
                        answer.add(found);
                    }
                }
            }
            let Some(last) = page.last_evaluated_key else {
                break;
            };
            if seen >= MOST_ITEMS {
                is_complete = false;
                break;
            }
            after = Some(last.into());
        }
    }
    for answer in answers.iter_mut().flatten() {
        answer.is_complete = is_complete;
    }
    answers
}

impl Witnesses {
    fn add(&mut self, row: WitnessRow) {
        self.count += 1;
        if self.rows.len() < MOST_SHOWN {
            self.rows.push(row);
        }
    }
}

fn ask<'m>(model: &'m Model, running: &'m Model, found: &Diagnostic) -> Option<Question<'m>> {
    let named = found.counterexample.iter().filter_map(|example| {
        let (_, entity) = running.entity_named(&example.what)?;
        entity.is_stored().then_some(entity.name.value.as_str())
    });
    let mut entities: Vec<&str> = named.collect();
    entities.dedup();
    if let Some((table, key)) = find_pattern(model, found).and_then(find_condition) {
        return (!entities.is_empty()).then_some(Question::MetBy {
            entities,
            table,
            key,
        });
    }
    match entities.as_slice() {
        [] => None,
        [one] => Some(Question::Of(one)),
        _ => Some(Question::Alike { entities }),
    }
}

/// The pattern at which a finding stands.
fn find_pattern<'m>(model: &'m Model, found: &Diagnostic) -> Option<&'m Access> {
    let mut patterns = model.patterns().map(|(_, access)| access);
    patterns.find(|access| {
        let is_inside =
            |start: usize, end: usize| start <= found.span.start && found.span.end <= end;
        is_inside(access.name.span.start, access.name.span.end)
            || is_inside(access.span.start, access.span.end)
    })
}

fn find_condition(access: &Access) -> Option<(TableId, &Key)> {
    match &access.way {
        Way::Get { table, key } | Way::Query { table, key } => Some((*table, key)),
        _ => None,
    }
}

impl Question<'_> {
    /// The row, if it is one that the question asks for.
    fn answer(
        &self,
        open: &OpenModel,
        table: TableId,
        entity: &str,
        item: &Item,
    ) -> Option<WitnessRow> {
        let model = open.model();
        let (id, _) = model.entity_named(entity)?;
        let row = |place| {
            let declared = model.table(table);
            let partition = declared.partition_attributes(place).next()?;
            let sort = declared.sort_attributes(place).next();
            Some(WitnessRow {
                entity: id,
                place,
                partition: find_key_text(item, &partition.value).into_owned(),
                sort: sort
                    .and_then(|sort| item.get(&sort.value))
                    .map(show_value)
                    .unwrap_or_default(),
            })
        };
        match self {
            Self::MetBy {
                entities,
                table: wanted,
                key,
            } => {
                let found = row(key.place)?;
                let is_met = *wanted == table
                    && entities.contains(&entity)
                    && !found.partition.is_empty()
                    && is_key(model, key, &found);
                is_met.then_some(found)
            }
            Self::Alike { entities } => {
                let found = row(KeyPlace::Primary)?;
                let others = entities.iter().filter(|other| **other != entity);
                let mut keys = others.filter_map(|other| model.entity_named(other)?.1.primary());
                let is_alike =
                    entities.contains(&entity) && keys.any(|key| is_key(model, key, &found));
                is_alike.then_some(found)
            }
            Self::Of(wanted) => (*wanted == entity)
                .then(|| row(KeyPlace::Primary))
                .flatten(),
        }
    }
}

fn is_key(model: &Model, key: &Key, row: &WitnessRow) -> bool {
    let sort_fits = key
        .range
        .as_ref()
        .is_none_or(|range| fits(range, without_tenant(model, &row.sort)));
    fits(&key.hash, without_tenant(model, &row.partition)) && sort_fits
}
