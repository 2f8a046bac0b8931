import { defineProvider, type Profile, type ProviderOptions } from '../model/provider.ts'

/** https://discord.com/developers/docs/topics/oauth2 */
export interface DiscordOptions extends ProviderOptions {
  /** `none` skips the screen for users who agreed before. */
  prompt?: 'none' | 'consent'
}

export const discord = defineProvider<DiscordOptions>({
  id: 'discord',
  name: 'Discord',
  authorization: 'https://discord.com/api/oauth2/authorize',
  token: 'https://discord.com/api/oauth2/token',
  userInfo: 'https://discord.com/api/users/@me',
  scopes: ['identify', 'email'],
  pkce: false,
  clientAuthentication: 'basic',
  prompt: 'none',
  reauthenticationPrompt: 'consent',
  toUser: (profile) => ({
    id: profile.id,
    name: profile.global_name || profile.username,
    email: profile.email,
    image: avatar(profile),
    emailVerified: profile.verified,
  }),
})

/** https://discord.com/developers/docs/reference#image-formatting */
function avatar({ id, avatar: hash, discriminator }: Profile): string | undefined {
  const cdn = 'https://cdn.discordapp.com'
  if (typeof id !== 'string' || !/^\d{1,20}$/.test(id)) return undefined
  if (typeof hash === 'string') return `${cdn}/avatars/${id}/${hash}.${hash.startsWith('a_') ? 'gif' : 'png'}`
  const migrated = discriminator === undefined || discriminator === '0'
  const index = migrated ? (BigInt(id) >> 22n) % 6n : Number(discriminator) % 5
  return `${cdn}/embed/avatars/${index}.png`
}
