// SPDX-License-Identifier: Apache-2.0
/* packet: packets of a Perfetto trace, the sequences they are of, and their interned texts. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"
#include "format/perfetto/perfetto.h"

/* Packets --------------------------------------------------------------------------- */

/* clang warns of members that are left out after designators. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
/* The fields of a packet; those of data are known by name. */
static const struct packet_field packet_fields[] = {
	[1] = {STR("ftrace_events"), FIELD_MESSAGE, PACKET_READ},
	[2] = {STR("process_tree"), FIELD_MESSAGE, PACKET_READ}, [3] = {.kind = FIELD_NUMBER},
	[4] = {STR("inode_file_map"), FIELD_MESSAGE},
	[5] = {STR("chrome_events (JSON, ftrace as text)"), FIELD_MESSAGE},
	[6] = {STR("clock_snapshot"), FIELD_MESSAGE, PACKET_READ},
	[7] = {STR("sys_stats"), FIELD_MESSAGE, PACKET_READ}, [8] = {.kind = FIELD_NUMBER},
	[9] = {STR("process_stats"), FIELD_MESSAGE, PACKET_READ}, [10] = {.kind = FIELD_NUMBER},
	[11] = {STR("track_event"), FIELD_MESSAGE, PACKET_READ}, [12] = {.kind = FIELD_MESSAGE},
	[13] = {.kind = FIELD_NUMBER}, [33] = {STR("trace_config"), FIELD_MESSAGE, PACKET_ABOUT},
	[34] = {STR("ftrace_stats"), FIELD_MESSAGE, PACKET_READ},
	[35] = {STR("trace_stats"), FIELD_MESSAGE, PACKET_READ},
	[36] = {STR("synchronization_marker"), FIELD_BYTES, PACKET_ABOUT},
	[37] = {STR("heap profile (profile_packet)"), FIELD_MESSAGE},
	[38] = {STR("battery"), FIELD_MESSAGE, PACKET_READ},
	[39] = {STR("android_log"), FIELD_MESSAGE, PACKET_READ},
	[40] = {STR("power_rails"), FIELD_MESSAGE, PACKET_READ}, [41] = {.kind = FIELD_NUMBER},
	[42] = {.kind = FIELD_NUMBER},
	[43] = {STR("process_descriptor"), FIELD_MESSAGE, PACKET_READ},
	[44] = {STR("thread_descriptor"), FIELD_MESSAGE, PACKET_READ},
	[45] = {STR("system_info"), FIELD_MESSAGE, PACKET_READ},
	[46] = {STR("trigger"), FIELD_MESSAGE}, [47] = {STR("packages_list"), FIELD_MESSAGE},
	[48] = {STR("chrome_benchmark_metadata"), FIELD_MESSAGE},
	[49] = {STR("perfetto_metatrace"), FIELD_MESSAGE},
	[50] = {STR("compressed_packets"), FIELD_BYTES, PACKET_ABOUT},
	[51] = {STR("chrome_metadata"), FIELD_MESSAGE},
	[52] = {STR("gpu_counter_event"), FIELD_MESSAGE},
	[53] = {STR("gpu_render_stage_event"), FIELD_MESSAGE},
	[54] = {STR("streaming_profile_packet"), FIELD_MESSAGE, PACKET_READ},
	[55] = {STR("profiled_frame_symbols"), FIELD_MESSAGE},
	[56] = {STR("heap dump (heap_graph)"), FIELD_MESSAGE},
	[57] = {STR("graphics_frame_event"), FIELD_MESSAGE}, [58] = {.kind = FIELD_NUMBER},
	[59] = {.kind = FIELD_MESSAGE},
	[60] = {STR("track_descriptor"), FIELD_MESSAGE, PACKET_READ},
	[61] = {STR("module_symbols"), FIELD_MESSAGE},
	[62] = {STR("vulkan_memory_event"), FIELD_MESSAGE}, [63] = {STR("gpu_log"), FIELD_MESSAGE},
	[64] = {STR("deobfuscation_mapping"), FIELD_MESSAGE},
	[65] = {STR("vulkan_api_event"), FIELD_MESSAGE},
	[66] = {STR("perf_sample"), FIELD_MESSAGE, PACKET_READ},
	[67] = {STR("cpu_info"), FIELD_MESSAGE},
	[68] = {STR("memory maps (smaps_packet)"), FIELD_MESSAGE},
	[69] = {STR("service_event"), FIELD_MESSAGE, PACKET_READ},
	[70] = {STR("initial_display_state"), FIELD_MESSAGE},
	[71] = {STR("gpu_mem_total_event"), FIELD_MESSAGE},
	[72] = {STR("extension_descriptor"), FIELD_MESSAGE, PACKET_ABOUT},
	[73] = {STR("memory_tracker_snapshot"), FIELD_MESSAGE},
	[74] = {STR("streaming_allocation"), FIELD_MESSAGE},
	[75] = {STR("streaming_free"), FIELD_MESSAGE},
	[76] = {STR("frame_timeline_event"), FIELD_MESSAGE, PACKET_READ},
	[77] = {STR("android_energy_estimation_breakdown"), FIELD_MESSAGE},
	[78] = {STR("ui_state"), FIELD_MESSAGE}, [79] = {.kind = FIELD_NUMBER},
	[80] = {STR("android_camera_frame_event"), FIELD_MESSAGE},
	[81] = {STR("android_camera_session_stats"), FIELD_MESSAGE},
	[82] = {STR("translation_table"), FIELD_MESSAGE},
	[83] = {STR("android_game_intervention_list"), FIELD_MESSAGE},
	[84] = {STR("statsd_atom"), FIELD_MESSAGE},
	[86] = {STR("android_system_property"), FIELD_MESSAGE}, [87] = {.kind = FIELD_NUMBER},
	[88] = {STR("network_packet"), FIELD_MESSAGE},
	[89] = {STR("trace_uuid"), FIELD_MESSAGE, PACKET_ABOUT},
	[90] = {STR("track_event_range_of_interest"), FIELD_MESSAGE},
	[91] = {STR("entity_state_residency"), FIELD_MESSAGE},
	[92] = {STR("network_packet_bundle"), FIELD_MESSAGE},
	[93] = {STR("surfaceflinger_layers_snapshot"), FIELD_MESSAGE},
	[94] = {STR("surfaceflinger_transactions"), FIELD_MESSAGE},
	[95] = {STR("etw_events"), FIELD_MESSAGE}, [96] = {STR("shell_transition"), FIELD_MESSAGE},
	[97] = {STR("shell_handler_mappings"), FIELD_MESSAGE}, [98] = {.kind = FIELD_NUMBER},
	[99] = {STR("v8_js_code"), FIELD_MESSAGE}, [100] = {STR("v8_internal_code"), FIELD_MESSAGE},
	[101] = {STR("v8_wasm_code"), FIELD_MESSAGE},
	[102] = {STR("v8_reg_exp_code"), FIELD_MESSAGE},
	[103] = {STR("v8_code_move"), FIELD_MESSAGE},
	[104] = {STR("protolog_message"), FIELD_MESSAGE},
	[105] = {STR("protolog_viewer_config"), FIELD_MESSAGE},
	[106] = {STR("android_input_event"), FIELD_MESSAGE},
	[107] = {STR("remote_clock_sync"), FIELD_MESSAGE},
	[109] = {STR("chrome_trigger"), FIELD_MESSAGE},
	[110] = {STR("pixel_modem_events"), FIELD_MESSAGE},
	[111] = {STR("pixel_modem_token_database"), FIELD_MESSAGE},
	[112] = {STR("winscope_extensions"), FIELD_MESSAGE},
	[113] = {STR("clone_snapshot_trigger"), FIELD_MESSAGE},
	[114] = {STR("bluetooth_trace_event"), FIELD_MESSAGE},
	[115] = {STR("kernel_wakelock_data"), FIELD_MESSAGE},
	[116] = {STR("app_wakelock_bundle"), FIELD_MESSAGE},
	[117] = {STR("generic_kernel_task_state_event"), FIELD_MESSAGE},
	[118] = {STR("generic_kernel_cpu_freq_event"), FIELD_MESSAGE},
	[119] = {STR("cpu_per_uid_data"), FIELD_MESSAGE},
	[120] = {STR("generic_kernel_task_rename_event"), FIELD_MESSAGE},
	[121] = {STR("evdev_event"), FIELD_MESSAGE},
	[122] = {STR("generic_kernel_process_tree"), FIELD_MESSAGE},
	[123] = {STR("user_list"), FIELD_MESSAGE}, [124] = {STR("trace_provenance"), FIELD_MESSAGE},
	[125] = {STR("protovms"), FIELD_MESSAGE}, [126] = {STR("trace_attributes"), FIELD_MESSAGE},
	[127] = {STR("android_aflags"), FIELD_MESSAGE}, [128] = {STR("gpu_info"), FIELD_MESSAGE},
	[129] = {STR("generic_gpu_frequency_event"), FIELD_MESSAGE},
	[130] = {STR("interrupt_info"), FIELD_MESSAGE},
	[131] = {STR("art_process_metadata"), FIELD_MESSAGE},
	[132] = {STR("journald_event"), FIELD_MESSAGE},
	[133] = {STR("compressed by zstd"), FIELD_BYTES},
	[134] = {STR("concurrent_session_event"), FIELD_MESSAGE},
	[135] = {STR("stack_sample"), FIELD_MESSAGE},
	[138] = {STR("recovered_trace_info"), FIELD_MESSAGE},
	[139] = {STR("source_file"), FIELD_MESSAGE},
	[140] = {STR("module_disassembly"), FIELD_MESSAGE},
};
#pragma GCC diagnostic pop

/* Data that others define, and tests. */
enum { EXTENSION_FIRST = 1000, EXTENSION_LAST = 1999, FOR_TESTING = 900 };

const struct packet_field *
packet_field_of(uint32_t number)
{
	static const struct packet_field other = {.kind = FIELD_ANY};

	if (number == FOR_TESTING || (number >= EXTENSION_FIRST && number <= EXTENSION_LAST))
		return &other;
	return &packet_fields[number < sizeof(packet_fields) / sizeof(packet_fields[0]) ? number : 0];
}

bool
trace_packet_read(struct trace_packet *p, struct wire content, uint64_t at)
{
	struct wire_field f;

	mem_clear(p, sizeof(*p));
	p->at = at;
	while (wire_next(&content, &f)) {
		switch (f.number) {
		case PACKET_TIMESTAMP:
			p->timestamp = f.value;
			p->timed = true;
			break;
		case PACKET_CLOCK:
			p->clock_id = (uint32_t)f.value;
			break;
		case PACKET_SEQUENCE:
			p->sequence = (uint32_t)f.value;
			p->has_sequence = true;
			break;
		case PACKET_FLAGS:
			p->cleared |= (f.value & FLAG_CLEARED) != 0;
			p->needs = (f.value & FLAG_NEEDS) != 0;
			break;
		case PACKET_CLEARED:
			p->cleared |= f.value != 0;
			break;
		case PACKET_DROPPED:
			p->dropped = f.value;
			break;
		case PACKET_INTERNED:
			p->interned = wire_message(&f);
			break;
		case PACKET_DEFAULTS:
			p->defaults = wire_message(&f);
			break;
		case PACKET_PID:
			p->pid = (uint32_t)f.value;
			break;
		case PACKET_MACHINE:
			p->foreign = f.value != 0;
			break;
		default:
			if (f.type == WIRE_BYTES && (p->field == 0 ||
				packet_field_of(f.number)->does == PACKET_READ)) {
				p->data = f.bytes;
				p->field = f.number;
			}
		}
	}
	return content.p == content.end;
}

bool
payload_read(struct payload *p, struct wire message)
{
	struct wire_field f;

	memset(p, 0, sizeof(*p));
	while (wire_next(&message, &f)) {
		if (f.number >= PAYLOAD_FIELDS)
			continue;
		p->number[f.number] = f.value;
		p->text[f.number] = wire_text(&f);
	}
	return message.p == message.end;
}

bool
trace_packet_at(const struct perfetto *pf, uint64_t at, struct trace_packet *p)
{
	struct wire rest = {pf->file.p + at, pf->file.end};
	struct wire_field f;

	return wire_next(&rest, &f) && f.type == WIRE_BYTES && trace_packet_read(p, f.bytes, at);
}

/* Texts ----------------------------------------------------------------------------- */

/* NULL when the iid is large: memory for those in between is for a million of all tables. */
static struct str *
name_place(struct perfetto *pf, struct generation *table, uint64_t iid)
{
	enum { GAPS_MOST = 1 << 20 };
	size_t known = table->name_room;

	if (iid >= known) {
		if (iid - known > GAPS_MOST - pf->name_gaps)
			return NULL;
		pf->name_gaps += (uint32_t)(iid - known);
		MEM_GROW_ZERO(table->names, table->name_room, (size_t)iid + 1);
	}
	return &table->names[iid];
}

static struct str *
text_place(struct perfetto *pf, uint32_t table, uint32_t field, uint64_t iid)
{
	struct str key = {(const char *)&iid, sizeof(iid)};
	uint64_t kind = (uint64_t)table << 32 | field;
	uint32_t index;

	if (field == INTERNED_NAMES && intern_find(&pf->iids, key, kind) == IDMAP_NONE) {
		struct str *name = name_place(pf, &pf->generations[table], iid);

		if (name != NULL)
			return name;
	}
	index = intern_add(&pf->iids, key, kind);
	MEM_GROW_ZERO(pf->texts, pf->text_room, (size_t)index + 1);
	return &pf->texts[index];
}

struct str
text_of(const struct perfetto *pf, uint32_t generation, uint32_t field, uint64_t iid)
{
	struct str key = {(const char *)&iid, sizeof(iid)};
	uint32_t table = pf->generations[generation].table, index;
	const struct generation *first = &pf->generations[table];

	if (field == INTERNED_NAMES && iid < first->name_room && first->names[iid].p != NULL)
		return first->names[iid];
	index = intern_find(&pf->iids, key, (uint64_t)table << 32 | field);
	return index != IDMAP_NONE ? pf->texts[index] : (struct str){NULL, 0};
}

static struct str
keep(struct perfetto *pf, struct str text, uint64_t most)
{
	struct trace *t = pf->r.trace;
	uint32_t index;

	pthread_mutex_lock(&t->lock);
	index = intern_find(&pf->kept, text, 0);
	if (index == IDMAP_NONE && pf->kept_bytes <= most) {
		pf->kept_bytes += text.n;
		index = intern_add(&pf->kept, arena_str(&t->arena, text), 0);
	}
	text = index != IDMAP_NONE ? pf->kept.items[index].text : STR("");
	pthread_mutex_unlock(&t->lock);
	return text;
}

struct str
text_keep(struct perfetto *pf, struct str text)
{
	return keep(pf, text, UINT64_MAX);
}

struct str
text_print(struct perfetto *pf, const char *format, ...)
{
	struct sbuf s = {0};
	struct str kept;
	va_list args;

	va_start(args, format);
	sbuf_vprintf(&s, format, args);
	va_end(args);
	kept = text_keep(pf, sbuf_view(&s));
	sbuf_release(&s);
	return kept;
}

struct str
args_keep(struct perfetto *pf, struct str args)
{
	enum { BYTES_MOST = 32 << 20 };

	return keep(pf, args, BYTES_MOST);
}

struct str
chain_keep(struct perfetto *pf, const char *what, uint64_t id)
{
	enum { BYTES_MOST = 8 << 20 }; /* some 600,000 chains */
	char text[32];

	snprintf(text, sizeof(text), "%s %" PRIx64, what, id);
	return keep(pf, str_from(text), BYTES_MOST);
}

/* True for fields of call stacks: their entries are kept, as numbers that refer to one another. */
static bool
is_entry(uint32_t field)
{
	return field == INTERNED_FRAMES || field == INTERNED_CALLSTACKS ||
	    field == INTERNED_MAPPINGS;
}

/* Entries {1 iid, 2 text}; an iid that is given twice means the first. */
static void
interned_take(struct perfetto *pf, uint32_t table, struct wire message)
{
	struct wire_field entry, f;

	while (wire_next(&message, &entry)) {
		struct wire rest = wire_message(&entry);
		struct str text = {"", 0}, *place;
		uint64_t iid = 0;

		while (wire_next(&rest, &f)) {
			if (f.number == 1)
				iid = f.value;
			else if (f.number == 2)
				text = wire_text(&f);
		}
		if (is_entry(entry.number))
			text = wire_text(&entry);
		else if (entry.number == INTERNED_NAMES)
			text = slice_text(&pf->r, text);
		place = text_place(pf, table, entry.number, iid);
		if (place->p == NULL)
			*place = text;
	}
}

/* Sequences ------------------------------------------------------------------------- */

uint32_t
generation_add(struct perfetto *pf, struct generation g)
{
	*MEM_ADD(pf->generations, pf->generation_count, pf->generation_room) = g;
	return (uint32_t)pf->generation_count - 1;
}

static uint32_t
sequence_of(struct perfetto *pf, uint32_t id, uint64_t at)
{
	uint32_t index = pf->last_sequence;

	if (index < pf->sequence_count && pf->sequences[index].id == id)
		return index;
	pf->last_sequence = index = idmap_add(&pf->sequence_ids, id, pf->sequence_count);
	if (index == pf->sequence_count) {
		struct generation g = {.from = at, .sequence = index,
		    .table = (uint32_t)pf->generation_count};

		*MEM_ADD(pf->sequences, pf->sequence_count, pf->sequence_room) = (struct sequence){
		    .id = id, .generation = generation_add(pf, g)};
	}
	return index;
}

/* Takes the defaults for what packets of the sequence leave out from here on. */
static void
defaults_take(struct perfetto *pf, struct sequence *s, struct wire message, uint64_t at)
{
	struct generation g = pf->generations[s->generation];
	enum { TRACK = 11, SAMPLES = 12 };
	uint64_t event[TRACK + 1] = {[TRACK] = g.track};
	struct wire_field f;

	g.from = at;
	while (wire_next(&message, &f)) {
		if (f.number == PACKET_CLOCK) {
			g.clock_id = (uint32_t)f.value;
		} else if (f.number == PACKET_TRACK_EVENT) {
			g.event = wire_message(&f);
			(void)wire_numbers(g.event, event, TRACK + 1);
		} else if (f.number == SAMPLES) {
			g.samples = wire_message(&f);
		}
	}
	g.track = event[TRACK];
	s->generation = generation_add(pf, g);
}

uint32_t
sequence_take(struct perfetto *pf, const struct trace_packet *p)
{
	uint32_t index = sequence_of(pf, p->sequence, p->at);
	struct sequence *s = &pf->sequences[index];

	if (p->cleared) {
		const struct generation *before = &pf->generations[s->generation];

		s->generation = generation_add(pf, (struct generation){.from = p->at,
		    .sequence = index, .table = (uint32_t)pf->generation_count,
		    .has_thread = before->has_thread, .pid = before->pid, .tid = before->tid});
		s->valid = true;
		s->times_known = false;
	} else if (p->dropped != 0) {
		/* A sequence's first packet says so although nothing is missing. */
		damage_add(pf->r.damage, DAMAGE_LOST_RECORDS, s->met, p->at);
		s->valid = false;
	}
	s->met = true;
	if (p->defaults.p != NULL && s->valid)
		defaults_take(pf, s, p->defaults, p->at);
	if (p->interned.p != NULL && s->valid)
		interned_take(pf, pf->generations[s->generation].table, p->interned);
	return index;
}

uint32_t
generation_at(const struct perfetto *pf, const struct trace_packet *p)
{
	uint32_t sequence = idmap_get(&pf->sequence_ids, p->sequence);
	/* The first that begins after the packet. */
	size_t at = mem_before(pf->generations, pf->generation_count, sizeof(*pf->generations),
	    &(uint64_t){p->at + 1}, mem_order_leading);

	while (at > 0 && pf->generations[at - 1].sequence != sequence)
		at--;
	return at > 0 ? (uint32_t)at - 1 : 0;
}
