//! The requests of an operation.

use super::Rows;

#[test]
fn requests_are_shown_and_nothing_is_written() {
    let rows = Rows::with_persons(1);
    let before = rows.sandbox.items("Yggdrasil");
    let query = rows
        .run("query persons_of_tree TreeId=byron --limit 7 --explain")
        .succeeded()
        .stdout;
    assert!(query.starts_with("# round 1\nQuery {\n"), "{query}");
    assert!(
        query.contains(r#""IndexName": "GSI2""#) && query.contains(r#""Limit": 7"#),
        "{query}"
    );
    let update = "update Person UserId=ada PersonId=p0 --set LastName=Lovelace --explain";
    let update = rows.run(update).succeeded().stdout;
    assert!(
        update.contains("GetItem {") && update.contains("UpdateItem {"),
        "{update}"
    );
    let taken = "create User UserId=bob Email=ada@example.com PasswordHash=x --explain";
    assert!(rows.run(taken).stdout.contains("TransactWriteItems {"));
    rows.run("delete Tree UserId=ada TreeId=byron --explain")
        .succeeded();
    assert_eq!(rows.sandbox.items("Yggdrasil"), before);
}

#[test]
fn no_store_is_needed() {
    let rows = Rows::new();
    let query = "query trees_of_user UserId=ada --explain";
    let memory = rows.run(&format!("{query} --in-memory")).succeeded();
    let absent = rows.run(query).succeeded();
    assert_eq!(memory.stdout, absent.stdout);
    assert!(
        absent
            .stderr
            .contains("an empty store in memory stands for it"),
        "{absent:?}"
    );
    assert!(!rows.sandbox.path().join("data").exists());
    rows.run(&format!("{query} --in-memory --store here"))
        .failed(2, "cannot be used with");
    let missing = rows
        .run("get User UserId=ada --explain --in-memory")
        .succeeded();
    assert!(missing.stdout.contains("GetItem {"), "{missing:?}");
    assert!(
        missing.stderr.contains("it ends so: NotFound"),
        "{missing:?}"
    );
    rows.run("get User UserId=ada --in-memory")
        .failed(2, "--explain");
}

#[test]
fn a_caller_sees_no_keys_of_rows_that_it_may_not_see() {
    let rows = Rows::with_persons(1);
    // The rights to a person are those to its tree, which is read by a key that the caller does not know.
    let query = "query persons_of_tree TreeId=byron --explain";
    let eve = rows
        .run(&format!("{query} --as UserId=eve"))
        .succeeded()
        .stdout;
    // A query that shows nothing tells no more than what was asked: whether there are rows is not told.
    assert!(eve.contains(r#""S": "TREE#byron""#), "{eve}");
    for hidden in ["GetItem", "USER#", "ada"] {
        assert!(!eve.contains(hidden), "{eve}");
    }
    let ada = rows
        .run(&format!("{query} --as UserId=ada"))
        .succeeded()
        .stdout;
    assert!(!ada.contains("GetItem"), "{ada}");
}

#[test]
fn programs_get_the_requests_as_json() {
    let rows = Rows::with_persons(1);
    let shown = rows.json("delete Tree UserId=ada TreeId=byron --explain --output json");
    let requests = shown["requests"].as_array().unwrap();
    assert_eq!(requests[0]["round"], 1);
    assert!(requests[0]["body"]["TableName"].is_string() || requests[0]["body"].is_object());
    assert!(shown["write_units"].as_f64().unwrap() > 0.0, "{shown}");
}

#[test]
fn a_transaction_and_a_secret_can_be_explained() {
    let rows = Rows::with_persons(1);
    let secret = "check-secret User UserId=ada PasswordHash --explain";
    let secret = rows.sandbox.feed(&super::words(secret), b"x").succeeded();
    assert!(secret.stdout.contains("GetItem {"), "{secret:?}");
    // A read can be tried, too: it is done, since it writes nothing.
    let dry = rows.run("get User UserId=ada --dry-run").succeeded();
    assert!(dry.stderr.contains("nothing was written"), "{dry:?}");
}

#[test]
fn earlier_releases_said_explain_first() {
    let rows = Rows::with_persons(1);
    let new = rows
        .run("query persons_of_tree TreeId=byron --limit 7 --explain")
        .succeeded();
    assert_eq!(new.stderr, "");
    let old = rows
        .run("explain query persons_of_tree TreeId=byron --limit 7")
        .succeeded();
    assert_eq!(old.stdout, new.stdout);
    assert!(
        old.stderr
            .contains("note: `monotable explain query ...` is now `monotable query ... --explain`"),
        "{old:?}"
    );
}
