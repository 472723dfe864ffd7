//! Every script of `scenarios/`, on every target: memory, disk, our server over HTTP, one with lagging indexes, and the REST API.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use monotable_scenarios::{Target, play_file, run_file};
use std::collections::BTreeSet;
use std::path::Path;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Scripts that end with another model or other settings than their rows were written with.
const CHANGED_RULES: &[&str] = &[
    "processproof/pp_t03.txt",
    "values/vt_new_kind.txt",
    "yggdrasil/yg_t03.txt",
];

fn run(script: &str) {
    let path = Path::new(ROOT).join("scenarios").join(script);
    let models = Path::new(ROOT).join("models");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let played = match runtime.block_on(play_file(&path, &models, Target::Memory)) {
        Ok(played) => played,
        Err(failure) => panic!("{script} in memory: {failure}"),
    };
    // No sequence of operations leads to a violation.
    if let (false, Some(store)) = (
        played.is_planted || CHANGED_RULES.contains(&script),
        &played.store,
    ) {
        let found = runtime.block_on(store.verify());
        let violations = found.map(|found| found.violations);
        assert!(
            violations.as_ref().is_ok_and(Vec::is_empty),
            "{script} ends with {violations:#?}"
        );
    }
    drop(played);
    for target in [Target::Disk, Target::Server, Target::Stale, Target::Rest] {
        if let Err(failure) = runtime.block_on(run_file(&path, &models, target)) {
            panic!("{script} on {target:?}: {failure}");
        }
    }
}

macro_rules! scripts {
    ($( $folder:ident: $( $name:ident )+; )+) => {
        $(
            mod $folder {
                $(
                    #[test]
                    fn $name() {
                        super::run(concat!(stringify!($folder), "/", stringify!($name), ".txt"));
                    }
                )+
            }
        )+

        const LISTED: &[&str] = &[$( $( concat!(stringify!($folder), "/", stringify!($name), ".txt"), )+ )+];
    };
}

scripts! {
    authorization:
        az_address_in_every_unicode_form az_guards_from_before_unicode_forms az_phone_has_a_country
        az_phone_of_the_home_country az_role_id_is_unique az_t01 az_t02 az_t03 az_t04 az_t05 az_t06 az_t07 az_t08
        az_t09 az_t10 az_t11 az_t12 az_t13 az_t14 az_t15 az_t16 az_t17 az_t18 az_t19 az_t20
        az_unreadable_phone_of_another_program;
    formkiq:
        fk_actions fk_audit_rows fk_case_documents_go_with_their_task fk_completed_actions_outlive_their_queue
        fk_convert fk_creator_cannot_be_forged fk_expiry_needs_the_right_to_delete fk_folder_needs_its_parent fk_grants fk_hashed fk_hidden_is_not_there
        fk_id_in_the_bin_is_taken fk_key_revoked_by_mask fk_large_schema fk_layout_b fk_leak fk_left_behind
        fk_local_day fk_mixed fk_moves fk_names fk_no_groups_no_rights fk_order fk_patterns fk_permissions_are_audited
        fk_projected fk_put_tells_nothing_of_hidden_rows fk_repair_own_site fk_repair_twice fk_rights
        fk_roles_hide_audits_and_shares fk_rows_as_other_programs_wrote_them fk_sharded fk_shares_of_another_site
        fk_sites fk_sites_are_not_listed fk_syncs fk_t01 fk_t02 fk_t03 fk_t04 fk_t05 fk_t06 fk_t07 fk_t08 fk_t09
        fk_t10 fk_t11 fk_t12 fk_t13 fk_t14
        fk_t15 fk_t16 fk_t17 fk_t18 fk_t19 fk_t20 fk_t21 fk_t22 fk_unprefixed fk_verify fk_versions fk_words;
    peers:
        cursor_is_bound delimiters_and_case_never_collide distinct_rows_stay_distinct_across_pages
        duplicate_of_old_data_is_renamed_or_deleted guard_released_and_taken_in_one_transaction guard_that_names_no_row_is_mended limit_and_pages_agree
        partial_update_keeps_index_keys unique_value_swapped_on_update;
    processproof:
        pp_adopt_parent_links pp_collection_is_not_its_own_member pp_joined_chains_keep_the_depth
        pp_reserved_names_and_keys pp_t01 pp_t02 pp_t03
        pp_t04 pp_t05 pp_t06 pp_t07 pp_t08 pp_t09 pp_t10 pp_t11 pp_t12 pp_t13 pp_t14 pp_t15 pp_t16 pp_t17 pp_t18
        pp_t19 pp_t20;
    values:
        vt_backfill vt_edges_of_a_deleted_node_are_hidden vt_forged_intent vt_many_revisions vt_new_kind
        vt_nothing_new_below_a_deleted_driver vt_own_user vt_rebase vt_reorder vt_revert vt_rollover
        vt_several_parents vt_strangers vt_t01 vt_t02 vt_t03 vt_t04 vt_t05 vt_t06 vt_t07 vt_t08 vt_t09 vt_t10 vt_t11
        vt_t12 vt_t13 vt_t14 vt_t15 vt_t16 vt_t17 vt_t18 vt_t19 vt_t20 vt_times_in_any_precision vt_tombstone
        vt_two_repositories vt_undone_deletion_has_no_time;
    yggdrasil:
        yg_blank_text_that_is_meant yg_cycle_that_another_program_wrote yg_delete_resumed yg_move_refused_early yg_move_resumed yg_password_hash_is_given_as_one yg_shares
        yg_t01 yg_t02 yg_t03 yg_t04 yg_t05 yg_t06 yg_t07 yg_t08 yg_t09 yg_t10 yg_t11 yg_t12 yg_t13 yg_t14 yg_t15
        yg_t16 yg_t17 yg_t18 yg_t19 yg_t20 yg_texts_that_are_none yg_transfer yg_tree_id_belongs_to_one_owner;
}

#[test]
fn every_script_is_a_test() {
    let mut found = BTreeSet::new();
    for folder in std::fs::read_dir(Path::new(ROOT).join("scenarios")).unwrap() {
        let folder = folder.unwrap();
        for file in std::fs::read_dir(folder.path()).unwrap() {
            let name = file.unwrap().file_name();
            found.insert(format!(
                "{}/{}",
                folder.file_name().display(),
                name.display()
            ));
        }
    }
    let listed: BTreeSet<String> = LISTED.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(found, listed);
}
