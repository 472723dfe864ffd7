//! Who calls, and how that is known.

use crate::caller::{Caller, Role};
use crate::problem::Problem;
use crate::request::Request;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::Model;
use monotable_store::wire;

/// The header in which a program says for whom it calls: attributes of the model's principal, as JSON.
const PRINCIPAL: &str = "monotable-principal";
/// The header in which a program says for which tenant it calls.
const TENANT: &str = "monotable-tenant";

/// How callers are known.
#[derive(Debug, Default)]
pub struct Authentication {}

impl Authentication {
    /// Who sends a request for a model.
    pub(crate) fn identify(&self, model: &Model, request: &Request) -> Result<Caller, Problem> {
        let client = request.client.to_canonical();
        if !client.is_loopback() {
            return Err(Problem::forbidden(
                "without tokens and keys only this machine is served; start the server with --auth FILE",
            ));
        }
        identify_program(model, request, format!("address {client}"))
    }
}

/// A program of this machine, or one that it calls for.
fn identify_program(
    model: &Model,
    request: &Request,
    account: String,
) -> Result<Caller, Problem> {
    let role = match request.header(PRINCIPAL)? {
        None => Role::Program,
        Some(text) => Role::Principal(read_principal(text)?),
    };
    let tenant = request.header(TENANT)?.map(str::to_owned);
    if tenant.is_some() && model.tenant.is_none() {
        return Err(Problem::bad_request(format!(
            "the header `{TENANT}` names a tenant, and the model `{}` has none",
            model.name
        )));
    }
    Ok(Caller {
        account,
        role,
        tenant,
    })
}

fn read_principal(text: &str) -> Result<Item, Problem> {
    let principal = wire::read_item(text).map_err(|error| {
        Problem::bad_request(format!(
            "the header `{PRINCIPAL}` is a JSON object with attributes of the principal: {error}"
        ))
    })?;
    let absent = principal
        .iter()
        .filter(|(_, value)| **value != AttributeValue::Null);
    Ok(absent
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect())
}
