//! Checks: rules about things that are asked at writes and need other rows.

use crate::case::{Case, create, delete};
use crate::design::{Design, Entity, ID, Role};
use crate::finding::Finding;
use crate::items::{Items, text};
use crate::mechanism::{Damage, Mechanism, Outcome, Probe, State, is_snapshot};
use crate::mechanisms::values::for_thing;
use monotable_item::Item;
use monotable_store::{AnyOperation, ErrorKind};

pub(crate) struct Checks;

fn tone(name: &str) -> AnyOperation {
    create("Tone", Item::new().with("tone", name))
}

impl Mechanism for Checks {
    fn name(&self) -> &'static str {
        "checks"
    }

    fn declare(&self, design: &mut Design) {
        design.give("tone", "text(1..20)?", "");
        design.give("locked", "boolean, default = false", "");
        if is_snapshot(design) {
            design.add_section(
                "[check.not_shrill]\nof = \"Thing\"\nmust = \"NOT (tone = 'shrill')\"",
            );
            return;
        }
        design.add_entity(Entity::new("Tone", "TONES", "TONE#{tone}").with("tone", ID));
        design.add_section("[access.tones]\nkey = [\"TONES\", \"TONE#*\"]\nreturns = [\"Tone\"]");
        design.add_section(
            "[check.known_tone]\nof = \"Thing\"\nwhen = \"attribute_exists(tone)\"\nvalue = \"tone\"\namong = \"tones.tone\"",
        );
        design.add_section(
            "[check.not_locked]\nof = \"Thing\"\non = [\"update\", \"delete\"]\nmust = \"NOT (old.locked = true)\"",
        );
    }

    fn surroundings(&self, role: Role, _things: u32) -> Vec<AnyOperation> {
        if role == Role::Snapshot {
            return Vec::new();
        }
        let shelf = create("Shelf", Item::new().with("shelfId", "s9"));
        vec![tone("loud"), tone("soft"), tone("none"), shelf]
    }

    fn values(&self, _: u32, state: State) -> Item {
        match state {
            State::First => Item::new().with("tone", "loud"),
            State::Second => Item::new().with("tone", "soft"),
            State::Bare => Item::new(),
        }
    }

    fn judge(&self, items: &Items, findings: &mut Vec<Finding>) {
        for thing in items.of_type("Thing") {
            let tone = text(thing, "tone");
            let known = ["loud", "soft", "none", ""];
            if !known.contains(&tone) {
                findings.push(Finding::new("checks: a thing has an unknown tone", tone));
            }
        }
    }

    fn probes(&self, case: &Case) -> Vec<Probe> {
        let wrong = ErrorKind::Validation;
        let shrill = case.create_with(14, State::First, &Item::new().with("tone", "shrill"));
        let mut probes = vec![Probe::Refused("a tone that is not known", shrill, wrong)];
        match case.role() {
            Role::Row | Role::Binned => {}
            Role::Snapshot => return probes,
            // What follows from another row is not asked.
            Role::Derived | Role::Leaf => return Vec::new(),
        }
        let locked = Item::new().with("locked", true);
        if case.path.name.ends_with("cascade") {
            let below = case.create_with(14, State::First, &locked.with("shelfId", "s9"));
            let shelf = delete("Shelf", Item::new().with("shelfId", "s9"));
            return vec![
                Probe::Allowed("a locked thing on a shelf", below),
                Probe::Refused("a delete of the shelf of a locked thing", shelf, wrong),
            ];
        }
        let lock = case.create_with(14, State::First, &locked);
        probes.push(Probe::Allowed("a locked thing", lock));
        let change = case.set(14, Item::new().with("title", "other"));
        probes.push(Probe::Refused("a change of a locked thing", change, wrong));
        probes.push(Probe::Refused(
            "a delete of a locked thing",
            case.delete(14),
            wrong,
        ));
        if case.role() == Role::Binned {
            let away = case.move_thing("bin", 14, Item::new());
            probes.push(Probe::Refused("a locked thing thrown away", away, wrong));
        }
        if case.path.name == "move" {
            let moved = case.move_thing("reshelve", 14, Item::new().with("shelfId", "s2"));
            probes.push(Probe::Refused("a move of a locked thing", moved, wrong));
        }
        probes
    }

    fn damages(&self) -> Vec<Damage> {
        vec![Damage {
            name: "a tone that is not known",
            apply: |items| for_thing(items, |thing| thing.insert("tone", "shrill")),
            outcome: Outcome::Left,
        }]
    }
}
