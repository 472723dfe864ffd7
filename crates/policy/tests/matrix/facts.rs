//! What requests ask for, read from their JSON as DynamoDB's documentation describes it.
//!
//! - <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html>
//! - <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html>
//! - <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-iam.html>
//! - <https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html>

use crate::naive::Facts;
use crate::statement_text;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const ARN: &str = "arn:aws:dynamodb:local:000000000000:table/";

/// A fact in the making.
pub(crate) struct Draft {
    action: String,
    table: String,
    index: Option<String>,
    keys: BTreeMap<String, Vec<String>>,
    attributes: BTreeSet<String>,
}

pub(crate) fn facts(operation: &str, body: &str) -> Vec<Facts> {
    let body: Value = serde_json::from_str(body).unwrap();
    let drafts = match operation {
        "GetItem" | "PutItem" | "UpdateItem" | "DeleteItem" => items(operation, &body),
        "Query" | "Scan" | "SearchVectors" => vec![page(operation, &body)],
        "BatchGetItem" | "BatchWriteItem" => batch(operation, &body),
        "TransactGetItems" | "TransactWriteItems" => transaction(operation, &body),
        "ExecuteStatement" => vec![statement_text::draft(&body)],
        "BatchExecuteStatement" => statements(&body["Statements"]),
        "ExecuteTransaction" => {
            let drafts = statements(&body["TransactStatements"]).into_iter();
            drafts
                .map(|draft| draft.with("enclosingoperation", "ExecuteTransaction"))
                .collect()
        }
        _ => return resources(operation, &body),
    };
    let capacity = body["ReturnConsumedCapacity"].as_str();
    let drafts = drafts.into_iter().map(|draft| match capacity {
        Some(word) => draft.with("returnconsumedcapacity", word),
        None => draft,
    });
    drafts.map(Draft::finish).collect()
}

fn statements(list: &Value) -> Vec<Draft> {
    list.as_array()
        .unwrap()
        .iter()
        .map(statement_text::draft)
        .collect()
}

/// A write that may return one thing if it succeeds and another one if it fails needs to be allowed to return either.
fn items(operation: &str, body: &Value) -> Vec<Draft> {
    let on_success = body["ReturnValues"].as_str();
    let has_two = body["ReturnValuesOnConditionCheckFailure"] == "ALL_OLD"
        && on_success.is_some_and(|word| !["NONE", "ALL_OLD"].contains(&word));
    let second = item(operation, body);
    match on_success {
        Some(word) if has_two => {
            let first = item(operation, body).with("returnvalues", word);
            vec![first, second]
        }
        _ => vec![second],
    }
}

fn item(operation: &str, body: &Value) -> Draft {
    let mut draft = Draft::new(operation, &body["TableName"]);
    draft.read_members(body);
    let item = if operation == "PutItem" {
        &body["Item"]
    } else {
        &body["Key"]
    };
    draft.keys_of(&[item]);
    let projects = !body["ProjectionExpression"].is_null() || !body["AttributesToGet"].is_null();
    match operation {
        "GetItem" if projects => draft.with("select", "SPECIFIC_ATTRIBUTES"),
        "GetItem" => draft.with("select", "ALL_ATTRIBUTES"),
        _ => draft,
    }
}

fn page(operation: &str, body: &Value) -> Draft {
    let mut draft = Draft::new(operation, &body["TableName"]);
    draft.index = body["IndexName"].as_str().map(str::to_owned);
    draft.read_members(body);
    let projects = !body["ProjectionExpression"].is_null() || !body["AttributesToGet"].is_null();
    let select = match (body["Select"].as_str(), projects, &draft.index) {
        (Some(select), ..) => select,
        (None, true, _) => "SPECIFIC_ATTRIBUTES",
        (None, false, Some(_)) => "ALL_PROJECTED_ATTRIBUTES",
        (None, false, None) => "ALL_ATTRIBUTES",
    };
    if operation == "Query" {
        let names = partition_key(&draft.table, draft.index.as_deref());
        let values: Vec<_> = names.iter().map(|name| equal_value(body, name)).collect();
        draft.partitions(values.iter().map(|value| vec![value.clone()]).collect());
    }
    draft.with("select", select)
}

/// The value that `name = :placeholder` gives.
fn equal_value(body: &Value, name: &str) -> String {
    if let Some(condition) = body["KeyConditions"].get(name) {
        return scalar(&condition["AttributeValueList"][0]);
    }
    let text = body["KeyConditionExpression"].as_str().unwrap();
    let (_, rest) = text.split_once(&format!("{name} = ")).unwrap();
    let placeholder = rest.split(' ').next().unwrap();
    scalar(&body["ExpressionAttributeValues"][placeholder])
}

fn batch(operation: &str, body: &Value) -> Vec<Draft> {
    let tables = body["RequestItems"].as_object().unwrap().iter();
    let drafts = tables.map(|(table, request)| {
        let mut draft = Draft::new(operation, &Value::from(table.as_str()));
        if operation == "BatchGetItem" {
            draft.read_members(request);
            draft.keys_of(
                &request["Keys"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .collect::<Vec<_>>(),
            );
            let projects = !request["ProjectionExpression"].is_null();
            return draft.with(
                "select",
                if projects {
                    "SPECIFIC_ATTRIBUTES"
                } else {
                    "ALL_ATTRIBUTES"
                },
            );
        }
        let writes = request.as_array().unwrap().iter();
        let items: Vec<_> = writes
            .map(|write| match write.get("PutRequest") {
                Some(put) => &put["Item"],
                None => &write["DeleteRequest"]["Key"],
            })
            .collect();
        draft.keys_of(&items);
        draft
    });
    drafts.collect()
}

fn transaction(operation: &str, body: &Value) -> Vec<Draft> {
    let items = body["TransactItems"].as_array().unwrap().iter();
    let drafts = items.map(|element| {
        let (kind, request) = element.as_object().unwrap().iter().next().unwrap();
        let action = match kind.as_str() {
            "Get" => "GetItem",
            "Put" => "PutItem",
            "Update" => "UpdateItem",
            "Delete" => "DeleteItem",
            "ConditionCheck" => "ConditionCheckItem",
            other => panic!("{other}"),
        };
        item(action, request).with("enclosingoperation", operation)
    });
    drafts.collect()
}

fn resources(operation: &str, body: &Value) -> Vec<Facts> {
    let names = [
        "TableName",
        "ResourceArn",
        "BackupArn",
        "ExportArn",
        "ImportArn",
        "BulkOperationArn",
        "StreamArn",
        "TableArn",
    ];
    let last = |text: &str| {
        text.rsplit_once("table/")
            .map_or(text, |(_, name)| name)
            .to_owned()
    };
    let list = operation.starts_with("List") && operation != "ListTagsOfResource";
    let mut found = names.iter().filter_map(|name| body[*name].as_str());
    let on = |action: &str, resource: &str| Facts {
        action: action.to_owned(),
        resource: resource.to_owned(),
        keys: BTreeMap::new(),
    };
    let table = |name: &str| format!("{ARN}{name}");
    if operation.starts_with("RestoreTable") {
        let source = body["BackupArn"]
            .as_str()
            .or(body["SourceTableName"].as_str())
            .unwrap();
        let target = table(body["TargetTableName"].as_str().unwrap());
        let others = [
            "BatchWriteItem",
            "DeleteItem",
            "GetItem",
            "PutItem",
            "Query",
            "Scan",
            "UpdateItem",
        ];
        let others = others.iter().map(|action| on(action, &target));
        let first = [on(operation, &table(&last(source))), on(operation, &target)];
        return first.into_iter().chain(others).collect();
    }
    let resource = match (found.next(), body["GlobalTableName"].as_str()) {
        _ if list => table("*"),
        (Some(given), _) => table(&last(given)),
        (None, Some(name)) => format!("arn:aws:dynamodb::000000000000:global-table/{name}"),
        (None, None) => match operation {
            "ImportTable" => table(
                body["TableCreationParameters"]["TableName"]
                    .as_str()
                    .unwrap(),
            ),
            "GetRecords" => body["ShardIterator"]
                .as_str()
                .unwrap()
                .split('|')
                .next()
                .unwrap()
                .to_owned(),
            _ => table("*"),
        },
    };
    let resource = match body["IndexName"].as_str() {
        Some(index) => format!("{resource}/index/{index}"),
        None => resource,
    };
    let mut facts = vec![on(operation, &resource)];
    if operation == "CreateTable" && !body["Tags"].is_null() {
        facts.push(on("TagResource", &resource));
    }
    facts
}

/// The attributes of the partition key of a table or index that exists.
pub(crate) fn partition_key(table: &str, index: Option<&str>) -> Vec<&'static str> {
    match (table, index) {
        ("Games", None | Some("ByScore")) => vec!["UserId"],
        ("Games", Some("ByTitle")) => vec!["GameTitle"],
        ("Games", Some("ByPlace")) => vec!["Country", "City"],
        ("Notes", None) => vec!["Id"],
        _ => vec![],
    }
}

fn scalar(value: &Value) -> String {
    let (_, value) = value.as_object().unwrap().iter().next().unwrap();
    value.as_str().unwrap().to_owned()
}

impl Draft {
    pub(crate) fn new(action: &str, table: &Value) -> Self {
        let given = table.as_str().unwrap();
        Self {
            action: action.to_owned(),
            table: given.rsplit('/').next().unwrap().to_owned(),
            index: None,
            keys: BTreeMap::new(),
            attributes: BTreeSet::new(),
        }
    }

    pub(crate) fn on_index(mut self, index: Option<&str>) -> Self {
        self.index = index.map(str::to_owned);
        self
    }

    pub(crate) fn with(mut self, key: &str, value: &str) -> Self {
        self.keys
            .insert(format!("dynamodb:{key}"), vec![value.to_owned()]);
        self
    }

    pub(crate) fn name(&mut self, attributes: impl IntoIterator<Item = String>) {
        self.attributes.extend(attributes);
    }

    pub(crate) fn partitions(&mut self, values: Vec<Vec<String>>) {
        let parts = ["First", "Second", "Third", "Fourth"];
        for (part, values) in parts.iter().zip(&values) {
            let key = format!("dynamodb:{part}PartitionKeyValues").to_lowercase();
            self.keys.insert(key, values.clone());
        }
        if let Some(first) = values.first() {
            self.keys
                .insert("dynamodb:leadingkeys".to_owned(), first.clone());
        }
    }

    fn keys_of(&mut self, items: &[&Value]) {
        for item in items {
            self.name(item.as_object().unwrap().keys().cloned());
        }
        let names = partition_key(&self.table, self.index.as_deref());
        let values = names.iter().map(|name| {
            let distinct: BTreeSet<_> = items.iter().map(|item| scalar(&item[*name])).collect();
            distinct.into_iter().collect()
        });
        self.partitions(values.collect());
    }

    /// The members that name attributes, and those that say what is returned.
    fn read_members(&mut self, body: &Value) {
        for member in [
            "ProjectionExpression",
            "ConditionExpression",
            "FilterExpression",
            "UpdateExpression",
            "KeyConditionExpression",
        ] {
            if let Some(text) = body[member].as_str() {
                self.name(names_in(text, &body["ExpressionAttributeNames"]));
            }
        }
        for member in ["Expected", "AttributeUpdates", "KeyConditions"] {
            let names = body[member]
                .as_object()
                .into_iter()
                .flat_map(|names| names.keys().cloned());
            self.name(names);
        }
        let listed = body["AttributesToGet"].as_array().into_iter().flatten();
        self.name(listed.map(|name| name.as_str().unwrap().to_owned()));
        let on_failure = body["ReturnValuesOnConditionCheckFailure"].as_str();
        if let Some(word) = on_failure.or(body["ReturnValues"].as_str()) {
            self.keys
                .insert("dynamodb:returnvalues".to_owned(), vec![word.to_owned()]);
        }
    }

    fn finish(mut self) -> Facts {
        let attributes: Vec<_> = self.attributes.into_iter().collect();
        if !attributes.is_empty() {
            self.keys
                .insert("dynamodb:attributes".to_owned(), attributes);
        }
        let index = self
            .index
            .map_or_else(String::new, |index| format!("/index/{index}"));
        Facts {
            action: self.action,
            resource: format!("{ARN}{}{index}", self.table),
            keys: self.keys,
        }
    }
}

/// The names at the beginnings of the paths of an expression.
pub(crate) fn names_in(text: &str, substituted: &Value) -> Vec<String> {
    const WORDS: &str = " set remove add delete and or not in between attribute_exists attribute_not_exists begins_with contains \
                         size if_not_exists list_append ";
    let is_part = |c: char| c.is_alphanumeric() || "_#:.[]".contains(c);
    let tokens = text
        .split(|c| !is_part(c))
        .filter(|token| !token.is_empty());
    let paths = tokens.filter(|token| {
        let is_word = WORDS.contains(&format!(" {} ", token.to_lowercase()));
        !is_word && !token.starts_with(|c: char| c == ':' || c.is_ascii_digit())
    });
    let names = paths.map(|path| {
        let name = path.split(['.', '[']).next().unwrap();
        substituted[name].as_str().unwrap_or(name).to_owned()
    });
    names.collect()
}
