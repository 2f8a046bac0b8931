import { defineTexts } from '../../kit/texts.ts'

export const linkTexts = defineTexts('page/link', {
  'confirm-address': {
    title: 'Confirm your email address',
    intro: 'Continue only if you have created an account at {appName} with this address.',
    button: 'Confirm address',
  },
  'change-address': {
    title: 'Confirm your new email address',
    intro: 'Continue only if you have asked {appName} to change the address of your account.',
    button: 'Confirm change',
  },
  'sign-in': {
    title: 'Sign in to {appName}',
    intro: 'You will be signed in in this browser. Continue only if you have requested this email.',
    button: 'Sign in',
  },
  'delete-account': {
    title: 'Delete your account',
    intro: 'Your account at {appName} and its data will be deleted. This cannot be undone.',
    button: 'Delete account',
  },
})
