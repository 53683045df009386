/* SPDX-License-Identifier: MIT
 * Serve one file to a browser on this machine only: a trace for ui.perfetto.dev, which fetches it,
 * or a page as it is. */
#ifndef TM_CLI_SERVE_H
#define TM_CLI_SERVE_H

#include "base/base.h"
#include "cli/frame/common.h"

/* Where the page of Perfetto looks: no other port is in its policy. */
enum { SERVE_PORT = 9001, SERVE_MINUTES = 10 };

/* What is served. */
enum serve_as { SERVE_TRACE, SERVE_PAGE };

/* Serve fd, a regular file, as /NAME on 127.0.0.1:SERVE_PORT, a page on another port where that is
 * taken, until it has been fetched once, and say on stderr what to open; a browser is opened where
 * there is a desktop.  NAME is letters, digits and dots.  False with *d: the port cannot be had, or
 * nobody came for SERVE_MINUTES. */
bool tm_serve(const struct common *c, int fd, enum serve_as as, const char *name,
              struct tm_diag *d);

#endif
