import {
  badRequest,
  type FieldError,
  forbiddenField,
  invalidObject,
  notSupported,
  statusError,
} from "@binnacle/apimachinery";
import { isTrue } from "../request/request-info.ts";

/** The query of a list or watch, read and checked. */
export interface ListOptions {
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly limit: number;
  readonly continueToken: string;
  readonly timeoutSeconds: number | undefined;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  readonly labelSelector: string;
  readonly fieldSelector: string;
}

/** Reads the query. Throws 400 for values of the wrong type. */
export function parseListOptions(query: URLSearchParams, isWatch: boolean): ListOptions {
  const resourceVersion = query.get("resourceVersion") ?? "";
  let resourceVersionMatch = query.get("resourceVersionMatch") ?? "";
  const initial = query.get("sendInitialEvents");
  let sendInitialEvents = initial === null ? undefined : isTrue(initial);
  // A watch from nowhere has always begun with what is there. Source: SetListOptionsDefaults.
  if (
    isWatch &&
    sendInitialEvents === undefined &&
    resourceVersionMatch === "" &&
    isLegacyStart(resourceVersion)
  ) {
    sendInitialEvents = true;
    resourceVersionMatch = "NotOlderThan";
  }
  return {
    resourceVersion,
    resourceVersionMatch,
    limit: parseInteger(query.get("limit")) ?? 0,
    continueToken: query.get("continue") ?? "",
    timeoutSeconds: parseInteger(query.get("timeoutSeconds")),
    allowWatchBookmarks: isTrue(query.get("allowWatchBookmarks")),
    sendInitialEvents,
    labelSelector: query.get("labelSelector") ?? "",
    fieldSelector: query.get("fieldSelector") ?? "",
  };
}

/**
 * Refuses combinations that make no sense, with 422.
 *
 * Source: kubernetes v1.36 apimachinery/pkg/apis/meta/internalversion/validation/validation.go, ValidateListOptions.
 */
export function validateListOptions(options: ListOptions, isWatch: boolean): void {
  const errors: FieldError[] = [];
  const { resourceVersionMatch: match } = options;
  if (isWatch) validateForWatch(options, errors);
  else {
    if (options.sendInitialEvents !== undefined) {
      errors.push(forbiddenField("sendInitialEvents", "sendInitialEvents is forbidden for list"));
    }
    if (match !== "") {
      if (options.resourceVersion === "") {
        errors.push(
          forbiddenField(
            "resourceVersionMatch",
            "resourceVersionMatch is forbidden unless resourceVersion is provided",
          ),
        );
      }
      if (options.continueToken !== "") {
        errors.push(
          forbiddenField(
            "resourceVersionMatch",
            "resourceVersionMatch is forbidden when continue is provided",
          ),
        );
      }
      if (match !== "Exact" && match !== "NotOlderThan") {
        errors.push(notSupported("resourceVersionMatch", match, ["Exact", "NotOlderThan", ""]));
      }
      if (match === "Exact" && options.resourceVersion === "0") {
        errors.push(
          forbiddenField(
            "resourceVersionMatch",
            'resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
          ),
        );
      }
    }
  }
  if (errors.length > 0) throw invalidObject({ group: "meta.k8s.io", kind: "ListOptions" }, "", errors);
}

function isLegacyStart(resourceVersion: string): boolean {
  return resourceVersion === "" || resourceVersion === "0";
}

function validateForWatch(options: ListOptions, errors: FieldError[]): void {
  const { resourceVersionMatch: match, sendInitialEvents } = options;
  if (sendInitialEvents === undefined) {
    if (match !== "") {
      errors.push(
        forbiddenField(
          "resourceVersionMatch",
          "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided",
        ),
      );
    }
    if (options.continueToken !== "") {
      errors.push(
        forbiddenField("resourceVersionMatch", "resourceVersionMatch is forbidden when continue is provided"),
      );
    }
    return;
  }
  if (match !== "NotOlderThan") {
    errors.push(
      forbiddenField(
        "resourceVersionMatch",
        "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan",
      ),
    );
  }
  if (match !== "" && match !== "NotOlderThan") {
    errors.push(notSupported("resourceVersionMatch", match, ["NotOlderThan"]));
  }
  if (options.continueToken !== "") {
    errors.push(
      forbiddenField("resourceVersionMatch", "resourceVersionMatch is forbidden when continue is provided"),
    );
  }
}

/** A resourceVersion as a number; 0 for none. Throws the 500 that upstream answers for anything else. */
export function parseResourceVersion(resourceVersion: string): number {
  if (resourceVersion === "") return 0;
  if (/^[0-9]{1,15}$/.test(resourceVersion)) return Number(resourceVersion);
  const quoted = JSON.stringify(resourceVersion);
  const message = `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: invalid syntax`;
  throw statusError(500, "", message);
}

/** An int64 parameter, or undefined when it is absent. Throws Go's words with 400. */
export function parseInteger(text: string | null): number | undefined {
  if (text === null || text === "") return undefined;
  if (/^[+-]?[0-9]{1,15}$/.test(text)) return Number(text);
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
}
