/** A verified signature: the key, the digest of the file and the fields of its trusted comment. */
export interface VerifiedFile {
    keyId: string;
    /** BLAKE2b-512 of the file, hexadecimal. */
    digest: string;
    version: string | undefined;
    fileName: string | undefined;
    sizeBytes: number | undefined;
}
/**
 * Checks a file against the content of its `.sig` with the one of `publicKeys` that has the signature's key id.
 * Throws SignatureRefused. The trusted comment is read only after both signatures were verified.
 */
export declare function verifySignature(file: string, signatureText: string, publicKeys: readonly string[]): Promise<VerifiedFile>;
/** The fields of a trusted comment; trustworthy only once the signature was verified. */
export declare function readTrustedComment(comment: string): Pick<VerifiedFile, "version" | "fileName" | "sizeBytes">;
/** The digest that a file is signed by. */
export declare function blake2b512(file: string): Promise<Buffer>;
