//! The client: its interface, its namespace, and the function that opens it.

use super::comment::write_comment;
use super::type_names::{write_parameter, write_property, write_text};
use super::value::{Integers, given_type};
use super::{Generator, write_signature};
use monotable_model::model::Attribute;

const QUERY: &str = "  /** The access patterns. */\n";

impl Generator<'_> {
    /// The interface of the client, and its namespace.
    pub(super) fn write_client(&self) -> String {
        let name = &self.types.client;
        let model = self.surface.model;
        let about = model.about.iter().cloned().collect::<Vec<_>>();
        let about = about
            .iter()
            .map(|about| format!("{}.", about.trim_end_matches('.')));
        let mut text = write_comment("", &about.collect::<Vec<_>>());
        text.push_str(&format!(
            "export interface {name} extends mt.Client<{name}, {name}.Row, {name}.Table> {{\n"
        ));
        for entity in &self.surface.entities {
            let of = self.types.entity(entity.id);
            let member = write_property(entity.name());
            text.push_str(&format!("  readonly {member}: {of}.Calls;\n"));
        }
        text.push_str(QUERY);
        text.push_str(&format!("  readonly query: {name}.Queries;\n"));
        if !self.surface.moves.is_empty() {
            text.push_str(&format!("  readonly move: {name}.Moves;\n"));
        }
        text.push_str(&self.write_versions());
        text.push_str(&self.write_purge());
        text.push_str(&self.write_contexts(name));
        text.push_str(&format!("}}\nexport declare namespace {name} {{\n"));
        text.push_str(&self.write_namespace());
        text.push_str("}\n");
        text
    }

    /// Members of the client for versioned data.
    fn write_versions(&self) -> String {
        let name = &self.types.client;
        let mut text = String::new();
        if self.surface.repositories.is_empty() {
            return text;
        }
        text.push_str("  /** Versioned data: a handle for one head. */\n");
        text.push_str(&format!("  readonly repository: {name}.Repositories;\n"));
        if !self.surface.carries.is_empty() {
            text.push_str(&format!("  readonly carry: {name}.Carries;\n"));
        }
        let logs = self.surface.repositories.iter();
        let mut logs: Vec<_> = logs
            .map(|known| self.types.entity(known.repository.log))
            .collect();
        logs.dedup();
        text.push_str("  /** Commits to several repositories, all or none. */\n");
        text.push_str(&write_signature(
            "  ",
            "commitAll(commits: readonly mt.Commit<unknown>[], options?: mt.WriteOptions)",
            &format!("mt.Call<mt.Committed<{}>>", logs.join(" | ")),
        ));
        text
    }

    /// The end of everything that an owner has, where the model says what that is.
    fn write_purge(&self) -> String {
        if self.surface.model.isolation.is_none() {
            return String::new();
        }
        let name = &self.types.client;
        format!(
            "  /** Deletes everything of an owner for good. Callers may not; `dryRun()` lists what would go. */\n\
             \x20 purge(owner: {name}.Principal, options?: mt.CallOptions): mt.Call<mt.Purged>;\n"
        )
    }

    /// Who asks.
    fn write_contexts(&self, client: &str) -> String {
        if self.surface.model.principal.is_empty() {
            return String::new();
        }
        let name = &self.types.client;
        format!(
            "  /** This client for a caller, whose rights are asked for everything. */\n\
             \x20 as(principal: {name}.Principal): {client};\n\
             \x20 /** This client for a program that says who it is: no right is asked. */\n\
             \x20 asProgram(program: mt.Some<{name}.Principal>): {client};\n"
        )
    }

    fn write_namespace(&self) -> String {
        let model = self.surface.model;
        let ids: Vec<_> = self
            .surface
            .entities
            .iter()
            .map(|entity| entity.id)
            .collect();
        let mut text = String::from("  /** Any row: `$entity` says which. */\n");
        text.push_str(&write_alternatives("Row", &self.write_entities(&ids)));
        text.push_str("  /** What `clash.claim` of a ConflictError can be. */\n");
        let claims = self.surface.list_claims();
        let claims: Vec<_> = claims.iter().map(|claim| write_text(claim)).collect();
        let claims = if claims.is_empty() {
            "never".to_owned()
        } else {
            claims.join(" | ")
        };
        text.push_str(&write_alternatives("Claim", &claims));
        if !model.principal.is_empty() {
            text.push_str(&write_attributes("Principal", &model.principal));
        }
        if model.settings.is_empty() {
            text.push_str("  type Settings = mt.None;\n");
        } else {
            text.push_str(&write_attributes("Settings", &model.settings));
        }
        let tables: Vec<_> = model
            .tables
            .iter()
            .map(|table| write_text(&table.name.value))
            .collect();
        text.push_str(&write_alternatives("Table", &tables.join(" | ")));
        text.push_str(&self.write_queries("Queries", self.surface.patterns.iter()));
        if !self.surface.moves.is_empty() {
            text.push_str(&self.write_moves());
        }
        if !self.surface.repositories.is_empty() {
            text.push_str(&self.write_repositories());
        }
        if !self.surface.carries.is_empty() {
            text.push_str(&self.write_carries());
        }
        text.push_str(&self.write_global());
        text
    }

    /// What a client is before a tenant is named.
    fn write_global(&self) -> String {
        let Some(tenant) = &self.surface.model.tenant else {
            return String::new();
        };
        let name = &self.types.client;
        let attribute = write_parameter(&tenant.attribute.name.value);
        let of = given_type(&tenant.attribute.kind, Integers::Number);
        let mut text = String::from(
            "  /** The client before a tenant is named: it reads streams, and what belongs to no tenant. */\n",
        );
        text.push_str("  interface Global extends mt.Streams<Row, Table> {\n");
        text.push_str("    /** The client of one tenant. */\n");
        text.push_str(&format!("    tenant({attribute}: {of}): {name};\n"));
        let global = || self.surface.patterns.iter().filter(|known| known.is_global);
        if global().next().is_some() {
            text.push_str("    /** The access patterns whose keys belong to no tenant. */\n");
            text.push_str("    readonly query: GlobalQueries;\n");
        }
        text.push_str("    /** This client in another context. */\n    with(context: mt.Context): Global;\n  }\n");
        if global().next().is_some() {
            text.push_str(&self.write_queries("GlobalQueries", global()));
        }
        text
    }

    /// The function that opens a client.
    pub(super) fn write_open(&self) -> String {
        let name = &self.types.client;
        let opened = match self.surface.model.tenant {
            Some(_) => format!("{name}.Global"),
            None => name.clone(),
        };
        format!(
            "/** Makes a client. Nothing is sent, and the core is compiled meanwhile. */\n\
             export function open(options: mt.OpenOptions<{name}.Table, {name}.Settings>): {opened} {{\n\
             \x20 return mt.connect(model, outline, options);\n}}\n"
        )
    }
}

/// A type of several alternatives, broken into lines where it is long.
fn write_alternatives(name: &str, alternatives: &str) -> String {
    let line = format!("  type {name} = {alternatives};\n");
    if line.chars().count() <= 120 {
        return line;
    }
    let mut text = format!("  type {name} =");
    let mut row = String::new();
    for alternative in alternatives.split(" | ") {
        if row.chars().count() + alternative.chars().count() > 110 {
            text.push_str(&format!("\n   {row}"));
            row.clear();
        }
        row.push_str(&format!(" | {alternative}"));
    }
    text.push_str(&format!("\n   {row};\n"));
    text
}

/// What is known of a caller, or the choices of a deployment: what has a default may be left out.
fn write_attributes(name: &str, attributes: &[Attribute]) -> String {
    let members: Vec<_> = attributes
        .iter()
        .map(|attribute| {
            let is_free = attribute.default.is_some() || !attribute.is_always_present();
            let mark = if is_free { "?" } else { "" };
            let of = given_type(&attribute.kind, Integers::Number);
            format!("{}{mark}: {of}", write_property(&attribute.name.value))
        })
        .collect();
    format!("  interface {name} {{ {} }}\n", members.join("; "))
}
