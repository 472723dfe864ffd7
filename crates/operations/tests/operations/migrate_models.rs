//! Each of the five models taken through a change, with clients of both versions running during it.

use monotable_engine::Engine;
use monotable_migrate::{Plan, SideBySide, bridge_layouts, write_bridge};
use monotable_model::model::Model;
use monotable_operations::{Generator, Journal, MigrationOptions, Migrator, OldPrograms};
use monotable_store::{Store, VerifyOptions};
use std::path::Path;

fn text(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    std::fs::read_to_string(folder.join(name).join("model.toml")).unwrap()
}

fn changed(text: &str, changes: &[(&str, &str)]) -> String {
    let mut text = text.to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    text
}

fn read(text: &str) -> Model {
    let read = monotable_model::read(text);
    read.model
        .unwrap_or_else(|| panic!("{:?}", read.diagnostics))
}

/// A client that makes rows up, by this seed.
async fn write_rows(store: &Store, seed: u64) -> u64 {
    Generator::new(store, seed)
        .generate(60, &|_| {})
        .await
        .unwrap()
        .total()
}

async fn migrate(old: &str, new: &str) -> Plan {
    let engine = Engine::in_memory().unwrap();
    let (old_model, new_model) = (read(old), read(new));
    let layouts = bridge_layouts(&old_model, &new_model);
    let bridge = (!layouts.is_empty()).then(|| write_bridge(new, &layouts));
    let plan = Plan::new(&old_model, &new_model, bridge.as_deref().map(read).as_ref());
    assert_eq!(plan.refusals, [] as [String; 0]);
    assert!(
        !matches!(plan.side_by_side, SideBySide::Apart { .. }),
        "{:#?}",
        plan.side_by_side
    );
    let old_store = Store::new(old_model, engine.clone());
    old_store.setup().await.unwrap();
    assert!(write_rows(&old_store, 1).await > 20);
    let new_store = Store::new(new_model, engine.clone());
    // What runs beside the old version: the new one, or the bridge if a key has changed.
    let beside = match &bridge {
        Some(bridge) => Store::new(read(bridge), engine.clone()),
        None => new_store.clone(),
    };
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(&folder.path().join("journal"), "model").unwrap();
    let backup = folder.path().join("backup");
    let mut options = MigrationOptions {
        old_programs: OldPrograms::Running,
        backup: Some(&backup),
        on_demand: None,
        cleans_up: false,
        verify: VerifyOptions::default(),
        now: jiff::Timestamp::UNIX_EPOCH,
    };
    let migrator = Migrator::new(&old_store, &new_store, &plan);
    let watch = |_, _| {};
    let (first, by_old, by_new) = tokio::join!(
        migrator.run(&mut journal, &options, &watch),
        write_rows(&old_store, 2),
        write_rows(&beside, 3),
    );
    assert!(first.unwrap().waits_for_switch);
    assert!(by_old > 20 && by_new > 20);
    // The old version and the bridge end; the new one goes on while the migration is completed.
    options.old_programs = OldPrograms::Stopped;
    let (second, _) = tokio::join!(
        migrator.run(&mut journal, &options, &watch),
        write_rows(&new_store, 4),
    );
    second.unwrap();
    let found = new_store.verify().await.unwrap();
    assert!(found.violations.is_empty(), "{:?}", found.violations);
    assert_eq!(found.unknown, 0, "{:?}", found.unknown_items);
    assert!(new_store.is_adopted().await.unwrap());
    plan
}

#[tokio::test]
async fn yggdrasil_gets_an_index() {
    let old = text("yggdrasil");
    let index = old
        .lines()
        .find(|line| line.starts_with("GSI3") && line.contains("GSI3PK"))
        .unwrap()
        .to_owned();
    let more = format!("{index}\nGSI4 = [\"GSI4PK\", \"GSI4SK\"]");
    let key = "GSI3   = [\"USER#{UserId}\",     \"PERSON#{CreatedAt}#{n}\"]";
    let keys =
        format!("{key}\nGSI4   = [\"USER#{{UserId}}\", \"LAST#{{LastName:lower}}#{{PersonId}}\"]");
    let new = changed(&old, &[(&index, &more), (key, &keys)])
        + "\n[access.persons_by_last_name]\nGSI4    = [\"USER#{UserId}\", \"LAST#*\"]\nreturns = [\"Person\"]\n";
    let plan = migrate(&old, &new).await;
    assert_eq!(plan.side_by_side, SideBySide::Together);
}

#[tokio::test]
async fn authorization_moves_its_policies() {
    let old = text("authorization");
    let new = changed(
        &old,
        &[
            ("[\"GLOBAL\", ", "[\"POLICIES\", "),
            (
                "[entity.Policy.attributes]",
                "[entity.Policy.layout.before]\nkey = [\"GLOBAL\", \"POLICY_NAME#{name}\"]\n\n[entity.Policy.attributes]",
            ),
        ],
    );
    let plan = migrate(&old, &new).await;
    assert!(matches!(plan.side_by_side, SideBySide::Bridge { .. }));
}

#[tokio::test]
async fn processproof_requires_another_attribute() {
    let old = text("processproof");
    let line = "conveysAuthorization = \"boolean, default = false\"";
    let new = changed(
        &old,
        &[(
            line,
            "weight = \"integer(0..), default = 1\"\nconveysAuthorization = \"boolean, default = false\"",
        )],
    );
    migrate(&old, &new).await;
}

#[tokio::test]
async fn formkiq_renames_an_attribute() {
    let old = text("formkiq");
    let new = changed(
        &old,
        &[(
            "isInUse       = \"boolean?\"",
            "isUsed        = \"boolean?, stored = isInUse\"",
        )],
    );
    let plan = migrate(&old, &new).await;
    assert!(plan.is_compatible());
}

/// The rows of the model itself are those of repositories; the entity that is split is beside them.
#[tokio::test]
async fn values_splits_an_entity() {
    let entity = |name: &str, is: &str, kind: &str| {
        format!(
            "\n[entity.{name}]\nis  = {{ {is} }}\nkey = [\"U#{{userId}}\", \"REMINDER#{{reminderId}}\"]\n\n[entity.{name}.attributes]\nuserId     = \"text(1..20), matches = /[a-z]+/\"\nreminderId = \"ulid, generated\"\n{kind}text = \"text(1..50)\"\n"
        )
    };
    let values = text("values");
    let old = values.clone()
        + &entity(
            "Reminder",
            "Sort = \"Reminder\"",
            "kind = \"memo | task\"\n",
        );
    let new = values
        + &entity("Memo", "Sort = \"Reminder\", kind = \"memo\"", "")
        + &entity("Task", "Sort = \"Reminder\", kind = \"task\"", "");
    let plan = migrate(&old, &new).await;
    assert!(plan.is_compatible());
}
