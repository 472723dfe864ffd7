//! The module of an entity.

use super::comment::{quote_name, write_comment};
use super::fields::{ItemField, write_item_struct};
use super::value::{Place, argument_type, attribute_type, from_argument, value_type};
use super::words::write_words;
use super::{Generator, field_name, module_name, type_name};
use crate::problem::{Problem, Scope};
use crate::prose::{tell_about, tell_create, tell_delete, tell_keys};
use crate::surface::{EntitySurface, ReadAttribute};
use monotable_model::model::{Attribute, Kind};

const REST: &str = "Attributes that the model does not declare by name.";

impl Generator<'_> {
    pub(super) fn write_entity(&self, surface: &EntitySurface<'_>) -> Result<String, Problem> {
        let mut sentences: Vec<String> = tell_about(&surface.entity.notes).into_iter().collect();
        sentences.extend(tell_keys(self.surface.model, surface.entity));
        let mut text = write_comment("", "///", &sentences);
        text.push_str(&format!("pub mod {} {{\n", module_name(surface.name())));
        text.push_str("    use monotable_store::typed as mt;\n");
        text.push_str(&self.write_row(surface)?);
        text.push_str(&write_keys(surface)?);
        let rest = has_rest(surface).then_some(REST);
        if surface.is_made_by_callers() {
            let given = surface.given.iter();
            let fields: Vec<_> = given
                .map(|given| ItemField::of_given(surface.entity, given, Place::Inside))
                .collect();
            text.push_str(&write_item_struct(
                "    ",
                "New",
                "A new row.",
                &fields,
                rest,
            )?);
        }
        if surface.is_changed_by_callers() {
            text.push_str(&write_change(surface)?);
        }
        text.push_str(&self.write_calls(surface));
        text.push_str(&write_words(surface)?);
        text.push_str("}\n");
        Ok(text)
    }

    fn write_row(&self, surface: &EntitySurface<'_>) -> Result<String, Problem> {
        let name = type_name(surface.name());
        let mut scope = Scope::default();
        let mut text = String::from("\n    /// A row.\n    #[derive(Clone, Debug, PartialEq)]\n");
        text.push_str(&format!("    pub struct {name} {{\n"));
        for read in &surface.read {
            let attribute = &read.attribute.name.value;
            scope.take(
                &field_name(attribute),
                &format!("entity.{}.attributes.{attribute}", surface.name()),
            )?;
            text.push_str(&format!("        /// {}\n", quote_name(attribute)));
            text.push_str(&format!(
                "        pub {}: {},\n",
                field_name(attribute),
                read_field(read)
            ));
        }
        if has_rest(surface) {
            scope.take("rest", "what the model does not declare")?;
            text.push_str(&format!(
                "        /// {REST}\n        pub rest: mt::Item,\n"
            ));
        }
        text.push_str("    }\n\n");
        text.push_str(&format!("    impl mt::FromRow for {name} {{\n"));
        text.push_str("        fn from_row(row: mt::Row) -> Result<Self, mt::Error> {\n");
        let is_changed = if surface.read.is_empty() { "" } else { "mut " };
        let row = if surface.read.is_empty() && !has_rest(surface) {
            "_row"
        } else {
            "row"
        };
        text.push_str(&format!(
            "            let {is_changed}{row} = mt::RowReader::new(row, {:?})?;\n            Ok(Self {{\n",
            surface.name()
        ));
        for read in &surface.read {
            let take = if read.is_always_there {
                "take"
            } else {
                "take_optional"
            };
            let attribute = &read.attribute.name.value;
            text.push_str(&format!(
                "                {}: row.{take}({attribute:?})?,\n",
                field_name(attribute)
            ));
        }
        if has_rest(surface) {
            text.push_str("                rest: row.into_rest(),\n");
        }
        text.push_str("            })\n        }\n    }\n");
        Ok(text)
    }

    fn write_calls(&self, surface: &EntitySurface<'_>) -> String {
        let row = type_name(surface.name());
        let entity = surface.name();
        let calls = surface.calls;
        let mut text = String::from(
            "\n    /// Calls about rows.\n    #[derive(Clone, Copy, Debug)]\n    pub struct Calls<'s> {\n\
             \x20       pub(super) store: &'s mt::Store,\n    }\n\n    impl<'s> Calls<'s> {\n",
        );
        let mut add = |sentences: &[String], head: &str, answer: &str, body: &str| {
            text.push_str(&write_comment("        ", "///", sentences));
            text.push_str(&format!(
                "        pub fn {head} -> {answer} {{\n            {body}\n        }}\n\n"
            ));
        };
        let sentence = |text: &str| vec![text.to_owned()];
        if calls.create {
            let (verb, operation, about) = if calls.relates {
                ("attach", "Attach", "Relates two rows.")
            } else {
                ("create", "Create", "A new row.")
            };
            let mut about = sentence(about);
            about.extend(tell_create(surface));
            add(
                &about,
                &format!("{verb}(&self, values: New)"),
                &format!("mt::TypedCall<'s, mt::{operation}, {row}>"),
                &format!("mt::TypedCall::row(self.store.{verb}({entity:?}, values.into()))"),
            );
        }
        if calls.get {
            let key = if surface.place.is_empty() {
                "Key"
            } else {
                "RowKey"
            };
            let got = format!("self.store.get({entity:?}, key.into())");
            add(
                &sentence("The row with a key; an error if there is none."),
                &format!("get(&self, key: {key})"),
                &format!("mt::TypedCall<'s, mt::Get, {row}>"),
                &format!("mt::TypedCall::row({got})"),
            );
            add(
                &sentence("The row with a key, if there is one."),
                &format!("find(&self, key: {key})"),
                &format!("mt::TypedCall<'s, mt::Get, Option<{row}>>"),
                &format!("mt::TypedCall::found({got})"),
            );
        }
        if calls.update {
            add(
                &sentence("Some attributes of a row changed."),
                "update(&self, key: Key, change: Change)",
                &format!("mt::TypedCall<'s, mt::Update, {row}>"),
                &format!(
                    "mt::TypedCall::row(self.store.update({entity:?}, key.into(), change.into()))"
                ),
            );
        }
        if calls.put {
            add(
                &sentence("A new row, or the row that is there made equal to it."),
                "put(&self, values: New)",
                &format!("mt::TypedCall<'s, mt::Put, {row}>"),
                &format!("mt::TypedCall::row(self.store.put({entity:?}, values.into()))"),
            );
        }
        if calls.delete {
            let (verb, operation, about) = if calls.relates {
                ("detach", "Detach", "Two rows are no longer related.")
            } else {
                (
                    "delete",
                    "Delete",
                    "A row deleted; the answer is what it was.",
                )
            };
            let mut about = sentence(about);
            about.extend(tell_delete(self.surface.model, surface.id));
            add(
                &about,
                &format!("{verb}(&self, key: Key)"),
                &format!("mt::TypedCall<'s, mt::{operation}, {row}>"),
                &format!("mt::TypedCall::row(self.store.{verb}({entity:?}, key.into()))"),
            );
        }
        for attribute in surface.list_hashed() {
            add(
                &[format!("Whether `{attribute}` was made of this text.")],
                &format!(
                    "check_{}(&self, key: Key, text: &str)",
                    field_name(attribute)
                ),
                "mt::TypedCall<'s, mt::CheckSecret, bool>",
                &format!(
                    "mt::TypedCall::new(self.store.check_secret({entity:?}, key.into(), {attribute:?}, text), |answer| answer)"
                ),
            );
        }
        if text.ends_with("}\n\n") {
            text.pop();
        }
        text.push_str("    }\n");
        text
    }
}

/// Whether rows have attributes without a field of their own.
fn has_rest(surface: &EntitySurface<'_>) -> bool {
    surface.entity.open || !surface.families.is_empty()
}

fn read_field(read: &ReadAttribute<'_>) -> String {
    let of = attribute_type(read.attribute, Place::Inside);
    if read.is_always_there {
        of
    } else {
        format!("Option<{of}>")
    }
}

fn write_keys(surface: &EntitySurface<'_>) -> Result<String, Problem> {
    let mut text = String::new();
    let fields = |key: &[crate::surface::KeyAttribute<'_>]| -> Vec<ItemField> {
        let key = key.iter();
        key.map(|part| ItemField::of_key(part, Place::Inside))
            .collect()
    };
    if surface.calls.get {
        let key = fields(&surface.key);
        text.push_str(&write_item_struct(
            "    ",
            "Key",
            "What names a row.",
            &key,
            None,
        )?);
    }
    if !surface.place.is_empty() {
        let mut key = fields(&surface.key);
        key.extend(fields(&surface.place));
        let about = "What names one of the rows of an item.";
        text.push_str(&write_item_struct("    ", "RowKey", about, &key, None)?);
    }
    if let Some(identity) = &surface.identity {
        let about = "What tells a row from others in every revision.";
        text.push_str(&write_item_struct(
            "    ",
            "Id",
            about,
            &fields(identity),
            None,
        )?);
    }
    Ok(text)
}

/// The builder of a change: it has a method for everything that can be done to an attribute, and no other.
fn write_change(surface: &EntitySurface<'_>) -> Result<String, Problem> {
    let mut scope = Scope::with_reserved(&["new", "set", "remove"]);
    let mut text = String::from(
        "\n    /// What is changed of a row.\n    #[derive(Clone, Debug, Default, PartialEq)]\n\
         \x20   pub struct Change {\n        change: mt::Change,\n    }\n\n    impl Change {\n\
         \x20       /// Changes nothing.\n        pub fn new() -> Self {\n            Self::default()\n        }\n",
    );
    for changed in &surface.changed {
        let attribute = changed.attribute;
        let name = &attribute.name.value;
        let field = field_name(name);
        let declaration = format!("entity.{}.attributes.{name}", surface.name());
        for (method, written) in list_methods(attribute, &field, changed.may_be_removed) {
            scope.take(&method, &declaration)?;
            text.push_str(&written);
        }
    }
    if has_rest(surface) {
        text.push_str(
            "\n        /// Sets an attribute that has no method of its own.\n\
             \x20       pub fn set(mut self, name: &str, value: impl Into<mt::AttributeValue>) -> Self {\n\
             \x20           mt::put(&mut self.change.set, name, value.into());\n            self\n        }\n\n\
             \x20       /// Removes an attribute that has no method of its own.\n\
             \x20       pub fn remove(mut self, name: &str) -> Self {\n\
             \x20           self.change.unset.push(name.to_owned());\n            self\n        }\n",
        );
    }
    text.push_str(
        "    }\n\n    impl From<Change> for mt::Change {\n        fn from(change: Change) -> Self {\n\
         \x20           change.change\n        }\n    }\n",
    );
    Ok(text)
}

/// The methods of a change for one attribute, by name.
fn list_methods(attribute: &Attribute, field: &str, may_be_removed: bool) -> Vec<(String, String)> {
    let name = &attribute.name.value;
    let of = attribute_type(attribute, Place::Inside);
    let bare = field.trim_end_matches('_');
    let mut methods = Vec::new();
    let mut add = |method: String, about: &str, argument: String, body: String| {
        let shown = quote_name(name);
        let text = format!(
            "\n        /// {about} {shown}.\n        pub fn {method}(mut self{argument}) -> Self {{\n\
             \x20           {body}\n            self\n        }}\n"
        );
        methods.push((method, text));
    };
    let argument = format!(", value: {}", argument_type(&of));
    let value = from_argument(&of, "value");
    let value = if value == "value" {
        value
    } else {
        format!("Into::<{of}>::into(value)")
    };
    add(
        field.to_owned(),
        "Sets",
        argument,
        format!("mt::put(&mut self.change.set, {name:?}, {value});"),
    );
    if may_be_removed {
        add(
            format!("remove_{bare}"),
            "Removes",
            String::new(),
            format!("self.change.unset.push({name:?}.to_owned());"),
        );
    }
    match &attribute.kind {
        Kind::Integer(_) | Kind::Epoch => add(
            format!("add_{bare}"),
            "Adds to",
            ", amount: i64".to_owned(),
            format!("mt::put(&mut self.change.add, {name:?}, amount);"),
        ),
        Kind::Number(_) => add(
            format!("add_{bare}"),
            "Adds to",
            ", amount: impl Into<mt::Number>".to_owned(),
            format!("mt::put(&mut self.change.add, {name:?}, Into::<mt::Number>::into(amount));"),
        ),
        Kind::List { of, .. } => {
            let of = value_type(name, of, Place::Inside);
            add(
                format!("append_{bare}"),
                "Puts values at the end of",
                format!(", values: Vec<{of}>"),
                format!("mt::put(&mut self.change.append, {name:?}, values);"),
            );
        }
        _ => {}
    }
    methods
}
