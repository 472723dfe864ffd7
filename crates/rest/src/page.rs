//! The page about a model's API: the OpenAPI document for people. It needs no script, and nothing from elsewhere.

use crate::response::{HTML, Response};
use crate::rest::ROOT;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::StatusCode;
use http::header::{CONTENT_SECURITY_POLICY, HeaderName, REFERRER_POLICY};
use monotable_model::model::Model;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;\
background:#fff}code,pre{font:14px/1.5 ui-monospace,monospace}pre{background:#f4f4f4;padding:.5rem;overflow-x:auto}\
table{border-collapse:collapse}td,th{text-align:left;padding:.1rem 1rem .1rem 0;vertical-align:top}\
summary{cursor:pointer}details{margin:.3rem 0}.method{display:inline-block;width:4.5rem;font-weight:600}\
@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#161616}pre{background:#242424}a{color:#9cc4ff}}";

/// The page of a model, made from its document.
pub(crate) fn write_page(model: &Model, document: &Value) -> Response {
    let mut html = String::new();
    // Writing to a text does not fail.
    let _ = write_document(&mut html, model, document);
    let hash = STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    Response::new(StatusCode::OK, HTML, html.into_bytes())
        .with_header(CONTENT_SECURITY_POLICY, &policy)
        .with_header(HeaderName::from_static("x-content-type-options"), "nosniff")
        .with_header(REFERRER_POLICY, "no-referrer")
}

fn write_document(html: &mut String, model: &Model, document: &Value) -> std::fmt::Result {
    let name = escape(&model.name);
    let about = escape(model.about.as_deref().unwrap_or_default());
    write!(
        html,
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>{name} over HTTP</title><style>{STYLE}</style></head><body>\
         <h1>{name} over HTTP</h1><p>{about}</p><p>{}</p>\
         <p><a href=\"{ROOT}/{name}/openapi.json\">openapi.json</a> is the same for programs.</p><nav><ul>",
        escape(text_of(document, "/info/description"))
    )?;
    let tags = document.get("tags").and_then(Value::as_array);
    let tags: Vec<&str> = tags
        .into_iter()
        .flatten()
        .map(|tag| text_of(tag, "/name"))
        .collect();
    for tag in &tags {
        let (anchor, tag) = (anchor_of(tag), escape(tag));
        write!(html, "<li><a href=\"#{anchor}\">{tag}</a></li>")?;
    }
    html.push_str("</ul></nav>");
    for tag in &tags {
        let (anchor, shown) = (anchor_of(tag), escape(tag));
        write!(html, "<h2 id=\"{anchor}\">{shown}</h2>")?;
        for (path, method, operation) in list_operations(document, tag) {
            write_operation(html, document, path, method, operation)?;
        }
    }
    html.push_str("</body></html>\n");
    Ok(())
}

/// The operations of a tag.
fn list_operations<'d>(
    document: &'d Value,
    tag: &'d str,
) -> impl Iterator<Item = (&'d str, &'d str, &'d Value)> {
    let paths = document.get("paths").and_then(Value::as_object);
    let items = paths.into_iter().flatten();
    let operations = items.flat_map(|(path, item)| {
        let methods = item.as_object().into_iter().flatten();
        methods.map(move |(method, operation)| (path.as_str(), method.as_str(), operation))
    });
    operations.filter(move |(_, _, operation)| text_of(operation, "/tags/0") == tag)
}

fn write_operation(
    html: &mut String,
    document: &Value,
    path: &str,
    method: &str,
    operation: &Value,
) -> std::fmt::Result {
    write!(
        html,
        "<details><summary><span class=\"method\">{}</span> <code>{}</code> {}</summary>",
        escape(&method.to_ascii_uppercase()),
        escape(path),
        escape(text_of(operation, "/summary"))
    )?;
    if let Some(text) = operation.get("description").and_then(Value::as_str) {
        write!(html, "<p>{}</p>", escape(text))?;
    }
    html.push_str("<table>");
    let parameters = operation.get("parameters").and_then(Value::as_array);
    for parameter in parameters.into_iter().flatten() {
        let parameter = follow(document, parameter);
        write!(
            html,
            "<tr><td><code>{}</code></td><td>{}</td><td>{}</td></tr>",
            escape(text_of(parameter, "/name")),
            escape(text_of(parameter, "/in")),
            escape(describe_parameter(parameter))
        )?;
    }
    html.push_str("</table>");
    let content = operation
        .pointer("/requestBody/content")
        .and_then(Value::as_object);
    for (media_type, body) in content.into_iter().flatten() {
        let schema = body.get("schema").unwrap_or(&Value::Null);
        let schema = follow(document, schema);
        let shown = schema.pointer("/examples/0").unwrap_or(schema);
        let shown = serde_json::to_string_pretty(shown).unwrap_or_default();
        write!(
            html,
            "<p>Body, {}:</p><pre>{}</pre>",
            escape(media_type),
            escape(&shown)
        )?;
    }
    html.push_str("</details>");
    Ok(())
}

fn describe_parameter(parameter: &Value) -> &str {
    match text_of(parameter, "/description") {
        "" => text_of(parameter, "/schema/description"),
        text => text,
    }
}

/// What a reference stands for.
fn follow<'d>(document: &'d Value, value: &'d Value) -> &'d Value {
    let path = value.get("$ref").and_then(Value::as_str);
    let path = path.and_then(|path| path.strip_prefix('#'));
    path.and_then(|path| document.pointer(path))
        .unwrap_or(value)
}

fn text_of<'d>(value: &'d Value, pointer: &str) -> &'d str {
    value
        .pointer(pointer)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

fn anchor_of(tag: &str) -> String {
    let characters = tag.chars();
    characters
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect()
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}
