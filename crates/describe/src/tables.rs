//! Tables and their indexes.

use super::anchor::{Place, anchor};
use super::block::Block;
use super::inline::Inline;
use super::sentence;
use monotable_model::model::{Billing, Environment, Index, Model, Projection, Stream, Table};
use monotable_model::span::Name;

/// What DynamoDB is set up with.
pub(crate) fn blocks(model: &Model) -> Vec<Block> {
    let mut blocks = vec![Block::heading(2, "tables", "Tables and indexes")];
    for table in &model.tables {
        blocks.extend(self::table(table));
    }
    if !model.environments.is_empty() {
        blocks.push(Block::caption("Names of tables in each environment"));
        let rows = model.environments.iter();
        blocks.push(Block::table(
            "Environments",
            &["Environment", "Names in DynamoDB", "About"],
            rows.map(|environment| self::environment(model, environment))
                .collect(),
        ));
    }
    if !model.settings.is_empty() {
        blocks.push(Block::caption("Settings of a deployment"));
        let rows = model.settings.iter().map(super::attributes::plain_row);
        blocks.push(Block::table(
            "Settings",
            &["Setting", "Kind", "Default"],
            rows.collect(),
        ));
    }
    blocks
}

fn environment(model: &Model, environment: &Environment) -> Vec<Inline> {
    let names = model
        .tables()
        .map(|(id, table)| Inline::of_code(environment.name_table(id, &table.physical)));
    let about = environment.notes.about.clone().unwrap_or_default();
    vec![
        Inline::of_code(&environment.name.value),
        Inline::join(names, ", "),
        Inline::prose(&about),
    ]
}

fn table(table: &Table) -> Vec<Block> {
    let name = &table.name.value;
    let mut blocks = vec![Block::heading(
        3,
        anchor(Place::Table, name),
        Inline::new().text("Table ").code(name),
    )];
    blocks.extend(sentence::about(&table.notes).map(Block::Paragraph));
    blocks.push(Block::Facts(facts(table)));
    let mut rows = vec![vec![
        Inline::new().strong("table key"),
        Inline::of_code(&table.hash.value),
        optional(table.range.as_ref().map(|name| name.value.as_str())),
        Inline::prose("everything"),
        Inline::prose("table"),
    ]];
    rows.extend(table.indexes.iter().map(index));
    blocks.push(Block::table(
        format!("Keys of table {name}"),
        &["Index", "Partition key", "Sort key", "Holds", "Kind"],
        rows,
    ));
    blocks
}

fn facts(table: &Table) -> Vec<(String, Inline)> {
    let ttl = match &table.ttl {
        Some(name) => Inline::new()
            .text("on ")
            .code(&name.value)
            .text(", seconds since 1970"),
        None => "off".into(),
    };
    let stream = match table.stream {
        Some(stream) => Inline::of_code(stream_name(stream)),
        None => "off".into(),
    };
    let recovery = if table.pitr { "on" } else { "off" };
    let mut facts = vec![
        (
            "Name in DynamoDB".to_owned(),
            Inline::of_code(&table.physical),
        ),
        ("Time to live".to_owned(), ttl),
        ("Stream".to_owned(), stream),
        ("Point-in-time recovery".to_owned(), recovery.into()),
    ];
    if let Some(is_on) = table.deletion_protection {
        let protection = if is_on { "on" } else { "off" };
        facts.push(("Deletion protection".to_owned(), protection.into()));
    }
    match table.billing {
        None => {}
        Some(Billing::OnDemand) => facts.push(("Paid".to_owned(), "by use".into())),
        Some(Billing::Provisioned { read, write }) => {
            let units = format!("ahead, {read} read and {write} write units per second");
            facts.push(("Paid".to_owned(), Inline::prose(&units)));
        }
    }
    if !table.tags.is_empty() {
        let tags = table.tags.iter();
        let tags = tags.map(|(key, value)| Inline::of_code(format!("{key} = {value}")));
        facts.push(("Tags".to_owned(), Inline::join(tags, ", ")));
    }
    facts
}

const fn stream_name(stream: Stream) -> &'static str {
    match stream {
        Stream::NewAndOld => "NEW_AND_OLD_IMAGES",
        Stream::New => "NEW_IMAGE",
        Stream::Old => "OLD_IMAGE",
        Stream::Keys => "KEYS_ONLY",
    }
}

fn index(index: &Index) -> Vec<Inline> {
    let mut name = Inline::of_code(&index.name.value);
    if index.physical != index.name.value {
        name = name.text(", in DynamoDB ").code(&index.physical);
    }
    let holds = match &index.projection {
        Projection::All => Inline::prose("all attributes"),
        Projection::Keys => Inline::prose("keys only"),
        Projection::Include(names) => Inline::new()
            .text("keys and ")
            .then(Inline::join(names.iter().map(Inline::of_code), ", ")),
    };
    let kind = if index.local { "local" } else { "global" };
    vec![
        name,
        attributes(std::iter::once(&index.hash).chain(&index.further.hash)),
        attributes(index.range.iter().chain(&index.further.range)),
        holds,
        kind.into(),
    ]
}

/// The attributes of one part of a key.
fn attributes<'n>(names: impl Iterator<Item = &'n Name>) -> Inline {
    let names: Vec<_> = names.map(|name| Inline::of_code(&name.value)).collect();
    if names.is_empty() {
        "none".into()
    } else {
        Inline::join(names, ", ")
    }
}

fn optional(name: Option<&str>) -> Inline {
    name.map_or_else(|| "none".into(), Inline::of_code)
}
