//! Referrers: rows that refer to things and go with them, and rows whose references may lead nowhere.

use crate::case::create;
use crate::design::{Design, Entity, ID};
use crate::finding::Finding;
use crate::items::{Items, kind, text};
use crate::mechanism::{Damage, Mechanism, Outcome, State};
use monotable_item::Item;
use monotable_store::AnyOperation;

pub(crate) struct Referrers;

impl Mechanism for Referrers {
    fn name(&self) -> &'static str {
        "referrers"
    }

    fn declare(&self, design: &mut Design) {
        let ticket = Entity::new("Ticket", "TICKETS#{thingId}", "TICKET#{ticketId}")
            .with("shelfId", &format!("{ID}, movable"))
            .with("thingId", "-> Thing, on_delete = cascade")
            .with("ticketId", ID);
        let memo = Entity::new("Memo", "MEMO#{memoId}", "MEMO")
            .with("memoId", ID)
            .with("shelfId", ID)
            .with("thingId", "-> Thing, on_delete = keep");
        design.add_entity(ticket);
        design.add_entity(memo);
        design.add_section(
            "[access.tickets]\nkey = [\"TICKETS#{thingId}\", \"TICKET#*\"]\nreturns = [\"Ticket\"]",
        );
        design.carried.push("tickets".to_owned());
    }

    fn values(&self, _: u32, _: State) -> Item {
        Item::new()
    }

    fn attendants(&self, thing: u32, shelf: &str) -> Vec<AnyOperation> {
        let of = Item::new()
            .with("shelfId", shelf)
            .with("thingId", format!("t{thing}"));
        vec![
            create("Ticket", of.clone().with("ticketId", "k1")),
            create("Ticket", of.clone().with("ticketId", "k2")),
            create("Memo", of.with("memoId", format!("m{thing}"))),
        ]
    }

    fn judge(&self, items: &Items, findings: &mut Vec<Finding>) {
        for ticket in items.of_type("Ticket") {
            let of = [
                ("thingId", text(ticket, "thingId")),
                ("shelfId", text(ticket, "shelfId")),
            ];
            if !items.has("Thing", &of) && !items.has("Binned", &of) {
                findings.push(Finding::new(
                    "referrers: a row outlives what it goes with",
                    text(ticket, "PK"),
                ));
            }
        }
    }

    fn damages(&self) -> Vec<Damage> {
        vec![Damage {
            name: "a ticket of nothing",
            apply: |items| {
                let found = items.iter_mut().find(|item| kind(item) == "Ticket");
                let ticket = found.expect("a ticket");
                ticket.insert("thingId", "t99");
                ticket.insert("PK", "TICKETS#t99");
            },
            outcome: Outcome::Left,
        }]
    }

    /// Memos stay whatever becomes of the thing.
    fn is_history(&self, item: &Item) -> bool {
        kind(item) == "Memo"
    }
}
