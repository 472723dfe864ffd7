//! The rules of an entity, with what a caller is told whom they refuse.

use crate::diagnostic::{Code, Findings};
use crate::model::{Allow, Must};
use crate::span::Name;
use crate::syntax::rule::Rule;

/// Who may do what.
pub(super) fn allow(rules: &[(Name, Rule)], findings: &mut Findings) -> Allow {
    let mut allow = Allow::default();
    // `write` is all three, so that what is more special can follow it in any order.
    let writes = rules.iter().filter(|(name, _)| name.value == "write");
    for (_, rule) in writes {
        for action in ["create", "update", "delete"] {
            set_rule(&mut allow, action, rule);
        }
    }
    for (name, rule) in rules.iter().filter(|(name, _)| name.value != "write") {
        if name.value == "read" && rule.message.is_some() {
            let message =
                "a read leaves rows out and refuses nothing, so its rule has no `message`";
            findings.error(Code::Contradiction, name.span, message);
        }
        if !set_rule(&mut allow, &name.value, rule) {
            let message = format!(
                "`allow` has no `{}`; there are `read`, `write`, `create`, `update`, `delete` and `cascade`",
                name.value
            );
            findings.error(Code::UnknownKey, name.span, message);
        }
    }
    allow
}

/// Sets the rule of an action with its message. False: there is no such action.
fn set_rule(allow: &mut Allow, action: &str, rule: &Rule) -> bool {
    let predicate = Some(rule.predicate.clone());
    let (slot, message) = match action {
        "read" => {
            allow.read = predicate;
            return true;
        }
        "create" => (&mut allow.create, &mut allow.messages.create),
        "update" => (&mut allow.update, &mut allow.messages.update),
        "delete" => (&mut allow.delete, &mut allow.messages.delete),
        "cascade" => (&mut allow.cascade, &mut allow.messages.cascade),
        _ => return false,
    };
    *slot = predicate;
    message.clone_from(&rule.message);
    true
}

/// What every row satisfies.
pub(super) fn must(name: &Name, rule: &Rule) -> Must {
    Must {
        name: name.clone(),
        predicate: rule.predicate.clone(),
        message: rule.message.clone(),
    }
}
