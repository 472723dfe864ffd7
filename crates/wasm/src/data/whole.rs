//! What is done to whole tables: they are held against the model, and repaired.

use monotable_store::{Adoption, Error, RepairMode, Repaired, Store, Verification, VerifyOptions};
use serde_json::{Value, json};

/// A task about whole tables.
#[derive(Clone, Copy, Debug)]
pub(super) enum WholeTask {
    /// Holds everything against the model.
    Verify,
    /// Takes over rows that something else has written.
    Adopt,
    /// Counts anew.
    Recount,
    /// Writes what rows lack.
    Backfill,
    /// Writes rows of old layouts under the keys of today.
    Convert,
    /// Ends what was begun.
    Finish,
}

impl WholeTask {
    /// The task of a name.
    pub(super) fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "verify" => Self::Verify,
            "adopt" => Self::Adopt,
            "recount" => Self::Recount,
            "backfill" => Self::Backfill,
            "convert" => Self::Convert,
            "finish" => Self::Finish,
            _ => return None,
        })
    }

    pub(super) async fn carry_out(self, store: Store) -> Result<String, Error> {
        let options = VerifyOptions::new();
        let told = match self {
            Self::Verify => show_verification(&store.verify_with(&options).await?),
            Self::Adopt => show_adoption(&store.adopt(&options, RepairMode::Write).await?),
            Self::Recount => show_repaired(&store.recount().await?),
            Self::Backfill => show_repaired(&store.backfill().await?),
            Self::Convert => show_repaired(&store.convert().await?),
            Self::Finish => show_repaired(&store.finish(&options).await?),
        };
        Ok(told.to_string())
    }
}

fn show_repaired(repaired: &Repaired) -> Value {
    json!({ "written": repaired.written, "left": repaired.left })
}

fn show_adoption(adoption: &Adoption) -> Value {
    json!({
        "converted": adoption.converted.written,
        "repaired": adoption.repaired.written,
        "left": adoption.repaired.left,
        "violations": adoption.verification.violations.len(),
        "adopted": adoption.is_adopted,
    })
}

fn show_verification(found: &Verification) -> Value {
    let violations = found.violations.iter().map(|one| {
        json!({ "wrong": one.wrong.name(), "entity": one.entity, "key": one.key, "message": one.message })
    });
    let notes = found.notes.iter().map(|one| {
        json!({ "kind": one.kind.name(), "entity": one.entity, "key": one.key, "message": one.message })
    });
    let unfinished = found.unfinished.iter().map(|one| {
        json!({ "what": one.what.name(), "entity": one.entity, "key": one.key, "message": one.message })
    });
    json!({
        "violations": violations.collect::<Vec<_>>(),
        "notes": notes.collect::<Vec<_>>(),
        "unfinished": unfinished.collect::<Vec<_>>(),
    })
}
