/** Groups of scopes, as users understand them. */
export type Opened = 'profile' | 'email' | 'phone' | 'posts' | 'lasting'

/** The usual scopes of providers. The providers' documentation describes each. */
const scopesOf: Record<Opened, string[]> = {
  profile: [
    ...['openid', 'profile', 'name', 'public_profile', 'identify', 'identity', 'read_user', 'User.Read'],
    ...['read:user', 'user:read', 'users.read', 'account_info.read', 'user.info.basic', 'user.info.profile'],
  ],
  email: ['email', 'user:email', 'user:read:email', 'user-read-email', 'users.email'],
  phone: ['phone'],
  posts: ['tweet.read'],
  lasting: ['offline_access', 'offline.access'],
}

const opened = new Map(
  Object.entries(scopesOf).flatMap(([what, scopes]) => scopes.map((scope) => [scope, what as Opened] as const)),
)

/** Groups scopes, each once. An unknown scope is shown by its name. */
export function inGroups(scopes: readonly string[]): { known: Opened[]; others: string[] } {
  const found = new Set(scopes.map((scope) => opened.get(scope)))
  return {
    known: (Object.keys(scopesOf) as Opened[]).filter((what) => found.has(what)),
    others: scopes.filter((scope) => !opened.has(scope)),
  }
}
