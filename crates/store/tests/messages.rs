//! Refusals say what was given, what is wanted, which clause of the model says so, and what to do next.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use monotable_engine::Engine;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::Model;
use monotable_store::{Commit, Create, Error, Store};
use std::sync::Arc;

fn model(name: &str) -> Model {
    let folder = env!("CARGO_MANIFEST_DIR");
    let path = format!("{folder}/../../models/{name}/model.toml");
    let text = std::fs::read_to_string(path).unwrap();
    monotable_model::read(&text).model.unwrap()
}

async fn store(name: &str) -> Store {
    let store = Store::new(model(name), Engine::in_memory().unwrap());
    store.setup().await.unwrap();
    store
}

fn assert_says(error: &Error, parts: &[&str]) {
    let message = error.to_string();
    for part in parts {
        assert!(message.contains(part), "`{part}` is not in: {message}");
    }
}

#[tokio::test]
async fn a_value_of_the_wrong_kind_is_shown() {
    let store = store("authorization").await;
    let role = Item::new().with("scope", "team").with("name", "admin");
    let error = store.create("Role", role).await.unwrap_err();
    assert_says(&error, &["`scope`", "tenant | global", "given is \"team\""]);
}

#[tokio::test]
async fn a_secret_of_the_wrong_kind_is_not_shown() {
    let store = store("yggdrasil").await;
    let user = Item::new()
        .with("Email", "a@example.com")
        .with("PasswordHash", 12345);
    let error = store.create("User", user).await.unwrap_err();
    assert!(!error.to_string().contains("12345"), "{error}");
}

#[tokio::test]
async fn a_reserved_name_is_called_reserved() {
    let store = store("processproof").await;
    let resource = Item::new().with("_resourceType", "Job").with("_foo", "x");
    let error = store.create("Resource", resource).await.unwrap_err();
    assert_says(&error, &["`_foo`", "reserves the name"]);
}

#[tokio::test]
async fn an_empty_text_is_called_empty() {
    let store = store("yggdrasil").await;
    let tree = Item::new().with("UserId", "u").with("TreeName", "");
    let error = store.create("Tree", tree).await.unwrap_err();
    assert_says(&error, &["`TreeName` must not be empty", "leave it out"]);
}

#[tokio::test]
async fn an_unknown_attribute_is_refused_with_those_that_there_are() {
    let store = store("yggdrasil").await;
    let tree = Item::new().with("UserId", "u").with("Name", "Oak");
    let error = store.create("Tree", tree).await.unwrap_err();
    assert_says(&error, &["`Name`", "`TreeName`"]);
    let error = store.query("persons_of_tree", Item::new().with("Tree", "t"));
    assert_says(&error.await.unwrap_err(), &["`Tree`", "it has `TreeId`"]);
}

#[tokio::test]
async fn what_is_required_says_which_clause_requires_it() {
    let store = store("yggdrasil").await;
    let user = Item::new().with("Email", "a@example.com");
    let error = store.create("User", user).await.unwrap_err();
    assert_says(
        &error,
        &["`PasswordHash` is required", "setting.auth = 'local'"],
    );
}

#[tokio::test]
async fn what_the_model_takes_from_the_caller_asks_for_one() {
    let store = store("formkiq").await.tenant("finance");
    let key = Item::new()
        .with("name", "ci")
        .with("permissions", AttributeValue::L(vec!["READ".into()]));
    let error = store.create("ApiKey", key).await.unwrap_err();
    assert_says(&error, &["`userId` is required", "--as", "principal"]);
}

#[tokio::test]
async fn a_check_says_what_it_looked_for() {
    let store = store("values").await;
    let change = |id: &str, kind: &str, driver: Option<&str>| {
        let node = Item::new().with("nodeId", id).with("nodeType", kind);
        let mut values = node.with("title", id);
        if let Some(driver) = driver {
            values.insert("driverId", driver);
        }
        let entity = "ValuesNode".to_owned();
        Create { entity, values }
    };
    let commit = Commit::new("values", Item::new().with("userId", "u"))
        .with("message", "first")
        .with("source", "weekly_review")
        .change(change("d1", "DRIVER", None))
        .change(change("a1", "ACTION", Some("d1")));
    let error = store.call(commit).await.unwrap_err();
    let parts = [
        "`primary_parent`",
        "`children_of_node`",
        "`parentNodeId` \"d1\"",
        "`childNodeId`",
        "\"a1\"",
    ];
    assert_says(&error, &parts);
}

#[tokio::test]
async fn a_key_of_an_index_that_is_wrong_is_shown_with_the_right_one() {
    let engine = Arc::new(Engine::in_memory().unwrap());
    let store = Store::new(model("yggdrasil"), Arc::clone(&engine));
    store.setup().await.unwrap();
    let user = Item::new()
        .with("UserId", "u")
        .with("Email", "u@example.com");
    let user = user.with("PasswordHash", "correct horse");
    store.create("User", user).await.unwrap();
    let key = Item::new().with("PK", "USER#u").with("SK", "PROFILE");
    let change = monotable_api::UpdateItemInput::new("Yggdrasil", key);
    let change = change.update("SET GSI3PK = :k").value(":k", "USER#v");
    engine.update_item(change).unwrap();
    let found = store.verify().await.unwrap().violations;
    let messages: Vec<_> = found.iter().map(|found| found.message.clone()).collect();
    let message = messages.join("\n");
    for part in ["`GSI3PK`", "\"USER#v\"", "\"USER#u\""] {
        assert!(message.contains(part), "{message}");
    }
}

/// One declaration of every kind that refuses, each with its own message.
const CLUBS: &str = r#"
monotable = 1
model     = "clubs"

[principal]
userId = "text"

[type]
slug = "text, matches = /[a-z-]{1,40}/, message = 'Use small letters and hyphens.'"

[table.Clubs]
key = ["PK", "SK"]

[entity.Club]
key               = ["CLUB#{slug}", "CLUB"]
message_on_exists = "There is a club at this address already."
allow.write       = { rule = "owner = principal.userId", message = "Only its owner may change a club." }
must.open_later   = { rule = "closes > opens", message = "A club closes after it opens." }

[entity.Club.attributes]
slug   = "slug"
owner  = "text"
name   = "text(1..100), message = 'Give the club a name.'"
opens  = "integer(0..23)"
closes = "integer(0..24)"
"_*"   = "never, message = 'Names with _ are ours.'"

[entity.Club.unique]
name = { key = "CLUB_NAME#{name:trim:lower}", message = "Another club has this name." }

[entity.Member]
key = ["CLUB#{slug}", "MEMBER#{memberId}"]

[entity.Member.attributes]
slug     = "-> Club, message = 'This club does not exist.', message_on_delete = 'The club has members.'"
memberId = "text"

[entity.Above]
key         = ["ABOVE#{slug}", "{parent}#{child}"]
accept.index_decides = "the relation is asked by its key"

[entity.Above.attributes]
slug   = "-> Club, on_delete = cascade"
parent = "-> Member, on_delete = cascade, via = above_of_club"
child  = "-> Member, on_delete = cascade, via = above_of_club"

[entity.Log]
key               = ["LOG#{logId}", "LOG"]
writes            = ["create"]
message_on_writes = "The log is written once."

[entity.Log.attributes]
logId = "ulid, generated"

[check.not_at_night]
of      = "Club"
must    = "opens > 5"
message = "Clubs open after five."

[access.club]
key     = ["CLUB#{slug}", "CLUB"]
returns = ["Club"]

[access.members]
key     = ["CLUB#{slug}", "MEMBER#*"]
returns = ["Member"]

[access.above_of_club]
key     = ["ABOVE#{slug}"]
returns = ["Above"]

[access.log]
key     = ["LOG#{logId}", "LOG"]
returns = ["Log"]
"#;

/// What the model says comes first, and what refuses stays in the error.
fn assert_tells(error: &Error, message: &str, declaration: &str, reason: &str) {
    let text = error.to_string();
    assert!(text.starts_with(message), "{text}");
    assert!(text.contains(reason), "{text}");
    let own = error
        .declaration()
        .map(|declared| declared.path().to_owned());
    let of_fields = match error.failure() {
        monotable_store::Failure::Validation { errors, .. } => errors.first(),
        _ => None,
    };
    let of_fields = of_fields.and_then(|error| error.declaration.as_ref());
    let path = own.or_else(|| of_fields.map(|declared| declared.path().to_owned()));
    assert_eq!(path.as_deref(), Some(declaration));
}

fn club() -> Item {
    let club = Item::new().with("slug", "chess").with("owner", "ann");
    club.with("name", "Chess")
        .with("opens", 18)
        .with("closes", 23)
}

#[tokio::test]
async fn a_message_of_the_model_comes_first_and_the_declaration_stays_known() {
    let read = monotable_model::read(CLUBS);
    let model = read
        .model
        .unwrap_or_else(|| panic!("{:?}", read.diagnostics));
    let store = Store::new(model, Engine::in_memory().unwrap());
    store.setup().await.unwrap();
    store.create("Club", club()).await.unwrap();
    let refused = async |values: Item| store.create("Club", values).await.unwrap_err();

    let error = refused(club().with("name", "Other")).await;
    let path = "entity.Club.key";
    assert_tells(
        &error,
        "There is a club at this address already.",
        path,
        "Club: there is one",
    );

    let error = refused(club().with("slug", "go").with("name", " CHESS")).await;
    let path = "entity.Club.unique.name";
    assert_tells(
        &error,
        "Another club has this name.",
        path,
        "Club: `name` is taken",
    );

    let error = refused(club().with("slug", "GO")).await;
    let path = "entity.Club.attributes.slug";
    assert_tells(
        &error,
        "Use small letters and hyphens.",
        path,
        "`slug` must be",
    );

    let mut nameless = club();
    nameless.remove("name");
    let error = refused(nameless).await;
    let path = "entity.Club.attributes.name";
    assert_tells(&error, "Give the club a name.", path, "`name` is required");

    let error = refused(
        club()
            .with("slug", "go")
            .with("name", "Go")
            .with("closes", 9),
    )
    .await;
    let path = "entity.Club.must.open_later";
    assert_tells(
        &error,
        "A club closes after it opens.",
        path,
        "the rule `open_later`",
    );

    let error = refused(
        club()
            .with("slug", "go")
            .with("name", "Go")
            .with("opens", 4),
    )
    .await;
    let path = "check.not_at_night";
    assert_tells(
        &error,
        "Clubs open after five.",
        path,
        "the rule `not_at_night`",
    );

    let error = refused(club().with("_mine", "x")).await;
    let path = "entity.Club.attributes._*";
    assert_tells(&error, "Names with _ are ours.", path, "reserves the name");
}

#[tokio::test]
async fn a_message_is_told_by_references_rights_and_lists_of_writes() {
    let model = monotable_model::read(CLUBS).model.unwrap();
    let store = Store::new(model, Engine::in_memory().unwrap());
    store.setup().await.unwrap();
    store.create("Club", club()).await.unwrap();
    let member = |slug: &str| Item::new().with("slug", slug).with("memberId", "m1");

    let error = store.create("Member", member("none")).await.unwrap_err();
    let path = "entity.Member.attributes.slug";
    assert_tells(
        &error,
        "This club does not exist.",
        path,
        "there is no Club",
    );

    store.create("Member", member("chess")).await.unwrap();
    let key = || Item::new().with("slug", "chess");
    let error = store.delete("Club", key()).await.unwrap_err();
    assert_tells(
        &error,
        "The club has members.",
        path,
        "Member refers to it by `slug`",
    );

    let eve = store.as_principal(Item::new().with("userId", "eve"));
    let error = eve
        .create("Club", club().with("slug", "go"))
        .await
        .unwrap_err();
    let path = "entity.Club.allow.create";
    assert_tells(
        &error,
        "Only its owner may change a club.",
        path,
        "may not create it",
    );

    let log = store.create("Log", Item::new()).await.unwrap();
    let key = Item::new().with("logId", log.text("logId"));
    let error = store.delete("Log", key).await.unwrap_err();
    let path = "entity.Log.writes";
    assert_tells(
        &error,
        "The log is written once.",
        path,
        "does not let callers delete",
    );
}

#[tokio::test]
async fn relations_and_grants_of_the_models_tell_their_messages() {
    let store = store("yggdrasil").await;
    let user = Item::new()
        .with("UserId", "u")
        .with("Email", "u@example.com");
    store
        .create("User", user.with("PasswordHash", "horse"))
        .await
        .unwrap();
    let tree = || Item::new().with("UserId", "u").with("TreeId", "t");
    store
        .create("Tree", tree().with("TreeName", "Oak"))
        .await
        .unwrap();
    for id in ["p1", "p2"] {
        let person = tree()
            .with("PersonId", id)
            .with("FirstName", id)
            .with("LastName", "Oak");
        store
            .create("Person", person.with("Gender", "Female"))
            .await
            .unwrap();
    }
    let link = |from: &str, to: &str| {
        let ends = tree().with("ParentId", from).with("ChildId", to);
        ends.with("Type", "Biological")
    };
    store.attach("ParentChild", link("p1", "p2")).await.unwrap();
    let path = "entity.ParentChild.relation";
    for (from, to) in [("p2", "p1"), ("p1", "p1")] {
        let error = store
            .attach("ParentChild", link(from, to))
            .await
            .unwrap_err();
        assert_tells(
            &error,
            "A person cannot be their own ancestor.",
            path,
            "ParentChild: ",
        );
    }

    let formkiq = self::store("formkiq").await.tenant("finance");
    let groups = AttributeValue::L(vec!["readers".into()]);
    let caller = Item::new().with("username", "eve").with("groups", groups);
    let eve = formkiq.as_principal(caller);
    let error = eve
        .create("Document", Item::new().with("path", "a/b"))
        .await
        .unwrap_err();
    let path = "grant.site";
    assert_tells(
        &error,
        "Your groups do not have this right in this site.",
        path,
        "may not create",
    );
    let site = Item::new().with("siteId", "x").with("title", "X");
    let error = eve.create("Site", site.with("status", "ACTIVE"));
    let path = "entity.Site.allow.create";
    assert_tells(
        &error.await.unwrap_err(),
        "Only administrators create",
        path,
        "may not create",
    );
}
