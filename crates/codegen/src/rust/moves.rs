//! Moves as methods.

use super::comment::write_comment;
use super::value::{Place, argument_type, attribute_type};
use super::{Generator, field_name, module_name};
use crate::prose::tell_move;
use crate::surface::MoveTarget;

impl Generator<'_> {
    /// The module of moves, if there are any.
    pub(super) fn write_moves(&self) -> String {
        if self.surface.moves.is_empty() {
            return String::new();
        }
        let mut text = String::from(
            "\n/// The moves.\npub mod moves {\n    use monotable_store::typed as mt;\n\n\
             \x20   /// One method for each move, each way back and each purge.\n    #[derive(Clone, Copy, Debug)]\n\
             \x20   pub struct Moves<'s> {\n        pub(super) store: &'s mt::Store,\n    }\n\n    impl<'s> Moves<'s> {\n",
        );
        for moving in &self.surface.moves {
            let module = module_name(&self.surface.model.entity(moving.of).name.value);
            let mut arguments = vec!["&self".to_owned(), format!("key: super::{module}::Key")];
            let mut puts = String::new();
            if let MoveTarget::Values(attributes) = &moving.target {
                for attribute in attributes {
                    let name = field_name(&attribute.name.value);
                    let of = attribute_type(attribute, Place::Outside(&module));
                    if attributes.len() > 1 {
                        arguments.push(format!("{name}: Option<{of}>"));
                        puts.push_str(&format!(
                            "            mt::put_optional(&mut to, {:?}, {name});\n",
                            attribute.name.value
                        ));
                    } else {
                        arguments.push(format!("{name}: {}", argument_type(&of)));
                        puts.push_str(&format!(
                            "            mt::put(&mut to, {:?}, Into::<{of}>::into({name}));\n",
                            attribute.name.value
                        ));
                    }
                }
            }
            let is_changed = if puts.is_empty() { "" } else { "mut " };
            text.push_str(&write_comment(
                "        ",
                "///",
                &tell_move(&self.surface, moving),
            ));
            text.push_str(&format!(
                "        pub fn {}({}) -> mt::TypedCall<'s, mt::MoveRow, {}> {{\n\
                 \x20           let {is_changed}to = mt::Item::new();\n{puts}\
                 \x20           mt::TypedCall::row(self.store.move_row({:?}, key.into(), to))\n        }}\n\n",
                field_name(moving.name),
                arguments.join(", "),
                self.row_type(moving.answers),
                moving.name,
            ));
        }
        text.pop();
        text.push_str("    }\n}\n");
        text
    }
}
