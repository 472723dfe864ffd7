//! SELECT.

use super::cursor::Cursor;
use super::malformed;
use crate::partiql::error::StatementError;
use crate::partiql::syntax::{
    Column, OrderSyntax, ProjectionSyntax, SelectSyntax, Source, Unsupported,
};
use crate::partiql::token::{Precedence, TokenKind};

impl Cursor<'_> {
    pub(super) fn select(&mut self) -> Result<SelectSyntax, StatementError> {
        self.advance();
        let projection = self.projection()?;
        if !self.take_keyword("from") {
            return Err(malformed("Expected FROM after SELECT list"));
        }
        let mut sources = vec![self.source()?];
        while self.take_if(&TokenKind::Comma) {
            sources.push(self.source()?);
        }
        let condition = if self.take_keyword("where") {
            Some(self.expression(Precedence::Clause)?)
        } else {
            None
        };
        let order = self.order()?;
        let unsupported = self.unsupported_clauses()?;
        Ok(SelectSyntax {
            projection,
            sources,
            condition,
            order,
            unsupported,
        })
    }

    fn projection(&mut self) -> Result<ProjectionSyntax, StatementError> {
        let is_distinct = self.take_keyword("distinct");
        if !is_distinct {
            self.take_keyword("all");
        }
        if self.take_keyword("value") {
            self.expression(Precedence::Lowest)?;
            return Ok(ProjectionSyntax::Value);
        }
        let mut columns = Vec::new();
        let mut has_star = false;
        loop {
            if self.take_if(&TokenKind::Star) {
                has_star = true;
            } else {
                columns.push(self.column()?);
            }
            if !self.take_if(&TokenKind::Comma) {
                break;
            }
            if has_star {
                return Err(malformed(STAR_NOT_ALONE));
            }
        }
        match (has_star, columns.is_empty()) {
            (true, false) => Err(malformed(STAR_NOT_ALONE)),
            _ if is_distinct => Ok(ProjectionSyntax::Distinct),
            (true, true) => Ok(ProjectionSyntax::All),
            (false, _) => Ok(ProjectionSyntax::Columns(columns)),
        }
    }

    fn column(&mut self) -> Result<Column, StatementError> {
        let expression = self.expression(Precedence::Lowest)?;
        let has_alias = self.alias()?;
        Ok(Column {
            expression,
            has_alias,
        })
    }

    /// A table of a SELECT, and of an update that begins with it.
    pub(super) fn source(&mut self) -> Result<Source, StatementError> {
        let path = self.expression(Precedence::Clause)?;
        let has_alias = self.alias()?;
        Ok(Source { path, has_alias })
    }

    /// Whether another name follows: `AS a`, `a`, `AT a` or `BY a`.
    pub(super) fn alias(&mut self) -> Result<bool, StatementError> {
        let mut has_alias = false;
        for (keyword, otherwise) in [
            ("as", "Expected identifier for AS-alias"),
            ("at", "Expected identifier for AT-alias"),
            ("by", "Expected identifier for BY-alias"),
        ] {
            if self.take_keyword(keyword) {
                self.take_name().ok_or_else(|| malformed(otherwise))?;
                has_alias = true;
            } else if keyword == "as" {
                has_alias = self.take_name().is_some();
            }
        }
        Ok(has_alias)
    }

    fn order(&mut self) -> Result<Vec<OrderSyntax>, StatementError> {
        let mut order = Vec::new();
        if !self.take_keyword("order") {
            return Ok(order);
        }
        if !self.take_keyword("by") {
            return Err(malformed("Expected BY"));
        }
        loop {
            let expression = self.expression(Precedence::Clause)?;
            let descending = self.take_keyword("desc");
            if !descending {
                self.take_keyword("asc");
            }
            order.push(OrderSyntax {
                expression,
                descending,
            });
            if !self.take_if(&TokenKind::Comma) {
                return Ok(order);
            }
        }
    }

    /// The clauses that DynamoDB does not have; the first of them is what it names.
    fn unsupported_clauses(&mut self) -> Result<Option<Unsupported>, StatementError> {
        let mut first = None;
        if self.take_keyword("group") {
            if !self.take_keyword("by") {
                return Err(malformed("Expected BY"));
            }
            self.expression(Precedence::Clause)?;
            while self.take_if(&TokenKind::Comma) {
                self.expression(Precedence::Clause)?;
            }
            first = Some(Unsupported {
                clause: "GROUP BY",
                at: None,
            });
        }
        for (keyword, clause) in [("having", "HAVING"), ("limit", "LIMIT")] {
            if self.take_keyword(keyword) {
                let at = Some(self.expression(Precedence::Clause)?.at);
                first = first.or(Some(Unsupported { clause, at }));
            }
        }
        Ok(first)
    }
}

const STAR_NOT_ALONE: &str = "Other expressions may not be present in the select list when '*' is \
                              used without dot notation.";
