//! The partitions that are used most, against what DynamoDB gives one partition.

use crate::context::{Context, OpenModel};
use crate::heat::{HotPartition, Load, READ_LIMIT, WRITE_LIMIT};
use crate::key_owner::KeyReader;
use crate::pace::MOST_FOLLOWED;
use crate::part::key::{self, Side};
use crate::value::{show_count, show_units};
use maud::{Markup, html};
use monotable_model::model::{KeyPlace, TableId};

/// So many partitions are shown.
const MOST_SHOWN: usize = 20;
/// The steps of the scale that the style sheet has.
const STEPS: f64 = 6.0;
/// A partition that uses more than this part of its limit is worth a word.
const NOTABLE: f64 = 0.01;

/// The partitions of the last five minutes.
pub(super) fn show(context: &Context<'_>, models: &[OpenModel]) -> Markup {
    let activity = context.bench.activity();
    let hottest = activity.meter.list_hottest(MOST_SHOWN);
    let seconds = activity.list_seconds();
    let is_part = seconds.iter().any(|second| second.passed > 0.0);
    html! {
        section class="sec hottest" aria-label="Hottest partitions" {
            h2 { "Hottest partitions" span class="grow mute" { "units a second, last 5 minutes" } }
            @for hot in &hottest { (one(hot, models)) }
            @match hottest.first() {
                None => p class="mute" { "No partition was used in the last 5 minutes." },
                Some(_) if is_part => p class="mute" { "Of each second " (show_count(MOST_FOLLOWED)) " calls are followed. These are their units; the partitions were used more." },
                Some(first) => (advise(first)),
            }
        }
    }
}

fn one(hot: &HotPartition, models: &[OpenModel]) -> Markup {
    let partition = &hot.partition;
    let place = &partition.of;
    let text = partition.key.replace(crate::census::KEY_SEPARATOR, " / ");
    let known = find_place(models, hot);
    html! {
        div class="heat" {
            span class="cut" {
                @match known {
                    None => span class="key" { span class="v" { (text) } },
                    Some((open, table, place, name)) => {
                        @let entity = KeyReader::new(open.model()).find_standing(table, place, &partition.key);
                        @let link = open.link(&["items", &open.model().table(table).name.value, name]).with("partition", &partition.key);
                        a href=(link) { (key::text(open, entity, place, Side::Partition, &text)) }
                    }
                }
                " " span class="faint sm" { (place) }
            }
            span class="nw sm" { (say_peak(hot.peak())) }
            (cells(hot))
        }
    }
}

/// The model that has the table of a partition, and how its screens call the place.
fn find_place<'m>(
    models: &'m [OpenModel],
    hot: &HotPartition,
) -> Option<(&'m OpenModel, TableId, KeyPlace, &'m str)> {
    models.iter().find_map(|open| {
        let mut tables = open.model().tables();
        let found = tables.find(|(_, table)| table.physical == hot.partition.table());
        let (id, table) = found?;
        let Some(wanted) = hot.partition.index() else {
            return Some((open, id, KeyPlace::Primary, "table"));
        };
        let mut indexes = table.indexes.iter().enumerate();
        let (position, index) = indexes.find(|(_, index)| index.physical == wanted)?;
        Some((
            open,
            id,
            KeyPlace::Index(position),
            index.name.value.as_str(),
        ))
    })
}

/// The busiest five seconds, of the kind of units that is nearer to its limit.
fn say_peak(peak: Load) -> Markup {
    let is_read = peak.read / READ_LIMIT > peak.write / WRITE_LIMIT;
    let (units, limit, word) = if is_read {
        (peak.read, READ_LIMIT, "read")
    } else {
        (peak.write, WRITE_LIMIT, "write")
    };
    html! { (show_units(units)) " " (word) " " span class="mute" { "of " (show_limit(limit)) } }
}

fn show_limit(limit: f64) -> String {
    format!("{limit:.0}")
        .parse()
        .map_or_else(|_| String::new(), show_count)
}

/// A cell for each five seconds. The scale is that of the partition's own busiest one, but never finer than a hundredth of the limit.
fn cells(hot: &HotPartition) -> Markup {
    let most = hot.peak().share().max(f64::MIN_POSITIVE);
    html! {
        svg class="cells" viewBox={ "0 0 " (hot.loads.len() * 6) " 16" } preserveAspectRatio="none" aria-hidden="true" {
            @for (position, load) in hot.loads.iter().enumerate() {
                rect class={ "t" (step(load.share() / most)) } x=(position * 6) y="0" width="5" height="16" rx="1" {}
            }
        }
    }
}

/// The step of the scale for a part of the whole.
fn step(part: f64) -> usize {
    let steps = 1..=6;
    if part <= 0.0 {
        return 0;
    }
    let found = steps
        .into_iter()
        .find(|step| u32::try_from(*step).is_ok_and(|step| part * STEPS <= f64::from(step)));
    found.unwrap_or(6)
}

fn advise(hottest: &HotPartition) -> Markup {
    let peak = hottest.peak();
    let share = peak.share();
    if share < NOTABLE {
        return html! { p class="mute" { "All partitions are far below what DynamoDB gives each: 3,000 read and 1,000 write units a second." } };
    }
    let key = hottest
        .partition
        .key
        .replace(crate::census::KEY_SEPARATOR, " / ");
    html! {
        p class="mute" {
            @if share >= 1.0 {
                "DynamoDB would refuse requests to " code { (key) } " at this rate: it gives one partition 3,000 read and 1,000 write units a second. "
                "A layout with shards spreads such a partition over several."
            } @else {
                "At " (show_units((1.0 / share).floor())) " times this load " code { (key) }
                " reaches what DynamoDB gives one partition: 3,000 read and 1,000 write units a second."
            }
        }
    }
}
