//! One statement of a policy, as text.

use super::super::requests::json_text;

/// A statement that allows actions.
pub(super) struct Statement {
    pub(super) actions: Vec<String>,
    pub(super) resources: Vec<String>,
    /// Only with these partition keys.
    pub(super) keys: Option<LeadingKeys>,
}

/// Partition keys as IAM compares them.
pub(super) struct LeadingKeys {
    pub(super) keys: Vec<String>,
    pub(super) comparison: Comparison,
}

/// How keys are compared.
#[derive(Clone, Copy)]
pub(super) enum Comparison {
    /// As they stand.
    Equals,
    /// With wildcards.
    Like,
}

impl Statement {
    /// The statement in IAM's JSON. A request that names no partition key satisfies `ForAllValues`, so that is asked for as well.
    pub(super) fn render(&self) -> String {
        let actions = list(&self.actions, 1);
        let resources = list(&self.resources, 1);
        let condition = self.keys.as_ref().map(LeadingKeys::render);
        let condition = condition.unwrap_or_default();
        format!(
            "{{\n  \"Effect\": \"Allow\",\n  \"Action\": {actions},\n  \"Resource\": {resources}{condition}\n}}"
        )
    }
}

impl LeadingKeys {
    fn render(&self) -> String {
        let operator = match self.comparison {
            Comparison::Equals => "StringEquals",
            Comparison::Like => "StringLike",
        };
        format!(
            ",\n  \"Condition\": {{\n    \"ForAllValues:{operator}\": {{\n      \"dynamodb:LeadingKeys\": {}\n    }},\n    \
             \"Null\": {{ \"dynamodb:LeadingKeys\": \"false\" }}\n  }}",
            list(&self.keys, 3)
        )
    }
}

fn list(texts: &[String], depth: usize) -> String {
    let indent = "  ".repeat(depth + 1);
    let lines: Vec<_> = texts
        .iter()
        .map(|text| format!("{indent}{}", json_text(text)))
        .collect();
    format!("[\n{}\n{}]", lines.join(",\n"), "  ".repeat(depth))
}
