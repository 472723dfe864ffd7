//! Every rule of the checker with its verdict about this model.

use crate::context::OpenModel;
use crate::part::icon::icon;
use crate::value::counted;
use maud::{Markup, html};
use monotable_model::diagnostic::Code;

/// The rules.
pub(super) fn show(open: &OpenModel) -> Markup {
    let findings = open
        .proof
        .as_ref()
        .map(|proof| proof.findings())
        .unwrap_or_default();
    let model = open.model();
    let entities = model.entities().flat_map(|(_, entity)| {
        entity
            .accepts
            .iter()
            .map(move |accept| (entity.name.value.as_str(), accept))
    });
    let patterns = model.patterns().flat_map(|(_, access)| {
        access
            .accepts
            .iter()
            .map(move |accept| (access.name.value.as_str(), accept))
    });
    let accepted: Vec<_> = entities.chain(patterns).collect();
    html! {
        table class="grid rules" {
            thead { tr { th scope="col" { "Rule" } th scope="col" { "Verdict" } th scope="col" { "Accepted, with the reason" } } }
            tbody {
                @for code in Code::ALL.iter().filter(|code| code.is_acceptable()) {
                    @let found = findings.iter().filter(|found| found.code == *code).count();
                    @let reasons: Vec<_> = accepted.iter().filter(|(_, accept)| accept.code == *code).collect();
                    tr {
                        td class="wraps" { code class="faint" { (code.id()) } " " code { (code.name()) } p class="mute sm" { (code.about()) } }
                        td {
                            @if found > 0 { a class="status-err row" href=(open.link(&["model"])) { (icon("error")) (counted(found, "finding")) } }
                            @else { span class="status-ok row" { (icon("check")) "holds" } }
                        }
                        td class="wraps" { @for (owner, accept) in reasons { p { code { (owner) } " " span class="mute" { (accept.reason) } } } }
                    }
                }
            }
        }
    }
}
