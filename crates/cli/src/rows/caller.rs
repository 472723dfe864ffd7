//! Who asks, and in which deployment.

use super::problems::Problems;
use super::vocabulary::Vocabulary;
use super::words;
use crate::exit::Failure;
use clap::Args;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Attribute, Model};
use monotable_store::Store;

/// The deployment as the command line describes it.
#[derive(Args, Clone, Debug, Default)]
struct DeploymentArguments {
    /// The tenant whose rows are meant
    #[arg(help_heading = "Caller and tenant", long, value_name = "ID")]
    tenant: Option<String>,

    /// A setting of the model that is not its default; may be given several times
    #[arg(
        help_heading = "Caller and tenant",
        long = "setting",
        value_name = "NAME=VALUE"
    )]
    settings: Vec<String>,
}

/// The caller as the command line describes it.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct CallerArguments {
    /// Act as this caller: an attribute of the model's principal; may be given several times
    ///
    /// Without it no rights are checked.
    #[arg(
        help_heading = "Caller and tenant",
        long = "as",
        value_name = "NAME=VALUE"
    )]
    principal: Vec<String>,

    #[command(flatten)]
    deployment: DeploymentArguments,
}

/// The program that writes what it finds missing, as the command line describes it.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct WriterArguments {
    /// Who writes what is missing: an attribute of the model's principal; may be given several times
    ///
    /// Rows that say who made them need it. No rights are checked.
    #[arg(
        help_heading = "Caller and tenant",
        long = "by",
        value_name = "NAME=VALUE"
    )]
    program: Vec<String>,

    #[command(flatten)]
    deployment: DeploymentArguments,
}

impl WriterArguments {
    /// The store as this program writes it.
    pub(crate) fn applied(&self, store: Store) -> Result<Store, Failure> {
        let store = self.deployment.applied(store)?;
        let attributes = &store.model().principal;
        let program = known(&self.program, attributes, "--by", "principal")?;
        Ok(store.as_program(program))
    }
}

impl DeploymentArguments {
    /// The store in this deployment.
    fn applied(&self, store: Store) -> Result<Store, Failure> {
        let model = store.model();
        self.check_tenant(model)?;
        let settings = known(&self.settings, &model.settings, "--setting", "settings")?;
        let store = store.with_settings(settings);
        Ok(match &self.tenant {
            Some(tenant) => store.tenant(tenant.clone()),
            None => store,
        })
    }

    /// A tenant that is forgotten, or no id of one, must not become the rows of another.
    fn check_tenant(&self, model: &Model) -> Result<(), Failure> {
        match (&self.tenant, &model.tenant) {
            (None, None) => Ok(()),
            (Some(_), None) => Err(Failure::usage("--tenant: the model has no tenants")),
            (None, Some(tenant)) if tenant.bare.is_some() => Ok(()),
            (None, Some(_)) => {
                Err(Failure::usage("the model keeps tenants apart").help("add --tenant ID"))
            }
            (Some(id), Some(tenant)) => {
                let value = AttributeValue::S(id.clone());
                fits("--tenant", &tenant.attribute, &value)
            }
        }
    }
}

impl CallerArguments {
    /// The store as this caller sees it.
    pub(crate) fn applied(&self, store: Store) -> Result<Store, Failure> {
        let store = self.deployment.applied(store)?;
        if self.principal.is_empty() {
            return Ok(store);
        }
        let principal = known(
            &self.principal,
            &store.model().principal,
            "--as",
            "principal",
        )?;
        Ok(store.as_principal(principal))
    }
}

/// Attributes of the principal of a model.
pub(crate) fn principal(given: &[String], model: &Model) -> Result<Item, Failure> {
    known(given, &model.principal, "owner", "principal")
}

/// The values of words that name some of these attributes.
fn known(
    given: &[String],
    attributes: &[Attribute],
    option: &str,
    section: &str,
) -> Result<Item, Failure> {
    let mut problems = Problems::default();
    let vocabulary = Vocabulary::of_attributes(attributes);
    let item = words::read_item(given, &vocabulary, &mut problems);
    problems.refuse(option, None)?;
    for (name, value) in item.iter() {
        let declared = attributes.iter().find(|known| known.name.value == *name);
        match declared {
            Some(attribute) => fits(&format!("{option}: {name}"), attribute, value)?,
            None => return Err(unknown(name, attributes, option, section)),
        }
    }
    Ok(item)
}

fn unknown(name: &str, attributes: &[Attribute], option: &str, section: &str) -> Failure {
    let what = format!("{option}: `{name}` is not in the {section} of the model");
    let failure = Failure::usage(what);
    let known = attributes.iter().map(|known| known.name.value.as_str());
    let known: Vec<&str> = known.collect();
    if known.is_empty() {
        failure.help("the model has none")
    } else {
        failure.help(format_args!("there is {}", known.join(", ")))
    }
}

/// The store takes these as they are: a text that the model does not know is refused here.
fn fits(what: &str, attribute: &Attribute, value: &AttributeValue) -> Result<(), Failure> {
    let AttributeValue::S(text) = value else {
        return Ok(());
    };
    let kind = &attribute.kind;
    match kind.language() {
        Some(language) if !language.accepts(text) => {
            Err(Failure::usage(format_args!("{what} must be {kind}")))
        }
        _ => Ok(()),
    }
}
