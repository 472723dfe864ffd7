//! Times: two things of one second have keys of their own (`on_exists = "fraction"`).

use crate::case::Case;
use crate::design::{Design, Role};
use crate::finding::Finding;
use crate::items::{Items, text};
use crate::mechanism::{Mechanism, Probe, State};
use crate::world::SECOND;
use monotable_item::Item;

pub(crate) struct Times;

impl Mechanism for Times {
    fn name(&self) -> &'static str {
        "times"
    }

    fn declare(&self, design: &mut Design) {
        design.thing.key[1].push_str("#{at}");
        design.thing.add("at", "timestamp(seconds), created");
        design.thing.add_line("on_exists = \"fraction\"");
    }

    fn values(&self, _: u32, _: State) -> Item {
        Item::new()
    }

    fn key(&self, _: u32) -> Item {
        Item::new().with("at", SECOND)
    }

    fn judge(&self, items: &Items, findings: &mut Vec<Finding>) {
        for thing in items.of_type("Thing") {
            let at = text(thing, "at");
            if at.is_empty() || !text(thing, "SK").contains(at) {
                findings.push(Finding::new("times: the key has another time", at));
            }
        }
    }

    fn probes(&self, case: &Case) -> Vec<Probe> {
        let mut probes = Vec::new();
        // Where a value must be unique, a second thing of the same values is refused for that.
        let rows = matches!(case.role(), Role::Row | Role::Binned);
        let alone = case.mechanisms.len() == 1 && rows;
        for (thing, state) in case.path.standing.iter().filter(|_| alone) {
            let again = case.create(*thing, *state);
            probes.push(Probe::Allowed("another thing of the same second", again));
        }
        probes
    }
}
