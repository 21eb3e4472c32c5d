import { closeSync, existsSync, fchmodSync, mkdirSync, openSync, renameSync, statSync, writeSync } from "node:fs";
import path from "node:path";

const MAX_BYTES = 5_000_000;
const MAX_FILES = 5;

/** Writes each line to `hub.log` in a folder and to `alsoTo`. A full file becomes `hub.1.log`; five files are kept. */
export function createLogFile(
  folder: string,
  alsoTo: { write: (line: string) => unknown; on: (event: "error", listener: () => void) => unknown },
  largestBytes: number = MAX_BYTES,
): { write: (line: string) => void } {
  const current = path.join(folder, "hub.log");
  // The output of an app started without a terminal may have no reader.
  alsoTo.on("error", () => undefined);
  let file: number | undefined;
  let bytes = 0;

  const open = (): number => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return openPrivate(current);
  };
  const rotate = (full: number) => {
    // Cleared first, before anything can fail: the next opened file, even the hub's data file, may get this descriptor.
    file = undefined;
    // If renaming fails, the file may grow by the same size again.
    bytes = 0;
    closeSync(full);
    for (let n = MAX_FILES - 1; n >= 1; n--) {
      const older = path.join(folder, `hub.${n}.log`);
      const newer = n === 1 ? current : path.join(folder, `hub.${n - 1}.log`);
      if (existsSync(newer)) renameSync(newer, older);
    }
  };

  // A full disk or an unwritable folder must not stop the hub.
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
    // There is nowhere left to report this.
  }
}

/** Opens a file readable only by this account, even if it existed with another mode. */
function openPrivate(file: string): number {
  const handle = openSync(file, "a", 0o600);
  fchmodSync(handle, 0o600);
  return handle;
}
