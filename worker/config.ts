import type { Config } from './configuration/read-config.ts'

/**
 * The configuration of this deployment: the enabled features, and the differences from the defaults in each feature's
 * `*.config.ts` and in those of identity/. Durations are seconds.
 */
export const config: Config = {
  appName: 'Gatehouse',
  profile: 'compatible',
  trustedOrigins: [],
  emailVerification: { sendOnSignUp: true, autoSignInAfterVerification: true },
  user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
  mail: { from: { address: 'accounts@gatehouse.example.com', name: 'Gatehouse' } },
}
