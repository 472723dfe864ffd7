//! Keys as users type them, of every type.

use crate::sandbox::Sandbox;

#[test]
fn keys_are_typed_by_the_table() {
    let sandbox = Sandbox::new();
    sandbox
        .run(&["table", "create", "Mixed", "n:N", "b:B"])
        .succeeded();
    let item = r#"{"n":{"N":"7"},"b":{"B":"AP8="},"x":{"S":"found"}}"#;
    sandbox
        .run(&["table", "put", "Mixed", item, "--ddb-json"])
        .succeeded();
    let ways: [&[&str]; 5] = [
        &["7", "AP8="],
        &["7.0", "AP8="],
        &["b=AP8=", "n=7"],
        &[r#"{"n":7,"b":"AP8="}"#],
        &[r#"{"n":{"N":"7"},"b":{"B":"AP8="}}"#, "--ddb-json"],
    ];
    for way in ways {
        let arguments = [&["table", "get", "Mixed"], way, &["--output", "jsonl"]].concat();
        assert!(
            sandbox.run(&arguments).succeeded().stdout.contains("found"),
            "{way:?}"
        );
    }
    sandbox
        .run(&["table", "get", "Mixed", "seven", "AP8="])
        .failed(2, "n: not a number");
    sandbox
        .run(&["table", "get", "Mixed", "7", "?"])
        .failed(2, "b: not base64");
}

#[test]
fn every_condition_on_a_sort_key() {
    let sandbox = Sandbox::new();
    sandbox
        .run(&[
            "table",
            "create",
            "Log",
            "pk",
            "at:N",
            "--local-index",
            "ByName=name",
        ])
        .succeeded();
    let line = |n: i32| format!("{{\"pk\":\"p\",\"at\":{n},\"name\":\"n{}\"}}\n", 100 + n);
    let lines: String = (-2..8).map(line).collect();
    sandbox
        .feed(&["table", "put", "Log", "-"], lines.as_bytes())
        .succeeded();
    let at = |arguments: &[&str]| -> Vec<i64> {
        let arguments = [
            &["table", "query", "Log"],
            arguments,
            &["--output", "jsonl"],
        ]
        .concat();
        let found = sandbox.run(&arguments).succeeded().stdout;
        let item = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap();
        found
            .lines()
            .map(|line| item(line)["at"].as_i64().unwrap())
            .collect()
    };
    assert_eq!(at(&["p", "3"]), [3]);
    assert_eq!(at(&["p", "<0"]), [-2, -1]);
    assert_eq!(at(&["p", "<=0"]), [-2, -1, 0]);
    assert_eq!(at(&["p", ">5"]), [6, 7]);
    assert_eq!(at(&["p", ">=5", "--reverse"]), [7, 6, 5]);
    assert_eq!(at(&["p", "-1..1"]), [-1, 0, 1]);
    assert_eq!(
        at(&["--index", "ByName", "p", "n10*"]),
        [0, 1, 2, 3, 4, 5, 6, 7]
    );
    assert_eq!(at(&["--index", "ByName", "p", "n98..n99"]), [-2, -1]);
    assert_eq!(at(&["q"]), Vec::<i64>::new());
    let filter = [
        "p",
        "--filter",
        "#n > :n",
        "--names",
        r##"{"#n":"name"}"##,
        "--values",
        r#"{":n":"n105"}"#,
    ];
    // Text: n98 is greater than n105.
    assert_eq!(at(&filter), [-2, -1, 6, 7]);
    let expression = [
        "--where",
        "pk = :p AND #a BETWEEN :l AND :h",
        "--names",
        r##"{"#a":"at"}"##,
        "--values",
        r#"{":p":"p",":l":4,":h":5}"#,
    ];
    assert_eq!(at(&expression), [4, 5]);
}

#[test]
fn projections() {
    let sandbox = Sandbox::with_music();
    sandbox
        .run(&[
            "table",
            "put",
            "Music",
            r#"{"Artist":"a","Song":"b","m":{"x":1,"y":2}}"#,
        ])
        .succeeded();
    let expected = "{\"Song\":\"b\",\"m\":{\"x\":1}}\n";
    for command in [
        &["table", "scan", "Music"][..],
        &["table", "query", "Music", "a"],
        &["table", "get", "Music", "a", "b"],
    ] {
        let arguments = [
            command,
            &[
                "--projection",
                "Song, m.x",
                "--output",
                "jsonl",
                "--consistent",
            ],
        ]
        .concat();
        assert_eq!(sandbox.run(&arguments).succeeded().stdout, expected);
    }
}

#[test]
fn indexes_with_conflicting_types_are_refused() {
    let sandbox = Sandbox::new();
    sandbox
        .run(&["table", "create", "T", "a:S", "--index", "i=a:N"])
        .failed(2, "a is given the types S and N");
    sandbox
        .run(&["table", "create", "T", "a", "--index", "i=a,b,c"])
        .failed(2, "at most one sort key");
    sandbox
        .run(&["table", "create", "T", "a", "--index", "i"])
        .failed(2, "NAME=KEY");
    assert!(!sandbox.path().join("data").exists());
}
