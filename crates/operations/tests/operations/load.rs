//! Rows in and out of files.

use crate::faults::Dying;
use crate::shop;
use monotable_engine::Engine;
use monotable_operations::{
    Dumper, Error, InputRows, LoadReport, LoadSink, Loader, RefusedRow, Resume,
};
use monotable_store::Store;
use std::io::{BufReader, Cursor};
use std::path::Path;
use std::sync::Arc;

/// Remembers what was refused.
#[derive(Default)]
struct Sink(Vec<(u64, String)>);

impl LoadSink for Sink {
    fn refuse(&mut self, row: RefusedRow) -> Result<(), Error> {
        self.0.push((row.line, format!("{:?}", row.why)));
        Ok(())
    }

    fn progress(&mut self, _: &LoadReport) {}
}

fn json(text: &str) -> InputRows {
    InputRows::from_json(Cursor::new(text.to_owned().into_bytes()), None)
}

async fn load_text(store: &Store, text: &str) -> (LoadReport, Vec<(u64, String)>) {
    let mut sink = Sink::default();
    let loader = Loader::new(store);
    let report = loader
        .load(json(text), &mut Resume::nothing(), &mut sink)
        .await;
    (report.unwrap(), sink.0)
}

/// Orders come before their customers, and one customer is refused.
const ROWS: &str = r#"{"$entity": "Order", "customerId": "ada", "total": 12.5}
{"$entity": "Customer", "customerId": "ada", "email": "ada@example.com", "tags": ["a", "b"]}

{"$entity": "Customer", "customerId": "eve", "email": "ADA@example.com"}
{"$entity": "Order", "customerId": "ada", "total": 3}
{"$entity": "Order", "customerId": "nobody", "total": 3}
not json
"#;

#[tokio::test]
async fn rows_go_through_the_model_in_any_order() {
    let engine = Engine::in_memory().unwrap();
    let store = shop::store(engine.clone());
    store.setup().await.unwrap();
    let (report, refused) = load_text(&store, ROWS).await;
    assert_eq!((report.created, report.there, report.refused), (3, 0, 3));
    let lines: Vec<u64> = refused.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [7, 4, 6]);
    assert!(refused[1].1.contains("Email"), "{refused:?}");
    let ada = store.get(
        "Customer",
        monotable_item::Item::new().with("customerId", "ada"),
    );
    assert_eq!(ada.await.unwrap().get("orders"), Some(&2.into()));
    let verified = store.verify().await.unwrap();
    assert!(verified.violations.is_empty(), "{:?}", verified.violations);
}

fn customers(count: usize) -> String {
    (0..count)
        .map(|number| {
            format!(
                "{{\"$entity\": \"Customer\", \"customerId\": \"c{number}\", \"email\": \"c{number}@example.com\"}}\n\
                 {{\"$entity\": \"Order\", \"customerId\": \"c{number}\", \"total\": {number}}}\n"
            )
        })
        .collect()
}

/// Rows of a dump without what is random.
async fn dump_stable(store: &Store, engine: &Engine) -> Vec<String> {
    let mut text = Vec::new();
    Dumper::new(store, engine)
        .write_json(&mut text)
        .await
        .unwrap();
    let text = String::from_utf8(text).unwrap();
    let mut lines: Vec<String> = text
        .lines()
        .map(|line| {
            let mut row: serde_json::Value = serde_json::from_str(line).unwrap();
            row.as_object_mut().unwrap().remove("orderId");
            row.to_string()
        })
        .collect();
    lines.sort();
    lines
}

fn open(path: &Path) -> InputRows {
    let file = std::fs::File::open(path).unwrap();
    InputRows::from_json(BufReader::new(file), None)
}

#[tokio::test]
async fn a_load_that_is_killed_at_any_request_goes_on() {
    let text = customers(3);
    let straight = Engine::in_memory().unwrap();
    let store = shop::store(straight.clone());
    store.setup().await.unwrap();
    load_text(&store, &text).await;
    let wanted = dump_stable(&store, &straight).await;
    assert_eq!(wanted.len(), 6);
    for is_lost in [false, true] {
        for requests in 0..200 {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("rows.jsonl");
            std::fs::write(&path, &text).unwrap();
            let engine = Engine::in_memory().unwrap();
            shop::store(engine.clone()).setup().await.unwrap();
            let dying = shop::store(Dying::new(engine.clone(), requests, is_lost));
            let mut resume = Resume::open(&path).unwrap();
            let mut sink = Sink::default();
            let first = Loader::new(&dying)
                .load(open(&path), &mut resume, &mut sink)
                .await;
            drop(resume);
            let is_whole = first.is_ok();
            let store = shop::store(engine.clone());
            let mut resume = Resume::open(&path).unwrap();
            let mut sink = Sink::default();
            let second = Loader::new(&store)
                .load(open(&path), &mut resume, &mut sink)
                .await;
            let second = second.unwrap();
            assert_eq!(sink.0, [], "killed at request {requests}");
            assert_eq!(
                second.created + second.there,
                6,
                "killed at request {requests}"
            );
            assert_eq!(
                dump_stable(&store, &engine).await,
                wanted,
                "killed at request {requests}"
            );
            let verified = store.verify().await.unwrap();
            assert!(verified.violations.is_empty(), "{:?}", verified.violations);
            resume.finish().unwrap();
            assert!(!Resume::path(&path).exists());
            if is_whole {
                break;
            }
            assert!(requests < 199, "it never ends");
        }
    }
}

#[tokio::test]
async fn a_progress_file_of_another_input_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.jsonl");
    std::fs::write(&path, "{}\n").unwrap();
    let other = r#"{"input": "other", "done": 3, "open": []}"#;
    std::fs::write(Resume::path(&path), other).unwrap();
    let refused = Resume::open(&path).unwrap_err();
    assert!(
        refused.to_string().contains("of another input"),
        "{refused}"
    );
    Resume::forget(&path).unwrap();
    assert_eq!(Resume::open(&path).unwrap().done(), 0);
}

#[tokio::test]
async fn csv_comes_back_as_it_went() {
    let engine = Engine::in_memory().unwrap();
    let store = shop::store(engine.clone());
    store.setup().await.unwrap();
    let text = "customerId,email,tags,vip\nada,\"a,\"\"b\"\"@example.com\",\"[\"\"x\"\",\"\"y,z\"\"]\",true\nbob,bob@example.com,,\nbad,x@example.com,,maybe\n";
    let model = Arc::new(store.model().clone());
    let rows = InputRows::from_csv(Cursor::new(text), Some("Customer".into()), model);
    let mut sink = Sink::default();
    let loader = Loader::new(&store).parallel(8);
    let report = loader
        .load(rows, &mut Resume::nothing(), &mut sink)
        .await
        .unwrap();
    assert_eq!((report.created, report.refused), (2, 1));
    assert_eq!(sink.0[0].0, 4);
    assert!(
        sink.0[0].1.contains("neither true nor false"),
        "{:?}",
        sink.0
    );
    let mut out = Vec::new();
    let (_, entity) = store.model().entity_named("Customer").unwrap();
    let dumper = Dumper::new(&store, &engine).entity("Customer");
    let report = dumper.write_csv(entity, &mut out).await.unwrap();
    assert_eq!(report.rows, 2);
    let written = String::from_utf8(out).unwrap();
    let mut lines: Vec<_> = written.lines().collect();
    lines[1..].sort_unstable();
    assert_eq!(lines, &text.lines().collect::<Vec<_>>()[..3]);
}
