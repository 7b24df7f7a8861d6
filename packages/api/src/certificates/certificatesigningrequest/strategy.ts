import { msToTime, type StrategyContext } from "@binnacle/apimachinery";
import type { CertificateSigningRequest } from "../../generated/certificates-v1.generated.ts";

/**
 * Who asks is who sends the request, whatever the request says.
 *
 * Source: kubernetes v1.36 pkg/registry/certificates/certificates/strategy.go, PrepareForCreate.
 */
export function prepareCsrForCreate(csr: CertificateSigningRequest, { user }: StrategyContext): void {
  const { spec } = csr;
  for (const field of ["username", "uid", "groups", "extra"] as const) delete spec[field];
  if (user !== undefined) {
    spec.username = user.name;
    if (user.uid !== undefined && user.uid !== "") spec.uid = user.uid;
    if (user.groups.length > 0) spec.groups = [...user.groups];
    const extra = Object.entries(user.extra ?? {});
    if (extra.length > 0) spec.extra = Object.fromEntries(extra.map(([key, values]) => [key, [...values]]));
  }
  csr.status = {};
}

/** A request never changes. Source: strategy.go, PrepareForUpdate. */
export function prepareCsrForUpdate(
  updated: CertificateSigningRequest,
  old: CertificateSigningRequest,
): void {
  updated.spec = old.spec;
  updated.status = old.status ?? {};
}

/**
 * `/status` leaves the decision alone: Approved and Denied come through `/approval`.
 *
 * Source: strategy.go, csrStatusStrategy.PrepareForUpdate.
 */
export function prepareCsrStatus(
  updated: CertificateSigningRequest,
  old: CertificateSigningRequest,
  { nowMs }: StrategyContext,
): void {
  const isDecision = ({ type }: { type: string }): boolean => type === "Approved" || type === "Denied";
  updated.status ??= {};
  const decided = (old.status?.conditions ?? []).filter(isDecision);
  const others = (updated.status.conditions ?? []).filter((condition) => !isDecision(condition));
  const conditions = [...decided, ...others];
  if (conditions.length > 0) updated.status.conditions = conditions;
  else delete updated.status.conditions;
  stampConditions(updated, old, nowMs);
}

/**
 * `/approval` changes conditions and nothing else.
 *
 * Source: strategy.go, csrApprovalStrategy.PrepareForUpdate.
 */
export function prepareCsrApproval(
  updated: CertificateSigningRequest,
  old: CertificateSigningRequest,
  { nowMs }: StrategyContext,
): void {
  const conditions = updated.status?.conditions;
  updated.spec = old.spec;
  updated.status = { ...old.status };
  if (conditions !== undefined) updated.status.conditions = conditions;
  else delete updated.status.conditions;
  stampConditions(updated, old, nowMs);
}

function stampConditions(
  updated: CertificateSigningRequest,
  old: CertificateSigningRequest,
  nowMs: number,
): void {
  const now = msToTime(nowMs);
  for (const condition of updated.status?.conditions ?? []) {
    condition.lastUpdateTime ??= now;
    if (condition.lastTransitionTime) continue;
    const before = old.status?.conditions?.find(({ type }) => type === condition.type);
    const isSame = before?.status === condition.status && before.lastTransitionTime;
    condition.lastTransitionTime = isSame ? before.lastTransitionTime! : now;
  }
}
