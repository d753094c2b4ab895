/*
 * view-text: how views that are pages of text (app->info) are laid out, drawn and scrolled.
 */
#ifndef SLOWTOP_TUI_VIEW_TEXT_H
#define SLOWTOP_TUI_VIEW_TEXT_H

#include "tui/app.h"

unsigned text_context(const struct app *);
void text_layout(struct app *, struct layout *, struct rect body);
int text_draw(struct app *);
size_t text_position(const struct app *, size_t *rows);
extern const struct view_search text_search;
/* In place of cmd_move. */
void text_scroll(struct app *, int how);

#endif
