//! Moves as functions.

use super::comment::write_comment;
use super::type_names::write_property;
use super::value::{Integers, given_type};
use super::{Generator, write_signature};
use crate::names::camel_case;
use crate::prose::tell_move;
use crate::surface::MoveTarget;

impl Generator<'_> {
    /// An interface with one method for each move, each way back and each purge.
    pub(super) fn write_moves(&self) -> String {
        let mut text = String::from("  interface Moves {\n");
        for moving in &self.surface.moves {
            text.push_str(&write_comment("    ", &tell_move(&self.surface, moving)));
            let to = match &moving.target {
                MoveTarget::Values(attributes) => {
                    let mark = if attributes.len() > 1 { "?" } else { "" };
                    let values: Vec<_> = attributes
                        .iter()
                        .map(|attribute| {
                            let of = given_type(&attribute.kind, Integers::Number);
                            format!("{}{mark}: {of}", write_property(&attribute.name.value))
                        })
                        .collect();
                    format!("to: {{ {} }}, ", values.join("; "))
                }
                MoveTarget::Entity | MoveTarget::Back | MoveTarget::Nowhere => String::new(),
            };
            let function = camel_case(moving.name);
            let key = self.types.entity(moving.of);
            let head = format!("{function}(key: {key}.Key, {to}options?: mt.WriteOptions)");
            let answer = format!("mt.Call<{}>", self.types.entity(moving.answers));
            text.push_str(&write_signature("    ", &head, &answer));
        }
        text.push_str("  }\n");
        text
    }
}
