import type { Language } from '../../kit/language.ts'
import { plainWords } from '../../kit/plain-words.ts'
import { defineTexts } from '../../kit/texts.ts'
import { loadLanguage, textsIn } from '../../languages/texts.ts'
import { defineMail } from '../../platform/mailer/layout.ts'
import type { Mail } from '../../platform/mailer/mail.ts'
import { composeMail, composeText, type MessageScope, type Reader } from '../messages/compose.ts'
import { securityNotice } from '../messages/messages.ts'
import type { MailData, TextData } from '../messages/templates.ts'
import type { SecurityNotice } from '../model/security-event-types.ts'

/** The event as a sentence without its full stop. */
const happened = defineTexts<Record<SecurityNotice, string>>('mail/securityEvents', {
  'sign-in': 'there was a new sign-in to your account',
  'sign-in-challenged': 'someone knows your password',
  'password-set': 'a password was added to your account',
  'password-changed': 'your password was changed',
  'password-reset': 'your password was reset',
  'email-changed': 'your email address was changed',
  'email-change-reverted': 'a change of your email address was reverted',
  'unproven-access-ended': 'your address was confirmed, and earlier ways to sign in and sessions were removed',
  'username-changed': 'your username was changed',
  'phone-number-added': 'a phone number was added to your account',
  'phone-number-changed': 'your phone number was changed',
  'phone-number-removed': 'your phone number was removed',
  'passkey-added': 'a passkey was added to your account',
  'passkey-removed': 'a passkey was removed from your account',
  'provider-linked': 'a sign-in provider was linked to your account',
  'provider-unlinked': 'a way to sign in was removed from your account',
  'two-factor-enabled': 'two-factor authentication was turned on',
  'two-factor-disabled': 'two-factor authentication was turned off',
  'backup-codes-created': 'new backup codes were created',
  'api-key-created': 'an API key was created',
  'server-key-created': 'a server key was created',
  'oauth-client-created': 'an OAuth client was created',
  'client-secret-rotated': 'an OAuth client received a new secret',
  'oauth-client-changed': 'the redirect addresses or the state of an OAuth client were changed',
  'oauth-client-deleted': 'an OAuth client was deleted',
  'sessions-ended': 'your account was signed out on other devices',
  'session-copied': 'a copied session of your account was used and has been ended',
})

const notice = defineMail('mail/securityNotice', {
  subject: '{appName}: {happened}',
  heading: '{Happened}',
  paragraphs: {
    what: '{Happened} on {at} UTC.',
    device: 'Device: {device}',
    place: 'Place: {place}',
    ignore: 'If this was you, you can ignore this email.',
  },
  button: 'Check your account',
  note: 'If this was not you, someone else can use your account: change your password and sign out other devices.',
})

/** With a link that restores the previous address. */
const revertible = defineMail('mail/addressChanged', {
  subject: '{appName}: {happened}',
  heading: '{Happened}',
  paragraphs: {
    what: '{Happened} on {at} UTC.',
    device: 'Device: {device}',
    place: 'Place: {place}',
    undo: 'If this was not you, open this link until {revertsUntil} UTC. It restores this address, signs the account out on every device, and asks you for a new password.',
  },
  button: 'Restore this address',
  note: 'If this was you, you can ignore this email.',
})

/** Of a right password without the code that was required. */
const passwordKnown = defineMail('mail/passwordKnown', {
  subject: '{appName}: {happened}',
  heading: '{Happened}',
  paragraphs: {
    what: 'On {at} UTC, someone entered the password of your account on a device that we do not know, and did not enter the code that we required. This signed no one in.',
    device: 'Device: {device}',
    place: 'Place: {place}',
    ignore: 'If this was you, you can ignore this email.',
  },
  button: 'Change the password',
  note: 'If this was not you, change the password, also everywhere else where you use it.',
})

/** In the characters of GSM 7-bit (3GPP TS 23.038). */
const textNotice = defineTexts('text/securityNotice', { text: '{appName}: {happened}. If this was not you: {url}' })

type Own<D> = Omit<D, 'language' | 'appName' | 'email' | 'name'>

const asHeading = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1)

/** Each event is a separate kind of mail: no event uses up the budget of another. */
export async function noticeMail(
  scope: MessageScope,
  reader: Reader & { language: Language },
  own: Own<MailData['securityNotice']>,
): Promise<Mail> {
  await loadLanguage(reader.language)
  const what = textsIn(happened, reader.language, scope.shared.brand.texts)[own.event]
  const usual = own.event === 'sign-in-challenged' ? passwordKnown : notice
  const texts = own.revertsUntil === null ? usual : revertible
  const mail = await composeMail(scope, 'securityNotice', texts, reader, own, {
    happened: what,
    Happened: asHeading(what),
  })
  return { ...mail, kind: securityNotice + own.event }
}

export async function noticeText(
  scope: MessageScope,
  language: Language,
  own: Own<TextData['securityNotice']>,
): Promise<string> {
  await loadLanguage(language)
  return composeText(scope, 'securityNotice', textNotice, language, own, {
    happened: textsIn(happened, language, scope.shared.brand.texts)[own.event],
  })
}

/** @param country ISO 3166-1 */
export function placeInWords(
  { city, country }: { city: string | null; country: string | null },
  language: Language,
): string | null {
  const parts = [city && plainWords(city), country && countryName(country, language)].filter(Boolean)
  return parts.length > 0 ? parts.join(', ') : null
}

function countryName(country: string, language: Language): string {
  try {
    return new Intl.DisplayNames([language], { type: 'region' }).of(country) ?? country
  } catch {
    // Cloudflare uses its own codes for networks without a country, such as T1.
    return plainWords(country, 2)
  }
}
