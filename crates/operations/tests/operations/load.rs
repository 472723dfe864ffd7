//! Rows in and out of files.

use crate::faults::Dying;
use crate::shop;
use monotable_engine::Engine;
use monotable_operations::{
    Dumper, Error, InputRows, LoadReport, LoadSink, Loader, RefusedRow, Resume, StoreIdentity,
};
use monotable_store::Store;
use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

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

fn here() -> StoreIdentity {
    shop::identity("here")
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
            let mut resume = Resume::open(&path, &here()).unwrap();
            let mut sink = Sink::default();
            let first = Loader::new(&dying)
                .load(open(&path), &mut resume, &mut sink)
                .await;
            drop(resume);
            let is_whole = first.is_ok();
            let store = shop::store(engine.clone());
            let mut resume = Resume::open(&path, &here()).unwrap();
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
    let refused = Resume::open(&path, &here()).unwrap_err();
    assert!(
        refused.to_string().contains("of another input"),
        "{refused}"
    );
    Resume::forget(&path).unwrap();
    assert_eq!(Resume::open(&path, &here()).unwrap().done(), 0);
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

#[tokio::test]
async fn a_load_into_another_store_begins_at_the_first_row() {
    let text = customers(3);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.jsonl");
    std::fs::write(&path, &text).unwrap();
    std::fs::write(Resume::path(&path), "{}").unwrap();
    assert!(Resume::open(&path, &here()).is_err());
    Resume::forget(&path).unwrap();
    // A run that was killed after four rows, and what it has left.
    let earlier = shop::identity("here");
    write_progress(&path, &earlier, 4, &[]);
    assert_eq!(Resume::open(&path, &earlier).unwrap().done(), 4);
    let engine = Engine::in_memory().unwrap();
    let store = shop::store(engine.clone());
    store.setup().await.unwrap();
    let anew = StoreIdentity::read("here", &store).await.unwrap();
    for target in [shop::identity("there"), anew] {
        assert_eq!(Resume::open(&path, &target).unwrap().done(), 0);
    }
}

/// What a run leaves that was killed after so many rows.
fn write_progress(path: &Path, target: &StoreIdentity, done: u64, open: &[u64]) {
    // The name of the input is what an empty progress file gets.
    let text = std::fs::read(path).unwrap();
    let digest = <sha2::Sha256 as sha2::Digest>::digest(&text);
    let name: String = digest
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let state = serde_json::json!({
        "input": format!("{name}-{}", text.len()),
        "target": target,
        "done": done,
        "open": open,
    });
    std::fs::write(Resume::path(path), state.to_string()).unwrap();
}

/// An input that fails once its text is read, as a disk does.
struct Failing(Cursor<Vec<u8>>);

impl Read for Failing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::Error::other("the disk is gone")),
            bytes => Ok(bytes),
        }
    }
}

#[tokio::test]
async fn an_input_that_fails_ends_the_load_and_no_row_is_refused_for_it() {
    let engine = Engine::in_memory().unwrap();
    let store = shop::store(engine.clone());
    store.setup().await.unwrap();
    let json = customers(2);
    let csv = "customerId,email\nada,ada@example.com\n";
    let model = Arc::new(store.model().clone());
    let failing = |text: &str| BufReader::new(Failing(Cursor::new(text.as_bytes().to_vec())));
    let customer = Some("Customer".to_owned());
    for rows in [
        InputRows::from_json(failing(&json), None),
        InputRows::from_csv(failing(csv), customer, model),
    ] {
        let mut sink = Sink::default();
        let ended = Loader::new(&store)
            .load(rows, &mut Resume::nothing(), &mut sink)
            .await;
        let ended = ended.unwrap_err().to_string();
        assert!(ended.contains("the disk is gone"), "{ended}");
        assert_eq!(sink.0, []);
    }
}

#[tokio::test]
async fn an_unreadable_row_is_never_taken_for_a_loaded_one() {
    let text = format!("{}not json\n{}", customers(2), customers(1));
    for is_lost in [false, true] {
        for requests in 0..200 {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("rows.jsonl");
            std::fs::write(&path, &text).unwrap();
            let engine = Engine::in_memory().unwrap();
            shop::store(engine.clone()).setup().await.unwrap();
            let dying = shop::store(Dying::new(engine.clone(), requests, is_lost));
            // Every row is noted, as in a load that takes long.
            let resume = Resume::open(&path, &here()).unwrap();
            let mut resume = resume.pace(Duration::ZERO);
            let first = Loader::new(&dying)
                .load(open(&path), &mut resume, &mut Sink::default())
                .await;
            if first.is_ok() {
                break;
            }
            let store = shop::store(engine.clone());
            let mut resume = Resume::open(&path, &here()).unwrap();
            let mut sink = Sink::default();
            let second = Loader::new(&store)
                .load(open(&path), &mut resume, &mut sink)
                .await
                .unwrap();
            let lines: Vec<u64> = sink.0.iter().map(|(line, _)| *line).collect();
            assert_eq!(lines, [5], "killed at request {requests}");
            assert_eq!(second.refused, 1, "killed at request {requests}");
            assert!(requests < 199, "it never ends");
        }
    }
}

#[tokio::test]
async fn texts_of_other_programs_are_read() {
    let engine = Engine::in_memory().unwrap();
    let store = shop::store(engine.clone());
    store.setup().await.unwrap();
    let marked = "\u{feff}{\"$entity\": \"Customer\", \"customerId\": \"ada\", \"email\": \"ada@example.com\"}\r\n";
    let (report, refused) = load_text(&store, marked).await;
    assert_eq!((report.created, refused), (1, vec![]));
    let load_csv = async |text: &[u8]| {
        let model = Arc::new(store.model().clone());
        let input = Cursor::new(text.to_vec());
        let rows = InputRows::from_csv(input, Some("Customer".to_owned()), model);
        let mut sink = Texts::default();
        let loader = Loader::new(&store);
        let report = loader.load(rows, &mut Resume::nothing(), &mut sink).await;
        (report.map(|report| report.created), sink.0)
    };
    let csv = b"\xef\xbb\xbfcustomerId,email\r\nbob,bob@example.com\r\neve\r\nfay,f@example.com,x\r\ng\xff,g@example.com\r\n";
    let (created, refused) = load_csv(csv).await;
    assert_eq!(created.unwrap(), 1);
    // What is refused is kept as it was given.
    let kept: Vec<(u64, &str)> = refused
        .iter()
        .map(|(line, text, _)| (*line, text.as_str()))
        .collect();
    let wanted = [
        (3, "eve"),
        (4, "fay,f@example.com,x"),
        (5, "g\u{fffd},g@example.com"),
    ];
    assert_eq!(kept, wanted);
    assert!(
        refused[0]
            .2
            .contains("the first line names 2 fields, and this one has 1"),
        "{refused:?}"
    );
    // Lines are those of the file, whatever ends them, and whatever stands in them.
    let lines = "customerId,email\n\ncat,\"c\n@x\",z\n\n\ndan\nfox,\"f\n\nx\",y\nemu";
    for text in [lines.to_owned(), lines.replace('\n', "\r\n")] {
        let (_, refused) = load_csv(text.as_bytes()).await;
        let lines: Vec<u64> = refused.iter().map(|(line, _, _)| *line).collect();
        assert_eq!(lines, [3, 7, 8, 11], "{text:?}: {refused:?}");
    }
    let (twins, _) = load_csv(b"email,email\nx@example.com,y@example.com\n").await;
    let twins = twins.unwrap_err().to_string();
    assert!(twins.contains("the name `email` is there twice"), "{twins}");
    let (strange, _) = load_csv(b"\xff\xfe,email\nx,x@example.com\n").await;
    assert!(strange.unwrap_err().to_string().contains("UTF-8"));
}

/// Remembers the texts of what was refused.
#[derive(Default)]
struct Texts(Vec<(u64, String, String)>);

impl LoadSink for Texts {
    fn refuse(&mut self, row: RefusedRow) -> Result<(), Error> {
        self.0.push((row.line, row.text, format!("{:?}", row.why)));
        Ok(())
    }

    fn progress(&mut self, _: &LoadReport) {}
}
