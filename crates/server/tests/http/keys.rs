//! Files of access keys.

use crate::signed::KEYS;
use monotable_server::{Credentials, ServerOptions};

#[test]
fn files_of_keys_are_read_strictly() {
    for (text, line, words) in [
        ("", 1, "no access key"),
        ("# nothing\n", 1, "no access key"),
        ("aws_access_key_id = A", 1, "before the first section"),
        ("[a\n", 1, "ends with `]`"),
        ("[a]\nsecret-without-a-name\n", 2, "neither"),
        ("[a]\nkey = x\n", 2, "unknown setting key"),
        (
            "[a]\naws_access_key_id =\n",
            2,
            "aws_access_key_id is empty",
        ),
        (
            "[a]\naws_access_key_id = A\n",
            1,
            "[a] has no aws_secret_access_key",
        ),
        (
            "\n[a]\naws_secret_access_key = A\n",
            2,
            "[a] has no aws_access_key_id",
        ),
        (
            "[a]\naws_access_key_id=A\naws_access_key_id=B\n",
            3,
            "a second aws_access_key_id",
        ),
        (
            "[a]\naws_access_key_id=A\naws_secret_access_key=B\n[a]\n",
            4,
            "a second section [a]",
        ),
        (
            "[a]\naws_access_key_id=A\naws_secret_access_key=B\n[b]\naws_access_key_id=A\naws_secret_access_key=C\n",
            4,
            "[b] has the same aws_access_key_id as [a]",
        ),
    ] {
        let error = Credentials::parse(text).unwrap_err();
        assert_eq!(error.line(), line, "{text:?}: {error}");
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn secrets_are_never_shown() {
    let credentials = Credentials::parse(KEYS).unwrap();
    let options = ServerOptions::new().credentials(credentials.clone());
    let shown = format!("{credentials:?} {options:?}");
    assert!(shown.contains("Credentials(2 keys)"), "{shown}");
    assert!(
        !shown.contains("wJalr") && !shown.contains("bobs") && !shown.contains("tok/en"),
        "{shown}"
    );
    let hidden = Credentials::parse("[a]\nwJalrXUtnFEMI\n").unwrap_err();
    assert!(!format!("{hidden} {hidden:?}").contains("wJalr"));
}

#[test]
fn policies_in_credentials_are_read_strictly() {
    let keys = "[a]\naws_access_key_id=A\naws_secret_access_key=B\n";
    for (settings, line, words) in [
        ("policy =\n", 4, "policy is empty"),
        ("policy = {}\n", 4, "policy of line 4: the version must be"),
        (
            "policy = file.json\n",
            4,
            "cannot read the policy file.json",
        ),
        (
            "context.aws:CurrentTime = x\n",
            4,
            "unknown key aws:CurrentTime",
        ),
        (
            "context.aws:userid = x\ncontext.AWS:userid = y\n",
            5,
            "a second context.AWS:userid",
        ),
        ("arn = x\narn = y\n", 5, "a second arn"),
        (
            "policy = {\"Version\": \"2012-10-17\", \"Statement\": {\"Effect\": \"Allow\", \"Action\": \"*\", \"Resource\": \
             \"arn:aws:dynamodb:*:*:table/${www.amazon.com:user_id}\"}}\n",
            1,
            "context.www.amazon.com:user_id",
        ),
    ] {
        let error = Credentials::parse(&format!("{keys}{settings}")).unwrap_err();
        assert_eq!(error.line(), line, "{settings}: {error}");
        assert!(error.to_string().contains(words), "{error}");
    }
    let read = |name: &str| {
        match name {
        "trap.json" => Ok(r#"{"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Action": "*", "Resource": "*",
            "Condition": {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": "${aws:username}"}}}}"#.to_owned()),
        _ => Err(std::io::Error::other("no such file")),
    }
    };
    let two = format!(
        "{keys}policy = trap.json # comment\n[b]\naws_access_key_id=B\naws_secret_access_key=B\npolicy=trap.json\n"
    );
    let credentials = Credentials::parse_with(&two, read).unwrap();
    let warnings = credentials.warnings(&monotable_policy::Scope::default());
    assert_eq!(warnings.len(), 1);
    assert!(
        warnings[0]
            .to_string()
            .starts_with("policy trap.json, Statement[0].Condition.ForAllValues")
    );
}
