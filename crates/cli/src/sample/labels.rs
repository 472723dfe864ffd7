//! Names for revisions that only the store can name.

use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The revisions that lines with `label` have made, by label.
#[derive(Debug, Default)]
pub(super) struct Labels {
    revisions: BTreeMap<String, String>,
}

impl Labels {
    pub(super) fn add(&mut self, label: String, revision: String) {
        self.revisions.insert(label, revision);
    }

    /// The JSON with the id of a revision in the place of every text that is `$` and its label. Numbers keep their digits.
    pub(super) fn fill_in(&self, json: &str) -> Result<String, serde_json::Error> {
        let is_of = |bracket| json.trim_start().starts_with(bracket);
        if is_of('{') {
            let members: BTreeMap<String, &RawValue> = serde_json::from_str(json)?;
            let mut filled = BTreeMap::new();
            for (name, value) in members {
                filled.insert(name, RawValue::from_string(self.fill_in(value.get())?)?);
            }
            return serde_json::to_string(&filled);
        }
        if is_of('[') {
            let elements: Vec<&RawValue> = serde_json::from_str(json)?;
            let filled = elements.iter().map(|element| self.fill_in(element.get()));
            let filled: Result<Vec<String>, _> = filled.collect();
            return Ok(format!("[{}]", filled?.join(",")));
        }
        if is_of('"') {
            let text: String = serde_json::from_str(json)?;
            let revision = text
                .strip_prefix('$')
                .and_then(|label| self.revisions.get(label));
            return serde_json::to_string(revision.unwrap_or(&text));
        }
        Ok(json.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_filled_in_at_any_depth() {
        let mut labels = Labels::default();
        labels.add("first".to_owned(), "01AB".to_owned());
        let json = r#"{"to": "$first", "values": {"n": 1.2345678901234567890123, "list": ["$first", "$other", "a$first"]}}"#;
        let filled = labels.fill_in(json).unwrap();
        assert_eq!(
            filled,
            r#"{"to":"01AB","values":{"list":["01AB","$other","a$first"],"n":1.2345678901234567890123}}"#
        );
    }
}
