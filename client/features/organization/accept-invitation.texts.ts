import { defineTexts } from '../../lib/texts/texts.ts'

export const acceptTexts = defineTexts(
  {
    acceptTitle: (organization: string) => `Join ${organization}`,
    acceptIntro: (inviter: string, organization: string) => `${inviter} invited you to ${organization}.`,
    acceptFor: 'For',
    acceptAs: 'As',
    accept: 'Accept',
    decline: 'Decline',
    accepted: (organization: string) => `Welcome to ${organization}.`,
    signedOutTitle: 'You are invited',
    signedOutIntro:
      'Use the address that the invitation was sent to: create an account with it, or sign in, to see who invited you.',
    signIn: 'Sign in',
    signUp: 'Create an account',
    otherTitle: 'This invitation is for another account',
    otherIntro: (email: string) =>
      `You are signed in as ${email}. Sign in with the address that the invitation was sent to.`,
    switchAccount: 'Use another account',
    ended: {
      expired: { title: 'This invitation has expired', intro: 'Ask the person who invited you to send it again.' },
      canceled: {
        title: 'This invitation has been withdrawn',
        intro: 'If you did not expect this, ask the person who invited you.',
      },
      rejected: {
        title: 'You have declined this invitation',
        intro: 'Ask for a new one if you have changed your mind.',
      },
      accepted: { title: 'You are already a member', intro: 'You have already accepted this invitation.' },
      unknown: {
        title: 'We could not find this invitation',
        intro: 'The link may be incomplete. Open it from the email again, or ask for a new one.',
      },
      inviterLeft: {
        title: 'This invitation is no longer valid',
        intro: 'The person who invited you has left the organization. Ask someone else there for a new invitation.',
      },
    },
    toOrganization: 'Open the organization',
    verifyFirst: 'Confirm your email address',
  },
  {
    acceptTitle: (organization) => `${organization} beitreten`,
    acceptIntro: (inviter, organization) => `${inviter} hat dich zu ${organization} eingeladen.`,
    acceptFor: 'Für',
    acceptAs: 'Als',
    accept: 'Annehmen',
    decline: 'Ablehnen',
    accepted: (organization) => `Willkommen bei ${organization}.`,
    signedOutTitle: 'Du bist eingeladen',
    signedOutIntro:
      'Verwende die Adresse, an die die Einladung ging: Lege damit ein Konto an oder melde dich an, um zu sehen, wer dich eingeladen hat.',
    signIn: 'Anmelden',
    signUp: 'Konto anlegen',
    otherTitle: 'Diese Einladung ist für ein anderes Konto',
    otherIntro: (email) => `Du bist als ${email} angemeldet. Melde dich mit der Adresse an, an die die Einladung ging.`,
    switchAccount: 'Anderes Konto verwenden',
    ended: {
      expired: {
        title: 'Diese Einladung ist abgelaufen',
        intro: 'Bitte die Person, die dich eingeladen hat, um eine neue.',
      },
      canceled: {
        title: 'Diese Einladung wurde zurückgezogen',
        intro: 'Frag die Person, die dich eingeladen hat, falls dich das überrascht.',
      },
      rejected: {
        title: 'Du hast diese Einladung abgelehnt',
        intro: 'Bitte um eine neue, falls du es dir anders überlegt hast.',
      },
      accepted: { title: 'Du bist schon Mitglied', intro: 'Du hast diese Einladung bereits angenommen.' },
      unknown: {
        title: 'Diese Einladung haben wir nicht gefunden',
        intro: 'Vielleicht ist der Link unvollständig. Öffne ihn noch einmal aus der E-Mail oder bitte um einen neuen.',
      },
      inviterLeft: {
        title: 'Diese Einladung gilt nicht mehr',
        intro: 'Wer dich eingeladen hat, ist nicht mehr in der Organisation. Bitte jemand anderen dort um eine neue.',
      },
    },
    toOrganization: 'Zur Organisation',
    verifyFirst: 'E-Mail-Adresse bestätigen',
  },
)
