/** What `/version` says: the compatibility target, with this program's own build suffix. */
export const KUBERNETES_VERSION = {
  major: "1",
  minor: "36",
  emulationMajor: "1",
  emulationMinor: "36",
  minCompatibilityMajor: "1",
  minCompatibilityMinor: "35",
  gitVersion: "v1.36.2+binnacle",
  gitCommit: "",
  gitTreeState: "clean",
  buildDate: "1970-01-01T00:00:00Z",
  goVersion: "",
  compiler: "typescript",
  platform: `${process.platform}/${process.arch === "x64" ? "amd64" : process.arch}`,
} as const;
