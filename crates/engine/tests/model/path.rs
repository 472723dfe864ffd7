//! Document paths, and the placeholders that stand for them in a request.

use monotable_item::{AttributeValue, Item};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// An attribute, or one step into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    pub attribute: &'static str,
    pub step: Option<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Member(&'static str),
    Element(usize),
}

impl Path {
    /// Whether this is the whole attribute of that name.
    pub fn is_whole(&self, attribute: &str) -> bool {
        self.attribute == attribute && self.step.is_none()
    }

    pub const fn to(attribute: &'static str) -> Self {
        Self {
            attribute,
            step: None,
        }
    }

    pub fn find<'a>(&self, item: &'a Item) -> Option<&'a AttributeValue> {
        let value = item.get(self.attribute)?;
        match (&self.step, value) {
            (None, value) => Some(value),
            (Some(Step::Member(name)), AttributeValue::M(map)) => map.get(name),
            (Some(Step::Element(index)), AttributeValue::L(list)) => list.get(*index),
            (Some(_), _) => None,
        }
    }

    pub fn render(&self, placeholders: &mut Placeholders) -> String {
        let attribute = placeholders.name(self.attribute);
        match &self.step {
            None => attribute,
            Some(Step::Member(name)) => format!("{attribute}.{}", placeholders.name(name)),
            Some(Step::Element(index)) => format!("{attribute}[{index}]"),
        }
    }
}

/// What a projection on these paths leaves of an item. INVARIANT: no attribute twice.
pub fn project(paths: &[Path], item: &Item) -> Item {
    let mut projected = Item::new();
    for path in paths {
        let Some(value) = path.find(item).cloned() else {
            continue;
        };
        let value = match &path.step {
            None => value,
            Some(Step::Member(name)) => Item::new().with(*name, value).into(),
            Some(Step::Element(_)) => vec![value].into(),
        };
        projected.insert(path.attribute, value);
    }
    projected
}

/// The names and values of one request.
#[derive(Clone, Debug, Default)]
pub struct Placeholders {
    pub names: BTreeMap<String, String>,
    pub values: Item,
}

impl Placeholders {
    pub fn name(&mut self, name: &str) -> String {
        let placeholder = format!("#{name}");
        self.names.insert(placeholder.clone(), name.to_owned());
        placeholder
    }

    pub fn value(&mut self, value: &AttributeValue) -> String {
        let placeholder = format!(":v{}", self.values.len());
        self.values.insert(placeholder.clone(), value.clone());
        placeholder
    }
}

/// A path to read: `pk` and `sk` too.
pub fn any_path() -> impl Strategy<Value = Path> {
    let read = ["a", "n", "s", "x", "y", "z", "pk", "sk"].map(Path::to);
    prop_oneof![3 => proptest::sample::select(read.to_vec()), 2 => deep_path()]
}

/// A path to change.
pub fn changed_path() -> impl Strategy<Value = Path> {
    let changed = ["a", "n", "s", "x", "y", "z"].map(Path::to);
    prop_oneof![3 => proptest::sample::select(changed.to_vec()), 2 => deep_path()]
}

fn deep_path() -> impl Strategy<Value = Path> {
    let step = |attribute, step| Path {
        attribute,
        step: Some(step),
    };
    proptest::sample::select(vec![
        Path::to("m"),
        Path::to("l"),
        step("m", Step::Member("j")),
        step("m", Step::Member("k")),
        step("l", Step::Element(0)),
        step("l", Step::Element(1)),
    ])
}

/// Paths into distinct attributes: overlapping ones are refused, which is a matter of the parser.
pub fn distinct(paths: Vec<Path>) -> Vec<Path> {
    let mut kept: Vec<Path> = Vec::new();
    for path in paths {
        if kept.iter().all(|other| other.attribute != path.attribute) {
            kept.push(path);
        }
    }
    kept
}

pub fn projection() -> impl Strategy<Value = Vec<Path>> {
    proptest::collection::vec(any_path(), 1..4).prop_map(distinct)
}

pub fn render_all(paths: &[Path], placeholders: &mut Placeholders) -> String {
    let paths: Vec<_> = paths.iter().map(|path| path.render(placeholders)).collect();
    paths.join(", ")
}
