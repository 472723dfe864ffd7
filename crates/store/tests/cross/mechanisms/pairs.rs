//! Pairs: things relate two nodes without order, each pair once.

use crate::case::{Case, create};
use crate::design::{Design, Entity, ID, Role};
use crate::finding::Finding;
use crate::items::{Items, kind, text};
use crate::mechanism::{Damage, Mechanism, Outcome, Probe, State, is_snapshot};
use monotable_item::Item;
use monotable_store::{AnyOperation, ErrorKind};

pub(crate) struct Pairs;

fn person(number: u32) -> String {
    format!("q{number}")
}

fn pair(one: u32, other: u32) -> Item {
    Item::new()
        .with("oneId", person(one))
        .with("otherId", person(other))
}

impl Mechanism for Pairs {
    fn name(&self) -> &'static str {
        "pairs"
    }

    fn declare(&self, design: &mut Design) {
        let sort = design.thing.key[1].replace("{thingId}", "{oneId}#{otherId}");
        design.thing.key[1] = sort;
        if is_snapshot(design) {
            let person = Entity::new("Person", "REPO#{repoId}#{revId}", "PERSON#{personId}")
                .with("repoId", "date, key_only")
                .with("revId", "ulid, key_only")
                .with("personId", ID);
            design.add_versioned(person);
        } else {
            design.add_entity(
                Entity::new("Person", "PERSON#{personId}", "PERSON").with("personId", ID),
            );
        }
        design.give_declared("oneId", ID, "-> Person, on_delete = keep");
        design.give_declared("otherId", ID, "-> Person, on_delete = keep");
        design.add_section("[entity.Thing.relation]\nends = \"oneId -- otherId\"");
    }

    fn surroundings(&self, _role: Role, things: u32) -> Vec<AnyOperation> {
        let people = (1..=things + 30)
            .map(|number| create("Person", Item::new().with("personId", person(number))));
        people.collect()
    }

    fn values(&self, thing: u32, _: State) -> Item {
        pair(thing, thing + 10)
    }

    fn key(&self, thing: u32) -> Item {
        pair(thing, thing + 10)
    }

    fn judge(&self, items: &Items, findings: &mut Vec<Finding>) {
        let mut seen: Vec<([&str; 3], &str)> = Vec::new();
        for thing in items.of_type("Thing") {
            let mut ends = [text(thing, "oneId"), text(thing, "otherId")];
            ends.sort_unstable();
            let partition = match text(thing, "shelfId") {
                "" => text(thing, "PK"),
                shelf => shelf,
            };
            let own = [partition, ends[0], ends[1]];
            let id = text(thing, "thingId");
            // The rows of one item are one pair.
            if seen
                .iter()
                .any(|(known, other)| *known == own && *other != id)
            {
                findings.push(Finding::new("pairs: a pair is there twice", own.join(" ")));
            }
            seen.push((own, id));
        }
    }

    fn probes(&self, case: &Case) -> Vec<Probe> {
        if case.path.standing.is_empty() {
            return Vec::new();
        }
        let mut probes = Vec::new();
        for (thing, _) in case.path.standing.iter().take(1) {
            let turned = case.create_with(12, State::First, &pair(thing + 10, *thing));
            probes.push(Probe::Refused(
                "a pair the other way round",
                turned,
                ErrorKind::Conflict,
            ));
        }
        let alone = case.create_with(13, State::First, &pair(9, 9));
        probes.push(Probe::Refused(
            "a row with itself",
            alone,
            ErrorKind::Validation,
        ));
        probes
    }

    fn damages(&self) -> Vec<Damage> {
        vec![Damage {
            name: "a pair that is there twice",
            apply: |items| {
                let found = items.iter().find(|item| kind(item) == "Thing");
                let mut twin = found.expect("a thing").clone();
                let (one, other) = (
                    text(&twin, "oneId").to_owned(),
                    text(&twin, "otherId").to_owned(),
                );
                twin.insert("SK", format!("THING#{other}#{one}"));
                twin.insert("oneId", other);
                twin.insert("otherId", one);
                twin.insert("thingId", "t77");
                items.push(twin);
            },
            outcome: Outcome::Left,
        }]
    }
}
