//! Rows, callers and calls as data: one JSON file for each model.

use super::evaluator::Caller;
use super::plain::Values;
use serde_json::Value;

/// What is known of a model: `<model>.json`.
#[derive(Debug)]
pub(crate) struct Fixture {
    pub(crate) model: String,
    pub(crate) settings: Values,
    /// The tenants with a prefix. Empty for a model without tenants.
    pub(crate) tenants: Vec<String>,
    pub(crate) callers: Vec<Caller>,
    pub(crate) variants: Vec<Variant>,
    /// Items that only other programs would write: rows of old layouts.
    pub(crate) raw: Vec<(String, Values)>,
    /// What distinguishes a new row from the first one of an entity.
    pub(crate) fresh: Values,
    /// What an update changes, where the first text that may change is not it.
    pub(crate) changes: Values,
    /// Calls beside those that follow from the model.
    pub(crate) calls: Vec<String>,
    /// Patterns that find nothing in this world, with the reason.
    pub(crate) empty: Values,
    /// A call by which the program takes rights away, for calls that are said again.
    pub(crate) revocation: Option<String>,
    known: Vec<Value>,
    once: Vec<Value>,
    world: Vec<Value>,
    codes: Values,
    program: Values,
}

/// The model as it is, or with sharper rules: some texts are replaced.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    pub(crate) name: String,
    /// Who calls, where the rules know more of callers than those of the model.
    pub(crate) callers: Option<Vec<Caller>>,
    edits: Vec<(String, String)>,
}

/// A call that fills the world.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) operation: String,
    /// The name under which the revision that it makes is known later.
    pub(crate) save: Option<String>,
    pub(crate) program: Values,
}

impl Variant {
    pub(crate) fn apply(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (find, replace) in &self.edits {
            assert!(text.contains(find.as_str()), "{}: no `{find}`", self.name);
            text = text.replacen(find.as_str(), replace, 1);
        }
        text
    }
}

impl Fixture {
    pub(crate) fn parse(text: &str) -> Self {
        let json: Value = serde_json::from_str(text).unwrap();
        let list = |name: &str| json[name].as_array().cloned().unwrap_or_default();
        let map = |name: &str| json[name].as_object().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let read_caller = |caller: &Value| Caller {
            name: text(&caller["name"]),
            principal: caller["principal"].as_object().cloned(),
            tenant: caller["tenant"].as_str().map(str::to_owned),
            sample: caller["sample"]
                .as_u64()
                .map(|most| usize::try_from(most).unwrap()),
        };
        let edit = |edit: &Value| (text(&edit["find"]), text(&edit["replace"]));
        let variants = list("variants").into_iter().map(|variant| Variant {
            name: text(&variant["name"]),
            callers: variant["callers"]
                .as_array()
                .map(|callers| callers.iter().map(read_caller).collect()),
            edits: variant["edits"]
                .as_array()
                .unwrap()
                .iter()
                .map(edit)
                .collect(),
        });
        let raw = list("raw").into_iter();
        let fixture = Self {
            model: text(&json["model"]),
            settings: map("settings"),
            tenants: list("tenants").iter().map(text).collect(),
            callers: list("callers").iter().map(read_caller).collect(),
            variants: variants.collect(),
            raw: raw
                .map(|raw| {
                    (
                        text(&raw["table"]),
                        raw["item"].as_object().unwrap().clone(),
                    )
                })
                .collect(),
            fresh: map("fresh"),
            changes: map("changes"),
            calls: list("calls").iter().map(Value::to_string).collect(),
            empty: map("empty"),
            revocation: json.get("revocation").map(Value::to_string),
            known: list("known"),
            once: list("once"),
            world: list("world"),
            codes: map("codes"),
            program: map("program"),
        };
        Self {
            calls: fixture
                .calls
                .iter()
                .map(|call| fixture.write_code(call, fixture.home()))
                .collect(),
            fresh: fixture.encode(&fixture.fresh),
            changes: fixture.encode(&fixture.changes),
            revocation: fixture
                .revocation
                .as_ref()
                .map(|call| fixture.write_code(call, fixture.home())),
            ..fixture
        }
    }

    fn encode(&self, values: &Values) -> Values {
        let text = self.write_code(&Value::Object(values.clone()).to_string(), self.home());
        serde_json::from_str(&text).unwrap()
    }

    /// The tenant whose rows calls name.
    pub(crate) fn home(&self) -> Option<&str> {
        self.tenants.first().map(String::as_str)
    }

    pub(crate) fn model_text(&self) -> String {
        let path = format!(
            "{}/../../models/{}/model.toml",
            env!("CARGO_MANIFEST_DIR"),
            self.model
        );
        std::fs::read_to_string(path).unwrap()
    }

    /// A text with the codes of a tenant in place of `~` and others: ids of tenants differ, so that none can be shown
    /// for another.
    fn write_code(&self, text: &str, tenant: Option<&str>) -> String {
        let codes = self
            .codes
            .get(tenant.unwrap_or(""))
            .and_then(Value::as_object);
        let codes = codes.into_iter().flatten();
        codes.fold(text.to_owned(), |text, (mark, code)| {
            text.replace(mark, code.as_str().unwrap())
        })
    }

    /// What fills the world: once, and then in every tenant, the one without a prefix included.
    pub(crate) fn steps(&self) -> Vec<(Option<String>, Step)> {
        let mut steps = Vec::new();
        let step = |value: &Value, tenant: Option<&str>| {
            let operation = value.get("run").unwrap_or(value).to_string();
            let program = Value::Object(self.program.clone()).to_string();
            Step {
                operation: self.write_code(&operation, tenant),
                save: value["save"].as_str().map(str::to_owned),
                program: serde_json::from_str(&self.write_code(&program, tenant)).unwrap(),
            }
        };
        for value in &self.once {
            let home = self.home().map(str::to_owned);
            steps.push((home, step(value, self.home())));
        }
        let mut tenants: Vec<Option<String>> = self.tenants.iter().cloned().map(Some).collect();
        tenants.push(None);
        for tenant in tenants {
            for value in &self.world {
                steps.push((tenant.clone(), step(value, tenant.as_deref())));
            }
        }
        steps
    }

    /// Cells that fail today, each with the reason: caller and call.
    pub(crate) fn known(&self, variant: &str) -> Vec<(String, String)> {
        let mut cells = Vec::new();
        for known in self
            .known
            .iter()
            .filter(|known| known["variant"].as_str().is_none_or(|of| of == variant))
        {
            assert!(
                known["reason"].is_string(),
                "a known difference needs a reason: {known}"
            );
            let call = self.write_code(&known["call"].to_string(), self.home());
            let callers = known["callers"].as_array().unwrap().iter();
            cells.extend(callers.map(|caller| (caller.as_str().unwrap().to_owned(), call.clone())));
        }
        cells
    }

    /// What was given to make the first row of an entity, in the tenant whose rows calls name.
    pub(crate) fn first_values(&self, entity: &str) -> Option<Values> {
        let steps = self.once.iter().chain(&self.world);
        let mut creates = steps.filter(|step| {
            let verbs = ["create", "attach", "put"];
            verbs
                .iter()
                .any(|verb| step[*verb].as_str() == Some(entity))
        });
        let values = creates.next()?["values"].as_object()?.clone();
        Some(self.encode(&values))
    }
}
