/*
 * rect: a part of a canvas: rows [row, row + rows), columns [column, column + columns)
 */
#ifndef SLOWTOP_VIEW_RECT_H
#define SLOWTOP_VIEW_RECT_H

struct rect {
	int row, column, rows, columns;
};

#endif
