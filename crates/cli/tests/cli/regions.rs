//! `serve --regions`: data of its own for each region that requests are signed for.

use crate::http::{get, post_for};
use crate::sandbox::{Sandbox, Served};

const MUSIC: &str = r#"{"TableName":"Music","BillingMode":"PAY_PER_REQUEST",
    "AttributeDefinitions":[{"AttributeName":"Artist","AttributeType":"S"}],
    "KeySchema":[{"AttributeName":"Artist","KeyType":"HASH"}]}"#;

fn tables(served: &Served, region: &str) -> String {
    let answer = post_for(&served.url, region, "ListTables", "{}");
    answer.lines().last().unwrap().to_owned()
}

#[test]
fn regions_are_kept_apart_and_kept() {
    let sandbox = Sandbox::with_music();
    for round in 0..2 {
        let served = Served::start(&sandbox, &["--regions"]);
        if round == 0 {
            let created = post_for(&served.url, "eu-central-1", "CreateTable", MUSIC);
            let arn = "arn:aws:dynamodb:eu-central-1:000000000000:table/Music";
            assert!(created.contains(arn), "{created}");
        }
        assert_eq!(
            tables(&served, "eu-central-1"),
            r#"{"TableNames":["Music"]}"#
        );
        assert_eq!(tables(&served, "eu-central-2"), r#"{"TableNames":[]}"#);
        // What was there before regions were asked for.
        assert_eq!(tables(&served, "local"), r#"{"TableNames":["Music"]}"#);
        let metrics = get(&served.url, "/metrics");
        for region in ["local", "eu-central-1"] {
            let line = format!("monotable_table_items{{region=\"{region}\",table=\"Music\"}} 0");
            assert!(metrics.contains(&line), "{metrics}");
        }
        let help = "# TYPE monotable_table_items gauge";
        assert_eq!(metrics.matches(help).count(), 1, "{metrics}");
        served.stop();
    }
    let listed = sandbox.run(&["table", "list", "--store", "data/regions/eu-central-1"]);
    assert!(listed.succeeded().stdout.contains("Music"));
}

#[test]
fn without_the_option_all_regions_are_one() {
    let sandbox = Sandbox::new();
    let served = Served::start(&sandbox, &[]);
    post_for(&served.url, "eu-central-1", "CreateTable", MUSIC);
    assert_eq!(tables(&served, "us-east-1"), r#"{"TableNames":["Music"]}"#);
    served.stop();
    assert!(!sandbox.path().join("data/regions").exists());
}

#[test]
fn there_are_as_many_regions_as_were_said() {
    let sandbox = Sandbox::new();
    let served = Served::start(&sandbox, &["--in-memory", "--regions=2"]);
    assert_eq!(tables(&served, "r1"), r#"{"TableNames":[]}"#);
    let refused = post_for(&served.url, "r2", "ListTables", "{}");
    assert!(refused.starts_with("HTTP/1.1 400"), "{refused}");
    assert!(refused.contains("--regions=MOST"), "{refused}");
    served.stop();
    assert_eq!(std::fs::read_dir(sandbox.path()).unwrap().count(), 0);
    let none = sandbox.run(&["serve", "--regions=0"]);
    none.failed(2, "--regions");

    let served = Served::start(&sandbox, &["--regions"]);
    assert_eq!(tables(&served, "r1"), r#"{"TableNames":[]}"#);
    served.stop();
    let crowded = sandbox.run(&["serve", "--port", "0", "--regions=1"]);
    crowded.failed(
        253,
        "has 2 regions with the store's own, and there may be 1",
    );
}
