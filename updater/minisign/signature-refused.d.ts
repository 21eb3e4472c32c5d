declare const messages: {
    readonly KEY_MISMATCH: "The signature was created with a different key than the one provided";
    readonly INVALID: "The signature verification failed";
    readonly LEGACY: "Unexpected signature algorithm";
    readonly ALGORITHM: "This signature algorithm is not supported by this implementation";
    readonly ENCODING: "Invalid encoding in minisign data";
};
export type SignatureRefusal = keyof typeof messages;
/** A signature that is not trusted; `detail` names the key ids if they differ. */
export declare class SignatureRefused extends Error {
    name: string;
    readonly reason: SignatureRefusal;
    readonly detail: string | undefined;
    constructor(reason: SignatureRefusal, detail?: string);
}
export {};
