/* SPDX-License-Identifier: MIT */
#include "html/page.h"

#include "html/escape.h"

bool tm_html_begin(struct tm_buf *b, const char *title, size_t n)
{
	/* The policy is a meta element, and comes before what it is about. */
	tm_buf_str(b, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	              "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	              "script-src 'sha256-");
	tm_buf_str(b, tm_html_script_hash);
	tm_buf_str(b, "'; style-src 'sha256-");
	tm_buf_str(b, tm_html_style_hash);
	tm_buf_str(b, "'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
	              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	              "<meta name=\"referrer\" content=\"no-referrer\">\n"
	              "<meta name=\"generator\" content=\"tracereport " TRACEMILL_VERSION "\">\n"
	              "<link rel=\"icon\" href=\"data:,\">\n<title>");
	tm_html_text(b, title, n);
	tm_buf_str(b, "</title>\n<style>");
	tm_buf_str(b, tm_html_style);
	return tm_buf_str(b, "</style>\n</head>\n<body>\n"
	                     "<a class=\"skip\" href=\"#main\">Skip to the report</a>\n");
}

bool tm_html_end(struct tm_buf *b)
{
	tm_buf_str(b, "<script>");
	tm_buf_str(b, tm_html_script);
	return tm_buf_str(b, "</script>\n</body>\n</html>\n");
}

bool tm_html_section(struct tm_buf *b, const char *id, const char *title, const char *lead)
{
	tm_buf_fmt(b, "<section id=\"%s\" aria-labelledby=\"%s-h\">\n<h2 id=\"%s-h\">%s</h2>\n", id,
	           id, id, title);
	if (lead)
		tm_buf_fmt(b, "<p class=\"lead\">%s</p>\n", lead);
	return !b->failed;
}

bool tm_html_section_end(struct tm_buf *b)
{
	return tm_buf_str(b, "</section>\n");
}
