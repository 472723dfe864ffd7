//! The headers in which a program names the principal and the tenant that it calls for.

use crate::caller::{Caller, Forwarding, Role};
use crate::problem::Problem;
use crate::request::Request;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::Model;
use monotable_store::wire;

/// The header in which a program says for whom it calls: attributes of the model's principal, as JSON.
const PRINCIPAL: &str = "monotable-principal";
/// The header in which a program says for which tenant it calls.
const TENANT: &str = "monotable-tenant";

/// A program of this machine, where nobody else is served.
pub(super) fn identify_neighbour(
    model: &Model,
    request: &Request,
    account: String,
) -> Result<Caller, Problem> {
    demand_neighbour(request)?;
    identify_program(model, request, account, None)
}

/// Refuses requests of other machines.
pub(super) fn demand_neighbour(request: &Request) -> Result<(), Problem> {
    if request.client.to_canonical().is_loopback() {
        return Ok(());
    }
    Err(Problem::forbidden(
        "without tokens and keys only this machine is served; start the server with --auth FILE",
    ))
}

/// A program, or whoever it calls for. A program that belongs to a tenant calls for no other.
pub(super) fn identify_program(
    model: &Model,
    request: &Request,
    account: String,
    fixed_tenant: Option<&str>,
) -> Result<Caller, Problem> {
    let role = match request.header(PRINCIPAL)? {
        None => Role::Program,
        Some(text) => Role::Principal(read_principal(text)?),
    };
    let said = request.header(TENANT)?;
    if said.is_some() && model.tenant.is_none() {
        return Err(Problem::bad_request(format!(
            "the header `{TENANT}` names a tenant, and the model `{}` has none",
            model.name
        )));
    }
    if let (Some(said), Some(fixed)) = (said, fixed_tenant)
        && said != fixed
    {
        return Err(Problem::forbidden(format!(
            "the key belongs to the tenant `{fixed}` and speaks for no other"
        )));
    }
    Ok(Caller {
        account,
        role,
        tenant: said.or(fixed_tenant).map(str::to_owned),
        forwarding: Forwarding::Believed,
    })
}

/// Refuses these headers from a caller that may call only for itself.
pub(super) fn refuse_words(request: &Request, caller: &Caller) -> Result<(), Problem> {
    if caller.forwarding == Forwarding::Believed {
        return Ok(());
    }
    for name in [PRINCIPAL, TENANT] {
        if request.header(name)?.is_some() {
            return Err(Problem::forbidden(format!(
                "the header `{name}` speaks for somebody else, which only the key of a program may"
            )));
        }
    }
    Ok(())
}

fn read_principal(text: &str) -> Result<Item, Problem> {
    let principal = wire::read_item(text).map_err(|error| {
        Problem::bad_request(format!(
            "the header `{PRINCIPAL}` is a JSON object with attributes of the principal: {error}"
        ))
    })?;
    let present = principal
        .iter()
        .filter(|(_, value)| **value != AttributeValue::Null);
    Ok(present
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect())
}
