//! The requests of each way to rows.

use super::known::{Known, Origin};
use super::request::{Operation, PlannedRequest, PlannedValue, Purpose, Remark, Repeat};
use super::text::{Piece, PlannedText};
use super::{Answers, Lister};
use crate::plan::reach::{
    Composite, DiffStep, GetStep, PointerStep, QueryStep, Reach, SegmentKey, SegmentStep, WalkStep,
};
use crate::plan::shape::Paging;
use crate::plan::{ReadPlan, RowRoute};

/// Whether a plan is asked for itself, or as a part of another one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Whole,
    Part,
}

impl Lister<'_> {
    /// Adds the requests of a plan; the answer is the numbers of those that answer its rows.
    pub(super) fn add_plan(&mut self, plan: &ReadPlan, known: &Known, part: Part) -> Answers {
        match &plan.reach {
            Reach::Get(step) => self.add_get(plan, step, known, part),
            Reach::Query(step) => self.add_query(plan, step, known, part),
            Reach::Guard { entity, claim } => {
                self.add_guarded(*entity, *claim, known, Operation::GetItem, &Repeat::Once)
            }
            Reach::Union(composite) => {
                let known = known.with_set(&composite.set);
                let mut rows = Vec::new();
                for id in &composite.parts {
                    let plan = self.plans.pattern(*id);
                    rows.extend(self.add_plan(plan, &known, Part::Part));
                }
                rows
            }
            Reach::Steps(composite) => self.add_steps(composite, known),
            Reach::Walk(step) => self.add_walk(step, known),
            Reach::Segments(step) => self.add_segments(step),
            Reach::Diff(step) => self.add_diff(step, known),
            Reach::Pointer(step) => self.add_pointer(step, known),
        }
    }

    fn add_get(&mut self, plan: &ReadPlan, step: &GetStep, known: &Known, part: Part) -> Answers {
        let entities = plan.keep.entities.clone();
        let get = |purpose: Purpose, table: &str| {
            let mut request = PlannedRequest::new(Operation::GetItem, table, purpose);
            request.consistent = self.consistent;
            if part == Part::Whole {
                request.projection = step.projection.clone().unwrap_or_default();
            }
            request
        };
        let mut request = get(Purpose::Row(entities.clone()), &step.key.at.table_name);
        request.keys = vec![self.condition_key(&step.key, known)];
        let mut others = Vec::new();
        // A layout whose key cannot be filled in has no such row.
        let layouts = step.layouts.iter();
        for layout in layouts.filter(|layout| known.fills(layout.parts())) {
            let mut other = get(Purpose::OldRow(entities.clone()), &layout.at.table_name);
            other.keys = vec![self.whole_key(layout, known)];
            let is_new = |known: &PlannedRequest| known.keys != other.keys;
            if is_new(&request) && others.iter().all(is_new) {
                others.push(other);
            }
        }
        let first = self.push(request);
        let mut rows = vec![first];
        for mut other in others {
            other.repeat = Repeat::IfNothing { of: first };
            rows.push(self.push(other));
        }
        rows
    }

    fn add_query(
        &mut self,
        plan: &ReadPlan,
        step: &QueryStep,
        known: &Known,
        part: Part,
    ) -> Answers {
        let at = &step.key.at;
        let purpose = Purpose::Rows(plan.keep.entities.clone());
        let mut request = PlannedRequest::new(Operation::Query, &at.table_name, purpose);
        self.add_condition(&mut request, &step.key, known);
        request.backwards = plan.shape.descending;
        request.consistent = self.consistent && at.index().is_none();
        if part == Part::Whole {
            request.limit = limit(plan);
            request.projection = step.projection.clone().unwrap_or_default();
        }
        let number = self.push(request);
        if !step.hydrate {
            return vec![number];
        }
        let mut whole =
            PlannedRequest::new(Operation::BatchGetItem, &at.table_name, Purpose::Hydrated);
        let attributes = self.plans.entities.iter().find_map(|entity| {
            let key = entity.primary()?;
            (key.at.table == at.table).then_some(&key.at)
        });
        let attributes = attributes
            .into_iter()
            .flat_map(|key| std::iter::once(&key.partition_attribute).chain(&key.sort_attribute));
        let key = attributes.map(|name| PlannedValue::text(name, read(number, name)));
        whole.keys = vec![key.collect()];
        whole.repeat = Repeat::EachRow { of: vec![number] };
        vec![self.push(whole)]
    }

    fn add_steps(&mut self, composite: &Composite, known: &Known) -> Answers {
        let mut own = known.with_set(&composite.set);
        let mut rows: Answers = Vec::new();
        for (position, id) in composite.parts.iter().enumerate() {
            let plan = self.plans.pattern(*id);
            let first = self.next();
            let found = self.add_plan(plan, &own, Part::Part);
            if position > 0 {
                self.repeat_for(first, &rows);
            }
            let mut next = known.clone();
            for entity in &plan.keep.entities {
                for name in &self.plans.entity(*entity).attributes {
                    let requests = found.clone();
                    let attribute = name.clone();
                    next.set(
                        name,
                        Origin::Read {
                            requests,
                            attribute,
                        },
                    );
                }
            }
            own = next.with_set(&composite.set);
            rows = found;
        }
        rows
    }

    /// Requests from `first` on are asked for each row, unless they say how often themselves.
    fn repeat_for(&mut self, first: usize, rows: &[usize]) {
        for request in self.listing.requests.iter_mut().skip(first - 1) {
            if request.repeat == Repeat::Once {
                request.repeat = Repeat::EachRow { of: rows.to_vec() };
            }
        }
    }

    fn add_walk(&mut self, step: &WalkStep, known: &Known) -> Answers {
        let mut found = Vec::new();
        if let Some(key) = self.plans.entity(step.start).primary() {
            let purpose = Purpose::Start(step.start);
            let mut request = PlannedRequest::new(Operation::GetItem, &key.at.table_name, purpose);
            request.keys = vec![self.whole_key(key, known)];
            request.consistent = true;
            found.push(self.push(request));
        }
        let first = self.next();
        for link in &step.links {
            let links = self.add_links(link);
            found.extend(self.add_walked(&link.next, &links, first));
            if let Some(filter) = &link.filter {
                self.remark(Remark::LinksOnlyIf(link.back.entity, filter.to_string()));
            }
        }
        self.remark(Remark::Current);
        found
    }

    /// The rows that links name, by their keys.
    fn add_walked(&mut self, next: &RowRoute, links: &[usize], from: usize) -> Answers {
        let key = self.plans.entity(next.entity).primary();
        let (Some(key), Some(given)) = (key, &next.key) else {
            self.remark(Remark::Unreachable(next.entity));
            return Vec::new();
        };
        let known = Known::of_given(given, |attribute| read_of(links, attribute));
        let purpose = Purpose::WalkedTo(next.entity);
        let mut request = PlannedRequest::new(Operation::BatchGetItem, &key.at.table_name, purpose);
        request.keys = vec![self.whole_key(key, &known)];
        request.consistent = true;
        request.repeat = Repeat::UntilNothingNew { from };
        vec![self.push(request)]
    }

    fn add_segments(&mut self, step: &SegmentStep) -> Answers {
        let number = self.next();
        let id = step.id.as_deref().unwrap_or_default();
        let key = |segment: &SegmentKey, what: &str| {
            let mut known = Known::default();
            for name in &segment.parent {
                known.set(name, read_of(&[number], id));
            }
            let what = format!("{what} of {}", step.parameter);
            for name in &segment.segment {
                known.set(name, Origin::Parameter(what.clone()));
            }
            self.whole_key(&segment.key, &known)
        };
        let table = &step.folder.key.at.table_name;
        let purpose = Purpose::Folder(step.folder.entity);
        let mut folder = PlannedRequest::new(Operation::GetItem, table, purpose);
        folder.keys = vec![key(&step.folder, "segment")];
        folder.consistent = true;
        folder.repeat = Repeat::EachSegment;
        let purpose = Purpose::LastSegment(vec![step.folder.entity, step.leaf.entity]);
        let mut last = PlannedRequest::new(Operation::BatchGetItem, table, purpose);
        last.keys = vec![
            key(&step.folder, "last segment"),
            key(&step.leaf, "last segment"),
        ];
        last.consistent = true;
        vec![self.push(folder), self.push(last)]
    }

    fn add_diff(&mut self, step: &DiffStep, known: &Known) -> Answers {
        for revision in ["from", "to"] {
            let mut known = known.clone();
            for part in crate::plan::key_text::fields(step.log.parts()) {
                let name = part.name();
                if !known.has(&name) && name != step.log_id {
                    known.set(name, Origin::Current(format!("time of {revision}")));
                }
            }
            known.set(&step.log_id, Origin::Parameter(revision.to_owned()));
            let purpose = Purpose::LogRow(revision.to_owned());
            let table = &step.log.at.table_name;
            let mut request = PlannedRequest::new(Operation::GetItem, table, purpose);
            request.keys = vec![self.whole_key(&step.log, &known)];
            request.consistent = true;
            self.push(request);
        }
        let mut rows = Vec::new();
        for revision in ["from", "to"] {
            let mut known = known.clone();
            known.set(&step.revision, Origin::Parameter(revision.to_owned()));
            let purpose = Purpose::Snapshot(revision.to_owned());
            let table = &step.snapshot.at.table_name;
            let mut request = PlannedRequest::new(Operation::Query, table, purpose);
            self.add_beginning_of(&mut request, &step.snapshot, &known);
            request.consistent = true;
            rows.push(self.push(request));
        }
        self.remark(Remark::LogWithoutTime);
        self.remark(Remark::Paired);
        rows
    }

    fn add_pointer(&mut self, step: &PointerStep, known: &Known) -> Answers {
        let mut request =
            PlannedRequest::new(Operation::GetItem, &step.table_name, Purpose::Pointed);
        let key = step.key.iter().zip(&step.parameters);
        let key = key.map(|(name, parameter)| PlannedValue::text(name, known.value(parameter)));
        request.keys = vec![key.collect()];
        request.consistent = self.consistent;
        vec![self.push(request)]
    }
}

/// The most rows of a page. Two are enough to see that there is more than one.
const fn limit(plan: &ReadPlan) -> Option<usize> {
    match (plan.shape.paging, plan.shape.one) {
        (Paging::ByCount, _) => None,
        (Paging::ByKey, true) => Some(2),
        (Paging::ByKey, false) => plan.shape.limit,
    }
}

/// What a request answered.
pub(super) fn read(request: usize, attribute: &str) -> PlannedText {
    PlannedText(vec![Piece::Read {
        requests: vec![request],
        attribute: attribute.to_owned(),
        tail: String::new(),
    }])
}

pub(super) fn read_of(requests: &[usize], attribute: &str) -> Origin {
    Origin::Read {
        requests: requests.to_vec(),
        attribute: attribute.to_owned(),
    }
}
