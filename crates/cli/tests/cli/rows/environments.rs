//! The tables of a model under the names of a deployment.

use super::Rows;
use crate::sandbox::Outcome;

const ENVIRONMENTS: &str = r#"
[environment.staging]
about        = "Where releases are tried"
table_prefix = "staging-"

[environment.live]
tables = { Yggdrasil = "family-trees" }
"#;

const USER: &str = "create User UserId=ada Email=ada@example.com PasswordHash=x";

fn tables(rows: &Rows) -> Vec<String> {
    let list = rows
        .sandbox
        .run(&["table", "list", "--output", "jsonl"])
        .succeeded();
    let name = |line: &str| {
        let table: serde_json::Value = serde_json::from_str(line).unwrap();
        table["name"].as_str().unwrap().to_owned()
    };
    list.stdout.lines().map(name).collect()
}

fn with_variable(rows: &Rows, variable: (&str, &str), line: &str) -> Outcome {
    let mut command = rows.sandbox.command();
    command.args(super::words(line)).env(variable.0, variable.1);
    Outcome::of(command.output().unwrap())
}

#[test]
fn each_deployment_has_its_own_tables() {
    let rows = Rows::new();
    rows.sandbox
        .write("model.toml", format!("{}{ENVIRONMENTS}", super::MODEL));
    rows.run(USER).succeeded();
    for options in [
        "--environment staging",
        "--environment live",
        "--table-prefix mine-",
        "--environment staging --table-prefix other-",
    ] {
        // Nothing of the other deployments is there.
        rows.run(&format!("setup {options}")).succeeded();
        rows.run(&format!("get User UserId=ada {options}"))
            .failed(254, "NotFound");
        rows.run(&format!("{USER} {options}")).succeeded();
        rows.run(&format!("get User UserId=ada {options}"))
            .succeeded();
        rows.run(&format!("verify {options}")).succeeded();
    }
    let names = [
        "Yggdrasil",
        "family-trees",
        "mine-Yggdrasil",
        "other-Yggdrasil",
        "staging-Yggdrasil",
    ];
    assert_eq!(tables(&rows), names);
    let explained = rows
        .run("get User UserId=ada --environment live --explain")
        .succeeded();
    assert!(
        explained.stdout.contains("\"TableName\": \"family-trees\""),
        "{explained:?}"
    );
}

#[test]
fn variables_name_an_environment_or_a_table() {
    let rows = Rows::new();
    rows.sandbox
        .write("model.toml", format!("{}{ENVIRONMENTS}", super::MODEL));
    for (variable, table) in [
        (("MONOTABLE_ENVIRONMENT", "staging"), "staging-Yggdrasil"),
        (("MONOTABLE_TABLE_YGGDRASIL", "upper-case"), "upper-case"),
        (("MONOTABLE_TABLE_Yggdrasil", "as-written"), "as-written"),
    ] {
        with_variable(&rows, variable, USER).succeeded();
        assert!(tables(&rows).contains(&table.to_owned()), "{table}");
    }
    let both = with_variable(
        &rows,
        ("MONOTABLE_TABLE_Yggdrasil", "as-written"),
        "get User UserId=ada --environment live",
    );
    both.succeeded();
}

#[test]
fn names_that_cannot_be_are_refused() {
    let rows = Rows::new();
    rows.run(&format!("{USER} --environment staging")).failed(
        2,
        "the model has no environment `staging`: it declares none",
    );
    rows.sandbox
        .write("model.toml", format!("{}{ENVIRONMENTS}", super::MODEL));
    let slip = rows
        .run(&format!("{USER} --environment stagin"))
        .failed(2, "it has staging, live");
    assert!(slip.stderr.contains("did you mean `staging`?"), "{slip:?}");
    rows.run(&format!("{USER} --table-prefix a/b")).failed(
        2,
        "DynamoDB refuses the name `a/bYggdrasil` of the table `Yggdrasil`",
    );
    assert!(!rows.sandbox.path().join("data").exists());
    let bad = ENVIRONMENTS.replace("staging-", "staging/");
    rows.sandbox
        .write("model.toml", format!("{}{bad}", super::MODEL));
    let check = rows
        .sandbox
        .run(&["check", "model.toml"])
        .failed(253, "refused_name");
    assert!(
        check.stderr.contains("in the environment `staging`"),
        "{check:?}"
    );
}
