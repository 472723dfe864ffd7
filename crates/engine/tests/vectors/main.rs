//! Vector indexes: what is found equals what a plain computation over the items finds, while items change, while an index is filled,
//! and after the store was opened again.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs,
    unreachable_pub,
    reason = "tests"
)]

#[path = "../support/cases.rs"]
mod cases;
mod computation;
mod refusals;
#[path = "../support/stores.rs"]
mod stores;

use monotable_api::{
    BackupStatus, CreateBackupInput, CreateTableInput, DescribeBackupInput, DescribeTableInput,
    Error, IndexProjection, IndexStatus, PutItemInput, RestoreTableFromBackupInput,
    ReturnConsumedCapacity, ScalarAttributeType as Type, SearchResultItem,
    SearchSchemaElementType as Part, SearchVectorsInput, TableStatus,
    VectorDistanceFunction as Function, VectorIndex,
};
use monotable_engine::{Engine, EngineOptions};
use monotable_item::{AttributeValue, Item, Number};
use std::thread;
use std::time::Duration;

pub const TABLE: &str = "Products";
pub const DIMENSIONS: usize = 3;

pub fn numbers(vector: &[f32]) -> Vec<Number> {
    let texts = vector.iter().map(|element| format!("{element}"));
    texts.map(|text| text.parse().unwrap()).collect()
}

pub fn list(vector: &[f32]) -> AttributeValue {
    AttributeValue::L(numbers(vector).into_iter().map(AttributeValue::N).collect())
}

pub fn index(name: &str, function: Function) -> VectorIndex {
    VectorIndex::new(name, "embedding", DIMENSIONS as u32, function)
}

pub fn table() -> CreateTableInput {
    CreateTableInput::new(TABLE, "id", Type::N)
        .attribute("category", Type::S)
        .attribute("brand", Type::S)
}

pub fn by_category() -> VectorIndex {
    index("by-category", Function::Cosine)
        .search("category", Part::Hash)
        .search("brand", Part::InlineFilter)
        .projection(IndexProjection::include(["title"]))
}

pub fn search(index: &str, vector: &[f32], most: u32) -> SearchVectorsInput {
    SearchVectorsInput::new(TABLE, index, numbers(vector), most)
}

pub fn find(engine: &Engine, input: SearchVectorsInput) -> Vec<SearchResultItem> {
    engine
        .search_vectors(input)
        .unwrap()
        .search_results
        .unwrap()
}

pub fn id(result: &SearchResultItem) -> u32 {
    match result.item.as_ref().unwrap().to_item().get("id") {
        Some(AttributeValue::N(number)) => number.to_string().parse().unwrap(),
        other => panic!("{other:?}"),
    }
}

pub fn message<T: std::fmt::Debug>(answer: Result<T, Error>) -> String {
    answer.unwrap_err().to_string()
}

pub fn product(number: u32, category: &str, brand: &str, vector: &[f32]) -> Item {
    Item::new()
        .with("id", number)
        .with("category", category)
        .with("brand", brand)
        .with("title", format!("product {number}"))
        .with("price", 10)
        .with("embedding", list(vector))
}

pub fn put(engine: &Engine, item: Item) {
    engine.put_item(PutItemInput::new(TABLE, item)).unwrap();
}

pub fn await_index(engine: &Engine, table: &str, name: &str) {
    for _ in 0..6_000 {
        let description = engine.describe_table(DescribeTableInput::new(table));
        let table = description.unwrap().table.unwrap();
        let indexes = table.vector_indexes.unwrap_or_default();
        let mut indexes = indexes.iter();
        let index = indexes.find(|index| index.index_name.as_deref() == Some(name));
        let is_active = |status| status == Some(IndexStatus::Active);
        if index.is_some_and(|index| is_active(index.index_status))
            && table.table_status == Some(TableStatus::Active)
        {
            return;
        }
        thread::sleep(Duration::from_millis(5));
    }
    panic!("index {name} never became active");
}

#[test]
fn a_search_finds_the_nearest_of_a_partition() {
    stores::on_each(EngineOptions::new, |engine| {
        let created = engine.create_table(table().vector_index(by_category()));
        let created = created.unwrap().table_description.unwrap();
        let described = &created.vector_indexes.unwrap()[0];
        assert_eq!(described.dimensions, Some(3));
        assert_eq!(
            described.index_arn.as_deref(),
            Some("arn:aws:dynamodb:local:000000000000:table/Products/index/by-category")
        );
        assert_eq!(created.attribute_definitions.unwrap().len(), 3);
        put(engine, product(1, "audio", "acme", &[1.0, 0.0, 0.0]));
        put(engine, product(2, "audio", "other", &[0.9, 0.1, 0.0]));
        put(engine, product(3, "video", "acme", &[1.0, 0.0, 0.0]));
        // Without a partition key or a vector an item is not in the index.
        let bare = Item::new().with("id", 4);
        put(
            engine,
            bare.clone().with("embedding", list(&[1.0, 0.0, 0.0])),
        );
        put(engine, bare.with("id", 5).with("category", "audio"));

        let audio = || {
            search("by-category", &[1.0, 0.0, 0.0], 10)
                .condition("#c = :c")
                .name("#c", "category")
                .value(":c", "audio")
        };
        let found = find(engine, audio());
        assert_eq!(found.iter().map(id).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(found[0].score, Some(0.0));
        assert!(found[1].score > found[0].score);
        let names: Vec<String> = found[0]
            .item
            .as_ref()
            .unwrap()
            .to_item()
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        assert_eq!(names, ["brand", "category", "id", "title"]);

        let mut one = audio();
        one.top_k = Some(1);
        assert_eq!(find(engine, one).len(), 1);
        let other = audio()
            .condition("#c = :c AND brand = :b")
            .value(":b", "other");
        assert_eq!(find(engine, other).iter().map(id).collect::<Vec<_>>(), [2]);
        let vector = find(engine, audio().projection("embedding"));
        assert_eq!(
            vector[0].item.as_ref().unwrap().to_item(),
            Item::new().with("embedding", list(&[1.0, 0.0, 0.0]))
        );
        let mut measured = audio();
        measured.return_consumed_capacity = Some(ReturnConsumedCapacity::Total.into());
        let capacity = engine.search_vectors(measured).unwrap().consumed_capacity;
        assert!(capacity.unwrap().vector_search_request_bytes > Some(0.0));
        stores::assert_sound(engine);
    });
}

#[test]
fn a_restored_table_has_its_vector_indexes() {
    let engine = Engine::in_memory().unwrap();
    engine
        .create_table(
            table()
                .vector_index(by_category())
                .vector_index(index("near", Function::Euclidean)),
        )
        .unwrap();
    for number in 0..20 {
        put(
            &engine,
            product(number, "audio", "acme", &[number as f32, 1.0, 0.0]),
        );
    }
    let backup = engine
        .create_backup(CreateBackupInput::new(TABLE, "backup"))
        .unwrap();
    let arn = backup.backup_details.unwrap().backup_arn.unwrap();
    let mut described = None;
    for _ in 0..6_000 {
        let answer = engine
            .describe_backup(DescribeBackupInput::new(&arn))
            .unwrap();
        let backup = answer.backup_description.unwrap();
        if backup.backup_details.unwrap().backup_status == Some(BackupStatus::Available) {
            described = backup.source_table_feature_details;
            break;
        }
        thread::sleep(Duration::from_millis(5));
    }
    let known = described.unwrap().vector_indexes.unwrap();
    assert_eq!(known, [by_category(), index("near", Function::Euclidean)]);
    let restore = |name: &str, kept: Option<Vec<VectorIndex>>| RestoreTableFromBackupInput {
        vector_index_override: kept,
        ..RestoreTableFromBackupInput::new(name, &arn)
    };
    let other = restore("Other", Some(vec![index("near", Function::Cosine)]));
    assert!(message(engine.restore_table_from_backup(other)).contains("does not match"));
    let kept = vec![index("near", Function::Euclidean)];
    engine
        .restore_table_from_backup(restore("Restored", Some(kept)))
        .unwrap();
    await_index(&engine, "Restored", "near");
    let mut input = search("near", &[7.0, 1.0, 0.0], 1);
    input.table_name = Some("Restored".into());
    assert_eq!(find(&engine, input).iter().map(id).collect::<Vec<_>>(), [7]);
    let mut input = search("by-category", &[7.0, 1.0, 0.0], 1);
    input.table_name = Some("Restored".into());
    assert!(message(engine.search_vectors(input)).contains("does not have the specified index"));
    stores::assert_sound(&engine);
}
