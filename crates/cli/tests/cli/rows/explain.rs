//! The requests of an operation.

use super::Rows;

#[test]
fn requests_are_shown_and_nothing_is_written() {
    let rows = Rows::with_persons(1);
    let before = rows.sandbox.items("Yggdrasil");
    let query = rows
        .run("explain query persons_of_tree TreeId=byron --limit 7")
        .succeeded()
        .stdout;
    assert!(query.starts_with("# round 1\nQuery {\n"), "{query}");
    assert!(
        query.contains(r#""IndexName": "GSI2""#) && query.contains(r#""Limit": 7"#),
        "{query}"
    );
    let update = "explain update Person UserId=ada PersonId=p0 --set LastName=Lovelace";
    let update = rows.run(update).succeeded().stdout;
    assert!(
        update.contains("GetItem {") && update.contains("UpdateItem {"),
        "{update}"
    );
    let taken = "explain create User UserId=bob Email=ada@example.com PasswordHash=x";
    assert!(rows.run(taken).stdout.contains("TransactWriteItems {"));
    rows.run("explain delete Tree UserId=ada TreeId=byron")
        .succeeded();
    assert_eq!(rows.sandbox.items("Yggdrasil"), before);
}

#[test]
fn no_store_is_needed() {
    let rows = Rows::new();
    let query = "explain query trees_of_user UserId=ada";
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
        .run("explain --in-memory get User UserId=ada")
        .succeeded();
    assert!(missing.stdout.contains("GetItem {"), "{missing:?}");
    assert!(
        missing.stderr.contains("it ends so: NotFound"),
        "{missing:?}"
    );
    rows.run(&format!("{query} --set A=b"))
        .failed(2, "--set means nothing");
    rows.run("explain dance Tree UserId=ada")
        .failed(2, "possible values");
}

#[test]
fn a_caller_sees_no_keys_of_rows_that_it_may_not_see() {
    let rows = Rows::with_persons(1);
    // The rights to a person are those to its tree, which is read by a key that the caller does not know.
    let query = "explain query persons_of_tree TreeId=byron";
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
