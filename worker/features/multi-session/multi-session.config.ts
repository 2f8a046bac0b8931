import { defineOptions } from '../../kit/options.ts'

export const multiSessionOptions = defineOptions('multiSession', {
  enabled: true,
  /** Accounts that one browser may be signed in to at once. */
  maximumSessions: 5,
})
