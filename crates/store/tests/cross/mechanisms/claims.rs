//! Claims: values that no two things share, guarded by hidden rows and by rows of an entity.

use crate::case::Case;
use crate::design::{Design, Entity};
use crate::finding::Finding;
use crate::items::{Items, kind, list, text};
use crate::mechanism::{Damage, Mechanism, Outcome, Probe, State, is_snapshot};
use monotable_item::Item;
use monotable_store::ErrorKind;

pub(crate) struct Claims;

const CODE: &str = "code";
const MAIL: &str = "mail";

fn code(thing: u32, state: State) -> Option<String> {
    match state {
        State::First => Some(format!("A{thing}")),
        State::Second => Some(format!("B{thing}")),
        State::Bare => None,
    }
}

impl Mechanism for Claims {
    fn name(&self) -> &'static str {
        "claims"
    }

    fn declare(&self, design: &mut Design) {
        design.give(CODE, "text(1..20)?", "");
        design.give(MAIL, "text(1..20)?", "");
        if is_snapshot(design) {
            design
                .thing
                .add_line("unique.code = { within = \"snapshot\" }");
            return;
        }
        if design.spread {
            // All rows of an item have its values; what they have of their own is the element.
            design.thing.add_line("unique.code = \"CODE#{part:lower}\"");
            return;
        }
        design.thing.add_line("unique.code = \"CODE#{code:lower}\"");
        // The guard of this one moves when a thing gets another shelf.
        design
            .thing
            .add_line("unique.spot = \"SPOT#{shelfId}#{code:lower}\"");
        design.thing.add_line(
            "unique.mail = { entity = \"Taken\", set = { kind = \"mail\", value = \"{mail:lower}\", owner = \"{thingId}\" } }",
        );
        let taken = Entity::new("Taken", "TAKEN#{kind}#{value}", "TAKEN")
            .with_line("writes = []")
            .with("kind", "'mail'")
            .with("value", "text(1..50)")
            .with("owner", "text(1..20)");
        design.add_entity(taken);
    }

    fn values(&self, thing: u32, state: State) -> Item {
        let mut values = Item::new();
        if let Some(code) = code(thing, state) {
            values.insert(MAIL, format!("{code}@X"));
            values.insert(CODE, code);
        }
        values
    }

    fn judge(&self, items: &Items, findings: &mut Vec<Finding>) {
        let has_guards = items.of_type("Head").next().is_none();
        let things: Vec<_> = items.of_type("Thing").collect();
        for thing in things.iter().filter(|_| has_guards) {
            let (id, code) = (text(thing, "thingId"), claimed(thing));
            if !code.is_empty()
                && !items.has("ThingCode", &[("PK", &guard_key(code)), ("thingId", id)])
            {
                findings.push(Finding::new("claims: a value has no guard", code));
            }
            let spot = format!("SPOT#{}#{}", text(thing, "shelfId"), code.to_lowercase());
            let has_spot = items.has("ThingSpot", &[("PK", &spot), ("thingId", id)]);
            if !code.is_empty() && thing.get("part").is_none() && !has_spot {
                findings.push(Finding::new("claims: a spot has no guard", spot));
            }
            let mail = text(thing, MAIL);
            let value = mail.to_lowercase();
            let is_spread = thing.get("part").is_some();
            if !is_spread
                && !mail.is_empty()
                && !items.has("Taken", &[("value", &value), ("owner", id)])
            {
                findings.push(Finding::new(
                    "claims: a value has no guard that is a row",
                    mail,
                ));
            }
        }
        let claims = |id: &str, own: fn(&Item) -> &str, value: &str| {
            items
                .things_and_binned()
                .any(|thing| text(thing, "thingId") == id && own(thing).to_lowercase() == value)
        };
        for guard in items.of_type("ThingCode") {
            let value = text(guard, "PK").trim_start_matches("CODE#").to_owned();
            if !claims(text(guard, "thingId"), claimed, &value) {
                findings.push(Finding::new("claims: a guard guards nothing", value));
            }
        }
        for guard in items.of_type("ThingSpot") {
            let spot = |thing: &Item| {
                let code = text(thing, CODE).to_lowercase();
                format!("SPOT#{}#{code}", text(thing, "shelfId"))
            };
            let mut things = items.things_and_binned();
            if !things.any(|thing| spot(thing) == text(guard, "PK")) {
                findings.push(Finding::new(
                    "claims: a guard guards no spot",
                    text(guard, "PK"),
                ));
            }
        }
        for guard in items.of_type("Taken") {
            let value = text(guard, "value");
            if !claims(text(guard, "owner"), |thing| text(thing, MAIL), value) {
                findings.push(Finding::new(
                    "claims: a guard that is a row guards nothing",
                    value,
                ));
            }
        }
        for (position, thing) in things.iter().enumerate() {
            let same = |other: &&&Item| {
                let code = claimed(thing);
                !code.is_empty()
                    && claimed(other).eq_ignore_ascii_case(code)
                    && text(other, "PK") == text(thing, "PK")
            };
            if things.iter().skip(position + 1).any(|other| same(&other)) {
                findings.push(Finding::new(
                    "claims: two things have one value",
                    claimed(thing),
                ));
            }
        }
    }

    fn probes(&self, case: &Case) -> Vec<Probe> {
        let mut probes = Vec::new();
        let with = |thing, code: String| {
            let mut values = Item::new()
                .with(CODE, code.clone())
                .with(MAIL, format!("{code}@x"));
            if case.has("each") {
                // The first element of thing 1 in its first state is `a1`, as its code is `A1`.
                values.insert("parts", list(&[code]));
            }
            case.create_with(thing, State::First, &values)
        };
        let standing = case.path.standing;
        for (thing, state) in standing {
            let Some(code) = code(*thing, *state) else {
                continue;
            };
            let operation = with(6, code);
            probes.push(Probe::Refused(
                "a value that is taken",
                operation,
                ErrorKind::Conflict,
            ));
        }
        if let Some(code) = released(case) {
            probes.push(Probe::Allowed("a value that was released", with(7, code)));
        }
        if case.path.name == "soft delete" {
            let again = case.create_with(
                1,
                State::First,
                &Item::new().with(CODE, "Z1").with(MAIL, "z1"),
            );
            probes.push(Probe::Refused(
                "the place of a row in the bin",
                again,
                ErrorKind::Conflict,
            ));
        }
        probes
    }

    fn damages(&self) -> Vec<Damage> {
        vec![
            Damage {
                name: "a guard that is lost",
                apply: |items| items.retain(|item| kind(item) != "ThingCode"),
                outcome: Outcome::Mended,
            },
            Damage {
                name: "a guard row that is lost",
                apply: |items| items.retain(|item| kind(item) != "Taken"),
                outcome: Outcome::Mended,
            },
            Damage {
                name: "a guard of nothing",
                apply: |items| {
                    let guard = items.iter().find(|item| kind(item) == "ThingCode");
                    let Some(mut guard) = guard.cloned() else {
                        return;
                    };
                    for name in ["PK", "SK"] {
                        guard.insert(name, "CODE#nobody");
                    }
                    guard.insert(CODE, "nobody");
                    items.push(guard);
                },
                outcome: Outcome::Mended,
            },
        ]
    }
}

/// A code that the first thing has had or could have had, and does not have in the end.
fn released(case: &Case) -> Option<String> {
    let standing = case.path.standing;
    let undecided = ["soft delete", "derived loss", "path loss"].contains(&case.path.name);
    if standing.is_empty() || undecided || case.keeps_deleted() {
        return None;
    }
    let is = |state| standing.contains(&(1, state));
    let (first, second, bare) = (is(State::First), is(State::Second), is(State::Bare));
    if !case.has("each") {
        return code(1, if first { State::Second } else { State::First });
    }
    // Its elements are `a1` and `b1`; `b1`, `c1` and `d1`; or `a1`.
    if second {
        Some("A1".to_owned())
    } else {
        (first || bare).then(|| "D1".to_owned())
    }
}

/// What a thing claims as its code.
fn claimed(thing: &Item) -> &str {
    match text(thing, "part") {
        "" => text(thing, CODE),
        part => part,
    }
}

fn guard_key(code: &str) -> String {
    format!("CODE#{}", code.to_lowercase())
}
