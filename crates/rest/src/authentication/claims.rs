//! What claims of a token say of a caller.

use super::issuer::Verified;
use crate::caller::{Caller, Forwarding, Role};
use crate::problem::Problem;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Attribute, Kind, Model};
use monotable_store::wire;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// Which claims tell who calls a model.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModelClaims {
    /// The claim for each attribute of the model's principal.
    #[serde(default)]
    principal: BTreeMap<String, String>,
    /// The claim with the tenant.
    tenant: Option<String>,
}

impl ModelClaims {
    /// Whether the claims tell everything that the model wants to know, and nothing that it does not.
    pub(super) fn check(&self, model: &Model) -> Result<(), String> {
        for name in self.principal.keys() {
            let mut declared = model.principal.iter();
            if !declared.any(|attribute| attribute.name.value == *name) {
                return Err(format!(
                    "[model.{}] names the principal's attribute `{name}`, which the model does not declare",
                    model.name
                ));
            }
        }
        for attribute in model.principal.iter().filter(|known| is_needed(known)) {
            let name = &attribute.name.value;
            if !self.principal.contains_key(name) {
                return Err(format!(
                    "[model.{}] does not say which claim is the principal's `{name}`",
                    model.name
                ));
            }
        }
        match (&model.tenant, &self.tenant) {
            (Some(_), None) => Err(format!(
                "[model.{}] does not say which claim is the tenant",
                model.name
            )),
            (None, Some(_)) => Err(format!(
                "[model.{}] names a claim for the tenant, and the model has no tenants",
                model.name
            )),
            _ => Ok(()),
        }
    }

    /// Who calls with a token.
    pub(super) fn identify(&self, model: &Model, token: &Verified) -> Result<Caller, Problem> {
        let mut principal = Item::new();
        for attribute in &model.principal {
            let name = &attribute.name.value;
            let claim = self.principal.get(name);
            let given = claim.and_then(|claim| Some((claim, token.claims.get(claim)?)));
            // A claim that is null says no more than one that is absent.
            let value = match given {
                Some((claim, raw)) => read_claim(attribute, claim, raw)?,
                None => None,
            };
            match value {
                Some(value) => {
                    principal.insert(name.clone(), value);
                }
                None if is_needed(attribute) => {
                    let claim = claim.map_or("that says it", String::as_str);
                    return Err(Problem::forbidden(format!(
                        "the token has no claim `{claim}`, which is the principal's `{name}`"
                    )));
                }
                None => {}
            }
        }
        Ok(Caller {
            account: token.account.clone(),
            role: Role::Principal(principal),
            tenant: self.find_tenant(model, token)?,
            forwarding: Forwarding::Ignored,
        })
    }

    /// The tenant. Where there are tenants, a token without one is refused, even if the model says what a call without a
    /// tenant means (`bare`): a claim that was forgotten must not open that.
    fn find_tenant(&self, model: &Model, token: &Verified) -> Result<Option<String>, Problem> {
        if model.tenant.is_none() {
            return Ok(None);
        }
        let claim = self.tenant.as_deref().unwrap_or("tenant");
        let raw = token.claims.get(claim).map(|raw| raw.get());
        match raw.map(serde_json::from_str::<String>) {
            Some(Ok(tenant)) if !tenant.is_empty() => Ok(Some(tenant)),
            _ => Err(Problem::forbidden(format!(
                "the model `{}` keeps tenants apart, and the token has no claim `{claim}` with a tenant",
                model.name
            ))),
        }
    }
}

/// Whether a principal of the model always says it.
pub(super) const fn is_needed(attribute: &Attribute) -> bool {
    !attribute.presence.optional
}

/// The value of a claim. A list may be one text with spaces, as scopes are written.
fn read_claim(
    attribute: &Attribute,
    claim: &str,
    raw: &RawValue,
) -> Result<Option<AttributeValue>, Problem> {
    let value = wire::read_value(claim, raw.get())
        .map_err(|error| Problem::forbidden(format!("a claim of the token: {error}")))?;
    Ok(match (&attribute.kind, value) {
        (_, AttributeValue::Null) => None,
        (Kind::List { .. }, AttributeValue::S(text)) => {
            let words = text.split_ascii_whitespace().map(AttributeValue::from);
            Some(AttributeValue::L(words.collect()))
        }
        (_, value) => Some(value),
    })
}
