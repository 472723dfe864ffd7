//! A policy as a document.

use crate::error::PolicyError;
use crate::json::{self, Json, Place};
use crate::scope::Scope;
use crate::statement::Statement;
use crate::warning::{self, Warning};
use crate::wording;

/// The one version of IAM's language that has variables.
const VERSION: &str = "2012-10-17";

/// A policy: statements, and a name for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    name: String,
    pub(crate) statements: Vec<Statement>,
}

impl Policy {
    /// Reads a policy. Whatever is not understood is refused.
    pub fn parse(name: &str, text: &str) -> Result<Self, PolicyError> {
        let read = |text| parse_document(&json::parse(text)?);
        let statements = read(text).map_err(|error| error.of(name))?;
        let name = name.to_owned();
        Ok(Self { name, statements })
    }

    /// The name that it was given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What is probably not meant, on a server with these resources.
    pub fn warnings(&self, scope: &Scope) -> Vec<Warning> {
        let statements = self.statements.iter().enumerate();
        statements
            .flat_map(|(index, statement)| warning::find(&self.name, index, statement, scope))
            .collect()
    }

    /// The first variable without a value for it, with the index of its statement.
    pub(crate) fn find_variable(
        &self,
        lacks_value: impl Fn(&crate::key::ConditionKey) -> bool,
    ) -> Option<(usize, String)> {
        let statements = self.statements.iter().enumerate();
        statements
            .flat_map(|(index, statement)| statement.variables().map(move |key| (index, key)))
            .find(|(_, key)| lacks_value(key))
            .map(|(index, key)| (index, key.to_string()))
    }
}

fn parse_document(json: &Json) -> Result<Vec<Statement>, PolicyError> {
    let root = Place::root(json);
    let (mut has_version, mut statements) = (false, None);
    for (name, member) in root.members()? {
        match name {
            "Version" if member.text()? == VERSION => has_version = true,
            "Version" => return Err(member.refuse(wording::VERSION)),
            "Id" => drop(member.text()?),
            "Statement" => {
                let places = member.one_or_more()?;
                let parsed = places.iter().map(Statement::parse);
                statements = Some(parsed.collect::<Result<Vec<_>, _>>()?);
            }
            _ => {
                return Err(member.refuse(format!(
                    "unknown element {name}: a policy has Version, Id and Statement"
                )));
            }
        }
    }
    if !has_version {
        return Err(root.refuse(wording::VERSION));
    }
    let statements = statements.ok_or_else(|| root.refuse("a policy needs Statement"))?;
    check_sids(&root, &statements)?;
    Ok(statements)
}

fn check_sids(root: &Place<'_>, statements: &[Statement]) -> Result<(), PolicyError> {
    for (index, statement) in statements.iter().enumerate() {
        let mut before = statements.iter().take(index);
        if statement.sid.is_some() && before.any(|other| other.sid == statement.sid) {
            let sid = statement.sid.as_deref().unwrap_or_default();
            return Err(root.refuse(format!("two statements have the Sid {sid:?}")));
        }
    }
    Ok(())
}
