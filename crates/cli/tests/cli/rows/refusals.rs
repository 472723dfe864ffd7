//! What is refused, with which code and words.

use super::{Rows, words};
use crate::check::bad;

#[test]
fn conflicts_are_254() {
    let rows = Rows::with_persons(0);
    let taken = "create User UserId=bob Email=ADA@example.com PasswordHash=x";
    let taken = rows.run(taken);
    let taken = taken.failed(254, "Conflict: Another user has this e-mail address.");
    assert!(
        taken
            .stderr
            .contains("User: `Email` is taken (entity.User.unique.Email)"),
        "{taken:?}"
    );
    let again = "create Tree UserId=ada TreeId=byron TreeName=Again";
    rows.run(again)
        .failed(254, "Conflict: Tree: there is one already");
    let line = "update Tree UserId=ada TreeId=byron --set TreeName=X --expect TreeName=Other";
    rows.run(line)
        .failed(254, "`TreeName` is not what was expected");
    let line = "update Tree UserId=ada TreeId=byron --set TreeName=X --expect Description";
    rows.run(line).succeeded();
    rows.run("delete Tree UserId=ada TreeId=other")
        .failed(254, "NotFound");
}

#[test]
fn what_the_model_refuses_is_2() {
    let rows = Rows::with_persons(0);
    let outcome = rows
        .run("create Tree UserId=ada TreId=x IsPublic=true")
        .failed(2, "Validation: Tree is refused");
    assert!(
        outcome.stderr.contains("`TreId` is no attribute of it"),
        "{outcome:?}"
    );
    assert!(
        outcome.stderr.contains("`TreeName` is required"),
        "{outcome:?}"
    );
    assert_eq!(outcome.stdout, "");
    rows.run("create Tree UserId=ada IsPublic=yes").failed(
        2,
        "`IsPublic` must be boolean; \"yes\" is not: neither true nor false",
    );
    rows.run("create Tree UserId=ada SharedWith=mary")
        .failed(2, "a list is JSON");
    rows.run("update Tree UserId=ada TreeId=byron --add PersonCount=many")
        .failed(2, "not a number");
    rows.run("create Tree UserId=ada UserId=bob")
        .failed(2, "UserId is given twice");
    rows.run("create Tree ada")
        .failed(2, "ada is not NAME=VALUE");
    rows.run("create Branch UserId=ada")
        .failed(2, "has no entity `Branch`");
    rows.run("query nothing UserId=ada")
        .failed(2, "has no access pattern `nothing`");
    rows.run("query trees_of_user")
        .failed(2, "`UserId` is required");
    rows.run("move nothing UserId=ada --set UserId=bob")
        .failed(2, "it has transfer_tree");
    rows.run("attach User UserId=bob Email=bob@example.com")
        .failed(2, "does not relate two rows");
    rows.run("get Tree UserId=ada TreeId=byron --tenant a")
        .failed(2, "the model has no tenants");
}

#[test]
fn options_of_the_other_kind_are_refused() {
    let rows = Rows::with_persons(0);
    for line in [
        "query trees_of_user UserId=ada --index GSI1",
        "get Tree UserId=ada TreeId=byron --projection UserId",
    ] {
        rows.run(line).failed(2, "unexpected argument");
    }
    let run = |line: &str| {
        rows.sandbox
            .run(&line.split_whitespace().collect::<Vec<_>>())
    };
    for line in [
        "table query Yggdrasil USER#ada PROFILE more",
        "table get Yggdrasil USER#ada PROFILE --as UserId=ada",
        "table put Yggdrasil {} --dry-run",
        "table put Yggdrasil {} --output json",
    ] {
        run(line).failed(2, "unexpected argument");
    }
    // What looks like an option is no key.
    run("table query Yggdrasil USER#ada --all").failed(2, "--all is no option");
    run("table query Yggdrasil --all").failed(2, "--all is no option");
    run("table query Yggdrasil USER#ada =--all").succeeded();
    // It is the item as it is stored.
    run("table get Yggdrasil USER#ada PROFILE").succeeded();
}

#[test]
fn a_bad_model_is_refused_as_check_does() {
    let rows = Rows::new();
    rows.sandbox.write("model.toml", bad());
    for line in [
        "setup",
        "get User userId=a",
        "create User name=x",
        "verify",
        "backup",
    ] {
        let outcome = rows.run(line).failed(253, "imutable");
        assert!(outcome.stderr.contains("model.toml:"), "{outcome:?}");
    }
    assert!(!rows.sandbox.path().join("data").exists());
    let outcome = rows
        .sandbox
        .run(&["get", "-m", "nowhere.toml", "User", "userId=a"]);
    outcome.failed(253, "cannot read nowhere.toml");
}

#[test]
fn a_store_that_is_not_there_is_not_made_by_a_reader() {
    let rows = Rows::new();
    for line in [
        "get User UserId=ada",
        "query user_by_id UserId=ada",
        "verify",
        "backup",
    ] {
        rows.run(line).failed(253, "no store at ./data");
    }
    rows.run("delete User UserId=ada")
        .failed(253, "no store at ./data");
    rows.run("restore nowhere")
        .failed(255, "cannot read nowhere");
    assert!(!rows.sandbox.path().join("data").exists());
    // Wrong words make none either.
    rows.run("create Tree IsPublic=yes").failed(2, "IsPublic");
    assert!(!rows.sandbox.path().join("data").exists());
    let mut arguments = words("create User --json -");
    arguments[2] = "-";
    rows.sandbox
        .feed(&arguments, b"")
        .failed(2, "stdin can be read only once");
}

#[test]
fn everything_that_is_wrong_is_said_at_once() {
    let rows = Rows::new();
    let line = "create Tree UserId=ada Tre=x IsPublic=yes SharedWith=mary PersonCont=1 TreeName=";
    let outcome = rows.run(line).failed(2, "Validation: Tree is refused");
    for words in [
        "`Tre` is no attribute of it",
        "`IsPublic` must be boolean; \"yes\" is not: neither true nor false (model.toml, line ",
        "`SharedWith` must be [",
        "a list is JSON: SharedWith=",
        "`PersonCont` is no attribute of it",
        "did you mean `PersonCount`?",
        "`TreeName` must not be empty",
    ] {
        assert!(outcome.stderr.contains(words), "no {words} in {outcome:?}");
    }
    // The place is that of the declaration.
    let (_, rest) = outcome
        .stderr
        .split_once("neither true nor false (model.toml, line ")
        .unwrap();
    let line: usize = rest.split_once(')').unwrap().0.parse().unwrap();
    let declared = super::MODEL.lines().nth(line - 1).unwrap();
    assert!(declared.contains("IsPublic"), "{declared}");
    assert!(!rows.sandbox.path().join("data").exists());

    // What the words alone do not tell is said with its place, too.
    let gender = rows.run(
        "create Person UserId=ada TreeId=t FirstName=A LastName=B Gender=Mystery BirthDate=1815",
    );
    let gender = gender.failed(2, "`Gender` must be");
    assert!(gender.stderr.contains("`BirthDate` must be"), "{gender:?}");
    assert_eq!(
        gender.stderr.matches("(model.toml, line ").count(),
        2,
        "{gender:?}"
    );
}

#[test]
fn a_wrong_name_is_answered_with_those_that_there_are() {
    let rows = Rows::new();
    let entity = rows
        .run("get Persn UserId=ada PersonId=p")
        .failed(2, "has no entity `Persn`");
    assert!(
        entity.stderr.contains("help: did you mean `Person`?"),
        "{entity:?}"
    );
    assert!(
        entity.stderr.contains("it has ") && entity.stderr.contains("ParentChild"),
        "{entity:?}"
    );
    let pattern = rows
        .run("query person_of_tree TreeId=x")
        .failed(2, "has no access pattern `person_of_tree`");
    assert!(
        pattern.stderr.contains("did you mean `persons_of_tree`?"),
        "{pattern:?}"
    );
    let table = rows
        .run("query Yggdrasil USER#ada")
        .failed(2, "has no access pattern `Yggdrasil`");
    assert!(
        table
            .stderr
            .contains("`Yggdrasil` is a table: `monotable table --help`"),
        "{table:?}"
    );
    let repository = rows
        .run("log values userId=ada")
        .failed(2, "has no repository `values`");
    assert!(
        repository.stderr.contains("it has no repository at all"),
        "{repository:?}"
    );
    rows.run("move transfer_tre UserId=ada")
        .failed(2, "did you mean `transfer_tree`?");
    // Parameters are told with those that there are.
    rows.run("create User UserId=ada Email=ada@example.com PasswordHash=x")
        .succeeded();
    let parameter = rows
        .run("query persons_of_tree Treeid=x")
        .failed(2, "`Treeid`");
    assert!(
        parameter.stderr.contains("did you mean `TreeId`?"),
        "{parameter:?}"
    );
    assert!(
        parameter.stderr.contains("`TreeId` is required"),
        "{parameter:?}"
    );
}
