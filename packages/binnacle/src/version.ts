/** The version of this program. The test compares it with the package's. */
export const BINNACLE_VERSION = "0.1.0";
