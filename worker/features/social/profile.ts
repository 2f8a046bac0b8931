import { emailInput } from '../../identity/users/users.contract.ts'
import { addressOf, type ConfiguredProvider } from './configured.ts'
import { getObject } from './fetch-json.ts'
import type { Profile, ProviderContext, ProviderTokens, ProviderUser } from './provider.ts'

/** A person as a provider knows them, with every value judged. */
export interface KnownPerson {
  /** The subject at the provider. */
  id: string
  name: string
  /** Null when the provider did not tell it, or it is not an address. */
  email: string | null
  image: string | null
  emailVerified: boolean
  /** More, under the provider's names. */
  extra: Profile
}

const longest = { id: 512, name: 256, link: 2048, picture: 6 * 1024 }

/** A number that JSON has rounded is no subject: it would be that of two people. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : Number.isSafeInteger(value) ? String(value) : ''

/** A picture on the web, or a small one in the URL itself. */
function imageOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  if (/^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/.test(value)) {
    return value.length <= longest.picture ? value : null
  }
  if (value.length > longest.link || !URL.canParse(value)) return null
  const { protocol } = new URL(value)
  return protocol === 'https:' || protocol === 'http:' ? value : null
}

/** @returns null without a subject: nobody can be known by that */
export function judgePerson(user: ProviderUser): KnownPerson | null {
  const id = textOf(user.id)
  if (!id || id.length > longest.id) return null
  const email = emailInput.safeParse(textOf(user.email).toLowerCase())
  return {
    id,
    name: textOf(user.name).slice(0, longest.name) || (email.success ? email.data : ''),
    email: email.success ? email.data : null,
    image: imageOf(user.image),
    emailVerified: user.emailVerified === true || user.emailVerified === 'true',
    extra: user.extra ?? {},
  }
}

/** The provider's profile of whoever the tokens belong to. @throws anything the provider's answer was not good for */
export async function fetchProfile(
  { provider, options }: ConfiguredProvider,
  tokens: ProviderTokens,
  context: ProviderContext,
): Promise<Profile | null> {
  if (provider.fetchProfile) return provider.fetchProfile(tokens, context)
  if (provider.userInfo === undefined) return tokens.claims
  return getObject(context, addressOf(provider.userInfo, options), { accessToken: tokens.accessToken })
}

/** Reads the person out of a profile; the configuration may amend it. */
export async function readPerson(
  { provider, options }: ConfiguredProvider,
  profile: Profile,
  context: ProviderContext,
  toUser: (profile: Profile) => ProviderUser = (given) => provider.toUser(given, context),
): Promise<KnownPerson | null> {
  return judgePerson({ ...toUser(profile), ...(await options.mapProfileToUser?.(profile)) })
}
