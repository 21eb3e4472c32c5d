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
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const current = path.join(folder, "hub.log");
  // An app that was started without a terminal may have no reader of its output.
  alsoTo.on("error", () => undefined);
  let file = openPrivate(current);
  let bytes = statSync(current).size;

  const rotate = () => {
    closeSync(file);
    for (let n = KEPT - 1; n >= 1; n--) {
      const older = path.join(folder, `hub.${n}.log`);
      const newer = n === 1 ? current : path.join(folder, `hub.${n - 1}.log`);
      if (existsSync(newer)) renameSync(newer, older);
    }
    file = openPrivate(current);
    bytes = 0;
  };

  return {
    write(line) {
      alsoTo.write(line);
      try {
        if (bytes > largestBytes) rotate();
        bytes += writeSync(file, line);
      } catch {
        // A full disk must not stop the hub because of its log.
      }
    },
  };
}

/** Readable by this account only, also where the file was there before with another mode. */
function openPrivate(file: string): number {
  const handle = openSync(file, "a", 0o600);
  fchmodSync(handle, 0o600);
  return handle;
}
