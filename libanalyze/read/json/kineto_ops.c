/* SPDX-License-Identifier: MIT
 * What torch.profiler says of an operator: its External id, and the types and sizes of its inputs
 * as one text,
 *     c10::Half[64,512], c10::Half[512,512], Scalar
 * in which an input that is not given is "-"; and the values of those that are no tensors, as
 *     -, -, [2,2], False
 * of which only numbers, truths and lists of them are told: a text is "?". */
#include "base/base.h"
#include "read/json/kineto.h"

#include <stdlib.h>
#include <string.h>

/* Members of a list, if the operator has it. */
struct list {
	struct json c;
	bool there, first;
};

static struct list open_list(const struct json *c, const struct json_item *v)
{
	return (struct list) { .c = *c, .there = v->kind == JSON_ARRAY, .first = true };
}

/* Is there another member?  One list may be longer than the other. */
static bool more(struct list *l)
{
	l->there = l->there && tm_json_element(&l->c, &l->first);
	return l->there;
}

/* The type of the next input, "" where there is none.  False at the end of the list. */
static bool next_type(struct list *l, struct json_item *v)
{
	*v = (struct json_item) { .kind = JSON_STRING };
	if (!more(l))
		return false;
	*v = tm_json_value(&l->c);
	return tm_json_skip_rest(&l->c, v->kind);
}

/* The sizes of the next input as they stand there: "[64, 512]", of a list of tensors a list. */
static bool next_sizes(struct list *l, const unsigned char **p, size_t *n)
{
	struct json_item v;

	*n = 0;
	if (!more(l))
		return false;
	v = tm_json_value(&l->c);
	*p = l->c.p - 1;
	if (v.kind == JSON_ARRAY && tm_json_skip_rest(&l->c, v.kind))
		*n = (size_t)(l->c.p - *p);
	else if (!tm_json_skip_rest(&l->c, v.kind))
		return false;
	return true;
}

static bool put_input(struct tm_buf *out, const struct json_item *type, const unsigned char *p,
                      size_t n, struct tm_buf *room)
{
	bool scalar = type->kind != JSON_STRING || !type->n ||
	              (type->n >= 6 && !memcmp(type->p, "Scalar", 6));
	const char *text = "-";
	size_t len = 1;

	if (out->n)
		tm_buf_str(out, ", ");
	if (type->kind == JSON_STRING && type->n && !tm_json_text(type, room, &text, &len))
		return false;
	/* A tensor without dimensions has a type of its own. */
	if (len != 1 || *text != '-' || n <= 2)
		tm_buf_add(out, text, len);
	for (size_t i = 0; i < n && (n > 2 || !scalar); i++)
		if (p[i] > ' ')
			tm_buf_chr(out, (char)p[i]);
	return !out->failed;
}

static bool put_inputs(struct tm_reader *r, struct list *types, struct list *sizes,
                       struct tm_ev_row *row)
{
	struct tm_buf text = { 0 }, room = { 0 };
	uint32_t id = TM_NAME_NONE;
	bool ok = true;

	while (ok) {
		struct json_item type;
		const unsigned char *p = NULL;
		size_t n;
		bool some = next_type(types, &type);

		some |= next_sizes(sizes, &p, &n);
		if (!some)
			break;
		tm_buf_clear(&room);
		ok = put_input(&text, &type, p, n, &room);
	}
	if (ok && text.n) {
		id = tm_names_add(&r->names, text.p, text.n);
		ok = id != TM_NAME_NONE;
	}
	if (id != TM_NAME_NONE)
		tm_ev_put(row, TM_EVC_INPUTS, id);
	tm_buf_fini(&text);
	tm_buf_fini(&room);
	return ok;
}

/* A number, a truth, or what lists are made of? */
static bool is_value(const char *p, size_t n)
{
	static const char *const words[] = { "True", "False", "None", "inf", "nan" };

	for (size_t i = 0, k; i < n; i += k) {
		k = p[i] && strchr("0123456789.+-e[], ", p[i]) ? 1 : 0;
		for (size_t w = 0; !k && w < sizeof words / sizeof *words; w++)
			if (n - i >= strlen(words[w]) && !memcmp(p + i, words[w], strlen(words[w])))
				k = strlen(words[w]);
		if (!k)
			return false;
	}
	return true;
}

static bool put_value(struct tm_buf *out, const struct json_item *v, struct tm_buf *room, bool *any)
{
	const char *text = "";
	size_t len = 0, depth = 0;

	if (v->kind == JSON_STRING && v->n && !tm_json_text(v, room, &text, &len))
		return false;
	if (out->n)
		tm_buf_str(out, ", ");
	*any |= len != 0;
	if (!len || !is_value(text, len))
		return tm_buf_chr(out, len ? '?' : '-');
	for (size_t i = 0; i < len; i++) {
		depth += text[i] == '[';
		depth -= text[i] == ']' && depth;
		/* A comma outside of a list would be one between inputs. */
		if (text[i] != ' ')
			tm_buf_chr(out, text[i] == ',' && !depth ? ';' : text[i]);
	}
	return !out->failed;
}

static bool put_values(struct tm_reader *r, struct list *values, struct tm_ev_row *row)
{
	struct tm_buf text = { 0 }, room = { 0 };
	uint32_t id = TM_NAME_NONE;
	bool ok = true, any = false;
	struct json_item v;

	while (ok && next_type(values, &v)) {
		tm_buf_clear(&room);
		ok = put_value(&text, &v, &room, &any);
	}
	if (ok && any) {
		id = tm_names_add(&r->names, text.p, text.n);
		ok = id != TM_NAME_NONE;
	}
	if (id != TM_NAME_NONE)
		tm_ev_put(row, TM_EVC_VALUES, id);
	tm_buf_fini(&text);
	tm_buf_fini(&room);
	return ok;
}

bool tm_kineto_op_put(struct tm_reader *r, const struct chrome_event *e, struct tm_ev_row *row)
{
	struct list types = { .there = false }, sizes = { .there = false }, values = types;
	bool first = true, inputs = r->want & TM_EV_BIT(TM_EVC_INPUTS),
	     concrete = r->want & TM_EV_BIT(TM_EVC_VALUES);
	bool pairs = r->want & (TM_EV_BIT(TM_EVC_SEQUENCE) | TM_EV_BIT(TM_EVC_FORWARD));
	struct json c = chrome_args(e);
	struct json_item key, v;

	if (e->args.kind != JSON_OBJECT ||
	    !(inputs || concrete || pairs || r->want & TM_EV_BIT(TM_EVC_EXTERNAL)))
		return true;
	while (tm_json_member(&c, &first, &key)) {
		v = tm_json_value(&c);
		if (json_is(&key, "External id", 11)) {
			tm_chrome_put(row, TM_EVC_EXTERNAL, &v);
			/* It comes first: the others, which may be long, need not be looked at. */
			if (!inputs && !concrete && !pairs)
				return true;
		} else if (json_is(&key, "Sequence number", 15)) {
			tm_chrome_put(row, TM_EVC_SEQUENCE, &v);
		} else if (json_is(&key, "Fwd thread id", 13)) {
			tm_chrome_put(row, TM_EVC_FORWARD, &v);
		} else if (json_is(&key, "Input type", 10)) {
			types = open_list(&c, &v);
		} else if (json_is(&key, "Input Dims", 10)) {
			sizes = open_list(&c, &v);
		} else if (json_is(&key, "Concrete Inputs", 15)) {
			values = open_list(&c, &v);
		}
		if (!tm_json_skip_rest(&c, v.kind))
			return true;
	}
	return (!inputs || put_inputs(r, &types, &sizes, row)) &&
	       (!concrete || put_values(r, &values, row));
}
