//! ListImports.

use super::transfer_list::{Page, page};
use super::{Execute, import_description};
use crate::engine::Core;
use crate::step::Step;
use crate::wording;
use monotable_api::{Error, ListImports, ListImportsInput, ListImportsOutput};
use std::sync::Arc;

impl Execute for ListImports {
    fn start(core: &Arc<Core>, input: ListImportsInput) -> Result<Step<ListImportsOutput>, Error> {
        let valid = input.validate()?;
        let start = valid.start.as_deref().map(read_token).transpose()?;
        let catalog = core.published.catalog.load();
        let table = valid.table.as_ref();
        let wanted = catalog
            .imports()
            .filter(|import| table.is_none_or(|table| table.as_str() == import.table));
        let wanted = wanted.map(|import| {
            let summary = import_description::summarize(import, &core.region);
            (import.label.clone(), summary)
        });
        let Page { elements, next } = page(wanted, start.as_deref(), valid.limit);
        Ok(Step::Done(ListImportsOutput {
            import_summary_list: elements,
            next_token: next.map(|label| token(&label)),
        }))
    }
}

/// AWS's description wants at least so many bytes, as hexadecimal digits.
const TOKEN_BYTES: usize = 56;

/// A label as a token of the length that AWS's description wants.
fn token(label: &str) -> String {
    let padding = std::iter::repeat_n(0, TOKEN_BYTES.saturating_sub(label.len()));
    let bytes = label.bytes().chain(padding);
    bytes.map(|byte| format!("{byte:02x}")).collect()
}

fn read_token(token: &str) -> Result<String, Error> {
    let digits: Vec<char> = token.chars().collect();
    let read = |pair: &[char]| {
        let pair: String = pair.iter().collect();
        u8::from_str_radix(&pair, 16).ok()
    };
    let bytes: Option<Vec<u8>> = digits.chunks(2).map(read).collect();
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    let label = text.map(|text| text.trim_end_matches('\0').to_owned());
    label.ok_or_else(wording::invalid_list_token)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_has_the_form_that_aws_describes() {
        let token = token("01489602797149-73d8d5bc");
        assert_eq!(token.len(), 112);
        assert_eq!(read_token(&token).unwrap(), "01489602797149-73d8d5bc");
        assert!(read_token("zz").is_err());
    }
}
