//! Conditions on an index of several attributes.
//!
//! DynamoDB wants every attribute of the partition key as one value, and those of the sort key from the left: each as one
//! value but the last that is asked for, which may be a beginning or a range.

use super::condition::Condition;
use super::layout::Asked;
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::model::{Further, Index, KeyPlace, Mode, TableId, Template};
use crate::resolve::keys::several::shape;
use crate::span::Name;

impl Condition<'_> {
    /// The condition on an index of several attributes.
    pub(super) fn of_several(
        &self,
        index: &Index,
        (table, place): (TableId, KeyPlace),
        findings: &mut Findings,
    ) -> Option<Asked> {
        let (partition, sort) = self.sides(index, findings)?;
        let (hash, further_hash) = partition.split_first()?;
        let names = std::iter::once(&index.hash).chain(&index.further.hash);
        let behind = names.zip(partition).skip(1);
        let before = sort.split_last().map_or(&[][..], |(_, before)| before);
        let leading = index.range.iter().chain(&index.further.range).zip(before);
        let mut is_right = true;
        for (name, template) in behind {
            is_right &= is_whole(name, template, PARTITION, findings);
        }
        for (name, template) in leading {
            is_right &= is_whole(name, template, SORT, findings);
        }
        is_right.then(|| Asked {
            table,
            place,
            hash: hash.clone(),
            range: sort.first().cloned(),
            further: Further {
                hash: further_hash.to_vec(),
                range: sort.get(1..).unwrap_or_default().to_vec(),
            },
        })
    }

    /// The templates of the partition key, and as many of the sort key as are asked for.
    fn sides(&self, index: &Index, findings: &mut Findings) -> Option<(&[Template], &[Template])> {
        let sides: Option<(&[Template], &[Template])> = match self.key.parts.as_slice() {
            _ if self.key.fills_all => None,
            [partition] => Some((partition, &[])),
            [partition, sort] if !sort.is_empty() => Some((partition, sort)),
            _ => None,
        };
        let range = index.range.iter().chain(&index.further.range).count();
        let (wanted, partition) = (1 + index.further.hash.len(), "partition key");
        let problem = match sides {
            None => {
                Some("a key condition has a partition key, and at most one sort key".to_owned())
            }
            Some((given, _)) if given.len() != wanted => {
                let missing = std::iter::once(&index.hash).chain(&index.further.hash);
                let missing: Vec<_> = missing
                    .skip(given.len())
                    .map(|name| format!("`{}`", name.value))
                    .collect();
                Some(match missing.as_slice() {
                    [] => format!(
                        "the {partition} of `{}` has {wanted} attributes",
                        index.name.value
                    ),
                    missing => format!(
                        "the {partition} of `{}` has {wanted} attributes, and all of them are given: {} is missing",
                        index.name.value,
                        missing.join(", ")
                    ),
                })
            }
            Some((_, given)) if given.len() > range => Some(format!(
                "the sort key of `{}` has {range} attributes",
                index.name.value
            )),
            Some(_) => None,
        };
        let Some(problem) = problem else {
            return sides;
        };
        let help = format!(
            "its key is {}; sort attributes may be left out from the right",
            shape(index)
        );
        let diagnostic = Diagnostic::new(Code::WrongKind, self.key.span, problem);
        findings.push(diagnostic.help(help));
        None
    }
}

const PARTITION: &str = "every attribute of a partition key is one value, and a range of days or shards stands in the first";

const SORT: &str = "attributes of a sort key are given from the left, and only the last may be a beginning or a range";

/// Whether a template asks for one value.
fn is_whole(name: &Name, template: &Template, why: &str, findings: &mut Findings) -> bool {
    let is_value = !template.open_end && template.fields().all(|field| field.mode == Mode::Plain);
    if !is_value {
        let message = format!(
            "`{}` asks for more than one value of `{}`: {why}",
            template.text, name.value
        );
        findings.error(Code::BadTemplate, template.span, message);
    }
    is_value
}
