//! References: the rows that things name are there, and are what the model says.

use crate::case::{Case, create, delete};
use crate::design::{Design, Entity, ID, Role};
use crate::finding::Finding;
use crate::items::{Items, kind, text};
use crate::mechanism::{Damage, Mechanism, Outcome, Probe, State, is_snapshot};
use crate::mechanisms::values::for_thing;
use monotable_item::Item;
use monotable_store::{AnyOperation, ErrorKind, NoteKind};

pub(crate) struct References;

fn owner(id: &str, mode: &str) -> Item {
    Item::new().with("ownerId", id).with("mode", mode)
}

/// Changes whom the first thing knows; things of a snapshot know nobody.
fn befriend(items: &mut [Item], friend: &str) {
    for_rows_of_thing(items, |row| {
        if row.get("OwnersPK").is_some() {
            row.insert("friendId", friend);
        }
    });
}

/// Changes all rows of the first thing.
fn for_rows_of_thing(items: &mut [Item], change: impl Fn(&mut Item)) {
    let is_thing = |item: &&mut Item| kind(item) == "Thing";
    let mut things = items.iter_mut().filter(is_thing);
    let first = things.next().map(|thing| text(thing, "SK").to_owned());
    let id = first
        .as_deref()
        .map(|sort| sort.split('#').take(2).collect::<Vec<_>>().join("#"));
    let Some(id) = id else {
        return;
    };
    let of_thing = |item: &&mut Item| text(item, "SK").starts_with(&id);
    let rows = items.iter_mut().filter(is_thing).filter(of_thing);
    rows.for_each(change);
}

impl Mechanism for References {
    fn name(&self) -> &'static str {
        "references"
    }

    fn declare(&self, design: &mut Design) {
        let plain = "text(1..20)?";
        if is_snapshot(design) {
            let owner = Entity::new("Owner", "REPO#{repoId}#{revId}", "OWNER#{ownerId}")
                .with("repoId", "date, key_only")
                .with("revId", "ulid, key_only")
                .with("ownerId", ID)
                .with("mode", "live | closed");
            design.add_versioned(owner);
            design.thing.add(
                "ownerId",
                "-> Owner?, where mode = 'live', on_delete = keep",
            );
            return;
        }
        let owner = Entity::new("Owner", "OWNER#{ownerId}", "OWNER")
            .with("ownerId", ID)
            .with("mode", "live | closed")
            .with("metal", "gold | lead, default = gold, immutable");
        design.add_entity(owner);
        let default = if design.role == Role::Leaf {
            ", default = 'o1'"
        } else {
            ""
        };
        let owned = format!("-> Owner?, where mode = 'live', on_delete = restrict{default}");
        design.give_declared("ownerId", plain, &owned);
        let known = format!("-> Owner?, where metal = 'gold', on_delete = keep{default}");
        design.give_declared("friendId", plain, &known);
        design.add_index("Owners", "OWNER#{ownerId}", "THING#{thingId}");
    }

    fn surroundings(&self, role: Role, _things: u32) -> Vec<AnyOperation> {
        let mut owners = vec![owner("o1", "live"), owner("o2", "live")];
        owners.push(if role == Role::Snapshot {
            owner("o3", "closed")
        } else {
            owner("o3", "closed").with("metal", "lead")
        });
        let owners = owners.into_iter();
        owners.map(|owner| create("Owner", owner)).collect()
    }

    fn values(&self, _: u32, state: State) -> Item {
        match state {
            State::First => Item::new().with("ownerId", "o1"),
            State::Second => Item::new().with("ownerId", "o2"),
            State::Bare => Item::new(),
        }
    }

    fn judge(&self, items: &Items, findings: &mut Vec<Finding>) {
        for thing in items.of_type("Thing") {
            let id = text(thing, "ownerId");
            let live = items.has("Owner", &[("ownerId", id), ("mode", "live")]);
            if !id.is_empty() && !live {
                findings.push(Finding::new("references: a thing refers to nothing", id));
            }
        }
    }

    fn probes(&self, case: &Case) -> Vec<Probe> {
        if case.path.standing.is_empty() {
            return Vec::new();
        }
        let with = |thing, id: &str| {
            case.create_with(thing, State::First, &Item::new().with("ownerId", id))
        };
        let snapshot = case.role() == Role::Snapshot;
        let missing = if snapshot {
            ErrorKind::Validation
        } else {
            ErrorKind::NotFound
        };
        let mut probes = vec![
            Probe::Refused("a reference to nothing", with(8, "o9"), missing),
            Probe::Refused(
                "a reference to what it may not name",
                with(9, "o3"),
                ErrorKind::Validation,
            ),
        ];
        for (_, state) in case.path.standing.iter().take(1).filter(|_| !snapshot) {
            let id = match state {
                State::First => "o1",
                State::Second => "o2",
                State::Bare => continue,
            };
            let lost = delete("Owner", Item::new().with("ownerId", id));
            probes.push(Probe::Refused(
                "a delete of what is named",
                lost,
                ErrorKind::Conflict,
            ));
        }
        probes
    }

    fn damages(&self) -> Vec<Damage> {
        vec![
            Damage {
                name: "a reference to nothing",
                apply: |items| for_thing(items, |thing| thing.insert("ownerId", "o9")),
                outcome: Outcome::Left,
            },
            Damage {
                name: "a reference to what it may not name any more",
                apply: |items| {
                    for_rows_of_thing(items, |row| {
                        row.insert("ownerId", "o3");
                        row.insert("OwnersPK", "OWNER#o3");
                    });
                },
                // The owner may have been closed after the thing was made.
                outcome: Outcome::Noted(NoteKind::Dangling),
            },
            Damage {
                name: "a reference to what it never could name",
                apply: |items| befriend(items, "o3"),
                outcome: Outcome::Left,
            },
            Damage {
                name: "a reference to nothing that the model allows",
                apply: |items| befriend(items, "o9"),
                outcome: Outcome::Noted(NoteKind::Dangling),
            },
        ]
    }
}
