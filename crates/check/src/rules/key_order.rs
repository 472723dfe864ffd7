//! M005 and M006: sort keys that do not sort, or do not tell rows apart.

use super::{Report, Subject};
use monotable_model::diagnostic::{Code, Diagnostic, Edit};
use monotable_model::model::{
    Attribute, Entity, EntityId, Field, Format, Kind, Mode, OnExists, Part, Template,
};

/// The digits of a number whose kind names no greatest one.
const USUAL_WIDTH: usize = 6;

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    for (id, entity) in subject.model.stored() {
        for key in entity.keys.iter().filter(|key| !key.implied) {
            let first = key.partition_count();
            for (position, template) in key.sort_templates().enumerate() {
                // A number that rows have for its own sake is a number in the index, too.
                if !key.is_own(first + position) {
                    unpadded(id, entity, template, report);
                }
            }
        }
        if let Some(range) = entity.primary().and_then(|key| key.range.as_ref()) {
            tie(id, entity, range, report);
        }
    }
}

fn unpadded(id: EntityId, entity: &Entity, range: &Template, report: &mut Report) {
    // A number alone, all of the key but a constant, sorts wrong too.
    for field in range.fields().filter(|field| shows_number(field, entity)) {
        let name = field.name();
        let message =
            format!("`{name}` is a number in a sort key without padding: 10 sorts before 9");
        let diagnostic = Diagnostic::new(Code::UnpaddedNumber, field.span, message)
            .example(
                "order",
                format!(
                    "\"{}\" < \"{}\"",
                    sample(range, field, "10"),
                    sample(range, field, "9")
                ),
            )
            .help(format!("pad it to its greatest width: `{{{name}:06}}`"));
        let diagnostic = match find_width(field, entity) {
            Some(width) => {
                let edit = Edit::insert(field.span.end.saturating_sub(1), format!(":0{width}"));
                diagnostic.fix(format!("Pad it: `{{{name}:0{width}}}`"), edit)
            }
            None => diagnostic,
        };
        report.entity(id, diagnostic);
    }
}

/// The digits of the greatest number that a field can show; none if it cannot be padded as it is written.
fn find_width(field: &Field, entity: &Entity) -> Option<usize> {
    let mut names = field.attributes();
    let (Some(name), None) = (names.next(), names.next()) else {
        return None;
    };
    let Kind::Integer(bounds) = &entity.attribute(&name.value)?.kind else {
        return None;
    };
    let is_plain = field.formats.is_empty() && field.mode == Mode::Plain;
    let can_be_padded = is_plain && bounds.least.is_some_and(|least| least >= 0);
    let width = bounds
        .most
        .map_or(USUAL_WIDTH, |most| most.to_string().len());
    can_be_padded.then_some(width)
}

/// The template with this number, other fields as they are written.
fn sample(range: &Template, field: &Field, number: &str) -> String {
    let part = |part: &Part| match part {
        Part::Literal(text) => text.value.clone(),
        Part::Field(other) if other.span == field.span => number.to_owned(),
        Part::Field(other) => format!("{{{}}}", other.name()),
    };
    range.parts.iter().map(part).collect()
}

/// Whether a field shows a number as it is, also by way of a computed attribute.
fn shows_number(field: &Field, entity: &Entity) -> bool {
    let sorts = field.formats.iter().any(|format| {
        matches!(
            format.value,
            Format::Pad(_) | Format::Sha256 | Format::Shard(_)
        )
    });
    let number = |attribute: &Attribute| match &attribute.computed {
        Some(template) => template.fields().any(|field| {
            field
                .attributes()
                .any(|name| is_number(entity, &name.value))
        }),
        None => attribute.kind.is_number(),
    };
    !sorts
        && field
            .attributes()
            .filter_map(|name| entity.attribute(&name.value))
            .any(number)
}

fn is_number(entity: &Entity, name: &str) -> bool {
    entity
        .attribute(name)
        .is_some_and(|attribute| attribute.kind.is_number())
}

fn tie(id: EntityId, entity: &Entity, range: &Template, report: &mut Report) {
    let Some(Part::Field(last)) = range.parts.last() else {
        return;
    };
    let time = last
        .attributes()
        .filter_map(|name| entity.attribute(&name.value))
        .any(|attribute| matches!(attribute.kind, Kind::Timestamp(_)));
    if !time || entity.on_exists == OnExists::Fraction {
        return;
    }
    let name = last.name();
    let message = format!("`{name}` ends the sort key: two rows of one moment have the same key");
    let diagnostic = Diagnostic::new(Code::TimeTie, last.span, message)
        .help("let something unique follow, such as a ULID, or say `on_exists = \"fraction\"`")
        .fix(
            "Let a later row take the next fraction",
            Edit::Set {
                path: ["entity", &entity.name.value, "on_exists"]
                    .map(str::to_owned)
                    .into(),
                text: "fraction".to_owned(),
            },
        );
    report.entity(id, diagnostic);
}
