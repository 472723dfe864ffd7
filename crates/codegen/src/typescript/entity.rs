//! The types of an entity: its row, its key, what is given and changed, and its calls.

use super::comment::write_comment;
use super::type_names::{write_property, write_text};
use super::value::{
    Integers, changed_attribute_type, changed_type, given_attribute_type, given_type,
    read_attribute_type, read_type,
};
use super::{Generator, write_signature};
use crate::prose::{tell_about, tell_attribute, tell_create, tell_delete, tell_keys};
use crate::surface::{EntitySurface, GivenAttribute, KeyAttribute};
use monotable_model::model::Kind;

/// What an open entity may hold under any other name, in each form of its rows.
const READ_VALUE: &str = "mt.Value | undefined";
const GIVEN_VALUE: &str = "mt.Value | mt.Time | undefined";
const CHANGED_VALUE: &str =
    "mt.Value | mt.Time | mt.Add | mt.Append<mt.Value | mt.Time> | undefined";

impl Generator<'_> {
    /// The interface of an entity's rows, and its namespace.
    pub(super) fn write_entity(&self, surface: &EntitySurface<'_>) -> String {
        let name = self.types.entity(surface.id);
        let mut sentences: Vec<String> = tell_about(&surface.entity.notes).into_iter().collect();
        sentences.extend(tell_keys(self.surface.model, surface.entity));
        let mut text = write_comment("", &sentences);
        text.push_str(&format!("export interface {name} {{\n"));
        text.push_str(&self.write_row(surface));
        text.push_str(&format!("}}\nexport declare namespace {name} {{\n"));
        text.push_str(&self.write_keys(surface));
        if surface.is_made_by_callers() {
            text.push_str(&self.write_new(surface));
        }
        if surface.is_changed_by_callers() {
            text.push_str(&self.write_change(surface));
        }
        text.push_str(&self.write_calls(surface));
        text.push_str("}\n");
        text
    }

    fn integers(&self, surface: &EntitySurface<'_>, attribute: &str) -> Integers {
        self.bigints.find(surface.name(), attribute)
    }

    fn write_row(&self, surface: &EntitySurface<'_>) -> String {
        let mut text = format!("  readonly $entity: {};\n", write_text(surface.name()));
        for read in &surface.read {
            let name = &read.attribute.name.value;
            let of = read_attribute_type(read.attribute, self.integers(surface, name));
            let mark = if read.is_always_there { "" } else { "?" };
            text.push_str(&format!("  {}{mark}: {of};\n", write_property(name)));
        }
        let declared = surface.read.iter().map(|read| {
            let name = read.attribute.name.value.as_str();
            let of = read_attribute_type(read.attribute, self.integers(surface, name));
            (name, of)
        });
        let of = |kind: &Kind| read_type(kind, Integers::Number);
        text.push_str(&write_families("  ", surface, of, declared, "undefined"));
        if surface.entity.open {
            text.push_str(&write_rest("  ", READ_VALUE));
        }
        text
    }

    fn write_keys(&self, surface: &EntitySurface<'_>) -> String {
        let mut text = String::new();
        if surface.calls.get {
            text.push_str(&format!("  interface Key {}\n", write_key(&surface.key)));
        }
        if !surface.place.is_empty() {
            text.push_str("  /** One of the rows of an item. */\n");
            let place = write_key(&surface.place);
            text.push_str(&format!("  interface RowKey extends Key {place}\n"));
        }
        if let Some(identity) = &surface.identity {
            text.push_str("  /** What tells a row from others in every revision. */\n");
            text.push_str(&format!("  interface Id {}\n", write_key(identity)));
        }
        text
    }

    fn write_new(&self, surface: &EntitySurface<'_>) -> String {
        let has_rest = surface.entity.open || !surface.families.is_empty();
        if surface.given.is_empty() && !has_rest {
            return "  type New = mt.None;\n".to_owned();
        }
        let mut text = String::from("  interface New {\n");
        for given in &surface.given {
            text.push_str(&self.write_given("    ", surface, given));
        }
        let declared = surface.given.iter().map(|given| {
            let name = given.attribute.name.value.as_str();
            let of = given_attribute_type(given.attribute, self.integers(surface, name));
            (name, of)
        });
        let of = |kind: &Kind| given_type(kind, Integers::Number);
        let none = "null | undefined";
        text.push_str(&write_families("    ", surface, of, declared, none));
        if surface.entity.open {
            text.push_str(&write_rest("    ", GIVEN_VALUE));
        }
        text.push_str("  }\n");
        text
    }

    fn write_given(
        &self,
        indent: &str,
        surface: &EntitySurface<'_>,
        given: &GivenAttribute<'_>,
    ) -> String {
        let attribute = given.attribute;
        let name = &attribute.name.value;
        let remarks = tell_attribute(surface.entity, attribute);
        let mut text = write_comment(indent, &[remarks.join("; ")]);
        let of = given_attribute_type(attribute, self.integers(surface, name));
        text.push_str(&write_given_property(indent, name, &of, given));
        text
    }

    fn write_change(&self, surface: &EntitySurface<'_>) -> String {
        let has_rest = surface.entity.open || !surface.families.is_empty();
        if surface.changed.is_empty() && !has_rest {
            return "  type Change = mt.None;\n".to_owned();
        }
        let mut text = String::from("  /** Null removes an attribute. */\n  interface Change {\n");
        for changed in &surface.changed {
            let name = &changed.attribute.name.value;
            let of = changed_attribute_type(changed.attribute, self.integers(surface, name));
            let null = if changed.may_be_removed {
                " | null"
            } else {
                ""
            };
            text.push_str(&format!("    {}?: {of}{null};\n", write_property(name)));
        }
        let declared = surface.changed.iter().map(|changed| {
            let name = changed.attribute.name.value.as_str();
            let of = changed_attribute_type(changed.attribute, self.integers(surface, name));
            (name, of)
        });
        let of = |kind: &Kind| changed_type(kind, Integers::Number);
        let none = "null | undefined";
        text.push_str(&write_families("    ", surface, of, declared, none));
        if surface.entity.open {
            text.push_str(&write_rest("    ", CHANGED_VALUE));
        }
        text.push_str("  }\n");
        text
    }

    fn write_calls(&self, surface: &EntitySurface<'_>) -> String {
        let row = self.types.entity(surface.id);
        let calls = surface.calls;
        let mut text = String::from("  interface Calls {\n");
        let mut add = |comment: &[String], head: &str, answer: &str| {
            text.push_str(&write_comment("    ", comment));
            text.push_str(&write_signature("    ", head, answer));
        };
        let write = format!("mt.Write<{row}>");
        if calls.create {
            let name = if calls.relates { "attach" } else { "create" };
            let head = format!("{name}(values: New, options?: mt.WriteOptions)");
            add(&tell_create(surface), &head, &write);
        }
        if calls.get {
            let key = if surface.place.is_empty() {
                "Key"
            } else {
                "RowKey"
            };
            let found = format!("mt.Call<{row} | undefined>");
            add(
                &[],
                &format!("get(key: {key}, options?: mt.ReadOptions)"),
                &found,
            );
            let head = format!("getOrThrow(key: {key}, options?: mt.ReadOptions)");
            add(&[], &head, &format!("mt.Call<{row}>"));
        }
        let options = format!("options?: mt.ChangeOptions<{row}>");
        if calls.update {
            add(
                &[],
                &format!("update(key: Key, change: Change, {options})"),
                &write,
            );
        }
        if calls.put {
            add(&[], &format!("put(values: New, {options})"), &write);
        }
        if calls.delete {
            let name = if calls.relates { "detach" } else { "delete" };
            let comment = tell_delete(self.surface.model, surface.id);
            add(&comment, &format!("{name}(key: Key, {options})"), &write);
        }
        let hashed: Vec<_> = surface.list_hashed().into_iter().map(write_text).collect();
        if !hashed.is_empty() {
            let attribute = hashed.join(" | ");
            let head = format!(
                "checkSecret(key: Key, attribute: {attribute}, text: string, options?: mt.CallOptions)"
            );
            let comment = ["Whether the attribute was made of this text.".to_owned()];
            add(&comment, &head, "mt.Call<boolean>");
        }
        if text.ends_with("interface Calls {\n") {
            return "  type Calls = mt.None;\n".to_owned();
        }
        text.push_str("  }\n");
        text
    }
}

/// A property of a new row or revision.
pub(super) fn write_given_property(
    indent: &str,
    name: &str,
    of: &str,
    given: &GivenAttribute<'_>,
) -> String {
    let mark = if given.is_required { "" } else { "?" };
    let null = if given.may_be_absent && !given.is_required {
        " | null"
    } else {
        ""
    };
    format!("{indent}{}{mark}: {of}{null};\n", write_property(name))
}

/// The attributes of a key as an object type on one line.
pub(super) fn write_key(key: &[KeyAttribute<'_>]) -> String {
    let parts: Vec<_> = key
        .iter()
        .map(|part| {
            let mark = if part.may_be_absent { "?" } else { "" };
            let of = part.kind.map_or_else(|| "string".to_owned(), key_type);
            format!("{}{mark}: {of}", write_property(part.name))
        })
        .collect();
    if parts.is_empty() {
        "{}".to_owned()
    } else {
        format!("{{ {} }}", parts.join("; "))
    }
}

/// The type of a value in a key.
fn key_type(kind: &Kind) -> String {
    given_type(kind, Integers::Number)
}

/// The families of an entity. In TypeScript an attribute that is declared by its name, and a family inside of a wider one, must
/// be of the wide family's type, so that type has theirs as well.
fn write_families<'m>(
    indent: &str,
    surface: &EntitySurface<'m>,
    of: impl Fn(&Kind) -> String,
    declared: impl Iterator<Item = (&'m str, String)>,
    none: &str,
) -> String {
    let families = surface.families.iter();
    let families: Vec<_> = families
        .map(|family| (family.prefix.as_str(), of(&family.attribute.kind)))
        .collect();
    let names: Vec<_> = declared.chain(families.iter().cloned()).collect();
    let mut text = String::new();
    for (prefix, of) in &families {
        let mut types = vec![of.as_str()];
        for (name, of) in &names {
            if name.starts_with(prefix) && !types.contains(&of.as_str()) {
                types.push(of);
            }
        }
        let of = format!("{} | {none}", types.join(" | "));
        text.push_str(&write_family(indent, prefix, &of));
    }
    text
}

/// Attributes whose names begin alike.
fn write_family(indent: &str, prefix: &str, of: &str) -> String {
    let prefix = prefix
        .replace('\\', "\\\\")
        .replace('`', "\\`")
        .replace("${", "\\${");
    format!("{indent}[name: `{prefix}${{string}}`]: {of};\n")
}

/// Whatever else an open entity holds.
fn write_rest(indent: &str, of: &str) -> String {
    format!("{indent}[name: string]: {of};\n")
}
