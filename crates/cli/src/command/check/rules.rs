//! `--rules` and `--explain`: the rules themselves.

use super::advice::advice;
use super::form::Form;
use crate::exit::Failure;
use crate::output::print;
use monotable_model::diagnostic::Code;
use serde::Serialize;

#[derive(Serialize)]
struct Rule {
    code: &'static str,
    rule: &'static str,
    severity: String,
    /// Whether a model may accept what it finds.
    acceptable: bool,
    about: &'static str,
    help: &'static str,
}

impl Rule {
    fn of(code: Code) -> Self {
        Self {
            code: code.id(),
            rule: code.name(),
            severity: code.severity().to_string(),
            acceptable: code.is_acceptable(),
            about: code.about(),
            help: advice(code),
        }
    }
}

/// The rule with that code or name, however it is capitalized.
pub(super) fn parse(text: &str) -> Result<Code, String> {
    let name = text.trim().to_ascii_lowercase().replace('-', "_");
    let is_meant = |code: &&Code| code.id().eq_ignore_ascii_case(&name) || code.name() == name;
    let found = Code::ALL.iter().find(is_meant).copied();
    found.ok_or_else(|| "no such rule; `monotable check --rules` lists them".to_owned())
}

/// Prints all rules.
pub(super) fn list(form: Form) -> Result<(), Failure> {
    let rules: Vec<Rule> = Code::ALL.iter().map(|code| Rule::of(*code)).collect();
    match form {
        Form::Table => print(table(&rules).as_bytes()),
        Form::Json | Form::Jsonl => form.print_all(&rules),
    }
}

/// Prints what one rule says, and what to do.
pub(super) fn explain(code: Code, form: Form) -> Result<(), Failure> {
    let rule = Rule::of(code);
    match form {
        Form::Table => print(explanation(&rule).as_bytes()),
        Form::Json | Form::Jsonl => form.print_all(&[rule]),
    }
}

fn table(rules: &[Rule]) -> String {
    let width = rules.iter().map(|rule| rule.rule.len()).max().unwrap_or(0);
    let line = |rule: &Rule| {
        let (code, severity) = (rule.code, &rule.severity);
        format!(
            "{code}  {severity:7}  {:width$}  {}\n",
            rule.rule, rule.about
        )
    };
    rules.iter().map(line).collect()
}

fn explanation(rule: &Rule) -> String {
    let mut text = format!(
        "{} {} ({})\n\n{}\n\nWhat to do: {}\n",
        rule.code, rule.rule, rule.severity, rule.about, rule.help
    );
    if rule.acceptable {
        text.push_str(&format!(
            "\nIf it is meant so, the entity or the access pattern can say why:\naccept.{} = \"the reason\"\n",
            rule.rule
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_found_by_code_and_by_name() {
        for text in ["M014", "m014", "same_key", "same-key", "SAME_KEY"] {
            assert_eq!(parse(text), Ok(Code::SameKey), "{text}");
        }
        for text in ["M999", "", "same", "M01"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_rule_is_explained() {
        for code in Code::ALL {
            let text = explanation(&Rule::of(*code));
            assert!(text.contains(code.about()), "{text}");
            assert!(advice(*code).ends_with('.'), "{text}");
            assert_eq!(text.contains("accept."), code.is_acceptable(), "{text}");
        }
    }
}
