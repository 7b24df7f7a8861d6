/** Who asks. Source: kubernetes v1.36 apiserver/pkg/authentication/user/user.go. */
export interface UserInfo {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export const ANONYMOUS: UserInfo = Object.freeze({
  name: "system:anonymous",
  groups: ["system:unauthenticated"],
});

/** The group every authenticated user is in. */
export const AUTHENTICATED_GROUP = "system:authenticated";

/** The group that may do everything. */
export const MASTERS_GROUP = "system:masters";

/** The same user as a member of `system:authenticated`. */
export function asAuthenticated(user: UserInfo): UserInfo {
  if (user.groups.includes(AUTHENTICATED_GROUP) || user.groups.includes("system:unauthenticated"))
    return user;
  return { ...user, groups: [...user.groups, AUTHENTICATED_GROUP] };
}
