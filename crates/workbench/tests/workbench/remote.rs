//! Pages over tables elsewhere, whose owner pays for every request.

use crate::bench::{Bench, read_model};
use crate::noted::{Noted, SeenRequests, take};
use monotable_engine::Engine;
use monotable_workbench::Mode;

/// A page over tables with a user, a tree and two persons, and what it has asked since then.
async fn open(mode: Mode) -> (Bench, SeenRequests) {
    let engine = Engine::in_memory().unwrap();
    let (noted, seen) = Noted::new(engine.clone());
    let texts = ["yggdrasil", "values"].map(|name| (name, read_model(name)));
    let bench = Bench::over_remote(mode, &texts, engine, noted).await;
    bench.fill_family().await;
    take(&seen);
    (bench, seen)
}

/// What the bar of a page says was used.
fn read_bill(page: &str) -> &str {
    let bill = page.split("data-bill>").nth(1).unwrap();
    bill.split('<').next().unwrap()
}

#[tokio::test]
async fn nothing_is_read_before_it_is_asked_for() {
    let (bench, seen) = open(Mode::ReadOnly).await;
    let screens = [
        ("/ui/", "Nothing is read that you did not ask for"),
        ("/ui/activity", "No calls yet."),
        ("/ui/yggdrasil/patterns", "Choose an access pattern."),
        (
            "/ui/yggdrasil/patterns/persons_of_tree",
            "Nothing was sent yet.",
        ),
        ("/ui/yggdrasil/patterns/user_by_id", "Nothing was sent yet."),
        ("/ui/yggdrasil/items", "Partitions are not listed"),
        (
            "/ui/yggdrasil/items/Yggdrasil/GSI2",
            "Partitions are not listed",
        ),
        ("/ui/yggdrasil/entities", "Nothing was read yet."),
        ("/ui/yggdrasil/entities/Person", "Nothing was read yet."),
        ("/ui/yggdrasil/model", "proved"),
        ("/ui/yggdrasil/model/keys", "Person"),
        ("/ui/yggdrasil/model/rules", "Person"),
        (
            "/ui/yggdrasil/repositories",
            "This model keeps no versions.",
        ),
        ("/ui/values/repositories", "Whose revisions?"),
        ("/ui/yggdrasil/find?q=USER%23ada", ""),
    ];
    for (address, text) in screens {
        let page = bench.page(address).await;
        assert!(page.contains(text), "{address}: {text}: {page}");
        assert_eq!(take(&seen), [], "{address}");
    }
    let home = bench.page("/ui/").await;
    assert_eq!(read_bill(&home), "0 units, $0.00");
    assert!(home.contains("http://tables.example"), "{home}");
    assert!(
        !home.contains("DynamoDB API on"),
        "it is not served: {home}"
    );
}

#[tokio::test]
async fn what_is_asked_for_is_one_request_and_stands_on_the_bill() {
    let (bench, seen) = open(Mode::ReadOnly).await;
    let george =
        "entities/Person?row=%7B%22UserId%22%3A%22ada%22%2C%22PersonId%22%3A%22george%22%7D";
    let screens = [
        (
            "patterns/persons_of_tree?p.TreeId=byron&run=1",
            "Query",
            "0.5",
        ),
        ("items/Yggdrasil/table?partition=USER%23ada", "Query", "1"),
        (
            "entities/Person?from=persons_of_tree&p.TreeId=byron",
            "Query",
            "1.5",
        ),
        (george, "GetItem", "2"),
    ];
    for (address, operation, total) in screens {
        let page = bench.page(&format!("/ui/yggdrasil/{address}")).await;
        assert!(
            page.contains("George") || page.contains("PERSON#"),
            "{page}"
        );
        let asked: Vec<String> = take(&seen).into_iter().map(|(name, _)| name).collect();
        assert_eq!(asked, [operation], "{address}");
        // The bar is part of the page, so it has what the page itself has used.
        let bill = read_bill(&page);
        assert!(
            bill.starts_with(&format!("{total} units, $0.000000")),
            "{address}: {bill}"
        );
        // The tables have a DynamoDB API of their own; this server has none of them.
        let is_pattern = page.contains("aws dynamodb query --endpoint-url http://tables.example");
        assert_eq!(is_pattern, address.starts_with("patterns"), "{address}");
    }
}

#[tokio::test]
async fn a_finding_does_not_look_for_rows() {
    let (bench, seen) = open(Mode::ReadOnly).await;
    crate::witnesses::publish_mistake(&bench);
    let page = bench.page("/ui/yggdrasil/model").await;
    assert!(page.contains("stranger_in_query"), "{page}");
    assert!(!page.contains("In your data"), "{page}");
    assert_eq!(take(&seen), []);
}

#[tokio::test]
async fn nothing_is_changed_unless_the_page_may() {
    let rename = "do=update&of=Tree&key=%7B%22UserId%22%3A%22ada%22%2C%22TreeId%22%3A%22byron%22%7D&set.TreeName=Milbanke";
    let (careful, seen) = open(Mode::ReadOnly).await;
    let (status, text) = careful.send("/ui/yggdrasil/write", rename).await;
    assert_eq!(status, 403, "{text}");
    assert_eq!(take(&seen), []);
    let (bold, seen) = open(Mode::On).await;
    let (status, text) = bold.send("/ui/yggdrasil/write", rename).await;
    assert!(
        status == 200 && text.contains("data-outcome=\"Written\""),
        "{text}"
    );
    assert!(!take(&seen).is_empty());
    let home = bold.page("/ui/").await;
    assert!(
        home.contains("write unit"),
        "writes stand on the bill: {home}"
    );
    assert_ne!(read_bill(&home), "0 units, $0.00");
}
