//! What stands behind the question mark of an address.

use crate::percent;
use crate::problem::Problem;

/// Names with their values, each name once.
#[derive(Debug, Default)]
pub(crate) struct QueryWords(Vec<(String, String)>);

impl QueryWords {
    /// Reads `a=1&b=2`. A plus is a space, as browsers write it.
    pub(crate) fn parse(query: &str) -> Result<Self, Problem> {
        let mut words: Vec<(String, String)> = Vec::new();
        for word in query.split('&').filter(|word| !word.is_empty()) {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            let name = percent::decode(&name.replace('+', " "))?;
            let value = percent::decode(&value.replace('+', " "))?;
            if words.iter().any(|(known, _)| *known == name) {
                return Err(Problem::bad_request(format!(
                    "the parameter `{name}` is there more than once; send it once"
                )));
            }
            words.push((name, value));
        }
        Ok(Self(words))
    }

    /// Takes the value of a name out.
    pub(crate) fn take(&mut self, name: &str) -> Option<String> {
        let position = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.swap_remove(position).1)
    }

    /// Takes a flag out; an absent one is false.
    pub(crate) fn take_flag(&mut self, name: &str) -> Result<bool, Problem> {
        Ok(self.take_choice(name)?.unwrap_or(false))
    }

    /// Takes a flag out; none if it is absent.
    pub(crate) fn take_choice(&mut self, name: &str) -> Result<Option<bool>, Problem> {
        match self.take(name).as_deref() {
            None => Ok(None),
            Some("true") => Ok(Some(true)),
            Some("false") => Ok(Some(false)),
            Some(given) => Err(Problem::bad_request(format!(
                "the parameter `{name}` is `{given}`; wanted is `true` or `false`"
            ))),
        }
    }

    /// Takes a count out. The store refuses a count of 0.
    pub(crate) fn take_count(&mut self, name: &str) -> Result<Option<usize>, Problem> {
        let Some(text) = self.take(name) else {
            return Ok(None);
        };
        match text.parse::<u32>() {
            Ok(count) => Ok(usize::try_from(count).ok()),
            Err(_) => Err(Problem::bad_request(format!(
                "the parameter `{name}` is `{text}`; wanted is a whole number from 1 to {}",
                u32::MAX
            ))),
        }
    }

    /// Takes everything out that is left.
    pub(crate) fn take_rest(&mut self) -> Vec<(String, String)> {
        std::mem::take(&mut self.0)
    }

    /// Refuses parameters that the resource does not have.
    pub(crate) fn finish(self) -> Result<(), Problem> {
        match self.0.first() {
            None => Ok(()),
            Some((name, _)) => Err(Problem::bad_request(format!(
                "`{name}` is no parameter of this resource"
            ))),
        }
    }
}
