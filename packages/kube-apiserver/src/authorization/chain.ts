import type { AuthorizationAttributes, Authorizer, Decision } from "@binnacle/apiserver";

/** Asks one authorizer after the other; the first that allows or denies decides. */
export function chainAuthorizers(authorizers: readonly Authorizer[]): Authorizer {
  return {
    async authorize(attributes: AuthorizationAttributes): Promise<Decision> {
      const reasons: string[] = [];
      for (const authorizer of authorizers) {
        const decision = await authorizer.authorize(attributes);
        if (decision.reason !== undefined && decision.reason !== "") reasons.push(decision.reason);
        if (decision.verdict !== "noOpinion") return decision;
      }
      return { verdict: "noOpinion", reason: reasons.join("\n") };
    },
  };
}

/** Source: kube-apiserver --authorization-mode=AlwaysAllow. */
export const alwaysAllow: Authorizer = { authorize: () => ({ verdict: "allow" }) };

/** Source: kube-apiserver --authorization-mode=AlwaysDeny. */
export const alwaysDeny: Authorizer = {
  authorize: () => ({ verdict: "noOpinion", reason: "Everything is forbidden." }),
};
