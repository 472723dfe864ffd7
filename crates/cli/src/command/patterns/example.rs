//! A command that asks for an access pattern, with values of the right kinds.

use monotable_describe::quote_word;
use monotable_model::model::{Access, Kind, Mode, Model, TimeFormat, Way};
use monotable_model::plan::PlanParameter;

/// Commands for the patterns of one model.
#[derive(Debug)]
pub(super) struct ExampleCommand<'m> {
    model: &'m Model,
    /// The `-m` of the command line, if it has one.
    option: Option<String>,
}

impl<'m> ExampleCommand<'m> {
    pub(super) fn new(model: &'m Model, option: Option<&str>) -> Self {
        Self {
            model,
            option: option.map(str::to_owned),
        }
    }

    /// A line for a shell.
    pub(super) fn render(
        &self,
        access: &Access,
        parameters: &[&PlanParameter],
        is_required: impl Fn(&PlanParameter) -> bool,
    ) -> String {
        let mut words = vec!["monotable".to_owned()];
        match &access.way {
            Way::Diff(repository) => {
                words.push("diff".to_owned());
                self.add_options(&mut words);
                words.push(quote_word(&self.model.repository(*repository).name.value));
            }
            _ => {
                words.push("query".to_owned());
                self.add_options(&mut words);
                words.push(quote_word(&access.name.value));
            }
        }
        let needed = parameters.iter().filter(|known| is_required(known));
        words.extend(needed.flat_map(|known| give(known)));
        words.join(" ")
    }

    fn add_options(&self, words: &mut Vec<String>) {
        if let Some(option) = &self.option {
            words.extend(["-m".to_owned(), quote_word(option)]);
        }
        if let Some(tenant) = &self.model.tenant
            && tenant.bare.is_none()
        {
            let id = sample(&tenant.attribute.name.value, &tenant.attribute.kind);
            words.extend(["--tenant".to_owned(), quote_word(&id)]);
        }
    }
}

fn give(parameter: &PlanParameter) -> Vec<String> {
    let PlanParameter {
        name, kind, mode, ..
    } = parameter;
    let value = sample(name, kind);
    match mode {
        Mode::Range => {
            let ends = ["from", "to"];
            let ends = ends.map(|end| quote_word(&format!("{name}.{end}={value}")));
            ends.into()
        }
        Mode::Plain | Mode::Optional | Mode::Open => vec![quote_word(&format!("{name}={value}"))],
    }
}

/// A value of a kind; one that tells something if the kind allows it, else the shortest.
fn sample(name: &str, kind: &Kind) -> String {
    let telling = match kind {
        Kind::Text(_) => name.to_lowercase(),
        Kind::Integer(bounds) => bounds.least.unwrap_or(1).to_string(),
        Kind::Number(bounds) => bounds.least.unwrap_or(1).to_string(),
        Kind::Epoch => "1769162400".to_owned(),
        Kind::Date => "2026-01-23".to_owned(),
        Kind::Timestamp(TimeFormat::Seconds) => "2026-01-23T10:00:00".to_owned(),
        Kind::Timestamp(TimeFormat::Zoned) => "2026-01-23T10:00:00+0000".to_owned(),
        Kind::Timestamp(TimeFormat::Millis) => "2026-01-23T10:00:00.000Z".to_owned(),
        Kind::Timestamp(TimeFormat::Micros) => "2026-01-23T10:00:00.000000Z".to_owned(),
        Kind::Url => "https://example.com".to_owned(),
        Kind::Json | Kind::Map => "{}".to_owned(),
        Kind::List { .. } => "[]".to_owned(),
        _ => String::new(),
    };
    match kind.language() {
        Some(language) if !language.accepts(&telling) => {
            language.shortest_word().unwrap_or(telling)
        }
        _ => telling,
    }
}
