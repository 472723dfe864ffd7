//! What calls end with, as JSON.

use super::opened::OpenStore;
use super::{failure, number};
use monotable_item::{AttributeValue, EncodedItem};
use monotable_model::compiled::CompiledModel;
use monotable_model::model::Model;
use monotable_model::plan::{FollowedReference, ReadPlan};
use monotable_store::{
    AnyOutput, Error, Explained, Explanation, Page, PlannedRequest, Row, SweepReport, Units,
};
use serde::Serialize;
use serde_json::{Value, json};

/// What came of an operation; `pattern` is that of a query.
pub(super) fn show(
    opened: &OpenStore,
    pattern: Option<&str>,
    mut output: AnyOutput,
) -> Result<String, Error> {
    let compiled = opened.store.compiled();
    let follows = match (&output, pattern) {
        (AnyOutput::Page(page), Some(pattern)) => list_follows(compiled, pattern, page),
        _ => None,
    };
    number::show(compiled, &opened.bigint, &mut output)?;
    Ok(match &output {
        AnyOutput::Page(page) => write(&PageBody::new(page, follows)),
        AnyOutput::SweepReport(report) => write(&show_sweep(report)),
        output => write(output),
    })
}

/// A page. Items that the model does not know are in DynamoDB's own JSON.
#[derive(Serialize)]
struct PageBody<'p> {
    rows: &'p [Row],
    #[serde(skip_serializing_if = "<[Row]>::is_empty")]
    followed: &'p [Row],
    /// None if the pattern follows nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    follows: Option<Vec<FollowBody>>,
    dangling: &'p [String],
    hidden: usize,
    unknown: Vec<EncodedItem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cursor: Option<&'p str>,
}

/// A row that another one names: positions in `rows` and `followed`.
#[derive(Debug, Serialize)]
pub(super) struct FollowBody {
    row: usize,
    by: String,
    to: usize,
    /// The attribute has a list of such.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    many: bool,
}

impl<'p> PageBody<'p> {
    fn new(page: &'p Page, follows: Option<Vec<FollowBody>>) -> Self {
        Self {
            rows: &page.rows,
            followed: &page.followed,
            follows,
            dangling: &page.dangling,
            hidden: page.hidden,
            unknown: page.unknown.iter().map(EncodedItem::from).collect(),
            cursor: page.cursor.as_deref(),
        }
    }
}

/// Which row brought which one along.
fn list_follows(compiled: &CompiledModel, pattern: &str, page: &Page) -> Option<Vec<FollowBody>> {
    let plan = compiled.plans().pattern_named(pattern)?;
    if plan.follow.is_empty() {
        return None;
    }
    let rows = page.rows.iter().enumerate();
    let follows =
        rows.flat_map(|(position, row)| list_follows_of(compiled, plan, page, position, row));
    Some(follows.collect())
}

fn list_follows_of(
    compiled: &CompiledModel,
    plan: &ReadPlan,
    page: &Page,
    position: usize,
    row: &Row,
) -> Vec<FollowBody> {
    let model = compiled.model();
    let mut found = Vec::new();
    for follow in &plan.follow {
        let mut references = follow.references.iter();
        let is_own = |one: &&FollowedReference| model.entity(one.source).name.value == row.entity;
        let Some(reference) = references.find(is_own) else {
            continue;
        };
        for (to, followed) in page.followed.iter().enumerate() {
            if is_named(model, reference, &follow.attribute, row, followed) {
                found.push(FollowBody {
                    row: position,
                    by: follow.attribute.clone(),
                    to,
                    many: reference.many,
                });
            }
        }
    }
    found
}

/// Whether a row names another one by a reference: by its id, and by whatever else of its key it tells.
fn is_named(
    model: &Model,
    reference: &FollowedReference,
    attribute: &str,
    row: &Row,
    followed: &Row,
) -> bool {
    let target = model.entity(reference.to.entity);
    let id = reference.to.id.as_ref().or(target.id.as_ref());
    let (Some(id), true) = (id, target.name.value == followed.entity) else {
        return false;
    };
    let Some(id) = followed.values.get(id) else {
        return false;
    };
    let names = match row.values.get(attribute) {
        Some(AttributeValue::L(values)) => values.contains(id),
        Some(value) => value == id,
        None => false,
    };
    let given = reference.to.key.iter().flatten();
    let agrees = |given: &monotable_model::plan::Given| {
        let id = reference.to.id.as_ref() == Some(&given.name);
        id || row.values.get(&given.from) == followed.values.get(&given.name)
    };
    names && given.into_iter().all(agrees)
}

fn show_sweep(report: &SweepReport) -> Value {
    let problems = report.problems().map(|kept| kept.reason.to_string());
    json!({
        "intents": report.intents(),
        "rows": report.rows(),
        "left": report.young(),
        "problems": problems.collect::<Vec<_>>(),
    })
}

/// The requests of a call with their cost.
pub(super) fn show_explanation(model: &Model, explanation: &Explanation) -> String {
    let requests = explanation.requests.iter().map(show_explained);
    let (read, written) = explanation.total();
    let mut told = json!({
        "requests": requests.collect::<Vec<_>>(),
        "read": read,
        "write": written,
        "text": explanation.to_string(),
    });
    if let (Value::Object(told), Err(error)) = (&mut told, &explanation.outcome) {
        told.insert("error".to_owned(), failure::describe(model, error, false));
    }
    told.to_string()
}

fn show_explained(explained: &Explained) -> Value {
    let units = explained
        .units
        .iter()
        .map(|Units { of, read, write }| json!({ "of": of, "read": read, "write": write }));
    json!({
        "round": explained.round,
        "operation": explained.operation.as_str(),
        "input": read_body(&explained.body),
        "units": units.collect::<Vec<_>>(),
    })
}

/// The requests of a call with every value.
pub(super) fn show_requests(planned: &[PlannedRequest]) -> String {
    let requests = planned.iter().map(|planned| {
        json!({ "operation": planned.operation.as_str(), "input": read_body(&planned.body) })
    });
    Value::Array(requests.collect()).to_string()
}

fn read_body(body: &str) -> Value {
    serde_json::from_str(body).unwrap_or_default()
}

/// JSON of what has JSON: none of these fails.
pub(super) fn write(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
