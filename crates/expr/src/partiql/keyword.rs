//! The words that cannot be identifiers unless they are quoted.
//!
//! These are the keywords of PartiQL's reference parser: SQL-92's and its own. They are not the reserved words of
//! expressions: `name` is no keyword here, and `inner` is.

/// The keyword that `word` is, in lower case; case does not matter.
pub(super) fn find(word: &str) -> Option<&'static str> {
    let lower = word.to_ascii_lowercase();
    let found = WORDS.binary_search_by(|probe| (*probe).cmp(&lower)).ok()?;
    WORDS.get(found).copied()
}

/// Whether a keyword is also the name of a function.
pub(super) fn is_function(keyword: &str) -> bool {
    FUNCTIONS.contains(&keyword)
}

/// The names of types after `IS`, once aliases are replaced.
pub(super) fn type_name(keyword: &str) -> Option<&'static str> {
    let name = match keyword {
        "bool" => "boolean",
        "varchar" => "character_varying",
        "char" => "character",
        "dec" => "decimal",
        "int" => "integer",
        "int2" | "integer2" => "smallint",
        "int4" => "integer4",
        "int8" | "bigint" => "integer8",
        other => other,
    };
    TYPES.iter().find(|known| **known == name).copied()
}

static FUNCTIONS: [&str; 15] = [
    "avg",
    "bag",
    "bit_length",
    "char_length",
    "character_length",
    "count",
    "exists",
    "list",
    "lower",
    "max",
    "min",
    "octet_length",
    "size",
    "sum",
    "upper",
];

static TYPES: [&str; 27] = [
    "any",
    "bag",
    "blob",
    "boolean",
    "character",
    "character_varying",
    "clob",
    "date",
    "decimal",
    "double_precision",
    "float",
    "integer",
    "integer4",
    "integer8",
    "list",
    "missing",
    "null",
    "numeric",
    "real",
    "sexp",
    "smallint",
    "string",
    "struct",
    "symbol",
    "time",
    "timestamp",
    "tuple",
];

/// In byte order.
#[rustfmt::skip]
static WORDS: &[&str] = &[
    "absolute", "action", "add", "all", "allocate", "alter", "and", "any", "are", "as", "asc",
    "assertion", "at", "authorization", "avg", "bag", "begin", "between", "bigint", "bit",
    "bit_length", "blob", "bool", "boolean", "by", "can_cast", "can_lossless_cast", "cascade",
    "cascaded", "case", "cast", "catalog", "char", "char_length", "character", "character_length",
    "check", "clob", "close", "coalesce", "collate", "collation", "column", "commit", "conflict",
    "connect", "connection", "constraint", "constraints", "continue", "convert", "corresponding",
    "count", "create", "cross", "current", "current_date", "current_time", "current_timestamp",
    "current_user", "cursor", "date", "date_add", "date_diff", "deallocate", "dec", "decimal",
    "declare", "default", "deferrable", "deferred", "delete", "desc", "describe", "descriptor",
    "diagnostics", "disconnect", "distinct", "do", "domain", "double", "drop", "else", "end",
    "escape", "except", "exception", "exec", "execute", "exists", "external", "extract", "false",
    "fetch", "first", "float", "for", "foreign", "found", "from", "full", "get", "global", "go",
    "goto", "grant", "group", "having", "identity", "immediate", "in", "index", "indicator",
    "initially", "inner", "input", "insensitive", "insert", "int", "int2", "int4", "int8",
    "integer", "integer2", "integer4", "integer8", "intersect", "interval", "into", "is",
    "isolation", "join", "key", "language", "last", "left", "let", "level", "like", "limit",
    "list", "local", "lower", "match", "max", "min", "missing", "modified", "module", "names",
    "national", "natural", "nchar", "new", "next", "no", "not", "nothing", "null", "nullif",
    "numeric", "octet_length", "of", "offset", "old", "on", "only", "open", "option", "or",
    "order", "outer", "output", "overlaps", "pad", "partial", "pivot", "position", "precision",
    "prepare", "preserve", "primary", "prior", "privileges", "procedure", "public", "read",
    "real", "references", "relative", "remove", "restrict", "returning", "revoke", "right",
    "rollback", "rows", "schema", "scroll", "section", "select", "session", "session_user", "set",
    "sexp", "size", "smallint", "some", "space", "sql", "sqlcode", "sqlerror", "sqlstate",
    "string", "struct", "substring", "sum", "symbol", "system_user", "table", "temporary", "then",
    "time", "timestamp", "to", "transaction", "translate", "translation", "trim", "true", "tuple",
    "union", "unique", "unknown", "unpivot", "update", "upper", "usage", "user", "using", "value",
    "values", "varchar", "varying", "view", "when", "whenever", "where", "with", "work", "write",
    "zone",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_sorted() {
        assert!(WORDS.is_sorted());
    }

    #[test]
    fn case_does_not_matter() {
        assert_eq!(find("SeLeCt"), Some("select"));
        assert_eq!(find("selector"), None);
        assert_eq!(find("name"), None);
    }
}
