//! A little data for each model, and one operation of each kind.

use super::{documents, versions};
use monotable_api::Dynamo;
use monotable_engine::{Engine, EngineOptions, ManualClock};
use monotable_item::{AttributeValue, Item};
use monotable_store::{
    AnyOperation, Attach, Change, Create, Delete, Detach, Get, MoveRow, Put, Query, Store,
    Transact, Update,
};
use serde_json::Value;
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

/// An operation under its name.
pub(crate) struct Sample {
    pub(crate) name: Cow<'static, str>,
    pub(crate) operation: AnyOperation,
}

fn value(json: &Value) -> AttributeValue {
    match json {
        Value::String(text) => text.as_str().into(),
        Value::Bool(flag) => (*flag).into(),
        Value::Number(number) => AttributeValue::N(number.to_string().parse().unwrap()),
        Value::Array(values) => AttributeValue::L(values.iter().map(value).collect()),
        other => panic!("{other}"),
    }
}

/// An item from plain JSON.
pub(crate) fn item(json: &str) -> Item {
    let json: Value = serde_json::from_str(json).unwrap();
    let entries = json.as_object().unwrap().iter();
    entries
        .map(|(name, json)| (name.clone(), value(json)))
        .collect()
}

/// An engine in memory whose clock stands at this second, so that no row of a store at that time has expired.
pub(crate) fn engine_at(seconds: u64) -> Engine {
    let clock = ManualClock::at(Duration::from_secs(seconds));
    let options = EngineOptions::new().clock(Arc::new(clock));
    options.in_memory().unwrap()
}

/// A store in memory with some rows; the clock stands still.
pub(crate) async fn store(model: &str) -> Store {
    store_on(model, engine_at(1_763_467_200)).await
}

/// A store with some rows on an empty DynamoDB; the clock stands still.
pub(crate) async fn store_on(model: &str, dynamo: impl Dynamo + 'static) -> Store {
    let path = format!(
        "{}/../../models/{model}/model.toml",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).unwrap();
    let model_read = monotable_check::check(&text).model.unwrap();
    let store = Store::new(model_read, dynamo)
        .with_clock(|| 1_763_467_200_000_000)
        .with_settings(match model {
            "yggdrasil" => item(r#"{"auth": "aws"}"#),
            _ => Item::new(),
        });
    store.setup().await.unwrap();
    if model == "values" {
        versions::fill(&store).await;
        return store;
    }
    if model == "formkiq" {
        let store = documents::of_site(&store);
        documents::fill(&store).await;
        return store;
    }
    for (entity, values) in rows(model) {
        store.create(entity, item(values)).await.unwrap();
    }
    store
}

fn rows(model: &str) -> Vec<(&'static str, &'static str)> {
    match model {
        "yggdrasil" => vec![
            (
                "User",
                r#"{"UserId": "ann", "Email": "ann@example.com", "CognitoUsername": "c1"}"#,
            ),
            (
                "Tree",
                r#"{"UserId": "ann", "TreeId": "oak", "TreeName": "Oak", "SharedWith": ["bob"]}"#,
            ),
            (
                "Person",
                r#"{"UserId": "ann", "TreeId": "oak", "PersonId": "p1", "FirstName": "A", "LastName": "B", "Gender": "Other"}"#,
            ),
            (
                "Person",
                r#"{"UserId": "ann", "TreeId": "oak", "PersonId": "p2", "FirstName": "C", "LastName": "D", "Gender": "Other"}"#,
            ),
            (
                "Person",
                r#"{"UserId": "ann", "TreeId": "oak", "PersonId": "p3", "FirstName": "E", "LastName": "F", "Gender": "Other"}"#,
            ),
            (
                "ParentChild",
                r#"{"UserId": "ann", "TreeId": "oak", "ParentId": "p1", "ChildId": "p2", "Type": "Biological"}"#,
            ),
            (
                "Spousal",
                r#"{"UserId": "ann", "TreeId": "oak", "Person1Id": "p1", "Person2Id": "p3", "Status": "Married"}"#,
            ),
        ],
        "authorization" => vec![
            (
                "Tenant",
                r#"{"tenantId": "01HZX9KQ7T0000000000000001", "name": "acme"}"#,
            ),
            (
                "User",
                r#"{"userId": "01HZX9KQ7T0000000000000002", "email": "ann@example.com", "phone": "+4312345678"}"#,
            ),
            (
                "Role",
                r#"{"roleId": "01HZX9KQ7T0000000000000003", "scope": "tenant", "name": "admin"}"#,
            ),
            (
                "TenantGrant",
                r#"{"tenantGrantId": "01HZX9KQ7T0000000000000004", "tenantId": "01HZX9KQ7T0000000000000001", "userId": "01HZX9KQ7T0000000000000002", "roles": ["01HZX9KQ7T0000000000000003"]}"#,
            ),
            ("Policy", r#"{"policyId": "p-1", "name": "ticket-admin"}"#),
        ],
        "processproof" => vec![
            (
                "Resource",
                r#"{"_resourceType": "System.Account", "_id": "a"}"#,
            ),
            (
                "Resource",
                r#"{"_resourceType": "System.Account.Collection", "_id": "c", "_accountUrn": "urn:pp:System.Account::a"}"#,
            ),
            (
                "Resource",
                r#"{"_resourceType": "System.Account.Job", "_id": "j", "_accountUrn": "urn:pp:System.Account::a"}"#,
            ),
            (
                "Resource",
                r#"{"_resourceType": "System.User", "_id": "u", "emailAddress": "ann@example.com"}"#,
            ),
            (
                "ParentChildRelationship",
                r#"{"parentUrn": "urn:pp:System.Account::a", "childUrn": "urn:pp:System.Account.Collection::c"}"#,
            ),
            (
                "CollectionMembershipRelationship",
                r#"{"collectionUrn": "urn:pp:System.Account.Collection::c", "memberUrn": "urn:pp:System.Account.Job::j", "conveysAuthorization": true}"#,
            ),
        ],
        other => panic!("{other}"),
    }
}

/// One operation of each kind.
pub(crate) fn operations(model: &str) -> Vec<Sample> {
    match model {
        "values" => return versions::operations(),
        "formkiq" => return documents::operations(),
        _ => {}
    }
    let mut samples = Vec::new();
    let mut add = |name: &'static str, operation| {
        let name = name.into();
        samples.push(Sample { name, operation });
    };
    let create = |entity: &str, values| {
        AnyOperation::Create(Create {
            entity: entity.to_owned(),
            values: item(values),
        })
    };
    let update = |entity: &str, key, set| {
        AnyOperation::Update(Update {
            entity: entity.to_owned(),
            key: item(key),
            change: Change {
                set: item(set),
                ..Change::default()
            },
        })
    };
    let get = |entity: &str, key| {
        AnyOperation::Get(Get {
            entity: entity.to_owned(),
            key: item(key),
        })
    };
    let delete = |entity: &str, key| {
        AnyOperation::Delete(Delete {
            entity: entity.to_owned(),
            key: item(key),
        })
    };
    let query = |pattern: &str, given| {
        AnyOperation::Query(Query {
            pattern: pattern.to_owned(),
            parameters: item(given),
            ..Query::default()
        })
    };
    match model {
        "yggdrasil" => {
            add(
                "create a user, with the guard of its address",
                create(
                    "User",
                    r#"{"UserId": "bob", "Email": "bob@example.com", "CognitoUsername": "c2"}"#,
                ),
            );
            add(
                "create a person, counted and numbered by its tree",
                create(
                    "Person",
                    r#"{"UserId": "ann", "TreeId": "oak", "PersonId": "p4", "FirstName": "G", "LastName": "H", "Gender": "Other"}"#,
                ),
            );
            add(
                "attach a parent, which must not be a descendant",
                AnyOperation::Attach(Attach {
                    entity: "ParentChild".to_owned(),
                    values: item(
                        r#"{"UserId": "ann", "TreeId": "oak", "ParentId": "p3", "ChildId": "p2", "Type": "Step"}"#,
                    ),
                }),
            );
            add(
                "attach a spouse, once for a pair",
                AnyOperation::Attach(Attach {
                    entity: "Spousal".to_owned(),
                    values: item(
                        r#"{"UserId": "ann", "TreeId": "oak", "Person1Id": "p2", "Person2Id": "p3", "Status": "Married"}"#,
                    ),
                }),
            );
            add(
                "get a tree",
                get("Tree", r#"{"UserId": "ann", "TreeId": "oak"}"#),
            );
            add(
                "change a name that is in no key",
                update(
                    "Person",
                    r#"{"UserId": "ann", "PersonId": "p1"}"#,
                    r#"{"FirstName": "Z"}"#,
                ),
            );
            add(
                "change an address: the guards are swapped",
                update(
                    "User",
                    r#"{"UserId": "ann"}"#,
                    r#"{"Email": "ann@example.org"}"#,
                ),
            );
            add(
                "put a person over another",
                AnyOperation::Put(Put {
                    entity: "Person".to_owned(),
                    values: item(
                        r#"{"UserId": "ann", "TreeId": "oak", "PersonId": "p1", "FirstName": "A", "LastName": "New", "Gender": "Other"}"#,
                    ),
                }),
            );
            add(
                "detach a spouse",
                AnyOperation::Detach(Detach {
                    entity: "Spousal".to_owned(),
                    key: item(r#"{"UserId": "ann", "Person1Id": "p1", "Person2Id": "p3"}"#),
                }),
            );
            add(
                "delete a person with all its relationships",
                delete("Person", r#"{"UserId": "ann", "PersonId": "p1"}"#),
            );
            add(
                "delete a user with everything",
                delete("User", r#"{"UserId": "ann"}"#),
            );
            add(
                "move a tree to a new owner",
                AnyOperation::MoveRow(MoveRow {
                    name: "transfer_tree".to_owned(),
                    key: item(r#"{"UserId": "ann", "TreeId": "oak"}"#),
                    set: item(r#"{"UserId": "bob"}"#),
                }),
            );
            add(
                "a union of two patterns, each pair once",
                query(
                    "spouses_of_person",
                    r#"{"UserId": "ann", "PersonId": "p3"}"#,
                ),
            );
            add(
                "steps: parents, then their children",
                query("siblings_of_person", r#"{"ChildId": "p2"}"#),
            );
            add(
                "two creates as one transaction",
                AnyOperation::Transact(Transact {
                    operations: vec![
                        create(
                            "Tree",
                            r#"{"UserId": "ann", "TreeId": "elm", "TreeName": "Elm"}"#,
                        ),
                        create(
                            "Person",
                            r#"{"UserId": "ann", "TreeId": "elm", "PersonId": "p9", "FirstName": "I", "LastName": "J", "Gender": "Other"}"#,
                        ),
                    ],
                }),
            );
        }
        "authorization" => {
            add(
                "create a tenant",
                create(
                    "Tenant",
                    r#"{"tenantId": "01HZX9KQ7T0000000000000009", "name": "other"}"#,
                ),
            );
            add(
                "create a grant: tenant and user exist, roles are of the tenant's scope",
                create(
                    "TenantGrant",
                    r#"{"tenantGrantId": "01HZX9KQ7T0000000000000008", "tenantId": "01HZX9KQ7T0000000000000001", "userId": "01HZX9KQ7T0000000000000007", "roles": ["01HZX9KQ7T0000000000000003"]}"#,
                ),
            );
            add(
                "rename a tenant: index key and guard",
                update(
                    "Tenant",
                    r#"{"tenantId": "01HZX9KQ7T0000000000000001"}"#,
                    r#"{"name": "acme 2"}"#,
                ),
            );
            add(
                "rename a role: its key moves",
                update(
                    "Role",
                    r#"{"scope": "tenant", "name": "admin"}"#,
                    r#"{"name": "owner"}"#,
                ),
            );
            add(
                "delete a user with guards and grants",
                delete("User", r#"{"userId": "01HZX9KQ7T0000000000000002"}"#),
            );
            add(
                "effective roles",
                query(
                    "effective_roles",
                    r#"{"tenantId": "01HZX9KQ7T0000000000000001", "userId": "01HZX9KQ7T0000000000000002"}"#,
                ),
            );
            add(
                "a tenant by its name",
                query("tenant_by_name", r#"{"name": "acme"}"#),
            );
        }
        _ => {
            add(
                "create a user with a unique address",
                create(
                    "Resource",
                    r#"{"_resourceType": "System.User", "_id": "v", "emailAddress": "Bob@example.com"}"#,
                ),
            );
            add(
                "attach a child: no cycle, one parent",
                AnyOperation::Attach(Attach {
                    entity: "ParentChildRelationship".to_owned(),
                    values: item(
                        r#"{"parentUrn": "urn:pp:System.Account.Collection::c", "childUrn": "urn:pp:System.Account.Job::j"}"#,
                    ),
                }),
            );
            add(
                "change an address",
                update(
                    "Resource",
                    r#"{"urn": "urn:pp:System.User::u"}"#,
                    r#"{"emailAddress": "ann@example.org"}"#,
                ),
            );
            add(
                "delete an account with what is below",
                delete("Resource", r#"{"urn": "urn:pp:System.Account::a"}"#),
            );
            add(
                "detach a child",
                AnyOperation::Detach(Detach {
                    entity: "ParentChildRelationship".to_owned(),
                    key: item(
                        r#"{"parentUrn": "urn:pp:System.Account::a", "childUrn": "urn:pp:System.Account.Collection::c"}"#,
                    ),
                }),
            );
            add(
                "the scope of an authorization",
                query(
                    "authorization_scope",
                    r#"{"urn": "urn:pp:System.Account.Job::j"}"#,
                ),
            );
            add(
                "the owner of a unique value",
                query(
                    "owner_of_unique_value",
                    r#"{"_resourceType": "System.User", "key": "emailAddress", "value": "ann@example.com"}"#,
                ),
            );
        }
    }
    samples
}

/// Parameters for every access pattern of a model.
pub(crate) async fn parameters(model: &str, store: &Store) -> Item {
    match model {
        "values" => versions::parameters(store).await,
        // Each of its patterns is given something of its own.
        "formkiq" => Item::new(),
        "yggdrasil" => item(
            r#"{"UserId": "ann", "TreeId": "oak", "PersonId": "p1", "ParentId": "p1", "ChildId": "p2", "Person1Id": "p1", "Person2Id": "p3", "Email": "ann@example.com", "SharedUserId": "bob"}"#,
        ),
        "authorization" => item(
            r#"{"tenantId": "01HZX9KQ7T0000000000000001", "userId": "01HZX9KQ7T0000000000000002", "name": "admin", "scope": "tenant", "roleId": "01HZX9KQ7T0000000000000003", "tenantGrantId": "01HZX9KQ7T0000000000000004", "policyId": "p-1"}"#,
        ),
        _ => item(
            r#"{"urn": "urn:pp:System.Account.Job::j", "parentUrn": "urn:pp:System.Account::a", "childUrn": "urn:pp:System.Account.Collection::c", "collectionUrn": "urn:pp:System.Account.Collection::c", "memberUrn": "urn:pp:System.Account.Job::j", "_accountUrn": "urn:pp:System.Account::a", "_resourceType": "System.User", "key": "emailAddress", "value": "ann@example.com", "_id": "a"}"#,
        ),
    }
}
