//! Alarms on the metrics that DynamoDB reports: throttled requests, errors, and how long requests take.

use monotable_model::model::{Model, Table};

/// Where DynamoDB's metrics are.
pub(super) const NAMESPACE: &str = "AWS/DynamoDB";
/// Seconds of one value.
pub(super) const PERIOD: u32 = 60;
/// The values that are looked at.
pub(super) const EVALUATED: u32 = 5;
/// How many of them must be too large.
pub(super) const DATAPOINTS: u32 = 3;

/// The operations that read items. An expression of an alarm has at most ten metrics.
const READS: [&str; 5] = [
    "BatchGetItem",
    "GetItem",
    "Query",
    "Scan",
    "TransactGetItems",
];
/// The operations that write items.
const WRITES: [&str; 5] = [
    "BatchWriteItem",
    "DeleteItem",
    "PutItem",
    "TransactWriteItems",
    "UpdateItem",
];

/// What alarms there are, and whom they tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlarmOptions {
    /// Milliseconds that 99 of 100 requests should stay below.
    pub latency: u32,
    /// The ARN of the topic that is told.
    pub topic: Option<String>,
}

impl Default for AlarmOptions {
    fn default() -> Self {
        Self {
            latency: Self::LATENCY,
            topic: None,
        }
    }
}

impl AlarmOptions {
    /// Milliseconds that 99 of 100 requests stay below in a healthy table: reads and writes of small items take a few.
    pub const LATENCY: u32 = 100;
}

/// An alarm.
pub(super) struct Alarm {
    /// The words of its name in the tools.
    pub(super) words: Vec<String>,
    /// Its name in CloudWatch.
    pub(super) name: String,
    /// What it means and what to do.
    pub(super) about: String,
    pub(super) metrics: Metrics,
    /// It goes off at this value and above.
    pub(super) threshold: u32,
}

/// What an alarm watches.
pub(super) enum Metrics {
    /// The sum of one metric.
    Sum(Metric),
    /// The sum of the sums of several.
    SumOfSums(Vec<Metric>),
    /// The largest of the 99th percentiles of several.
    LargestPercentile(Vec<Metric>),
}

/// A metric of DynamoDB.
pub(super) struct Metric {
    pub(super) name: &'static str,
    /// Names and values of what it is about.
    pub(super) dimensions: Vec<(&'static str, String)>,
}

/// The alarms of a model: those of each table and its global indexes, and one of the account.
pub(super) fn list_alarms(model: &Model, options: &AlarmOptions) -> Vec<Alarm> {
    let mut alarms: Vec<Alarm> = Vec::new();
    for table in &model.tables {
        alarms.extend(throttles(table, None));
        for index in table.indexes.iter().filter(|index| !index.local) {
            alarms.extend(throttles(table, Some(&index.physical)));
        }
        alarms.push(system_errors(table));
        alarms.extend(latencies(table, options.latency));
    }
    alarms.push(user_errors(&model.name));
    alarms
}

fn throttles(table: &Table, index: Option<&str>) -> [Alarm; 2] {
    let kinds = [
        ("read", "ReadThrottleEvents"),
        ("write", "WriteThrottleEvents"),
    ];
    kinds.map(|(kind, metric)| {
        let mut dimensions = vec![("TableName", table.physical.clone())];
        let what = match index {
            None => table.physical.clone(),
            Some(index) => {
                dimensions.push(("GlobalSecondaryIndexName", index.to_owned()));
                format!("index {index} of {}", table.physical)
            }
        };
        Alarm::new(
            table,
            &[index.unwrap_or_default(), kind, "throttles"],
            format!("DynamoDB refuses {kind}s of {what}: a partition or the table has more of them than it may have."),
            Metrics::Sum(Metric {
                name: metric,
                dimensions,
            }),
            1,
        )
    })
}

fn system_errors(table: &Table) -> Alarm {
    let operations = READS.iter().chain(&WRITES);
    Alarm::new(
        table,
        &["system", "errors"],
        format!(
            "DynamoDB fails requests on {} with HTTP 500.",
            table.physical
        ),
        Metrics::SumOfSums(operation_metrics(table, "SystemErrors", operations)),
        1,
    )
}

fn latencies(table: &Table, threshold: u32) -> [Alarm; 2] {
    let kinds = [("read", &READS), ("write", &WRITES)];
    kinds.map(|(kind, operations)| {
        Alarm::new(
            table,
            &[kind, "latency"],
            format!(
                "One of 100 {kind}s of {} takes {threshold} ms or more inside of DynamoDB.",
                table.physical
            ),
            Metrics::LargestPercentile(operation_metrics(
                table,
                "SuccessfulRequestLatency",
                operations.iter(),
            )),
            threshold,
        )
    })
}

/// DynamoDB counts requests that it finds wrong for the whole account and region, not for a table.
fn user_errors(model: &str) -> Alarm {
    Alarm {
        words: vec![model.to_owned(), "user".to_owned(), "errors".to_owned()],
        name: format!("{model}-user-errors"),
        about: "Programs of this account send requests that DynamoDB finds wrong (HTTP 400), to whatever table."
            .to_owned(),
        metrics: Metrics::Sum(Metric {
            name: "UserErrors",
            dimensions: Vec::new(),
        }),
        threshold: 1,
    }
}

fn operation_metrics<'o>(
    table: &Table,
    name: &'static str,
    operations: impl Iterator<Item = &'o &'static str>,
) -> Vec<Metric> {
    operations
        .map(|operation| Metric {
            name,
            dimensions: vec![
                ("TableName", table.physical.clone()),
                ("Operation", (*operation).to_owned()),
            ],
        })
        .collect()
}

impl Alarm {
    fn new(table: &Table, words: &[&str], about: String, metrics: Metrics, threshold: u32) -> Self {
        let words = words.iter().copied().filter(|word| !word.is_empty());
        let words: Vec<&str> = words.collect();
        Self {
            name: format!("{}-{}", table.physical, words.join("-")),
            words: std::iter::once(table.name.value.as_str())
                .chain(words)
                .map(ToOwned::to_owned)
                .collect(),
            about,
            metrics,
            threshold,
        }
    }
}

impl Metrics {
    /// The expression that makes one value of several metrics, and what is taken of each of them.
    pub(super) const fn expression(&self) -> Option<Expression> {
        match self {
            Self::Sum(_) => None,
            Self::SumOfSums(_) => Some(Expression {
                text: "SUM(METRICS())",
                label: "errors",
                statistic: "Sum",
            }),
            Self::LargestPercentile(_) => Some(Expression {
                text: "MAX(METRICS())",
                label: "milliseconds",
                statistic: "p99",
            }),
        }
    }

    pub(super) fn all(&self) -> &[Metric] {
        match self {
            Self::Sum(metric) => std::slice::from_ref(metric),
            Self::SumOfSums(metrics) | Self::LargestPercentile(metrics) => metrics,
        }
    }
}

/// A value made of metrics.
pub(super) struct Expression {
    pub(super) text: &'static str,
    pub(super) label: &'static str,
    pub(super) statistic: &'static str,
}
