//! The same call for other tools: the command line, the AWS CLI, TypeScript, Rust and curl.

use super::{Run, parameters};
use crate::context::{Context, OpenModel, write_principal};
use crate::part::copy_as::Wording;
use crate::value::show_value;
use monotable_describe::quote_word;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::Access;
use monotable_rest::percent;
use monotable_store::Query;
use monotable_store::wire::PlainValue;

/// The call for every tool, from its first page on: each tool goes on by itself.
pub(super) fn list(
    context: &Context<'_>,
    open: &OpenModel,
    access: &Access,
    run: &Run,
) -> Vec<Wording> {
    let given = parameters::list_given(access, &context.words);
    let query = parameters::read_query(access, &context.words);
    vec![
        Wording {
            tool: "monotable",
            text: write_command(open, &query, &given),
        },
        Wording {
            tool: "aws",
            text: write_aws(context, run),
        },
        Wording {
            tool: "TypeScript",
            text: write_typescript(open, &query),
        },
        Wording {
            tool: "Rust",
            text: write_rust(open, &query),
        },
        Wording {
            tool: "curl",
            text: write_curl(context, open, &query, &given),
        },
    ]
}

/// The command. A caller's rights hold for it as they do for the page.
fn write_command(open: &OpenModel, query: &Query, given: &[(String, String)]) -> String {
    let model = quote_word(open.argument());
    let mut command = format!("monotable query -m {model} {}", query.pattern);
    for (name, value) in given {
        command.push(' ');
        command.push_str(&quote_word(&format!("{name}={value}")));
    }
    if let Some(limit) = query.limit {
        command.push_str(&format!(" --limit {limit}"));
    }
    if query.descending == Some(true) {
        command.push_str(" --descending");
    }
    for (name, value) in &open.principal() {
        let word = format!("{name}={}", show_value(value));
        command.push_str(&format!(" --as {}", quote_word(&word)));
    }
    if let Some(tenant) = open.tenant() {
        command.push_str(&format!(" --tenant {}", quote_word(tenant)));
    }
    command
}

/// The request of the REST API.
fn write_curl(
    context: &Context<'_>,
    open: &OpenModel,
    query: &Query,
    given: &[(String, String)],
) -> String {
    let given = given
        .iter()
        .map(|(name, value)| (name.as_str(), value.clone()));
    let own = [
        ("limit", query.limit.map(|limit| limit.to_string())),
        ("descending", query.descending.map(|flag| flag.to_string())),
    ];
    let own = own
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?)));
    let words: Vec<String> = given
        .chain(own)
        .map(|(name, value)| format!("{}={}", percent::encode(name), percent::encode(&value)))
        .collect();
    let mut address = format!(
        "http://{}/v1/{}/patterns/{}",
        context.host,
        percent::encode(&open.name),
        query.pattern
    );
    if !words.is_empty() {
        address.push('?');
        address.push_str(&words.join("&"));
    }
    let mut command = format!("curl -s {}", quote_word(&address));
    let principal = open.principal();
    let principal = (!principal.is_empty()).then(|| write_principal(&principal));
    let headers = [
        ("Monotable-Principal", principal),
        ("Monotable-Tenant", open.tenant().map(str::to_owned)),
    ];
    for (name, value) in headers {
        if let Some(value) = value {
            let header = quote_word(&format!("{name}: {value}"));
            command.push_str(&format!(" \\\n  -H {header}"));
        }
    }
    command
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
            "aws dynamodb {command} {} \\\n  --cli-input-json {}",
            context.bench.aws_option(&context.host),
            quote_word(&request.body)
        )
    });
    requests.collect::<Vec<_>>().join("\n\n")
}

fn write_typescript(open: &OpenModel, query: &Query) -> String {
    let mut options = Vec::new();
    options.extend(query.limit.map(|limit| format!("limit: {limit}")));
    options.extend(query.descending.map(|is_descending| {
        let order = if is_descending { "desc" } else { "asc" };
        format!("order: \"{order}\"")
    }));
    let options = if options.is_empty() {
        String::new()
    } else {
        format!(", {{ {} }}", options.join(", "))
    };
    let principal = open.principal();
    let mut client = "db".to_owned();
    if let Some(tenant) = open.tenant() {
        client.push_str(&format!(".tenant({})", write_text(tenant)));
    }
    if !principal.is_empty() {
        client.push_str(&format!(".as({})", write_members(&principal)));
    }
    let call = format!(
        "{client}.query.{}({}{options})",
        camel_case(&query.pattern),
        write_members(&query.parameters),
    );
    format!("for await (const row of {call}) {{\n  console.log(row);\n}}")
}

/// An object of TypeScript.
fn write_members(values: &Item) -> String {
    let members = values.iter().map(|(name, value)| {
        let value = serde_json::to_string(&PlainValue(value)).unwrap_or_default();
        format!("{}: {value}", write_text(name))
    });
    let members: Vec<String> = members.collect();
    format!("{{ {} }}", members.join(", "))
}

fn write_text(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// The call with the crate `monotable-store`.
fn write_rust(open: &OpenModel, query: &Query) -> String {
    let mut text = format!("let parameters = {}", write_rust_item(&query.parameters));
    let mut store = "store".to_owned();
    if let Some(tenant) = open.tenant() {
        store.push_str(&format!(".tenant({tenant:?})"));
    }
    let principal = open.principal();
    if !principal.is_empty() {
        text.push_str(&format!(
            ";\nlet principal = {}",
            write_rust_item(&principal)
        ));
        store.push_str(".as_principal(principal)");
    }
    text.push_str(&format!(
        ";\nlet page = {store}.query({:?}, parameters)",
        query.pattern
    ));
    if let Some(limit) = query.limit {
        text.push_str(&format!(".limit({limit})"));
    }
    if query.descending == Some(true) {
        text.push_str(".descending()");
    }
    text.push_str(".await?;\nfor row in page.rows {\n    println!(\"{row:?}\");\n}");
    text
}

fn write_rust_item(values: &Item) -> String {
    let mut text = "Item::new()".to_owned();
    for (name, value) in values {
        let value = write_rust_value(value);
        text.push_str(&format!("\n    .with({name:?}, {value})"));
    }
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
