//! The isolation rule as an IAM policy.

mod access;
mod role;
mod statement;

pub use role::{Role, RoleError, role_policy};

use monotable_model::model::{Field, Isolation, Model, Part, Root, Source, Template};
use statement::{Comparison, LeadingKeys, Statement};

const ACTIONS: [&str; 8] = [
    "BatchGetItem",
    "BatchWriteItem",
    "ConditionCheckItem",
    "DeleteItem",
    "GetItem",
    "PutItem",
    "Query",
    "UpdateItem",
];

/// Whose tables a policy is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicyScope<'s> {
    /// The region, or `*`.
    pub region: &'s str,
    /// The account, or `*`.
    pub account: &'s str,
}

impl Default for PolicyScope<'_> {
    /// The tables of any region and account.
    fn default() -> Self {
        Self {
            region: "*",
            account: "*",
        }
    }
}

impl PolicyScope<'_> {
    /// The ARN of a table.
    fn table(&self, name: &str) -> String {
        let Self { region, account } = self;
        let partition = self.partition();
        format!("arn:{partition}:dynamodb:{region}:{account}:table/{name}")
    }

    /// Regions in China and those of the government stand under names of their own.
    fn partition(&self) -> &'static str {
        match self.region {
            region if region.starts_with("cn-") => "aws-cn",
            region if region.starts_with("us-gov-") => "aws-us-gov",
            _ => "aws",
        }
    }
}

/// The IAM policy that lets a principal touch only the partitions that `[isolation]` gives it, as a JSON document;
/// None for a model without `[isolation]`.
#[must_use]
pub fn iam_policy(model: &Model, scope: PolicyScope<'_>) -> Option<String> {
    let statements = statements(model, model.isolation.as_ref()?, scope);
    Some(document(&statements))
}

/// A policy of statements, which are written one after the other.
pub(super) fn document(statements: &str) -> String {
    let lines: Vec<_> = statements
        .lines()
        .map(|line| format!("    {line}"))
        .collect();
    format!(
        "{{\n  \"Version\": \"2012-10-17\",\n  \"Statement\": [\n{}\n  ]\n}}\n",
        lines.join("\n")
    )
}

/// What a principal needs: its own partitions, and to read the store's own item.
pub(crate) fn statements(model: &Model, isolation: &Isolation, scope: PolicyScope<'_>) -> String {
    let own = statement(model, isolation, scope);
    match model.tables.first() {
        Some(table) => format!("{own},\n{}", store_statement(&scope.table(&table.physical))),
        None => own,
    }
}

/// A statement that lets callers read the store's own item, and nothing else: with its secret, cursors of one process
/// serve the next, and its key templates tell a model that does not fit. Only the program writes it.
pub(super) fn store_statement(table: &str) -> String {
    let statement = Statement {
        actions: vec!["dynamodb:GetItem".to_owned()],
        resources: vec![table.to_owned()],
        keys: Some(LeadingKeys {
            keys: vec!["monotable#store".to_owned()],
            comparison: Comparison::Equals,
        }),
    };
    statement.render()
}

/// A statement that allows the item actions on the declared partitions only.
fn statement(model: &Model, isolation: &Isolation, scope: PolicyScope<'_>) -> String {
    let partitions = isolation.partitions.iter();
    let keys = partitions.map(|template| leading_key(template, isolation));
    let wild = isolation.partitions.iter().any(has_wildcard);
    let statement = Statement {
        actions: ACTIONS
            .iter()
            .map(|action| format!("dynamodb:{action}"))
            .collect(),
        resources: resources(model, scope),
        keys: Some(LeadingKeys {
            keys: keys.collect(),
            comparison: if wild {
                Comparison::Like
            } else {
                Comparison::Equals
            },
        }),
    };
    statement.render()
}

/// The tables of a model and all their indexes.
fn resources(model: &Model, scope: PolicyScope<'_>) -> Vec<String> {
    let mut resources = Vec::new();
    for table in &model.tables {
        let arn = scope.table(&table.physical);
        let indexes = (!table.indexes.is_empty()).then(|| format!("{arn}/index/*"));
        resources.push(arn);
        resources.extend(indexes);
    }
    resources
}

fn has_wildcard(template: &Template) -> bool {
    template.open_end
        || template
            .fields()
            .any(|field| variable(field, None).is_none())
}

/// A partition as IAM compares it.
fn leading_key(template: &Template, isolation: &Isolation) -> String {
    let mut key: String = template
        .parts
        .iter()
        .map(|part| match part {
            Part::Literal(text) => escape(&text.value),
            Part::Field(field) => {
                variable(field, isolation.iam.as_deref()).unwrap_or_else(|| "*".to_owned())
            }
        })
        .collect();
    if template.open_end {
        key.push('*');
    }
    key
}

/// In a policy `*`, `?` and `$` are not themselves.
fn escape(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '*' | '?' | '$' => format!("${{{c}}}"),
            c => c.to_string(),
        })
        .collect()
}

/// The policy variable of a field; None for a value that a policy cannot know.
fn variable(field: &Field, iam: Option<&str>) -> Option<String> {
    let Some(Source::Path {
        root: Some(root),
        names,
        ..
    }) = field.sources.first()
    else {
        return None;
    };
    let name = names.last().map_or("", |name| name.value.as_str());
    match root {
        Root::Principal => Some(iam.map_or_else(|| tag(name), str::to_owned)),
        Root::Tenant => Some(tag(name)),
        Root::Setting => Some(format!("{{setting.{name}}}")),
        Root::Row | Root::Old | Root::Request | Root::Archive | Root::Now => None,
    }
}

/// Without a variable in the model, a tag of the principal is the usual place.
fn tag(name: &str) -> String {
    format!("${{aws:PrincipalTag/{name}}}")
}
