//! Errors tell what the caller gave, and nothing of rows that it may not see.

use super::{note, note_key, notes, user};
use monotable_item::Item;
use monotable_store::{Clash, ErrorKind, Failure};

#[tokio::test]
async fn what_is_in_use_is_named_only_if_the_caller_may_see_it() {
    let store = notes().await;
    let ann = user(&store, "ann");
    ann.create("Note", note("n", "ann")).await.unwrap();
    let task = |doer: &str| {
        let task = Item::new().with("noteId", "n").with("taskId", doer);
        task.with("doer", doer)
    };
    store.create("Task", task("bob")).await.unwrap();
    let refused = ann.delete("Note", note_key("n")).await.unwrap_err();
    let Failure::Conflict { clash, .. } = refused.failure() else {
        panic!("{refused}");
    };
    let hidden = Clash::InUse {
        by: String::new(),
        attribute: String::new(),
    };
    assert_eq!(*clash, hidden);
    assert_eq!(refused.to_string(), "Note: other rows refer to it");
    store.create("Task", task("ann")).await.unwrap();
    let refused = ann.delete("Note", note_key("n")).await.unwrap_err();
    assert_eq!(refused.to_string(), "Note: Task refers to it by `noteId`");
    let told = store.delete("Note", note_key("n")).await.unwrap_err();
    assert!(told.to_string().contains("Task"), "{told}");
}

#[tokio::test]
async fn a_row_that_the_caller_may_not_see_is_mentioned_as_it_was_given() {
    let store = notes().await;
    store.create("Note", note("n", "ann")).await.unwrap();
    let bob = user(&store, "bob");
    let there = bob.delete("Note", note_key("n")).await.unwrap_err();
    let nowhere = bob.delete("Note", note_key("m")).await.unwrap_err();
    assert_eq!(there.kind(), ErrorKind::NotFound);
    let told = there.to_string().replace("NOTE#n", "NOTE#m");
    assert_eq!(told, nowhere.to_string());
}

#[tokio::test]
async fn a_secret_is_not_compared_for_whoever_may_not_see_the_row() {
    let model = include_str!("../../../../models/yggdrasil/model.toml");
    let store = super::store_of(model).await;
    let john = Item::new().with("UserId", "john");
    let values = john.clone().with("Email", "john@example.com");
    let values = values.with("PasswordHash", "correct horse");
    store.create("User", values).await.unwrap();
    let text = "correct horse";
    let check = |store: &monotable_store::Store| {
        let store = store.clone();
        let key = john.clone();
        async move {
            let call = store.check_secret("User", key, "PasswordHash", text);
            call.await.unwrap()
        }
    };
    assert!(check(&store).await);
    let own = Item::new().with("UserId", "john");
    assert!(check(&store.as_principal(own)).await);
    let eve = Item::new().with("UserId", "eve");
    assert!(!check(&store.as_principal(eve)).await);
}
