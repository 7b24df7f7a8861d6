import { badRequest, type FieldError, invalid, invalidObject, notSupported } from "@binnacle/apimachinery";
import type { RequestContext } from "../request/request-context.ts";

/** The query of a create, update or patch. */
export interface WriteOptions {
  readonly isDryRun: boolean;
  /** Who owns the fields that this write sets. */
  readonly fieldManager: string;
  readonly fieldValidation: "Ignore" | "Warn" | "Strict";
  /** For apply: take over fields of other managers. */
  readonly isForced: boolean;
}

/** Source: kubernetes v1.36 apimachinery/pkg/apis/meta/v1/validation/validation.go, FieldManagerMaxLength. */
const FIELD_MANAGER_MAX_LENGTH = 128;

/**
 * Reads and checks the query of a write. Throws 422 for values that are not allowed.
 *
 * Source: apimachinery/pkg/apis/meta/v1/validation/validation.go, ValidateCreateOptions and its siblings.
 */
export function parseWriteOptions(
  request: RequestContext,
  kind: "CreateOptions" | "UpdateOptions" | "PatchOptions",
  isApply = false,
): WriteOptions {
  const { query } = request;
  const errors: FieldError[] = [];
  const given = query.get("fieldManager") ?? "";
  const force = query.get("force");
  if (kind === "PatchOptions") {
    if (isApply) {
      if (given === "") {
        errors.push({
          type: "FieldValueRequired",
          path: "fieldManager",
          body: "Required value: is required for apply patch",
        });
      }
    } else if (force !== null) {
      errors.push({
        type: "FieldValueForbidden",
        path: "force",
        body: "Forbidden: may not be specified for non-apply patch",
      });
    }
  }
  validateFieldManager(given, errors);
  const dryRun = query.getAll("dryRun").filter((value) => value !== "");
  if (dryRun.some((value) => value !== "All")) errors.push(notSupportedSet("dryRun", dryRun, ["All"]));
  const fieldValidation = query.get("fieldValidation") ?? "";
  if (!["", "Ignore", "Warn", "Strict"].includes(fieldValidation)) {
    errors.push(notSupported("fieldValidation", fieldValidation, ["", "Ignore", "Strict", "Warn"]));
  }
  if (errors.length > 0) throw invalidObject({ group: "meta.k8s.io", kind }, "", errors);
  return {
    isDryRun: dryRun.length > 0,
    fieldManager: given !== "" ? given : managerFromUserAgent(request.headers.get("user-agent") ?? ""),
    // The check above leaves only these.
    fieldValidation: (fieldValidation === "" ? "Warn" : fieldValidation) as WriteOptions["fieldValidation"],
    isForced: force === "true" || force === "1" || force === "",
  };
}

function notSupportedSet(path: string, values: readonly string[], supported: readonly string[]): FieldError {
  return notSupported(path, values, supported);
}

function validateFieldManager(manager: string, errors: FieldError[]): void {
  if (manager.length > FIELD_MANAGER_MAX_LENGTH) {
    errors.push({
      type: "FieldValueTooLong",
      path: "fieldManager",
      body: `Too long: may not be more than ${FIELD_MANAGER_MAX_LENGTH} bytes`,
    });
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  if (/[\u0000-\u001f\u007f-\u00a0\u00ad]/.test(manager)) {
    errors.push(invalid("fieldManager", manager, "should only contain printable characters"));
  }
}

/** The program's name out of `kubectl/v1.36.0 (linux/amd64) …`. Source: apiserver handlers/create.go. */
function managerFromUserAgent(userAgent: string): string {
  return (userAgent.split("/")[0] ?? "").slice(0, FIELD_MANAGER_MAX_LENGTH);
}

/** 400 with the words for a body that names another namespace. */
export function namespaceMismatch(): Error {
  return badRequest("the namespace of the provided object does not match the namespace sent on the request");
}
