import { defineTexts } from '../../lib/texts/texts.ts'

export const eventsTexts = defineTexts('events', {
  title: 'Security events',
  intro: 'Sign-ins, failures and changes to accounts, newest first.',
  caption: 'Security events with person, device and time',
  errors: { INVALID_CURSOR: 'This page is no longer available. Reload it.' } as Record<string, string>,
})
