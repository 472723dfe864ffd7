//! The client.

use super::comment::write_comment;
use super::fields::{ItemField, write_item_struct};
use super::value::Place;
use super::{Generator, field_name, method_name, module_name, type_name};
use crate::surface::{GivenAttribute, KeyAttribute};
use monotable_model::model::{Attribute, Kind};

impl Generator<'_> {
    pub(super) fn write_client(&self) -> String {
        let model = self.surface.model;
        let client = &self.client;
        let mut text = String::new();
        for entity in &self.surface.entities {
            let (module, row) = (module_name(entity.name()), type_name(entity.name()));
            text.push_str(&format!("pub use {module}::{row};\n"));
        }
        text.push_str(&self.write_opening());
        let about = model.about.iter();
        let about = about.map(|about| format!("{}.", about.trim_end_matches('.')));
        let mut sentences: Vec<_> = about.collect();
        sentences.push("A cheap handle: clones share everything.".to_owned());
        text.push('\n');
        text.push_str(&write_comment("", "///", &sentences));
        text.push_str(&format!(
            "#[derive(Clone, Debug)]\npub struct {client} {{\n    store: mt::Store,\n}}\n\nimpl {client} {{\n"
        ));
        if model.tenant.is_none() {
            text.push_str(&write_open());
        }
        for entity in &self.surface.entities {
            let (method, module) = (method_name(entity.name()), module_name(entity.name()));
            let about = format!("Rows of `{}`.", entity.name());
            text.push_str(&write_method(
                &about,
                &format!("{method}(&self)"),
                &format!("{module}::Calls<'_>"),
                &format!("{module}::Calls {{ store: &self.store }}"),
            ));
        }
        text.push_str(&write_method(
            "The access patterns.",
            "query(&self)",
            "patterns::Patterns<'_>",
            "patterns::Patterns { store: &self.store }",
        ));
        text.push_str(&self.write_mechanisms());
        text.push_str(&write_method(
            "Several writes, all or none: a tuple of calls, or a vector. Later ones see earlier ones.",
            "transact<W: mt::TypedWrites>(&self, writes: W)",
            "mt::TypedCall<'_, mt::Transact, W::Output>",
            "mt::TypedCall::transact(&self.store, writes)",
        ));
        text.push_str(&self.write_contexts());
        text.push_str(&write_method(
            "The store below, for operations as data and for whole tables.",
            "store(&self)",
            "&mt::Store",
            "&self.store",
        ));
        text.pop();
        text.push_str("}\n");
        text.push_str(&self.write_environment());
        text
    }

    /// Methods for moves, repositories and carries, where the model has them.
    fn write_mechanisms(&self) -> String {
        let mut text = String::new();
        if !self.surface.moves.is_empty() {
            text.push_str(&write_method(
                "The moves.",
                "moves(&self)",
                "moves::Moves<'_>",
                "moves::Moves { store: &self.store }",
            ));
        }
        if !self.surface.repositories.is_empty() {
            text.push_str(&write_method(
                "Versioned data.",
                "repository(&self)",
                "repositories::Repositories<'_>",
                "repositories::Repositories { store: &self.store }",
            ));
        }
        if !self.surface.carries.is_empty() {
            text.push_str(&write_method(
                "The carries.",
                "carry(&self)",
                "carries::Carries<'_>",
                "carries::Carries { store: &self.store }",
            ));
        }
        if self.surface.model.isolation.is_some() {
            text.push_str(&write_method(
                "Deletes everything of an owner for good. Callers may not; a dry run lists what would go.",
                "purge(&self, owner: Principal)",
                "mt::TypedCall<'_, mt::Purge, mt::PurgeReport>",
                "mt::TypedCall::new(self.store.purge(owner.into()), |report| report)",
            ));
        }
        text
    }

    fn write_contexts(&self) -> String {
        let model = self.surface.model;
        let mut text = String::new();
        if !model.principal.is_empty() {
            text.push_str(&write_method(
                "This client for a caller, whose rights are asked for everything.",
                "as_principal(&self, principal: Principal)",
                "Self",
                "Self { store: self.store.as_principal(principal.into()) }",
            ));
            text.push_str(&write_method(
                "This client for a program that says who it is: no right is asked.",
                "as_program(&self, program: Principal)",
                "Self",
                "Self { store: self.store.as_program(program.into()) }",
            ));
        }
        text.push_str(&write_method(
            "This client for calls that come from somewhere: audits note it.",
            "with_request(&self, request: mt::RequestFacts)",
            "Self",
            "Self { store: self.store.clone().with_request(request) }",
        ));
        text
    }

    /// The type that is there before a tenant is named.
    fn write_opening(&self) -> String {
        let Some(tenant) = &self.surface.model.tenant else {
            return String::new();
        };
        let client = &self.client;
        let name = field_name(&tenant.attribute.name.value);
        let mut text = String::from(
            "\n/// The client before a tenant is named: it reads what belongs to no tenant.\n\
             #[derive(Clone, Debug)]\npub struct Global {\n    store: mt::Store,\n}\n\nimpl Global {\n",
        );
        text.push_str(&write_open());
        text.push_str(&write_method(
            "The client of one tenant.",
            &format!("tenant(&self, {name}: impl Into<String>)"),
            client,
            &format!("{client} {{ store: self.store.tenant({name}) }}"),
        ));
        if self.surface.patterns.iter().any(|known| known.is_global) {
            text.push_str(&write_method(
                "The access patterns whose keys belong to no tenant.",
                "query(&self)",
                "patterns::GlobalPatterns<'_>",
                "patterns::GlobalPatterns { store: &self.store }",
            ));
        }
        text.pop();
        text.push_str("}\n");
        text
    }

    /// What is known of callers, and the choices of a deployment.
    fn write_environment(&self) -> String {
        let model = self.surface.model;
        let mut text = String::new();
        let mut add = |name: &str, about: &str, attributes: &[Attribute]| {
            let fields: Vec<_> = attributes.iter().map(write_plain_field).collect();
            let written = write_item_struct("", name, about, &fields, None);
            text.push_str(&written.unwrap_or_default());
        };
        if !model.principal.is_empty() {
            add("Principal", "What is known of a caller.", &model.principal);
        }
        if !model.settings.is_empty() {
            add("Settings", "The choices of a deployment.", &model.settings);
            let opened = if model.tenant.is_some() {
                "Global"
            } else {
                &self.client
            };
            text.push_str(&format!(
                "\nimpl {opened} {{\n\
                 \x20   /// This client with choices of a deployment; others are the model's defaults.\n\
                 \x20   pub fn with_settings(&self, settings: Settings) -> Self {{\n\
                 \x20       Self {{ store: self.store.clone().with_settings(settings.into()) }}\n    }}\n}}\n"
            ));
        }
        text
    }
}

/// A field whose words are texts: no entity has them.
fn write_plain_field(attribute: &Attribute) -> ItemField {
    let given = GivenAttribute {
        attribute,
        is_required: attribute.is_always_present() && attribute.default.is_none(),
        may_be_absent: !attribute.is_always_present(),
    };
    let key = KeyAttribute {
        name: &attribute.name.value,
        kind: Some(&attribute.kind).filter(|kind| !matches!(kind, Kind::Enum(_))),
        may_be_absent: !given.is_required,
    };
    ItemField::of_key(&key, Place::Inside)
}

fn write_open() -> String {
    write_method(
        "A client on a DynamoDB: the embedded engine, or Amazon's.",
        "open(dynamo: impl mt::Dynamo + 'static)",
        "Result<Self, mt::Error>",
        "Ok(Self::new(mt::open(MODEL, dynamo)?))",
    ) + &write_method(
        "A client on a store of this model.",
        "new(store: mt::Store)",
        "Self",
        "Self { store }",
    )
}

fn write_method(about: &str, head: &str, answer: &str, body: &str) -> String {
    format!("    /// {about}\n    pub fn {head} -> {answer} {{\n        {body}\n    }}\n\n")
}
