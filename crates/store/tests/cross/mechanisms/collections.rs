//! Collections: rows that a thing owns, which live, move and die with it, and the mark of long operations.

use crate::case::create;
use crate::design::{Design, Entity, ID};
use crate::finding::Finding;
use crate::items::{Items, kind, number, text};
use crate::mechanism::{Damage, Mechanism, Outcome, State};
use crate::mechanisms::values::for_thing;
use monotable_item::Item;
use monotable_store::AnyOperation;

pub(crate) struct Collections;

fn piece(thing: u32, shelf: &str, number: u32) -> AnyOperation {
    let values = Item::new()
        .with("shelfId", shelf)
        .with("thingId", format!("t{thing}"))
        .with("pieceId", format!("p{number}"));
    create("Piece", values)
}

impl Mechanism for Collections {
    fn name(&self) -> &'static str {
        "collections"
    }

    fn declare(&self, design: &mut Design) {
        design
            .thing
            .add("deletingAt", "timestamp?, deleting, internal");
        if let Some(binned) = design.entity("Binned") {
            binned.add("deletingAt", "timestamp?, deleting, internal");
        }
        design.thing.add_line("owns = [\"pieces_of_thing\"]");
        // What counts the pieces moves with them; an item of several rows counts nothing.
        let counted = if design.spread {
            ""
        } else {
            design.thing.add("pieces", "integer(0..), default = 0");
            ", counted = pieces"
        };
        let piece = Entity::new("Piece", "PIECES#{shelfId}#{thingId}", "PIECE#{pieceId}")
            .with("shelfId", &format!("{ID}, movable"))
            .with(
                "thingId",
                &format!("-> Thing, on_delete = cascade{counted}"),
            )
            .with("pieceId", ID);
        design.add_entity(piece);
        design.add_section(
            "[access.pieces_of_thing]\nkey = [\"PIECES#{shelfId}#{thingId}\", \"PIECE#*\"]\nreturns = [\"Piece\"]",
        );
        design.carried.push("pieces_of_thing".to_owned());
    }

    fn values(&self, _: u32, _: State) -> Item {
        Item::new()
    }

    fn attendants(&self, thing: u32, shelf: &str) -> Vec<AnyOperation> {
        (1..=3).map(|number| piece(thing, shelf, number)).collect()
    }

    fn crowd(&self, thing: u32, shelf: &str) -> Vec<AnyOperation> {
        (4..=70).map(|number| piece(thing, shelf, number)).collect()
    }

    fn judge(&self, items: &Items, findings: &mut Vec<Finding>) {
        let pieces = items.of_type("Piece").chain(items.of_type("BinnedRest"));
        for piece in pieces.filter(|item| item.get("pieceId").is_some()) {
            let of = [
                ("thingId", text(piece, "thingId")),
                ("shelfId", text(piece, "shelfId")),
            ];
            let away = text(piece, "PK").starts_with("BIN#");
            let owner = if away { "Binned" } else { "Thing" };
            if !items.has(owner, &of) {
                findings.push(Finding::new(
                    "collections: a row has no owner",
                    text(piece, "PK"),
                ));
            }
        }
        for thing in items.of_type("Thing") {
            let own = |piece: &&Item| {
                let mut names = ["thingId", "shelfId"].iter();
                names.all(|name| text(piece, name) == text(thing, name))
            };
            let count = items.of_type("Piece").filter(own).count();
            // A piece knows its thing by shelf and id; a thing with more in its key is not found by them, and counts nothing.
            let is_known = text(thing, "SK") == format!("THING#{}", text(thing, "thingId"));
            let counted = number(thing, "pieces").filter(|_| is_known);
            if counted.is_some_and(|counted| counted != count as i64) {
                findings.push(Finding::new(
                    "collections: the pieces are not counted",
                    format!("{counted:?} instead of {count}"),
                ));
            }
        }
        for item in &items.0 {
            // The mark, and the attribute beside it that names the move.
            if item.iter().any(|(name, _)| name.starts_with("deletingAt")) {
                findings.push(Finding::new(
                    "collections: a mark is left over",
                    text(item, "PK"),
                ));
            }
        }
    }

    fn damages(&self) -> Vec<Damage> {
        vec![
            Damage {
                name: "an owned row without its owner",
                apply: |items| {
                    let found = items.iter_mut().find(|item| kind(item) == "Piece");
                    let piece = found.expect("a piece");
                    piece.insert("thingId", "t99");
                    piece.insert("PK", "PIECES#s1#t99");
                },
                outcome: Outcome::Left,
            },
            Damage {
                name: "a mark of an operation that broke off",
                apply: |items| {
                    for_thing(items, |thing| {
                        // A delete that sets a tombstone is one transaction, and marks nothing.
                        if thing.get("removed").is_none() {
                            thing.insert("deletingAt", "2025-11-18T12:00:00.000Z");
                        }
                    });
                },
                outcome: Outcome::Finished(|case| case.delete(1)),
            },
        ]
    }
}
