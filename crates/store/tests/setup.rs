//! Tables that are there are brought up to date.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_api::{
    BillingMode, BoxFuture, DescribeTableInput, Dynamo, Error, IndexStatus,
    ListTagsOfResourceInput, QueryInput, Request, Response, TableDescription,
};
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_store::{Ability, ErrorKind, IndexChangeKind, SetupScope, Store};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const MODEL: &str = r##"
monotable = 1
model     = "tickets"

[table.Main]
key  = ["PK", "SK"]
GSI1 = ["owner", "PK"]

[entity.Ticket]
key = ["TICKET#{ticketId}", "TICKET"]

[entity.Ticket.attributes]
ticketId = "text, matches = /[a-z0-9]{1,20}/"
owner    = "text(1..20)"
title    = "text(1..20)"
"##;

fn with_table_keys(lines: &str) -> String {
    MODEL.replace("GSI1 = [\"owner\", \"PK\"]\n", lines)
}

fn store(text: &str, dynamo: impl Dynamo + 'static) -> Store {
    let read = monotable_model::read(text);
    Store::new(read.model.expect("a readable model"), dynamo)
}

fn describe(engine: &Engine) -> TableDescription {
    let described = engine.describe_table(DescribeTableInput::new("Main"));
    described.unwrap().table.unwrap()
}

fn indexes(engine: &Engine) -> Vec<String> {
    let indexes = describe(engine).global_secondary_indexes;
    let mut names: Vec<String> = indexes
        .into_iter()
        .flatten()
        .map(|index| index.index_name.unwrap())
        .collect();
    names.sort();
    names
}

async fn create_tickets(store: &Store, count: usize) {
    for number in 0..count {
        let ticket = Item::new()
            .with("ticketId", format!("t{number}"))
            .with("owner", "ada")
            .with("title", "broken");
        store.create("Ticket", ticket).await.unwrap();
    }
}

fn count(engine: &Engine, index: &str, attribute: &str, value: &str) -> u64 {
    let query = QueryInput {
        index_name: Some(index.into()),
        expression_attribute_names: Some([("#a".into(), attribute.into())].into()),
        expression_attribute_values: Some(Item::new().with(":v", value).into()),
        ..QueryInput::new("Main", "#a = :v")
    };
    engine.query(query).unwrap().count
}

#[tokio::test]
async fn an_index_is_added_to_a_table_with_rows() {
    let engine = Engine::in_memory().unwrap();
    let old = store(MODEL, engine.clone());
    old.setup().await.unwrap();
    create_tickets(&old, 7).await;
    let lines =
        "GSI1 = [\"owner\", \"PK\"]\nGSI2 = [\"title\", \"PK\"]\nGSI3 = [\"title\", \"owner\"]\n";
    let new = store(&with_table_keys(lines), engine.clone());
    // Commands on rows do not add it: on AWS it may take hours.
    let refused = new.make_tables().await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Integrity);
    assert!(
        refused.to_string().contains("`monotable setup` adds it"),
        "{refused}"
    );
    let planned = new.plan_setup(SetupScope::Additions).await.unwrap();
    assert_eq!(indexes(&engine), ["GSI1"]);
    let made = new.setup().await.unwrap();
    assert_eq!(made, planned);
    let added: Vec<_> = made[0]
        .indexes
        .iter()
        .map(|change| change.index.as_str())
        .collect();
    assert_eq!(added, ["GSI2", "GSI3"]);
    assert_eq!(indexes(&engine), ["GSI1", "GSI2", "GSI3"]);
    assert_eq!(count(&engine, "GSI2", "title", "broken"), 7);
    assert_eq!(count(&engine, "GSI3", "title", "broken"), 7);
    assert!(new.setup().await.unwrap()[0].is_unchanged());
}

#[tokio::test]
async fn an_index_is_dropped_only_when_that_is_allowed() {
    let engine = Engine::in_memory().unwrap();
    let old = store(MODEL, engine.clone());
    old.setup().await.unwrap();
    create_tickets(&old, 3).await;
    // Without the index: it stays, and is told of.
    let without = store(&with_table_keys(""), engine.clone());
    let kept = without.setup().await.unwrap();
    assert_eq!(kept[0].unknown_indexes, ["GSI1"]);
    assert!(kept[0].is_unchanged());
    // With another key, or other attributes: an error that changes nothing.
    for lines in [
        "GSI1 = [\"title\", \"PK\"]\n",
        "GSI1 = { key = [\"owner\", \"PK\"], project = \"keys\" }\n",
    ] {
        let other = store(&with_table_keys(lines), engine.clone());
        let refused = other.setup().await.unwrap_err();
        assert!(refused.to_string().contains("--drop-indexes"), "{refused}");
        assert_eq!(count(&engine, "GSI1", "owner", "ada"), 3);
    }
    let other = store(
        &with_table_keys("GSI1 = [\"title\", \"PK\"]\n"),
        engine.clone(),
    );
    let made = other
        .setup_within(SetupScope::Everything, &|_| {})
        .await
        .unwrap();
    assert!(made[0].drops());
    assert_eq!(count(&engine, "GSI1", "title", "broken"), 3);
    let made = without
        .setup_within(SetupScope::Everything, &|_| {})
        .await
        .unwrap();
    assert_eq!(made[0].indexes[0].kind, IndexChangeKind::Dropped);
    assert_eq!(indexes(&engine), Vec::<String>::new());
}

#[tokio::test]
async fn billing_protection_and_tags_follow_the_model() {
    let engine = Engine::in_memory().unwrap();
    store(MODEL, engine.clone()).setup().await.unwrap();
    let lines = "GSI1 = [\"owner\", \"PK\"]\nGSI2 = [\"title\", \"PK\"]\nbilling = { read = 7, write = 3 }\n\
                 deletion_protection = true\ntags = { team = \"support\", stage = \"test\" }\n";
    let new = store(&with_table_keys(lines), engine.clone());
    let made = new.setup().await.unwrap();
    assert_eq!(
        made[0].changed,
        ["billing mode", "deletion protection", "tags"]
    );
    let table = describe(&engine);
    let units = table.provisioned_throughput.unwrap();
    assert_eq!(
        (units.read_capacity_units, units.write_capacity_units),
        (Some(7), Some(3))
    );
    for index in table.global_secondary_indexes.unwrap() {
        let units = index.provisioned_throughput.unwrap();
        assert_eq!(units.read_capacity_units, Some(7), "{:?}", index.index_name);
    }
    assert_eq!(table.deletion_protection_enabled, Some(true));
    let tags = engine.list_tags_of_resource(ListTagsOfResourceInput::new(table.table_arn.unwrap()));
    assert_eq!(tags.unwrap().tags.unwrap().len(), 2);
    assert!(new.setup().await.unwrap()[0].is_unchanged());
    // What the model does not say stays as it is.
    assert!(store(MODEL, engine.clone()).setup().await.unwrap()[0].is_unchanged());
    let lines = "GSI1 = [\"owner\", \"PK\"]\nGSI2 = [\"title\", \"PK\"]\nbilling = \"on_demand\"\ndeletion_protection = false\n";
    let back = store(&with_table_keys(lines), engine.clone());
    assert_eq!(
        back.setup().await.unwrap()[0].changed,
        ["billing mode", "deletion protection"]
    );
    let table = describe(&engine);
    let mode = table.billing_mode_summary.unwrap().billing_mode;
    assert_eq!(mode, Some(BillingMode::PayPerRequest));
    assert_eq!(table.deletion_protection_enabled, Some(false));
}

#[tokio::test]
async fn an_index_of_a_table_that_is_paid_ahead_is_paid_ahead() {
    let engine = Engine::in_memory().unwrap();
    let paid = with_table_keys("billing = { read = 2, write = 4 }\n");
    store(&paid, engine.clone()).setup().await.unwrap();
    store(MODEL, engine.clone()).setup().await.unwrap();
    let index = describe(&engine)
        .global_secondary_indexes
        .unwrap()
        .remove(0);
    let units = index.provisioned_throughput.unwrap();
    assert_eq!(
        (units.read_capacity_units, units.write_capacity_units),
        (Some(2), Some(4))
    );
}

/// An engine whose indexes look unfinished for the first looks, as AWS's do.
struct Slow {
    engine: Engine,
    looks: AtomicUsize,
    /// The names of those that show as being made.
    unfinished: Mutex<Option<String>>,
    /// They vanish instead of being finished.
    vanish: bool,
}

impl Dynamo for Slow {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        Box::pin(async move {
            let is_look = matches!(request, Request::DescribeTable(_));
            if let Request::UpdateTable(update) = &request {
                let created = update.global_secondary_index_updates.iter().flatten();
                for index in created.filter_map(|update| update.create.as_ref()) {
                    *self.unfinished.lock().unwrap() = index.index_name.clone();
                    self.looks.store(0, Ordering::SeqCst);
                }
            }
            let mut answer = self.engine.call(request).await;
            if let Ok(Response::DescribeTable(output)) = &mut answer
                && is_look
                && let Some(name) = self.unfinished.lock().unwrap().clone()
            {
                let looks = self.looks.fetch_add(1, Ordering::SeqCst);
                let table = output.table.as_mut().unwrap();
                let indexes = table.global_secondary_indexes.as_mut().unwrap();
                if looks >= 3 && self.vanish {
                    indexes.retain(|index| index.index_name.as_ref() != Some(&name));
                } else if looks < 3 {
                    for index in indexes {
                        if index.index_name.as_ref() == Some(&name) {
                            index.index_status = Some(IndexStatus::Creating);
                        }
                    }
                }
            }
            answer
        })
    }
}

fn slow(engine: &Engine, unfinished: Option<&str>, vanish: bool) -> Slow {
    Slow {
        engine: engine.clone(),
        looks: AtomicUsize::new(0),
        unfinished: Mutex::new(unfinished.map(ToOwned::to_owned)),
        vanish,
    }
}

#[tokio::test]
async fn a_half_made_index_is_waited_for() {
    let engine = Engine::in_memory().unwrap();
    store(MODEL, engine.clone()).setup().await.unwrap();
    let waits = AtomicUsize::new(0);
    let half = store(MODEL, slow(&engine, Some("GSI1"), false));
    let watch = |progress: monotable_store::SetupProgress<'_>| {
        assert_eq!(progress.index, Some("GSI1"));
        waits.fetch_add(1, Ordering::SeqCst);
    };
    let made = half
        .setup_within(SetupScope::Additions, &watch)
        .await
        .unwrap();
    assert_eq!(made[0].indexes[0].kind, IndexChangeKind::Awaited);
    assert!(waits.load(Ordering::SeqCst) > 0);
}

#[tokio::test]
async fn an_index_that_dynamodb_gives_up_is_an_error() {
    let engine = Engine::in_memory().unwrap();
    store(&with_table_keys(""), engine.clone())
        .setup()
        .await
        .unwrap();
    let error = store(MODEL, slow(&engine, None, true))
        .setup()
        .await
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("was given up before it had all items"),
        "{error}"
    );
}

/// A target that knows neither tags nor protection.
struct Poor(Engine);

impl Dynamo for Poor {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        let message = "no".to_owned();
        match request {
            Request::ListTagsOfResource(_) => {
                Box::pin(async { Err(Error::UnknownOperationException { message }) })
            }
            Request::UpdateTable(update) if update.deletion_protection_enabled.is_some() => {
                Box::pin(async { Err(Error::ValidationException { message }) })
            }
            request => self.0.call(request),
        }
    }
}

#[tokio::test]
async fn what_a_target_cannot_do_is_said() {
    let engine = Engine::in_memory().unwrap();
    let lines = "deletion_protection = true\ntags = { team = \"support\" }\n";
    let poor = store(&with_table_keys(lines), Poor(engine));
    let made = poor.setup().await.unwrap();
    assert_eq!(made[0].lacks, ["deletion protection", "tags"]);
    assert_eq!(made[0].changed, Vec::<&str>::new());
}

/// A target that has no transactions.
struct Untransacted(Engine);

impl Dynamo for Untransacted {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        match request {
            Request::TransactWriteItems(_) => {
                let message = String::new();
                Box::pin(async { Err(Error::UnknownOperationException { message }) })
            }
            request => self.0.call(request),
        }
    }
}

#[tokio::test]
async fn a_model_that_needs_transactions_is_refused_by_a_target_without_them() {
    let engine = Engine::in_memory().unwrap();
    let unique = format!("{MODEL}\n[entity.Ticket.unique.Title]\nkey = \"TITLE#{{title}}\"\n");
    for refused in [
        store(&unique, Untransacted(engine.clone()))
            .setup()
            .await
            .map(|_| ()),
        store(&unique, Untransacted(engine.clone()))
            .plan_setup(SetupScope::Additions)
            .await
            .map(|_| ()),
    ] {
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains("entity.Ticket.unique.Title"), "{refused}");
    }
    assert!(
        engine
            .describe_table(DescribeTableInput::new("Main"))
            .is_err()
    );
    // One that does not need them is not.
    store(MODEL, Untransacted(engine.clone()))
        .setup()
        .await
        .unwrap();
}

#[tokio::test]
async fn a_target_is_refused_for_what_it_is_said_to_lack() {
    let engine = Engine::in_memory().unwrap();
    let lines = "ttl = \"gone\"\nstream = \"keys\"\nNarrow = { key = [[\"title\", \"place\"]], project = \"keys\" }\n";
    let text = with_table_keys(lines).replace(
        "title    = ",
        "gone = \"epoch?\"\nplace = \"text?\"\ntitle    = ",
    );
    let needy = store(&text, engine.clone());
    for (lacking, told) in [
        (Ability::TimeToLive, "table.Main.ttl is declared"),
        (Ability::Streams, "table.Main.stream is declared"),
        (
            Ability::LongIndexKeys,
            "table.Main.Narrow has several attributes",
        ),
    ] {
        let refused = needy.refuse_target_without(&[Ability::Tags, lacking]);
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains(told), "{lacking}: {refused}");
    }
    let others = [Ability::Transactions, Ability::Tags, Ability::LocalIndexes];
    needy.refuse_target_without(&others).unwrap();
    needy.probe_target().await.unwrap();
    for ability in Ability::ALL {
        assert_eq!(ability.name().parse(), Ok(ability));
    }
}
