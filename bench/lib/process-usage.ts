import { readFileSync, writeFileSync } from "node:fs";

/** Length of a clock tick in /proc/<pid>/stat; USER_HZ is 100 on every Linux that runs Node. */
const TICK_MS = 10;

/** Returns the CPU time (ms) of a process and its threads since its start; NaN without /proc. */
export function cpuMs(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Returns the CPU time (ms) of a process's children that have ended; NaN without /proc. */
export function endedChildrenMs(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}

/** Returns the pid of the parent process; NaN without /proc. */
export function parentOf(pid: number): number {
  return Number(statOf(pid)[1]);
}

function statOf(pid: number): string[] {
  const stat = readProc(pid, "stat");
  // The command name (field 2) may contain blanks and brackets: count from after its closing bracket.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** Returns a process's resident memory in MiB; NaN without /proc. */
export function residentMiB(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(pid, "status"));
  return line === null ? Number.NaN : Number(line[1]) / 1024;
}

/** Returns the peak resident memory (MiB) since `resetPeak`, or since the start if that failed; NaN without /proc. */
export function peakMiB(pid: number): number {
  const line = /^VmHWM:\s+(\d+) kB$/m.exec(readProc(pid, "status"));
  return line === null ? Number.NaN : Number(line[1]) / 1024;
}

export function resetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
  } catch {
    // Not permitted: the peak covers the whole run.
  }
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
