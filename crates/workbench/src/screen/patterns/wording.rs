//! The same call for other tools: the command line, the AWS CLI, TypeScript, Rust and curl.

use super::{Run, parameters};
use crate::context::{Context, OpenModel};
use crate::part::copy_as::Wording;
use crate::value::show_value;
use monotable_describe::quote_word;
use monotable_item::AttributeValue;
use monotable_model::model::Access;
use monotable_rest::percent;
use monotable_store::Query;
use monotable_store::wire::PlainValue;

/// The call for every tool.
pub(super) fn list(
    context: &Context<'_>,
    open: &OpenModel,
    access: &Access,
    run: &Run,
) -> Vec<Wording> {
    let given = parameters::list_given(access, &context.words);
    let limit = context.words.filled("limit");
    let query = parameters::read_query(access, &context.words);
    let name = &access.name.value;
    let mut command = format!("monotable query -m {} {name}", quote_word(&open.name));
    for (parameter, value) in &given {
        command.push(' ');
        command.push_str(&quote_word(&format!("{parameter}={value}")));
    }
    if let Some(limit) = limit {
        command.push_str(&format!(" --limit {}", quote_word(limit)));
    }
    let mut address = format!(
        "http://{}/v1/{}/patterns/{name}",
        context.host,
        percent::encode(&open.name)
    );
    let words: Vec<String> = given
        .iter()
        .map(|(name, value)| format!("{}={}", percent::encode(name), percent::encode(value)))
        .chain(limit.map(|limit| format!("limit={}", percent::encode(limit))))
        .collect();
    if !words.is_empty() {
        address.push('?');
        address.push_str(&words.join("&"));
    }
    vec![
        Wording {
            tool: "monotable",
            text: command,
        },
        Wording {
            tool: "aws",
            text: write_aws(context, run),
        },
        Wording {
            tool: "TypeScript",
            text: write_typescript(&query),
        },
        Wording {
            tool: "Rust",
            text: write_rust(&query),
        },
        Wording {
            tool: "curl",
            text: format!("curl -s {}", quote_word(&address)),
        },
    ]
}

/// The requests of the AWS CLI. Values that one request takes from another are named where they stand.
fn write_aws(context: &Context<'_>, run: &Run) -> String {
    let requests = run.trace.requests.iter().map(|request| {
        let mut command = String::new();
        for (position, character) in request.operation.as_str().char_indices() {
            if character.is_ascii_uppercase() && position > 0 {
                command.push('-');
            }
            command.push(character.to_ascii_lowercase());
        }
        format!(
            "aws dynamodb {command} --endpoint-url http://{} \\\n  --cli-input-json {}",
            context.host,
            quote_word(&request.body)
        )
    });
    requests.collect::<Vec<_>>().join("\n\n")
}

fn write_typescript(query: &Query) -> String {
    let members = query.parameters.iter().map(|(name, value)| {
        let name = serde_json::to_string(name).unwrap_or_default();
        let value = serde_json::to_string(&PlainValue(value)).unwrap_or_default();
        format!("{name}: {value}")
    });
    let members: Vec<String> = members.collect();
    let limit = query.limit;
    let limit = limit.map(|limit| format!(", {{ limit: {limit} }}"));
    let call = format!(
        "db.query.{}({{ {} }}{})",
        camel_case(&query.pattern),
        members.join(", "),
        limit.unwrap_or_default()
    );
    format!("for await (const row of {call}) {{\n  console.log(row);\n}}")
}

/// The call with the crate `monotable-store`.
fn write_rust(query: &Query) -> String {
    let mut text = "let parameters = Item::new()".to_owned();
    for (name, value) in &query.parameters {
        text.push_str(&format!(
            "\n    .with({name:?}, {})",
            write_rust_value(value)
        ));
    }
    text.push_str(&format!(
        ";\nlet page = store.query({:?}, parameters)",
        query.pattern
    ));
    if let Some(limit) = query.limit {
        text.push_str(&format!(".limit({limit})"));
    }
    text.push_str(".await?;\nfor row in page.rows {\n    println!(\"{row:?}\");\n}");
    text
}

fn write_rust_value(value: &AttributeValue) -> String {
    match value {
        AttributeValue::Bool(flag) => flag.to_string(),
        AttributeValue::N(number) => {
            let text = number.to_string();
            let is_whole = text.parse::<i64>().is_ok();
            if is_whole {
                text
            } else {
                format!("{text:?}.parse::<Number>()?")
            }
        }
        AttributeValue::S(text) => format!("{text:?}"),
        other => format!("{:?}", show_value(other)),
    }
}

/// The name that generated clients give to a pattern.
fn camel_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut is_upper = false;
    for character in name.chars() {
        if character == '_' {
            is_upper = true;
        } else if std::mem::take(&mut is_upper) {
            out.extend(character.to_uppercase());
        } else {
            out.push(character);
        }
    }
    out
}
