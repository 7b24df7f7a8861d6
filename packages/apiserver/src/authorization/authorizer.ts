import type { UserInfo } from "../request/user-info.ts";

/** What somebody wants to do. Source: kubernetes v1.36 apiserver/pkg/authorization/authorizer/interfaces.go. */
export interface AuthorizationAttributes {
  readonly user: UserInfo;
  readonly verb: string;
  readonly isResourceRequest: boolean;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
}

export interface Decision {
  readonly verdict: "allow" | "deny" | "noOpinion";
  readonly reason?: string;
}

export interface Authorizer {
  authorize(attributes: AuthorizationAttributes): Promise<Decision> | Decision;
}
