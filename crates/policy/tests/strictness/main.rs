//! What is not understood is refused with its place, and what is probably not meant is warned about.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod fuzzing;
mod traps;

use monotable_policy::{Identity, Policy, Principal};

fn refusal(text: &str) -> (String, String) {
    let error = Policy::parse("p", text).expect_err(text);
    let shown = error.to_string();
    assert!(shown.starts_with("policy p"), "{shown}");
    assert!(shown.contains(error.place()) && shown.ends_with(error.problem()));
    (error.place().to_owned(), error.problem().to_owned())
}

pub(crate) fn with_statement(statement: &str) -> String {
    format!(r#"{{"Version": "2012-10-17", "Statement": [{statement}]}}"#)
}

fn with_condition(condition: &str) -> String {
    with_statement(&format!(
        r#"{{"Effect": "Allow", "Action": "*", "Resource": "*", "Condition": {condition}}}"#
    ))
}

#[test]
fn documents_that_are_not_understood_are_refused() {
    let good = r#"{"Effect": "Allow", "Action": "*", "Resource": "*"}"#;
    for (text, place, words) in [
        ("", "", "not JSON"),
        ("[]", "", "an object is wanted, and not a list"),
        ("{}", "", "2012-10-17"),
        (r#"{"Version": "2012-10-17"}"#, "", "needs Statement"),
        (
            &format!(r#"{{"Statement": {good}}}"#),
            "",
            "the version must be",
        ),
        (
            &format!(r#"{{"Version": "2008-10-17", "Statement": {good}}}"#),
            "Version",
            "the version must be",
        ),
        (
            &format!(r#"{{"Version": "2012-10-17", "Statement": {good}, "Rule": 1}}"#),
            "Rule",
            "unknown element Rule",
        ),
        (
            &format!(r#"{{"Version": "2012-10-17", "Statement": {good}, "Statement": {good}}}"#),
            "",
            "a second member \"Statement\"",
        ),
        (
            r#"{"Version": "2012-10-17", "Statement": []}"#,
            "Statement",
            "the list is empty",
        ),
        (
            r#"{"Version": "2012-10-17", "Statement": "Allow"}"#,
            "Statement",
            "an object is wanted, and not a text",
        ),
        (
            r#"{"Version": 2012, "Statement": []}"#,
            "Version",
            "a text is wanted",
        ),
    ] {
        let (found, problem) = refusal(text);
        assert_eq!(found, place, "{text}: {problem}");
        assert!(problem.contains(words), "{text}: {problem}");
    }
}

#[test]
fn statements_that_are_not_understood_are_refused() {
    for (statement, place, words) in [
        (
            r#"{"Action": "*", "Resource": "*"}"#,
            "Statement[0]",
            "needs Effect",
        ),
        (
            r#"{"Effect": "allow", "Action": "*", "Resource": "*"}"#,
            "Statement[0].Effect",
            "neither",
        ),
        (
            r#"{"Effect": "Allow", "Resource": "*"}"#,
            "Statement[0]",
            "needs Action or NotAction",
        ),
        (
            r#"{"Effect": "Allow", "Action": "*"}"#,
            "Statement[0]",
            "needs Resource or NotResource",
        ),
        (
            r#"{"Effect": "Allow", "Action": "*", "NotAction": "*", "Resource": "*"}"#,
            "Statement[0].NotAction",
            "not both",
        ),
        (
            r#"{"Effect": "Allow", "Action": "*", "NotResource": "*", "Resource": "*"}"#,
            "Statement[0].Resource",
            "not both",
        ),
        (
            r#"{"Effect": "Allow", "Action": "*", "Resource": "*", "Principal": "*"}"#,
            "Statement[0].Principal",
            "has no principal",
        ),
        (
            r#"{"Effect": "Allow", "Action": "*", "Resource": "*", "Conditions": {}}"#,
            "Statement[0].Conditions",
            "unknown element",
        ),
        (
            r#"{"Effect": "Allow", "Action": ["dynamodb:GetItem", "s3:*"], "Resource": "*"}"#,
            "Statement[0].Action[1]",
            "no action of DynamoDB",
        ),
        (
            r#"{"Effect": "Allow", "Action": "GetItem", "Resource": "*"}"#,
            "Statement[0].Action",
            "no action of DynamoDB",
        ),
        (
            r#"{"Effect": "Allow", "Action": "dynamodb:GetItems", "Resource": "*"}"#,
            "Statement[0].Action",
            "has no action GetItems",
        ),
        (
            r#"{"Effect": "Allow", "Action": "dynamodb:TransactWriteItems", "Resource": "*"}"#,
            "Statement[0].Action",
            "PutItem, UpdateItem, DeleteItem and ConditionCheckItem",
        ),
        (
            r#"{"Effect": "Allow", "Action": "dynamodb:ExecuteStatement", "Resource": "*"}"#,
            "Statement[0].Action",
            "PartiQLSelect",
        ),
        (
            r#"{"Effect": "Allow", "Action": "dynamodb:${aws:username}", "Resource": "*"}"#,
            "Statement[0].Action",
            "variables have no place",
        ),
        (
            r#"{"Effect": "Allow", "Action": "*", "Resource": "table/Games"}"#,
            "Statement[0].Resource",
            "is no ARN",
        ),
        (
            r#"{"Effect": "Allow", "Action": "*", "Resource": "arn:aws:dynamodb:*"}"#,
            "Statement[0].Resource",
            "is no ARN",
        ),
        (
            r#"{"Effect": "Allow", "Action": "*", "Resource": "arn:aws:dynamodb:*:*:table/${user}"}"#,
            "Statement[0].Resource",
            "unknown variable ${user}",
        ),
        (
            r#"{"Effect": "Allow", "Action": "*", "Resource": "arn:aws:dynamodb:*:*:table/${aws:username"}"#,
            "Statement[0].Resource",
            "without its `}`",
        ),
        (
            r#"{"Effect": "Allow", "Action": "*", "Resource": "arn:aws:dynamodb:*:*:table/${aws:username, x}"}"#,
            "Statement[0].Resource",
            "single quotes",
        ),
        (
            r#"{"Effect": "Allow", "Action": "*", "Resource": "arn:aws:dynamodb:*:*:table/${dynamodb:LeadingKeys}"}"#,
            "Statement[0].Resource",
            "several values",
        ),
        (
            r#"{"Sid": "A", "Effect": "Allow", "Action": "*", "Resource": "*"}, {"Sid": "A", "Effect": "Deny", "Action": "*", "Resource": "*"}"#,
            "",
            "the Sid \"A\"",
        ),
    ] {
        let (found, problem) = refusal(&with_statement(statement));
        assert_eq!(found, place, "{statement}: {problem}");
        assert!(problem.contains(words), "{statement}: {problem}");
    }
}

#[test]
fn conditions_that_are_not_understood_are_refused() {
    for (condition, place, words) in [
        (r#"[]"#, "", "an object is wanted"),
        (
            r#"{"StringMatches": {"aws:username": "a"}}"#,
            ".StringMatches",
            "unknown operator",
        ),
        (
            r#"{"stringequals": {"aws:username": "a"}}"#,
            ".stringequals",
            "unknown operator",
        ),
        (
            r#"{"ForSomeValues:StringEquals": {"aws:username": "a"}}"#,
            ".ForSomeValues:StringEquals",
            "unknown operator",
        ),
        (
            r#"{"NullIfExists": {"aws:username": "true"}}"#,
            ".NullIfExists",
            "unknown operator",
        ),
        (
            r#"{"BinaryEquals": {"aws:username": "YQ=="}}"#,
            ".BinaryEquals",
            "unknown operator",
        ),
        (
            r#"{"StringEquals": {"aws:Magic": "a"}}"#,
            ".StringEquals.aws:Magic",
            "unknown condition key",
        ),
        (
            r#"{"StringEquals": {"dynamodb:LeadingKey": "a"}}"#,
            ".StringEquals.dynamodb:LeadingKey",
            "unknown condition key",
        ),
        (
            r#"{"StringEquals": {"aws:PrincipalTag/": "a"}}"#,
            ".StringEquals.aws:PrincipalTag/",
            "unknown condition key",
        ),
        (
            r#"{"StringEquals": {"dynamodb:LeadingKeys": "a"}}"#,
            ".StringEquals.dynamodb:LeadingKeys",
            "ForAllValues:StringEquals",
        ),
        (
            r#"{"StringEquals": {"aws:username": []}}"#,
            ".StringEquals.aws:username",
            "the list is empty",
        ),
        (
            r#"{"StringEquals": {"aws:username": [null]}}"#,
            ".StringEquals.aws:username[0]",
            "and not null",
        ),
        (
            r#"{"StringLike": {"aws:username": "${aws:nobody}"}}"#,
            ".StringLike.aws:username",
            "unknown variable",
        ),
        (
            r#"{"Bool": {"dynamodb:FullTableScan": "yes"}}"#,
            ".Bool.dynamodb:FullTableScan",
            "no boolean",
        ),
        (
            r#"{"Null": {"dynamodb:LeadingKeys": "maybe"}}"#,
            ".Null.dynamodb:LeadingKeys",
            "no boolean",
        ),
        (
            r#"{"NumericEquals": {"aws:EpochTime": "ten"}}"#,
            ".NumericEquals.aws:EpochTime",
            "no number",
        ),
        (
            r#"{"DateLessThan": {"aws:CurrentTime": "tomorrow"}}"#,
            ".DateLessThan.aws:CurrentTime",
            "no time",
        ),
        (
            r#"{"IpAddress": {"aws:SourceIp": "10.0.0.0/33"}}"#,
            ".IpAddress.aws:SourceIp",
            "no address",
        ),
        (
            r#"{"ArnLike": {"aws:PrincipalArn": "user/ada"}}"#,
            ".ArnLike.aws:PrincipalArn",
            "is no ARN",
        ),
    ] {
        let (found, problem) = refusal(&with_condition(condition));
        assert_eq!(
            found,
            format!("Statement[0].Condition{place}"),
            "{condition}: {problem}"
        );
        assert!(problem.contains(words), "{condition}: {problem}");
    }
}

#[test]
fn a_variable_without_a_value_is_refused() {
    let text = with_condition(
        r#"{"StringEquals": {"aws:username": "${cognito-identity.amazonaws.com:sub}"}}"#,
    );
    let policy = Policy::parse("p", &text).unwrap();
    let refused = Identity::new(Principal::user("ada"), vec![policy.clone()]).unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("context.cognito-identity.amazonaws.com:sub"),
        "{refused}"
    );
    let known = Principal::user("ada")
        .with("Cognito-Identity.amazonaws.com:sub", "x")
        .unwrap();
    assert!(Identity::new(known, vec![policy]).is_ok());
    assert!(Principal::user("ada").with("aws:CurrentTime", "x").is_err());
}
