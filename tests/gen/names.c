// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a)   (sizeof(a) / sizeof *(a))
#define PICK(r, a) ((a)[rng_below((r), COUNT(a))])

static const char *const packages[] = {
    "android.app",
    "android.content",
    "android.content.res",
    "android.graphics",
    "android.graphics.drawable",
    "android.os",
    "android.text",
    "android.util",
    "android.view",
    "android.view.animation",
    "android.widget",
    "androidx.appcompat.widget",
    "androidx.collection",
    "androidx.compose.runtime",
    "androidx.compose.runtime.snapshots",
    "androidx.compose.ui.layout",
    "androidx.compose.ui.node",
    "androidx.constraintlayout.core",
    "androidx.fragment.app",
    "androidx.lifecycle",
    "androidx.recyclerview.widget",
    "androidx.room",
    "com.bumptech.glide.load.engine",
    "com.bumptech.glide.load.resource.bitmap",
    "com.example.feed",
    "com.example.feed.data",
    "com.example.feed.data.remote",
    "com.example.feed.domain",
    "com.example.feed.image",
    "com.example.feed.ui",
    "com.example.feed.ui.timeline",
    "com.example.feed.util",
    "com.google.gson",
    "com.google.gson.stream",
    "com.squareup.moshi",
    "dagger.internal",
    "io.reactivex.internal.operators.observable",
    "java.io",
    "java.lang",
    "java.lang.reflect",
    "java.net",
    "java.nio",
    "java.security",
    "java.text",
    "java.util",
    "java.util.concurrent",
    "java.util.concurrent.atomic",
    "java.util.concurrent.locks",
    "java.util.regex",
    "java.util.zip",
    "javax.crypto",
    "kotlin.collections",
    "kotlin.jvm.internal",
    "kotlin.sequences",
    "kotlinx.coroutines",
    "kotlinx.coroutines.internal",
    "kotlinx.serialization.json.internal",
    "libcore.io",
    "okhttp3.internal.connection",
    "okhttp3.internal.http2",
    "okio",
    "org.json",
    "retrofit2",
    "sun.misc",
};

static const char *const nouns[] = {
    "Abstract",
    "Activity",
    "Address",
    "Array",
    "Asset",
    "Async",
    "Atomic",
    "Bitmap",
    "Bounds",
    "Buffer",
    "Byte",
    "Cache",
    "Canvas",
    "Char",
    "Chunk",
    "Class",
    "Color",
    "Concurrent",
    "Config",
    "Connection",
    "Constraint",
    "Content",
    "Cursor",
    "Data",
    "Date",
    "Decimal",
    "Default",
    "Display",
    "Drawable",
    "Event",
    "Feed",
    "Field",
    "File",
    "Font",
    "Frame",
    "Fragment",
    "Gesture",
    "Glyph",
    "Hash",
    "Header",
    "Heap",
    "Http",
    "Image",
    "Index",
    "Input",
    "Item",
    "Job",
    "Json",
    "Key",
    "Layout",
    "Linear",
    "List",
    "Local",
    "Lock",
    "Map",
    "Matrix",
    "Measure",
    "Menu",
    "Message",
    "Modifier",
    "Node",
    "Object",
    "Packet",
    "Page",
    "Paint",
    "Path",
    "Pattern",
    "Pixel",
    "Pool",
    "Prefs",
    "Query",
    "Queue",
    "Record",
    "Rect",
    "Region",
    "Render",
    "Request",
    "Resource",
    "Response",
    "Row",
    "Scroll",
    "Session",
    "Snapshot",
    "Socket",
    "Span",
    "State",
    "Stream",
    "String",
    "Style",
    "Surface",
    "Table",
    "Task",
    "Text",
    "Theme",
    "Thread",
    "Token",
    "Touch",
    "Tree",
    "Typeface",
    "Value",
    "Video",
    "View",
    "Window",
    "Zip",
};

static const char *const roles[] = {
    "",
    "",
    "",
    "Adapter",
    "Builder",
    "Controller",
    "Decoder",
    "Delegate",
    "Dispatcher",
    "Encoder",
    "Engine",
    "Entry",
    "Factory",
    "Group",
    "Handler",
    "Helper",
    "Holder",
    "Impl",
    "Info",
    "Iterator",
    "Kt",
    "Loader",
    "Manager",
    "Observer",
    "Params",
    "Parser",
    "Policy",
    "Proxy",
    "Reader",
    "Registry",
    "Repository",
    "Scope",
    "Service",
    "Set",
    "Source",
    "Store",
    "Target",
    "Utils",
    "Visitor",
    "Worker",
    "Writer",
};

static const char *const verbs[] = {
    "access",
    "add",
    "append",
    "apply",
    "attach",
    "bind",
    "build",
    "cancel",
    "check",
    "clear",
    "close",
    "collect",
    "compare",
    "compute",
    "convert",
    "copy",
    "create",
    "decode",
    "dispatch",
    "draw",
    "emit",
    "encode",
    "ensure",
    "execute",
    "fill",
    "filter",
    "find",
    "flush",
    "format",
    "get",
    "get",
    "get",
    "handle",
    "has",
    "hash",
    "inflate",
    "init",
    "insert",
    "invalidate",
    "invoke",
    "is",
    "is",
    "layout",
    "load",
    "lookup",
    "make",
    "map",
    "mark",
    "match",
    "measure",
    "merge",
    "move",
    "next",
    "notify",
    "obtain",
    "on",
    "on",
    "open",
    "parse",
    "peek",
    "perform",
    "poll",
    "post",
    "prepare",
    "process",
    "put",
    "query",
    "read",
    "recycle",
    "register",
    "release",
    "remove",
    "request",
    "reset",
    "resolve",
    "resume",
    "run",
    "save",
    "scale",
    "schedule",
    "seek",
    "select",
    "send",
    "set",
    "set",
    "skip",
    "sort",
    "start",
    "stop",
    "submit",
    "to",
    "transform",
    "update",
    "validate",
    "visit",
    "wrap",
    "write",
};

/* Whole names that recur in every trace. */
static const char *const common[] = {
    "<clinit>",
    "<init>",
    "<init>",
    "<init>",
    "<init>",
    "access$000",
    "call",
    "charAt",
    "compareTo",
    "equals",
    "get",
    "hasNext",
    "hashCode",
    "intValue",
    "invoke",
    "invokeSuspend",
    "isEmpty",
    "iterator",
    "length",
    "next",
    "onDraw",
    "onLayout",
    "onMeasure",
    "put",
    "run",
    "size",
    "toString",
    "valueOf",
};

static const char *const nests[] = {
    "$1",
    "$2",
    "$3",
    "$Builder",
    "$Callback",
    "$Companion",
    "$Entry",
    "$Itr",
    "$Key",
    "$LayoutParams",
    "$Node",
    "$SavedState",
    "$State",
    "$$ExternalSyntheticLambda0",
    "$$ExternalSyntheticLambda7",
    "$onCreate$1",
    "$inner$2$1",
    "$-CC",
    "$WhenMappings",
};

static const char *const types[] = {
    "I",
    "I",
    "J",
    "Z",
    "F",
    "D",
    "B",
    "C",
    "[B",
    "[I",
    "Ljava/lang/Object;",
    "Ljava/lang/String;",
    "Ljava/lang/CharSequence;",
    "Ljava/util/List;",
    "Ljava/util/Map;",
    "Landroid/content/Context;",
    "Landroid/graphics/Canvas;",
    "Landroid/graphics/Rect;",
    "Landroid/os/Bundle;",
    "Landroid/view/View;",
    "Lkotlin/jvm/functions/Function1;",
    "Lkotlin/coroutines/Continuation;",
    "[Ljava/lang/Object;",
    "Ljava/nio/ByteBuffer;",
};

static void
make_signature(char *out, size_t size, struct rng *r, bool constructor)
{
	unsigned n = rng_below(r, 4);
	size_t used;

	used = (size_t)snprintf(out, size, "(");
	while (n--)
		used += (size_t)snprintf(out + used, size - used, "%s", PICK(r, types));
	snprintf(out + used, size - used, ")%s",
	    constructor || rng_chance(r, 4000) ? "V" : PICK(r, types));
}

static void
set_columns(struct gen_method *m, const char *class_name, const char *name,
    const char *signature, bool dalvik, int line)
{
	const char *base = strrchr(class_name, '.');
	size_t n, i;

	base = base ? base + 1 : class_name;
	n = strcspn(base, "$");
	m->columns = 4;
	m->column[0] = gen_bytes_copy(class_name, strlen(class_name));
	m->column[1] = gen_bytes_copy(name, strlen(name));
	m->column[2] = gen_bytes_copy(signature, strlen(signature));
	if (n > 2 && !memcmp(base + n - 2, "Kt", 2))
		m->column[3] = gen_bytes_format("%.*s.kt", (int)n - 2, base);
	else
		m->column[3] = gen_bytes_format("%.*s.java", (int)n, base);
	if (!dalvik)
		return;
	for (i = 0; i < m->column[0].n; i++)
		if (m->column[0].p[i] == '.')
			m->column[0].p[i] = '/';
	m->columns = 5;
	m->column[4] = gen_bytes_format("%d", line);
}

void
names_method(struct gen_method *m, struct rng *r, bool dalvik, unsigned serial)
{
	char class_name[160], name[80], signature[160];
	const char *package = PICK(r, packages);
	bool constructor;

	snprintf(class_name, sizeof class_name, "%s.%s%s%s%s", package, PICK(r, nouns),
	    rng_chance(r, 6000) ? PICK(r, nouns) : "", PICK(r, roles),
	    rng_chance(r, 2200) ? PICK(r, nests) : "");
	if (rng_chance(r, 2800))
		snprintf(name, sizeof name, "%s", PICK(r, common));
	else if (rng_chance(r, 2500))
		snprintf(name, sizeof name, "%s%s%s", PICK(r, verbs), PICK(r, nouns),
		    PICK(r, nouns));
	else
		snprintf(name, sizeof name, "%s%s", PICK(r, verbs), PICK(r, nouns));
	constructor = *name == '<';
	make_signature(signature, sizeof signature, r, constructor);
	if (serial) {
		size_t n = strlen(constructor ? class_name : name);

		if (constructor)
			snprintf(class_name + n, sizeof class_name - n, "$%u", serial);
		else
			snprintf(name + n, sizeof name - n, "$%u", serial);
	}
	set_columns(m, class_name, name, signature, dalvik, (int)rng_below(r, 900) - 2);
}

void
names_known_method(
    struct gen_method *m, const char *name, const char *signature, bool dalvik)
{
	const char *dot = strrchr(name, '.');
	char class_name[160];

	snprintf(class_name, sizeof class_name, "%.*s", (int)(dot - name), name);
	set_columns(m, class_name, dot + 1, signature, dalvik, 100);
}
