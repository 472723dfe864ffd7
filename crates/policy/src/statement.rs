//! A statement of a policy.

use crate::action::ActionPattern;
use crate::condition::{self, Condition};
use crate::decision::Mismatch;
use crate::error::PolicyError;
use crate::json::Place;
use crate::key::{ConditionKey, Context};
use crate::pattern::{self, Pattern};
use crate::wording;

/// What a statement does with the requests that it applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Lets them through, unless another one denies them.
    Allow,
    /// Refuses them, whatever others say.
    Deny,
}

impl Effect {
    /// The word in a policy.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "Allow",
            Self::Deny => "Deny",
        }
    }
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Statement {
    pub(crate) sid: Option<String>,
    pub(crate) effect: Effect,
    pub(crate) actions: Selection<ActionPattern>,
    pub(crate) resources: Selection<Pattern>,
    pub(crate) conditions: Vec<Condition>,
}

/// These, or all but these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Selection<T> {
    Only(Vec<T>),
    AllBut(Vec<T>),
}

impl<T> Selection<T> {
    pub(crate) fn includes(&self, is_named: impl Fn(&T) -> bool) -> bool {
        match self {
            Self::Only(patterns) => patterns.iter().any(is_named),
            Self::AllBut(patterns) => !patterns.iter().any(is_named),
        }
    }

    pub(crate) fn patterns(&self) -> &[T] {
        match self {
            Self::Only(patterns) | Self::AllBut(patterns) => patterns,
        }
    }
}

/// The members of a statement as far as they have been read.
#[derive(Default)]
struct Members {
    sid: Option<String>,
    effect: Option<Effect>,
    actions: Option<Selection<ActionPattern>>,
    resources: Option<Selection<Pattern>>,
    conditions: Option<Vec<Condition>>,
}

impl Statement {
    pub(crate) fn parse(place: &Place<'_>) -> Result<Self, PolicyError> {
        let mut members = Members::default();
        for (name, member) in place.members()? {
            members.read(name, &member)?;
        }
        let missing = |name: &str| place.refuse(format!("a statement needs {name}"));
        Ok(Self {
            sid: members.sid,
            effect: members.effect.ok_or_else(|| missing("Effect"))?,
            actions: members
                .actions
                .ok_or_else(|| missing("Action or NotAction"))?,
            resources: members
                .resources
                .ok_or_else(|| missing("Resource or NotResource"))?,
            conditions: members.conditions.unwrap_or_default(),
        })
    }

    /// The keys whose values its variables need.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &ConditionKey> {
        let resources = self.resources.patterns().iter();
        let resources = resources.flat_map(Pattern::variables);
        resources.chain(self.conditions.iter().flat_map(Condition::variables))
    }

    /// Why it does not apply to a request; none if it does.
    pub(crate) fn mismatch(&self, context: &Context<'_>) -> Option<Mismatch> {
        let access = context.access;
        if !self
            .actions
            .includes(|action| action.matches(access.action))
        {
            return Some(Mismatch::Action);
        }
        let is_named = |pattern: &Pattern| pattern::matches_arn(pattern, &access.resource, context);
        if !self.resources.includes(is_named) {
            return Some(Mismatch::Resource);
        }
        let failed = self
            .conditions
            .iter()
            .find(|condition| !condition.holds(context))?;
        Some(Mismatch::Condition {
            operator: failed.operator.to_string(),
            key: failed.key.to_string(),
            given: failed.key.values(context),
        })
    }
}

impl Members {
    fn read(&mut self, name: &str, member: &Place<'_>) -> Result<(), PolicyError> {
        match name {
            "Sid" => self.sid = Some(member.text()?.to_owned()),
            "Effect" => self.effect = Some(parse_effect(member)?),
            "Action" => self.set_actions(member, Selection::Only)?,
            "NotAction" => self.set_actions(member, Selection::AllBut)?,
            "Resource" => self.set_resources(member, Selection::Only)?,
            "NotResource" => self.set_resources(member, Selection::AllBut)?,
            "Condition" => self.conditions = Some(condition::parse(member)?),
            "Principal" | "NotPrincipal" => return Err(member.refuse(wording::PRINCIPAL)),
            _ => {
                return Err(member.refuse(format!(
                    "unknown element {name}: a statement has Sid, Effect, Action or NotAction, Resource or \
                     NotResource, and Condition"
                )));
            }
        }
        Ok(())
    }

    fn set_actions(
        &mut self,
        member: &Place<'_>,
        select: impl Fn(Vec<ActionPattern>) -> Selection<ActionPattern>,
    ) -> Result<(), PolicyError> {
        let patterns = member.one_or_more()?;
        let patterns = patterns.iter().map(ActionPattern::parse);
        let selection = select(patterns.collect::<Result<_, _>>()?);
        match self.actions.replace(selection) {
            None => Ok(()),
            Some(_) => Err(member.refuse("a statement has Action or NotAction, and not both")),
        }
    }

    fn set_resources(
        &mut self,
        member: &Place<'_>,
        select: impl Fn(Vec<Pattern>) -> Selection<Pattern>,
    ) -> Result<(), PolicyError> {
        let patterns = member.one_or_more()?;
        let patterns = patterns
            .iter()
            .map(|place| pattern::parse_arn(place, place.text()?));
        let selection = select(patterns.collect::<Result<_, _>>()?);
        match self.resources.replace(selection) {
            None => Ok(()),
            Some(_) => Err(member.refuse("a statement has Resource or NotResource, and not both")),
        }
    }
}

fn parse_effect(place: &Place<'_>) -> Result<Effect, PolicyError> {
    match place.text()? {
        "Allow" => Ok(Effect::Allow),
        "Deny" => Ok(Effect::Deny),
        other => Err(place.refuse(format!("{other:?} is neither \"Allow\" nor \"Deny\""))),
    }
}
