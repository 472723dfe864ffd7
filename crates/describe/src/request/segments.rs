//! A path string, one Get for each segment.

use super::condition::Asked;
use super::given::{Given, Known};
use super::pattern_request::{Operation, PatternRequest, Repeat};
use super::plan::PatternPlan;
use monotable_model::model::{Model, Part, PathId};

/// One Get for each segment. The partition names the folder before, the sort key the segment.
pub(super) fn add(plan: &mut PatternPlan, model: &Model, path: PathId) -> Vec<usize> {
    let path = model.path(path);
    let attribute = &path.attribute.value;
    let folder = model.entity(path.folder);
    let id = folder.id.clone().unwrap_or_default();
    let number = plan.next();
    let mut found = Vec::new();
    for (entity, segment) in [(path.folder, "segment"), (path.leaf, "last segment")] {
        let row = model.entity(entity);
        let Some(key) = row.primary() else { continue };
        let mut known = Known::default();
        let fields = |parts: &[Part]| -> Vec<String> {
            let fields = parts.iter().filter_map(|part| match part {
                Part::Field(field) => Some(field.name()),
                Part::Literal(_) => None,
            });
            fields.collect()
        };
        for name in fields(&key.hash.parts) {
            known.set(
                name,
                Given::Read {
                    requests: vec![number],
                    attribute: id.clone(),
                },
            );
        }
        for name in key.range.iter().flat_map(|range| fields(&range.parts)) {
            known.set(name, Given::Parameter(format!("{segment} of {attribute}")));
        }
        let asked = Asked {
            model,
            table: row.table,
            returns: &[entity],
            known: &known,
        };
        let purpose = match segment {
            "segment" => format!(
                "The `{}` of a segment; the first stands in the root, which has no id. If the last segment \
                 names a folder, it is asked so too.",
                row.name.value
            ),
            _ => format!("The `{}` of the last segment.", row.name.value),
        };
        let physical = &model.table(row.table).physical;
        let mut request = PatternRequest::new(Operation::GetItem, physical, purpose);
        request.key = asked.whole(key);
        request.consistent = true;
        if segment == "segment" {
            request.repeat = Repeat::EachSegment;
        }
        found.push(plan.push(request));
    }
    found
}
