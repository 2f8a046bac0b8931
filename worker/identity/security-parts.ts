/** The parts of the security page that mails link to (`/account/security#password`). Each is a command of the app. */
export const securityParts = ['accounts', 'passkeys', 'password', 'two-factor'] as const

export type SecurityPart = (typeof securityParts)[number]
