//! A way from a request or an answer down to one member.

use crate::description::{Description, Kind, Shape};
use crate::sample;
use serde_json::{Map, Value};

/// The key of the one entry that sample maps have.
pub(crate) const ENTRY: &str = "aaa";

/// One step down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Member(String),
    Element,
    Entry,
}

/// A member, or an element or a value below one.
#[derive(Clone, Debug)]
pub(crate) struct Place<'a> {
    description: &'a Description,
    root: &'a str,
    steps: Vec<Step>,
    /// The shapes passed through, from the root to the one at the place.
    shapes: Vec<&'a str>,
}

impl<'a> Place<'a> {
    /// A whole request or answer.
    pub(crate) fn root(description: &'a Description, root: &'a str) -> Self {
        Self {
            description,
            root,
            steps: Vec::new(),
            shapes: vec![root],
        }
    }

    /// The shape at the place.
    pub(crate) fn shape(&self) -> Option<&'a Shape> {
        self.description.shape(self.shape_name())
    }

    pub(crate) fn shape_name(&self) -> &'a str {
        self.shapes.last().copied().unwrap_or(self.root)
    }

    pub(crate) fn description(&self) -> &'a Description {
        self.description
    }

    /// The places one step below. A shape within itself (a list of values in a value) ends the way.
    pub(crate) fn below(&self) -> Vec<Self> {
        let Some(shape) = self.shape() else {
            return Vec::new();
        };
        let members = shape.members.iter();
        let members = members.map(|(name, to)| (Step::Member(name.clone()), to));
        let element = shape.member.iter().map(|to| (Step::Element, to));
        let entry = shape.value.iter().map(|to| (Step::Entry, to));
        members
            .chain(element)
            .chain(entry)
            .filter(|(_, to)| !self.shapes.contains(&to.shape.as_str()))
            .map(|(step, to)| self.step(step, &to.shape))
            .collect()
    }

    fn step(&self, step: Step, shape: &'a str) -> Self {
        let mut below = self.clone();
        below.steps.push(step);
        below.shapes.push(shape);
        below
    }

    /// The name in the report: structure and member, with what is below the member.
    pub(crate) fn name(&self) -> String {
        let mut suffix = String::new();
        for (index, step) in self.steps.iter().enumerate().rev() {
            match step {
                Step::Member(member) => {
                    let structure = self.shapes.get(index).copied().unwrap_or(self.root);
                    return format!("{structure}.{member}{suffix}");
                }
                Step::Element | Step::Entry => suffix.insert_str(0, "[]"),
            }
        }
        format!("{}{suffix}", self.root)
    }

    /// The member that the place is or is below of.
    pub(crate) fn member(&self) -> Option<&str> {
        self.steps.iter().rev().find_map(|step| match step {
            Step::Member(name) => Some(name.as_str()),
            Step::Element | Step::Entry => None,
        })
    }

    /// The structure that the member is of.
    pub(crate) fn structure(&self) -> Option<&'a Shape> {
        let above = self.shapes.len().checked_sub(2)?;
        self.description.shape(self.shapes.get(above)?)
    }

    /// Whether the place is a member itself, and not something below it.
    pub(crate) fn is_member(&self) -> bool {
        matches!(self.steps.last(), Some(Step::Member(_)))
    }

    /// The path as AWS writes it in messages: `keySchema.1.member.keyType`.
    pub(crate) fn path(&self) -> String {
        let mut path = String::new();
        for step in &self.steps {
            match step {
                Step::Member(name) if path.is_empty() => path.push_str(name),
                Step::Member(name) => {
                    path.push('.');
                    path.push_str(name);
                }
                Step::Element => path.push_str(".1.member"),
                Step::Entry => path.push_str(&format!(".{ENTRY}.member")),
            }
        }
        path
    }

    /// A request or answer with this value at the place, and what is required around it.
    pub(crate) fn with(&self, value: Value) -> Value {
        self.around(&self.steps, value)
    }

    /// The same without the member.
    pub(crate) fn without(&self) -> Value {
        let Some((Step::Member(name), above)) = self.steps.split_last() else {
            return self.around(&[], Value::Null);
        };
        let structure = self.shapes.get(above.len()).copied().unwrap_or(self.root);
        let mut structure = sample::minimal(self.description, structure);
        if let Some(members) = structure.as_object_mut() {
            members.remove(name);
        }
        self.around(above, structure)
    }

    /// The value with what is required around it, after these first steps of the way.
    fn around(&self, steps: &[Step], value: Value) -> Value {
        let containers: Vec<_> = self.shapes.iter().zip(steps).collect();
        let outwards = containers.into_iter().rev();
        outwards.fold(value, |below, (shape, step)| {
            let mut container = sample::minimal(self.description, shape);
            put(&mut container, step, below);
            container
        })
    }

    /// What stands at the place.
    pub(crate) fn find<'v>(&self, whole: &'v Value) -> Option<&'v Value> {
        self.steps.iter().try_fold(whole, |value, step| match step {
            Step::Member(name) => value.get(name),
            Step::Element => value.get(0),
            Step::Entry => value.get(ENTRY),
        })
    }

    /// Whether the place is one of DynamoDB's values, whose types are in `item`.
    pub(crate) fn is_attribute_value(&self) -> bool {
        self.shape_name() == sample::ATTRIBUTE_VALUE
    }

    pub(crate) fn kind(&self) -> Option<Kind> {
        self.shape().map(|shape| shape.kind)
    }
}

fn put(container: &mut Value, step: &Step, value: Value) {
    *container = match (step, container.take()) {
        (Step::Member(name), Value::Object(mut members)) => {
            members.insert(name.clone(), value);
            Value::Object(members)
        }
        (Step::Member(name), _) => Value::Object(Map::from_iter([(name.clone(), value)])),
        (Step::Element, _) => Value::Array(vec![value]),
        (Step::Entry, _) => Value::Object(Map::from_iter([(ENTRY.to_owned(), value)])),
    };
}
