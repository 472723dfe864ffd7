//! What is wrong with indexes, searches and vectors is said.

use crate::{TABLE, by_category, find, index, list, message, product, put, search, table};
use monotable_api::{
    BillingMode, CreateTableInput, GlobalSecondaryIndex, ProvisionedThroughput, PutItemInput,
    QueryInput, ScalarAttributeType as Type, ScanInput, UpdateItemInput, UpdateTableInput,
    VectorDistanceFunction as Function, VectorIndex, VectorIndexUpdate,
};
use monotable_engine::Engine;
use monotable_item::{AttributeValue, Item};

#[test]
fn what_is_wrong_with_a_search_is_said() {
    let engine = Engine::in_memory().unwrap();
    let global = GlobalSecondaryIndex::new("by-brand", "brand");
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
    paid.provisioned_throughput = Some(ProvisionedThroughput::new(1, 1));
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
        billing_mode: Some(BillingMode::Provisioned.into()),
        provisioned_throughput: Some(ProvisionedThroughput::new(1, 1)),
        ..UpdateTableInput::new(TABLE)
    };
    assert!(message(engine.update_table(provisioned)).contains("paid by use"));
    let both = UpdateTableInput::new(TABLE)
        .vector_index(VectorIndexUpdate::create(index("two", Function::Cosine)))
        .vector_index(VectorIndexUpdate::delete("one"));
    assert!(message(engine.update_table(both)).starts_with("LimitExceededException"));
}
