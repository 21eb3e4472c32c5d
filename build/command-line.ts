import { parseArgs, type ParseArgsConfig } from "node:util";

/** Parses a script's command line. `--help` prints the usage and exits; an unknown argument exits with an error message. */
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

/** Prints why a script cannot start, with its usage, and exits. */
export function refuse(sentence: string, usage: string): never {
  console.error(`${sentence}\n\n${usage}`);
  process.exit(1);
}
