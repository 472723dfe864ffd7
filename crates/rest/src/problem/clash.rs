//! What clashes with a write, as JSON.

use monotable_store::Clash;
use serde_json::{Value, json};

/// The clash with its parts: `{"is": "unique", "claim": "Email"}`.
pub(super) fn describe_clash(clash: &Clash) -> Value {
    match clash {
        Clash::Key { key } if key.is_empty() => json!({"is": "key"}),
        Clash::Key { key } => json!({"is": "key", "key": key}),
        Clash::Unique { claim } => json!({"is": "unique", "claim": claim}),
        Clash::Expected { attribute } => json!({"is": "expected", "attribute": attribute}),
        Clash::Mirrored => json!({"is": "mirrored"}),
        Clash::Cycle => json!({"is": "cycle"}),
        Clash::TooDeep { depth } => json!({"is": "too_deep", "depth": depth}),
        Clash::InUse { by, .. } if by.is_empty() => json!({"is": "in_use"}),
        Clash::InUse { by, attribute } => {
            json!({"is": "in_use", "by": by, "attribute": attribute})
        }
        Clash::Moving { name } if name.is_empty() => json!({"is": "moving"}),
        Clash::Moving { name } => json!({"is": "moving", "move": name}),
        Clash::Head { head: None } => json!({"is": "head"}),
        Clash::Head { head: Some(head) } => json!({"is": "head", "head": head}),
        Clash::Rebase { rows } => json!({"is": "rebase", "rows": rows}),
        Clash::Contended => json!({"is": "contended"}),
        Clash::LeftBehind => json!({"is": "left_behind"}),
        Clash::TokenMismatch { earlier, now } => {
            json!({"is": "token_mismatch", "earlier": earlier, "now": now})
        }
    }
}

/// Every word that `is` can have.
pub(crate) const CLASHES: &[&str] = &[
    "key",
    "unique",
    "expected",
    "mirrored",
    "cycle",
    "too_deep",
    "in_use",
    "moving",
    "head",
    "rebase",
    "contended",
    "left_behind",
    "token_mismatch",
];
