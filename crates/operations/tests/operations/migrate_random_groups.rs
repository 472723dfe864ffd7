//! Random entities, split and merged at random: what a plan proves of rows holds for rows of every word, and what it shows as a
//! counterexample really is no row of the other version, or of two of its entities. `MONOTABLE_CASES` sets how many pairs are tried.

use crate::shop::store_of;
use fastrand::Rng;
use monotable_api::ScanInput;
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_migrate::{
    DecidedBy, Difference, DifferenceKind, Finding, Plan, RowExample, SideBySide, Verdict, Work,
};
use monotable_model::model::Model;
use monotable_store::Store;

const WORDS: [&str; 4] = ["ape", "bee", "cow", "dog"];

/// What tells the rows of entities apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Discriminator {
    ByAttribute,
    ByKey,
}

/// Entities, each with the words that its rows have.
#[derive(Clone)]
struct Version {
    told: Discriminator,
    entities: Vec<(String, Vec<&'static str>)>,
}

fn random_version(random: &mut Rng, told: Discriminator) -> Version {
    let mut groups: Vec<Vec<&'static str>> = vec![Vec::new(); random.usize(1..4)];
    for word in WORDS {
        // Now and then a word is of nobody, or of two.
        for _ in 0..[1, 1, 1, 1, 1, 1, 0, 2][random.usize(0..8)] {
            let at = random.usize(0..groups.len());
            if !groups[at].contains(&word) {
                groups[at].push(word);
            }
        }
    }
    groups.retain(|words| !words.is_empty());
    let name = |words: &Vec<&str>, at: usize| {
        let first = words[0].chars().next().unwrap().to_uppercase();
        format!("{first}{}{at}", words.len())
    };
    let entities = groups.iter().enumerate();
    let entities = entities.map(|(at, words)| (name(words, at), words.clone()));
    Version {
        told,
        entities: entities.collect(),
    }
}

impl Version {
    fn to_toml(&self) -> String {
        let mut text =
            "monotable = 1\nmodel = \"zoo\"\n\n[table.Shop]\nkey = [\"PK\", \"SK\"]\n".to_owned();
        for (name, words) in &self.entities {
            let (is, sort, kind) = match (self.told, words.as_slice()) {
                (Discriminator::ByAttribute, [word]) => (
                    format!("is = {{ kind = \"{word}\" }}\n"),
                    "N#{id}".to_owned(),
                    String::new(),
                ),
                (Discriminator::ByAttribute, words) => (
                    String::new(),
                    "N#{id}".to_owned(),
                    format!("kind = \"{}, immutable\"\n", words.join(" | ")),
                ),
                (Discriminator::ByKey, [word]) => {
                    (String::new(), format!("{word}#{{id}}"), String::new())
                }
                (Discriminator::ByKey, words) => (
                    String::new(),
                    "{kind}#{id}".to_owned(),
                    format!("kind = \"{}, key_only\"\n", words.join(" | ")),
                ),
            };
            text += &format!(
                "\n[entity.{name}]\n{is}key = [\"Z\", \"{sort}\"]\n\n[entity.{name}.attributes]\nid = \"text, matches = /[0-9]{{1,6}}/\"\n{kind}"
            );
        }
        text
    }

    /// A row of each entity with each of its words.
    fn rows(&self) -> Vec<(&str, Item)> {
        let mut rows = Vec::new();
        for (name, words) in &self.entities {
            for word in words {
                let mut row = Item::new().with("id", (rows.len() + 1).to_string().as_str());
                if words.len() > 1 {
                    row.insert("kind", *word);
                }
                rows.push((name.as_str(), row));
            }
        }
        rows
    }
}

fn read(text: &str) -> Model {
    let read = monotable_model::read(text);
    read.model
        .unwrap_or_else(|| panic!("{text}\n{:?}", read.diagnostics))
}

/// The item that a version makes of a row, alone in a table.
async fn item_of(writer: &str, entity: &str, row: Item) -> Item {
    let engine = Engine::in_memory().unwrap();
    let store = store_of(writer, engine.clone());
    store.setup().await.unwrap();
    store.create(entity, row).await.unwrap();
    let found = engine.scan(ScanInput::new("Shop")).unwrap().items.unwrap();
    let mut items = found.iter().map(|item| item.to_item());
    let is_row = |item: &Item| !format!("{:?}", item.get("PK")).contains("monotable#");
    items.find(is_row).unwrap()
}

/// The entity that a version takes an item for.
fn taken_for(reader: &str, item: &Item) -> Option<String> {
    let store: Store = store_of(reader, Engine::in_memory().unwrap());
    store
        .read_image(Some("Shop"), item)
        .map(|image| image.row.entity)
}

/// The values of a row that a caller gives: not those by which the entity is told.
fn example(writer: &str, row: &RowExample) -> Item {
    let model = read(writer);
    let (_, entity) = model.entity_named(&row.entity).unwrap();
    let is_told = |name: &String| {
        let mut told = entity.is.iter();
        told.any(|known| known.attribute.value == *name)
    };
    let given = row.values.iter().filter(|(name, _)| !is_told(name));
    given
        .map(|(name, value)| (name.clone(), value.as_str().unwrap().into()))
        .collect()
}

/// Whether a reader does not know a row, or knows it as another entity once its own stand in another order.
async fn fails(writer: &str, reader: &Version, row: &RowExample) -> bool {
    let item = item_of(writer, &row.entity, example(writer, row)).await;
    let mut reversed = reader.clone();
    reversed.entities.reverse();
    let (one, other) = (
        taken_for(&reader.to_toml(), &item),
        taken_for(&reversed.to_toml(), &item),
    );
    one.is_none() || one != other
}

fn is_works(finding: &Finding) -> bool {
    matches!(finding, Finding::Works { .. })
}

/// Whether the plan says that every stored row is known.
fn knows_rows(difference: &Difference) -> bool {
    match &difference.stored_rows {
        Finding::Works { .. } => true,
        Finding::Backfill { work, .. } => *work != Work::Deletion,
        _ => false,
    }
}

#[tokio::test]
async fn plans_are_right_about_rows_of_split_and_merged_entities() {
    let cases = std::env::var("MONOTABLE_CASES")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(150);
    let (mut proved, mut broken, mut together) = (0, 0, 0);
    for seed in 0..cases {
        let mut random = Rng::with_seed(seed);
        let told = if random.bool() {
            Discriminator::ByAttribute
        } else {
            Discriminator::ByKey
        };
        let old = random_version(&mut random, told);
        let new = random_version(&mut random, told);
        let (old_text, new_text) = (old.to_toml(), new.to_toml());
        let plan = Plan::new(&read(&old_text), &read(&new_text), None);
        let context = format!("seed {seed}\n{old_text}\n{new_text}\n{plan:#?}");
        for difference in plan
            .differences
            .iter()
            .filter(|found| found.kind == DifferenceKind::Entity)
        {
            if let Finding::Breaks {
                counterexample,
                decided_by,
                ..
            } = &difference.stored_rows
            {
                broken += 1;
                let row = &counterexample.row;
                assert!(
                    fails(&old_text, &new, row).await,
                    "stored {row:?}: {context}"
                );
                let item = item_of(&old_text, &row.entity, example(&old_text, row)).await;
                let is_unknown = taken_for(&new_text, &item).is_none();
                assert_eq!(*decided_by == DecidedBy::Rows, is_unknown, "{context}");
            }
        }
        if plan.refusals.is_empty() && plan.differences.iter().all(knows_rows) {
            proved += 1;
            for (entity, row) in old.rows() {
                let item = item_of(&old_text, entity, row.clone()).await;
                assert!(
                    taken_for(&new_text, &item).is_some(),
                    "{entity} {row:?}: {context}"
                );
            }
        }
        let bears_new_rows = plan
            .differences
            .iter()
            .all(|found| is_works(&found.old_programs));
        let bears_old_rows = plan
            .differences
            .iter()
            .all(|found| found.stored_rows.verdict() <= Verdict::Backfill);
        let is_proved = bears_new_rows && bears_old_rows;
        assert_eq!(
            is_proved,
            plan.side_by_side == SideBySide::Together,
            "{context}"
        );
        // A version of which two entities have one row is not sound in itself.
        let words: usize = new.entities.iter().map(|(_, words)| words.len()).sum();
        if bears_new_rows && plan.refusals.is_empty() && words <= WORDS.len() {
            together += 1;
            for (entity, row) in new.rows() {
                let item = item_of(&new_text, entity, row.clone()).await;
                let is_new = plan
                    .differences
                    .iter()
                    .any(|found| found.subject == entity && found.what == "the entity is new");
                assert!(
                    is_new || taken_for(&old_text, &item).is_some(),
                    "{entity} {row:?}: {context}"
                );
            }
        }
    }
    assert!(
        proved > cases / 20 && broken > cases / 20 && together > cases / 20,
        "{proved} {broken} {together} of {cases}"
    );
}
