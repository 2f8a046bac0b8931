import type { Config } from '../read-config.ts'

/** What tests run on, laid over by their own changes: a deployment's worker/config.ts is no part of them. */
export const config: Config = {
  emailVerification: { sendOnSignUp: true, autoSignInAfterVerification: true },
  user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
  mail: { from: { address: 'accounts@gatehouse.example.com', name: 'Gatehouse' } },
}
