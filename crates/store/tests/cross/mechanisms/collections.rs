//! Collections: rows that a thing owns, which live, move and die with it, and the mark of long operations.

use crate::case::create;
use crate::design::{Design, Entity, ID};
use crate::finding::Finding;
use crate::items::{Items, kind, text};
use crate::mechanism::{Damage, Mechanism, Outcome, State};
use crate::mechanisms::values::for_thing;
use monotable_item::Item;
use monotable_store::AnyOperation;

pub(crate) struct Collections;

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
        let piece = Entity::new("Piece", "PIECES#{shelfId}#{thingId}", "PIECE#{pieceId}")
            .with("shelfId", &format!("{ID}, movable"))
            .with("thingId", "-> Thing, on_delete = cascade")
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
        let piece = |number: u32| {
            let values = Item::new()
                .with("shelfId", shelf)
                .with("thingId", format!("t{thing}"))
                .with("pieceId", format!("p{number}"));
            create("Piece", values)
        };
        (1..=3).map(piece).collect()
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
        for item in &items.0 {
            if item.get("deletingAt").is_some() {
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
                        thing.insert("deletingAt", "2025-11-18T12:00:00.000Z")
                    });
                },
                outcome: Outcome::Finished(|case| case.delete(1)),
            },
        ]
    }
}
