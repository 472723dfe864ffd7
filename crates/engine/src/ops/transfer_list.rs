//! Pages of exports, imports and bulk operations: the youngest first, as AWS lists them.

use crate::wording;
use monotable_api::Error;

/// What is listed. A token of one list serves no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transfers {
    Exports,
    Imports,
    BulkOperations,
}

/// A page, and the token of the one behind it if more follow.
pub(super) struct Page<T> {
    pub(super) elements: Vec<T>,
    pub(super) next: Option<String>,
}

/// The page that `token` leads to of what is given in any order, with its labels. Labels begin with the time.
pub(super) fn page<T>(
    listed: Transfers,
    elements: impl Iterator<Item = (String, T)>,
    token: Option<&str>,
    limit: usize,
) -> Result<Page<T>, Error> {
    let start = token.map(|token| listed.read_token(token)).transpose()?;
    let mut all: Vec<(String, T)> = elements
        .filter(|(label, _)| start.as_ref().is_none_or(|start| label < start))
        .collect();
    all.sort_by(|(one, _), (other, _)| other.cmp(one));
    let has_more = all.len() > limit;
    all.truncate(limit);
    let last = all.last().map(|(label, _)| listed.token(label));
    Ok(Page {
        next: last.filter(|_| has_more),
        elements: all.into_iter().map(|(_, element)| element).collect(),
    })
}

/// AWS's description of ListImports wants at least so many bytes, as hexadecimal digits.
const TOKEN_BYTES: usize = 56;

impl Transfers {
    /// What the tokens of a list begin with.
    const fn mark(self) -> char {
        match self {
            Self::Exports => 'e',
            Self::Imports => 'i',
            Self::BulkOperations => 'b',
        }
    }

    /// A label as a token of the length that AWS's description wants.
    fn token(self, label: &str) -> String {
        let mut text = String::from(self.mark());
        text.push_str(label);
        let padding = std::iter::repeat_n(0, TOKEN_BYTES.saturating_sub(text.len()));
        let bytes = text.bytes().chain(padding);
        bytes.map(|byte| format!("{byte:02x}")).collect()
    }

    fn read_token(self, token: &str) -> Result<String, Error> {
        let label = read_digits(token).and_then(|text| {
            let label = text.trim_end_matches('\0').strip_prefix(self.mark())?;
            Some(label.to_owned())
        });
        let label = label.filter(|label| is_label(label));
        label
            .filter(|label| self.token(label) == token)
            .ok_or_else(|| wording::invalid_list_token(token))
    }
}

fn read_digits(token: &str) -> Option<String> {
    let digits: Vec<char> = token.chars().collect();
    let read = |pair: &[char]| {
        let pair: String = pair.iter().collect();
        u8::from_str_radix(&pair, 16).ok()
    };
    let bytes: Option<Vec<u8>> = digits.chunks(2).map(read).collect();
    String::from_utf8(bytes?).ok()
}

/// `01489602797149-73d8d5bc`: the time in milliseconds, and something random.
fn is_label(text: &str) -> bool {
    text.split_once('-').is_some_and(|(time, random)| {
        time.len() == 14
            && time.bytes().all(|byte| byte.is_ascii_digit())
            && random.len() == 8
            && random.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LABEL: &str = "01489602797149-73d8d5bc";

    #[test]
    fn a_token_has_the_form_that_aws_describes() {
        let token = Transfers::Imports.token(LABEL);
        assert_eq!(token.len(), 112);
        assert_eq!(Transfers::Imports.read_token(&token).unwrap(), LABEL);
    }

    #[test]
    fn a_token_serves_its_own_list_only() {
        let token = Transfers::Imports.token(LABEL);
        let other = Transfers::Exports.token("x");
        let upper = token.to_uppercase();
        for given in ["", "zz", "nonsense", LABEL, &other, &upper, &token[2..]] {
            let refused = Transfers::Imports.read_token(given).unwrap_err();
            assert_eq!(
                refused.message(),
                format!("Invalid Request: Provided nextToken is invalid: {given}")
            );
        }
        Transfers::Exports.read_token(&token).unwrap_err();
    }
}
