//! A call without a tenant is that of the tenant without a prefix.

use super::{kind, store_of};
use monotable_item::Item;
use monotable_store::ErrorKind;

const MODEL: &str = r##"
monotable = 1
model     = "sites"

[principal]
userId = "text"

[tenant]
name   = "siteId"
type   = "text, matches = /[a-z0-9-]{1,40}/"
prefix = "{siteId}/"
bare   = "default"

[table.Main]
key = ["PK", "SK"]

[entity.ApiKey]
global     = ["key"]
key        = ["KEYS", "KEY#{keyId}"]
allow.read = "siteId = tenant.siteId"

[entity.ApiKey.attributes]
keyId  = "text(1..40), without = #"
siteId = "tenant, default = {tenant.siteId}"
label  = "text, default = of-{tenant.siteId}"

[access.keys]
key     = ["KEYS"]
returns = ["ApiKey"]
"##;

fn key(id: &str) -> Item {
    Item::new().with("keyId", id)
}

#[tokio::test]
async fn a_call_without_a_tenant_writes_and_deletes_rows_of_the_bare_tenant_only() {
    let store = store_of(MODEL).await;
    let blue = store.tenant("blue");
    let of_blue = blue.create("ApiKey", key("b")).await.unwrap();
    assert_eq!(of_blue.text("siteId"), "blue");
    let forged = key("f").with("siteId", "blue");
    assert_eq!(
        kind(store.create("ApiKey", forged).await),
        ErrorKind::Validation
    );
    assert_eq!(
        kind(store.delete("ApiKey", key("b")).await),
        ErrorKind::NotFound
    );
    assert_eq!(
        kind(store.put("ApiKey", key("b")).await),
        ErrorKind::Conflict
    );
    let own = store.create("ApiKey", key("d")).await.unwrap();
    assert_eq!(own.text("siteId"), "default");
    assert_eq!(own.text("label"), "of-default");
    store
        .tenant("default")
        .delete("ApiKey", key("d"))
        .await
        .unwrap();
}

#[tokio::test]
async fn rules_see_the_bare_tenant() {
    let store = store_of(MODEL).await;
    store.create("ApiKey", key("d")).await.unwrap();
    store
        .tenant("blue")
        .create("ApiKey", key("b"))
        .await
        .unwrap();
    let caller = store.as_principal(Item::new().with("userId", "ann"));
    let seen = caller.query("keys", Item::new()).await.unwrap();
    let ids: Vec<_> = seen.rows.iter().map(|row| row.text("keyId")).collect();
    assert_eq!(ids, ["d"]);
}

#[tokio::test]
async fn whole_tables_are_read_for_all_tenants() {
    let store = store_of(MODEL).await;
    store.create("ApiKey", key("d")).await.unwrap();
    store
        .tenant("blue")
        .create("ApiKey", key("b"))
        .await
        .unwrap();
    let verification = store.verify().await.unwrap();
    assert!(verification.violations.is_empty(), "{verification:?}");
}

#[tokio::test]
async fn a_model_without_a_bare_tenant_wants_one_named() {
    let model = MODEL.replace("bare   = \"default\"\n", "");
    let store = store_of(&model).await;
    let refused = store.create("ApiKey", key("d")).await;
    assert_eq!(kind(refused), ErrorKind::Usage);
}
