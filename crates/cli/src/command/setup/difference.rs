//! What is different between tables and a model, for people.

use crate::exit::{done, note};
use crate::target::Place;
use monotable_store::{IndexChangeKind, SetupReport};

/// Whether it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tense {
    /// It is only said.
    Would,
    /// It follows.
    Will,
}

impl Tense {
    /// With the verb behind it: `would create`, or `create`.
    fn verb(self, verb: &str) -> String {
        match self {
            Self::Would => format!("would {verb}"),
            Self::Will => verb.to_owned(),
        }
    }
}

/// Says what is different, a line for each.
pub(super) fn tell_difference(tables: &[SetupReport], place: &Place, tense: Tense) {
    for table in tables {
        let name = &table.table;
        if table.new {
            let create = tense.verb("create");
            done(format_args!("{create} {name} {}", place.locate()));
        } else if table.is_unchanged() {
            done(format_args!("{name} is there already {}", place.locate()));
        }
        for change in &table.indexes {
            let index = &change.index;
            match change.kind {
                IndexChangeKind::Added => {
                    done(format_args!(
                        "{} index {index} to {name}",
                        tense.verb("add")
                    ));
                }
                IndexChangeKind::Awaited => {
                    let wait = tense.verb("wait");
                    done(format_args!(
                        "{wait} for index {index} of {name}, which is being made"
                    ));
                }
                IndexChangeKind::Replaced(reason) => {
                    let drop = tense.verb("drop");
                    done(format_args!(
                        "{drop} index {index} of {name} and make it anew: {reason}"
                    ));
                }
                IndexChangeKind::Dropped => {
                    let drop = tense.verb("drop");
                    done(format_args!(
                        "{drop} index {index} of {name}: the model does not know it"
                    ));
                }
            }
        }
        for setting in &table.changed {
            done(format_args!("{} {name} its {setting}", tense.verb("give")));
        }
        for lacking in &table.lacks {
            note(format_args!("{name} has no {lacking}: the target has none"));
        }
        for index in &table.unknown_indexes {
            note(format_args!(
                "{name} has the index {index}, which the model does not know; --drop-indexes drops it"
            ));
        }
    }
}
