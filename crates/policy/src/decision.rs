//! What policies say about a request, and which statement says it.

use crate::access::Access;
use crate::statement::Effect;
use crate::wording;
use std::fmt;

/// What an identity's policies say about all accesses of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    pub(crate) user: String,
    /// One for each access, in the order of the request.
    pub decisions: Vec<Decision>,
}

/// What policies say about one access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The access.
    pub access: Access,
    /// What they say.
    pub verdict: Verdict,
    /// Every statement that does not apply, and why.
    pub mismatches: Vec<(StatementPlace, Mismatch)>,
}

/// What policies say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A statement allows it, and none denies it.
    Allowed(StatementPlace),
    /// A statement denies it.
    Denied(StatementPlace),
    /// No statement allows it.
    NotAllowed,
    /// There are no policies.
    Unrestricted,
}

/// A statement, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementPlace {
    /// The name of the policy.
    pub policy: String,
    /// Which of its statements, counted from 0.
    pub index: usize,
    /// The name of the statement.
    pub sid: Option<String>,
    /// What it does.
    pub effect: Effect,
}

/// Why a statement does not apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// It is about other actions.
    Action,
    /// It is about other resources.
    Resource,
    /// A condition does not hold.
    Condition {
        /// The operator.
        operator: String,
        /// The key.
        key: String,
        /// The values of the key in the request.
        given: Vec<String>,
    },
}

impl Verdict {
    /// Whether it lets the access through.
    pub const fn is_allowed(&self) -> bool {
        matches!(self, Self::Allowed(_) | Self::Unrestricted)
    }
}

impl Judgement {
    /// Whether the request is allowed.
    pub fn is_allowed(&self) -> bool {
        let mut decisions = self.decisions.iter();
        decisions.all(|decision| decision.verdict.is_allowed())
    }

    /// What AWS says to a request that is not allowed.
    pub fn refusal(&self) -> Option<String> {
        let mut decisions = self.decisions.iter();
        decisions.find_map(|decision| match decision.verdict {
            Verdict::Allowed(_) | Verdict::Unrestricted => None,
            Verdict::Denied(_) => Some(wording::denied(&self.user, &decision.access)),
            Verdict::NotAllowed => Some(wording::not_allowed(&self.user, &decision.access)),
        })
    }
}

impl fmt::Display for StatementPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} Statement[{}]", self.policy, self.index)?;
        match &self.sid {
            Some(sid) => write!(f, " {sid:?}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Action => f.write_str("it is about other actions"),
            Self::Resource => f.write_str("it is about other resources"),
            Self::Condition {
                operator,
                key,
                given,
            } => {
                write!(f, "{operator} does not hold of {key}, which ")?;
                if given.is_empty() {
                    f.write_str("the request does not have")
                } else {
                    write!(f, "is {}", given.join(", "))
                }
            }
        }
    }
}
