import { type Plugin } from "vite";
/** What every bundle has in common: no configuration from files, readable output. */
export declare const common: {
  root: string;
  configFile: false;
  envDir: false;
  publicDir: false;
  logLevel: "warn";
  build: {
    target: string;
    minify: false;
    sourcemap: false;
    emptyOutDir: false;
    reportCompressedSize: false;
  };
};
/**
 * Bundles programs for Node, with every package but those named in `external`, which stay beside the bundle. `entries`
 * are paths below the repository; each becomes a file of its own name in `outDir`. With `codeSplitting`, what is
 * imported dynamically is a file of its own, read when it is needed.
 */
export declare function bundleForNode(options: {
  entries: Readonly<Record<string, string>>;
  outDir: string;
  external: readonly string[];
  format?: "es" | "cjs";
  extension?: string;
  codeSplitting?: boolean;
  plugins?: Plugin[];
}): Promise<void>;
/** One character outside Latin-1 doubles what the engine keeps of a source for as long as the program runs. */
export declare function asciiOnly(): Plugin;
/**
 * Importing a built-in module reads every one of its exports, and two of `node:http` load a whole HTTP client that
 * nobody asked for. Taking the named ones alone starts the hub 15 ms sooner and leaves 5 MiB free.
 */
export declare function builtinsByNeed(): Plugin;
/** Leaves beside a bundled hub what it reads of itself. */
export declare function describeHub(outDir: string): void;
