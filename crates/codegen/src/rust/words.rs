//! Words of enum attributes.

use super::comment::quote_name;
use super::{field_name, type_name};
use crate::names::{pascal_case, snake_case};
use crate::problem::{Problem, Scope};
use crate::surface::EntitySurface;
use monotable_model::model::{EnumWord, Kind};

/// What the module of an entity has beside words.
const TAKEN: &[&str] = &["Calls", "Change", "Id", "Key", "New", "RowKey"];

/// The type of an attribute's words.
pub(super) fn word_type(attribute: &str) -> String {
    let name = type_name(&pascal_case(&snake_case(attribute)));
    if TAKEN.contains(&name.as_str()) {
        format!("{name}Word")
    } else {
        name
    }
}

/// The enums of an entity's attributes.
pub(super) fn write_words(surface: &EntitySurface<'_>) -> Result<String, Problem> {
    let entity = surface.entity;
    let mut types = Scope::default();
    let mut text = String::new();
    types.take(
        &type_name(surface.name()),
        &format!("entity.{}", surface.name()),
    )?;
    let families = surface.families.iter();
    let families = families.map(|family| (family.prefix.as_str(), &family.attribute));
    let attributes = entity
        .attributes
        .iter()
        .filter(|attribute| !attribute.internal);
    let attributes = attributes.map(|attribute| (attribute.name.value.as_str(), attribute));
    for (name, attribute) in attributes.chain(families) {
        if let Some(words) = find_words(&attribute.kind) {
            let declaration = format!("entity.{}.attributes.{name}", surface.name());
            types.take(&word_type(name), &declaration)?;
            text.push_str(&write_enum(name, words, &declaration)?);
        }
    }
    Ok(text)
}

fn find_words(kind: &Kind) -> Option<&[EnumWord]> {
    match kind {
        Kind::Enum(words) => Some(words),
        Kind::List { of, .. } => find_words(of),
        _ => None,
    }
}

fn write_enum(attribute: &str, words: &[EnumWord], declaration: &str) -> Result<String, Problem> {
    let name = word_type(attribute);
    let mut scope = Scope::default();
    let mut variants = Vec::new();
    for word in words {
        let variant = variant_name(&word.word);
        scope.take(&variant, &format!("{declaration} = {}", word.word))?;
        variants.push((variant, word.word.as_str()));
    }
    let mut text = format!("\n    /// A word of {}.\n", quote_name(attribute));
    text.push_str("    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]\n");
    text.push_str(&format!("    pub enum {name} {{\n"));
    for (variant, word) in &variants {
        text.push_str(&format!("        /// `{word}`\n        {variant},\n"));
    }
    text.push_str(&format!(
        "    }}\n\n    impl {name} {{\n        /// All words.\n"
    ));
    let all: Vec<_> = variants
        .iter()
        .map(|(variant, _)| format!("Self::{variant}"))
        .collect();
    text.push_str(&format!(
        "        pub const ALL: &'static [Self] = &[{}];\n\n",
        all.join(", ")
    ));
    text.push_str("        /// The word, as it is stored.\n");
    text.push_str(
        "        pub const fn as_str(self) -> &'static str {\n            match self {\n",
    );
    for (variant, word) in &variants {
        text.push_str(&format!("                Self::{variant} => {word:?},\n"));
    }
    text.push_str("            }\n        }\n    }\n\n");
    text.push_str(&format!(
        "    impl mt::TypedValue for {name} {{\n\
         \x20       fn into_value(self) -> mt::AttributeValue {{\n\
         \x20           self.as_str().into()\n\
         \x20       }}\n\n\
         \x20       fn from_value(value: mt::AttributeValue) -> Option<Self> {{\n\
         \x20           let text: String = mt::TypedValue::from_value(value)?;\n\
         \x20           Self::ALL.iter().copied().find(|word| word.as_str() == text)\n\
         \x20       }}\n    }}\n"
    ));
    Ok(text)
}

/// `IN_QUEUE` becomes `InQueue`.
fn variant_name(word: &str) -> String {
    type_name(&pascal_case(&field_name(word)))
}
