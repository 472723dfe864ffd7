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
    let outcome = sandbox.run(&["export", "model", "values.toml"]).succeeded();
    let bytes = outcome.stdout.as_bytes();
    let compiled = monotable_model::compiled::CompiledModel::from_bytes(bytes).unwrap();
    assert_eq!(compiled.model().name, "values");
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
