//! `monotable export`: what other programs read of a model.

use crate::check::{GOOD, bad};
use crate::sandbox::Sandbox;
use serde_json::{Value, json};

/// Users with a tree of values each.
pub(crate) const ISOLATED: &str = include_str!("../../../../models/values/model.toml");

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("values.toml", ISOLATED);
    sandbox.write("good.toml", GOOD);
    sandbox.write("bad.toml", bad());
    sandbox
}

fn policy(sandbox: &Sandbox, arguments: &[&str]) -> Value {
    let arguments = [&["export", "iam-policy", "values.toml"], arguments].concat();
    let outcome = sandbox.run(&arguments).succeeded();
    assert_eq!(outcome.stderr, "");
    serde_json::from_str(&outcome.stdout).unwrap()
}

#[test]
fn vt_r19_the_policy_is_a_whole_document() {
    let sandbox = sandbox();
    let policy = policy(&sandbox, &[]);
    assert_eq!(policy["Version"], "2012-10-17");
    let statements = policy["Statement"].as_array().unwrap();
    assert_eq!(statements.len(), 2);
    assert_eq!(statements[1]["Action"], json!(["dynamodb:GetItem"]));
    assert_eq!(
        statements[1]["Condition"]["ForAllValues:StringEquals"],
        json!({ "dynamodb:LeadingKeys": ["monotable#store"] })
    );
    assert_eq!(statements[0]["Effect"], "Allow");
    assert_eq!(
        statements[0]["Resource"],
        json!(["arn:aws:dynamodb:*:*:table/App"])
    );
    assert_eq!(
        statements[0]["Condition"],
        json!({
            "ForAllValues:StringLike": {
                "dynamodb:LeadingKeys": [
                    "U#${cognito-identity.amazonaws.com:sub}",
                    "U#${cognito-identity.amazonaws.com:sub}#*",
                ],
            },
            "Null": { "dynamodb:LeadingKeys": "false" },
        })
    );
    let fed = sandbox.feed(&["export", "iam-policy", "-"], ISOLATED.as_bytes());
    let fed: Value = serde_json::from_str(&fed.succeeded().stdout).unwrap();
    assert_eq!(fed, policy);
}

#[test]
fn a_model_is_bytes_that_a_program_binds() {
    let sandbox = sandbox();
    let mut command = sandbox.command();
    let output = command.args(["export", "model", "values.toml"]).output();
    let bytes = output.unwrap().stdout;
    let compiled = monotable_model::compiled::CompiledModel::from_bytes(&bytes).unwrap();
    assert_eq!(compiled.model().name, "values");
    let json = sandbox.run(&["export", "model", "--json", "values.toml"]);
    let json: Value = serde_json::from_str(&json.succeeded().stdout).unwrap();
    assert_eq!(json["model"]["name"], "values");
    assert_eq!(
        json["plans"]["patterns"].as_array().unwrap().len(),
        compiled.plans().patterns.len()
    );
    sandbox
        .run(&["export", "model", "bad.toml"])
        .failed(253, "imutable");
}

#[test]
fn region_and_account_say_whose_tables() {
    let sandbox = sandbox();
    let resource = |region, account| {
        let arguments = ["--region", region, "--account", account];
        policy(&sandbox, &arguments)["Statement"][0]["Resource"][0].clone()
    };
    assert_eq!(
        resource("eu-west-1", "123456789012"),
        "arn:aws:dynamodb:eu-west-1:123456789012:table/App"
    );
    assert_eq!(
        resource("cn-north-1", "*"),
        "arn:aws-cn:dynamodb:cn-north-1:*:table/App"
    );
    assert_eq!(
        resource("us-gov-west-1", "*"),
        "arn:aws-us-gov:dynamodb:us-gov-west-1:*:table/App"
    );
}

#[test]
fn what_cannot_be_exported_is_said() {
    let sandbox = sandbox();
    let run = |line: &str| sandbox.run(&line.split(' ').collect::<Vec<_>>());
    let plain = run("export iam-policy good.toml").failed(253, "good.toml has no [isolation]");
    assert!(plain.stderr.contains("help: add [isolation]"), "{plain:?}");
    assert_eq!(plain.stdout, "");
    let broken = run("export iam-policy bad.toml").failed(253, "imutable");
    assert_eq!(broken.stdout, "");
    run("export iam-policy none.toml").failed(253, "cannot read none.toml");
    run("export iam-policy").failed(2, "<MODEL>");
    run("export").failed(2, "iam-policy");
    run("export iam-polcy good.toml").failed(2, "similar subcommand");
    run("export iam-policy values.toml --region EU").failed(2, "eu-west-1");
    run("export iam-policy values.toml --region eu-west-").failed(2, "eu-west-1");
    run("export iam-policy values.toml --account 12345").failed(2, "12 digits");
}

const TARGETS: [&str; 4] = ["cloudformation", "terraform", "cdk", "alarms"];

#[test]
fn deployments_name_tables_as_every_command_does() {
    let sandbox = sandbox();
    for form in TARGETS {
        let plain = sandbox.run(&["export", form, "values.toml"]).succeeded();
        assert!(plain.stdout.contains("\"App\""), "{form}: {}", plain.stdout);
        let words = ["export", form, "values.toml", "--table-prefix", "staging-"];
        let renamed = sandbox.run(&words).succeeded();
        assert!(renamed.stdout.contains("\"staging-App\""), "{form}");
        assert!(
            !renamed.stdout.contains("\"App\""),
            "{form}: {}",
            renamed.stdout
        );
        sandbox
            .run(&["export", form, "bad.toml"])
            .failed(253, "imutable");
    }
    let run = |line: &str| sandbox.run(&line.split(' ').collect::<Vec<_>>());
    run("export cloudformation values.toml --encryption mine").failed(2, "owned (DynamoDB's)");
    run("export alarms values.toml --alarm-topic on-call").failed(2, "arn:aws:sns:");
    run("export alarms values.toml --latency 0").failed(2, "1..");
    run("export cdk values.toml --no-alarms --latency 5").failed(2, "--no-alarms");
    let without = run("export cdk values.toml --no-alarms").succeeded();
    let without: Value = serde_json::from_str(&without.stdout).unwrap();
    assert_eq!(without["alarms"], json!({}));
    let yaml = run("export cloudformation values.toml --format yaml").succeeded();
    assert!(
        yaml.stdout
            .starts_with("AWSTemplateFormatVersion: \"2010-09-09\"\n"),
        "{}",
        yaml.stdout
    );
}

#[test]
fn a_workbench_model_has_the_sample_rows_in_their_facets() {
    let sandbox = sandbox();
    let made = sandbox
        .run(&["export", "workbench", "yggdrasil"])
        .succeeded();
    let again = sandbox
        .run(&["export", "workbench", "yggdrasil"])
        .succeeded();
    assert_eq!(made.stdout, again.stdout);
    let model: Value = serde_json::from_str(&made.stdout).unwrap();
    let table = &model["DataModel"][0];
    let facets = table["TableFacets"].as_array().unwrap();
    let users = facets
        .iter()
        .find(|facet| facet["FacetName"] == "User")
        .unwrap();
    assert_eq!(
        users["KeyAttributeAlias"]["PartitionKeyAlias"],
        "USER#{UserId}"
    );
    assert_eq!(users["TableData"].as_array().unwrap().len(), 3);
    let rows = table["TableData"].as_array().unwrap();
    let inside: usize = facets
        .iter()
        .map(|facet| facet["TableData"].as_array().unwrap().len())
        .sum();
    assert!(
        inside > 200 && rows.len() > inside,
        "{inside} of {}",
        rows.len()
    );
    // A model without sample data has no rows.
    let plain = sandbox
        .run(&["export", "workbench", "good.toml"])
        .succeeded();
    assert!(plain.stderr.contains("no sample.jsonl"), "{plain:?}");
    let plain: Value = serde_json::from_str(&plain.stdout).unwrap();
    assert_eq!(plain["DataModel"][0]["TableData"], json!([]));
}

#[test]
fn exported_items_are_the_store_again() {
    let sandbox = sandbox();
    let words = [
        "export",
        "dynamodb-json",
        "authorization",
        "--sample",
        "--form",
        "batches",
    ];
    let batches = sandbox.run(&words).succeeded().stdout;
    let words = ["export", "dynamodb-json", "authorization", "--sample"];
    let lines = sandbox.run(&words).succeeded().stdout;
    let mut items = 0;
    for batch in batches.lines() {
        let batch: Value = serde_json::from_str(batch).unwrap();
        let puts = batch["Authorization"].as_array().unwrap();
        assert!((1..=25).contains(&puts.len()));
        items += puts.len();
        for put in puts {
            let line = serde_json::to_string(&put["PutRequest"]).unwrap();
            let line: Value = serde_json::from_str(&line).unwrap();
            let mut known = lines.lines();
            assert!(known.any(|known| serde_json::from_str::<Value>(known).unwrap() == line));
        }
    }
    assert_eq!(lines.lines().count(), items);
    // What was exported is a whole store: the lines of a backup are loaded, and nothing is wrong with them.
    let backup: String = lines
        .lines()
        .map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            let line = json!({ "table": "Authorization", "item": line["Item"] });
            format!("{line}\n")
        })
        .collect();
    sandbox.write("rows.jsonl", backup);
    sandbox
        .run(&[
            "restore",
            "-m",
            "authorization",
            "rows.jsonl",
            "--store",
            "copy",
        ])
        .succeeded();
    sandbox
        .run(&["verify", "-m", "authorization", "--store", "copy"])
        .succeeded();
    let words = [
        "export",
        "dynamodb-json",
        "authorization",
        "--store",
        "copy",
    ];
    let copied = sandbox.run(&words).succeeded().stdout;
    assert_eq!(copied.lines().count(), items);
    let words = [
        "export",
        "dynamodb-json",
        "authorization",
        "--sample",
        "--table",
        "Authorisation",
    ];
    sandbox
        .run(&words)
        .failed(2, "did you mean `Authorization`?");
}

#[test]
fn a_reader_has_the_partitions_of_its_patterns() {
    let sandbox = sandbox();
    let policy = |words: &[&str]| {
        let words = [&["export", "iam-policy", "authorization"], words].concat();
        let outcome = sandbox.run(&words).succeeded();
        serde_json::from_str::<Value>(&outcome.stdout).unwrap()
    };
    let by_name = policy(&[
        "--role",
        "reader",
        "--pattern",
        "tenant_by_name",
        "--pattern",
        "user_by_id",
    ]);
    let statements = by_name["Statement"].as_array().unwrap();
    let table = "arn:aws:dynamodb:*:*:table/Authorization";
    assert_eq!(statements.len(), 3, "{by_name:#}");
    assert_eq!(statements[0]["Resource"], json!([table]));
    assert_eq!(
        statements[0]["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"],
        json!(["USER#*"])
    );
    assert_eq!(
        statements[1]["Resource"],
        json!([format!("{table}/index/GSI1")])
    );
    assert_eq!(statements[1]["Action"], json!(["dynamodb:Query"]));
    assert_eq!(
        statements[1]["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"],
        json!(["TENANT_NAME#*"])
    );
    let program = policy(&["--role", "program"]).to_string();
    assert!(program.contains("dynamodb:PutItem") && !program.contains("dynamodb:DeleteTable"));
    let operator = policy(&["--role", "operator"]).to_string();
    assert!(
        operator.contains("dynamodb:CreateTable") && !operator.contains("dynamodb:DeleteTable")
    );
    let run = |line: &str| sandbox.run(&line.split(' ').collect::<Vec<_>>());
    run("export iam-policy authorization --role reader --pattern user_by_name")
        .failed(2, "did you mean");
    run("export iam-policy authorization --pattern user_by_id").failed(2, "--role reader");
}
