-- SPDX-License-Identifier: MIT
-- run.db: the traces of many processes in one SQLite database, as tracemerge(1) writes it.
--
-- Times in tables are integer nanoseconds on the producer's clock, as it gave them.  Those of ranks on
-- different clocks compare once they are put on the common clock (table clock), which the views do, and
-- all tools of tracemill where they compare ranks.  Sizes are bytes.  NULL = the trace does not say; never 0 or -1.  Numbers are unsigned
-- 64-bit in two's complement, so a handle or an address past 2^63 is negative here.  An agent is number + 2^32 * numbering (0 = the runtime's node number,
-- 1 = "GPU n", 2 = "CPU n").  Every text stands once in `name`.
--
-- Of the parts "Of totals" and "Of events" a database has one; "Indexes" are made after the load.

PRAGMA application_id = 0x74726d6c; -- "trml"
PRAGMA user_version = @version;

-- How it was made.
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

-- One row for each trace that was read, in the order it was read.
CREATE TABLE input (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL,          -- as the user gave it; "archive:member"
    run TEXT NOT NULL,           -- equal for files of one run of the profiler: host:directory/stem
    rank INTEGER NOT NULL,
    rule TEXT NOT NULL,          -- why that rank: given, regex, trace, path,
                                 -- environment, order
    format TEXT NOT NULL,        -- "rocprofv3-csv"
    kind TEXT NOT NULL,          -- "kernel trace"
    producer TEXT,               -- "rocprofv3 6.3-6.4"
    bytes INTEGER,               -- of the file; NULL = a pipe
    events INTEGER NOT NULL,     -- rows of it, whether they are kept here or not
    skipped INTEGER NOT NULL,    -- rows that could not be used: see loss
    lost INTEGER NOT NULL,       -- places where the producer says it lost records
    stats_only INTEGER NOT NULL, -- 1 = only the rollups are here, and states
    content INTEGER,             -- hash of all events: two inputs with equal bytes, events, kind and
                                 -- content are the same trace
    problem TEXT,                -- why it could not be read to its end
    own_run TEXT                 -- its run as its path says, where what it holds says another; since
                                 -- version 4
) STRICT;

-- rank_id of every event: the process it belongs to.
CREATE TABLE rank (
    id INTEGER PRIMARY KEY,
    input INTEGER NOT NULL REFERENCES input,
    rank INTEGER NOT NULL,
    host TEXT,
    pid INTEGER
) STRICT;

CREATE TABLE loss (
    input INTEGER NOT NULL REFERENCES input,
    -- Of tables: malformed, reversed, recovered (kept all the same), cut.
    -- Skipped in others: damaged, compressed, open, close, reversed_events, untimed, negative, excess,
    -- cut_bytes,
    -- and of databases misfit_rows, reversed_rows, self_rows (of the profiler itself), twice_rows (in
    -- another table, too).  Kept, but without a name: unnamed_rows.
    -- Kept, but not whole: unnamed, trackless, operations (kernels with that name only), inclusive (rows
    -- that hold the time of others), joined_rows (two in a line).  Skipped, their time being in others:
    -- recursive.  Of tables: rounded_rows (times that were fractions of a ns; kept), counters (skipped in
    -- rows that have others than the header), values (of counters, no numbers: skipped).
    -- Never written: discarded, overwritten, dropped,
    -- kernels (so many launches, and no kernel), journal (what a journal beside the database may hold).
    reason TEXT NOT NULL,
    rows INTEGER NOT NULL,
    line INTEGER,   -- of the first, from 1
    at_byte INTEGER -- of the first, from 0; in a database the id of its row
) STRICT;

-- What is known about the clock of an input, and what it takes to compare its times with those of
-- other ranks: the common time of a time t is
--     t + offset_ns + (t - origin_ns) * rate / 2^44       rounded down
-- Made anew by every merge, from the columns before method and the events.
CREATE TABLE clock (
    input INTEGER PRIMARY KEY REFERENCES input,
    clock TEXT,                 -- what the times count: "boottime"
    readings INTEGER NOT NULL,  -- moments at which CLOCK_REALTIME was read beside it, and then the
    real_low_ns INTEGER,        -- smallest and
    real_high_ns INTEGER,       -- largest CLOCK_REALTIME - clock; NULL = there is none
    method TEXT NOT NULL,       -- none; shared: all ranks count one clock; realtime: by these
                                -- columns; collectives: by their ends
    offset_ns INTEGER NOT NULL, -- what is added at origin_ns
    residual_ns INTEGER,        -- how far times may be off the common clock then; NULL = unknown
    -- since version 4
    origin_ns INTEGER NOT NULL, -- 0 where rate is
    rate INTEGER NOT NULL       -- 2^-44 ns a ns: rate * 1e6 / 2^44 is the drift in ppm
) STRICT;

-- The same over time, for inputs whose clock was compared by collectives: since version 4.
CREATE TABLE clock_part (
    input INTEGER NOT NULL REFERENCES input,
    part INTEGER NOT NULL,    -- 1, 2 ... in the order of time
    from_ns INTEGER NOT NULL, -- as recorded
    to_ns INTEGER NOT NULL,
    pairs INTEGER NOT NULL,   -- collectives that were compared
    p50_ns INTEGER,           -- median distance of their ends on the common clock,
    max_ns INTEGER,           -- and the largest, of those that are not outliers
    error_ns INTEGER NOT NULL -- how far times of this part may be off the common clock
) STRICT;

-- Where the rows of an input are: rows first .. first + rows - 1 of table tbl.
CREATE TABLE extent (
    input INTEGER NOT NULL REFERENCES input,
    tbl TEXT NOT NULL,
    first INTEGER NOT NULL,
    rows INTEGER NOT NULL
) STRICT;

-- Rows of statistics files, as the producer printed them.
CREATE TABLE stat (
    id INTEGER PRIMARY KEY,
    rank_id INTEGER NOT NULL REFERENCES rank,
    -- @columns stat
) STRICT;

CREATE TABLE agent (
    id INTEGER PRIMARY KEY,
    rank_id INTEGER NOT NULL REFERENCES rank,
    -- @columns agent
) STRICT;

-- What the answers of kstats need of a rank whose events are not here (--stats-only): since version 9.
-- One row for each question that can be answered so, with the first of the inputs of the rank; the
-- bytes are those of libanalyze/question/state.h: a byte 0 and a frame of zstd.
CREATE TABLE state (
    id INTEGER PRIMARY KEY,
    input INTEGER NOT NULL REFERENCES input,
    question INTEGER NOT NULL REFERENCES name, -- "timeline"
    bytes BLOB NOT NULL
) STRICT;

-- What the rollups of all inputs add up to: since version 11.  No rows where they are of one rank, where
-- a rank has several runs, where an input has counters or rows of statistics, or where there are too many names.
-- `inputs` and `rollups` (rows that rollups are in) are as many as were added up: where there are others now,
-- this is not read.  The bytes are those of libanalyze/read/packed.h: frames of zstd, here without agents.
CREATE TABLE packed_whole (
    id INTEGER PRIMARY KEY, -- from 1
    inputs INTEGER NOT NULL,
    rollups INTEGER NOT NULL,
    bytes BLOB NOT NULL
) STRICT;

-- Of totals

-- What a database of tracemerge --stats-only has besides, in place of what follows: since version 10.  No
-- input of it has rows of events, and there are no views.  The bytes are those of
-- libanalyze/read/packed.h: frames of zstd.  Names and rollups are as in the tables `name` and `rollup`.

CREATE TABLE packed_name (
    first INTEGER PRIMARY KEY, -- id of the first name in it
    bytes BLOB NOT NULL
) STRICT;

CREATE TABLE packed_rollup (
    id INTEGER PRIMARY KEY,
    input INTEGER NOT NULL REFERENCES input,
    bytes BLOB NOT NULL
) STRICT;

-- Of events

CREATE TABLE name (
    id INTEGER PRIMARY KEY, -- 0, 1, 2 ...
    text TEXT NOT NULL
) STRICT;

CREATE TABLE kernel (
    id INTEGER PRIMARY KEY,
    rank_id INTEGER NOT NULL REFERENCES rank,
    -- @columns kernel
) STRICT;

CREATE TABLE copy (
    id INTEGER PRIMARY KEY,
    rank_id INTEGER NOT NULL REFERENCES rank,
    -- @columns copy
) STRICT;

CREATE TABLE api (
    id INTEGER PRIMARY KEY,
    rank_id INTEGER NOT NULL REFERENCES rank,
    -- @columns api
) STRICT;

CREATE TABLE marker (
    id INTEGER PRIMARY KEY,
    rank_id INTEGER NOT NULL REFERENCES rank,
    -- @columns marker
) STRICT;

CREATE TABLE alloc (
    id INTEGER PRIMARY KEY,
    rank_id INTEGER NOT NULL REFERENCES rank,
    -- @columns alloc
) STRICT;

CREATE TABLE counter (
    id INTEGER PRIMARY KEY,
    rank_id INTEGER NOT NULL REFERENCES rank,
    -- @columns counter
) STRICT;

-- Samples of the program counter.
CREATE TABLE sample (
    id INTEGER PRIMARY KEY,
    rank_id INTEGER NOT NULL REFERENCES rank,
    -- @columns sample
) STRICT;

-- What the events of an input add up to: one row for each (input, domain, name, counter, agent),
-- exact, so that rows can be added up further in any order.
CREATE TABLE rollup (
    id INTEGER PRIMARY KEY,
    input INTEGER NOT NULL REFERENCES input,
    domain TEXT NOT NULL,
    name INTEGER REFERENCES name,
    counter INTEGER REFERENCES name, -- of counter rows only: each counter repeats the times of a dispatch
    agent INTEGER,
    calls INTEGER NOT NULL,
    total_ns INTEGER,   -- low 64 bits of the sum; NULL = these events have no start and end, or no name
    total_hi INTEGER,   -- and the high ones
    squares_0 INTEGER,  -- sum of squares, ns^2, 192 bits, the lowest 64 first
    squares_1 INTEGER,
    squares_2 INTEGER,
    min_ns INTEGER,
    max_ns INTEGER,
    -- Durations for quantiles, little-endian base-128 numbers (7 bits a byte, low first, the top bit
    -- says that more follow):
    --     0, n, first value, n - 1 differences      all n <= 1024 values, sorted
    --     1, buckets, then for each: its number less the number before it (the first: its number),
    --        its count                              64 logarithmic buckets to a power of two
    -- Bucket of v: v below 128; else 64 e + (v >> e) with e = floor(log2 v) - 6.
    sketch BLOB
) STRICT;

-- ---- rocpd's views: its names, its columns, then ours (rank, host) ----
-- Times are on the common clock; durations are as recorded, so that where clocks drift an event may be
-- some ppm longer or shorter than from start to end.
-- (d >> 22) * rate + ((d & 4194303) * rate >> 22) >> 22 is d * rate / 2^44 where 64 bits do not
-- hold the product.
-- nid, ids of code objects and other things that a trace may not tell are NULL.  Rows never vanish
-- because a partner is missing, which they do in rocpd (inner joins).  Columns as of ROCm 7.1.  Not
-- here: arguments of calls, code objects, sums by region, of which traces tell nothing.

CREATE VIEW processes AS
SELECT NULL AS nid, NULL AS machine_id, NULL AS system_name, r.host AS hostname,
       NULL AS system_release, NULL AS system_version, CAST(r.id AS TEXT) AS guid, NULL AS ppid,
       r.pid AS pid, NULL AS init, NULL AS start, NULL AS "end", NULL AS fini, NULL AS command,
       r.rank AS rank
FROM rank r;

CREATE VIEW kernels AS
SELECT k.id AS id, coalesce(g.text, CAST(k.rank_id AS TEXT)) AS guid, k.tid AS tid,
       'KERNEL_DISPATCH' AS category, NULL AS region, n.text AS name, NULL AS nid, r.pid AS pid,
       CASE WHEN k.agent < 4294967296 THEN k.agent END AS agent_abs_index,
       NULL AS agent_log_index,
       CASE WHEN k.agent >= 4294967296 THEN k.agent & 4294967295 END AS agent_type_index,
       'GPU' AS agent_type, NULL AS code_object_id, k.kernel_id AS kernel_id,
       k.dispatch_id AS dispatch_id, k.stream AS stream_id, k.queue AS queue_id, NULL AS queue,
       NULL AS stream,
       @common(k.start_ns) AS start, @common(k.end_ns) AS "end",
       k.end_ns - k.start_ns AS duration,
       k.grid_x AS grid_x, k.grid_y AS grid_y, k.grid_z AS grid_z, k.workgroup_x AS workgroup_x,
       k.workgroup_y AS workgroup_y, k.workgroup_z AS workgroup_z, k.lds_bytes AS lds_size,
       k.scratch_bytes AS scratch_size, k.vgpr AS vgpr_count, k.accum_vgpr AS accum_vgpr_count,
       k.sgpr AS sgpr_count, NULL AS static_lds_size, NULL AS static_scratch_size,
       k.corr AS stack_id, NULL AS parent_stack_id, NULL AS corr_id, r.rank AS rank, r.host AS host
FROM kernel k
LEFT JOIN rank r ON r.id = k.rank_id
LEFT JOIN clock t ON t.input = r.input
LEFT JOIN name n ON n.id = k.name
LEFT JOIN name g ON g.id = k.guid;

CREATE VIEW memory_copies AS
SELECT c.id AS id, coalesce(g.text, CAST(c.rank_id AS TEXT)) AS guid, 'MEMORY_COPY' AS category,
       NULL AS nid, r.pid AS pid, c.tid AS tid,
       @common(c.start_ns) AS start, @common(c.end_ns) AS "end",
       c.end_ns - c.start_ns AS duration, n.text AS name, NULL AS region_name,
       c.stream AS stream_id, c.queue AS queue_id, NULL AS stream_name, NULL AS queue_name,
       c.bytes AS size, NULL AS dst_device,
       CASE WHEN c.dst < 4294967296 THEN c.dst END AS dst_agent_abs_index,
       NULL AS dst_agent_log_index,
       CASE WHEN c.dst >= 4294967296 THEN c.dst & 4294967295 END AS dst_agent_type_index,
       CASE c.dst >> 32 WHEN 1 THEN 'GPU' WHEN 2 THEN 'CPU' END AS dst_agent_type,
       NULL AS dst_address, NULL AS src_device,
       CASE WHEN c.src < 4294967296 THEN c.src END AS src_agent_abs_index,
       NULL AS src_agent_log_index,
       CASE WHEN c.src >= 4294967296 THEN c.src & 4294967295 END AS src_agent_type_index,
       CASE c.src >> 32 WHEN 1 THEN 'GPU' WHEN 2 THEN 'CPU' END AS src_agent_type,
       NULL AS src_address, c.corr AS stack_id, NULL AS parent_stack_id, NULL AS corr_id,
       r.rank AS rank, r.host AS host
FROM copy c
LEFT JOIN rank r ON r.id = c.rank_id
LEFT JOIN clock t ON t.input = r.input
LEFT JOIN name n ON n.id = c.name
LEFT JOIN name g ON g.id = c.guid;

-- Marks (start = end) are in here too; rocpd keeps them apart in `samples`.  name is the text of a
-- marker; rocpd's is the function, the text is in its extdata.
CREATE VIEW regions_and_samples AS
SELECT a.id AS id, coalesce(g.text, CAST(a.rank_id AS TEXT)) AS guid,
       upper(a.domain) || '_API' AS category, n.text AS name, NULL AS nid, r.pid AS pid,
       a.tid AS tid,
       @common(a.start_ns) AS start, @common(a.end_ns) AS "end",
       a.end_ns - a.start_ns AS duration,
       NULL AS event_id, a.corr AS stack_id, NULL AS parent_stack_id, NULL AS corr_id,
       NULL AS extdata, NULL AS call_stack, NULL AS line_info, r.rank AS rank, r.host AS host
FROM (SELECT id, rank_id, domain, name, start_ns, end_ns, tid, corr, guid FROM api
      UNION ALL
      SELECT id, rank_id, 'marker', name, start_ns, end_ns, tid, corr, guid FROM marker) a
LEFT JOIN rank r ON r.id = a.rank_id
LEFT JOIN clock t ON t.input = r.input
LEFT JOIN name n ON n.id = a.name
LEFT JOIN name g ON g.id = a.guid;

CREATE VIEW regions AS
SELECT * FROM regions_and_samples WHERE category <> 'MARKER_API' OR "end" > start;

CREATE VIEW memory_allocations AS
SELECT m.id AS id, coalesce(g.text, CAST(m.rank_id AS TEXT)) AS guid,
       'MEMORY_ALLOCATION' AS category, NULL AS nid, r.pid AS pid, m.tid AS tid,
       @common(m.start_ns) AS start, @common(m.end_ns) AS "end",
       m.end_ns - m.start_ns AS duration, n.text AS type,
       NULL AS level, NULL AS agent_name,
       CASE WHEN m.agent < 4294967296 THEN m.agent END AS agent_abs_index,
       NULL AS agent_log_index,
       CASE WHEN m.agent >= 4294967296 THEN m.agent & 4294967295 END AS agent_type_index,
       CASE m.agent >> 32 WHEN 1 THEN 'GPU' WHEN 2 THEN 'CPU' END AS agent_type,
       m.address AS address, m.bytes AS size, m.queue AS queue_id, NULL AS queue_name,
       m.stream AS stream_id, NULL AS stream_name, m.corr AS stack_id, NULL AS parent_stack_id,
       NULL AS corr_id, r.rank AS rank, r.host AS host
FROM alloc m
LEFT JOIN rank r ON r.id = m.rank_id
LEFT JOIN clock t ON t.input = r.input
LEFT JOIN name n ON n.id = m.name
LEFT JOIN name g ON g.id = m.guid
WHERE m.domain = 'alloc';

CREATE VIEW scratch_memory AS
SELECT m.id AS id, coalesce(g.text, CAST(m.rank_id AS TEXT)) AS guid, NULL AS nid, r.pid AS pid,
       n.text AS operation, NULL AS agent_name,
       CASE WHEN m.agent < 4294967296 THEN m.agent END AS agent_abs_index,
       NULL AS agent_log_index,
       CASE WHEN m.agent >= 4294967296 THEN m.agent & 4294967295 END AS agent_type_index,
       CASE m.agent >> 32 WHEN 1 THEN 'GPU' WHEN 2 THEN 'CPU' END AS agent_type,
       m.queue AS queue_id, m.tid AS tid, m.flags AS alloc_flags,
       @common(m.start_ns) AS start, @common(m.end_ns) AS "end",
       m.end_ns - m.start_ns AS duration, m.bytes AS size, m.address AS address,
       m.corr AS correlation_id, m.corr AS stack_id, NULL AS parent_stack_id, NULL AS corr_id,
       'SCRATCH_MEMORY' AS category, NULL AS event_extdata, r.rank AS rank, r.host AS host
FROM alloc m
LEFT JOIN rank r ON r.id = m.rank_id
LEFT JOIN clock t ON t.input = r.input
LEFT JOIN name n ON n.id = m.name
LEFT JOIN name g ON g.id = m.guid
WHERE m.domain = 'scratch';

-- One row for each value of the trace; rocpd groups by dispatch, which adds up replayed passes.
CREATE VIEW counters_collection AS
SELECT c.id AS id, coalesce(g.text, CAST(c.rank_id AS TEXT)) AS guid,
       c.dispatch_id AS dispatch_id, c.kernel_id AS kernel_id, NULL AS event_id,
       NULL AS correlation_id, c.corr AS stack_id, NULL AS parent_stack_id, r.pid AS pid,
       c.tid AS tid, NULL AS agent_id,
       CASE WHEN c.agent < 4294967296 THEN c.agent END AS agent_abs_index,
       NULL AS agent_log_index,
       CASE WHEN c.agent >= 4294967296 THEN c.agent & 4294967295 END AS agent_type_index,
       'GPU' AS agent_type, c.queue AS queue_id, c.grid_x AS grid_size_x, c.grid_y AS grid_size_y,
       c.grid_z AS grid_size_z, coalesce(c.grid, c.grid_x * c.grid_y * c.grid_z) AS grid_size,
       n.text AS kernel_name, NULL AS kernel_region, c.workgroup_x AS workgroup_size_x,
       c.workgroup_y AS workgroup_size_y, c.workgroup_z AS workgroup_size_z,
       coalesce(c.workgroup, c.workgroup_x * c.workgroup_y * c.workgroup_z) AS workgroup_size,
       c.lds_bytes AS lds_block_size, c.scratch_bytes AS scratch_size, c.vgpr AS vgpr_count,
       c.accum_vgpr AS accum_vgpr_count, c.sgpr AS sgpr_count, m.text AS counter_name,
       NULL AS counter_symbol, NULL AS component, NULL AS description, NULL AS block,
       NULL AS expression, NULL AS value_type, c.counter AS counter_id, c.value AS value,
       @common(c.start_ns) AS start, @common(c.end_ns) AS "end",
       NULL AS is_constant, NULL AS is_derived,
       c.end_ns - c.start_ns AS duration, 'KERNEL_DISPATCH' AS category, NULL AS nid,
       NULL AS extdata, NULL AS code_object_id, r.rank AS rank, r.host AS host
FROM counter c
LEFT JOIN rank r ON r.id = c.rank_id
LEFT JOIN clock t ON t.input = r.input
LEFT JOIN name n ON n.id = c.name
LEFT JOIN name m ON m.id = c.counter
LEFT JOIN name g ON g.id = c.guid;

CREATE VIEW pmc_events AS
SELECT c.id AS id, c.guid AS guid, c.counter_id AS pmc_id, NULL AS event_id, c.category AS category,
       c.kernel_name AS name, c.nid AS nid, c.pid AS pid, c.dispatch_id AS dispatch_id,
       c.start AS start, c."end" AS "end", c.duration AS duration, c.counter_name AS counter_name,
       c.value AS counter_value, c.rank AS rank, c.host AS host
FROM counters_collection c;

-- Microseconds, as in rocpd.  rocpd divides the average by 1000 after cutting it to whole ns; here
-- it is exact.  From the rollups, so it costs nothing.
CREATE VIEW top_kernels AS
SELECT n.text AS name, sum(u.calls) AS total_calls, sum(u.total_ns) / 1000.0 AS total_duration,
       sum(u.total_ns) / 1000.0 / sum(u.calls) AS average,
       100.0 * sum(u.total_ns) / (SELECT sum(total_ns) FROM rollup
                                  WHERE domain = 'kernel' AND counter IS NULL) AS percentage
FROM rollup u
LEFT JOIN name n ON n.id = u.name
WHERE u.domain = 'kernel' AND u.counter IS NULL AND u.total_ns IS NOT NULL
GROUP BY u.name
ORDER BY total_duration DESC, name;

-- Microseconds likewise.  Kernels, copies and API calls in one list and one sum, though they overlap:
-- percentage is of little use.  As in rocpd.
CREATE VIEW top AS
SELECT n.text AS name, sum(u.calls) AS total_calls, sum(u.total_ns) / 1000.0 AS total_duration,
       sum(u.total_ns) / 1000.0 / sum(u.calls) AS average,
       100.0 * sum(u.total_ns) / (SELECT sum(total_ns) FROM rollup
                                  WHERE counter IS NULL) AS percentage
FROM rollup u
LEFT JOIN name n ON n.id = u.name
WHERE u.counter IS NULL AND u.total_ns IS NOT NULL
GROUP BY u.name
ORDER BY total_duration DESC, name;

-- Marks: markers that begin and end at once.  rocpd counts any call of no duration among them.
CREATE VIEW sample_regions AS
SELECT * FROM regions_and_samples WHERE category = 'MARKER_API' AND ("end" > start) IS NOT TRUE;

CREATE VIEW samples AS
SELECT id, guid, category, name, nid, pid, tid, start AS timestamp, event_id, stack_id,
       parent_stack_id, corr_id, extdata, call_stack, line_info, rank, host
FROM sample_regions;

-- Threads that some event names; when they began and ended is in no trace.  Reads every event.
CREATE VIEW threads AS
SELECT NULL AS nid, NULL AS machine_id, NULL AS system_name, r.host AS hostname,
       NULL AS system_release, NULL AS system_version, CAST(r.id AS TEXT) AS guid, NULL AS ppid,
       r.pid AS pid, t.tid AS tid, NULL AS start, NULL AS "end", NULL AS name, r.rank AS rank,
       r.host AS host
FROM (SELECT rank_id, tid FROM kernel UNION SELECT rank_id, tid FROM copy
      UNION SELECT rank_id, tid FROM api UNION SELECT rank_id, tid FROM marker
      UNION SELECT rank_id, tid FROM alloc UNION SELECT rank_id, tid FROM counter
      UNION SELECT rank_id, tid FROM sample) t
LEFT JOIN rank r ON r.id = t.rank_id
WHERE t.tid IS NOT NULL;

-- A kernel under the number its process gave it; display_name as the trace has it.
CREATE VIEW kernel_symbols AS
SELECT k.kernel_id AS id, CAST(k.rank_id AS TEXT) AS guid, NULL AS nid, r.pid AS pid,
       NULL AS code_object_id, NULL AS kernel_name, n.text AS display_name, NULL AS kernel_object,
       NULL AS kernarg_segment_size, NULL AS kernarg_segment_alignment,
       NULL AS group_segment_size, NULL AS private_segment_size, k.sgpr AS sgpr_count,
       k.vgpr AS arch_vgpr_count, k.accum_vgpr AS accum_vgpr_count, NULL AS kernel_symbol_size,
       k.kernel_id AS kernel_id, NULL AS kernel_code_entry_byte_offset,
       NULL AS formatted_kernel_name, NULL AS demangled_kernel_name, NULL AS truncated_kernel_name,
       NULL AS kernel_address, r.rank AS rank, r.host AS host
FROM (SELECT rank_id, kernel_id, name, max(sgpr) AS sgpr, max(vgpr) AS vgpr,
             max(accum_vgpr) AS accum_vgpr
      FROM kernel WHERE kernel_id IS NOT NULL GROUP BY rank_id, kernel_id, name) k
LEFT JOIN rank r ON r.id = k.rank_id
LEFT JOIN name n ON n.id = k.name;

CREATE VIEW pmc_info AS
SELECT c.counter AS id, CAST(c.rank_id AS TEXT) AS guid, NULL AS nid, r.pid AS pid,
       CASE WHEN c.agent < 4294967296 THEN c.agent END AS agent_abs_index, NULL AS is_constant,
       NULL AS is_derived, n.text AS name, NULL AS description, NULL AS block, NULL AS expression,
       r.rank AS rank, r.host AS host
FROM (SELECT DISTINCT rank_id, counter, agent FROM counter) c
LEFT JOIN rank r ON r.id = c.rank_id
LEFT JOIN name n ON n.id = c.counter;

-- GpuTime is the time in which at least one kernel ran on the agent, or one copy to it, in ns.  rocpd
-- adds up what overlaps, so that its Busy exceeds 1, and takes one WallTime for all processes, whose
-- clocks may differ; here it is from first to last of these events of the rank.
CREATE VIEW busy AS
SELECT agent & 4294967295 AS agent_id,
       CASE WHEN max(kernels) OR agent >> 32 = 1 THEN 'GPU' WHEN agent >> 32 = 2 THEN 'CPU' END AS type,
       sum(CASE WHEN before IS NULL OR before <= start_ns THEN end_ns - start_ns
                WHEN before < end_ns THEN end_ns - before ELSE 0 END) AS GpuTime,
       max(last) - min(first) AS WallTime,
       sum(CASE WHEN before IS NULL OR before <= start_ns THEN end_ns - start_ns
                WHEN before < end_ns THEN end_ns - before ELSE 0 END) * 1.0
       / nullif(max(last) - min(first), 0) AS Busy,
       rank, host
FROM (SELECT r.rank AS rank, r.host AS host, e.*,
             max(e.end_ns) OVER (PARTITION BY r.rank, r.host, e.agent ORDER BY e.start_ns, e.end_ns
                                 ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before,
             min(e.start_ns) OVER (PARTITION BY r.rank, r.host) AS first,
             max(e.end_ns) OVER (PARTITION BY r.rank, r.host) AS last
      FROM (SELECT rank_id, agent, start_ns, end_ns, 1 AS kernels FROM kernel
            UNION ALL SELECT rank_id, dst, start_ns, end_ns, 0 FROM copy) e
      LEFT JOIN rank r ON r.id = e.rank_id
      WHERE e.agent IS NOT NULL AND e.start_ns IS NOT NULL AND e.end_ns IS NOT NULL)
GROUP BY rank, host, agent;

-- As in ROCm 7.0; later rocpd makes them on its own.  Nanoseconds, in spite of `top`.  The deviation is
-- that of a sample, NULL for one call; rocpd takes it from sums of squares in doubles, which are gone
-- where times are long and alike, here it is from the events.
CREATE VIEW kernel_summary AS
SELECT n.text AS name, s.calls AS calls, s.total AS "DURATION (nsec)", s.squares AS "SQR (nsec)",
       s.average AS "AVERAGE (nsec)",
       100.0 * s.total / nullif(sum(s.total) OVER (), 0) AS "PERCENT (INC)", s.least AS "MIN (nsec)",
       s.most AS "MAX (nsec)", s.variance AS VARIANCE, sqrt(s.variance) AS STD_DEV
FROM (SELECT k.name, count(*) AS calls, sum(d) AS total, total(d * 1.0 * d) AS squares,
             max(a.average) AS average, min(d) AS least, max(d) AS most,
             sum((d - a.average) * (d - a.average)) / nullif(count(*) - 1, 0) AS variance
      FROM (SELECT name, end_ns - start_ns AS d FROM kernel) k
      JOIN (SELECT name, avg(end_ns - start_ns) AS average FROM kernel GROUP BY name) a ON a.name IS k.name
      WHERE d IS NOT NULL GROUP BY k.name) s
LEFT JOIN name n ON n.id = s.name
ORDER BY s.total DESC, n.text;

CREATE VIEW memory_copy_summary AS
SELECT n.text AS name, s.calls AS calls, s.total AS "DURATION (nsec)", s.squares AS "SQR (nsec)",
       s.average AS "AVERAGE (nsec)",
       100.0 * s.total / nullif(sum(s.total) OVER (), 0) AS "PERCENT (INC)", s.least AS "MIN (nsec)",
       s.most AS "MAX (nsec)", s.variance AS VARIANCE, sqrt(s.variance) AS STD_DEV
FROM (SELECT k.name, count(*) AS calls, sum(d) AS total, total(d * 1.0 * d) AS squares,
             max(a.average) AS average, min(d) AS least, max(d) AS most,
             sum((d - a.average) * (d - a.average)) / nullif(count(*) - 1, 0) AS variance
      FROM (SELECT name, end_ns - start_ns AS d FROM copy) k
      JOIN (SELECT name, avg(end_ns - start_ns) AS average FROM copy GROUP BY name) a ON a.name IS k.name
      WHERE d IS NOT NULL GROUP BY k.name) s
LEFT JOIN name n ON n.id = s.name
ORDER BY s.total DESC, n.text;

CREATE VIEW memory_allocation_summary AS
SELECT n.text AS name, s.calls AS calls, s.total AS "DURATION (nsec)", s.squares AS "SQR (nsec)",
       s.average AS "AVERAGE (nsec)",
       100.0 * s.total / nullif(sum(s.total) OVER (), 0) AS "PERCENT (INC)", s.least AS "MIN (nsec)",
       s.most AS "MAX (nsec)", s.variance AS VARIANCE, sqrt(s.variance) AS STD_DEV
FROM (SELECT k.name, count(*) AS calls, sum(d) AS total, total(d * 1.0 * d) AS squares,
             max(a.average) AS average, min(d) AS least, max(d) AS most,
             sum((d - a.average) * (d - a.average)) / nullif(count(*) - 1, 0) AS variance
      FROM (SELECT name, end_ns - start_ns AS d FROM alloc WHERE domain = 'alloc') k
      JOIN (SELECT name, avg(end_ns - start_ns) AS average FROM alloc
            WHERE domain = 'alloc' GROUP BY name) a ON a.name IS k.name
      WHERE d IS NOT NULL GROUP BY k.name) s
LEFT JOIN name n ON n.id = s.name
ORDER BY s.total DESC, n.text;

-- Indexes

CREATE INDEX kernel_name ON kernel (name);
CREATE INDEX kernel_start ON kernel (start_ns);
CREATE INDEX copy_start ON copy (start_ns);
CREATE INDEX api_name ON api (name);
CREATE INDEX api_start ON api (start_ns);
CREATE INDEX marker_start ON marker (start_ns);
CREATE INDEX counter_counter ON counter (counter);
