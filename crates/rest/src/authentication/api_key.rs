//! Keys of programs and people. The file has the SHA-256 of each, not the key.

use super::claims::is_needed;
use super::spoken;
use crate::caller::{Caller, Forwarding, Role};
use crate::problem::Problem;
use crate::request::Request;
use monotable_item::Item;
use monotable_model::model::Model;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// A key that the server knows.
#[derive(Clone)]
pub(crate) struct ApiKey {
    pub(crate) name: String,
    pub(crate) sha256: [u8; 32],
    /// The models that it is for; every one if none is said.
    pub(crate) models: Vec<String>,
    pub(crate) holder: KeyHolder,
    pub(crate) tenant: Option<String>,
}

/// Who holds a key.
#[derive(Clone, Debug)]
pub(crate) enum KeyHolder {
    /// A program, whose own rights nobody asks, and which may speak for others.
    Program,
    /// A principal of the model.
    Principal(Item),
}

impl std::fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ApiKey")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl ApiKey {
    /// The key of this text. All keys are compared, so that the time tells nothing.
    pub(super) fn find<'k>(keys: &'k [Self], text: &str) -> Option<&'k Self> {
        let given = Sha256::digest(text.as_bytes());
        let mut found = None;
        for key in keys {
            if bool::from(key.sha256.ct_eq(given.as_slice())) {
                found = Some(key);
            }
        }
        found
    }

    /// Whether it can be used with the models that are served: with each that it names, or, if it names none, with one at least.
    pub(super) fn check(&self, models: &[Model]) -> Result<(), String> {
        if self.models.is_empty() {
            let mut refusals = models.iter().map(|model| self.check_model(model));
            let first = refusals.next().unwrap_or(Ok(()));
            return if refusals.any(|refusal| refusal.is_ok()) {
                Ok(())
            } else {
                first
            };
        }
        let mut named = models
            .iter()
            .filter(|model| self.models.contains(&model.name));
        named.try_for_each(|model| self.check_model(model))
    }

    /// Whether its holder is a principal of the model: one who says all that the model wants to know, and nothing else.
    fn check_model(&self, model: &Model) -> Result<(), String> {
        let KeyHolder::Principal(principal) = &self.holder else {
            return Ok(());
        };
        let refuse = |what: String| {
            let known = model.principal.iter();
            let known: Vec<_> = known
                .map(|attribute| attribute.name.value.as_str())
                .collect();
            Err(format!(
                "the key {}: {what}; a principal of the model `{}` has {}",
                self.name,
                model.name,
                if known.is_empty() {
                    "no attributes".to_owned()
                } else {
                    known.join(", ")
                }
            ))
        };
        for (name, _) in principal.iter() {
            let mut declared = model.principal.iter();
            if !declared.any(|attribute| attribute.name.value == *name) {
                return refuse(format!("its `principal` says `{name}`"));
            }
        }
        let mut needed = model.principal.iter().filter(|known| is_needed(known));
        if let Some(missing) = needed.find(|known| principal.get(&known.name.value).is_none()) {
            return refuse(format!(
                "its `principal` does not say `{}`",
                missing.name.value
            ));
        }
        if model.tenant.is_some() && self.tenant.is_none() {
            return refuse("it has no `tenant`, and the model keeps tenants apart".to_owned());
        }
        Ok(())
    }

    /// Who is counted for its requests.
    pub(super) fn name_account(&self) -> String {
        format!("key {}", self.name)
    }

    /// Who calls with this key.
    pub(super) fn identify(&self, model: &Model, request: &Request) -> Result<Caller, Problem> {
        if !self.models.is_empty() && !self.models.contains(&model.name) {
            return Err(Problem::forbidden(format!(
                "the key is not for the model `{}`",
                model.name
            )));
        }
        let account = self.name_account();
        match &self.holder {
            KeyHolder::Program => {
                spoken::identify_program(model, request, account, self.tenant.as_deref())
            }
            KeyHolder::Principal(_) if model.tenant.is_some() && self.tenant.is_none() => {
                Err(Problem::forbidden(format!(
                    "the model `{}` keeps tenants apart, and the key has no tenant",
                    model.name
                )))
            }
            KeyHolder::Principal(principal) => Ok(Caller {
                account,
                role: Role::Principal(principal.clone()),
                tenant: self.tenant.clone().filter(|_| model.tenant.is_some()),
                forwarding: Forwarding::Ignored,
            }),
        }
    }
}
