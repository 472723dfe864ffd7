use super::super::markdown;
use super::{models, read};

#[test]
fn isolation_is_a_policy_statement_without_scan() {
    let values = models().remove(3);
    let page = markdown(&values);
    for line in [
        "\"ForAllValues:StringLike\": {",
        "\"U#${cognito-identity.amazonaws.com:sub}\",",
        "\"U#${cognito-identity.amazonaws.com:sub}#*\"",
        "\"Null\": { \"dynamodb:LeadingKeys\": \"false\" }",
        "\"arn:aws:dynamodb:REGION:ACCOUNT:table/App\"",
        "\"dynamodb:Query\"",
    ] {
        assert!(page.contains(line), "{line}");
    }
    assert!(!page.contains("dynamodb:Scan"));
}

#[test]
fn whole_partitions_are_compared_as_they_are() {
    let model = read(
        r#"
        monotable = 1
        model = "m"
        [principal]
        userId = "uuid"
        [isolation]
        partitions = ["U#{principal.userId}"]
        [table.T]
        key = ["PK", "SK"]
        GSI1 = ["A", "B"]
        [entity.E]
        key = ["U#{userId}", "E"]
        [entity.E.attributes]
        userId = "uuid"
        [access.e]
        key = ["U#{userId}", "E"]
        returns = ["E"]
        "#,
    );
    let page = markdown(&model);
    assert!(page.contains("ForAllValues:StringEquals"));
    assert!(page.contains("\"U#${aws:PrincipalTag/userId}\""));
    assert!(page.contains("table/T/index/*"));
}
