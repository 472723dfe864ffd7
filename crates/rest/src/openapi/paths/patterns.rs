//! Access patterns.

use super::super::schema::{Components, page, refer};
use super::Paths;
use super::builder::OperationBuilder;
use super::parameters::describe_word;
use crate::call::name_parameter;
use http::Method;
use monotable_model::model::{Access, Kind, Mode, Model, Way};
use monotable_model::plan::PlanParameter;
use serde_json::{Value, json};

pub(super) fn add(model: &Model, components: &mut Components<'_>, paths: &mut Paths) {
    for (id, access) in model.patterns() {
        let parameters = components.plans.pattern(id).parameters.clone();
        let name = &access.name.value;
        let summary = access.notes.about.clone();
        let summary = summary.unwrap_or_else(|| format!("The rows of {name}"));
        let mut query = OperationBuilder::new(&format!("query_{name}"), "patterns", &summary)
            .share(&["Limit", "Cursor", "Descending", "Consistent"]);
        for parameter in parameters.iter().filter(|known| !known.is_refused) {
            for described in describe_parameter(parameter) {
                query = query.parameter(described);
            }
        }
        let query = query.answer("200", describe_answer(components, access), &[]);
        let query = if matches!(access.way, Way::Diff(_)) {
            query
        } else {
            query.has_lines()
        };
        paths.add(&format!("/patterns/{name}"), Method::GET, query);
    }
}

fn describe_answer(components: &mut Components<'_>, access: &Access) -> Value {
    if let Way::Diff(_) = access.way {
        return refer("Differences");
    }
    let form = components.form_of_pattern(access);
    let items = components.refer_rows(&access.returns, form);
    page(json!({ "type": "array", "items": items }))
}

/// A parameter as a caller gives it: a range has two ends, and the beginning of a value is a text.
fn describe_parameter(parameter: &PlanParameter) -> Vec<Value> {
    let name = name_parameter(&parameter.name);
    let text = || json!({ "type": "string" });
    let open = |name: &str, about: &str, required: bool| json!({ "name": name, "in": "query", "required": required, "description": about, "schema": text() });
    let is_loose =
        parameter.takes_mask || parameter.takes_day || matches!(parameter.kind, Kind::Any);
    match parameter.mode {
        Mode::Open => vec![open(&name, "A beginning of it.", true)],
        Mode::Range => {
            let ends = [
                (".from", "Where the range begins."),
                (".to", "Where the range ends."),
            ];
            let ends = ends.into_iter().map(|(end, about)| {
                let name = format!("{name}{end}");
                if parameter.kind.is_number() {
                    describe_word(&name, &parameter.kind, false, about)
                } else {
                    open(&name, about, false)
                }
            });
            ends.collect()
        }
        Mode::Plain | Mode::Optional => {
            let required = parameter.mode == Mode::Plain;
            let about = format!("{}.", parameter.kind);
            if is_loose {
                vec![open(&name, &about, required)]
            } else {
                vec![describe_word(&name, &parameter.kind, required, &about)]
            }
        }
    }
}
