//! Whether patterns that find one row at most find one row at most.

use crate::address::Address;
use crate::scope::Scope;
use crate::verify::{
    Candidate, Confirmation, FactSink, Fields, Findings, StatedRow, Subject, Topic, ViolationKind,
    entity_at,
};
use monotable_item::AttributeValue;
use monotable_model::model::{Access, Part, Template, Way};
use monotable_model::span::Name;

/// A row that the pattern finds.
const FOUND: u8 = 0;

/// States by which patterns of one row the row is found.
pub(crate) fn state(row: &StatedRow<'_>, scope: &Scope, facts: &mut dyn FactSink) {
    if !scope.entity(row.record.entity).each.is_empty() {
        return;
    }
    for (position, access) in scope.model().access.iter().enumerate() {
        let is_single = access.one && access.filter.is_none() && access.layout.is_none();
        if !is_single || !access.returns.contains(&row.record.entity) {
            continue;
        }
        let Some(found_by) = question(row, scope, access) else {
            continue;
        };
        let mut subject = Fields::new().number(position as u64);
        for text in &found_by.0 {
            subject = subject.text(text);
        }
        let fields = Fields::new()
            .number(row.record.entity.index() as u64)
            .number(position as u64)
            .address(row.address);
        facts.state(Topic::Singles, subject, FOUND, fields);
    }
}

/// What a pattern is asked for that finds a row: a text for each attribute of the key.
struct Question(Vec<String>);

fn question(row: &StatedRow<'_>, scope: &Scope, access: &Access) -> Option<Question> {
    let Way::Query { table, key } = &access.way else {
        return None;
    };
    if row.address.table() != *table {
        return None;
    }
    let text = |name: &Name| match row.item.get(&name.value) {
        Some(AttributeValue::S(text)) => Some(text.clone()),
        Some(AttributeValue::N(number)) => Some(number.to_string()),
        _ => None,
    };
    let declared = scope.model().table(*table);
    let partition = declared.partition_attributes(key.place).map(text);
    let mut texts = partition.collect::<Option<Vec<_>>>()?;
    let mut asked = key.sort_templates();
    for name in declared.sort_attributes(key.place) {
        let stored = text(name);
        texts.push(match asked.next() {
            None => String::new(),
            Some(template) => found_by(template, stored?)?,
        });
    }
    Some(Question(texts))
}

/// What a condition on a sort key asks for that finds this one.
fn found_by(template: &Template, stored: String) -> Option<String> {
    if template.is_full() {
        return Some(stored);
    }
    // As far as the beginning is the same for all, rows are found together.
    let beginning = match template.parts.first() {
        Some(Part::Literal(literal)) => literal.value.clone(),
        _ => String::new(),
    };
    stored.starts_with(&beginning).then_some(beginning)
}

/// Reports the second row that a pattern finds.
pub(crate) fn judge(subject: &mut Subject<'_>, findings: &mut Findings<'_>) {
    let mut first: Option<Address> = None;
    while let Some(fact) = subject.next_fact() {
        let scope = findings.scope;
        let mut fields = fact.fields();
        let entity = fields.number().and_then(|index| entity_at(scope, index));
        let position = fields
            .number()
            .and_then(|number| usize::try_from(number).ok());
        let (Some(entity), Some(position), Some(address)) =
            (entity, position, fields.address(scope))
        else {
            continue;
        };
        let Some(first) = &first else {
            first = Some(address);
            continue;
        };
        let access = scope.model().access.get(position);
        let name = access.map_or("", |access| access.name.value.as_str());
        findings.push(Candidate {
            told: ViolationKind::Duplicate.into(),
            subject: subject.key().clone(),
            entity,
            message: format!("`{name}` finds one row at most, and also finds {first}"),
            confirmation: Confirmation::Rejudge(vec![first.clone(), address.clone()]),
            address,
            remedy: None,
        });
    }
}
