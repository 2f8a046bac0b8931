import { emailInput } from '../../../identity/users/users.contract.ts'
import { isImageAddress, plainName } from '../../../kit/inputs.ts'
import { type ConfiguredProvider, resolveAddress } from './configured-provider.ts'
import { getObject } from './fetch-json.ts'
import type { Profile, ProviderContext, ProviderTokens, ProviderUser } from './provider.ts'

/** A user at a provider, with validated values. */
export interface KnownPerson {
  /** The subject at the provider. */
  id: string
  name: string
  /** Null when the provider returns none, or an invalid one. */
  email: string | null
  image: string | null
  emailVerified: boolean
  /** More fields, under the provider's names. */
  extra: Profile
}

const maxLength = { id: 512, name: 256 }

/** An unsafe integer is rejected: two subjects could be rounded to the same number. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : Number.isSafeInteger(value) ? String(value) : ''

/** The only or first address, where a provider returns a list. */
const emailOf = (value: unknown): string => textOf(Array.isArray(value) ? value[0] : value).toLowerCase()

/** Of a list with several addresses, the provider does not say which one is verified. */
const isVerified = ({ email, emailVerified }: ProviderUser): boolean =>
  (emailVerified === true || emailVerified === 'true') && !(Array.isArray(email) && email.length > 1)

const imageOf = (value: unknown): string | null => (typeof value === 'string' && isImageAddress(value) ? value : null)

/** @returns null without a valid subject */
export function validatePerson(user: ProviderUser): KnownPerson | null {
  const id = textOf(user.id)
  if (!id || id.length > maxLength.id) return null
  const email = emailInput.safeParse(emailOf(user.email))
  return {
    id,
    name: plainName(textOf(user.name)).slice(0, maxLength.name) || (email.success ? email.data : ''),
    email: email.success ? email.data : null,
    image: imageOf(user.image),
    emailVerified: isVerified(user),
    extra: user.extra ?? {},
  }
}

/** The profile of the user who owns the tokens. @throws Fault; any other error for an invalid response */
export async function fetchProfile(
  { provider, options }: ConfiguredProvider,
  tokens: ProviderTokens,
  context: ProviderContext,
): Promise<Profile | null> {
  if (provider.fetchProfile) return provider.fetchProfile(tokens, context)
  if (provider.userInfo === undefined) return tokens.claims
  return getObject(context, resolveAddress(provider.userInfo, options), { accessToken: tokens.accessToken })
}

/** Reads the user from a profile; the configuration may replace fields. */
export async function readPerson(
  { provider, options }: ConfiguredProvider,
  profile: Profile,
  context: ProviderContext,
  toUser: (profile: Profile) => ProviderUser = (given) => provider.toUser(given, context),
): Promise<KnownPerson | null> {
  return validatePerson({ ...toUser(profile), ...(await options.mapProfileToUser?.(profile)) })
}
