//! Access patterns: which rows they meet, and which are new.

use super::{Comparison, Found};
use crate::difference::{DifferenceKind, Finding, RowExample, Work};
use crate::example::Examples;
use monotable_language::{Language, Pattern, Verdict, meet};
use monotable_model::model::{
    Access, EntityId, Field, Key, KeyPlace, Mode, Model, Part, TableId, Template, Way,
};
use monotable_model::shape::{Variables, Vocabulary, field_language, pattern};

/// Whether a pattern of the old version reads rows of an entity of the new one.
pub(super) enum Meeting {
    Never,
    Row { pattern: String, row: RowExample },
    Unknown { pattern: String },
}

/// The first pattern that meets rows of the entity, in the table or in an index.
pub(super) fn find_meeting(old: &Model, (new, id): (&Model, EntityId)) -> Meeting {
    let keys = new.entity(id).keys.iter();
    for key in keys {
        match find_meeting_at(old, (new, id), key) {
            Meeting::Never => {}
            met => return met,
        }
    }
    Meeting::Never
}

/// The first pattern that meets rows of the entity under one of its keys.
pub(super) fn find_meeting_at(old: &Model, (new, id): (&Model, EntityId), key: &Key) -> Meeting {
    let place = place_name(new, new.entity(id).table, key.place);
    let words = Vocabulary::of(new);
    let mut variables = Variables::default();
    let rows: Vec<Pattern> = key
        .templates()
        .map(|template| pattern(template, id.index(), &words, &mut variables))
        .collect();
    let old_words = Vocabulary::of(old);
    for (_, access) in old.patterns() {
        let (Way::Get { table, key: asked } | Way::Query { table, key: asked }) = &access.way
        else {
            continue;
        };
        if place_name(old, *table, asked.place) != place {
            continue;
        }
        let mut asked = condition(access, asked, &old_words);
        asked.resize_with(rows.len(), || Pattern::default().anything());
        let name = access.name.value.clone();
        match meet(&rows, &asked) {
            Verdict::Proven => {}
            Verdict::Refuted(clash) => {
                let mut row = Examples::new(new).row_at(id, key);
                row.values.clear();
                row.key = clash.texts;
                return Meeting::Row { pattern: name, row };
            }
            Verdict::NotProven(_) => return Meeting::Unknown { pattern: name },
        }
    }
    Meeting::Never
}

/// A key condition as patterns, one for each attribute of the key that it asks for.
fn condition(access: &Access, key: &Key, words: &Vocabulary<'_>) -> Vec<Pattern> {
    let mut variables = Variables::default();
    let templates = key.templates();
    templates
        .map(|template| condition_part(access, template, words, &mut variables))
        .collect()
}

fn condition_part(
    access: &Access,
    template: &Template,
    words: &Vocabulary<'_>,
    variables: &mut Variables,
) -> Pattern {
    let mut shown = Pattern::default();
    for part in &template.parts {
        match part {
            Part::Literal(text) => shown = shown.literal(&text.value),
            Part::Field(field) if field.mode == Mode::Plain => {
                let language = parameter_language(access, field, words);
                shown = shown.variable(variables.of_field(field), &language);
            }
            Part::Field(_) => return shown.anything(),
        }
    }
    if template.open_end {
        shown.anything()
    } else {
        shown
    }
}

/// What a parameter may be: whatever one of the returned entities has there.
fn parameter_language(access: &Access, field: &Field, words: &Vocabulary<'_>) -> Language {
    let known = access.returns.iter().filter(|id| {
        let mut names = field.attributes();
        names.all(|name| words.attribute(id.index(), &name.value).is_some())
    });
    let languages = known.map(|id| field_language(field, id.index(), words));
    let union = languages.reduce(|all, language| all.union(&language));
    union.unwrap_or_else(|| field_language(field, usize::MAX, words))
}

/// The table and the index of a key: `Orders` or `Orders.GSI1`.
pub(super) fn place_name(model: &Model, table: TableId, place: KeyPlace) -> String {
    let table = model.table(table);
    match table.index_at(place) {
        Some(index) => format!("{}.{}", table.name.value, index.name.value),
        None => table.name.value.clone(),
    }
}

/// The patterns of a version that read an entity under one of its keys.
pub(super) fn readers(model: &Model, id: EntityId, table: TableId, place: KeyPlace) -> Vec<String> {
    let reads = |access: &Access| match &access.way {
        Way::Get { table: asked, key } | Way::Query { table: asked, key } => {
            let mut returns = access.returns.iter();
            *asked == table
                && key.place == place
                && returns.any(|returned| model.kinds_of(*returned).contains(&id))
        }
        _ => false,
    };
    let patterns = model.patterns().filter(|(_, access)| reads(access));
    patterns
        .map(|(_, access)| access.name.value.clone())
        .collect()
}

/// Adds patterns that are new, changed or gone.
pub(super) fn compare(comparison: &Comparison<'_>, found: &mut Found) {
    let (old, new) = (comparison.old, comparison.new);
    for (_, access) in new.patterns() {
        let known = old.pattern_named(&access.name.value);
        let what = match known {
            None => "the pattern is new",
            Some((_, known)) if signature(old, known) != signature(new, access) => {
                "the pattern asks otherwise"
            }
            Some(_) => continue,
        };
        let stored = judge(comparison, access, found);
        let proof = "patterns are not stored: programs of the old version have their own";
        found.add(
            DifferenceKind::Pattern,
            &access.name.value,
            what,
            stored,
            Finding::works(proof),
        );
    }
    for (_, access) in old.patterns() {
        if new.pattern_named(&access.name.value).is_none() {
            let proof = "patterns are not stored: no row depends on one";
            found.add(
                DifferenceKind::Pattern,
                &access.name.value,
                "the pattern is gone",
                Finding::works(proof),
                Finding::works("programs of the old version go on with it, as far as the keys of its rows stay"),
            );
        }
    }
}

/// Whether a pattern finds rows of the old version: it does if the keys that it reads are those that they have.
fn judge(comparison: &Comparison<'_>, access: &Access, found: &Found) -> Finding {
    let new = comparison.new;
    let subjects: Vec<String> = match &access.way {
        Way::Get { table, key } | Way::Query { table, key } => {
            let place = new.table(*table).index_at(key.place);
            let entities = access.returns.iter().flat_map(|id| new.kinds_of(*id));
            entities
                .map(|id| {
                    let name = &new.entity(id).name.value;
                    place.map_or_else(
                        || name.clone(),
                        |index| format!("{name}.{}", index.name.value),
                    )
                })
                .collect()
        }
        Way::Through { entity, claim } => {
            let entity = new.entity(*entity);
            let claim = entity
                .claims
                .get(*claim)
                .map(|claim| claim.name.value.as_str());
            vec![format!(
                "{}.unique.{}",
                entity.name.value,
                claim.unwrap_or_default()
            )]
        }
        _ => Vec::new(),
    };
    let mut waiting = found.differences.iter().filter(|difference| {
        matches!(difference.kind, DifferenceKind::Key | DifferenceKind::Claim)
            && subjects.contains(&difference.subject)
    });
    match waiting.find(|difference| !matches!(difference.stored_rows, Finding::Works { .. })) {
        Some(difference) => Finding::Backfill {
            work: Work::Rows,
            rows: Vec::new(),
            why: format!(
                "it finds all rows once `{}` is backfilled; before that it misses some",
                difference.subject
            ),
            meanwhile: None,
        },
        None => Finding::works("it reads keys that rows of the old version have"),
    }
}

/// What a pattern asks for, without places in files and in lists.
fn signature(model: &Model, access: &Access) -> String {
    let returns: Vec<_> = access
        .returns
        .iter()
        .map(|id| model.entity(*id).name.value.as_str())
        .collect();
    let way = match &access.way {
        Way::Get { table, key } | Way::Query { table, key } => {
            let texts: Vec<_> = key
                .templates()
                .map(|template| template.text.as_str())
                .collect();
            format!(
                "{} {}",
                place_name(model, *table, key.place),
                texts.join(" / ")
            )
        }
        Way::Through { entity, claim } => {
            let entity = model.entity(*entity);
            let claim = entity
                .claims
                .get(*claim)
                .map(|claim| claim.name.value.as_str());
            format!(
                "through {}.{}",
                entity.name.value,
                claim.unwrap_or_default()
            )
        }
        Way::Union(parts) | Way::Steps(parts) => {
            let names: Vec<_> = parts
                .iter()
                .map(|id| model.pattern(*id).name.value.as_str())
                .collect();
            names.join(" ")
        }
        Way::Walk(_) | Way::Resolve(_) | Way::Diff(_) | Way::Pointer { .. } => String::new(),
    };
    let filter = access
        .filter
        .as_ref()
        .map(ToString::to_string)
        .unwrap_or_default();
    format!(
        "{way} {} {filter} {:?} {:?}",
        returns.join(","),
        access.order,
        access.consistent
    )
}
