//! Whether what is said of the caller, the tenant and the deployment is what the model knows.

use crate::declaration::Declaration;
use crate::error::Error;
use crate::scope::Scope;
use crate::value;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Attribute, Default, Entity, EntityId, Part, Root, Source};

/// Refuses settings, principals and tenants that the model does not know: they decide who sees what.
pub(crate) fn check(scope: &Scope) -> Result<(), Error> {
    let model = scope.model();
    check_known("setting", &model.settings, &scope.circumstances.settings)?;
    check_known(
        "principal",
        &model.principal,
        &scope.circumstances.principal,
    )?;
    match (&model.tenant, &scope.circumstances.tenant) {
        (Some(declared), Some(id)) => {
            let value = AttributeValue::S(id.clone());
            match value::accept(&declared.attribute.kind, value) {
                Ok(_) => Ok(()),
                Err(_) => {
                    let wanted = &declared.attribute.kind;
                    let refused = Error::usage(format!("the tenant `{id}` is not {wanted}"));
                    Err(refused.by(Declaration::of_tenant(&declared.attribute)))
                }
            }
        }
        (Some(declared), None) if declared.bare.is_none() => {
            Err(Error::usage("the model keeps tenants apart: say which one"))
        }
        (None, Some(_)) => Err(Error::usage("the model has no tenants")),
        (Some(_) | None, None) => Ok(()),
    }
}

/// Whether what a row says of its tenant is the caller's. Rows that are stored for all tenants together say whose they are;
/// only their own tenant writes them.
pub(crate) fn is_of_tenant(scope: &Scope, entity: EntityId, values: &Item) -> bool {
    let Some(own) = scope.circumstances.tenant.as_ref() else {
        return true;
    };
    let declared = scope.entity(entity);
    tenant_names(declared).all(|name| match values.get(name) {
        Some(AttributeValue::S(said)) => said == own,
        _ => true,
    })
}

/// The attributes that are the tenant's id unless another is given.
pub(crate) fn tenant_names(entity: &Entity) -> impl Iterator<Item = &str> {
    let attributes = entity.attributes.iter().filter(|attribute| {
        let Some(Default::Template(template)) = &attribute.default else {
            return false;
        };
        let [Part::Field(field)] = template.parts.as_slice() else {
            return false;
        };
        let of_tenant = |source: &Source| {
            matches!(
                source,
                Source::Path {
                    root: Some(Root::Tenant),
                    ..
                }
            )
        };
        field.formats.is_empty() && field.sources.iter().all(of_tenant)
    });
    attributes.map(|attribute| attribute.name.value.as_str())
}

fn check_known(what: &str, declared: &[Attribute], given: &Item) -> Result<(), Error> {
    for (name, value) in given.iter() {
        let attribute = declared
            .iter()
            .find(|attribute| attribute.name.value == *name);
        let Some(attribute) = attribute else {
            let names: Vec<_> = declared
                .iter()
                .map(|known| known.name.value.as_str())
                .collect();
            return Err(Error::usage(format!(
                "the model has no {what} `{name}`; it has {}",
                names.join(", ")
            )));
        };
        if value::accept(&attribute.kind, value.clone()).is_err() {
            let wanted = &attribute.kind;
            let refused = Error::usage(format!("the {what} `{name}` must be {wanted}"));
            return Err(refused.by(Declaration::of_circumstance(what, attribute)));
        }
    }
    Ok(())
}
