import { closeSync, existsSync, fchmodSync, mkdirSync, openSync, renameSync, statSync, writeSync } from "node:fs";
import path from "node:path";

const LARGEST_BYTES = 5_000_000;
const KEPT = 5;

/** Writes each line to `hub.log` in a folder and to `alsoTo`. A full file becomes `hub.1.log`; five files are kept. */
export function createLogFile(
  folder: string,
  alsoTo: { write: (line: string) => unknown; on: (event: "error", listener: () => void) => unknown },
  largestBytes: number = LARGEST_BYTES,
): { write: (line: string) => void } {
  const current = path.join(folder, "hub.log");
  // An app that was started without a terminal may have no reader of its output.
  alsoTo.on("error", () => undefined);
  let file: number | undefined;
  let bytes = 0;

  const open = (): number => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return openPrivate(current);
  };
  const rotate = (full: number) => {
    // Before anything can fail: what is opened next may get its number, the hub's data file too.
    file = undefined;
    // Where it cannot be renamed, it goes on for as long again.
    bytes = 0;
    closeSync(full);
    for (let n = KEPT - 1; n >= 1; n--) {
      const older = path.join(folder, `hub.${n}.log`);
      const newer = n === 1 ? current : path.join(folder, `hub.${n - 1}.log`);
      if (existsSync(newer)) renameSync(newer, older);
    }
  };

  // Neither a full disk nor a folder that cannot be written may stop the hub because of its log.
  attempt(() => {
    file = open();
    bytes = statSync(current).size;
  });
  return {
    write(line) {
      alsoTo.write(line);
      attempt(() => file !== undefined && bytes > largestBytes && rotate(file));
      attempt(() => (bytes += writeSync((file ??= open()), line)));
    },
  };
}

function attempt(work: () => unknown): void {
  try {
    work();
  } catch {
    // Nothing is left to say it to.
  }
}

/** Readable by this account only, also where the file was there before with another mode. */
function openPrivate(file: string): number {
  const handle = openSync(file, "a", 0o600);
  fchmodSync(handle, 0o600);
  return handle;
}
