#include "pages.h"

#include <string.h>

// Swift's clang has it for every C; the standard since 2023.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char shared_theme_css[] = {
#embed "web/shared/theme.css"
};
static const unsigned char review_html[] = {
#embed "web/review/review.html"
};
static const unsigned char pick_html[] = {
#embed "web/pick/pick.html"
};
static const unsigned char pick_css[] = {
#embed "web/pick/pick.css"
};
static const unsigned char pick_clip_js[] = {
#embed "web/pick/clip.js"
};
static const unsigned char pick_shapes_js[] = {
#embed "web/pick/shapes.js"
};
static const unsigned char pick_covers_js[] = {
#embed "web/pick/covers.js"
};
static const unsigned char pick_drawing_js[] = {
#embed "web/pick/drawing.js"
};
static const unsigned char pick_pointer_js[] = {
#embed "web/pick/pointer.js"
};
static const unsigned char pick_view_js[] = {
#embed "web/pick/view.js"
};
static const unsigned char pick_timeline_js[] = {
#embed "web/pick/timeline.js"
};
static const unsigned char pick_panel_js[] = {
#embed "web/pick/panel.js"
};
static const unsigned char pick_store_js[] = {
#embed "web/pick/store.js"
};
static const unsigned char pick_keys_js[] = {
#embed "web/pick/keys.js"
};
static const unsigned char pick_main_js[] = {
#embed "web/pick/main.js"
};
static const unsigned char review_batch_js[] = {
#embed "web/review/batch.js"
};
static const unsigned char review_cards_js[] = {
#embed "web/review/cards.js"
};
static const unsigned char review_choices_js[] = {
#embed "web/review/choices.js"
};
static const unsigned char review_commands_js[] = {
#embed "web/review/commands.js"
};
static const unsigned char review_format_js[] = {
#embed "web/review/format.js"
};
static const unsigned char review_hiding_js[] = {
#embed "web/review/hiding.js"
};
static const unsigned char review_head_js[] = {
#embed "web/review/head.js"
};
static const unsigned char review_job_css[] = {
#embed "web/review/job.css"
};
static const unsigned char review_job_js[] = {
#embed "web/review/job.js"
};
static const unsigned char review_lanes_js[] = {
#embed "web/review/lanes.js"
};
static const unsigned char review_list_js[] = {
#embed "web/review/list.js"
};
static const unsigned char review_main_js[] = {
#embed "web/review/main.js"
};
static const unsigned char review_moments_js[] = {
#embed "web/review/moments.js"
};
static const unsigned char review_observations_js[] = {
#embed "web/review/observations.js"
};
static const unsigned char review_masks_js[] = {
#embed "web/review/masks.js"
};
static const unsigned char review_overlay_js[] = {
#embed "web/review/overlay.js"
};
static const unsigned char review_panels_js[] = {
#embed "web/review/panels.js"
};
static const unsigned char review_picture_js[] = {
#embed "web/review/picture.js"
};
static const unsigned char review_plots_js[] = {
#embed "web/review/plots.js"
};
static const unsigned char review_print_css[] = {
#embed "web/review/print.css"
};
static const unsigned char review_release_js[] = {
#embed "web/review/release.js"
};
static const unsigned char review_remarks_js[] = {
#embed "web/review/remarks.js"
};
static const unsigned char review_results_js[] = {
#embed "web/review/results.js"
};
static const unsigned char review_series_js[] = {
#embed "web/review/series.js"
};
static const unsigned char review_review_css[] = {
#embed "web/review/review.css"
};
static const unsigned char review_sheet_js[] = {
#embed "web/review/sheet.js"
};
static const unsigned char review_states_js[] = {
#embed "web/review/states.js"
};
static const unsigned char review_strip_js[] = {
#embed "web/review/strip.js"
};
static const unsigned char review_thing_js[] = {
#embed "web/review/thing.js"
};
static const unsigned char review_timeline_js[] = {
#embed "web/review/timeline.js"
};
static const unsigned char shared_dom_js[] = {
#embed "web/shared/dom.js"
};
static const unsigned char shared_player_js[] = {
#embed "web/shared/player.js"
};

#define FILE_OF(name, array) {name, array, sizeof(array)}

// A new file is its bytes above and a line here.
static const struct pages_file files[] = {
    FILE_OF("shared/theme.css", shared_theme_css),
    FILE_OF("review/review.html", review_html),
    FILE_OF("pick/pick.html", pick_html),
    FILE_OF("pick/pick.css", pick_css),
    FILE_OF("pick/clip.js", pick_clip_js),
    FILE_OF("pick/shapes.js", pick_shapes_js),
    FILE_OF("pick/covers.js", pick_covers_js),
    FILE_OF("pick/drawing.js", pick_drawing_js),
    FILE_OF("pick/pointer.js", pick_pointer_js),
    FILE_OF("pick/view.js", pick_view_js),
    FILE_OF("pick/timeline.js", pick_timeline_js),
    FILE_OF("pick/panel.js", pick_panel_js),
    FILE_OF("pick/store.js", pick_store_js),
    FILE_OF("pick/keys.js", pick_keys_js),
    FILE_OF("pick/main.js", pick_main_js),
    FILE_OF("review/batch.js", review_batch_js),
    FILE_OF("review/cards.js", review_cards_js),
    FILE_OF("review/choices.js", review_choices_js),
    FILE_OF("review/commands.js", review_commands_js),
    FILE_OF("review/format.js", review_format_js),
    FILE_OF("review/hiding.js", review_hiding_js),
    FILE_OF("review/head.js", review_head_js),
    FILE_OF("review/job.css", review_job_css),
    FILE_OF("review/job.js", review_job_js),
    FILE_OF("review/lanes.js", review_lanes_js),
    FILE_OF("review/list.js", review_list_js),
    FILE_OF("review/main.js", review_main_js),
    FILE_OF("review/moments.js", review_moments_js),
    FILE_OF("review/observations.js", review_observations_js),
    FILE_OF("review/masks.js", review_masks_js),
    FILE_OF("review/overlay.js", review_overlay_js),
    FILE_OF("review/panels.js", review_panels_js),
    FILE_OF("review/picture.js", review_picture_js),
    FILE_OF("review/plots.js", review_plots_js),
    FILE_OF("review/print.css", review_print_css),
    FILE_OF("review/release.js", review_release_js),
    FILE_OF("review/remarks.js", review_remarks_js),
    FILE_OF("review/results.js", review_results_js),
    FILE_OF("review/series.js", review_series_js),
    FILE_OF("review/review.css", review_review_css),
    FILE_OF("review/sheet.js", review_sheet_js),
    FILE_OF("review/states.js", review_states_js),
    FILE_OF("review/strip.js", review_strip_js),
    FILE_OF("review/thing.js", review_thing_js),
    FILE_OF("review/timeline.js", review_timeline_js),
    FILE_OF("shared/dom.js", shared_dom_js),
    FILE_OF("shared/player.js", shared_player_js),
};

const struct pages_file *pages_find(const char *name) {
    for (size_t index = 0; index < sizeof(files) / sizeof(files[0]); index++)
        if (strcmp(files[index].name, name) == 0) return &files[index];
    return NULL;
}
