//! What screens show.

use crate::bench::{Bench, MODELS, list_links, read_model};
use http::{HeaderMap, Method};
use monotable_store::Options;
use monotable_workbench::Mode;

#[tokio::test]
async fn a_pattern_shows_its_rows_and_its_exact_requests() {
    let bench = Bench::of_family(Mode::On).await;
    let page = bench
        .page("/ui/yggdrasil/patterns/whole_tree?p.TreeId=byron")
        .await;
    for text in [
        "4 rows",
        "Lovelace",
        "GSI2",
        "TREE#byron",
        "read units",
        "$0.",
        "monotable query -m yggdrasil whole_tree TreeId=byron",
        "proved: returns exactly these",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    let page = bench
        .page("/ui/yggdrasil/patterns/whole_tree?p.TreeId=oak")
        .await;
    assert!(page.contains("No rows for TreeId = oak."), "{page}");
}

#[tokio::test]
async fn pages_of_a_pattern_follow_each_other() {
    let bench = Bench::of_family(Mode::On).await;
    let page = bench
        .page("/ui/yggdrasil/patterns/persons_of_tree?p.TreeId=byron&limit=1")
        .await;
    let links = list_links(&page);
    let next = links
        .iter()
        .find(|link| link.contains("cursor="))
        .expect("a next page");
    let next = bench.page(next).await;
    assert!(
        page.contains(">Ada<") && !page.contains(">George<"),
        "{page}"
    );
    assert!(
        next.contains(">George<") && !next.contains(">Ada<"),
        "{next}"
    );
}

#[tokio::test]
async fn items_are_recognised_as_what_they_are() {
    let bench = Bench::of_family(Mode::On).await;
    let page = bench
        .page("/ui/yggdrasil/items/Yggdrasil/table?partition=USER%23ada")
        .await;
    for text in [
        "PERSON#",
        "ParentChild",
        "Found by",
        "persons_of_tree",
        "Also stands in",
        "GSI2",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    let guard = bench
        .page("/ui/yggdrasil/items/Yggdrasil/table?partition=USER_EMAIL%23ada%40example.com")
        .await;
    assert!(guard.contains("User.Email guard"), "{guard}");
    assert!(guard.contains("Holds a value for one row of"), "{guard}");
}

#[tokio::test]
async fn an_item_of_nobody_is_marked_as_unknown() {
    use monotable_api::PutItemInput;
    let bench = Bench::of_family(Mode::On).await;
    let item = monotable_item::Item::new()
        .with("PK", "PERSON# x")
        .with("SK", "odd");
    let input = PutItemInput {
        table_name: Some("Yggdrasil".to_owned()),
        item: Some(item.into()),
        ..PutItemInput::default()
    };
    bench.engine.put_item(input).unwrap();
    let page = bench
        .page("/ui/yggdrasil/items/Yggdrasil/table?partition=PERSON%23%20x")
        .await;
    assert!(
        page.contains("No entity of the model has such a key."),
        "{page}"
    );
    let home = bench.page("/ui/").await;
    assert!(home.contains("1 unknown item"), "{home}");
}

#[tokio::test]
async fn secrets_stay_on_the_server() {
    let bench = Bench::of_family(Mode::On).await;
    for address in [
        "/ui/yggdrasil/items/Yggdrasil/table?partition=USER%23ada&item=%7B%22PK%22%3A%22USER%23ada%22%2C%22SK%22%3A%22PROFILE%22%7D",
        "/ui/yggdrasil/entities/User",
        "/ui/yggdrasil/patterns/user_by_id?p.UserId=ada",
    ] {
        let page = bench.page(address).await;
        assert!(page.contains("ada@example.com"), "{address}");
        assert!(
            !page.contains("$2b$") && !page.contains("$2y$") && !page.contains("$2a$"),
            "{address}: {page}"
        );
    }
}

#[tokio::test]
async fn a_caller_sees_what_its_rights_allow() {
    let bench = Bench::of_family(Mode::On).await;
    let own = bench
        .page("/ui/yggdrasil/patterns/whole_tree?p.TreeId=byron&as.UserId=ada")
        .await;
    assert!(own.contains("4 rows"), "{own}");
    let other = bench
        .page("/ui/yggdrasil/patterns/whole_tree?p.TreeId=byron&as.UserId=eve")
        .await;
    assert!(!other.contains("Lovelace"), "{other}");
    let items = bench.page("/ui/yggdrasil/items?as.UserId=eve").await;
    assert!(
        items.contains("Stored items are not shown to this caller."),
        "{items}"
    );
    assert!(!items.contains("PERSON#"), "{items}");
}

/// What exists is told by rights, not by the count that the page makes for itself.
#[tokio::test]
async fn a_caller_does_not_learn_what_others_have() {
    let texts = ["yggdrasil", "values"].map(|name| (name, read_model(name)));
    let bench = Bench::new(Mode::On, &texts).await;
    bench.fill_family().await;
    let commit = r#"{"commit": "values", "key": {"userId": "lovelace"}, "values": {"message": "First", "source": "weekly_review"}, "parent": null,
        "changes": [{"create": "ValuesNode", "values": {"nodeId": "health", "nodeType": "DRIVER", "title": "Health"}}]}"#;
    let commit = serde_json::from_str(commit).unwrap();
    let committed = bench.stores[1].run(commit, Options::default()).await;
    committed.unwrap();
    for (address, secret) in [
        ("/ui/yggdrasil/find?q=USER%23ada", "= ada"),
        ("/ui/yggdrasil/find?q=byron", "byron"),
        ("/ui/yggdrasil/entities/Tree", "byron"),
        ("/ui/yggdrasil/patterns/whole_tree", "byron"),
        ("/ui/values/repositories", "lovelace"),
        ("/ui/values/repositories/values", "lovelace"),
        ("/ui/", "lovelace"),
    ] {
        let page = bench.page(address).await;
        let separator = if address.contains('?') { '&' } else { '?' };
        let who = if address.contains("values") {
            "userId"
        } else {
            "UserId"
        };
        let other = bench
            .page(&format!("{address}{separator}as.{who}=eve"))
            .await;
        // Whoever asks for something is shown the own words.
        let other = other.replace("called like this", "");
        assert!(
            page.contains(secret) || address == "/ui/",
            "{address}: {page}"
        );
        assert!(!other.contains(secret), "{address}: {other}");
    }
}

/// A row is chosen among those that are shown, and so is the one to delete: the others stay where they are.
#[tokio::test]
async fn rows_stay_while_one_of_them_is_chosen() {
    let bench = Bench::of_family(Mode::On).await;
    let source = "from=persons_of_tree&p.TreeId=byron";
    let page = bench
        .page(&format!("/ui/yggdrasil/entities/Person?{source}"))
        .await;
    let links = list_links(&page);
    for word in ["&row=", "&delete=", "&new="] {
        let mut links = links.iter().filter(|link| link.contains(word));
        let link = links.next().expect(word);
        assert!(link.contains(source), "{link}");
    }
    let chosen = links.iter().find(|link| link.contains("&row=")).unwrap();
    let delete = list_links(&bench.page(chosen).await);
    let mut deletes = delete.iter().filter(|link| link.contains("delete="));
    assert!(deletes.all(|link| link.contains(source)), "{delete:?}");
}

/// Links lead to items wherever they stand in their partition, and the page shows only the first ones.
#[tokio::test]
async fn an_item_that_the_list_does_not_show_is_shown_beside_it() {
    let bench = Bench::of_family(Mode::On).await;
    for number in 0..60 {
        let person = format!(
            r#"{{"create": "Person", "values": {{"UserId": "ada", "TreeId": "byron", "PersonId": "p{number:03}", "FirstName": "P{number}", "LastName": "Q", "Gender": "Other"}}}}"#
        );
        let person = serde_json::from_str(&person).unwrap();
        bench.stores[0]
            .run(person, Options::default())
            .await
            .unwrap();
    }
    let address = |id: &str| {
        format!(
            "/ui/yggdrasil/items/Yggdrasil/table?partition=USER%23ada&item=%7B%22PK%22%3A%22USER%23ada%22%2C%22SK%22%3A%22PERSON%23{id}%22%7D"
        )
    };
    let far = bench.page(&address("p059")).await;
    let beside = far.split("aria-label=\"Item\"").last().unwrap();
    assert!(beside.contains("P59"), "{beside}");
    let gone = bench.page(&address("nobody")).await;
    assert!(gone.contains("There is no such item any more"), "{gone}");
    let empty = "/ui/yggdrasil/items/Yggdrasil/table?partition=USER%23nobody";
    let empty = bench.page(empty).await;
    assert!(empty.contains("No items under this key."), "{empty}");
}

/// The key of an index may be a number that rows have.
#[tokio::test]
async fn partitions_whose_key_is_a_number_are_listed_and_read() {
    let text = r#"
        monotable = 1
        model = "library"

        [table.Books]
        key  = ["PK", "SK"]
        GSI1 = [["year"], ["month", "title"]]

        [entity.Book]
        key = ["BOOK#{id}", "BOOK"]

        [entity.Book.attributes]
        id    = "text, matches = /[a-z0-9]{1,9}/"
        year  = "integer"
        month = "integer"
        title = "text"

        [access.books_of_year]
        GSI1    = ["{year}"]
        returns = ["Book"]
    "#;
    let bench = Bench::new(Mode::On, &[("library", text.to_owned())]).await;
    let book =
        r#"{"create": "Book", "values": {"id": "b1", "year": 2011, "month": 3, "title": "Tides"}}"#;
    let book = serde_json::from_str(book).unwrap();
    bench.stores[0].run(book, Options::default()).await.unwrap();
    let index = bench.page("/ui/library/items/Books/GSI1").await;
    assert!(index.contains("partition=2011"), "{index}");
    let beside = index.split("aria-label=\"Item\"").last().unwrap();
    assert!(beside.contains("Tides"), "{beside}");
    let table = bench
        .page("/ui/library/items/Books/table?partition=BOOK%23b1")
        .await;
    let places = table.split("Also stands in").last().unwrap();
    assert!(places.contains("partition=2011"), "{places}");
}

#[tokio::test]
async fn a_row_with_a_long_name_is_called_by_its_beginning() {
    let bench = Bench::of_family(Mode::On).await;
    let row = "%7B%22UserId%22%3A%22ada%22%2C%22PersonId%22%3A%22george%22%7D";
    let name = "x".repeat(300);
    let body = format!("do=update&of=Person&key={row}&set.FirstName={name}");
    let (_, answer) = bench.send("/ui/yggdrasil/write", &body).await;
    assert!(answer.contains("Written"), "{answer}");
    let page = bench
        .page(&format!("/ui/yggdrasil/entities/Person?delete={row}"))
        .await;
    let headings = page.split("<h").skip(1);
    let headings = headings.filter_map(|part| part.split("</h").next());
    for heading in headings {
        assert!(!heading.contains(&"x".repeat(100)), "{heading}");
    }
}

#[tokio::test]
async fn findings_stand_beside_the_text_with_their_counterexample() {
    let text = read_model("yggdrasil").replace(
        "GSI1    = [\"PERSON#{PersonId}\", \"TREE#*\"]",
        "GSI1    = [\"PERSON#{PersonId}\"]",
    );
    let bench = Bench::new(Mode::On, &[("yggdrasil", text)]).await;
    let page = bench.page("/ui/yggdrasil/model").await;
    assert!(page.contains("stranger_in_query"), "{page}");
    assert!(page.contains("person_by_id"), "{page}");
    assert!(page.contains("lines without findings"), "{page}");
    let home = bench.page("/ui/").await;
    assert!(home.contains("error"), "{home}");
}

#[tokio::test]
async fn every_link_of_every_model_leads_somewhere() {
    let texts: Vec<_> = MODELS
        .iter()
        .map(|name| (*name, read_model(name)))
        .collect();
    let bench = Bench::new(Mode::On, &texts).await;
    let mut waiting = vec!["/ui/".to_owned(), "/ui/activity".to_owned()];
    for name in MODELS {
        for screen in [
            "patterns",
            "items",
            "entities",
            "model",
            "model/keys",
            "model/rules",
            "repositories",
        ] {
            waiting.push(format!("/ui/{name}/{screen}"));
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    while let Some(address) = waiting.pop() {
        let address = address.split('#').next().unwrap_or_default().to_owned();
        if !seen.insert(address.clone()) {
            continue;
        }
        let page = bench.page(&address).await;
        assert!(seen.len() < 3000, "the page leads to itself forever");
        // Lists lead to every pattern and entity; what those lead to again is looked at once.
        if seen.len() < 400 {
            waiting.extend(list_links(&page));
        }
    }
    assert!(seen.len() > 200, "{}", seen.len());
}

#[tokio::test]
async fn headers_keep_foreign_scripts_out() {
    let bench = Bench::of_family(Mode::On).await;
    let (_, headers, page) = bench
        .request(Method::GET, "/ui/", HeaderMap::new(), "")
        .await;
    let policy = headers["content-security-policy"].to_str().unwrap();
    assert!(
        policy.contains("default-src 'none'") && policy.contains("script-src 'self'"),
        "{policy}"
    );
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(headers["x-content-type-options"], "nosniff");
    assert_eq!(headers["referrer-policy"], "no-referrer");
    assert_eq!(headers["cache-control"], "no-store");
    assert!(
        !page.contains(" style=") && !page.contains("<style") && !page.contains(" onclick"),
        "{page}"
    );
}
