/* SPDX-License-Identifier: MIT
 * Commands as they are printed: a shell that reads them does what was meant. */
#include "cli/rules/findings_parts.h"
#include "render/render.h"

#include <string.h>

/* Of a command at most so many inputs, and of several so many bytes, are written out. */
enum { OPERANDS = 4, OPERAND_BYTES = 80 };

bool tm_findings_utf8(const struct common *c)
{
	struct tm_render_ctx ctx = { 0 };

	if (c->out.format && strcmp(c->out.format, "text") != 0)
		return true;
	tm_show_look(c, &ctx);
	return ctx.utf8;
}

/* Is it shown byte by byte as it is? */
static bool is_shown(struct tm_buf *b, const char *word, bool utf8)
{
	const size_t at = b->n, n = strlen(word);
	bool same;

	tm_render_visible(b, word, n, utf8);
	same = b->n - at == n && !memcmp(b->p + at, word, n);
	b->n = at;
	return same;
}

/* $'text': of three digits each, so that what follows is none. */
static void put_escaped(struct tm_buf *b, const char *word)
{
	tm_buf_str(b, "$'");
	for (; *word; word++)
		if (*word == '\'' || *word == '\\')
			tm_buf_fmt(b, "\\%c", *word);
		else if (*word < ' ' || *word > '~')
			tm_buf_fmt(b, "\\%03o", (unsigned)(unsigned char)*word);
		else
			tm_buf_chr(b, *word);
	tm_buf_chr(b, '\'');
}

void tm_findings_word(struct tm_buf *b, const char *word, bool utf8)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                            "0123456789_./=-+,:@%";

	if (*word && !word[strspn(word, plain)])
		tm_buf_str(b, word);
	else if (!*word || is_shown(b, word, utf8))
		tm_shell_quote(b, word);
	else
		put_escaped(b, word);
}

void tm_findings_operand(struct tm_buf *b, const char *path, bool utf8)
{
	if (*path == '-' && path[1])
		tm_buf_str(b, "./");
	tm_findings_word(b, path, utf8);
}

static void put_option(struct tm_buf *b, const char *option, const char *value, bool utf8)
{
	if (!value)
		return;
	tm_buf_fmt(b, " %s ", option);
	tm_findings_word(b, value, utf8);
}

void tm_findings_options(struct tm_buf *b, const struct common *c, const char *command)
{
	const bool utf8 = tm_findings_utf8(c);
	char word[32] = "";
	const struct tm_metric *m;
	unsigned whole;

	strncat(word, command, strcspn(command, " ") < sizeof word ? strcspn(command, " ") : 0);
	m = tm_metric_find(word);
	whole = m ? m->whole : TM_WHOLE_RANKS; /* findings */
	put_option(b, "-w", c->in.window, utf8);
	put_option(b, "--classes", c->in.classes, utf8);
	put_option(b, "--from", c->in.from, utf8);
	put_option(b, "--rank-from", c->in.rank_from, utf8);
	for (int by = 0; by < TM_ONLY_N; by++)
		if (!(whole & TM_ONLY_BIT(by)))
			put_option(b, tm_only_option((enum tm_only_by)by), c->in.filter.word[by],
			           utf8);
}

void tm_findings_operands(struct tm_buf *b, const struct common *c)
{
	size_t bytes = 0;

	for (size_t i = 0; i < c->operands.n; i++)
		bytes += strlen(c->operands.v[i]);
	if (c->operands.n > OPERANDS || (c->operands.n > 1 && bytes > OPERAND_BYTES)) {
		tm_buf_str(b, " FILE...");
		return;
	}
	for (size_t i = 0; i < c->operands.n; i++) {
		tm_buf_chr(b, ' ');
		tm_findings_operand(b, c->operands.v[i], tm_findings_utf8(c));
	}
}
