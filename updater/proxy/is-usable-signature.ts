/** Maximum length of a signature file. */
const MAX_LENGTH = 4096;

/**
 * Whether the content of a `.sig` file may be passed on as a signature: text, not a web page that a release host sent instead.
 * Only the client verifies it, and installs nothing without a valid one.
 */
export function isUsableSignature(text: string): boolean {
  return text.trim() !== "" && text.length <= MAX_LENGTH && !text.trimStart().startsWith("<");
}
