import { defineTexts } from '../../lib/texts/texts.ts'

export const sessionListTexts = defineTexts('sessionList', {
  count: {
    one: '{count} session',
    other: '{count} sessions',
  },
  singleOf: 'Show each session of {device}',
  endGroup: {
    one: 'Sign out {count} session',
    other: 'Sign out {count} sessions',
  },
  endGroupOf: {
    one: 'Sign out {count} session of {device}',
    other: 'Sign out {count} sessions of {device}',
  },
  endedMany: {
    one: '{count} session has been ended.',
    other: '{count} sessions have been ended.',
  },
})
