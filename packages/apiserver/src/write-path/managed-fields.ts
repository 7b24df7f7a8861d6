/** Who owns which field: what every write records in metadata.managedFields, and server-side apply. */
export { type ApplyOptions, applyConfiguration } from "./apply-configuration.ts";
export { trackUpdate, type UpdateOptions, type WriterOptions } from "./track-update.ts";
