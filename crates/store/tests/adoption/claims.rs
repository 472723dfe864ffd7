//! Unique values that rows have without a guard.

use crate::world::{World, adopt, item};
use monotable_item::Item;
use monotable_store::{Change, ErrorKind};

const MEMBERS: &str = r##"
monotable = 1
model     = "members"

[table.Members]
key  = ["PK", "SK"]
GSI1 = ["GSI1PK", "GSI1SK"]

[entity.Member]
is   = { Type = "Member" }
key  = ["CLUB#{club}", "MEMBER#{memberId}"]
GSI1 = ["NICK#{nick}", "MEMBER#{memberId}"]

[entity.Member.attributes]
club     = "text, matches = /[a-z0-9]{1,20}/"
memberId = "text, matches = /[a-z0-9]{1,20}/"
nick     = "text, matches = /[a-z]{1,20}/"
email    = "text?"

[entity.Member.unique.nick]
key   = "UNIQUE_NICK#{nick}"
keeps = ["club", "memberId"]

[entity.Member.unique.email]
key   = "UNIQUE_EMAIL#{email:trim:lower}"
keeps = ["club", "memberId"]

[access.member_by_nick]
through = "Member.nick"
returns = ["Member"]

[access.member_by_email]
through = "Member.email"
returns = ["Member"]

[access.members]
key     = ["CLUB#{club}", "MEMBER#*"]
returns = ["Member"]

[access.members_by_nick]
GSI1    = ["NICK#{nick}"]
returns = ["Member"]
"##;

/// A club with a member that another program wrote.
async fn club() -> World {
    let world = World::new(MEMBERS, "Members").await;
    world.load(
        r#"{"PK": "CLUB#c", "SK": "MEMBER#m1", "GSI1PK": "NICK#ann", "GSI1SK": "MEMBER#m1", "Type": "Member",
            "club": "c", "memberId": "m1", "nick": "ann", "email": "Ann@example.com"}"#,
    );
    world
}

fn member(id: &str) -> Item {
    Item::new().with("club", "c").with("memberId", id)
}

fn rename(nick: &str) -> Change {
    Change {
        set: Item::new().with("nick", nick),
        ..Change::default()
    }
}

#[tokio::test]
async fn a_unique_value_of_a_row_without_a_guard_is_taken() {
    let world = club().await;
    let store = world.unadopted();
    let taken = store.create("Member", member("m2").with("nick", "ann"));
    assert_eq!(taken.await.unwrap_err().kind(), ErrorKind::Conflict);
    store
        .create("Member", member("m3").with("nick", "bob"))
        .await
        .unwrap();
    let renamed = store.update("Member", member("m3"), rename("ann"));
    assert_eq!(renamed.await.unwrap_err().kind(), ErrorKind::Conflict);
    // The row itself may be written again, and takes its guard with another value.
    let own = store.update("Member", member("m1"), rename("zoe"));
    own.await.unwrap();
    assert!(world.item("UNIQUE_NICK#zoe", "UNIQUE_NICK#zoe").is_some());
    let free = store.create("Member", member("m4").with("nick", "ann"));
    free.await.unwrap();
}

#[tokio::test]
async fn a_value_that_no_key_leads_to_is_refused_until_the_table_is_adopted() {
    let world = club().await;
    let store = world.unadopted();
    let new = || {
        member("m2")
            .with("nick", "bob")
            .with("email", "ann@example.com")
    };
    let refused = store.create("Member", new()).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Integrity);
    let message = refused.to_string();
    for part in ["`email`", "monotable adopt", "Nothing was written"] {
        assert!(message.contains(part), "{message}");
    }
    let asked = Item::new().with("email", "ann@example.com");
    let unknown = store.query("member_by_email", asked.clone());
    assert_eq!(unknown.await.unwrap_err().kind(), ErrorKind::Integrity);
    // Another process adopts the table: this one learns of it when it would refuse again.
    adopt(&world.store()).await;
    let taken = store.create("Member", new()).await.unwrap_err();
    assert_eq!(taken.kind(), ErrorKind::Conflict, "{taken}");
    let found = store.query("member_by_email", asked).await.unwrap();
    assert_eq!(found.rows.len(), 1);
}

#[tokio::test]
async fn a_row_is_found_by_a_value_that_nothing_guards() {
    let world = club().await;
    let store = world.unadopted();
    let found = store.query("member_by_nick", item(r#"{"nick": "ann"}"#));
    assert_eq!(found.await.unwrap().rows.len(), 1);
    let nobody = store.query("member_by_nick", item(r#"{"nick": "bob"}"#));
    assert_eq!(nobody.await.unwrap().rows.len(), 0);
}

#[tokio::test]
async fn a_new_store_asks_for_nothing_beside_its_guards() {
    let world = World::new(MEMBERS, "Members").await;
    let store = world.store();
    let create = store.create(
        "Member",
        member("m1").with("nick", "ann").with("email", "a@b.c"),
    );
    let explained = create.explain().await;
    assert_eq!(explained.requests.len(), 1, "{explained}");
}
