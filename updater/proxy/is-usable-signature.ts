import { parseSignature } from "../minisign/parse-minisign.ts";

/** Whether the content of a `.sig` file is a minisign signature at all. Whose it is, only the client can judge. */
export function isUsableSignature(text: string): boolean {
  try {
    parseSignature(text);
    return true;
  } catch {
    return false;
  }
}
