//! Relations: things lead from one node to another, and never back. Their ends stand in the key, or they can change.

use crate::case::{Case, create};
use crate::design::{Design, Entity, ID, Role};
use crate::finding::Finding;
use crate::items::{Items, text};
use crate::mechanism::{Damage, Mechanism, Outcome, Probe, State, is_snapshot};
use crate::mechanisms::values::for_thing;
use monotable_item::Item;
use monotable_store::{AnyOperation, ErrorKind, Transact};

pub(crate) struct Relations {
    /// Both ends are in the key of the thing, so that they never change.
    pub(crate) in_key: bool,
}

pub(crate) const RELATIONS: Relations = Relations { in_key: true };
pub(crate) const LINKS: Relations = Relations { in_key: false };

/// The paths after which relations are tried; the others do nothing that could matter to them.
const ASKED: &[&str] = &[
    "create",
    "put",
    "update",
    "transact",
    "restore",
    "attach",
    "derived change",
    "path change",
    "commit",
    "revert",
];

fn node(number: u32) -> String {
    format!("n{number}")
}

fn ends(from: u32, to: u32) -> Item {
    Item::new()
        .with("fromId", node(from))
        .with("toId", node(to))
}

/// The first things lead from one to the next; of many more, each leads on from the first node, because chains are short.
fn usual_ends(thing: u32) -> Item {
    if thing < 4 {
        ends(thing, thing + 1)
    } else {
        ends(1, thing + 1)
    }
}

impl Mechanism for Relations {
    fn name(&self) -> &'static str {
        if self.in_key { "relations" } else { "links" }
    }

    fn declare(&self, design: &mut Design) {
        if self.in_key {
            let sort = design.thing.key[1].replace("{thingId}", "{fromId}#{toId}");
            design.thing.key[1] = sort;
        }
        let mut serial = "serial = \"shelfId.links\"\n";
        if is_snapshot(design) {
            serial = "";
            let node = Entity::new("Node", "REPO#{repoId}#{revId}", "NODE#{nodeId}")
                .with("repoId", "date, key_only")
                .with("revId", "ulid, key_only")
                .with("nodeId", ID);
            design.add_versioned(node);
        } else {
            design.add_entity(Entity::new("Node", "NODE#{nodeId}", "NODE").with("nodeId", ID));
            design.add_index("Froms", "FROM#{fromId}", "{toId}#{thingId}");
            design.add_index("Tos", "TO#{toId}", "{fromId}#{thingId}");
            design
                .shelf
                .add("links", "integer(0..), default = 0, internal");
        }
        let default = if design.role == Role::Leaf {
            ", default = 'n1'"
        } else {
            ""
        };
        let end = format!("-> Node, on_delete = keep{default}");
        design.give_declared("fromId", ID, &end);
        design.give_declared("toId", ID, &end);
        design.add_section(&format!(
            "[entity.Thing.relation]\nends = \"fromId -> toId\"\nacyclic = true\ndepth = 4\n{serial}"
        ));
    }

    fn surroundings(&self, _role: Role, things: u32) -> Vec<AnyOperation> {
        let nodes = (1..=things + 16)
            .map(|number| create("Node", Item::new().with("nodeId", node(number))));
        nodes.collect()
    }

    fn values(&self, thing: u32, state: State) -> Item {
        match state {
            State::Second if !self.in_key => ends(thing, thing + 10),
            _ => usual_ends(thing),
        }
    }

    fn key(&self, thing: u32) -> Item {
        if self.in_key {
            usual_ends(thing)
        } else {
            Item::new()
        }
    }

    fn judge(&self, items: &Items, findings: &mut Vec<Finding>) {
        let edges: Vec<(&str, &str)> = items
            .of_type("Thing")
            .map(|thing| (text(thing, "fromId"), text(thing, "toId")))
            .collect();
        for (start, _) in &edges {
            let mut reached = vec![*start];
            for _ in 0..edges.len() {
                let next = edges.iter().filter(|(from, _)| reached.contains(from));
                reached = next.map(|(_, to)| *to).collect();
                if reached.contains(start) {
                    findings.push(Finding::new("relations: a relation leads back", *start));
                    break;
                }
            }
        }
    }

    fn probes(&self, case: &Case) -> Vec<Probe> {
        let clash = ErrorKind::Conflict;
        let mut probes = Vec::new();
        let is_asked = ASKED.contains(&case.path.name);
        for (thing, state) in case.path.standing.iter().take(1).filter(|_| is_asked) {
            let to = match state {
                State::Second if !self.in_key => thing + 10,
                _ => thing + 1,
            };
            let back = case.create_with(10, State::First, &ends(to, *thing));
            probes.push(Probe::Refused("a relation that leads back", back, clash));
            let on = case.create_with(11, State::First, &ends(to, 15));
            probes.push(Probe::Allowed("a relation that leads on", on));
            if !self.in_key {
                let turned = case.set(11, Item::new().with("toId", node(*thing)));
                probes.push(Probe::Refused(
                    "a relation that is turned back",
                    turned,
                    clash,
                ));
            }
        }
        if case.path.name == "transact" {
            let first = case.create_with(12, State::First, &ends(12, 13));
            let second = case.create_with(13, State::First, &ends(13, 12));
            let both = AnyOperation::Transact(Transact {
                operations: vec![first, second],
            });
            let what = "a way and its way back in one transaction";
            probes.push(Probe::Refused(what, both, clash));
        }
        let chain = [(4, 5), (5, 6), (6, 7), (7, 8)];
        if case.path.name == "create" {
            for (number, (from, to)) in chain.into_iter().enumerate() {
                let link = case.create_with(20 + number as u32, State::First, &ends(from, to));
                probes.push(Probe::Allowed("a chain as long as it may be", link));
            }
            let link = case.create_with(30, State::First, &ends(8, 9));
            probes.push(Probe::Refused("a chain that is too long", link, clash));
            let parts = [(9, 10), (10, 11), (13, 14), (14, 16)];
            for (number, (from, to)) in parts.into_iter().enumerate() {
                let link = case.create_with(31 + number as u32, State::First, &ends(from, to));
                probes.push(Probe::Allowed("a part of a chain", link));
            }
            let link = case.create_with(35, State::First, &ends(11, 13));
            let what = "a link that joins two parts to a chain that is too long";
            probes.push(Probe::Refused(what, link, clash));
        }
        probes
    }

    fn damages(&self) -> Vec<Damage> {
        vec![Damage {
            name: "a relation with itself",
            apply: |items| {
                for_thing(items, |thing| {
                    let from = text(thing, "fromId").to_owned();
                    let id = text(thing, "thingId").to_owned();
                    let sort = text(thing, "SK").replace(text(thing, "toId"), &from);
                    thing.insert("SK", sort);
                    thing.insert("TosPK", format!("TO#{from}"));
                    thing.insert("TosSK", format!("{from}#{id}"));
                    thing.insert("FromsSK", format!("{from}#{id}"));
                    thing.insert("toId", from);
                });
            },
            outcome: Outcome::Left,
        }]
    }

    fn volatile(&self) -> &'static [&'static str] {
        &["links"]
    }
}
