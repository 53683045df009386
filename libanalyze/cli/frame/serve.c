/* SPDX-License-Identifier: MIT
 * HTTP for one file and one visitor: GET and HEAD of its name, OPTIONS for browsers that ask first
 * whether a public page may read from this machine. */
#include "cli/frame/serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REQUEST = 8192, PATIENCE_MS = 5000, WAITING = 16 };

#define PAGE "https://ui.perfetto.dev"

/* The port is one that is free where SERVE_PORT is not and any will do. */
static bool bind_here(int s, enum serve_as as, uint16_t *port)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(SERVE_PORT) };
	socklen_t size = sizeof at;
	bool bound;

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	bound = !bind(s, (const struct sockaddr *)&at, size);
	if (!bound && as == SERVE_PAGE && errno == EADDRINUSE) {
		at.sin_port = 0;
		bound = !bind(s, (const struct sockaddr *)&at, size);
	}
	if (!bound || getsockname(s, (struct sockaddr *)&at, &size))
		return false;
	*port = ntohs(at.sin_port);
	return true;
}

static int listen_here(enum serve_as as, uint16_t *port, struct tm_diag *d)
{
	int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;

	if (s >= 0 && !setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) &&
	    bind_here(s, as, port) && !listen(s, 4))
		return s;
	tm_diag_set(d, 0, "cannot serve on 127.0.0.1:%d%s: %s", SERVE_PORT,
	            as == SERVE_TRACE ? ", the port that " PAGE " reads from" : "",
	            strerror(errno));
	if (s >= 0)
		close(s);
	return -1;
}

/* The head of a request, ended by an empty line; false when it does not come. */
static bool read_request(int s, char text[REQUEST])
{
	size_t n = 0;

	while (n < REQUEST - 1) {
		struct pollfd p = { .fd = s, .events = POLLIN };
		ssize_t k = poll(&p, 1, PATIENCE_MS) > 0 ? recv(s, text + n, REQUEST - 1 - n, 0)
		                                         : 0;

		if (k <= 0)
			return false;
		n += (size_t)k;
		text[n] = '\0';
		if (strstr(text, "\r\n\r\n"))
			return true;
	}
	return false;
}

static bool send_all(int s, const char *p, size_t n)
{
	while (n) {
		ssize_t k = send(s, p, n, MSG_NOSIGNAL);

		if (k <= 0)
			return false;
		p += k;
		n -= (size_t)k;
	}
	return true;
}

static bool send_head(int s, enum serve_as as, const char *status, uint64_t length)
{
	char text[512];
	int n = snprintf(text, sizeof text,
	                 "HTTP/1.1 %s\r\n"
	                 "Content-Length: %" PRIu64 "\r\n"
	                 "%s"
	                 "Cache-Control: no-cache\r\n"
	                 "Connection: close\r\n\r\n",
	                 status, length,
	                 as == SERVE_PAGE ? "Content-Type: text/html; charset=utf-8\r\n"
	                                  : "Content-Type: application/octet-stream\r\n"
	                                    "Access-Control-Allow-Origin: " PAGE "\r\n"
	                                    "Access-Control-Allow-Private-Network: true\r\n");

	return send_all(s, text, (size_t)n);
}

/* The whole file went out. */
static bool send_file(int s, int fd, uint64_t size)
{
	off_t at = 0;

	while ((uint64_t)at < size) {
		ssize_t k = sendfile(s, fd, &at, (size_t)(size - (uint64_t)at));

		if (k <= 0 && errno != EINTR)
			return false;
	}
	return true;
}

static bool is_for(const char *request, const char *method, const char *name)
{
	const size_t m = strlen(method), n = strlen(name);

	return !strncmp(request, method, m) && !strncmp(request + m, " /", 2) &&
	       !strncmp(request + m + 2, name, n) && strchr(" ?", request[m + 2 + n]);
}

/* One visitor; true when it has taken the file. */
static bool answer(int s, int fd, uint64_t size, enum serve_as as, const char *name)
{
	char request[REQUEST];

	if (!read_request(s, request))
		return false;
	if (is_for(request, "GET", name))
		return send_head(s, as, "200 OK", size) && send_file(s, fd, size);
	if (is_for(request, "HEAD", name))
		send_head(s, as, "200 OK", size);
	else if (is_for(request, "OPTIONS", name))
		send_head(s, as, "204 No Content", 0);
	else
		send_head(s, as, "404 Not Found", 0);
	return false;
}

/* Open the page in a browser where somebody sits in front of one. */
static void browse(const char *url)
{
	const bool desktop = getenv("DISPLAY") || getenv("WAYLAND_DISPLAY");
	pid_t child = desktop ? fork() : -1;

	if (child == 0) {
		/* Not a child of ours, so that nobody has to wait for it. */
		if (fork() == 0)
			execlp("xdg-open", "xdg-open", url, (char *)NULL);
		_exit(0);
	}
	if (child > 0)
		waitpid(child, NULL, 0);
}

static void tell(const struct common *c, enum serve_as as, uint16_t port, const char *url)
{
	char host[256] = "HOST", text[1024];

	gethostname(host, sizeof host - 1);
	snprintf(text, sizeof text,
	         "open %s (from another machine first: ssh -L %d:127.0.0.1:%d %s)%s", url, port,
	         port, host,
	         as == SERVE_TRACE
	                 ? "; the browser may ask whether the page may read from this machine"
	                 : "");
	tm_say(c, TM_SEV_NOTE, NULL, 0, text);
}

/* Who has connected and not yet asked: browsers connect before they know what for.  The first is
 * where they connect. */
struct door {
	struct pollfd p[1 + WAITING];
	nfds_t n;
};

/* Of too many that do not ask, the oldest goes. */
static void let_in(struct door *at)
{
	const int visitor = accept(at->p[0].fd, NULL, NULL);

	if (visitor < 0)
		return;
	if (at->n == 1 + WAITING) {
		close(at->p[1].fd);
		memmove(&at->p[1], &at->p[2], (WAITING - 1) * sizeof at->p[0]);
		at->n--;
	}
	at->p[at->n++] = (struct pollfd) { .fd = visitor, .events = POLLIN };
}

/* Until one visitor has taken the file; false when nobody comes. */
static bool serve(int listener, int fd, uint64_t size, enum serve_as as, const char *name)
{
	struct door at = { .p = { { .fd = listener, .events = POLLIN } }, .n = 1 };
	bool taken = false;

	while (!taken) {
		const int ready = poll(at.p, at.n, SERVE_MINUTES * 60 * 1000);

		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0)
			break;
		for (nfds_t i = at.n; i-- > 1 && !taken;) {
			if (!at.p[i].revents)
				continue;
			taken = answer(at.p[i].fd, fd, size, as, name);
			close(at.p[i].fd);
			at.n--;
			memmove(&at.p[i], &at.p[i + 1], (at.n - i) * sizeof at.p[0]);
		}
		if (!taken && at.p[0].revents)
			let_in(&at);
	}
	while (at.n > 1)
		close(at.p[--at.n].fd);
	return taken;
}

bool tm_serve(const struct common *c, int fd, enum serve_as as, const char *name, struct tm_diag *d)
{
	struct stat st;
	char url[256];
	uint16_t port = SERVE_PORT;
	int s = fstat(fd, &st) ? -1 : listen_here(as, &port, d);
	bool taken;

	if (s < 0)
		return false;
	snprintf(url, sizeof url, "%shttp://127.0.0.1:%d/%s",
	         as == SERVE_TRACE ? PAGE "/#!/?url=" : "", port, name);
	tell(c, as, port, url);
	browse(url);
	taken = serve(s, fd, (uint64_t)st.st_size, as, name);
	close(s);
	if (!taken)
		tm_diag_set(d, 0, "the %s was not fetched within %d minutes",
		            as == SERVE_TRACE ? "trace" : "page", SERVE_MINUTES);
	return taken;
}
