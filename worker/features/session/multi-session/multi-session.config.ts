import { defineOptions, flag, positive, section } from '../../../kit/options.ts'

export const multiSessionOptions = defineOptions('multiSession', () =>
  section({
    enabled: flag(true),
    /** The maximum number of accounts that one browser may be signed in to. */
    maximumSessions: positive.default(5),
  }),
)
