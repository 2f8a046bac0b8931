import type { Config } from './read-config.ts'

/**
 * THE configuration of this deployment: which features are on, and whatever should differ from the specification's
 * defaults, which stand in each feature's `*.config.ts` and in identity/settings.ts. Durations are seconds.
 */
export const config: Config = {
  appName: 'Gatehouse',
  profile: 'compatible',
  trustedOrigins: [],
  emailVerification: { sendOnSignUp: true, autoSignInAfterVerification: true },
  user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
  mail: { from: { address: 'accounts@gatehouse.example.com', name: 'Gatehouse' } },
}
