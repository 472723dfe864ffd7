//! What is taken from a bucket, and what is not.

use crate::{BUCKET, World, await_import, import_of, scan, stores};
use monotable_api::{
    CsvOptions, DescribeTableInput, GetItemInput, ImportStatus, ImportTableInput,
    InputCompressionType, InputFormat, InputFormatOptions, ListImportsInput, PutItemInput,
    ScanInput, SearchVectorsInput, VectorDistanceFunction, VectorIndex,
};
use monotable_engine::{Durability, EngineOptions};
use monotable_item::{Item, Number};

const NONE: InputCompressionType = InputCompressionType::None;

fn csv(options: Option<CsvOptions>) -> ImportTableInput {
    ImportTableInput {
        input_format: Some(InputFormat::Csv.into()),
        input_format_options: options.map(|csv| InputFormatOptions { csv: Some(csv) }),
        ..import_of("csv/", NONE)
    }
}

#[test]
fn lines_that_are_no_items_are_counted() {
    let world = World::open();
    world.write(
        "data/1.json",
        r#"{"Item": {"id": {"N": "1"}, "text": {"S": "one"}}}
{"Item": {"id": {"N": "2"}, "text": {"N": "7"}}}

{"Item": {"id": {"S": "3"}}}
{"Item": {"text": {"S": "no key"}}}
{"Item": {"id": {"N": "4"}, "text": {"S": ""}}}
not JSON
{"Other": {}}
{"Item": {"id": {"N": "5"}}}"#,
    );
    world.write(
        "data2/x.json",
        r#"{"Item": {"id": {"N": "1"}, "text": {"S": "uno"}}}"#,
    );
    let import = world.import(import_of("data", NONE));
    assert_eq!(import.import_status, Some(ImportStatus::Failed));
    assert_eq!(import.failure_code.as_deref(), Some("ItemValidationError"));
    assert_eq!(import.processed_item_count, Some(9));
    assert_eq!(import.error_count, Some(6));
    assert_eq!(import.imported_item_count, Some(3));
    // The later one stays, in the index too.
    let items = scan(&world.engine, "Imported");
    assert_eq!(
        items,
        vec![
            Item::new().with("id", 1).with("text", "uno"),
            Item::new().with("id", 5),
        ]
    );
    let index = ScanInput::new("Imported").index("byText");
    assert_eq!(world.engine.scan(index).unwrap().count, 1);
    stores::assert_sound(&world.engine);
    // And it is a table like any other.
    let item = Item::new().with("id", 6);
    let put = PutItemInput::new("Imported", item);
    world.engine.put_item(put).unwrap();
}

#[test]
fn rows_of_csv_have_the_types_of_keys() {
    let world = World::open();
    world.write(
        "csv/a.csv",
        "id,text,other\r\n1,one,\"a, \"\"b\"\"\nand more\"\r\n2,two,\r\nx,three,4\r\n3,four\r\n",
    );
    let import = world.import(csv(None));
    assert_eq!(import.processed_item_count, Some(4));
    assert_eq!(import.error_count, Some(2));
    assert_eq!(
        scan(&world.engine, "Imported"),
        vec![
            Item::new()
                .with("id", 1)
                .with("text", "one")
                .with("other", "a, \"b\"\nand more"),
            Item::new()
                .with("id", 2)
                .with("text", "two")
                .with("other", ""),
        ]
    );
}

#[test]
fn rows_may_have_another_delimiter_and_no_header() {
    let world = World::open();
    world.write("csv/a.csv", "1;one\n2;t,w,o\n");
    let import = world.import(csv(Some(CsvOptions {
        delimiter: Some(";".into()),
        header_list: Some(vec!["id".into(), "text".into()]),
    })));
    assert_eq!(import.import_status, Some(ImportStatus::Completed));
    let key = Item::new().with("id", Number::from(2u64));
    let item = world.engine.get_item(GetItemInput::new("Imported", key));
    let item = item.unwrap().item.unwrap().to_item();
    assert_eq!(item, Item::new().with("id", 2).with("text", "t,w,o"));
}

#[test]
fn what_is_not_there_fails_and_what_is_empty_does_not() {
    let world = World::open();
    let empty = world.import(import_of("nothing/", NONE));
    assert_eq!(empty.import_status, Some(ImportStatus::Completed));
    assert_eq!(scan(&world.engine, "Imported"), vec![]);
    let taken = world.engine.import_table(import_of("nothing/", NONE));
    assert_eq!(
        taken.unwrap_err().to_string(),
        "ResourceInUseException: Table already exists: Imported"
    );

    let other = World::open();
    let mut input = import_of("nothing/", NONE);
    input.s3_bucket_source.as_mut().unwrap().s3_bucket = Some("no-such-bucket".into());
    let failed = other.import(input);
    assert_eq!(failed.import_status, Some(ImportStatus::Failed));
    assert_eq!(failed.failure_code.as_deref(), Some("S3NoSuchBucket"));
    let table = other
        .engine
        .describe_table(DescribeTableInput::new("Imported"));
    assert_eq!(table.unwrap_err().code(), "ResourceNotFoundException");
    stores::assert_sound(&other.engine);

    // Plain lines are no gzip.
    let packed = World::open();
    packed.write("data/1.json", "{}\n{}\n");
    let failed = packed.import(import_of("data/", InputCompressionType::Gzip));
    assert_eq!(failed.error_count, Some(1));
    let list = packed.engine.list_imports(ListImportsInput::default());
    assert_eq!(list.unwrap().import_summary_list.len(), 1);
}

#[test]
fn an_import_goes_on_after_a_restart() {
    let world = World::open();
    for file in 0..3 {
        let lines = (0..9_000).map(|line| {
            let id = file * 9_000 + line;
            format!(
                "{{\"Item\": {{\"id\": {{\"N\": \"{id}\"}}, \"text\": {{\"S\": \"t{line}\"}}}}}}\n"
            )
        });
        world.write(&format!("data/{file}.json"), lines.collect::<String>());
    }
    let directory = tempfile::tempdir().unwrap();
    let open = || {
        let options = EngineOptions::new().durability(Durability::Relaxed);
        let options = options.buckets(world.folder.path());
        options.open(directory.path()).unwrap()
    };
    let mut engine = open();
    let begun = engine.import_table(import_of("data/", NONE)).unwrap();
    let arn = begun.import_table_description.unwrap().import_arn.unwrap();
    for _ in 0..3 {
        // The step that is under way ends, and no other one begins.
        drop(engine);
        engine = open();
    }
    let import = await_import(&engine, &arn);
    assert_eq!(import.import_status, Some(ImportStatus::Completed));
    assert_eq!(import.imported_item_count, Some(27_000));
    assert_eq!(import.processed_item_count, Some(27_000));
    assert_eq!(scan(&engine, "Imported").len(), 27_000);
    stores::assert_sound(&engine);
    assert_eq!(
        import.s3_bucket_source.unwrap().s3_bucket.as_deref(),
        Some(BUCKET)
    );
}

#[test]
fn vector_indexes_of_an_imported_table_are_filled() {
    let world = World::open();
    world.write(
        "data/1.json",
        r#"{"Item": {"id": {"N": "1"}, "embedding": {"L": [{"N": "1"}, {"N": "0"}]}}}
{"Item": {"id": {"N": "2"}, "embedding": {"L": [{"N": "0"}, {"N": "1"}]}}}
{"Item": {"id": {"N": "3"}, "text": {"S": "without a vector"}}}"#,
    );
    let mut input = import_of("data", NONE);
    let parameters = input.table_creation_parameters.as_mut().unwrap();
    let index = VectorIndex::new("near", "embedding", 2, VectorDistanceFunction::Cosine);
    parameters.vector_indexes = Some(vec![index]);
    let import = world.import(input);
    assert_eq!(
        import.import_status,
        Some(ImportStatus::Completed),
        "{import:?}"
    );
    let table = world
        .engine
        .describe_table(DescribeTableInput::new("Imported"));
    let indexes = table.unwrap().table.unwrap().vector_indexes.unwrap();
    assert_eq!(indexes[0].index_name.as_deref(), Some("near"));
    let vector = ["0.1", "0.9"].map(|element| element.parse::<Number>().unwrap());
    let search = SearchVectorsInput::new("Imported", "near", vector.to_vec(), 5);
    let found = world.engine.search_vectors(search).unwrap();
    let found = found.search_results.unwrap().into_iter();
    let found: Vec<Item> = found.map(|result| result.item.unwrap().to_item()).collect();
    let ids: Vec<_> = found.iter().map(|item| item.get("id").cloned()).collect();
    let expected = [2, 1].map(|id| Item::new().with("id", id).get("id").cloned());
    assert_eq!(ids, expected);
    stores::assert_sound(&world.engine);
}
