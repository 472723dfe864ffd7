//! How templates are read, with the formats that the model uses.

use super::block::Block;
use super::inline::Inline;
use monotable_model::model::{Assigned, Format, Guard, Key, Model, Template, TimeFormat, Way};
use std::collections::BTreeMap;

/// The legend of templates.
pub(crate) fn blocks(model: &Model) -> Vec<Block> {
    let mut blocks = vec![
        Block::heading(3, "templates", "How to read a template"),
        Block::paragraph(
            "`{name}` stands for the value of an attribute; everything else is written as it stands. `{a|b}` is the \
             first that is present, `{a|}` else nothing. If a value is absent, the row is not in that index. A format \
             after a colon changes the value, from left to right. In a request, `{name}` is a parameter and \
             `<read 1: name>` is what request 1 answered; `<day>` and `<shard>` are each day and each shard in turn. \
             `\\uDBFF\\uDFFF` is the last character, U+10FFFF: a range that ends in it holds every key that begins \
             like its end.",
        ),
    ];
    let formats = formats(model);
    if !formats.is_empty() {
        let rows = formats
            .into_iter()
            .map(|(name, meaning)| vec![Inline::of_code(format!(":{name}")), meaning.into()]);
        blocks.push(Block::table(
            "Formats",
            &["Format", "What it does"],
            rows.collect(),
        ));
    }
    blocks
}

fn formats(model: &Model) -> BTreeMap<String, String> {
    let fields = templates(model).flat_map(Template::fields);
    let formats = fields.flat_map(|field| &field.formats);
    formats
        .map(|format| (format.value.to_string(), meaning(&format.value)))
        .collect()
}

fn templates(model: &Model) -> impl Iterator<Item = &Template> {
    let entities = model.entities.iter();
    let keys = entities.flat_map(|entity| {
        let layouts = entity.layouts.iter().flat_map(|layout| &layout.keys);
        entity.keys.iter().chain(layouts)
    });
    let guards = model.entities.iter().flat_map(|entity| &entity.claims);
    let guards = guards.flat_map(|claim| match &claim.guard {
        Guard::Row { key, .. } => key.templates().collect(),
        Guard::Entity { set, .. } => {
            let values = set.iter().map(|assignment| &assignment.value);
            values
                .filter_map(super::sentence::assigned_template)
                .collect()
        }
        Guard::Snapshot => Vec::new(),
    });
    let patterns = model.access.iter().filter_map(|access| match &access.way {
        Way::Get { key, .. } | Way::Query { key, .. } => Some(&**key),
        _ => None,
    });
    let carried = model.carries.iter().flat_map(|carry| &carry.set);
    let carried = carried.filter_map(|assignment| match &assignment.value {
        Assigned::Template(template) => Some(template),
        Assigned::Flag(_) | Assigned::Number(_) => None,
    });
    keys.chain(patterns)
        .flat_map(Key::templates)
        .chain(guards)
        .chain(carried)
}

fn meaning(format: &Format) -> String {
    match format {
        Format::Date => "the day of a time, in UTC: `2025-09-20`".to_owned(),
        Format::Time(time) => format!("a time in UTC, written `{}`", example(*time)),
        Format::Pad(width) => format!("a number with zeros in front, {width} digits wide"),
        Format::Trim(None) => "without blanks at both ends".to_owned(),
        Format::Trim(Some(only)) => format!("without `{only}` at both ends"),
        Format::Lower => "in lower case".to_owned(),
        Format::Upper => "in upper case".to_owned(),
        Format::Nfkc => "in Unicode's form NFKC".to_owned(),
        Format::Nfc => "in Unicode's form NFC".to_owned(),
        Format::Nfd => "in Unicode's form NFD".to_owned(),
        Format::E164(None) => "a phone number in the form E.164: `+4912345`".to_owned(),
        Format::E164(Some(country)) => format!(
            "a phone number in the form E.164: `+4912345`; one without a country's code is of +{country}"
        ),
        Format::Mask { first, last } => {
            format!("the first {first} and the last {last} characters, the rest as stars")
        }
        Format::Sha256 => "its SHA-256, in hexadecimal".to_owned(),
        Format::Fit(bytes) => {
            format!("at most {bytes} bytes; what is longer ends in a hash of the whole")
        }
        Format::Shard(shards) => format!("the number of one of {shards} shards, by hash"),
        Format::Sort => "a list in order".to_owned(),
        Format::Join(with) => format!("a list as one text, with `{with}` between"),
        Format::Next => "the day after".to_owned(),
    }
}

const fn example(time: TimeFormat) -> &'static str {
    match time {
        TimeFormat::Seconds => "2025-09-20T10:11:12",
        TimeFormat::Zoned => "2025-09-20T10:11:12+0000",
        TimeFormat::Millis => "2025-09-20T10:11:12.123Z",
        TimeFormat::Micros => "2025-09-20T10:11:12.123456Z",
    }
}
