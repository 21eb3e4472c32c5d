const folder = process.env["NODE_COMPILE_CACHE"];

/**
 * For the environment of a program that tests start often: where a run of all tests keeps compiled code. A program that
 * runs from its sources then starts in two thirds of the time.
 */
export const compileCache: Readonly<Record<string, string>> =
  folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
