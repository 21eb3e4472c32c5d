import { type KeyObject } from "node:crypto";
export interface PublicKey {
    keyId: Buffer;
    key: KeyObject;
}
export interface Signature {
    /** "ED" signs the BLAKE2b-512 of the file, "Ed" the file itself; anything else is unknown. */
    algorithm: string;
    keyId: Buffer;
    signature: Buffer;
    trustedComment: string;
    globalSignature: Buffer;
}
/** Reads a public key: minisign's text, that text in one base64 line (Tauri), or the bare key line. */
export declare function parsePublicKey(text: string): PublicKey;
/** Reads a signature: minisign's four lines, or those in one base64 line (Tauri). Refuses incomplete or malformed text. */
export declare function parseSignature(text: string): Signature;
/** The key id as minisign prints it: sixteen hexadecimal digits, most significant byte first. */
export declare function showKeyId(keyId: Uint8Array): string;
