const folder = process.env["NODE_COMPILE_CACHE"];

/**
 * Environment with Node's compile cache, for programs that tests start often. A program that runs from source then
 * starts in two thirds of the time.
 */
export const compileCache: Readonly<Record<string, string>> =
  folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
