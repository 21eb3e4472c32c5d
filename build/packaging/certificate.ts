/** Removes empty variables: workflows pass an unset secret as an empty string, which electron-builder takes for a file name. */
export function dropMissingCertificate(env: NodeJS.ProcessEnv): void {
  for (const name of ["CSC_LINK", "CSC_KEY_PASSWORD"]) if (env[name]?.trim() === "") delete env[name];
}
