/** No signature file is larger. */
const MAX_LENGTH = 4096;

/**
 * Whether the content of a `.sig` file can be passed on as a signature: some text, and not the page that a release host
 * shows in its place. Whether it is a good one, and whose, only the client judges, which installs nothing without.
 */
export function isUsableSignature(text: string): boolean {
  return text.trim() !== "" && text.length <= MAX_LENGTH && !text.trimStart().startsWith("<");
}
