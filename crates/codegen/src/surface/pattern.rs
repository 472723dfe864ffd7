//! An access pattern as programs call it.

use monotable_model::model::{Access, AccessId, EntityId, Guard, Model, Order, Repository, Way};
use monotable_model::plan::{PlanParameter, Plans, Purpose, ReadPlan, Repeat, list_requests};

/// An access pattern as programs call it.
pub(crate) struct PatternSurface<'m> {
    pub(crate) access: &'m Access,
    /// What a caller gives.
    pub(crate) parameters: Vec<&'m PlanParameter>,
    pub(crate) answer: Answer<'m>,
    /// Its requests in a few words: `Query of GSI1, then BatchGetItem`.
    pub(crate) requests: String,
    /// All its keys are without the tenant's prefix.
    pub(crate) is_global: bool,
}

/// What a pattern answers.
pub(crate) enum Answer<'m> {
    /// At most one row.
    One(Vec<ReturnedEntity<'m>>),
    /// Pages of rows.
    List(Vec<ReturnedEntity<'m>>),
    /// What two revisions of a repository differ in.
    Differences(&'m Repository),
}

/// Rows of one entity that a pattern returns.
pub(crate) struct ReturnedEntity<'m> {
    pub(crate) id: EntityId,
    /// The attributes that are read; all if empty.
    pub(crate) only: Vec<&'m str>,
    pub(crate) followed: Vec<FollowedRows<'m>>,
}

/// Rows that come along because a reference names them.
pub(crate) struct FollowedRows<'m> {
    pub(crate) attribute: &'m str,
    pub(crate) entities: Vec<EntityId>,
    /// It is a list of references.
    pub(crate) many: bool,
}

impl<'m> PatternSurface<'m> {
    pub(crate) fn new(model: &'m Model, plans: &'m Plans, id: AccessId) -> Self {
        let access = model.pattern(id);
        let plan = plans.pattern(id);
        let parameters = plan.parameters.iter();
        Self {
            access,
            parameters: parameters.filter(|known| !known.is_refused).collect(),
            answer: Answer::new(model, access),
            requests: list_steps(plans, plan),
            is_global: model.tenant.is_some() && is_global(model, access),
        }
    }

    pub(crate) fn name(&self) -> &'m str {
        &self.access.name.value
    }

    /// The entities whose rows it returns.
    pub(crate) fn returned(&self) -> &[ReturnedEntity<'m>] {
        match &self.answer {
            Answer::One(returned) | Answer::List(returned) => returned,
            Answer::Differences(_) => &[],
        }
    }

    /// What else there is to say about its rows: their order, how many there are, how fresh they are.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.access.consistent {
            remarks.push("Reads are consistent.".to_owned());
        }
        if self.access.order == Order::Descending {
            remarks.push("In descending order.".to_owned());
        }
        if !self.access.sort.is_empty() {
            let names = self.access.sort.iter();
            let names: Vec<_> = names.map(|name| format!("`{}`", name.value)).collect();
            remarks.push(format!("Sorted by {}.", names.join(", ")));
        }
        if let Some(filter) = &self.access.filter {
            remarks.push(format!("Only rows with {filter}."));
        }
        if let (Answer::List(_), Some(limit)) = (&self.answer, self.access.limit) {
            remarks.push(format!("A page has {limit} rows at most."));
        }
        remarks
    }
}

impl<'m> Answer<'m> {
    fn new(model: &'m Model, access: &'m Access) -> Self {
        if let Way::Diff(repository) = access.way {
            return Self::Differences(model.repository(repository));
        }
        let mut returned: Vec<ReturnedEntity<'m>> = Vec::new();
        let kinds = access.returns.iter().flat_map(|id| model.kinds_of(*id));
        for id in kinds {
            if returned.iter().all(|known| known.id != id) {
                returned.push(ReturnedEntity::new(model, access, id));
            }
        }
        let is_single = matches!(
            access.way,
            Way::Get { .. } | Way::Through { .. } | Way::Pointer { .. }
        );
        if is_single || access.one || access.limit == Some(1) {
            Self::One(returned)
        } else {
            Self::List(returned)
        }
    }
}

impl<'m> ReturnedEntity<'m> {
    fn new(model: &'m Model, access: &'m Access, id: EntityId) -> Self {
        let entity = model.entity(id);
        let followed = access.follow.iter().filter_map(|name| {
            let attribute = entity.attribute(&name.value)?;
            let reference = attribute.reference.as_ref()?;
            Some(FollowedRows {
                attribute: &attribute.name.value,
                entities: model.kinds_of(reference.target),
                many: reference.many,
            })
        });
        let only = access.only.iter().map(|name| name.value.as_str());
        Self {
            id,
            only: only
                .filter(|name| entity.attribute(name).is_some())
                .collect(),
            followed: followed.collect(),
        }
    }
}

/// Whether no key that a pattern asks for, and none of the rows that come along, has the tenant's prefix.
fn is_global(model: &Model, access: &Access) -> bool {
    let is_shared = |id: EntityId| {
        let kinds = model.kinds_of(id);
        let mut keys = kinds.iter().map(|id| model.entity(*id).primary());
        keys.all(|key| key.is_some_and(|key| key.global))
    };
    let own = match &access.way {
        Way::Get { key, .. } | Way::Query { key, .. } => key.global,
        Way::Union(parts) | Way::Steps(parts) => {
            let mut parts = parts.iter();
            parts.all(|part| is_global(model, model.pattern(*part)))
        }
        Way::Through { entity, claim } => {
            let claim = model.entity(*entity).claims.get(*claim);
            let guard = claim.map(|claim| &claim.guard);
            is_shared(*entity) && guard.is_some_and(|guard| is_global_guard(model, guard))
        }
        Way::Walk(_) | Way::Resolve(_) | Way::Diff(_) | Way::Pointer { .. } => false,
    };
    let mut followed = access.returns.iter().flat_map(|id| {
        let names = access.follow.iter();
        let attributes = names.filter_map(|name| model.entity(*id).attribute(&name.value));
        attributes.filter_map(|attribute| attribute.reference.as_ref())
    });
    let rows_are_shared = access.returns.iter().all(|id| is_shared(*id));
    own && rows_are_shared && followed.all(|reference| is_shared(reference.target))
}

fn is_global_guard(model: &Model, guard: &Guard) -> bool {
    match guard {
        Guard::Row { key, .. } => key.global,
        Guard::Entity { entity, .. } => {
            let key = model.entity(*entity).primary();
            key.is_some_and(|key| key.global)
        }
        Guard::Snapshot => false,
    }
}

/// The requests of a plan in a few words, without those that look for rows of old layouts.
fn list_steps(plans: &Plans, plan: &ReadPlan) -> String {
    let listing = list_requests(plans, plan);
    let requests = listing.requests.iter().filter(|request| {
        let is_old = matches!(request.purpose, Purpose::OldRow(_) | Purpose::OldLinks(_));
        !is_old && !matches!(request.repeat, Repeat::IfNothing { .. })
    });
    let steps: Vec<String> = requests
        .map(|request| match &request.index {
            Some(index) => format!("{} of {index}", request.operation.name()),
            None => request.operation.name().to_owned(),
        })
        .collect();
    steps.join(", then ")
}
