import type { CertificateSigningRequest, CertificateSigningRequestCondition } from "@binnacle/api";
import { isNotFound, msToTime, timeToMs } from "@binnacle/apimachinery";
import {
  type ControllerDefinition,
  controllerFor,
  done,
  type ReconcileContext,
  type ReconcileResult,
} from "@binnacle/controller-runtime";
import { certificateSigningRequests } from "../../resource-types.ts";
import { isBuiltinSigner, refusal } from "./rules.ts";
import type { CertificateSigner } from "./signer.ts";

/** Source: kube-controller-manager --cluster-signing-duration. */
const LONGEST_SECONDS = 365 * 24 * 3600;
/** Source: pkg/controller/certificates/signer/signer.go, duration and newSigner: ten minutes at least, five minutes back. */
const SHORTEST_SECONDS = 600;
const BACKDATE_MS = 5 * 60_000;

/** Source: pkg/controller/certificates/cleaner/cleaner.go. */
const DECIDED_FOR_MS = 3_600_000;
const PENDING_FOR_MS = 24 * 3_600_000;

/** Signs approved requests for the built-in signers. */
export function certificateSigningController(signer: CertificateSigner): ControllerDefinition {
  return controllerFor(certificateSigningRequests)
    .named("certificatesigningrequest-signing-controller")
    .withOptions({ concurrency: 5 })
    .reconcile(async (key, context) => {
      const request = context.cache.get(certificateSigningRequests, key);
      if (request === undefined || !awaitsSigning(request)) return done;
      await sign(request, signer, context);
      return done;
    });
}

function awaitsSigning({ spec, status }: CertificateSigningRequest): boolean {
  const has = (type: string): boolean =>
    status?.conditions?.some((each) => each.type === type && each.status === "True") ?? false;
  const isSigned = (status?.certificate ?? "") !== "";
  return isBuiltinSigner(spec.signerName) && !isSigned && has("Approved") && !has("Denied") && !has("Failed");
}

async function sign(
  request: CertificateSigningRequest,
  signer: CertificateSigner,
  { client, clock }: ReconcileContext,
): Promise<void> {
  const { spec, status = {} } = request;
  const usages = spec.usages ?? [];
  const text = Buffer.from(spec.request, "base64").toString("utf8");
  const why = refusal(spec.signerName, usages, await signer.inspect(text));
  const now = clock.now();
  if (why !== undefined) {
    const failed: CertificateSigningRequestCondition = {
      type: "Failed",
      status: "True",
      reason: "SignerValidationFailure",
      message: why,
      lastUpdateTime: msToTime(now),
    };
    const conditions = [...(status.conditions ?? []), failed];
    await client.updateStatus(certificateSigningRequests, { ...request, status: { ...status, conditions } });
    return;
  }
  const seconds = Math.min(
    LONGEST_SECONDS,
    Math.max(SHORTEST_SECONDS, spec.expirationSeconds ?? LONGEST_SECONDS),
  );
  const pem = await signer.sign(text, {
    usages,
    notBeforeMs: now - BACKDATE_MS,
    notAfterMs: now + seconds * 1000,
  });
  const certificate = Buffer.from(pem).toString("base64");
  await client.updateStatus(certificateSigningRequests, { ...request, status: { ...status, certificate } });
}

/** Removes requests that nobody needs any more: an hour after the decision, a day without one. */
export const certificateRequestCleaner: ControllerDefinition = controllerFor(certificateSigningRequests)
  .named("certificatesigningrequest-cleaner-controller")
  .reconcile(async (key, { client, cache, clock }): Promise<ReconcileResult> => {
    const request = cache.get(certificateSigningRequests, key);
    if (request === undefined) return done;
    const leftMs = keptUntil(request) - clock.now();
    if (leftMs > 0) return { requeueAfterMs: leftMs };
    try {
      await client.delete(certificateSigningRequests, request);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    return done;
  });

/** When a request may go, in milliseconds since the epoch. */
export function keptUntil({ metadata, status }: CertificateSigningRequest): number {
  const decided = status?.conditions?.find((each) => ["Approved", "Denied", "Failed"].includes(each.type));
  const since = timeToMs(
    decided?.lastUpdateTime ?? decided?.lastTransitionTime ?? metadata.creationTimestamp,
  );
  return since + (decided === undefined ? PENDING_FOR_MS : DECIDED_FOR_MS);
}
