//! The answer, for people and for programs.

use super::request::TestRequest;
use crate::exit::Failure;
use clap::ValueEnum;
use monotable_policy::{Decision, Identity, Judgement, Mismatch, StatementPlace, Verdict};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A form of output.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// For people
    Text,
    /// One JSON object, indented
    Json,
}

/// What policies say about a request.
#[derive(Serialize)]
pub(super) struct Report<'r> {
    allowed: bool,
    access_key: &'r str,
    user: &'r str,
    operation: &'r str,
    /// What a server would answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    accesses: Vec<AccessReport<'r>>,
}

/// What they say about one thing that it does.
#[derive(Serialize)]
struct AccessReport<'r> {
    action: String,
    resource: &'r str,
    #[serde(skip_serializing_if = "<[Vec<String>]>::is_empty")]
    partitions: &'r [Vec<String>],
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    attributes: &'r BTreeSet<String>,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    decided_by: Option<StatementReport<'r>>,
    not_applied: Vec<StatementReport<'r>>,
}

#[derive(Serialize)]
struct StatementReport<'r> {
    policy: &'r str,
    statement: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    sid: Option<&'r str>,
    effect: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<String>,
}

impl Form {
    pub(super) fn render(self, report: &Report<'_>) -> Result<Vec<u8>, Failure> {
        match self {
            Self::Text => Ok(report.to_text().into_bytes()),
            Self::Json => {
                let mut json = serde_json::to_vec_pretty(report).map_err(Failure::bug)?;
                json.push(b'\n');
                Ok(json)
            }
        }
    }
}

impl<'r> Report<'r> {
    pub(super) fn new(
        request: &'r TestRequest,
        identity: &'r Identity,
        judgement: &'r Judgement,
    ) -> Self {
        Self {
            allowed: judgement.is_allowed(),
            access_key: &request.access_key,
            user: identity.principal().arn(),
            operation: &request.operation,
            message: judgement.refusal(),
            accesses: judgement.decisions.iter().map(AccessReport::new).collect(),
        }
    }

    fn to_text(&self) -> String {
        let word = if self.allowed { "allowed" } else { "denied" };
        let mut text = format!("{word}: {} by {}\n", self.operation, self.user);
        for access in &self.accesses {
            access.write(&mut text);
        }
        if let Some(message) = &self.message {
            // Writing to memory does not fail.
            let _ = writeln!(text, "{message}");
        }
        text
    }
}

impl<'r> AccessReport<'r> {
    fn new(decision: &'r Decision) -> Self {
        let (verdict, decided_by) = match &decision.verdict {
            Verdict::Allowed(place) => ("allowed", Some(place)),
            Verdict::Denied(place) => ("denied", Some(place)),
            Verdict::NotAllowed => ("not allowed", None),
            Verdict::Unrestricted => ("allowed", None),
        };
        let not_applied = decision.mismatches.iter();
        Self {
            action: format!("dynamodb:{}", decision.access.action),
            resource: &decision.access.resource,
            partitions: &decision.access.partitions,
            attributes: &decision.access.attributes,
            verdict,
            decided_by: decided_by.map(|place| StatementReport::new(place, None)),
            not_applied: not_applied
                .map(|(place, mismatch)| StatementReport::new(place, Some(mismatch)))
                .collect(),
        }
    }

    fn write(&self, text: &mut String) {
        let by = match (&self.decided_by, self.verdict) {
            (Some(place), verdict) => format!("{verdict} by {}", place.name()),
            (None, "allowed") => "allowed: the access key has no policies".to_owned(),
            (None, _) => "no statement allows it".to_owned(),
        };
        let _ = writeln!(text, "  {} on {}: {by}", self.action, self.resource);
        for place in &self.not_applied {
            let because = place.because.as_deref().unwrap_or_default();
            let _ = writeln!(text, "    {} does not apply: {because}", place.name());
        }
    }
}

impl<'r> StatementReport<'r> {
    fn new(place: &'r StatementPlace, mismatch: Option<&Mismatch>) -> Self {
        Self {
            policy: &place.policy,
            statement: place.index,
            sid: place.sid.as_deref(),
            effect: place.effect.as_str(),
            because: mismatch.map(ToString::to_string),
        }
    }

    fn name(&self) -> String {
        let sid = self.sid.map(|sid| format!(" {sid:?}")).unwrap_or_default();
        format!(
            "{} Statement[{}]{sid} ({})",
            self.policy, self.statement, self.effect
        )
    }
}
