//! What screens read: no more than they show.

use crate::bench::{Bench, read_model};
use crate::noted::{Noted, SeenRequests, take};
use monotable_engine::Engine;
use monotable_workbench::Mode;

async fn open() -> (Bench, SeenRequests) {
    let engine = Engine::in_memory().unwrap();
    let (noted, seen) = Noted::new(engine.clone());
    let texts = [("yggdrasil", read_model("yggdrasil"))];
    let bench = Bench::with_dynamo(Mode::On, &texts, engine, noted).await;
    bench.fill_family().await;
    for number in 0..300 {
        let operation = format!(
            r#"{{"create": "Person", "values": {{"UserId": "ada", "TreeId": "byron", "PersonId": "p{number:03}", "FirstName": "P", "LastName": "Q", "Gender": "Other"}}}}"#
        );
        let operation = serde_json::from_str(&operation).unwrap();
        let options = monotable_store::Options::default();
        bench.stores[0].run(operation, options).await.unwrap();
    }
    // Counts come from a scan that is made once, and then kept until something is written.
    bench.page("/ui/").await;
    take(&seen);
    (bench, seen)
}

#[tokio::test]
async fn no_screen_reads_more_than_it_shows() {
    let (bench, seen) = open().await;
    let budgets = [
        ("/ui/", 0),
        ("/ui/activity", 0),
        ("/ui/yggdrasil/patterns", 0),
        (
            "/ui/yggdrasil/patterns/persons_of_tree?p.TreeId=byron&limit=10",
            11,
        ),
        ("/ui/yggdrasil/patterns/user_by_id?p.UserId=ada", 1),
        (
            "/ui/yggdrasil/items/Yggdrasil/table?partition=USER%23ada",
            50,
        ),
        (
            "/ui/yggdrasil/items/Yggdrasil/GSI2?partition=TREE%23byron",
            50,
        ),
        (
            "/ui/yggdrasil/entities/Person?from=persons_of_tree&p.TreeId=byron",
            201,
        ),
        ("/ui/yggdrasil/model", 0),
        ("/ui/yggdrasil/model/keys", 0),
        ("/ui/yggdrasil/model/rules", 0),
        ("/ui/yggdrasil/find?q=ada", 0),
    ];
    for (address, most) in budgets {
        let page = bench.page(address).await;
        let seen = take(&seen);
        let scans = seen.iter().filter(|(name, _)| name == "Scan").count();
        let read: u64 = seen.iter().map(|(_, read)| read).sum();
        eprintln!(
            "{address}: {} KB of markup, {} requests, {read} items read",
            page.len() / 1024,
            seen.len()
        );
        assert_eq!(scans, 0, "{address}: {seen:?}");
        assert!(read <= most, "{address}: {read} items read, {seen:?}");
    }
}

#[tokio::test]
async fn tables_are_counted_once_however_many_look() {
    let (bench, seen) = open().await;
    let body = "do=update&of=Tree&key=%7B%22UserId%22%3A%22ada%22%2C%22TreeId%22%3A%22byron%22%7D&set.TreeName=New";
    let (_, answer) = bench.send("/ui/yggdrasil/write", body).await;
    assert!(answer.contains("Written"), "{answer}");
    take(&seen);
    let pages = (0..8).map(|_| bench.page("/ui/yggdrasil/patterns"));
    for page in pages {
        page.await;
    }
    let seen = take(&seen);
    let scans = seen.iter().filter(|(name, _)| name == "Scan").count();
    assert_eq!(scans, 1, "{seen:?}");
}
