//! Rights that rows give.

use super::{kind, store_of};
use monotable_item::Item;
use monotable_store::{Change, ErrorKind, Store};

const MODEL: &str = r##"
monotable = 1
model     = "grants"

[principal]
userId = "text"
groups = "[text]?"

[table.Main]
key = ["PK", "SK"]

[entity.Note]
key = ["SPACE#{space}", "NOTE#{noteId}"]

[entity.Note.attributes]
space  = "text(1..40), without = #, movable"
noteId = "text(1..40), without = #"
text   = "text?"

[entity.Permission]
key = ["RIGHTS#{space}", "GROUP#{groupName}"]

[entity.Permission.attributes]
space     = "text(1..40), without = #"
groupName = "text(1..40)"
rights    = "[READ | WRITE | DELETE], distinct"

[grant.groups]
of     = ["Note"]
access = "right_of_group"
set    = { groupName = "{principal.groups}" }
allows = "rights"
none   = "allow"

[access.right_of_group]
key     = ["RIGHTS#{space}", "GROUP#{groupName}"]
returns = ["Permission"]

[access.notes]
key     = ["SPACE#{space}", "NOTE#*"]
returns = ["Note"]
"##;

async fn world() -> Store {
    let store = store_of(MODEL).await;
    for (space, rights) in [
        ("open", vec!["READ", "WRITE", "DELETE"]),
        ("archive", vec!["READ"]),
    ] {
        let rights: Vec<monotable_item::AttributeValue> =
            rights.into_iter().map(Into::into).collect();
        let permission = Item::new()
            .with("space", space)
            .with("groupName", "staff")
            .with("rights", monotable_item::AttributeValue::L(rights));
        store.create("Permission", permission).await.unwrap();
    }
    store
}

fn note(space: &str) -> Item {
    Item::new().with("space", space).with("noteId", "n")
}

fn caller(store: &Store, groups: Option<&[&str]>) -> Store {
    let principal = Item::new().with("userId", "ann");
    store.as_principal(match groups {
        None => principal,
        Some(groups) => {
            let groups = groups.iter().map(|group| (*group).into()).collect();
            principal.with("groups", monotable_item::AttributeValue::L(groups))
        }
    })
}

#[tokio::test]
async fn a_caller_without_groups_has_no_rights() {
    let store = world().await;
    store.create("Note", note("open")).await.unwrap();
    let space = Item::new().with("space", "open");
    for groups in [None, Some(&[][..])] {
        let nobody = caller(&store, groups);
        let page = nobody.query("notes", space.clone()).await.unwrap();
        assert!(page.rows.is_empty(), "{groups:?}");
        assert_eq!(
            kind(nobody.create("Note", note("elsewhere")).await),
            ErrorKind::Forbidden
        );
        assert_eq!(
            kind(nobody.delete("Note", note("open")).await),
            ErrorKind::NotFound
        );
    }
    // No row for the caller's group is another matter: the model says that it allows.
    let guest = caller(&store, Some(&["guests"]));
    assert_eq!(guest.query("notes", space).await.unwrap().rows.len(), 1);
}

#[tokio::test]
async fn a_row_is_not_brought_where_the_caller_may_not_write() {
    let store = world().await;
    let staff = caller(&store, Some(&["staff"]));
    staff.create("Note", note("open")).await.unwrap();
    let to_archive = Change {
        set: Item::new().with("space", "archive"),
        ..Change::default()
    };
    let moved = staff.update("Note", note("open"), to_archive).await;
    assert_eq!(kind(moved), ErrorKind::Forbidden);
    store.create("Note", note("archive")).await.unwrap();
    assert_eq!(
        kind(staff.delete("Note", note("archive")).await),
        ErrorKind::Forbidden
    );
    staff.delete("Note", note("open")).await.unwrap();
}
