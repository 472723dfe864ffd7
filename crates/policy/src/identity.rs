//! A caller with policies.

use crate::access::Access;
use crate::circumstances::Circumstances;
use crate::decision::{Decision, Judgement, StatementPlace, Verdict};
use crate::document::Policy;
use crate::error::PolicyError;
use crate::key::{ConditionKey, Context};
use crate::principal::Principal;
use crate::statement::{Effect, Statement};
use crate::wording;

/// A caller, and the policies that say what they may do. Without any policy they may do everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    principal: Principal,
    policies: Vec<Policy>,
}

impl Identity {
    /// A caller with policies. Variables of theirs for which the caller has no value are refused: such a statement would
    /// never apply, and a Deny that never applies is a hole.
    pub fn new(principal: Principal, policies: Vec<Policy>) -> Result<Self, PolicyError> {
        let lacks_value = |key: &ConditionKey| match key {
            ConditionKey::Caller(name) => principal.context(name).is_none(),
            _ => false,
        };
        for policy in &policies {
            if let Some((index, key)) = policy.find_variable(lacks_value) {
                let place = format!("Statement[{index}]");
                let problem = wording::variable_without_value(&key);
                return Err(PolicyError::new(&place, problem).of(policy.name()));
            }
        }
        Ok(Self {
            principal,
            policies,
        })
    }

    /// The caller.
    pub const fn principal(&self) -> &Principal {
        &self.principal
    }

    /// The policies.
    pub fn policies(&self) -> &[Policy] {
        &self.policies
    }

    /// Whether there are no policies, so that everything is allowed.
    pub fn is_unrestricted(&self) -> bool {
        self.policies.is_empty()
    }

    /// Judges a request.
    pub fn judge(&self, accesses: &[Access], circumstances: &Circumstances) -> Judgement {
        let decide = |access: &Access| self.decide(access, circumstances);
        Judgement {
            user: self.principal.arn().to_owned(),
            decisions: accesses.iter().map(decide).collect(),
        }
    }

    /// A Deny wins over every Allow, and what no statement allows is not allowed.
    fn decide(&self, access: &Access, circumstances: &Circumstances) -> Decision {
        let context = Context {
            principal: &self.principal,
            access,
            circumstances,
        };
        let (mut allowing, mut denying) = (None, None);
        let mut mismatches = Vec::new();
        for (place, statement) in self.statements() {
            let slot = match statement.effect {
                Effect::Allow => &mut allowing,
                Effect::Deny => &mut denying,
            };
            match statement.mismatch(&context) {
                Some(mismatch) => mismatches.push((place, mismatch)),
                None => drop(slot.get_or_insert(place)),
            }
        }
        let verdict = match (denying, allowing) {
            (Some(place), _) => Verdict::Denied(place),
            (None, Some(place)) => Verdict::Allowed(place),
            (None, None) if self.is_unrestricted() => Verdict::Unrestricted,
            (None, None) => Verdict::NotAllowed,
        };
        Decision {
            access: access.clone(),
            verdict,
            mismatches,
        }
    }

    fn statements(&self) -> impl Iterator<Item = (StatementPlace, &Statement)> {
        self.policies.iter().flat_map(|policy| {
            let statements = policy.statements.iter().enumerate();
            statements.map(|(index, statement)| {
                let place = StatementPlace {
                    policy: policy.name().to_owned(),
                    index,
                    sid: statement.sid.clone(),
                    effect: statement.effect,
                };
                (place, statement)
            })
        })
    }
}
