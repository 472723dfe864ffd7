//! Query and Scan: key conditions, order, indexes, pages, counts, segments.

use crate::library::{Item, Library, item, key, loan, n, number_of, numbers, s, sorted};
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::types::Select;

/// Twelve loans of ada and one of each of three neighbours.
async fn shelf() -> Library {
    let library = Library::with_loans(1..=12).await;
    library
        .write_all(["ad", "adam", "bob"].map(|member| loan(member, 1)).into())
        .await;
    library
}

/// The loans of ada, and a further condition on the sort key.
fn of_ada<const COUNT: usize>(
    library: &Library,
    condition: &str,
    values: [&str; COUNT],
) -> QueryFluentBuilder {
    let query = library.client.query().table_name(&library.table);
    let query = query.key_condition_expression(format!("PK = :pk{condition}"));
    let query = query.expression_attribute_values(":pk", s("MEMBER#ada"));
    [":a", ":b"]
        .into_iter()
        .zip(values)
        .fold(query, |query, (name, value)| {
            query.expression_attribute_values(name, s(value))
        })
}

fn at_branch(library: &Library, branch: &str) -> QueryFluentBuilder {
    let query = library
        .client
        .query()
        .table_name(&library.table)
        .index_name("ByBranch");
    query
        .key_condition_expression("Branch = :branch")
        .expression_attribute_values(":branch", s(branch))
}

#[tokio::test]
async fn key_conditions() {
    let library = shelf().await;
    let found = async |query: QueryFluentBuilder| numbers(query.send().await.unwrap().items());
    assert_eq!(
        found(of_ada(&library, " AND SK = :a", ["LOAN#0003"])).await,
        [3]
    );
    assert_eq!(
        found(of_ada(&library, " AND SK < :a", ["LOAN#0003"])).await,
        [1, 2]
    );
    assert_eq!(
        found(of_ada(&library, " AND SK <= :a", ["LOAN#0003"])).await,
        [1, 2, 3]
    );
    assert_eq!(
        found(of_ada(&library, " AND SK > :a", ["LOAN#0010"])).await,
        [11, 12]
    );
    assert_eq!(
        found(of_ada(&library, " AND SK >= :a", ["LOAN#0010"])).await,
        [10, 11, 12]
    );
    assert_eq!(
        found(of_ada(&library, " AND begins_with(SK, :a)", ["LOAN#001"])).await,
        [10, 11, 12]
    );
    let between = " AND SK BETWEEN :a AND :b";
    assert_eq!(
        found(of_ada(&library, between, ["LOAN#0004", "LOAN#0006"])).await,
        [4, 5, 6]
    );
    assert_eq!(
        found(of_ada(&library, "", []).scan_index_forward(false).limit(2)).await,
        [12, 11]
    );
}

#[tokio::test]
async fn counts_and_filters() {
    let library = shelf().await;
    let counted = of_ada(&library, "", [])
        .select(Select::Count)
        .send()
        .await
        .unwrap();
    assert_eq!((counted.count, counted.items), (12, None));
    let filtered = of_ada(&library, "", []).filter_expression("Branch = :hill");
    let filtered = filtered
        .expression_attribute_values(":hill", s("Hill"))
        .send()
        .await
        .unwrap();
    assert_eq!(numbers(filtered.items()), [3, 6, 9, 12]);
    assert_eq!((filtered.count, filtered.scanned_count), (4, 12));
}

#[tokio::test]
async fn pages() {
    let library = shelf().await;
    let first = of_ada(&library, "", []).limit(7).send().await.unwrap();
    assert_eq!(first.last_evaluated_key, Some(key("ada", 7)));
    let rest = of_ada(&library, "", [])
        .set_exclusive_start_key(first.last_evaluated_key)
        .send()
        .await
        .unwrap();
    assert_eq!(numbers(rest.items()), [8, 9, 10, 11, 12]);
    assert_eq!(rest.last_evaluated_key, None);
    let mut pages = of_ada(&library, "", []).limit(5).into_paginator().send();
    let mut lengths = Vec::new();
    while let Some(page) = pages.try_next().await.unwrap() {
        lengths.push(page.items().len());
    }
    assert_eq!(lengths, [5, 5, 2]);
    let items: Result<Vec<Item>, _> = of_ada(&library, "", [])
        .into_paginator()
        .page_size(4)
        .items()
        .send()
        .collect()
        .await;
    assert_eq!(numbers(&items.unwrap()), (1..=12).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_global_index_follows_its_table() {
    let library = shelf().await;
    let found = at_branch(&library, "Hill")
        .scan_index_forward(false)
        .limit(3)
        .send()
        .await
        .unwrap();
    assert_eq!(numbers(found.items()), [12, 9, 6]);
    assert_eq!(
        sorted(found.items()[0].keys().collect()),
        ["Branch", "Due", "PK", "SK"]
    );
    let mut last = key("ada", 6);
    last.extend(item([("Branch", s("Hill")), ("Due", s("2031-01-06"))]));
    assert_eq!(found.last_evaluated_key, Some(last));
    for (update, expected) in [("SET Branch = :branch", vec![1]), ("REMOVE Branch", vec![])] {
        let change = library
            .client
            .update_item()
            .table_name(&library.table)
            .set_key(Some(key("ada", 1)));
        let values = update.contains(':').then(|| item([(":branch", s("Sea"))]));
        change
            .update_expression(update)
            .set_expression_attribute_values(values)
            .send()
            .await
            .unwrap();
        assert_eq!(
            numbers(at_branch(&library, "Sea").send().await.unwrap().items()),
            expected
        );
    }
    let consistent = at_branch(&library, "Hill")
        .consistent_read(true)
        .send()
        .await;
    let error = consistent.unwrap_err().into_service_error();
    assert_eq!(
        error.meta().message(),
        Some("Consistent reads are not supported on global secondary indexes")
    );
}

#[tokio::test]
async fn a_local_index_fetches_what_it_lacks() {
    let library = shelf().await;
    let query = library
        .client
        .query()
        .table_name(&library.table)
        .index_name("ByPages");
    let query = query.key_condition_expression("PK = :pk AND Pages BETWEEN :low AND :high");
    let query = query.expression_attribute_values(":pk", s("MEMBER#ada"));
    let query = query
        .expression_attribute_values(":low", n(990))
        .expression_attribute_values(":high", n(992));
    let found = query.clone().consistent_read(true).send().await.unwrap();
    assert_eq!(numbers(found.items()), [10, 9, 8]);
    assert_eq!(
        sorted(found.items()[0].keys().collect()),
        ["PK", "Pages", "SK", "Title"]
    );
    let whole = query.select(Select::AllAttributes).send().await.unwrap();
    assert_eq!(whole.items()[0], loan("ada", 10));
}

#[tokio::test]
async fn segments_are_disjoint_and_complete() {
    let library = shelf().await;
    let mut found = Vec::new();
    for segment in 0..4 {
        let scan = library
            .client
            .scan()
            .table_name(&library.table)
            .segment(segment)
            .total_segments(4)
            .limit(2);
        let items: Result<Vec<Item>, _> = scan.into_paginator().items().send().collect().await;
        found.extend(
            items
                .unwrap()
                .iter()
                .map(|item| (item["PK"].as_s().unwrap().clone(), number_of(item))),
        );
    }
    let ada = (1..=12).map(|number| ("MEMBER#ada".to_owned(), number));
    let neighbours = ["ad", "adam", "bob"].map(|member| (format!("MEMBER#{member}"), 1));
    assert_eq!(sorted(found), sorted(ada.chain(neighbours).collect()));
}
