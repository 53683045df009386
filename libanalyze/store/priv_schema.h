/* SPDX-License-Identifier: MIT
 * schemas/run.sql as a string: made by the Makefile. */
#ifndef STORE_PRIV_SCHEMA_H
#define STORE_PRIV_SCHEMA_H

extern const char run_schema_sql[];

#endif
