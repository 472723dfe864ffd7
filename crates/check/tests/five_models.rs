//! The five models of the repository pass.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests"
)]

use monotable_model::diagnostic::Diagnostic;
use monotable_model::span::position;

fn show(file: &str, text: &str, diagnostic: &Diagnostic) -> String {
    let at = position(text, diagnostic.span.start);
    let mut lines = vec![format!(
        "{file}:{}:{}: {} {} [{}] {}",
        at.line,
        at.column,
        diagnostic.severity,
        diagnostic.code,
        diagnostic.code.name(),
        diagnostic.message
    )];
    lines.extend(
        diagnostic
            .counterexample
            .iter()
            .map(|example| format!("    {}: {}", example.what, example.text)),
    );
    lines.extend(
        diagnostic
            .help
            .iter()
            .map(|help| format!("    help: {help}")),
    );
    lines.join("\n")
}

#[test]
fn the_five_models_have_no_findings() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut found = Vec::new();
    for name in [
        "authorization",
        "formkiq",
        "processproof",
        "values",
        "yggdrasil",
    ] {
        let text = std::fs::read_to_string(folder.join(name).join("model.toml")).unwrap();
        let reading = monotable_check::check(&text);
        found.extend(
            reading
                .diagnostics
                .iter()
                .map(|diagnostic| show(name, &text, diagnostic)),
        );
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
