//! Operators and their operands.

use super::cursor::Cursor;
use super::{malformed, too_deep};
use crate::partiql::error::StatementError;
use crate::partiql::keyword;
use crate::partiql::position::SourcePosition;
use crate::partiql::syntax::{Expression, Node};
use crate::partiql::token::{Operator, Precedence, TokenKind};

const NO_RIGHT_SIDE: &str = "Missing right-hand side expression of infix operator";

/// An operator between two operands: `NOT IN` is one.
struct Infix {
    operator: Operator,
    is_negated: bool,
    tokens: usize,
}

impl Cursor<'_> {
    /// Parses operators that bind more strongly than `precedence`, and their operands.
    pub(super) fn expression(
        &mut self,
        precedence: Precedence,
    ) -> Result<Expression, StatementError> {
        self.deeper(1, |cursor| cursor.expression_here(precedence))
    }

    fn expression_here(&mut self, precedence: Precedence) -> Result<Expression, StatementError> {
        let mut left = self.unary()?;
        let mut grown = 0;
        while let Some(infix) = self.infix() {
            let Some(binding) = infix.operator.precedence() else {
                break;
            };
            if binding <= precedence {
                break;
            }
            let at = self.position();
            (0..infix.tokens).for_each(|_| self.advance());
            // `AND` and `OR` make flat lists; everything else makes the tree on the left deeper.
            if !matches!(infix.operator, Operator::And | Operator::Or) {
                grown += 1;
                if !self.has_room(grown) {
                    return Err(too_deep());
                }
            }
            left = self.operation(left, &infix, binding, at)?;
        }
        Ok(left)
    }

    /// The operator that comes next, if one does.
    fn infix(&self) -> Option<Infix> {
        let negatable = |kind: &TokenKind<'_>| match kind {
            TokenKind::Operator(
                operator @ (Operator::In | Operator::Between | Operator::Other("LIKE", _)),
            ) => Some(*operator),
            _ => None,
        };
        let single = |operator| Infix {
            operator,
            is_negated: false,
            tokens: 1,
        };
        let negated = |operator| Infix {
            operator,
            is_negated: true,
            tokens: 2,
        };
        match self.kind() {
            TokenKind::Star => Some(single(Operator::Other("*", Precedence::Multiplication))),
            TokenKind::Operator(Operator::Not) => negatable(self.kind_after(1)).map(negated),
            TokenKind::Operator(Operator::Is)
                if *self.kind_after(1) == TokenKind::Operator(Operator::Not) =>
            {
                Some(negated(Operator::Is))
            }
            TokenKind::Operator(operator) => Some(single(*operator)),
            _ => None,
        }
    }

    /// What an operator makes of its left operand and of what follows it.
    fn operation(
        &mut self,
        left: Expression,
        infix: &Infix,
        binding: Precedence,
        at: SourcePosition,
    ) -> Result<Expression, StatementError> {
        let node = match infix.operator {
            Operator::Is => Node::IsType {
                operand: Box::new(left),
                type_name: self.type_name()?,
            },
            Operator::In => Node::In {
                operand: Box::new(left),
                list: Box::new(self.in_list(binding)?),
            },
            Operator::Between => {
                let lower = Box::new(self.right_side(binding)?);
                self.expect(&TokenKind::Operator(Operator::And), "Expected AND keyword")?;
                if matches!(self.kind(), TokenKind::End | TokenKind::Semicolon) {
                    return Err(malformed("Expected expression after AND"));
                }
                Node::Between {
                    operand: Box::new(left),
                    lower,
                    upper: Box::new(self.expression(binding)?),
                }
            }
            Operator::Compare(comparator) => Node::Compare {
                comparator,
                left: Box::new(left),
                right: Box::new(self.right_side(binding)?),
            },
            Operator::And => join(left, self.right_side(binding)?, Joint::And),
            Operator::Or => join(left, self.right_side(binding)?, Joint::Or),
            Operator::Plus => Node::Sum(Box::new(left), Box::new(self.right_side(binding)?)),
            Operator::Minus => {
                Node::Difference(Box::new(left), Box::new(self.right_side(binding)?))
            }
            Operator::Other(symbol, _) => {
                self.right_side(binding)?;
                Node::Operation(symbol)
            }
            // INVARIANT: `NOT` binds no two operands.
            Operator::Not => return Err(malformed("Unknown infix operator")),
        };
        let expression = Expression { node, at };
        Ok(if infix.is_negated {
            Expression {
                node: Node::Not(Box::new(expression)),
                at,
            }
        } else {
            expression
        })
    }

    fn right_side(&mut self, binding: Precedence) -> Result<Expression, StatementError> {
        match self.kind() {
            TokenKind::End => Err(malformed(NO_RIGHT_SIDE)),
            _ => self.expression(binding),
        }
    }

    /// Parentheses after `IN` are a list, however many elements they have.
    fn in_list(&mut self, binding: Precedence) -> Result<Expression, StatementError> {
        let is_query = matches!(self.kind_after(1), TokenKind::Keyword("select" | "values"));
        if *self.kind() != TokenKind::LeftParenthesis || is_query {
            return self.right_side(binding);
        }
        let at = self.position();
        self.advance();
        let elements = self.arguments(&TokenKind::RightParenthesis, "Expected RIGHT_PAREN")?;
        Ok(Expression {
            node: Node::List(elements),
            at,
        })
    }

    fn type_name(&mut self) -> Result<&'static str, StatementError> {
        let name = match (self.kind(), self.kind_after(1)) {
            (TokenKind::Keyword("double"), TokenKind::Keyword("precision")) => {
                self.advance();
                Some("double_precision")
            }
            (TokenKind::Keyword("character"), TokenKind::Keyword("varying")) => {
                self.advance();
                Some("character_varying")
            }
            (TokenKind::Keyword(keyword), _) => keyword::type_name(keyword),
            (TokenKind::Missing, _) => Some("missing"),
            (TokenKind::Null, _) => Some("null"),
            _ => None,
        };
        let name = name.ok_or_else(|| malformed("Expected type name"))?;
        self.advance();
        Ok(name)
    }

    fn unary(&mut self) -> Result<Expression, StatementError> {
        let at = self.position();
        match self.kind() {
            TokenKind::Operator(Operator::Not) => {
                self.advance();
                let operand = self.expression(Precedence::Not)?;
                Ok(Expression {
                    node: Node::Not(Box::new(operand)),
                    at,
                })
            }
            TokenKind::Operator(sign @ (Operator::Plus | Operator::Minus)) => {
                let sign = *sign;
                self.advance();
                let term = self.deeper(1, Self::unary)?;
                Ok(signed(sign, term, at))
            }
            _ => self.path_term(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Joint {
    And,
    Or,
}

/// `left AND right`, or `left OR right`, as one flat list.
fn join(left: Expression, right: Expression, joint: Joint) -> Node {
    let mut joined = match (left.node, joint) {
        (Node::All(list), Joint::And) | (Node::Any(list), Joint::Or) => list,
        (node, _) => vec![Expression { node, at: left.at }],
    };
    joined.push(right);
    match joint {
        Joint::And => Node::All(joined),
        Joint::Or => Node::Any(joined),
    }
}

/// A sign is part of a number, and no operator that DynamoDB has before anything else.
fn signed(sign: Operator, term: Expression, at: SourcePosition) -> Expression {
    match (term.node, sign) {
        (Node::Number(text), Operator::Minus) => Expression {
            node: Node::Number(match text.strip_prefix('-') {
                Some(positive) => positive.to_owned(),
                None => format!("-{text}"),
            }),
            at: term.at,
        },
        (node @ Node::Number(_), _) => Expression { node, at: term.at },
        (_, Operator::Minus) => Expression {
            node: Node::Operation("-"),
            at,
        },
        _ => Expression {
            node: Node::Operation("+"),
            at,
        },
    }
}
