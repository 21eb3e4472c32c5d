import { readFileSync, writeFileSync } from "node:fs";

/** Length of a clock tick in /proc/<pid>/stat; USER_HZ is 100 on every Linux that runs Node. */
const TICK_MS = 10;

/** CPU time of a process and its threads since its start, in ms; NaN where there is no /proc. */
export function cpuMs(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** The same of its children that have ended. */
export function endedChildrenMs(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}

/** The process that started it. */
export function parentOf(pid: number): number {
  return Number(statOf(pid)[1]);
}

function statOf(pid: number): string[] {
  const stat = readProc(pid, "stat");
  // The command name (field 2) may hold blanks and brackets: count from behind its closing one.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** Resident memory of a process, in MiB; NaN where there is no /proc. */
export function residentMiB(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(pid, "status"));
  return line === null ? Number.NaN : Number(line[1]) / 1024;
}

/** The most that was resident since `forgetPeak`, or since the start where that cannot be forgotten; NaN without /proc. */
export function peakMiB(pid: number): number {
  const line = /^VmHWM:\s+(\d+) kB$/m.exec(readProc(pid, "status"));
  return line === null ? Number.NaN : Number(line[1]) / 1024;
}

export function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
  } catch {
    // Not allowed here: the peak is that of the whole run.
  }
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
