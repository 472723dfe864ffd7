//! The client under test, the table of loans, and what the tests put into it.
//!
//! `../run` sets the endpoint, the region and the file of access keys in the environment, as a user
//! would: nothing here names a server.

use aws_config::{BehaviorVersion, SdkConfig};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::client::Waiters;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, AttributeValue, BillingMode, GlobalSecondaryIndex, KeySchemaElement,
    KeyType, LocalSecondaryIndex, Projection, ProjectionType, PutRequest, ScalarAttributeType,
    WriteRequest,
};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

pub type Item = HashMap<String, AttributeValue>;

/// A guard, not a measurement.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// What the environment says, with the access key of the profile `default`.
pub async fn config() -> SdkConfig {
    config_of("default").await
}

/// Errors are to be seen at once, not after three attempts.
pub async fn config_of(profile: &str) -> SdkConfig {
    aws_config::defaults(BehaviorVersion::latest())
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .retry_config(RetryConfig::disabled())
        .profile_name(profile)
        .load()
        .await
}

/// A table that one test has for itself. It goes with the server: dropping cannot wait for an answer.
pub struct Library {
    pub client: Client,
    pub table: String,
}

impl Library {
    pub async fn new() -> Self {
        let library = Self {
            client: Client::new(&config().await),
            table: new_name(),
        };
        library.create().await.unwrap();
        let waiter = library
            .client
            .wait_until_table_exists()
            .table_name(&library.table);
        waiter.wait(PATIENCE).await.unwrap();
        library
    }

    /// With these loans of ada.
    pub async fn with_loans(numbers: impl IntoIterator<Item = u32>) -> Self {
        let library = Self::new().await;
        let items: Vec<_> = numbers
            .into_iter()
            .map(|number| loan("ada", number))
            .collect();
        library.write_all(items).await;
        library
    }

    pub async fn create(
        &self,
    ) -> Result<
        (),
        aws_sdk_dynamodb::error::SdkError<
            aws_sdk_dynamodb::operation::create_table::CreateTableError,
        >,
    > {
        let branches = GlobalSecondaryIndex::builder()
            .index_name("ByBranch")
            .set_key_schema(Some(key_schema("Branch", "Due")))
            .projection(
                Projection::builder()
                    .projection_type(ProjectionType::KeysOnly)
                    .build(),
            );
        let pages = LocalSecondaryIndex::builder()
            .index_name("ByPages")
            .set_key_schema(Some(key_schema("PK", "Pages")))
            .projection(
                Projection::builder()
                    .projection_type(ProjectionType::Include)
                    .non_key_attributes("Title")
                    .build(),
            );
        self.client
            .create_table()
            .table_name(&self.table)
            .set_key_schema(Some(key_schema("PK", "SK")))
            .set_attribute_definitions(Some(definitions()))
            .global_secondary_indexes(branches.build().unwrap())
            .local_secondary_indexes(pages.build().unwrap())
            .billing_mode(BillingMode::PayPerRequest)
            .send()
            .await
            .map(drop)
    }

    pub async fn put(&self, item: Item) {
        self.client
            .put_item()
            .table_name(&self.table)
            .set_item(Some(item))
            .send()
            .await
            .unwrap();
    }

    pub async fn get(&self, key: Item) -> Option<Item> {
        let get = self
            .client
            .get_item()
            .table_name(&self.table)
            .set_key(Some(key));
        get.consistent_read(true).send().await.unwrap().item
    }

    /// Writes items, 25 at a time, and again whatever was not processed.
    pub async fn write_all(&self, items: Vec<Item>) {
        for chunk in items.chunks(25) {
            let writes: Vec<_> = chunk.iter().map(write_request).collect();
            let mut requests = HashMap::from([(self.table.clone(), writes)]);
            for _ in 0..100 {
                let batch = self
                    .client
                    .batch_write_item()
                    .set_request_items(Some(requests));
                requests = batch.send().await.unwrap().unprocessed_items.unwrap();
                if requests.is_empty() {
                    break;
                }
            }
            assert!(requests.is_empty(), "items are still unprocessed");
        }
    }
}

fn write_request(item: &Item) -> WriteRequest {
    let put = PutRequest::builder()
        .set_item(Some(item.clone()))
        .build()
        .unwrap();
    WriteRequest::builder().put_request(put).build()
}

/// A name that no table has, of this run or another.
pub fn new_name() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let now = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap();
    format!(
        "rust-{}-{}",
        now.as_nanos(),
        NEXT.fetch_add(1, Ordering::Relaxed)
    )
}

pub fn key_schema(hash: &str, range: &str) -> Vec<KeySchemaElement> {
    [(hash, KeyType::Hash), (range, KeyType::Range)]
        .map(|(name, kind)| {
            KeySchemaElement::builder()
                .attribute_name(name)
                .key_type(kind)
                .build()
                .unwrap()
        })
        .into()
}

fn definitions() -> Vec<AttributeDefinition> {
    use ScalarAttributeType::{N, S};
    [
        ("PK", S),
        ("SK", S),
        ("Branch", S),
        ("Due", S),
        ("Pages", N),
    ]
    .map(|(name, kind)| {
        AttributeDefinition::builder()
            .attribute_name(name)
            .attribute_type(kind)
            .build()
            .unwrap()
    })
    .into()
}

pub fn s(text: impl Into<String>) -> AttributeValue {
    AttributeValue::S(text.into())
}

pub fn n(number: impl ToString) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

pub fn item<const COUNT: usize>(attributes: [(&str, AttributeValue); COUNT]) -> Item {
    attributes
        .map(|(name, value)| (name.to_owned(), value))
        .into()
}

/// The key of a loan.
pub fn key(member: &str, number: u32) -> Item {
    item([
        ("PK", s(format!("MEMBER#{member}"))),
        ("SK", s(format!("LOAN#{number:04}"))),
    ])
}

/// A loan: every third one is at the branch Hill. Due dates go up with the number, pages go down.
pub fn loan(member: &str, number: u32) -> Item {
    let branch = if number.is_multiple_of(3) {
        "Hill"
    } else {
        "Harbour"
    };
    let mut loan = key(member, number);
    loan.extend(item([
        ("Title", s(format!("Volume {number}"))),
        ("Branch", s(branch)),
        ("Due", s(format!("2031-01-{number:02}"))),
        ("Pages", n(1000 - number)),
    ]));
    loan
}

pub fn number_of(item: &Item) -> u32 {
    item["SK"]
        .as_s()
        .unwrap()
        .trim_start_matches("LOAN#")
        .parse()
        .unwrap()
}

pub fn numbers(items: &[Item]) -> Vec<u32> {
    items.iter().map(number_of).collect()
}

pub fn sorted<T: Ord>(mut values: Vec<T>) -> Vec<T> {
    values.sort();
    values
}
