//! A refutation becomes a counterexample only if the row it shows can really be rendered.

use super::subject::RowShape;
use monotable_language::Assignment;
use monotable_model::compiled::{Shown, SourcePath, apply};
use monotable_model::model::{Attribute, EntityId, Field, Format, Kind, Root, Source, Template};
use monotable_model::shape::{Variables, Vocabulary, variable_name};
use std::collections::BTreeMap;

/// The values of a row: attributes and what else templates show, as texts.
pub(crate) type Values = BTreeMap<String, Shown>;

/// The attributes of a row with these keys, if there can be one.
pub(super) fn row(
    row: &RowShape<'_>,
    assignment: &Assignment,
    vocabulary: &Vocabulary<'_>,
) -> Option<Values> {
    let fields = row.key.templates().flat_map(Template::fields).collect();
    values(
        fields,
        row.entity.index(),
        &texts(&row.variables, assignment),
        vocabulary,
    )
}

/// The attributes of a row with this partition key, whatever its sort key.
pub(super) fn partition(
    row: &RowShape<'_>,
    assignment: &Assignment,
    vocabulary: &Vocabulary<'_>,
) -> Option<Values> {
    let templates = row.key.partition_templates();
    let fields = templates.flat_map(Template::fields).collect();
    values(
        fields,
        row.entity.index(),
        &texts(&row.variables, assignment),
        vocabulary,
    )
}

/// The attributes of an entity by which the fields of a template show these texts.
pub(super) fn template(
    template: &Template,
    entity: EntityId,
    variables: &Variables,
    assignment: &Assignment,
    vocabulary: &Vocabulary<'_>,
) -> Option<Values> {
    let fields = template.fields().collect();
    values(
        fields,
        entity.index(),
        &texts(variables, assignment),
        vocabulary,
    )
}

fn texts<'t>(variables: &'t Variables, assignment: &'t Assignment) -> BTreeMap<&'t str, &'t str> {
    variables
        .iter()
        .filter_map(|(name, id)| Some((name, assignment.get(&id)?.as_str())))
        .collect()
}

/// Values by which every field shows the text that is wanted.
fn values(
    mut fields: Vec<&Field>,
    entity: usize,
    texts: &BTreeMap<&str, &str>,
    vocabulary: &Vocabulary<'_>,
) -> Option<Values> {
    // Fields without formats decide; the others must agree with them.
    fields.sort_by_key(|field| field.formats.len());
    let mut values = Values::new();
    for field in &fields {
        let wanted = texts.get(variable_name(field).as_str())?;
        if shows(field, wanted, &values) {
            continue;
        }
        let (name, value) = candidate(field, wanted, entity, &values, vocabulary)?;
        values.insert(name, value);
    }
    // Later values must not have changed what earlier fields show.
    let all = fields.iter().all(|field| {
        let wanted = texts.get(variable_name(field).as_str());
        wanted.is_some_and(|wanted| shows(field, wanted, &values))
    });
    all.then_some(values)
}

/// Whether the field shows this text for these values.
fn shows(field: &Field, wanted: &str, values: &Values) -> bool {
    let template = monotable_model::model::Template {
        text: String::new(),
        span: field.span,
        parts: vec![monotable_model::model::Part::Field(field.clone())],
        open_end: false,
    };
    let rendered =
        monotable_model::compiled::render(&template, |path| values.get(&path_name(path)).cloned());
    rendered.is_ok_and(|rendered| rendered == wanted)
}

fn path_name(path: &SourcePath<'_>) -> String {
    let names = path.names.iter().copied();
    let parts: Vec<_> = path
        .root
        .iter()
        .map(|root| root.name())
        .chain(names)
        .collect();
    parts.join(".")
}

/// A value for a source of the field that makes it show the text.
fn candidate(
    field: &Field,
    wanted: &str,
    entity: usize,
    values: &Values,
    vocabulary: &Vocabulary<'_>,
) -> Option<(String, Shown)> {
    for source in &field.sources {
        let Source::Path { root, names, .. } = source else {
            continue;
        };
        let path: Vec<_> = names.iter().map(|name| name.value.as_str()).collect();
        let name = path_name(&SourcePath {
            root: *root,
            names: path.clone(),
        });
        if values.contains_key(&name) {
            continue;
        }
        let attribute = vocabulary.follow(entity, *root, &path);
        if attribute.is_none() && !matches!(root, Some(Root::Row | Root::Tenant)) {
            continue;
        }
        let fits = |value: &Shown| {
            let shown = field
                .formats
                .iter()
                .try_fold(value.clone(), |value, format| apply(&format.value, value));
            shown == Ok(Shown::One(wanted.to_owned()))
                && attribute.is_none_or(|attribute| holds(attribute, value))
        };
        if let Some(value) = guesses(field, wanted, attribute).into_iter().find(fits) {
            return Some((name, value));
        }
    }
    None
}

/// Values that may show the text: the text itself, and what undoes formats.
fn guesses(field: &Field, wanted: &str, attribute: Option<&Attribute>) -> Vec<Shown> {
    let mut guesses = vec![Shown::One(wanted.to_owned())];
    for format in &field.formats {
        match &format.value {
            Format::Pad(_) => {
                let digits = wanted.trim_start_matches('0');
                let digits = if digits.is_empty() { "0" } else { digits };
                guesses.push(Shown::One(digits.to_owned()));
            }
            Format::Date | Format::Time(_) => {
                let time = monotable_model::compiled::Instant::parse(wanted).ok();
                if let (Some(time), Some(Kind::Timestamp(format))) =
                    (time, attribute.map(|attribute| &attribute.kind))
                {
                    guesses.push(Shown::One(time.show(*format)));
                }
            }
            Format::Join(with) => {
                guesses.push(Shown::Many(
                    wanted.split(with.as_str()).map(str::to_owned).collect(),
                ));
                guesses.push(Shown::Many(vec![wanted.to_owned()]));
            }
            _ => {}
        }
    }
    guesses
}

/// Whether an attribute may have this value.
fn holds(attribute: &Attribute, value: &Shown) -> bool {
    match (value, &attribute.kind) {
        (Shown::One(text), Kind::Date | Kind::Timestamp(_)) => {
            monotable_model::compiled::Instant::parse(text).is_ok()
                && accepts(&attribute.kind, text)
        }
        (Shown::One(text), kind) => accepts(kind, text),
        (Shown::Many(values), Kind::List { of, .. }) => values.iter().all(|text| accepts(of, text)),
        (Shown::Many(_) | Shown::Digest { .. }, _) => false,
    }
}

fn accepts(kind: &Kind, text: &str) -> bool {
    kind.language()
        .is_some_and(|language| language.accepts(text))
}

/// The values as people read them: `PersonId = "a", TreeId = "b"`.
pub(super) fn shown(values: &Values) -> String {
    let shown: Vec<_> = values
        .iter()
        .map(|(name, value)| match value {
            Shown::One(text) => format!("{name} = \"{text}\""),
            Shown::Many(values) => format!("{name} = {values:?}"),
            Shown::Digest { mask, .. } => format!("{name} = \"{mask}\""),
        })
        .collect();
    shown.join(", ")
}
