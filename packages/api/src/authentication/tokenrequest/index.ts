import { type FieldError, invalid, type ObjectSchema } from "@binnacle/apimachinery";
import type { TokenRequest } from "../../generated/authentication-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";

/** The body of `serviceaccounts/token`. */
export const tokenRequestSchema: ObjectSchema = builtinSchema("authentication.v1.TokenRequest");

const DEFAULT_SECONDS = 3600;
const MIN_SECONDS = 600;

/** Source: kubernetes v1.36 pkg/apis/authentication/v1/defaults.go, SetDefaults_TokenRequestSpec. */
export function setTokenRequestDefaults(request: TokenRequest): void {
  request.spec ??= { audiences: [] };
  request.spec.expirationSeconds ??= DEFAULT_SECONDS;
}

/** Source: kubernetes v1.36 pkg/apis/authentication/validation/validation.go, ValidateTokenRequest. */
export function validateTokenRequest({ spec }: TokenRequest): FieldError[] {
  const seconds = spec?.expirationSeconds ?? DEFAULT_SECONDS;
  const path = "spec.expirationSeconds";
  if (seconds < MIN_SECONDS)
    return [invalid(path, seconds, "may not specify a duration less than 10 minutes")];
  if (seconds > 2 ** 32)
    return [invalid(path, seconds, "may not specify a duration larger than 2^32 seconds")];
  return [];
}
