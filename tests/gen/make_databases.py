#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make_databases.py TESTDATA: the small databases of testdata/, made anew.

Invented runs in the layout of each tool and schema version; rocpd 3.0.0 holds the same run as the CSV
files that stand for `rocpd convert` in testdata/rocpd/7.1/run.  Pages are small so that a fuzzer can
change them.  Not run by the tests: what is made is kept, with SQLite's own version number blanked."""
import csv
import json
import os
import sqlite3
import sys

NODE = "id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT"
WHO = "nid INTEGER NOT NULL, pid INTEGER NOT NULL"
GRAPH = ", graph_exec_id INTEGER, graph_node_id INTEGER"


def create(path, wal=False):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.exists(path):
        os.remove(path)
    c = sqlite3.connect(path)
    c.execute("PRAGMA page_size=512")
    if wal:
        c.execute("PRAGMA journal_mode=WAL")
    return c


def close(c, path):
    c.commit()
    c.execute("VACUUM")
    c.close()
    # Bytes 96 to 99 say which SQLite wrote it last, 24 to 27 and 92 to 95 how often: one is as good.
    with open(path, "r+b") as f:
        f.seek(24)
        f.write(b"\0\0\0\1")
        f.seek(92)
        f.write(b"\0\0\0\1\0\x2d\xfa\x80")


def insert(c, table, **row):
    names = ",".join(f'"{k}"' for k in row)
    c.execute(f'INSERT INTO "{table}"({names}) VALUES({",".join("?" * len(row))})', list(row.values()))
    return c.execute("SELECT last_insert_rowid()").fetchone()[0]


class Rocpd:
    """The tables of one process."""

    def __init__(self, c, guid, version=0, pid=1, bare=False, host=None, environment=None):
        self.c, self.pid, self.version = c, pid, version
        self.x = "" if bare else "_" + guid.replace("-", "_")
        g = f"guid TEXT DEFAULT '{guid}' NOT NULL"
        kinds = "'CPU','GPU'" + (",'NIC'" if version >= 1 else "")
        graph = GRAPH if version >= 2 else ""
        spm = ", sample_id INTEGER, xcc INTEGER, shader_engine INTEGER, instance INTEGER" if version >= 3 else ""
        spm += ", shader_array INTEGER, wgp INTEGER" if version >= 5 else ""
        tables = {
            "metadata": "tag TEXT NOT NULL, value TEXT NOT NULL",
            "string": f"{g}, string TEXT NOT NULL UNIQUE ON CONFLICT ABORT",
            "event": f"{g}, category_id INTEGER, stack_id INTEGER, parent_stack_id INTEGER, correlation_id "
                     "INTEGER, call_stack JSONB DEFAULT '{}' NOT NULL, line_info JSONB DEFAULT '{}' NOT NULL, "
                     "extdata JSONB DEFAULT '{}' NOT NULL",
            "info_process": f"{g}, nid INTEGER NOT NULL, ppid INTEGER, pid INTEGER NOT NULL, command TEXT"
                            + (", environment JSONB DEFAULT '{}' NOT NULL" if environment else ""),
            "info_thread": f"{g}, {WHO}, tid INTEGER NOT NULL, name TEXT",
            "info_agent": f"{g}, {WHO}, type TEXT CHECK (type IN ({kinds})), absolute_index INTEGER, "
                          "logical_index INTEGER, type_index INTEGER, name TEXT, product_name TEXT, extdata "
                          "JSONB DEFAULT '{}' NOT NULL",
            "info_queue": f"{g}, {WHO}, name TEXT",
            "info_stream": f"{g}, {WHO}, name TEXT",
            "info_kernel_symbol": f"{g}, {WHO}, code_object_id INTEGER, kernel_name TEXT, display_name TEXT, "
                                  "sgpr_count INTEGER, arch_vgpr_count INTEGER, accum_vgpr_count INTEGER",
            "info_pmc": f"{g}, {WHO}, agent_id INTEGER, name TEXT NOT NULL, symbol TEXT NOT NULL",
            "track": f"{g}, nid INTEGER NOT NULL, pid INTEGER, tid INTEGER, name_id INTEGER",
            "kernel_dispatch": f"{g}, {WHO}, tid INTEGER, agent_id INTEGER NOT NULL, kernel_id INTEGER NOT NULL, "
                               "dispatch_id INTEGER NOT NULL, queue_id INTEGER NOT NULL, stream_id INTEGER NOT "
                               "NULL, start BIGINT NOT NULL, end BIGINT NOT NULL, private_segment_size INTEGER, "
                               "group_segment_size INTEGER, workgroup_size_x INTEGER NOT NULL, workgroup_size_y "
                               "INTEGER NOT NULL, workgroup_size_z INTEGER NOT NULL, grid_size_x INTEGER NOT "
                               "NULL, grid_size_y INTEGER NOT NULL, grid_size_z INTEGER NOT NULL, "
                               f"region_name_id INTEGER, event_id INTEGER{graph}",
            "memory_copy": f"{g}, {WHO}, tid INTEGER, start BIGINT NOT NULL, end BIGINT NOT NULL, name_id INTEGER "
                           "NOT NULL, dst_agent_id INTEGER, src_agent_id INTEGER, size INTEGER NOT NULL, queue_id "
                           f"INTEGER, stream_id INTEGER, event_id INTEGER{graph}",
            "memory_allocate": f"{g}, {WHO}, tid INTEGER, agent_id INTEGER, type TEXT, level TEXT, start BIGINT NOT "
                               "NULL, end BIGINT NOT NULL, address INTEGER, size INTEGER NOT NULL, queue_id "
                               "INTEGER, stream_id INTEGER, event_id INTEGER",
            "region": f"{g}, {WHO}, tid INTEGER NOT NULL, start BIGINT NOT NULL, end BIGINT NOT NULL, name_id "
                      "INTEGER NOT NULL, event_id INTEGER",
            "sample": f"{g}, track_id INTEGER NOT NULL, timestamp BIGINT NOT NULL, event_id INTEGER",
            "pmc_event": f"{g}, event_id INTEGER, pmc_id INTEGER NOT NULL, value REAL DEFAULT 0.0{spm}",
        }
        if version >= 2:
            tables["graph_launch"] = (f"{g}, {WHO}, tid INTEGER, agent_id INTEGER, queue_id INTEGER, start BIGINT, "
                                      "end BIGINT, graph_exec_id INTEGER, kernel_dispatch_count INTEGER, event_id "
                                      "INTEGER")
        if host:
            tables["info_node"] = f"{g}, hash BIGINT, machine_id TEXT, system_name TEXT, hostname TEXT"
        if version >= 4:
            tables["hip_event"] = f"{g}, {WHO}, start BIGINT, end BIGINT"
        for name, columns in tables.items():
            c.execute(f'CREATE TABLE "rocpd_{name}{self.x}"({NODE}, {columns})')
        if not bare:
            for name in tables:
                c.execute(f'CREATE VIEW IF NOT EXISTS "rocpd_{name}" AS SELECT * FROM "rocpd_{name}{self.x}"')
        for tag, value in (("schema_version", "3"), ("uuid", self.x), ("guid", guid)):
            self.add("metadata", tag=tag, value=value)
        self.strings = {}
        self.add("info_process", id=pid, nid=1, ppid=1, pid=pid, command="app",
                 **({"environment": json.dumps(environment)} if environment else {}))
        if host:
            self.add("info_node", id=1, system_name="Linux", hostname=host)

    def add(self, table, **row):
        return insert(self.c, f"rocpd_{table}{self.x}", **row)

    def string(self, text):
        if text not in self.strings:
            self.strings[text] = self.add("string", string=text)
        return self.strings[text]

    def thread(self, tid):
        self.add("info_thread", id=tid, nid=1, pid=self.pid, tid=tid)

    def event(self, category, stack, **extdata):
        return self.add("event", category_id=self.string(category), stack_id=stack, parent_stack_id=0,
                        correlation_id=0, extdata=json.dumps(extdata))

    def agent(self, id, kind, name, logical=None, index=0):
        self.add("info_agent", id=id, nid=1, pid=self.pid, type=kind, absolute_index=id,
                 logical_index=id if logical is None else logical, type_index=index, name=name,
                 product_name=f"Example {kind}", extdata=json.dumps({"cu_count": 108, "gfx_target_version": 90010}))

    def kernel(self, id, name):
        self.add("info_kernel_symbol", id=id, nid=1, pid=self.pid, code_object_id=1, kernel_name=name + ".kd",
                 display_name=name, sgpr_count=32, arch_vgpr_count=16, accum_vgpr_count=4)

    def dispatch(self, id, kernel, start, end, stack, agent=4, tid=None, queue=1, stream=0, event=True, **more):
        e = self.event("KERNEL_DISPATCH", stack) if event else None
        self.add("kernel_dispatch", nid=1, pid=self.pid, tid=tid, agent_id=agent, kernel_id=kernel, dispatch_id=id,
                 queue_id=queue, stream_id=stream, start=start, end=end, private_segment_size=0,
                 group_segment_size=0, **dict(dict(zip(
                     [f"{w}_size_{a}" for w in ("workgroup", "grid") for a in "xyz"], (256, 1, 1, 1024, 1, 1))),
                     **more), region_name_id=self.string(""), event_id=e)
        return e


def agent_number(text):
    return int(text.split()[1]) if text.startswith("Agent ") else None


def same_run(folder, path):
    """The run of the CSV files in `folder`."""
    def rows(name):
        with open(os.path.join(folder, f"out_{name}.csv"), newline="", encoding="utf-8") as f:
            return list(csv.DictReader(f))
    c = create(path)
    regions = rows("regions_trace")
    pid = int(regions[0]["Process_Id"])
    r = Rocpd(c, regions[0]["Guid"] if "Guid" in regions[0] else "00001871-0c2d-7a31-8f11-0123456789ab", 0, pid)
    threads, kernels = set(), set()
    for t in rows("kernel_trace") + regions + rows("scratch_memory_trace"):
        if t["Thread_Id"] not in threads:
            threads.add(t["Thread_Id"])
            r.thread(int(t["Thread_Id"]))
    for a in rows("agent_info"):
        r.agent(int(a["Node_Id"]), a["Agent_Type"], a["Name"], int(a["Logical_Node_Id"]))
    for t in regions:
        e = r.event(t["Domain"], int(t["Correlation_Id"]),
                    **({"message": t["Function"]} if t["Domain"].startswith("MARKER") else {}))
        name = "roctxRangePushA" if t["Domain"].startswith("MARKER") else t["Function"]
        span = int(t["Start_Timestamp"]), int(t["End_Timestamp"])
        if span[0] == span[1]:
            k = r.add("track", nid=1, pid=pid, tid=int(t["Thread_Id"]), name_id=r.string(name))
            r.add("sample", track_id=k, timestamp=span[0], event_id=e)
        else:
            r.add("region", nid=1, pid=pid, tid=int(t["Thread_Id"]), start=span[0], end=span[1],
                  name_id=r.string(name), event_id=e)
    for t in rows("kernel_trace"):
        if t["Kernel_Id"] not in kernels:
            kernels.add(t["Kernel_Id"])
            r.kernel(int(t["Kernel_Id"]), t["Kernel_Name"])
        r.dispatch(int(t["Dispatch_Id"]), int(t["Kernel_Id"]), int(t["Start_Timestamp"]), int(t["End_Timestamp"]),
                   int(t["Correlation_Id"]), agent_number(t["Agent_Id"]), int(t["Thread_Id"]), int(t["Queue_Id"]),
                   int(t["Stream_Id"]), **{f"{w.lower()}_size_{a.lower()}": int(t[f"{w}_Size_{a}"])
                                           for w in ("Workgroup", "Grid") for a in "XYZ"})
    for t in rows("memory_copy_trace"):
        r.add("memory_copy", nid=1, pid=pid, tid=None, start=int(t["Start_Timestamp"]),
              end=int(t["End_Timestamp"]), name_id=r.string(t["Direction"]), size=4096,
              dst_agent_id=agent_number(t["Destination_Agent_Id"]),
              src_agent_id=agent_number(t["Source_Agent_Id"]), stream_id=int(t["Stream_Id"]),
              event_id=r.event("MEMORY_COPY", int(t["Correlation_Id"])))
    for t in rows("memory_allocation_trace"):
        op = t["Operation"].replace("MEMORY_ALLOCATION_", "")
        r.add("memory_allocate", nid=1, pid=pid, tid=None, agent_id=agent_number(t["Agent_Id"]),
              type="FREE" if op.endswith("FREE") else "ALLOC", level="VIRTUAL" if "VMEM" in op else "REAL",
              start=int(t["Start_Timestamp"]), end=int(t["End_Timestamp"]), address=int(t["Address"], 16),
              size=int(t["Allocation_Size"]), event_id=r.event("MEMORY_ALLOCATION", int(t["Correlation_Id"])))
    for t in rows("scratch_memory_trace"):
        op = t["Operation"].replace("SCRATCH_MEMORY_", "")
        r.add("memory_allocate", nid=1, pid=pid, tid=int(t["Thread_Id"]), agent_id=agent_number(t["Agent_Id"]),
              type={"ALLOC": "ALLOC", "FREE": "FREE"}.get(op, "RECLAIM"), level="SCRATCH",
              start=int(t["Start_Timestamp"]), end=int(t["End_Timestamp"]), address=None, size=0,
              queue_id=int(t["Queue_Id"]), event_id=r.event("SCRATCH_MEMORY", 0))
    close(c, path)


def small(path, version):
    """Two kernels in each schema version; a mark, a range, and from 3.0.2 a graph."""
    c = create(path)
    r = Rocpd(c, "0000000a-0000-7000-8000-00000000000%d" % version, version, 70)
    r.thread(71)
    r.agent(4, "GPU", "gfx90a", 1)
    r.kernel(1, "fill(float*)")
    r.kernel(2, "axpy(float, float*)")
    graph = {"graph_exec_id": 9, "graph_node_id": 3} if version >= 2 else {}
    r.dispatch(1, 1, 1000, 1100, 11, tid=71, **graph)
    r.dispatch(2, 2, 1200, 1500, 12, tid=71, **graph)
    if version >= 2:
        r.add("graph_launch", nid=1, pid=70, tid=71, agent_id=4, queue_id=1, start=990, end=1600, graph_exec_id=9,
              kernel_dispatch_count=2, event_id=None)
    close(c, path)


def processes(path):
    """Two processes in one file, 3.0.5, and what the producer's views lose or get wrong."""
    c = create(path)
    r = Rocpd(c, "0000000a-0000-7000-8000-0000000000aa", 5, 100)
    r.thread(101)
    r.agent(4, "GPU", "gfx90a", 1)
    r.kernel(1, "fill(float*)")
    r.kernel(2, "void gemm<float, 64>(float*)")
    e1 = r.dispatch(1, 1, 1000, 1100, 11, tid=101)
    e2 = r.dispatch(2, 2, 1200, 1500, 12, tid=101, stream=2)
    # Left out of the view `kernels`: no thread, no event, an unknown kernel, an unknown agent.
    r.dispatch(3, 2, 1600, 1700, 13, tid=None)
    r.dispatch(4, 2, 1700, 1850, 14, tid=101, event=False)
    r.dispatch(5, 77, 1900, 1910, 15, tid=101)
    r.dispatch(6, 1, 1920, 1940, 16, tid=101, agent=99)
    # Ends before it begins; times that are none.
    r.dispatch(7, 1, 2000, 1990, 17, tid=101)
    r.dispatch(8, 1, "soon", 2100, 18, tid=101)
    # Two instances of a counter, and another counter; a streaming one, sampled within dispatch 2.
    for i, name in ((1, "SQ_WAVES"), (2, "SQ_WAVES"), (3, "GRBM_COUNT")):
        r.add("info_pmc", id=i, nid=1, pid=100, agent_id=4, name=name, symbol=name)
    for e, pmc, v in ((e1, 1, 10), (e2, 1, 7), (e1, 2, 32), (e2, 2, 5.5), (e1, 3, 1000)):
        r.add("pmc_event", event_id=e, pmc_id=pmc, value=v)
    k = r.add("track", nid=1, pid=100, tid=101, name_id=r.string("roctxMarkA"))
    s = r.add("sample", track_id=k, timestamp=1250, event_id=None)
    r.add("pmc_event", event_id=e2, pmc_id=3, value=3, sample_id=s, xcc=0)
    # A range and a mark, whose texts are in their events; a call.
    r.add("region", nid=1, pid=100, tid=101, start=900, end=2200, name_id=r.string("roctxRangePushA"),
          event_id=r.event("MARKER_CORE_RANGE_API", 20, message='step "one"\u00e9, it\'s'))
    r.add("sample", track_id=k, timestamp=950, event_id=r.event("MARKER_CORE_RANGE_API", 21, message="mark"))
    r.add("region", nid=1, pid=100, tid=101, start=960, end=970, name_id=r.string("hipLaunchKernel"),
          event_id=r.event("HIP_RUNTIME_API_EXT", 11))
    r.add("region", nid=1, pid=100, tid=101, start=980, end=985, name_id=r.string("ncclAllReduce"),
          event_id=r.event("RCCL_API", 22))
    # The other process counts its ids from 1, too.
    r = Rocpd(c, "0000000a-0000-7000-8000-0000000000bb", 5, 200)
    r.thread(201)
    r.agent(4, "GPU", "gfx90a", 2)
    r.kernel(1, "axpy(float, float*)")
    r.dispatch(1, 1, 1010, 1050, 11, tid=201)
    r.dispatch(2, 1, 1060, 1090, 12, tid=201)
    close(c, path)


def ranks(path):
    """What `rocpd merge` makes of the databases of two ranks on two hosts; started by torchrun, one on each
    host by mpirun, in a job of Slurm."""
    c = create(path)
    for i in (1, 0):
        r = Rocpd(c, f"0000000a-0000-7000-8000-0000000000d{i}", 0, 500, host=f"node{i}", environment={
            "HOME": "/home", "SLURM_PROCID": "0", "SLURM_NTASKS": "8", "OMPI_COMM_WORLD_RANK": str(1 - i),
            "OMPI_COMM_WORLD_SIZE": "2", "RANK": str(4 + i), "WORLD_SIZE": "8", "LOCAL_RANK": "0"})
        r.thread(501)
        r.agent(4, "GPU", "gfx942", 0)
        r.kernel(1, "fill(float*)")
        r.kernel(2, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)")
        r.dispatch(1, 1, 1000 + i, 1100 + 10 * i, 1, tid=501)
        r.dispatch(2, 2, 1200 + i, 1500 + i, 2, tid=501)
        # Ends before it begins: left out, and counted for its own process.
        if i == 1:
            r.dispatch(3, 1, 1600, 1550, 3, tid=501)
    close(c, path)


def system(path):
    """rocprof-sys: its own categories, and samples that carry counters."""
    c = create(path)
    r = Rocpd(c, "0000000a-0000-7000-8000-0000000000cc", 0, 300)
    r.add("info_thread", id=1, nid=1, pid=300, tid=301)
    r.agent(1, "GPU", "gfx942")
    r.kernel(1, "fill(float*)")
    r.dispatch(1, 1, 1000, 1100, 1, agent=1, tid=1)
    r.add("region", nid=1, pid=300, tid=1, start=900, end=950, name_id=r.string("hipMalloc"),
          event_id=r.event("rocm_hip_api", 1))
    r.add("region", nid=1, pid=300, tid=1, start=800, end=2000, name_id=r.string("main"),
          event_id=r.event("host", 2))
    r.add("info_pmc", id=1, nid=1, pid=300, agent_id=1, name="device_power", symbol="device_power")
    k = r.add("track", nid=1, pid=300, tid=1, name_id=r.string("GPU Power [0]"))
    for t, watts in ((1000, 90.5), (2000, 300)):
        e = r.event("device_power", 0)
        r.add("sample", track_id=k, timestamp=t, event_id=e)
        r.add("pmc_event", event_id=e, pmc_id=1, value=watts)
    close(c, path)


RPD = """
CREATE TABLE rocpd_metadata(id integer NOT NULL PRIMARY KEY AUTOINCREMENT, tag varchar(4096) NOT NULL, value varchar(4096) NOT NULL);
CREATE TABLE rocpd_string(id integer NOT NULL PRIMARY KEY AUTOINCREMENT, string varchar(4096) NOT NULL);
CREATE TABLE rocpd_api_ops(id integer NOT NULL PRIMARY KEY AUTOINCREMENT, api_id integer NOT NULL, op_id integer NOT NULL);
CREATE TABLE rocpd_copyapi(api_ptr_id integer NOT NULL PRIMARY KEY, stream varchar(18) NOT NULL, size integer NOT NULL, width integer NOT NULL, height integer NOT NULL, kind integer NOT NULL, dst varchar(18) NOT NULL, src varchar(18) NOT NULL, dstDevice integer NOT NULL, srcDevice integer NOT NULL, sync bool NOT NULL, pinned bool NOT NULL);
CREATE TABLE rocpd_monitor(id integer NOT NULL PRIMARY KEY AUTOINCREMENT, deviceType varchar(16) NOT NULL, deviceId integer NOT NULL, monitorType varchar(16) NOT NULL, start integer NOT NULL, "end" integer NOT NULL, value varchar(255) NOT NULL);
"""
RPD2 = RPD + """
CREATE TABLE rocpd_api(id integer NOT NULL PRIMARY KEY AUTOINCREMENT, pid integer NOT NULL, tid integer NOT NULL, start integer NOT NULL, "end" integer NOT NULL, apiName_id integer NOT NULL, args_id integer NOT NULL);
CREATE TABLE rocpd_op(id integer NOT NULL PRIMARY KEY AUTOINCREMENT, gpuId integer NOT NULL, queueId integer NOT NULL, sequenceId integer NOT NULL, completionSignal varchar(18) NOT NULL, start integer NOT NULL, "end" integer NOT NULL, description_id integer NOT NULL, opType_id integer NOT NULL);
CREATE TABLE rocpd_kernelapi(api_ptr_id integer NOT NULL PRIMARY KEY, stream varchar(18) NOT NULL, gridX integer NOT NULL, gridY integer NOT NULL, gridZ integer NOT NULL, workgroupX integer NOT NULL, workgroupY integer NOT NULL, workgroupZ integer NOT NULL, groupSegmentSize integer NOT NULL, privateSegmentSize integer NOT NULL, kernelArgAddress varchar(18) NOT NULL, codeObject_id integer NOT NULL, kernelName_id integer NOT NULL);
CREATE VIEW op AS SELECT rocpd_op.id,gpuId,start,"end",A.string AS description FROM rocpd_op INNER JOIN rocpd_string A ON A.id=description_id;
"""
RPD3 = RPD + """
CREATE TABLE rocpd_ustring(id integer NOT NULL PRIMARY KEY AUTOINCREMENT, string varchar(4096) NOT NULL);
CREATE TABLE rocpd_api(id integer NOT NULL PRIMARY KEY AUTOINCREMENT, pid integer NOT NULL, tid integer NOT NULL, start integer NOT NULL, "end" integer NOT NULL, apiName_id integer NOT NULL, category_id integer, domain_id integer, args_id integer NOT NULL);
CREATE TABLE rocpd_op(id integer NOT NULL PRIMARY KEY AUTOINCREMENT, gpuId integer NOT NULL, queueId integer NOT NULL, sequenceId integer NOT NULL, start integer NOT NULL, "end" integer NOT NULL, description_id integer NOT NULL, opType_id integer NOT NULL);
CREATE TABLE rocpd_kernelapi(api_ptr_id integer NOT NULL PRIMARY KEY, stream varchar(18) NOT NULL, gridX integer NOT NULL, gridY integer NOT NULL, gridZ integer NOT NULL, workgroupX integer NOT NULL, workgroupY integer NOT NULL, workgroupZ integer NOT NULL, groupSegmentSize integer NOT NULL, privateSegmentSize integer NOT NULL, kernelName_id integer NOT NULL);
CREATE TABLE rocpd_counter(id integer NOT NULL PRIMARY KEY AUTOINCREMENT, value real, op_id integer NOT NULL, name_id integer NOT NULL);
"""


class Rpd:
    """A session: its ids count from a multiple of 2^32, its strings are its own."""

    def __init__(self, c, session, v3=False):
        self.c, self.base, self.v3 = c, session << 32, v3
        self.n = {}
        self.strings = {}

    def next(self, table):
        self.n[table] = self.n.get(table, self.base) + 1
        return self.n[table]

    def string(self, text, table="rocpd_string"):
        if (table, text) not in self.strings:
            self.strings[table, text] = insert(self.c, table, id=self.next(table), string=text)
        return self.strings[table, text]

    def api(self, name, start, end, args="", pid=50, tid=51):
        more = {"category_id": self.string(""), "domain_id": self.string("hip")} if self.v3 else {}
        return insert(self.c, "rocpd_api", id=self.next("rocpd_api"), pid=pid, tid=tid, start=start, end=end,
                      apiName_id=self.string(name),
                      args_id=self.string(args, "rocpd_ustring" if self.v3 else "rocpd_string"), **more)

    def op(self, kind, name, start, end, api=None, gpu=2):
        more = {} if self.v3 else {"completionSignal": ""}
        id = insert(self.c, "rocpd_op", id=self.next("rocpd_op"), gpuId=gpu, queueId=0, sequenceId=0, start=start,
                    end=end, description_id=self.string(name), opType_id=self.string(kind), **more)
        if api:
            insert(self.c, "rocpd_api_ops", api_id=api, op_id=id)
        return id

    def launch(self, call, kernel, grid, wg, start, end):
        a = self.api(call, start - 50, start - 40)
        more = {} if self.v3 else {"kernelArgAddress": "", "codeObject_id": ""}
        insert(self.c, "rocpd_kernelapi", api_ptr_id=a, stream="0x1f", gridX=grid, gridY=1, gridZ=1, workgroupX=wg,
               workgroupY=1, workgroupZ=1, groupSegmentSize=512, privateSegmentSize=0,
               kernelName_id=self.string(kernel), **more)
        return self.op("KernelExecution", kernel, start, end, a)

    def copy(self, call, kind, size, start, end, width="", height=""):
        a = self.api(call, start - 50, start - 40)
        insert(self.c, "rocpd_copyapi", api_ptr_id=a, stream="0x0", size=size, width=width, height=height, kind=1,
               dst="0x1000", src="0x2000", dstDevice=0, srcDevice=0, sync=0, pinned=0)
        return self.op(kind, "", start, end, a)


def rpd2(path):
    c = create(path)
    c.executescript(RPD2)
    for tag, value in (("schema_version", "2"), ("session_count", "2")):
        insert(c, "rocpd_metadata", tag=tag, value=value)
    for session in (0, 1):
        t = 10000 * (session + 1)
        s = Rpd(c, session)
        s.launch("hipLaunchKernel", "fill(float*)", 4, 256, t + 100, t + 200)
        s.launch("hipExtModuleLaunchKernel", "Cijk_Ailk_Bljk_SB_MT64x64", 1024, 256, t + 300, t + 700)
        g = s.api("hipGraphLaunch", t + 750, t + 760, "graphExec = 0x10 | stream = 0x0")
        for i in range(3):
            s.op("Task", "_Z4stepPf", t + 800 + 100 * i, t + 850 + 100 * i, g)
        s.copy("hipMemcpyAsync", "CopyHostToDevice", 65536, t + 2000, t + 2100)
        s.copy("hipMemcpy2DAsync", "CopyDeviceToHost", "", t + 2200, t + 2300, 640, 480)
        s.api("UserMarker", t + 50, t + 3000, "step %d" % session)
        s.api("hcc_activity_callback", t + 3100, t + 3200)
        s.api("OpTable::writeRows", t + 3200, t + 3300)
        # Two copies alike in all: the view `top` counts them once.
        for gpu in (2, 3):
            s.op("CopyDeviceToDevice", "", t + 4000, t + 4100, None, gpu)
        insert(c, "rocpd_monitor", deviceType="gpu", deviceId=0, monitorType="sclk", start=t, end=t + 5000,
               value=str(100 + session))
    close(c, path)


def rpd3(path):
    c = create(path)
    c.executescript(RPD3)
    for tag, value in (("schema_version", "3"), ("gpu_stride", "1000"), ("pid_stride", "10000000")):
        insert(c, "rocpd_metadata", tag=tag, value=value)
    s = Rpd(c, 0, True)
    op = s.launch("hipLaunchKernel", "fill(float*)", 4, 256, 1100, 1200)
    s.api("UserMarker", 1000, 2000, "epoch")
    insert(c, "rocpd_counter", value=42.5, op_id=op, name_id=s.string("SQ_WAVES"))
    close(c, path)


def lite(path):
    """rocm-trace-lite: strings are unique, no API rows, markers among the operations."""
    c = create(path, wal=True)
    c.executescript("""
CREATE TABLE rocpd_string(id INTEGER PRIMARY KEY, string TEXT UNIQUE);
CREATE TABLE rocpd_op(id INTEGER PRIMARY KEY, gpuId INTEGER, queueId INTEGER, sequenceId INTEGER, completionSignal TEXT, start INTEGER, "end" INTEGER, description_id INTEGER, opType_id INTEGER);
CREATE TABLE rocpd_api(id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, start INTEGER, "end" INTEGER, apiName_id INTEGER, args_id INTEGER);
CREATE TABLE rocpd_api_ops(id INTEGER PRIMARY KEY, api_id INTEGER, op_id INTEGER);
CREATE TABLE rocpd_kernelapi(api_id INTEGER PRIMARY KEY, stream TEXT, gridX INTEGER, gridY INTEGER, gridZ INTEGER, workgroupX INTEGER, workgroupY INTEGER, workgroupZ INTEGER, groupSegmentSize INTEGER, privateSegmentSize INTEGER, kernelName_id INTEGER);
CREATE TABLE rocpd_copyapi(api_id INTEGER PRIMARY KEY, stream TEXT, size INTEGER, dst TEXT, src TEXT, kind INTEGER, sync INTEGER);
CREATE TABLE rocpd_metadata(id INTEGER PRIMARY KEY, tag TEXT, value TEXT);
CREATE TABLE rocpd_monitor(id INTEGER PRIMARY KEY, deviceType TEXT, deviceId INTEGER, monitorType TEXT, start INTEGER, "end" INTEGER, value TEXT);
""")
    insert(c, "rocpd_metadata", tag="pid", value="4321")
    names = {}
    for gpu, kind, name, start, end in ((0, "KernelExecution", "fill(float*)", 1000, 1100),
                                        (0, "KernelExecution", "fill(float*)", 1200, 1350),
                                        (0, "CopyDeviceToDevice", "CopyDeviceToDevice:4096", 1400, 1450),
                                        (-1, "UserMarker", "warm-up", 900, 1500)):
        for text in (kind, name):
            if text not in names:
                names[text] = insert(c, "rocpd_string", string=text)
        insert(c, "rocpd_op", gpuId=gpu, queueId=140000, sequenceId=0, completionSignal=None, start=start, end=end,
               description_id=names[name], opType_id=names[kind])
    close(c, path)


KERN = ('CREATE TABLE KERN ("Index" INTEGER,"KernelName" TEXT,"gpu-id" INTEGER,"queue-id" INTEGER,"queue-index" '
        'INTEGER,"pid" INTEGER,"tid" INTEGER,"grd" INTEGER,"wgr" INTEGER,"lds" INTEGER,"scr" INTEGER,"arch_vgpr" '
        'INTEGER,"accum_vgpr" INTEGER,"sgpr" INTEGER,"wave_size" INTEGER,"sig" INTEGER,"obj" INTEGER%s,"DispatchNs" '
        'INTEGER,"BeginNs" INTEGER,"EndNs" INTEGER,"CompleteNs" INTEGER,"DurationNs" INTEGER)')


def v1_kernels(path):
    c = create(path)
    c.execute(KERN % ',"SQ_WAVES" INTEGER,"TCC_HIT[0]" INTEGER')
    for i, (name, begin, end, waves, hits) in enumerate((("fill(float*) [clone .kd]", 1000, 1100, 64, 1.5),
                                                         ("axpy(float, float*) [clone .kd]", 1200, 1500, 128, "None"),
                                                         ("fill(float*) [clone .kd]", 1600, 1650, 64, 2.5))):
        c.execute("INSERT INTO KERN VALUES(" + ",".join("?" * 24) + ")",
                  (i, f'"{name}"', 0, 0, i, 60, 61, 1024, 256, 512, 0, 16, 4, 32, 64, "0x0", "0x7f00", waves, hits,
                   begin - 50, begin, end, end + 50, end - begin))
    close(c, path)


def v1_trace(path, old):
    c = create(path)
    tail = '"Index" INTEGER,' + ('"proc-id" INTEGER,"Data" TEXT' if old else
                                 '"Data" TEXT,"__section" INTEGER,"__lane" INTEGER') + ',"DurationNs" INTEGER'
    middle = "" if old else '"roctx-range" TEXT,"stream-id" INTEGER,'
    c.execute('CREATE TABLE A ("Index" INTEGER,"KernelName" TEXT)' if old else KERN % "")
    for t in ("OPS", "COPY"):
        c.execute(f'CREATE TABLE {t} ("BeginNs" INTEGER,"EndNs" INTEGER,"dev-id" INTEGER,"queue-id" INTEGER,"Name" '
                  f'TEXT,"pid" INTEGER,"tid" INTEGER,{middle}{tail})')
    api = '"Index" INTEGER,"Data" TEXT' + ("" if old else ',"__section" INTEGER,"__lane" INTEGER')
    c.execute(f'CREATE TABLE HIP ("BeginNs" INTEGER,"EndNs" INTEGER,"pid" INTEGER,"tid" INTEGER,"Name" TEXT,"args" '
              f'TEXT,{api},"DurationNs" INTEGER)')
    c.execute('CREATE TABLE rocTX ("BeginNs" INTEGER,"EndNs" INTEGER,"pid" INTEGER,"tid" INTEGER,"Name" TEXT,"Index" '
              'INTEGER' + ("" if old else ',"__section" INTEGER,"__lane" INTEGER') + ")")
    end = {"proc-id": 60} if old else {"__section": 6, "__lane": 1, "stream-id": 1}
    who = {"pid": 6, "tid": 1} if old else {"pid": 60, "tid": 61}
    insert(c, "OPS", BeginNs=1000, EndNs=1100, Name="fill(float*)", Index=2, **{"dev-id": 0, "queue-id": 0}, **who, **end)
    insert(c, "COPY", BeginNs=1200, EndNs=1260, Name="CopyHostToDevice", Index=3, **{"dev-id": 0, "queue-id": 0}, **who,
           **end)
    for i, (name, a, b) in enumerate((("hipMalloc", 800, 850), ("hipLaunchKernel", 900, 910), ("hipMemcpy", 1150, 1300))):
        insert(c, "HIP", BeginNs=a, EndNs=b, pid=2 if old else 60, tid=61, Name=name, args="( )", Index=i + 1)
    insert(c, "rocTX", BeginNs=700, EndNs=2000, pid=0 if old else 60, tid=61, Name='"step"' if old else "step", Index=0)
    if not old:
        c.execute("INSERT INTO KERN VALUES(" + ",".join("?" * 22) + ")",
                  (0, '"fill(float*) [clone .kd]"', 0, 0, 0, 60, 61, 1024, 256, 0, 0, 16, 4, 32, 64, "0x0", "0x0", 950,
                   1000, 1100, 1150, 100))
    close(c, path)


def main(testdata):
    def at(*parts):
        return os.path.join(testdata, *parts)
    same_run(at("rocpd", "7.1", "run"), at("rocpd", "3.0.0", "run", "out_results.db"))
    for v in range(6):
        small(at("rocpd", f"3.0.{v}", "small", "70_results.db"), v)
    processes(at("rocpd", "3.0.5", "processes", "merged.db"))
    ranks(at("rocpd", "3.0.0", "ranks", "merged.db"))
    system(at("rocpd", "3.0.0", "rocprof-sys", "rocpd-300.db"))
    rpd2(at("rpd", "2", "sessions", "trace.rpd"))
    rpd3(at("rpd", "3", "run", "trace.rpd"))
    lite(at("rpd", "lite", "trace_4321.db"))
    v1_kernels(at("rocprofv1", "6.2", "database", "kernels.db"))
    v1_trace(at("rocprofv1", "6.2", "database", "trace.db"), False)
    v1_trace(at("rocprofv1", "4.2", "database", "trace.db"), True)


if __name__ == "__main__":
    main(sys.argv[1])
