import { parseArgs, type ParseArgsConfig } from "node:util";

/** Reads the command line of a script. `--help` prints its usage and ends it; what it does not know ends it with a sentence. */
export function readCommandLine<const T extends ParseArgsConfig>(
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  if (process.argv.includes("--help")) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error), usage);
  }
}

/** Says why a script does not begin, with its usage below, and ends it. */
export function refuse(sentence: string, usage: string): never {
  console.error(`${sentence}\n\n${usage}`);
  process.exit(1);
}
