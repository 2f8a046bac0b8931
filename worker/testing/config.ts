import type { Config } from '../configuration/read-config.ts'

/** The base configuration of tests, which they override. It does not include worker/config.ts. */
export const config: Config = {
  emailVerification: { sendOnSignUp: true, autoSignInAfterVerification: true },
  user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
  mail: { from: { address: 'accounts@gatehouse.example.com', name: 'Gatehouse' } },
}
