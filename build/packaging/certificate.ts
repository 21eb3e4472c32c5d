/** A workflow passes a secret that nobody has set as an empty text, which electron-builder takes for the name of a file. */
export function dropMissingCertificate(env: NodeJS.ProcessEnv): void {
  for (const name of ["CSC_LINK", "CSC_KEY_PASSWORD"]) if (env[name]?.trim() === "") delete env[name];
}
