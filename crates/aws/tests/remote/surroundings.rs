//! Endpoint, region and credentials from the environment and the profiles. Each case is a process of
//! its own: this very test program, with one test that connects and says what it found.

use crate::scripted::Scripted;
use monotable_api::{DynamoExt, ListTablesInput};
use monotable_aws::RemoteOptions;
use std::path::Path;
use std::process::Command;

/// Not a test by itself: connects as its environment says, and prints the outcome.
#[tokio::test]
#[ignore = "run by the others, in a process of its own"]
async fn child() {
    let given = |name: &str| std::env::var(name).ok();
    let mut options = RemoteOptions::new();
    if let Some(url) = given("OPTION_ENDPOINT") {
        options = options.endpoint_url(url);
    }
    if let Some(region) = given("OPTION_REGION") {
        options = options.region(region);
    }
    if let Some(profile) = given("OPTION_PROFILE") {
        options = options.profile(profile);
    }
    match options.connect().await {
        Err(error) => println!("FOUND error: {error}"),
        Ok(remote) => {
            println!("FOUND {} {}", remote.endpoint(), remote.region());
            let calls = given("CALLS").map_or(0, |calls| calls.parse().unwrap());
            for _ in 0..calls {
                remote
                    .list_tables(ListTablesInput::default())
                    .await
                    .unwrap();
            }
        }
    }
}

/// What a process with just this environment finds.
pub(crate) fn found(home: &Path, environment: &[(&str, &str)]) -> String {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "surroundings::child", "--nocapture"])
        .env_clear()
        .env("HOME", home)
        // No test waits for the metadata service of a machine that is none of Amazon's.
        .env("AWS_EC2_METADATA_DISABLED", "true")
        .envs(environment.iter().copied())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find_map(|line| line.split_once("FOUND "));
    line.unwrap_or_else(|| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)))
        .1
        .to_owned()
}

pub(crate) fn home(config: &str) -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir(home.path().join(".aws")).unwrap();
    std::fs::write(home.path().join(".aws/config"), config).unwrap();
    home
}

const KEYS: [(&str, &str); 2] = [
    ("AWS_ACCESS_KEY_ID", "ENVKEY"),
    ("AWS_SECRET_ACCESS_KEY", "secret"),
];

const PROFILES: &str = "\
[default]
region = eu-north-1
endpoint_url = http://profile:1
services = mine
[services mine]
dynamodb =
  endpoint_url = http://section:1
[profile plain]
region = eu-south-1
endpoint_url = http://plain:1
[profile strict]
region = us-gov-west-1
use_fips_endpoint = true
[profile both]
region = eu-west-3
use_dualstack_endpoint = true
[profile china]
region = cn-north-1
";

#[test]
fn the_order_of_endpoints() {
    let home = home(PROFILES);
    let layers = [
        ("OPTION_ENDPOINT", "http://option:1"),
        ("AWS_ENDPOINT_URL_DYNAMODB", "http://service:1"),
        ("AWS_ENDPOINT_URL", "http://general:1"),
    ];
    for first in 0..layers.len() {
        let environment: Vec<_> = layers[first..].iter().chain(&KEYS).copied().collect();
        let expected = format!("{} eu-north-1", layers[first].1);
        assert_eq!(found(home.path(), &environment), expected);
    }
    assert_eq!(found(home.path(), &KEYS), "http://section:1 eu-north-1");
    let with = |further: &[(&'static str, &'static str)]| {
        found(home.path(), &[&KEYS[..], further].concat())
    };
    assert_eq!(
        with(&[("AWS_PROFILE", "plain")]),
        "http://plain:1 eu-south-1"
    );
    assert_eq!(
        with(&[("OPTION_PROFILE", "plain")]).split(' ').next(),
        Some("http://plain:1")
    );
    let ignoring = ("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "true");
    assert_eq!(
        with(&[ignoring, layers[1], layers[2]]),
        "https://dynamodb.eu-north-1.amazonaws.com eu-north-1"
    );
    assert_eq!(with(&[ignoring, layers[0]]), "http://option:1 eu-north-1");
    assert_eq!(
        with(&[("AWS_ENDPOINT_URL_DYNAMODB", "")]).split(' ').nth(1),
        Some("eu-north-1")
    );
}

#[test]
fn amazons_own_endpoints() {
    let home = home(PROFILES);
    for (profile, expected) in [
        (
            "strict",
            "https://dynamodb.us-gov-west-1.amazonaws.com us-gov-west-1",
        ),
        ("both", "https://dynamodb.eu-west-3.api.aws eu-west-3"),
        (
            "china",
            "https://dynamodb.cn-north-1.amazonaws.com.cn cn-north-1",
        ),
    ] {
        let environment = [&KEYS[..], &[("AWS_PROFILE", profile)]].concat();
        assert_eq!(found(home.path(), &environment), expected);
    }
    let fips = [
        &KEYS[..],
        &[
            ("AWS_REGION", "us-east-2"),
            ("AWS_PROFILE", "china"),
            ("AWS_USE_FIPS_ENDPOINT", "true"),
        ],
    ]
    .concat();
    assert_eq!(
        found(home.path(), &fips),
        "https://dynamodb-fips.us-east-2.amazonaws.com us-east-2"
    );
}

#[test]
fn the_order_of_regions() {
    let home = home("[default]\nregion = eu-north-1\n");
    let layers = [
        ("OPTION_REGION", "ap-south-1"),
        ("AWS_REGION", "ap-south-2"),
        ("AWS_DEFAULT_REGION", "ap-east-1"),
    ];
    for first in 0..layers.len() {
        let environment: Vec<_> = layers[first..].iter().chain(&KEYS).copied().collect();
        let expected = format!("https://dynamodb.{0}.amazonaws.com {0}", layers[first].1);
        assert_eq!(found(home.path(), &environment), expected);
    }
}

#[test]
fn what_is_missing_is_said_with_what_to_set() {
    let empty = home("");
    let text = found(empty.path(), &KEYS);
    assert!(text.contains("no region: set AWS_REGION"), "{text}");
    let text = found(empty.path(), &[("AWS_REGION", "us-east-1")]);
    assert!(text.contains("no credentials: "), "{text}");
    assert!(text.contains("AWS_ACCESS_KEY_ID"), "{text}");
    let text = found(
        empty.path(),
        &[
            ("AWS_REGION", "us-east-1"),
            ("AWS_ENDPOINT_URL", "127.0.0.1:8000"),
        ],
    );
    assert!(
        text.contains("'127.0.0.1:8000' does not begin with http://"),
        "{text}"
    );
    let text = found(
        empty.path(),
        &[&KEYS[..], &[("AWS_REGION", "a/b")]].concat(),
    );
    assert!(text.contains("'a/b' is not a region"), "{text}");
    let text = found(
        empty.path(),
        &[
            ("OPTION_PROFILE", "nobody"),
            ("OPTION_ENDPOINT", "http://127.0.0.1:1"),
        ],
    );
    assert!(
        text.contains("no credentials: ") && text.contains("nobody"),
        "{text}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_local_endpoint_needs_nothing_else() {
    let server = Scripted::start([]).await;
    let empty = home("");
    let environment = [("OPTION_ENDPOINT", server.url.as_str()), ("CALLS", "1")];
    assert_eq!(
        found(empty.path(), &environment),
        format!("{} us-east-1", server.url)
    );
    let with_keys = [&KEYS[..], &environment].concat();
    assert_eq!(
        found(empty.path(), &with_keys),
        format!("{} us-east-1", server.url)
    );
    let keys: Vec<_> = server.seen().iter().map(key_of).collect();
    assert_eq!(keys, ["local", "ENVKEY"]);
}

/// The access key that a request is signed with.
pub(crate) fn key_of(seen: &crate::scripted::Seen) -> String {
    let authorization = &seen.headers["authorization"];
    let after = authorization.split("Credential=").nth(1).unwrap();
    after.split('/').next().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn credentials_are_asked_for_again_before_they_expire() {
    let server = Scripted::start([]).await;
    let home = home("");
    let script = home.path().join("credentials.sh");
    let count = home.path().join("count");
    // Each time another key, good for five seconds: less than what counts as fresh.
    let text = format!(
        "#!/bin/sh\necho x >> {0}\nn=$(/usr/bin/wc -l < {0})\n\
         at=$(/bin/date -u -d '+5 seconds' +%Y-%m-%dT%H:%M:%SZ)\n\
         echo \"{{\\\"Version\\\":1,\\\"AccessKeyId\\\":\\\"KEY$n\\\",\\\"SecretAccessKey\\\":\\\"s\\\",\
         \\\"SessionToken\\\":\\\"t\\\",\\\"Expiration\\\":\\\"$at\\\"}}\"\n",
        count.display()
    );
    std::fs::write(&script, text).unwrap();
    let config = format!(
        "[default]\ncredential_process = /bin/sh {}\n",
        script.display()
    );
    std::fs::write(home.path().join(".aws/config"), config).unwrap();
    let environment = [
        ("OPTION_ENDPOINT", server.url.as_str()),
        ("CALLS", "3"),
        ("PATH", "/bin:/usr/bin"),
    ];
    found(home.path(), &environment);
    let keys: Vec<_> = server.seen().iter().map(key_of).collect();
    assert_eq!(keys, ["KEY2", "KEY3", "KEY4"]);
}
