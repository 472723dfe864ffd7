//! Repositories and carries.

use super::comment::write_comment;
use super::entity::{write_given_property, write_key};
use super::type_names::{repository_type, write_property};
use super::value::{Integers, given_type};
use super::{Generator, write_signature};
use crate::names::camel_case;
use crate::prose::{show_assigned, tell_about, tell_attribute};
use crate::surface::{CarrySurface, GivenAttribute, RepositorySurface};
use monotable_model::model::EntityId;

impl Generator<'_> {
    /// An interface with one method for each repository, and the types of each.
    pub(super) fn write_repositories(&self) -> String {
        let mut text = String::from("  interface Repositories {\n");
        for known in &self.surface.repositories {
            let repository = known.repository;
            let name = &repository.name.value;
            let mut sentences: Vec<String> = tell_about(&repository.notes).into_iter().collect();
            sentences.push(format!(
                "`{name}`: its head is a `{}`, its revisions are `{}`.",
                self.surface.model.entity(repository.head).name.value,
                self.surface.model.entity(repository.log).name.value,
            ));
            text.push_str(&write_comment("    ", &sentences));
            let head = format!("{}(head: {})", write_property(name), write_key(&known.key));
            text.push_str(&write_signature("    ", &head, &repository_type(name)));
        }
        text.push_str("  }\n");
        for known in &self.surface.repositories {
            text.push_str(&self.write_repository(known));
        }
        text
    }

    fn write_repository(&self, known: &RepositorySurface<'_>) -> String {
        let repository = known.repository;
        let name = repository_type(&repository.name.value);
        let rows = self.write_entities(known.entities);
        let log = self.types.entity(repository.log);
        let head = self.types.entity(repository.head);
        let mut text = write_comment(
            "  ",
            &[format!(
                "One `{}`, read at its head.",
                repository.name.value
            )],
        );
        text.push_str(&format!(
            "  interface {name} extends mt.Repository<{rows}, {log}, {name}.Says, {head}> {{\n"
        ));
        text.push_str(
            "    /** Collects changes, and makes them one revision when it is awaited. */\n",
        );
        let commit = format!("commit(says: {name}.Says, options?: mt.CommitOptions)");
        text.push_str(&write_signature("    ", &commit, &format!("{name}.Commit")));
        text.push_str(&format!("  }}\n  namespace {name} {{\n"));
        text.push_str("    /** What a commit says of its revision. */\n");
        if known.says.is_empty() {
            text.push_str("    type Says = mt.None;\n");
        } else {
            text.push_str("    interface Says {\n");
            for given in &known.says {
                text.push_str(&self.write_said("      ", repository.log, given));
            }
            text.push_str("    }\n");
        }
        text.push_str(&format!(
            "    interface Commit extends mt.Commit<{log}> {{\n"
        ));
        for id in known.entities {
            let entity = self.types.entity(*id);
            let member = write_property(&self.surface.model.entity(*id).name.value);
            text.push_str(&format!(
                "      readonly {member}: mt.Changes<{entity}.New, {entity}.Id, {entity}.Change>;\n"
            ));
        }
        text.push_str("    }\n  }\n");
        text
    }

    fn write_said(&self, indent: &str, log: EntityId, given: &GivenAttribute<'_>) -> String {
        let entity = self.surface.model.entity(log);
        let attribute = given.attribute;
        let name = &attribute.name.value;
        let remarks = tell_attribute(entity, attribute);
        let integers = self.bigints.find(&entity.name.value, name);
        let of = given_type(&attribute.kind, integers);
        write_comment(indent, &[remarks.join("; ")])
            + &write_given_property(indent, name, &of, given)
    }

    /// An interface with one method for each carry.
    pub(super) fn write_carries(&self) -> String {
        let mut text = String::from("  interface Carries {\n");
        for carry in &self.surface.carries {
            text.push_str(&self.write_carry(carry));
        }
        text.push_str("  }\n");
        text
    }

    fn write_carry(&self, known: &CarrySurface<'_>) -> String {
        let model = self.surface.model;
        let carry = known.carry;
        let mut sentences: Vec<String> = tell_about(&carry.notes).into_iter().collect();
        let mut sentence = format!(
            "`{}`: commits rows of `{}` of a `{}` to a `{}`",
            carry.name.value,
            model.entity(carry.of).name.value,
            known.from.name.value,
            known.to.name.value
        );
        if let Some(when) = &carry.when {
            sentence.push_str(&format!(", if {when}"));
        }
        let set: Vec<_> = carry
            .set
            .iter()
            .map(|set| format!("`{}` = {}", set.name.value, show_assigned(&set.value)))
            .collect();
        if !set.is_empty() {
            sentence.push_str(&format!(", with {}", set.join(", ")));
        }
        sentences.push(sentence + ".");
        let members: Vec<_> = known
            .says
            .iter()
            .map(|given| {
                let of = given_type(&given.attribute.kind, Integers::Number);
                let property = write_given_property("", &given.attribute.name.value, &of, given);
                property.trim_end().trim_end_matches(';').to_owned()
            })
            .collect();
        let is_needed = known.says.iter().any(|given| given.is_required);
        let mark = if is_needed { "" } else { "?" };
        let says = if members.is_empty() {
            "says?: mt.None".to_owned()
        } else {
            format!("says{mark}: {{ {} }}", members.join("; "))
        };
        let key = self.types.entity(known.from.head);
        let log = self.types.entity(known.to.log);
        let function = camel_case(&carry.name.value);
        let head = format!("{function}(head: {key}.Key, {says}, options?: mt.WriteOptions)");
        let answer = format!("mt.Call<mt.Committed<{log}>>");
        write_comment("    ", &sentences) + &write_signature("    ", &head, &answer)
    }
}
