//! Reads a scan or query page by page, up to a number of items.

use crate::exit::Failure;
use crate::table_keys::{Key, key_of};
use monotable_api::{Dynamo, DynamoExt, QueryInput, ScanInput};
use monotable_item::{EncodedItem, GivenItem};
use std::sync::Arc;

/// A request whose answer comes in pages.
#[derive(Clone, Debug)]
pub(crate) enum PagedRequest {
    /// Items of one partition.
    Query(QueryInput),
    /// All items.
    Scan(ScanInput),
}

/// One page of an answer.
struct Page {
    items: Vec<EncodedItem>,
    last_key: Option<EncodedItem>,
}

/// The pages that are still to be read.
pub(crate) struct Pages {
    dynamo: Arc<dyn Dynamo>,
    request: PagedRequest,
    /// The attributes that tell where to go on.
    page_key: Key,
    /// How many more items are wanted; none for all.
    remaining: Option<u32>,
    position: Position,
}

#[derive(Clone, Debug, PartialEq)]
enum Position {
    Start,
    After(EncodedItem),
    /// Before items that were cut off, in a projection that lacks their key.
    Unknown,
    End,
}

/// What is left when enough items were read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Rest {
    /// Nothing.
    Nothing,
    /// Items after this key.
    After(EncodedItem),
    /// Items at a place that cannot be told.
    Unknown,
}

impl Pages {
    /// All pages, up to `limit` items in sum.
    pub(crate) const fn new(
        dynamo: Arc<dyn Dynamo>,
        request: PagedRequest,
        page_key: Key,
        limit: Option<u32>,
    ) -> Self {
        Self {
            dynamo,
            request,
            page_key,
            remaining: limit,
            position: Position::Start,
        }
    }

    /// The items of the next page, which may be none; `None` at the end.
    pub(crate) async fn next(&mut self) -> Result<Option<Vec<EncodedItem>>, Failure> {
        if self.remaining == Some(0) || matches!(self.position, Position::End | Position::Unknown) {
            return Ok(None);
        }
        let start = match &self.position {
            Position::After(key) => Some(key.clone().into()),
            Position::Start | Position::Unknown | Position::End => None,
        };
        // An answer may be there before anybody waits for it; this is where Ctrl-C always comes in.
        tokio::task::yield_now().await;
        let request = self.request.page(start, self.remaining);
        let page = request.send(&*self.dynamo).await?;
        Ok(Some(self.take(page)))
    }

    /// What was not read.
    pub(crate) fn rest(self) -> Rest {
        match self.position {
            Position::After(key) => Rest::After(key),
            Position::Unknown => Rest::Unknown,
            Position::Start | Position::End => Rest::Nothing,
        }
    }

    /// Cuts a page down to what is wanted, and notes where to go on.
    fn take(&mut self, page: Page) -> Vec<EncodedItem> {
        let Page {
            mut items,
            last_key,
        } = page;
        let wanted = self.remaining.map_or(usize::MAX, |count| count as usize);
        if items.len() > wanted {
            items.truncate(wanted);
            let key = items.last().and_then(|item| key_of(item, &self.page_key));
            self.position = key.map_or(Position::Unknown, Position::After);
        } else {
            self.position = last_key.map_or(Position::End, Position::After);
        }
        let taken = u32::try_from(items.len()).unwrap_or(u32::MAX);
        self.remaining = self.remaining.map(|count| count.saturating_sub(taken));
        items
    }
}

impl PagedRequest {
    /// The request for the page after `start`. DynamoDB's limit counts items before the filter: with a
    /// filter whole pages are read, or a rare item would take a request for each few items passed over.
    fn page(&self, start: Option<GivenItem>, remaining: Option<u32>) -> Self {
        let limit = match self {
            Self::Query(query) if query.filter_expression.is_none() => remaining,
            Self::Scan(scan) if scan.filter_expression.is_none() => remaining,
            Self::Query(_) | Self::Scan(_) => None,
        };
        let mut next = self.clone();
        let (start_key, page_limit) = match &mut next {
            Self::Query(query) => (&mut query.exclusive_start_key, &mut query.limit),
            Self::Scan(scan) => (&mut scan.exclusive_start_key, &mut scan.limit),
        };
        *page_limit = limit.map(i64::from);
        if start.is_some() {
            *start_key = start;
        }
        next
    }

    async fn send(self, dynamo: &dyn Dynamo) -> Result<Page, Failure> {
        Ok(match self {
            Self::Query(query) => {
                let answer = dynamo.query(query).await?;
                Page {
                    items: answer.items.unwrap_or_default(),
                    last_key: answer.last_evaluated_key,
                }
            }
            Self::Scan(scan) => {
                let answer = dynamo.scan(scan).await?;
                Page {
                    items: answer.items.unwrap_or_default(),
                    last_key: answer.last_evaluated_key,
                }
            }
        })
    }
}
