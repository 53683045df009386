// SPDX-License-Identifier: MIT
// The same question to DuckDB: node duckdb_top.mjs MODULES FILE THREADS [HEADER_FILE]
//
// MODULES is the directory whose node_modules holds @duckdb/node-api.  Types come from the header, so
// that DuckDB need not sniff, and it parses only the three columns that the query names.  The header is
// that of HEADER_FILE when FILE is /dev/stdin: what is read of a pipe is gone.
import { createRequire } from 'node:module';
import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';

const [modules, file, threads, headerFile = file] = process.argv.slice(2);
const { DuckDBInstance } = createRequire(resolve(modules, 'x.js'))('@duckdb/node-api');

const head = Buffer.alloc(4096);
const fd = openSync(headerFile, 'r');
const line = head.toString('utf8', 0, readSync(fd, head, 0, head.length, 0)).split(/\r?\n/)[0];
closeSync(fd);

const text = /^(guid|kind|agent_id|kernel_name)$/i;
const columns = line.split(',').map((field) => field.replace(/^"|"$/g, ''))
	.map((name) => `'${name}': '${text.test(name) ? 'VARCHAR' : 'BIGINT'}'`);
const path = file.replace(/'/g, "''");

const db = await DuckDBInstance.create(':memory:', { threads });
const connection = await db.connect();
await connection.run('SET preserve_insertion_order = false'); // a little faster, and the query sorts
const reader = await connection.runAndReadAll(`
	SELECT Kernel_Name, count(*), sum(End_Timestamp - Start_Timestamp),
	       min(End_Timestamp - Start_Timestamp), max(End_Timestamp - Start_Timestamp)
	FROM read_csv('${path}', auto_detect = false, header = true, delim = ',', quote = '"',
	              escape = '"', columns = {${columns.join(', ')}})
	GROUP BY Kernel_Name
	ORDER BY 3 DESC, 1`);

const quoted = (s) => (/[",\r\n]/.test(s) ? `"${s.replace(/"/g, '""')}"` : s);
const rows = reader.getRows().map(([name, ...numbers]) => [quoted(name), ...numbers].join(','));
process.stdout.write(['name,calls,total_ns,min_ns,max_ns', ...rows, ''].join('\n'));
