//! The outline: what the runtime makes objects and functions of. Names are the model's.

use super::Generator;
use super::type_names::{write_property, write_text};
use crate::surface::{Answer, MoveSurface, MoveTarget};

impl Generator<'_> {
    pub(super) fn write_outline(&self) -> String {
        let surface = &self.surface;
        let patterns = |wanted: fn(&Answer<'_>) -> bool| {
            let patterns = surface.patterns.iter();
            let patterns = patterns.filter(move |known| wanted(&known.answer));
            patterns
                .map(|known| known.name().to_owned())
                .collect::<Vec<_>>()
        };
        let entities = || surface.entities.iter();
        let relations = entities().filter(|known| known.calls.relates);
        let global = surface.patterns.iter().filter(|known| known.is_global);
        let mut text = String::from("const outline = {\n");
        let mut add = |name: &str, names: Vec<String>| {
            if !names.is_empty() {
                text.push_str(&write_list(name, &names));
            }
        };
        add(
            "entities",
            entities().map(|known| known.name().to_owned()).collect(),
        );
        add(
            "relations",
            relations.map(|known| known.name().to_owned()).collect(),
        );
        add("one", patterns(|answer| matches!(answer, Answer::One(_))));
        add("list", patterns(|answer| matches!(answer, Answer::List(_))));
        add(
            "diffs",
            patterns(|answer| matches!(answer, Answer::Differences(_))),
        );
        add(
            "moves",
            surface
                .moves
                .iter()
                .map(|known| known.name.to_owned())
                .collect(),
        );
        let takes_values = |known: &&MoveSurface<'_>| matches!(known.target, MoveTarget::Values(_));
        add(
            "transfers",
            surface
                .moves
                .iter()
                .filter(takes_values)
                .map(|known| known.name.to_owned())
                .collect(),
        );
        let carries = surface.carries.iter();
        add(
            "carries",
            carries
                .map(|known| known.carry.name.value.clone())
                .collect(),
        );
        add("bigint", self.bigints.list());
        if surface.model.tenant.is_some() {
            add(
                "global",
                global.map(|known| known.name().to_owned()).collect(),
            );
            text.push_str("  tenant: true,\n");
        }
        if surface.model.isolation.is_some() {
            text.push_str("  purge: true,\n");
        }
        text.push_str(&self.write_repository_outline());
        text.push_str("};\n");
        text
    }

    fn write_repository_outline(&self) -> String {
        let mut text = String::new();
        for known in &self.surface.repositories {
            let name = write_property(&known.repository.name.value);
            let entities: Vec<_> = known
                .entities
                .iter()
                .map(|id| write_text(&self.surface.model.entity(*id).name.value))
                .collect();
            text.push_str(&format!("    {name}: [{}],\n", entities.join(", ")));
        }
        if text.is_empty() {
            text
        } else {
            format!("  repositories: {{\n{text}  }},\n")
        }
    }
}

/// A list of names, broken into lines where it is long.
fn write_list(name: &str, names: &[String]) -> String {
    let mut text = format!("  {name}: [");
    let mut width = text.chars().count();
    for (position, each) in names.iter().enumerate() {
        let literal = write_text(each);
        let comma = if position == 0 { "" } else { "," };
        if width + literal.chars().count() + 3 > 118 {
            text.push_str(&format!("{comma}\n    {literal}"));
            width = 4 + literal.chars().count();
        } else {
            let space = if position == 0 { "" } else { " " };
            text.push_str(&format!("{comma}{space}{literal}"));
            width += literal.chars().count() + 2;
        }
    }
    text.push_str("],\n");
    text
}
