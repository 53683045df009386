/* SPDX-License-Identifier: MIT
 * schemas/run.sql as a string: made by the Makefile. */
#ifndef TM_STORE_SCHEMA_H
#define TM_STORE_SCHEMA_H

extern const char tm_run_schema_sql[];

#endif
