//! The shipped models with the mistakes that the documents behind them had. Each mistake is one line put back.

use super::{breaks, reports};
use monotable_model::diagnostic::Code;

/// A shipped model with one text for another.
#[track_caller]
fn with(name: &str, from: &str, to: &str) -> String {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let text = std::fs::read_to_string(folder.join(name).join("model.toml")).unwrap();
    assert_eq!(text.matches(from).count(), 1, "{from:?}");
    text.replace(from, to)
}

/// Without the one line that begins so.
#[track_caller]
fn without_line(name: &str, start: &str, section: &str) -> String {
    let text = with(name, section, section);
    let at = text.find(section).unwrap();
    let line = at + text[at..].find(start).unwrap();
    let end = line + text[line..].find('\n').unwrap() + 1;
    format!("{}{}", &text[..line], &text[end..])
}

#[test]
fn yg_x2_a_person_by_id_is_a_relationship() {
    let bad = with(
        "yggdrasil",
        r##"GSI1    = ["PERSON#{PersonId}", "TREE#*"]"##,
        r##"GSI1    = ["PERSON#{PersonId}"]"##,
    );
    breaks(&bad, Code::StrangerInQuery, "person_by_id", "\"PARENT#");
}

#[test]
fn yg_x3_persons_by_prefix_are_relationships_too() {
    let bad = with(
        "yggdrasil",
        "[access.person_by_id]",
        "[access.persons_by_prefix]\nkey = [\"USER#{UserId}\", \"PERSON#*\"]\nreturns = [\"Person\"]\n\n[access.person_by_id]",
    );
    breaks(&bad, Code::StrangerInQuery, "persons_by_prefix", "#CHILD#");
}

#[test]
fn az_x9_members_of_a_tenant_and_the_tenant_itself() {
    let bad = with(
        "authorization",
        r##"key     = ["TENANT#{tenantId}", "USER#*"]"##,
        r##"key     = ["TENANT#{tenantId}"]"##,
    );
    breaks(
        &bad,
        Code::StrangerInQuery,
        "members_of_tenant",
        "Tenant: tenantId",
    );
}

#[test]
fn fk_x22_attribute_keys_among_allowed_values() {
    let bad = without_line("formkiq", "drops", "key     = [\"schemas\", \"attr#*\"]");
    breaks(&bad, Code::StrangerInQuery, "", "#allowedvalue#");
}

#[test]
fn yg_x4_an_open_prefix() {
    let bad = with(
        "yggdrasil",
        r##""PERSON#{ParentId}#CHILD#*"]"##,
        r##""PERSON#{ParentId}*"]"##,
    );
    breaks(&bad, Code::OpenPrefix, "*", "n10");
}

#[test]
fn vt_x6_children_of_n1_and_n10() {
    let bad = with(
        "values",
        r##""EDGE#{parentNodeId}#*"]"##,
        r##""EDGE#{parentNodeId}*"]"##,
    );
    breaks(&bad, Code::OpenPrefix, "*", "n10");
}

#[test]
fn fk_x35_an_entity_of_a_longer_name() {
    let bad = with(
        "formkiq",
        r##""entity#{name}#*"]"##,
        r##""entity#{name}*"]"##,
    );
    breaks(&bad, Code::OpenPrefix, "*", "n10");
}

#[test]
fn az_x1_tenant_names_that_an_index_enforces() {
    let bad = with(
        "authorization",
        "[entity.Tenant.unique.name]",
        "[entity.Tenant.unique.tenantId]",
    )
    .replace(
        "key     = \"TENANT_NAME#{name:trim}\"",
        "key     = \"TENANT_ID#{tenantId}\"",
    );
    breaks(&bad, Code::UnguardedClaim, "tenant_by_name", "(name)");
}

#[test]
fn pp_x1_a_child_with_two_parents() {
    let bad = with(
        "processproof",
        "value = \"{childUrn}\", associatedRecordUrn",
        "value = \"{childUrn}#{parentUrn}\", associatedRecordUrn",
    );
    reports(&bad, Code::UnguardedClaim, "parent", "(childUrn)");
}

#[test]
fn pp_x4_relationships_that_are_never_in_the_index() {
    let bad = without_line(
        "processproof",
        "accept.never_in_index",
        "[entity.ParentChildRelationship]",
    );
    breaks(&bad, Code::NeverInIndex, "urn", "never `urn`");
}

#[test]
fn vt_x5_edges_in_the_order_of_text() {
    let bad = with(
        "values",
        "EDGE#{parentNodeId}#{order:05}#",
        "EDGE#{parentNodeId}#{order}#",
    );
    breaks(&bad, Code::UnpaddedNumber, "{order}", "#10#");
}

#[test]
fn fk_x28_rulesets_in_the_order_of_text() {
    let bad = with(
        "formkiq",
        "ruleset#{status}#{priority:06}#",
        "ruleset#{status}#{priority}#",
    );
    reports(&bad, Code::UnpaddedNumber, "{priority}", "#10#");
}

#[test]
fn yg_x12_a_running_number() {
    let bad = without_line("yggdrasil", "accept.unpadded_number", "[entity.Person]");
    breaks(&bad, Code::UnpaddedNumber, "{n}", "#10");
}

#[test]
fn fk_x8_two_syncs_in_one_second() {
    let bad = without_line("formkiq", "on_exists", "[entity.DocumentSync]");
    breaks(&bad, Code::TimeTie, "{syncDate}", "one moment");
}

#[test]
fn pp_x12_a_delimiter_in_a_property() {
    let bad = with(
        "processproof",
        "property      = \"text(1..100), without = #\"",
        "property      = \"text(1..100)\"",
    );
    breaks(&bad, Code::AmbiguousKey, "UniqueKeyValue#", "key = ");
}

#[test]
fn fk_x9_a_delimiter_in_a_tag() {
    let bad = with(
        "formkiq",
        "key     = \"text(1..100), without = #/, message",
        "key     = \"text(1..100), message",
    );
    reports(&bad, Code::AmbiguousKey, "tag#{tagKey}#", "tagKey = ");
    // A key such as `x#idx1` is also a row of a tag with several values.
    reports(&bad, Code::SameKey, "tags#{tagKey}#idx{index}", "#idx");
}

#[test]
fn vt_x10_a_user_inside_another_users_keys() {
    let bad = with(
        "values",
        "matches = /[A-Za-z0-9:._@-]{1,128}/",
        "matches = /[A-Za-z0-9:._@#-]{1,128}/",
    );
    reports(
        &bad,
        Code::OutsideIsolation,
        "[isolation]",
        "two principals",
    );
    reports(
        &bad,
        Code::OpenPrefix,
        "EDGE#{parentNodeId}#*",
        "also found",
    );
}

#[test]
fn fk_x29_a_status_that_changes_its_key() {
    let bad = with(
        "formkiq",
        "[entity.Ruleset.attributes]",
        "[entity.Ruleset.attributes]",
    );
    let at = bad.find("[entity.Ruleset.attributes]").unwrap();
    let status = at + bad[at..].find("on_off, movable").unwrap();
    let bad = format!(
        "{}on_off{}",
        &bad[..status],
        &bad[status + "on_off, movable".len()..]
    );
    breaks(&bad, Code::MutableKey, "on_off", "`status`");
}

#[test]
fn fk_x7_every_activity_in_one_partition() {
    let bad = without_line(
        "formkiq",
        "accept.hot_partition",
        "[entity.DocumentActivityV]",
    );
    breaks(&bad, Code::HotPartition, "activity#", "one partition");
}

#[test]
fn fk_x2_an_index_without_the_site() {
    let bad = with(
        "formkiq",
        "[entity.Queue]\n",
        "[entity.Queue]\nglobal = [\"GSI1\"]\n",
    );
    reports(&bad, Code::MissingTenant, "queues#", "GSI1");
}

#[test]
fn fk_x4_deleted_documents_among_those_of_the_day() {
    let bad = with(
        "formkiq",
        "GSI1   = [\"softdelete#{inserteddate:date}\", ",
        "GSI1   = [\"{inserteddate:date}\", ",
    );
    reports(
        &bad,
        Code::LeftBehind,
        "{inserteddate:date}",
        "stands in an index partition",
    );
}

#[test]
fn fk_x27_workflows_that_a_soft_delete_forgets() {
    let bad = with(
        "formkiq",
        "owns   = [\"rows_of_document\", \"workflows_of_document\"]",
        "owns   = [\"rows_of_document\"]",
    );
    reports(
        &bad,
        Code::LeftBehind,
        "[move.soft_delete]",
        "not the rows of `DocumentWorkflow`",
    );
}

#[test]
fn pp_x2_memberships_that_only_an_index_finds() {
    let bad = without_line(
        "processproof",
        "accept.index_decides",
        "[entity.CollectionMembershipRelationship]",
    );
    breaks(&bad, Code::IndexDecides, "-> Resource", "`InvertedIndex`");
}

#[test]
fn yg_x17_a_hash_in_an_index() {
    let bad = without_line("yggdrasil", "accept.exposed_secret", "[entity.User]");
    breaks(&bad, Code::ExposedSecret, "secret", "`GSI3` holds a copy");
}

#[test]
fn fk_x33_an_api_key_in_clear_text() {
    let bad = without_line("formkiq", "accept.exposed_secret", "[entity.ApiKey]");
    breaks(&bad, Code::ExposedSecret, "{apiKey}", "as it is");
}

#[test]
fn fk_x26_a_folder_called_permissions() {
    let bad = with(
        "formkiq",
        "parentDocumentId = \"uuid?, movable\"",
        "parentDocumentId = \"text(1..64)?, movable\"",
    );
    reports(
        &bad,
        Code::SameKey,
        "global#folders#permissions",
        "parentDocumentId = \"permissions\"",
    );
}

#[test]
fn fk_x10_an_empty_tag_value() {
    let bad = with(
        "formkiq",
        "\"{tagValue|:fit(500)}#{inserteddate}#{documentId}\"]",
        "\"{tagValue|:fit(500)}\"]",
    );
    reports(&bad, Code::EmptyKey, "{tagValue|:fit(500)}", "can be empty");
}

#[test]
fn fk_x21_a_random_key_for_a_composite_key() {
    let bad = without_line(
        "formkiq",
        "accept.generated_key",
        "[entity.SiteCompositeKey]",
    );
    breaks(&bad, Code::GeneratedKey, "uuid", "new each time");
}

#[test]
fn fk_r8_a_share_that_nothing_leads_to() {
    let bad = with(
        "formkiq",
        "[entity.DocumentShare.attributes]",
        "[entity.DocumentShare.attributes]\nowner = \"-> Document, on_delete = cascade\"",
    );
    reports(&bad, Code::NoPath, "-> Document", "no key or index leads");
}

#[test]
fn yg_another_user_takes_the_id_of_a_tree() {
    let bad = with(
        "yggdrasil",
        "key     = \"TREE#{TreeId}\"\nkeeps   = [\"UserId\"]",
        "key     = \"TREE#{UserId}#{TreeId}\"\nkeeps   = [\"UserId\"]",
    );
    breaks(&bad, Code::UnguardedClaim, "tree_by_id", "(TreeId)");
}

#[test]
fn az_x3_a_role_whose_guard_does_not_say_where_it_stands() {
    let bad = with(
        "authorization",
        r##"keeps   = ["scope", "name"]"##,
        r##"keeps   = ["scope"]"##,
    );
    breaks(
        &bad,
        Code::IndexDecides,
        "-> Role",
        "`roles` refers to `Role`",
    );
}
