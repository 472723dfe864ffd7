//! Every access pattern of a model, asked by one tenant where only another has rows.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_api::{DynamoExt, PutItemInput};
use monotable_engine::{Engine, EngineOptions, ManualClock};
use monotable_item::{AttributeValue, Item};
use monotable_model::compiled::CompiledModel;
use monotable_model::model::{
    Access, Attribute, EntityId, Kind, Mode, Model, Parameter, TimeFormat, Way,
};
use monotable_store::field_error::{FieldError, Problem};
use monotable_store::record::{self, Circumstances, Record};
use monotable_store::{Change, Page, Store};
use std::sync::Arc;
use std::time::Duration;

/// 2025-09-20T10:00:00Z
const NOW: i64 = 1_758_362_400_000_000;

fn model() -> Model {
    let path = format!(
        "{}/../../models/formkiq/model.toml",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).unwrap();
    let mut model = monotable_check::check(&text).model.unwrap();
    for table in &mut model.tables {
        // The engine has no streams.
        table.stream = None;
    }
    model
}

/// A value of a kind, always the same.
fn sample(kind: &Kind) -> AttributeValue {
    let words = ["a", "en", "Abc", "/a", "abcdefgh"];
    match kind {
        Kind::Text(rule) => {
            let word = words.iter().find(|word| rule.language.accepts(word));
            AttributeValue::from(*word.unwrap_or_else(|| panic!("{kind}")))
        }
        Kind::Integer(_) | Kind::Number(_) => AttributeValue::N(7.into()),
        Kind::Epoch => AttributeValue::N(4_000_000_000_u64.into()),
        Kind::Boolean => AttributeValue::Bool(true),
        Kind::Date => "2025-09-20".into(),
        Kind::Timestamp(TimeFormat::Micros) => "2025-09-20T10:00:00.000000Z".into(),
        Kind::Timestamp(_) => "2025-09-20T10:00:00Z".into(),
        Kind::Json => "{}".into(),
        Kind::Map => AttributeValue::M(Item::new()),
        Kind::Enum(words) => words[0].word.as_str().into(),
        Kind::Url => "https://example.org/".into(),
        Kind::Uuid => "11111111-1111-4111-8111-111111111111".into(),
        Kind::UuidV7 => "01890a5d-ac96-774b-bcce-b302099a8057".into(),
        Kind::Ulid => "01JSRH3X8Z0000000000000000".into(),
        Kind::Token(length) => "t".repeat(*length).into(),
        Kind::Binary => AttributeValue::B(vec![1]),
        Kind::List { of, .. } => AttributeValue::L(vec![sample(of), other(of)]),
        Kind::Any | Kind::Never => "a".into(),
    }
}

/// Another value of the kind, where lists need two.
fn other(kind: &Kind) -> AttributeValue {
    match kind {
        Kind::Enum(words) => words[words.len() - 1].word.as_str().into(),
        Kind::Text(_) => "b".into(),
        kind => sample(kind),
    }
}

/// A row of an entity: what is wrong with it is put right until nothing is.
fn row(model: &CompiledModel, id: EntityId, circumstances: &Circumstances) -> Option<Item> {
    let entity = model.model().entity(id);
    let mut given = Item::new();
    let value = |attribute: &Attribute| sample(&attribute.kind);
    for attribute in &entity.attributes {
        let name = attribute.name.value.as_str();
        let made = attribute.generated.is_some() && name != "tail";
        let filled = attribute.default.is_some() && entity.key_attributes().contains(&name);
        if made || filled {
            given.insert(attribute.name.value.clone(), value(attribute));
        }
    }
    for _ in 0..10 {
        let errors = match record::create(model, id, given.clone(), circumstances) {
            Ok(record) => return encoded(model, &record, circumstances),
            Err(errors) => errors,
        };
        for FieldError {
            attribute, problem, ..
        } in errors
        {
            match (problem, entity.attribute(&attribute)) {
                (Problem::Missing, Some(declared)) => {
                    given.insert(attribute, value(declared));
                }
                _ => {
                    given.remove(&attribute);
                }
            }
        }
    }
    panic!("{}", entity.name.value);
}

/// The item of a row; none if its keys are those of another row. What mechanisms put in its key is made up.
fn encoded(model: &CompiledModel, record: &Record, circumstances: &Circumstances) -> Option<Item> {
    let entity = model.model().entity(record.entity);
    let mut whole = record.clone();
    for name in entity.key_attributes() {
        if let (None, Some(attribute)) = (whole.values.get(name), entity.attribute(name))
            && attribute.position.is_some()
        {
            whole.values.insert(name, sample(&attribute.kind));
        }
    }
    record::encode(model, &whole, circumstances).ok()
}

/// A store in which one tenant has a row of every entity.
async fn filled(tenant: &str) -> Store {
    let compiled = CompiledModel::new(model());
    // Expired rows go by the clock of the store.
    let stands = ManualClock::at(Duration::from_micros(NOW.unsigned_abs()));
    let options = EngineOptions::new().clock(Arc::new(stands));
    let engine = Arc::new(options.in_memory().unwrap());
    let store = Store::new(model(), Arc::clone(&engine))
        .with_clock(|| NOW)
        .with_secret([7; 32]);
    store.tenant(tenant).setup().await.unwrap();
    let circumstances = Circumstances::at_micros(NOW)
        .entropy(7)
        .tenant(tenant)
        .principal(Item::new().with("username", "joe"));
    for (id, entity) in compiled.model().stored() {
        let Some(item) = row(&compiled, id, &circumstances) else {
            assert_eq!(entity.name.value, "SoftDeletedRow");
            continue;
        };
        let table = &compiled.model().table(entity.table).physical;
        let input = PutItemInput::new(table.clone(), item);
        DynamoExt::put_item(&*engine, input).await.unwrap();
    }
    store
}

/// What a pattern is asked with.
fn parameters(access: &Access) -> Item {
    let mut given = Item::new();
    for Parameter { name, kind, mode } in &access.parameters {
        match mode {
            Mode::Plain => {
                given.insert(name.clone(), sample(kind));
            }
            Mode::Open => {
                given.insert(name.clone(), "a");
            }
            Mode::Range if kind.is_time() => {
                given.insert(format!("{name}.from"), "2025-09-20");
                given.insert(format!("{name}.to"), "2025-09-20");
            }
            Mode::Range | Mode::Optional => {}
        }
    }
    given
}

async fn asked(store: &Store, access: &Access, owner: &str) -> Page {
    let mut given = parameters(access);
    if let Way::Pointer { .. } = access.way {
        let prefix = match owner {
            "default" => String::new(),
            owner => format!("{owner}/"),
        };
        given.insert("versionPk", format!("{prefix}docs#a"));
        given.insert("versionSk", "doc#2025-09-20T10:00:00");
    }
    let name = &access.name.value;
    let page = store.query(name, given).await;
    page.unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Whether all rows of an entity belong to nobody.
fn is_global(model: &Model, entity: &str) -> bool {
    let (_, entity) = model.entity_named(entity).unwrap();
    entity.primary().unwrap().global
}

async fn only_global(owner: &str, stranger: &str) {
    let store = filled(owner).await;
    let (own, foreign) = (store.tenant(owner), store.tenant(stranger));
    let mut silent = Vec::new();
    for access in &store.model().access {
        let name = &access.name.value;
        if asked(&own, access, owner).await.rows.is_empty() {
            silent.push(name.clone());
        }
        let page = asked(&foreign, access, owner).await;
        for row in page.rows.iter().chain(&page.followed) {
            assert!(
                is_global(store.model(), &row.entity),
                "{name} shows {stranger} a row of {owner}: {row:?}"
            );
        }
    }
    // The question means something only where the owner gets an answer.
    let all = store.model().access.len();
    assert!(
        silent.len() * 10 < all,
        "{} of {all}: {silent:?}",
        silent.len()
    );
}

#[tokio::test]
async fn the_tenant_without_a_prefix_is_not_shown_to_others() {
    only_global("default", "finance").await;
}

#[tokio::test]
async fn tenants_with_a_prefix_are_not_shown_to_the_one_without() {
    only_global("finance", "default").await;
}

#[tokio::test]
async fn tenants_with_prefixes_are_not_shown_to_each_other() {
    only_global("finance", "fin").await;
}

#[tokio::test]
async fn a_cursor_of_one_tenant_is_refused_for_another() {
    let store = filled("finance").await;
    let own = store.tenant("finance");
    let given = Item::new().with("documentId", "a");
    let page = own.query("rows_of_document", given.clone()).limit(1);
    let cursor = page.await.unwrap().cursor.unwrap();
    let next = own.query("rows_of_document", given.clone());
    assert!(next.after(cursor.clone()).await.is_ok());
    for stranger in ["default", "fin"] {
        let other = store.tenant(stranger);
        let stolen = other.query("rows_of_document", given.clone());
        assert!(stolen.after(cursor.clone()).await.is_err(), "{stranger}");
    }
}

const FREE_KEYS: &str = r#"
monotable = 1
model     = "free"

[tenant]
name   = "site"
type   = "text, matches = /[a-z]{1,20}/"
prefix = "{site}/"
bare   = "home"

[table.Main]
key  = ["PK", "SK"]
GSI1 = ["GSI1PK", "GSI1SK"]

[entity.Thing]
is     = { Type = "Thing" }
key    = ["{name}", "THING"]
GSI1   = ["THINGS", "{name}"]
global = ["GSI1"]
accept.missing_tenant = "all sites share the list; each sees its own"

[entity.Thing.attributes]
name = "text(1..100), without = /"

[access.thing]
key     = ["{name}", "THING"]
returns = ["Thing"]

[access.things]
GSI1    = ["THINGS"]
returns = ["Thing"]
"#;

#[tokio::test]
async fn a_value_that_looks_like_a_prefix_opens_nothing() {
    let checked = monotable_check::check(FREE_KEYS);
    let model = checked
        .model
        .unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
    let store = Store::new(model, Engine::in_memory().unwrap());
    store.tenant("home").setup().await.unwrap();
    let thing = |name: &str| Item::new().with("name", name);
    let (home, away) = (store.tenant("home"), store.tenant("away"));
    home.create("Thing", thing("ours")).await.unwrap();
    away.create("Thing", thing("theirs")).await.unwrap();
    // The key of their row, given as a name.
    assert!(home.query("thing", thing("away/theirs")).await.is_err());
    let (key, change) = (thing("away/theirs"), Change::default());
    assert!(home.get("Thing", key.clone()).await.is_err());
    assert!(home.update("Thing", key.clone(), change).await.is_err());
    assert!(home.delete("Thing", key).await.is_err());
    // An index that all share shows everybody their own.
    for (site, name) in [(&home, "ours"), (&away, "theirs")] {
        let page = site.query("things", Item::new()).await.unwrap();
        assert_eq!(page.rows.len(), 1);
        assert_eq!(page.rows[0].values.get("name"), Some(&name.into()));
    }
    // Whoever names no tenant is the one without a prefix.
    let found = store.query("things", Item::new()).await.unwrap();
    assert_eq!(found.rows.len(), 1);
}
