/** No signature file is larger. */
const MAX_LENGTH = 4096;

/**
 * Whether the content of a `.sig` file can be passed on as a signature: text, and not a web page that a release host sends
 * in its place. Only the client verifies it, and installs nothing without a valid one.
 */
export function isUsableSignature(text: string): boolean {
  return text.trim() !== "" && text.length <= MAX_LENGTH && !text.trimStart().startsWith("<");
}
