/** Where a packaged app gets updates. Built into the program: neither the environment nor a page can change it. */
export interface ReleaseChannel {
  /** Base address of the update proxy. */
  proxyUrl: string;
  /**
   * The public keys whose signatures are accepted, each the content of a `.pub` file. One key, or two during a rotation:
   * the release that introduces a new key is still signed with the old one and embeds both.
   */
  publicKeys: readonly string[];
}

/** Empty until the first release is prepared (docs/releasing.md). A client without keys never checks. */
export const releaseChannel: ReleaseChannel = { proxyUrl: "", publicKeys: [] };

/** Whether this channel can be asked for updates. */
export function hasChannel({ proxyUrl, publicKeys }: ReleaseChannel): boolean {
  return proxyUrl !== "" && publicKeys.length > 0;
}
