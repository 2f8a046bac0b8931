import { defineTexts } from '../../lib/texts/texts.ts'
import type { Opened } from './scopes.ts'

export const accountTexts = defineTexts('accounts', {
  title: 'Ways to sign in',
  intro: 'Keep at least two, so that you can still sign in if you lose one.',
  set: 'Set',
  notSet: 'Not set',
  byLink: 'Link by email',
  byEmailCode: 'Code by email',
  byTextMessage: 'Code by text message',
  sso: 'Single sign-on',
  linked: 'Linked',
  shared: 'Shared from {name}',
  opened: {
    profile: 'Your name and your picture',
    email: 'Your email address',
    phone: 'Your phone number',
    posts: 'Your posts',
    lasting: 'Access while you are away',
  } as Record<Opened, string>,
  unlink: 'Unlink',
  unlinkOne: 'Unlink {name}',
  question: 'Unlink {name}?',
  consequence: 'You can no longer sign in with {name}. Your account and everything in it stay.',
  unlinked: '{name} has been unlinked.',
  last: 'To unlink it, first set a password or link another service.',
  more: 'Link another service',
  link: 'Link {name}',
  nowLinked: '{name} has been linked.',
  errors: {
    ACCOUNT_NOT_FOUND: 'This has already been unlinked.',
  } as Record<string, string>,
})
