//! Vector indexes: what is found equals what a plain computation over the items finds, while items change, while an index is filled,
//! and after the store was opened again.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs,
    reason = "tests"
)]

#[path = "support/cases.rs"]
mod cases;
#[path = "support/stores.rs"]
mod stores;

use monotable_api::{
    BackupStatus, CreateBackupInput, CreateTableInput, DeleteItemInput, DescribeBackupInput,
    DescribeTableInput, Error, IndexProjection, IndexStatus, PutItemInput, QueryInput,
    RestoreTableFromBackupInput, ReturnConsumedCapacity, ScalarAttributeType as Type, ScanInput,
    SearchResultItem, SearchSchemaElementType as Part, SearchVectorsInput, TableStatus,
    UpdateItemInput, UpdateTableInput, VectorDistanceFunction as Function, VectorIndex,
    VectorIndexUpdate,
};
use monotable_engine::{Engine, EngineOptions};
use monotable_item::{AttributeValue, Item, Number};
use std::collections::BTreeMap;
use std::thread;
use std::time::Duration;

const TABLE: &str = "Products";
const DIMENSIONS: usize = 3;

fn numbers(vector: &[f32]) -> Vec<Number> {
    let texts = vector.iter().map(|element| format!("{element}"));
    texts.map(|text| text.parse().unwrap()).collect()
}

fn list(vector: &[f32]) -> AttributeValue {
    AttributeValue::L(numbers(vector).into_iter().map(AttributeValue::N).collect())
}

fn index(name: &str, function: Function) -> VectorIndex {
    VectorIndex::new(name, "embedding", DIMENSIONS as u32, function)
}

fn table() -> CreateTableInput {
    CreateTableInput::new(TABLE, "id", Type::N)
        .attribute("category", Type::S)
        .attribute("brand", Type::S)
}

fn by_category() -> VectorIndex {
    index("by-category", Function::Cosine)
        .search("category", Part::Hash)
        .search("brand", Part::InlineFilter)
        .projection(IndexProjection::include(["title"]))
}

fn search(index: &str, vector: &[f32], most: u32) -> SearchVectorsInput {
    SearchVectorsInput::new(TABLE, index, numbers(vector), most)
}

fn find(engine: &Engine, input: SearchVectorsInput) -> Vec<SearchResultItem> {
    engine
        .search_vectors(input)
        .unwrap()
        .search_results
        .unwrap()
}

fn id(result: &SearchResultItem) -> u32 {
    match result.item.as_ref().unwrap().to_item().get("id") {
        Some(AttributeValue::N(number)) => number.to_string().parse().unwrap(),
        other => panic!("{other:?}"),
    }
}

fn message<T: std::fmt::Debug>(answer: Result<T, Error>) -> String {
    answer.unwrap_err().to_string()
}

fn product(number: u32, category: &str, brand: &str, vector: &[f32]) -> Item {
    Item::new()
        .with("id", number)
        .with("category", category)
        .with("brand", brand)
        .with("title", format!("product {number}"))
        .with("price", 10)
        .with("embedding", list(vector))
}

fn put(engine: &Engine, item: Item) {
    engine.put_item(PutItemInput::new(TABLE, item)).unwrap();
}

fn await_index(engine: &Engine, table: &str, name: &str) {
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
fn what_is_wrong_with_a_search_is_said() {
    let engine = Engine::in_memory().unwrap();
    let global = monotable_api::GlobalSecondaryIndex::new("by-brand", "brand");
    let indexed = table().global_index(global).vector_index(by_category());
    engine.create_table(indexed).unwrap();
    let good = || {
        search("by-category", &[1.0, 0.0, 0.0], 10)
            .condition("category = :c")
            .value(":c", "audio")
    };
    let of = |input| message(engine.search_vectors(input));
    let refuse =
        |input, words: &str| assert_eq!(of(input), format!("ValidationException: {words}"));
    refuse(
        search("by-category", &[1.0, 0.0, 0.0], 10),
        "SearchConditionExpression must be provided when SearchSchema has a HASH key",
    );
    refuse(
        search("by-category", &[1.0, 0.0, 0.0], 10)
            .condition("brand = :b")
            .value(":b", "acme"),
        "SearchConditionExpression must be provided when SearchSchema has a HASH key",
    );
    for condition in [
        "category <> :c",
        "category IN (:c)",
        "category = :c OR brand = :c",
        "NOT category = :c",
    ] {
        refuse(
            good().condition(condition),
            "Invalid comparator used in SearchConditionExpression",
        );
    }
    refuse(
        good().condition("category = :c AND title = :c"),
        "SearchConditionExpression names the attribute title, which is not in the SearchSchema of vector index by-category",
    );
    refuse(
        good().condition("category = :c AND category = :c"),
        "SearchConditionExpression names the attribute category twice",
    );
    let mut many = good();
    many.top_k = Some(101);
    refuse(many, "Provided TopK value is out of valid range");
    let mut none = good();
    none.top_k = Some(0);
    assert!(of(none).contains("Value '0' at 'topK' failed to satisfy constraint: Member must have value greater than or equal to 1"));
    let mut short = good();
    short.search_vector = search("x", &[1.0], 1).search_vector;
    refuse(
        short,
        "SearchVector has 1 elements: vectors of index by-category have 3",
    );
    let mut text = good();
    text.search_vector = Some(vec![AttributeValue::S("1".into()).into()]);
    assert!(of(text).contains("Element 0 of SearchVector is of the type S"));
    refuse(
        good().projection("price"),
        "One or more parameter values were invalid: Global secondary index by-category does not project [price]",
    );
    refuse(
        search("nothing", &[1.0, 0.0, 0.0], 1),
        "The table does not have the specified index: nothing",
    );
    refuse(
        search("by-brand", &[1.0, 0.0, 0.0], 1),
        "by-brand is not a vector index: read it with Query or Scan",
    );
    for read in [
        message(engine.scan(ScanInput::new(TABLE).index("by-category"))),
        message(
            engine.query(
                QueryInput::new(TABLE, "category = :c")
                    .index("by-category")
                    .value(":c", "audio"),
            ),
        ),
    ] {
        assert_eq!(
            read,
            "ValidationException: by-category is a vector index, which supports neither Query nor Scan nor PartiQL: use SearchVectors"
        );
    }
}

#[test]
fn a_vector_that_does_not_fit_is_refused() {
    let engine = Engine::in_memory().unwrap();
    engine
        .create_table(table().vector_index(by_category()))
        .unwrap();
    let item =
        |vector: AttributeValue| product(1, "audio", "acme", &[0.0; 3]).with("embedding", vector);
    for (vector, words) in [
        (list(&[1.0, 2.0]), "has 2 elements"),
        (AttributeValue::S("text".into()), "is of the type S"),
        (
            AttributeValue::L(vec![AttributeValue::Null; 3]),
            "has an element 0 that is not a number",
        ),
        (
            AttributeValue::L(vec![AttributeValue::N("1e100".parse().unwrap()); 3]),
            "has an element 0 that is not a number",
        ),
    ] {
        let refused = message(engine.put_item(PutItemInput::new(TABLE, item(vector))));
        assert!(refused.contains(words), "{refused}");
        assert!(
            refused.starts_with("ValidationException: One or more parameter values were invalid"),
            "{refused}"
        );
    }
    put(&engine, product(1, "audio", "acme", &[1.0, 0.0, 0.0]));
    let update =
        UpdateItemInput::new(TABLE, Item::new().with("id", 1)).update("REMOVE embedding[0]");
    let refused = message(engine.update_item(update));
    assert!(refused.contains("has 2 elements"), "{refused}");
    let update = UpdateItemInput::new(TABLE, Item::new().with("id", 1))
        .update("SET embedding[0] = :x")
        .value(":x", 2);
    engine.update_item(update).unwrap();
    let found = find(
        &engine,
        search("by-category", &[2.0, 0.0, 0.0], 1)
            .condition("category = :c")
            .value(":c", "audio"),
    );
    assert_eq!(found[0].score, Some(0.0));
}

#[test]
fn what_is_wrong_with_an_index_is_said() {
    let engine = Engine::in_memory().unwrap();
    let create = |input: CreateTableInput| message(engine.create_table(input));
    let undefined = CreateTableInput::new(TABLE, "id", Type::N).vector_index(by_category());
    assert_eq!(
        create(undefined),
        "ValidationException: One element in SearchSchema is not defined in attribute definitions"
    );
    let mut paid = table().vector_index(by_category());
    paid.billing_mode = None;
    paid.provisioned_throughput = Some(monotable_api::ProvisionedThroughput::new(1, 1));
    assert!(create(paid).contains("Vector indexes need a table that is paid by use"));
    let plain = || CreateTableInput::new(TABLE, "id", Type::N);
    let wide = VectorIndex::new("wide", "embedding", 4097, Function::Cosine);
    assert!(create(plain().vector_index(wide)).contains("at most 4096"));
    let other = VectorIndex::new("other", "embedding", 4, Function::Cosine);
    let two = plain()
        .vector_index(index("one", Function::Cosine))
        .vector_index(other.clone());
    assert!(create(two).contains("3 and 4 dimensions"));
    let twice = plain()
        .vector_index(index("one", Function::Cosine))
        .vector_index(index("one", Function::Cosine));
    assert!(create(twice).contains("one"));
    let of_key = VectorIndex::new("key", "id", 3, Function::Cosine);
    assert!(create(plain().vector_index(of_key)).contains("is also a key"));

    engine
        .create_table(plain().vector_index(index("one", Function::Cosine)))
        .unwrap();
    let update = |change: VectorIndexUpdate| {
        engine.update_table(UpdateTableInput::new(TABLE).vector_index(change))
    };
    assert!(
        message(update(VectorIndexUpdate::create(other)))
            .contains("have 3 dimensions, and the new one 4")
    );
    assert!(
        message(update(VectorIndexUpdate::delete("nothing")))
            .starts_with("ResourceNotFoundException")
    );
    let provisioned = UpdateTableInput {
        billing_mode: Some(monotable_api::BillingMode::Provisioned.into()),
        provisioned_throughput: Some(monotable_api::ProvisionedThroughput::new(1, 1)),
        ..UpdateTableInput::new(TABLE)
    };
    assert!(message(engine.update_table(provisioned)).contains("paid by use"));
    let both = UpdateTableInput::new(TABLE)
        .vector_index(VectorIndexUpdate::create(index("two", Function::Cosine)))
        .vector_index(VectorIndexUpdate::delete("one"));
    assert!(message(engine.update_table(both)).starts_with("LimitExceededException"));
}

/// The state of one item: category, brand, vector.
type State = BTreeMap<u32, (String, Option<Vec<f32>>)>;

/// What a search finds, computed in the plainest way.
fn compute(
    state: &State,
    function: Function,
    category: Option<&str>,
    vector: &[f32],
    most: usize,
) -> Vec<(u32, f64)> {
    let dot = |one: &[f32], other: &[f32]| -> f64 {
        one.iter()
            .zip(other)
            .map(|(a, b)| f64::from(*a) * f64::from(*b))
            .sum()
    };
    let mut found: Vec<(u32, f64)> = Vec::new();
    for (number, (own, embedding)) in state {
        let Some(embedding) = embedding else { continue };
        if category.is_some_and(|category| category != own) {
            continue;
        }
        let score = match function {
            Function::DotProduct => dot(vector, embedding),
            Function::Euclidean => {
                let difference: Vec<f64> = vector
                    .iter()
                    .zip(embedding)
                    .map(|(a, b)| f64::from(*a) - f64::from(*b))
                    .collect();
                difference
                    .iter()
                    .map(|element| element * element)
                    .sum::<f64>()
                    .sqrt()
            }
            Function::Cosine => {
                let lengths = (dot(vector, vector) * dot(embedding, embedding)).sqrt();
                1.0 - if lengths > 0.0 {
                    dot(vector, embedding) / lengths
                } else {
                    0.0
                }
            }
        };
        found.push((*number, score));
    }
    let sign = if function == Function::DotProduct {
        -1.0
    } else {
        1.0
    };
    found.sort_by(|one, other| (sign * one.1).total_cmp(&(sign * other.1)));
    found.truncate(most);
    found
}

/// Holds what an index finds against the computation. Items that are as near may come in any order, but in the same one each time.
fn compare(
    engine: &Engine,
    state: &State,
    name: &str,
    function: Function,
    category: Option<&str>,
    vector: &[f32],
    most: u32,
) {
    let input = || {
        let input = search(name, vector, most);
        match category {
            Some(category) => input.condition("category = :c").value(":c", category),
            None => input,
        }
    };
    let found = find(engine, input());
    let again = find(engine, input());
    assert_eq!(found, again, "the order is fixed");
    let expected = compute(state, function, category, vector, most as usize);
    assert_eq!(found.len(), expected.len());
    for (found, (_, score)) in found.iter().zip(&expected) {
        let difference = (found.score.unwrap() - score).abs();
        assert!(difference < 1e-6, "{found:?} {score}");
        let (own, embedding) = &state[&id(found)];
        assert!(category.is_none_or(|category| category == own));
        assert!(embedding.is_some());
    }
    let ids: std::collections::BTreeSet<u32> = found.iter().map(id).collect();
    assert_eq!(ids.len(), found.len(), "each item once");
}

#[test]
fn searches_equal_a_plain_computation_while_items_change() {
    for seed in 0..u64::from(cases::cases(12)) {
        let mut dice = fastrand::Rng::with_seed(seed);
        let directory = tempfile::tempdir().unwrap();
        let open = || EngineOptions::new().open(directory.path()).unwrap();
        let mut engine = open();
        engine
            .create_table(
                table()
                    .vector_index(by_category())
                    .vector_index(index("near", Function::Euclidean)),
            )
            .unwrap();
        let mut state = State::new();
        let element = |dice: &mut fastrand::Rng| dice.i32(-4..=4) as f32 / 2.0;
        for step in 0..120 {
            let number = dice.u32(0..25);
            let key = Item::new().with("id", number);
            let category = if dice.bool() { "audio" } else { "video" };
            let vector: Vec<f32> = (0..DIMENSIONS).map(|_| element(&mut dice)).collect();
            match dice.u32(0..10) {
                0..6 => {
                    put(&engine, product(number, category, "acme", &vector));
                    state.insert(number, (category.to_owned(), Some(vector)));
                }
                6 => {
                    engine
                        .delete_item(DeleteItemInput::new(TABLE, key))
                        .unwrap();
                    state.remove(&number);
                }
                7 if state.contains_key(&number) => {
                    let update = UpdateItemInput::new(TABLE, key).update("REMOVE embedding");
                    engine.update_item(update).unwrap();
                    state.get_mut(&number).unwrap().1 = None;
                }
                8 if state.contains_key(&number) => {
                    let update = UpdateItemInput::new(TABLE, key)
                        .update("SET category = :c, embedding = :e")
                        .value(":c", category)
                        .value(":e", list(&vector));
                    engine.update_item(update).unwrap();
                    state.insert(number, (category.to_owned(), Some(vector)));
                }
                _ => {}
            }
            if step == 40 {
                let dot = index("later", Function::DotProduct);
                let create = VectorIndexUpdate::create(dot);
                engine
                    .update_table(UpdateTableInput::new(TABLE).vector_index(create))
                    .unwrap();
            }
            if step == 70 {
                await_index(&engine, TABLE, "later");
            }
            if step % 10 == 9 {
                let vector: Vec<f32> = (0..DIMENSIONS).map(|_| element(&mut dice)).collect();
                let most = dice.u32(1..12);
                compare(
                    &engine,
                    &state,
                    "by-category",
                    Function::Cosine,
                    Some(category),
                    &vector,
                    most,
                );
                compare(
                    &engine,
                    &state,
                    "near",
                    Function::Euclidean,
                    None,
                    &vector,
                    most,
                );
                if step > 70 {
                    compare(
                        &engine,
                        &state,
                        "later",
                        Function::DotProduct,
                        None,
                        &vector,
                        most,
                    );
                }
            }
            if step == 90 {
                engine.close();
                drop(engine);
                engine = open();
            }
        }
        stores::assert_sound(&engine);
        let update = UpdateTableInput::new(TABLE).vector_index(VectorIndexUpdate::delete("near"));
        engine.update_table(update).unwrap();
        assert!(
            message(engine.search_vectors(search("near", &[0.0; 3], 1)))
                .contains("does not have the specified index")
        );
        engine.background_step().unwrap();
        stores::assert_sound(&engine);
    }
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
